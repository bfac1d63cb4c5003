import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/webview/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // One browser at a time: frame times and focus suffer otherwise.
    fileParallelism: false,
  },
});
