/** 100,000 random action sequences over every scenario, each played twice: nothing may throw, and both plays agree. */
import { randomInt } from "node:crypto";
import { loadWorld, worldIds } from "../../src/worlds/catalogue";
import { plansFor, playSequence } from "../fuzz/sequences";
import type { Measurement } from "./measurement";

const SEQUENCES = 100_000;
const seed = randomInt(1_000_000);

interface Tally {
  readonly sequences: number;
  readonly failures: readonly string[];
  readonly accepted: number;
  readonly unused: readonly string[];
}

let tally: Promise<Tally> | null = null;

function once(): Promise<Tally> {
  tally ??= run();
  return tally;
}

async function run(): Promise<Tally> {
  console.log(`random sequences with seed ${seed}`);
  const failures: string[] = [];
  const verbs = new Set<string>();
  const all = new Set<string>();
  let tried = 0;
  let accepted = 0;
  let sequences = 0;
  for (const id of worldIds) {
    const world = await loadWorld(id);
    for (const info of world.scenarios()) for (const name of world.actionsFor(info).names) all.add(name);
    for (const plan of plansFor(world, SEQUENCES, seed * SEQUENCES)) {
      sequences++;
      try {
        const first = playSequence(world, plan);
        if (playSequence(world, plan).digest !== first.digest) failures.push(`two digests: ${JSON.stringify(plan)}`);
        for (const verb of first.verbs) verbs.add(verb);
        tried += first.tried;
        accepted += first.accepted;
      } catch (error) {
        failures.push(`${error instanceof Error ? error.message : error}: ${JSON.stringify(plan)}`);
      }
    }
  }
  for (const failure of failures.slice(0, 10)) console.log(failure);
  return { sequences, failures, accepted: accepted / tried, unused: [...all].filter((name) => !verbs.has(name)) };
}

export const measurements: readonly Measurement[] = [
  {
    name: "random sequences played",
    unit: "",
    runs: 1,
    least: SEQUENCES,
    measure: async () => (await once()).sequences,
  },
  {
    name: "random sequences that broke something",
    unit: "",
    runs: 1,
    most: 0,
    measure: async () => (await once()).failures.length,
  },
  {
    name: "share of random actions accepted",
    unit: "",
    runs: 1,
    least: 0.5,
    measure: async () => (await once()).accepted,
  },
  {
    name: "verbs that no random sequence used",
    unit: "",
    runs: 1,
    most: 0,
    measure: async () => (await once()).unused.length,
  },
];
