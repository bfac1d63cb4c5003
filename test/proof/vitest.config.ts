import { defineConfig } from "vitest/config";

/**
 * The proof pack, what the generator promises, and random trials that the quick check makes a part of: minutes rather than
 * seconds. `FIREDRILL_PROOF_SEEDS=0..49` runs all of the pack.
 */
export default defineConfig({
  test: {
    include: ["test/proof/**/*.test.ts", "test/unit/alerts-import/fuzz.test.ts", "test/unit/leak/leak.test.ts"],
    env: { FIREDRILL_FULL: "1", FIREDRILL_LEAK_SEEDS: process.env.FIREDRILL_LEAK_SEEDS ?? "1" },
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    fileParallelism: false,
  },
});
