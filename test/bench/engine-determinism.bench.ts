/** Ten thousand random runs of the engine in Node, QuickJS and Chromium: every hash the same. Takes about half an hour, nearly all in QuickJS. */
import { chromium, compareMachines, node, quickJs } from "../proof/engine-determinism-machines";
import type { Measurement } from "./measurement";

const RUNS = 10_000;

let result: ReturnType<typeof compare> | null = null;

async function compare() {
  const machines = [await node(), await quickJs(), await chromium()];
  try {
    const { runs, different } = await compareMachines(machines, 0, RUNS);
    console.log(`compared: ${machines.map((machine) => machine.name).join(", ")}`);
    for (const difference of different) console.log(difference);
    return { runs, different };
  } finally {
    for (const machine of machines) await machine.close();
  }
}

function once() {
  result ??= compare();
  return result;
}

export const measurements: readonly Measurement[] = [
  {
    name: "runs compared between three engines",
    unit: "",
    runs: 1,
    least: RUNS,
    measure: async () => (await once()).runs,
  },
  {
    name: "runs that differ between engines",
    unit: "",
    runs: 1,
    most: 0,
    measure: async () => (await once()).different.length,
  },
];
