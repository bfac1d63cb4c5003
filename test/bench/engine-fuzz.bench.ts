/** A million ticks of random systems, parameters and events: nothing may throw, be lost, negative or without a value. */
import { randomInt } from "node:crypto";
import { checkRun } from "../fuzz/engine-invariants";
import { randomRun } from "../fuzz/engine-runs";
import type { Measurement } from "./measurement";

const TICKS = 1_000_000;
const MOST_TICKS = 240;
const first = randomInt(1_000_000) * 10_000;

let tally: { readonly ticks: number; readonly broken: number } | null = null;

function once() {
  if (tally) return tally;
  console.log(`random runs of the engine from seed ${first} on`);
  let [ticks, broken] = [0, 0];
  for (let seed = first; ticks < TICKS; seed++)
    try {
      ticks += checkRun(randomRun(seed, MOST_TICKS)).ticks;
    } catch (error) {
      // What broke counts as its shortest run, so that the end is reached whatever happens.
      ticks += MOST_TICKS / 6;
      if (++broken <= 10)
        console.log(
          `${error instanceof Error ? error.message : error}\n  FIREDRILL_FUZZ_SEED=${seed} FIREDRILL_FUZZ_TICKS=1 npx vitest run -c test/fuzz/vitest.config.ts engine`,
        );
    }
  tally = { ticks, broken };
  return tally;
}

export const measurements: readonly Measurement[] = [
  { name: "random ticks of the engine", unit: "", runs: 1, least: TICKS, measure: () => once().ticks },
  { name: "random runs of the engine that broke something", unit: "", runs: 1, most: 0, measure: () => once().broken },
];
