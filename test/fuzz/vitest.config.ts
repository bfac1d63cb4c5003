import { defineConfig } from "vitest/config";

/** Random action sequences. `FIREDRILL_FUZZ_RUNS=100000` runs as many. */
export default defineConfig({
  test: { include: ["test/fuzz/**/*.test.ts"], testTimeout: 3_600_000, fileParallelism: false },
});
