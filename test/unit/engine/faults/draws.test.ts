/** What every draw of nine families promises, on the six services; what the drawn systems then do is shown in `test/proof`. */
import { describe, expect, it } from "vitest";
import { Stream } from "../../../../src/core/rng";
import { badDeploy } from "../../../../src/engine/faults/bad-deploy";
import { cacheHerd } from "../../../../src/engine/faults/cache-herd";
import type { Drawn, Family } from "../../../../src/engine/faults/family";
import { flagStorm } from "../../../../src/engine/faults/flag-storm";
import { hotKey } from "../../../../src/engine/faults/hot-key";
import { memoryLeak } from "../../../../src/engine/faults/memory-leak";
import { poisonBacklog } from "../../../../src/engine/faults/poison-backlog";
import { poolExhaustion } from "../../../../src/engine/faults/pool-exhaustion";
import { retryStorm } from "../../../../src/engine/faults/retry-storm";
import { zonePartition } from "../../../../src/engine/faults/zone-partition";
import { compile } from "../../../../src/engine/plan";
import { validate } from "../../../../src/engine/remedies/validate";
import type { SystemSpec } from "../../../../src/engine/spec";
import { sixServices } from "../../../../src/engine/topologies/six";

const ONSET = 240;
const families: readonly Family[] = [
  badDeploy,
  memoryLeak,
  poolExhaustion,
  flagStorm,
  poisonBacklog,
  zonePartition,
  retryStorm,
  hotKey,
  cacheHerd,
];

function draw(family: Family, seed: number, system: SystemSpec = sixServices): Drawn | null {
  return family.draw(system, ONSET, Stream.of(seed, "draw"));
}

/** A service that users ask, and nothing else. */
const lonely: SystemSpec = {
  id: "lonely",
  zones: ["north"],
  services: [{ name: "door", kind: "edge", team: "web", zones: ["north"], parameters: { load: 100 } }],
  calls: [],
  deployables: [],
};

describe.each(families.map((family) => [family.id, family] as const))("a draw of %s", (_, family) => {
  it("is a system that compiles, a cause in it from the onset on, and scripts that can be ordered", () => {
    const drawn = draw(family, 1);
    if (!drawn) throw new Error(`${family.id} found no place on the six services with seed 1.`);
    const plan = compile(drawn.system);
    expect(plan.services.map(({ name }) => name)).toContain(drawn.component);
    expect(drawn.events.length).toBeGreaterThan(0);
    expect(Math.min(...drawn.events.map(({ tick }) => tick))).toBe(ONSET);
    for (const event of drawn.events) {
      expect(event.origin).toBe("fault");
      if (event.kind !== "deployed") continue;
      const deployable = plan.deployables.find(({ id }) => id === event.deployable);
      expect(deployable?.versions.map(({ version }) => version)).toContain(event.version);
      // What is in force before the onset is what was there before.
      if (event.tick === ONSET) expect(deployable?.current).not.toBe(event.version);
    }
    expect(drawn.wrong.length).toBeGreaterThanOrEqual(2);
    for (const { orders } of [...drawn.right, ...drawn.wrong]) {
      expect(orders.length).toBeGreaterThan(0);
      for (const { remedy } of orders) expect(validate(plan, null, remedy)).toBeNull();
    }
  });

  it("is none where the system has nothing that it could happen to", () => {
    expect(draw(family, 1, lonely)).toBeNull();
  });
});

describe("draws", () => {
  it("are the same for a seed and differ between seeds", () => {
    expect(JSON.stringify(draw(zonePartition, 3))).toBe(JSON.stringify(draw(zonePartition, 3)));
    expect(JSON.stringify(draw(zonePartition, 3))).not.toBe(JSON.stringify(draw(zonePartition, 4)));
  });
});
