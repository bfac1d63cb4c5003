/** 1,000 kills of a writing process: no acknowledged step may be lost, no recording unreadable. */
import { randomInt } from "node:crypto";
import { type KillTrials, repeatWith, runKillTrials } from "./kill";
import type { Measurement } from "./measurement";

const TRIALS = 1000;
const seed = randomInt(1_000_000);
let trials: Promise<KillTrials> | null = null;

/** One set of trials gives all figures. */
function figures(): Promise<KillTrials> {
  if (!trials) console.log(`kill trials with seed ${seed}; repeat with: ${repeatWith(TRIALS, seed)}`);
  trials ??= runKillTrials(TRIALS, seed).then((found) => {
    for (const failure of found.failures) console.log(failure);
    return found;
  });
  return trials;
}

export const measurements: readonly Measurement[] = [
  figure("recorder: acknowledged steps lost in 1,000 kills", (found) => found.lost, { most: 0 }),
  figure("recorder: recordings unreadable after 1,000 kills", (found) => found.unreadable, { most: 0 }),
  figure("recorder: other failures in 1,000 kills", (found) => found.failures.length, { most: 0 }),
  figure("recorder: steps acknowledged in 1,000 kills", (found) => found.acknowledged, { least: 1000 }),
  figure("recorder: kills that met a write", (found) => found.torn, { least: 1 }),
];

function figure(
  name: string,
  of: (found: KillTrials) => number,
  limits: { readonly least?: number; readonly most?: number },
): Measurement {
  return { name, unit: "", runs: 1, ...limits, measure: async () => of(await figures()) };
}
