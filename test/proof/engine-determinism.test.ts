/**
 * A fiftieth of the ten thousand runs that `npm run bench -- engine-determinism` compares; `FIREDRILL_ENGINE_RUNS=10000` compares all
 * of them here.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserOrWarning } from "../vscode/browser";
import { chromium, compareMachines, type Machine, MOST_TICKS, node, quickJs } from "./engine-determinism-machines";

const RUNS = Number(process.env.FIREDRILL_ENGINE_RUNS ?? 200);
const browser = await browserOrWarning();

describe(`${RUNS} random runs of the engine`, () => {
  let machines: Machine[] = [];
  beforeAll(async () => {
    machines = [await node(), await quickJs(), ...(browser ? [await chromium()] : [])];
  });
  afterAll(async () => {
    for (const machine of machines) await machine.close();
  });

  it("have the same hashes in Node, in QuickJS and, where there is one, in Chromium", async () => {
    const { different } = await compareMachines(machines, 0, RUNS);
    expect(different).toEqual([]);
  });

  it("have hashes that tell them apart", async () => {
    const hashes = await (machines[0] as Machine).hashes(0, 50);
    expect(new Set(hashes).size).toBe(50);
  });
});

it("notices an engine that computes otherwise", async () => {
  const honest = await node();
  // As if one function of one engine were off in the last bit in one run of a hundred.
  const off: Machine = {
    ...honest,
    name: "off",
    hashes: async (from, count) =>
      (await honest.hashes(from, count)).map((hash, i) => (from + i === 7 ? hash.replace(/.$/, "x") : hash)),
  };
  const { different } = await compareMachines([honest, off], 0, 20);
  expect(different).toHaveLength(1);
  expect(different[0]).toMatch(/^seed 7: /);
  expect(MOST_TICKS).toBeGreaterThanOrEqual(60);
});
