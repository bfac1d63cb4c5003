import { defineConfig } from "vitest/config";

/** The proof pack and what the generator promises: minutes rather than seconds. `FIREDRILL_PROOF_SEEDS=0..49` runs all of it. */
export default defineConfig({
  test: {
    include: ["test/proof/**/*.test.ts"],
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    fileParallelism: false,
  },
});
