import { defineConfig } from "vitest/config";

/** Tests of the built command line; `npm test` builds first. */
export default defineConfig({ test: { include: ["test/cli/**/*.test.ts"], testTimeout: 180_000 } });
