import { defineConfig } from "vitest/config";

/** Tests of what the build and the packing produced; `npm test` builds and packs first. */
export default defineConfig({ test: { include: ["test/package/**/*.test.ts"], testTimeout: 60_000 } });
