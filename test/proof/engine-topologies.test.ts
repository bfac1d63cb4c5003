/** Systems of every size, by seed, over an idle hour. `FIREDRILL_TOPOLOGY_SEEDS=0..499` tries more of them. */
import { expect, it } from "vitest";
import { FEWEST_SERVICES, generateTopology, MOST_SERVICES } from "../../src/engine/topologies/generated";
import { idleHour } from "../unit/engine/topologies-idle";
import { proofSeeds } from "./seeds";

const seeds = proofSeeds("FIREDRILL_TOPOLOGY_SEEDS", "0..64");
const sizes = MOST_SERVICES - FEWEST_SERVICES + 1;

it(`are steady and healthy in all of ${seeds.length} generated systems`, () => {
  const unwell: string[] = [];
  let highest = 0;
  for (const seed of seeds) {
    const spec = generateTopology(seed, FEWEST_SERVICES + (seed % sizes));
    const hour = idleHour(spec, seed);
    highest = Math.max(highest, hour.errorRate);
    const well =
      hour.errorRate < 0.005 &&
      hour.cpu < 0.75 &&
      hour.alternation < 0.01 &&
      hour.strained < 0.001 &&
      hour.delay < 1 &&
      hour.hits > 0.8 &&
      hour.happened === 0;
    if (!well) unwell.push(`${spec.id}: ${JSON.stringify(hour)}`);
  }
  console.log(`highest error rate of a tick ${(100 * highest).toFixed(3)} %`);
  expect(unwell).toEqual([]);
});
