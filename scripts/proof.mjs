/**
 * `npm run proof`: every player of every world on the generated scenarios, against the bounds of the grade. Ends with 1 where a
 * bound is broken. It is the command `firedrill proof`, run from the sources as they stand.
 *
 *   npm run proof                       seeds 0..49, which takes long
 *   npm run proof -- --seeds 0..7       a part of them
 *   npm run proof -- --world alerts --json
 */
import { ensureDependencies } from "./dependencies.mjs";

try {
  await ensureDependencies();
  const { runProgram } = await import("./run.mjs");
  process.exitCode = await runProgram("src/headless/cli.ts", ["proof", ...process.argv.slice(2)]);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
