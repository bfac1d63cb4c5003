/**
 * The kernel on a queue of about sixty alerts under the rule-based player, observations built at every step, no recording.
 * Draws are made before the clock starts; a second figure includes making them.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { runEpisode } from "../../src/core/run";
import type { Episode } from "../../src/core/world";
import { alertsWorld } from "../../src/worlds/alerts/world";
import type { Measurement } from "./measurement";

const RULES = alertsWorld.players.find((player) => player.name === "rules");
if (!RULES) throw new Error("The alerts world has no player named rules.");

/** The built-in episode with the most alerts among some seeds of every generated scenario. */
const LARGEST = largest();

function largest(): { scenario: string; seed: number; alerts: number } {
  let best = { scenario: "", seed: 0, alerts: 0 };
  for (const { id, split } of alertsWorld.scenarios()) {
    if (split === "published") continue;
    for (let seed = 0; seed < 12; seed++) {
      const alerts = countAlerts(alertsWorld.open(id, seed));
      if (alerts > best.alerts && alerts <= 60) best = { scenario: id, seed, alerts };
    }
  }
  console.log(`kernel: scenario ${best.scenario}, seed ${best.seed}, ${best.alerts} alerts`);
  return best;
}

function countAlerts(episode: Episode): number {
  let step = episode.step({ name: "wait", args: { minutes: 30 } });
  while (!step.done && !step.problem) step = episode.step({ name: "wait", args: { minutes: 30 } });
  return (step.observation as unknown as { alerts: readonly unknown[] }).alerts.length;
}

/** Steps a second over at least `least` steps. */
function stepsPerSecond(least: number): number {
  const begin = performance.now();
  let steps = 0;
  while (steps < least) steps += play();
  return (steps / (performance.now() - begin)) * 1000;
}

function play(): number {
  return runEpisode(alertsWorld.open(LARGEST.scenario, LARGEST.seed), RULES as NonNullable<typeof RULES>).steps;
}

/** Growth of the heap in MB from the first 100,000 to 1,000,000 steps, after a full collection at both ends. */
function growth(): number {
  let steps = 0;
  while (steps < 100_000) steps += play();
  const before = heap();
  while (steps < 1_000_000) steps += play();
  return heap() - before;
}

function heap(): number {
  collect();
  return process.memoryUsage().heapUsed / 1_048_576;
}

/** A full garbage collection, without a command-line flag: garbage that merely waits is no growth. */
function collect(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}

export const measurements: Measurement[] = [
  {
    name: "kernel: steps under rules, observations built",
    unit: "/s",
    runs: 7,
    least: 100_000,
    measure: () => stepsPerSecond(100_000),
  },
  { name: "kernel: heap growth over 1,000,000 steps", unit: "MB", runs: 1, most: 5, measure: growth },
  {
    name: "kernel: whole episodes, every seed drawn anew",
    unit: "/s",
    runs: 5,
    measure: () => {
      const begin = performance.now();
      const first = 1_000_000 + Math.floor(Math.random() * 1_000_000_000);
      for (let i = 0; i < 40; i++)
        runEpisode(alertsWorld.open(LARGEST.scenario, first + i), RULES as NonNullable<typeof RULES>);
      return 40_000 / (performance.now() - begin);
    },
  },
];
