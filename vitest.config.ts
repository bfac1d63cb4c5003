import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/unit/**/*.test.ts"],
    testTimeout: 20_000,
    // Loading the modules anew for every file takes more than half of the processor time. `npm test` does it all the same, so
    // that no file comes to lean on what another one left behind.
    isolate: false,
  },
});
