import { describe, expect, it } from "vitest";
import type { SystemEvent } from "../../../../src/engine/events";
import { compile } from "../../../../src/engine/plan";
import { Simulation } from "../../../../src/engine/simulation";
import type { Change, SystemSpec } from "../../../../src/engine/spec";

/** An API that asks a database once, and tries twice more. Half of the queries write. */
const shop: SystemSpec = {
  id: "shop",
  zones: ["near", "far"],
  services: [
    {
      name: "api",
      kind: "api",
      team: "shop",
      zones: ["near"],
      parameters: { load: 100, errorShare: 0, userRetries: 0 },
    },
    {
      name: "db",
      kind: "database",
      team: "shop",
      zones: ["far"],
      parameters: { errorShare: 0, writeShare: 0.5, diskPerWrite: 0, diskSize: 100, diskBase: 80, diskReserved: 0 },
    },
  ],
  calls: [{ from: "api", to: "db", kind: "call", parameters: { retries: 2, timeout: 0.2 } }],
  deployables: [],
};

function run(ticks: number, changes: readonly Change[]): Simulation {
  const sim = new Simulation(compile(shop), 3);
  sim.schedule({ kind: "changed", id: "weak", changes, tick: 0, origin: "fault" });
  sim.advance(ticks);
  return sim;
}

const node = (sim: Simulation, name: string) =>
  sim.plan.nodes.find(({ service }) => service.name === name)?.index ?? -1;

describe("a disk", () => {
  const grow = (value: number): Change => ({ service: "db", parameter: "diskGrowth", op: "set", value });
  const reclaim = (value: number): Change => ({ service: "db", parameter: "diskReclaim", op: "set", value });

  it("fills by what is written less what is cleaned up: 0.02 − 0.01 GB/s are 1.5 GB in 10 ticks", () => {
    const sim = run(10, [grow(0.02), reclaim(0.01)]);
    expect(sim.node("disk", node(sim, "db"), 9)).toBeCloseTo(0.815, 6);
  });

  it("is freed down to what was in use, and no further", () => {
    const sim = new Simulation(compile(shop), 3);
    const changed = (id: string, change: Change, tick: number): SystemEvent => ({
      kind: "changed",
      id,
      changes: [change],
      tick,
      origin: "fault",
    });
    sim.schedule(changed("clean-up", reclaim(0.01), 0));
    sim.schedule(changed("writer", grow(0.03), 0));
    sim.schedule({ kind: "reverted", id: "writer", tick: 10, origin: "action" });
    sim.advance(40);
    // 3 GB more after 10 ticks, 0.15 GB a tick less from then on: gone after 20 ticks.
    expect(sim.node("disk", node(sim, "db"), 9)).toBeCloseTo(0.83, 6);
    expect(sim.node("disk", node(sim, "db"), 19)).toBeCloseTo(0.815, 6);
    expect(sim.node("disk", node(sim, "db"), 39)).toBeCloseTo(0.8, 6);
  });

  it("that is full fails every write, however often it is tried, and says once that it is full", () => {
    const sim = run(40, [grow(1)]);
    const tick = 39;
    const entry = 0;
    expect(sim.user("failed", entry, tick) / sim.user("offered", entry, tick)).toBeCloseTo(0.5, 3);
    // Half of the requests are tried three times, the other half once.
    const [call] = sim.plan.calls;
    const served = sim.node("served", node(sim, "api"), tick) + sim.node("failed", node(sim, "api"), tick);
    expect(sim.call("attempts", call?.index ?? -1, tick) / served).toBeCloseTo(2, 2);
    expect(sim.journal.filter(({ kind }) => kind === "disk_filled")).toHaveLength(1);
  });
});

describe("requests that no attempt gets through", () => {
  it("are tried to the last and never reach the callee: at 40 %, 0.6 + 0.4 · 3 attempts a request, of which 0.6 arrive", () => {
    const sim = run(20, [{ link: "near>far", parameter: "partitioned", op: "set", value: 0.4 }]);
    const tick = 19;
    const [call] = sim.plan.calls;
    const index = call?.index ?? -1;
    const asked = sim.node("served", node(sim, "api"), tick) + sim.node("failed", node(sim, "api"), tick);
    expect(sim.call("attempts", index, tick) / asked).toBeCloseTo(1.8, 2);
    expect(sim.call("unreached", index, tick) / asked).toBeCloseTo(1.2, 2);
    expect(sim.node("arrivals", node(sim, "db"), tick) / asked).toBeCloseTo(0.6, 2);
    expect(sim.user("failed", 0, tick) / sim.user("offered", 0, tick)).toBeCloseTo(0.4, 3);
  });
});
