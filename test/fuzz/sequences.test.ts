/**
 * Random action sequences on every scenario. `FIREDRILL_FUZZ_RUNS=100000 npx vitest run -c test/fuzz/vitest.config.ts` runs
 * that many; a failure prints the seed and the sequence, and FIREDRILL_FUZZ_SEED repeats it.
 */
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { World } from "../../src/core/world";
import { loadWorld, worldIds } from "../../src/worlds/catalogue";
import { determinismDigest } from "./determinism-entry";
import { EPISODE_SEEDS, playSequence, type SequencePlan } from "./sequences";

const RUNS = Number(process.env.FIREDRILL_FUZZ_RUNS ?? 3000);
const SEED = Number(process.env.FIREDRILL_FUZZ_SEED ?? 20261129);
/** Sequences between two breaths, in which the test runner can report that the test is alive. */
const BREATH = 50;

describe.each(worldIds)("random sequences in %s", (id) => {
  let world: World;
  beforeAll(async () => {
    world = await loadWorld(id);
  });

  it(`break nothing in ${RUNS} runs, are accepted at least half of the time and use every verb`, async () => {
    const verbs = new Set<string>();
    let tried = 0;
    let accepted = 0;
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(plans(world), async (plan) => {
        if (runs++ % BREATH === 0) await new Promise((breathe) => setImmediate(breathe));
        const first = playSequence(world, plan);
        const second = playSequence(world, plan);
        expect(second.digest).toBe(first.digest);
        for (const verb of first.verbs) verbs.add(verb);
        tried += first.tried;
        accepted += first.accepted;
      }),
      { numRuns: RUNS, seed: SEED },
    );
    console.log(`${id}: ${RUNS} sequences, ${tried} actions, ${((100 * accepted) / tried).toFixed(1)} % accepted`);
    expect(accepted / tried).toBeGreaterThanOrEqual(0.5);
    const all = world.scenarios().flatMap((info) => [...world.actionsFor(info).names]);
    expect([...new Set(all)].filter((name) => !verbs.has(name))).toEqual([]);
  });
});

function plans(world: World): fc.Arbitrary<SequencePlan> {
  return fc.constantFrom(...world.scenarios()).chain(({ id, maxSteps }) =>
    fc.record({
      scenario: fc.constant(id),
      seed: fc.integer({ min: 0, max: EPISODE_SEEDS - 1 }),
      actions: fc.nat(),
      length: fc.integer({ min: 0, max: maxSteps + 2 }),
      nonsense: fc.constantFrom(0, 0, 0, 0.2),
    }),
  );
}

it("gives the same digest for the same sequences, and another for others", async () => {
  const digest = await determinismDigest(30);
  expect(await determinismDigest(30)).toBe(digest);
  expect(await determinismDigest(31)).not.toBe(digest);
});
