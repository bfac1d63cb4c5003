import { defineConfig } from "vitest/config";

/** Tests in a real VS Code. One at a time: an editor and a browser keep two cores busy. */
export default defineConfig({
  test: {
    include: ["test/vscode/**/*.test.ts"],
    setupFiles: ["test/vscode/failure-pictures.ts"],
    testTimeout: 180_000,
    hookTimeout: 150_000,
    fileParallelism: false,
    maxConcurrency: 1,
  },
});
