import { describe, expect, it } from "vitest";
import { Stream } from "../../../../src/core/rng";
import { badConfig } from "../../../../src/engine/faults/bad-config";
import { certificateExpiry } from "../../../../src/engine/faults/certificate-expiry";
import { cpuThrottling } from "../../../../src/engine/faults/cpu-throttling";
import { diskFull } from "../../../../src/engine/faults/disk-full";
import { dns } from "../../../../src/engine/faults/dns";
import type { Drawn, Family } from "../../../../src/engine/faults/family";
import { migrationLock } from "../../../../src/engine/faults/migration-lock";
import { noFault } from "../../../../src/engine/faults/no-fault";
import { slowThirdParty } from "../../../../src/engine/faults/slow-third-party";
import { twoFaults } from "../../../../src/engine/faults/two-faults";
import { compile } from "../../../../src/engine/plan";
import { validate } from "../../../../src/engine/remedies/validate";
import { sixServices } from "../../../../src/engine/topologies/six";

const FAMILIES: readonly Family[] = [
  certificateExpiry,
  diskFull,
  dns,
  cpuThrottling,
  slowThirdParty,
  badConfig,
  migrationLock,
  twoFaults,
  noFault,
];
const ONSET = 240;

function draw(family: Family, seed: number): Drawn {
  const drawn = family.draw(sixServices, ONSET, Stream.of(seed, family.id));
  if (!drawn) throw new Error(`${family.id} has no place on the six services with seed ${seed}.`);
  return drawn;
}

describe.each(FAMILIES.map((family) => [family.id, family] as const))("draws of %s", (_, family) => {
  const draws = Array.from({ length: 4 }, (__, seed) => draw(family, seed));

  it("are the same for the same seed", () => {
    expect(JSON.stringify(draw(family, 3))).toBe(JSON.stringify(draws[3]));
  });

  it("give orders that the system understands, and name its services", () => {
    for (const { system, component, right, wrong } of draws) {
      const plan = compile(system);
      expect(plan.services.map(({ name }) => name)).toContain(component);
      for (const { orders } of [...right, ...wrong])
        for (const { remedy } of orders) expect(validate(plan, null, remedy)?.message).toBeUndefined();
    }
  });

  it("go wrong at the onset and not before, by events of the fault", () => {
    for (const { onset, events } of draws) {
      expect(onset).toBe(ONSET);
      expect(Math.min(...events.map(({ tick }) => tick))).toBeGreaterThanOrEqual(ONSET);
      expect(events.some(({ tick, origin }) => tick === ONSET && origin === "fault")).toBe(true);
    }
  });

  it("name no version after what is wrong with it", () => {
    for (const { system } of draws)
      for (const { id, versions } of system.deployables) {
        const before = sixServices.deployables.find((each) => each.id === id)?.versions.map(({ version }) => version);
        for (const { version } of versions)
          if (!before?.includes(version))
            expect(version).toMatch(/^(v?\d+(\.\d+)*|c\d+|r\d+|\d{4}-q\d|on|off|stopped|running)$/);
      }
  });

  it("leave the system that was given as it was", () => {
    const before = JSON.stringify(sixServices);
    draw(family, 7);
    expect(JSON.stringify(sixServices)).toBe(before);
  });
});

describe("a draw", () => {
  it("of an expired certificate ends the one in force at the onset, with valid ones issued after it", () => {
    const { system, component, onset } = draw(certificateExpiry, 1);
    const found = system.deployables.find(({ id }) => id === `cert/${component}`);
    const place = found?.versions.findIndex(({ version }) => version === found.current) ?? -1;
    expect(found?.versions[place]?.expiresAt).toBe(onset * 15);
    const later = found?.versions.slice(place + 1) ?? [];
    expect(later.length).toBeGreaterThanOrEqual(2);
    for (const { changes } of later) expect(changes.map(({ value }) => value)).toEqual([0, 0, 0]);
  });

  it("of a late third party adds one where there is none", () => {
    const { system, component } = draw(slowThirdParty, 2);
    const others = system.services.filter(({ kind }) => kind === "third_party");
    expect(others.map(({ name }) => name)).toEqual([component]);
    expect(system.services).toHaveLength(sixServices.services.length + 1);
  });

  it("of two faults has two places, and wrong scripts that mend only one of them", () => {
    for (let seed = 0; seed < 6; seed++) {
      const { component, second, right, wrong } = draw(twoFaults, seed);
      expect(second?.component).not.toBe(component);
      expect(right[0].orders.length).toBeGreaterThan(wrong[0]?.orders.length ?? 0);
    }
  });

  it("of no fault has nothing to do where nothing is wrong, and is of every kind over seeds", () => {
    const kinds = new Set<string>();
    for (let seed = 0; seed < 30; seed++) {
      const { exempt, right, mechanism } = draw(noFault, seed);
      kinds.add(exempt === "healthy" ? mechanism : (exempt ?? ""));
      if (exempt !== "undetermined") expect(right.flatMap(({ orders }) => orders)).toEqual([]);
    }
    expect([...kinds].sort()).toEqual(["flapping_probe", "low_traffic", "scrape_gap", "self_healed", "undetermined"]);
  });

  it("that cannot be told apart changes two things at the same moments in the same zones", () => {
    let found = 0;
    for (let seed = 0; seed < 40; seed++) {
      const { exempt, events } = draw(noFault, seed);
      if (exempt !== "undetermined") continue;
      found++;
      const moments = new Map<string, string[]>();
      for (const event of events)
        if (event.kind === "deployed")
          moments.set(event.deployable, [
            ...(moments.get(event.deployable) ?? []),
            `${event.tick} ${event.zone ?? ""}`,
          ]);
      const [one, other, ...more] = [...moments.values()];
      expect(more).toEqual([]);
      expect(one).toEqual(other);
      expect(one?.length).toBeGreaterThan(0);
    }
    expect(found).toBeGreaterThan(2);
  });
});
