import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { repeatWith, runKillTrials } from "../bench/kill";

test.skipIf(process.platform === "win32")("a writer killed at random moments loses no acknowledged step", async () => {
  const trials = Number(process.env.FIREDRILL_KILL_TRIALS ?? 40);
  const seed = Number(process.env.FIREDRILL_KILL_SEED ?? randomInt(1_000_000));
  console.log(`kill trials with seed ${seed}; repeat with: ${repeatWith(trials, seed)}`);
  const { failures, lost, unreadable, acknowledged } = await runKillTrials(trials, seed);
  expect({ failures, lost, unreadable }).toEqual({ failures: [], lost: 0, unreadable: 0 });
  expect(acknowledged).toBeGreaterThan(0);
});
