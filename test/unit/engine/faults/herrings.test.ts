import { describe, expect, test } from "vitest";
import { Stream } from "../../../../src/core/rng";
import type { SystemEvent } from "../../../../src/engine/events";
import { drawHerrings, type Herrings } from "../../../../src/engine/faults/herrings";
import { errorRate } from "../../../../src/engine/faults/impact";
import { compile } from "../../../../src/engine/plan";
import { Simulation } from "../../../../src/engine/simulation";
import type { SystemSpec } from "../../../../src/engine/spec";
import { generateTopology } from "../../../../src/engine/topologies/generated";
import { sixServices } from "../../../../src/engine/topologies/six";

const ONSET = 240;
const none: ReadonlySet<string> = new Set();

function drawn(count: number, reserved = none, system = sixServices): Herrings[] {
  return Array.from({ length: count }, (_, seed) =>
    drawHerrings(system, system, reserved, ONSET, Stream.of(seed, "herrings")),
  );
}

function deployed(all: readonly Herrings[]): Extract<SystemEvent, { kind: "deployed" }>[] {
  return all.flatMap(({ events }) => events.flatMap((event) => (event.kind === "deployed" ? [event] : [])));
}

const many = drawn(400);

describe("red herrings", () => {
  test("are of every kind that a fault can be: whatever a fault deploys, ordinary life deploys too", () => {
    const kinds = new Set<string>();
    for (const { system, events } of many)
      for (const event of events) {
        if (event.kind !== "deployed") kinds.add(event.kind);
        else kinds.add(system.deployables.find(({ id }) => id === event.deployable)?.kind ?? "");
      }
    expect([...kinds].sort()).toEqual(
      ["code", "config", "flag", "limit", "job", "dns_zone", "certificate", "restarted", "cache_flushed"].sort(),
    );
  });

  test("are now and then a part of a roll-out, as bad deploys are", () => {
    const system = generateTopology(107, 14);
    const shares = deployed(drawn(200, none, system)).map(({ share }) => share);
    expect(shares.some((share) => share < 1)).toBe(true);
    expect(shares.some((share) => share === 1)).toBe(true);
  });

  test("come after the onset often enough that the newest change is not as a rule the guilty one", () => {
    const later = many.filter(({ events }) => events.some(({ tick }) => tick > ONSET && tick <= ONSET + 12)).length;
    // One to three a draw, each later with a chance of 0.4: 1 − (0.6 + 0.36 + 0.216) / 3 = 0.61.
    expect(later / many.length).toBeGreaterThan(0.5);
    expect(later / many.length).toBeLessThan(0.75);
  });

  test("run jobs for other lengths each, none of which is the mark of a fault", () => {
    const lengths = many.flatMap(({ events }) =>
      events.flatMap((event) => {
        if (event.kind !== "deployed" || event.version !== "running") return [];
        const end = events.find((each) => each.kind === "deployed" && each.version === "stopped");
        return end ? [end.tick - event.tick] : [];
      }),
    );
    expect(new Set(lengths).size).toBeGreaterThan(10);
    expect(Math.min(...lengths)).toBeLessThan(24);
    expect(Math.max(...lengths)).toBeGreaterThan(80);
  });

  test("leave alone what is reserved for the fault and its remedies", () => {
    const reserved = new Set(sixServices.deployables.map(({ id }) => id).filter((id) => id !== "worker/config"));
    const touched = deployed(drawn(100, reserved)).map(({ deployable }) => deployable);
    expect(touched.length).toBeGreaterThan(0);
    expect(new Set(touched)).toEqual(new Set(["worker/config"]));
  });

  test("hurt next to nobody: with nothing else happening, fewer than one request in five hundred fails", () => {
    for (const { system, events } of many.slice(0, 5)) {
      const run = new Simulation(compile(system), 3);
      for (const event of events) run.schedule(event);
      run.advance(ONSET + 40);
      let sum = 0;
      for (let tick = 0; tick < run.tick; tick++) sum += errorRate(run, tick);
      expect(sum / run.tick).toBeLessThan(0.002);
    }
  });

  test("restart no service whose other replicas would be too busy meanwhile", () => {
    const busy: SystemSpec = {
      ...sixServices,
      services: sixServices.services.map((each) =>
        // 1,200 requests/s on four replicas with 3 cores: 0.4 of their CPU at 4 ms each, 0.8 on half of them; at 5 ms all of it.
        each.name === "auth-api" ? { ...each, parameters: { ...each.parameters, cpuTime: 0.005 } } : each,
      ),
    };
    const restarted = (system: SystemSpec) =>
      new Set(
        drawn(150, none, system).flatMap(({ events }) =>
          events.flatMap((event) => (event.kind === "restarted" ? [event.service] : [])),
        ),
      );
    expect([...restarted(sixServices)].sort()).toEqual(["auth-api", "billing-api", "worker"]);
    expect([...restarted(busy)].sort()).toEqual(["billing-api", "worker"]);
  });
});
