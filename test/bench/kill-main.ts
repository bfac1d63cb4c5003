/** Runs kill trials of the recorder: `node scripts/run.mjs test/bench/kill-main.ts [TRIALS] [SEED]`. */
import { randomInt } from "node:crypto";
import { repeatWith, runKillTrials } from "./kill";

const trials = Number(process.argv[2] ?? 1000);
const seed = Number(process.argv[3] ?? randomInt(1_000_000));
console.log(`seed ${seed}; repeat with: ${repeatWith(trials, seed)}`);
const { failures, ...figures } = await runKillTrials(trials, seed);
console.log(JSON.stringify(figures));
for (const failure of failures) console.log(failure);
if (failures.length) process.exitCode = 1;
