/** What orders do to the simulated six-service system; what should come out is worked out from its data, not from its output. */
import { describe, expect, it } from "vitest";
import { compile } from "../../../../src/engine/plan";
import type { NodeColumn } from "../../../../src/engine/record";
import { aftermath, droppedSince } from "../../../../src/engine/remedies/aftermath";
import { carryOut, type Outcome } from "../../../../src/engine/remedies/carry-out";
import type { Remedy } from "../../../../src/engine/remedies/verbs";
import { Simulation } from "../../../../src/engine/simulation";
import type { NodeField } from "../../../../src/engine/solver/state";
import { TICK_SECONDS } from "../../../../src/engine/spec";
import { sixServices } from "../../../../src/engine/topologies/six";

const plan = compile(sixServices);
const START = 40;
const calm = new Simulation(plan, 1);
calm.advance(START);

/** Orders something on a fork and lets it take as long as it does. */
function ordered(remedy: Remedy, from: Simulation = calm): { sim: Simulation; outcome: Outcome } {
  const sim = from.fork();
  const outcome = carryOut(sim, remedy);
  sim.advance(outcome.durationTicks);
  return { sim, outcome };
}

function sum(sim: Simulation, column: NodeColumn, service: string, tick = sim.tick - 1, zone?: string): number {
  return plan.nodes
    .filter((node) => node.service.name === service && (!zone || node.zone === zone))
    .reduce((all, node) => all + sim.node(column, node.index, tick), 0);
}

/** Share of users' requests that fail at a tick. */
function userFailures(sim: Simulation, tick: number): number {
  let [offered, failed] = [0, 0];
  for (const entry of plan.entries) {
    offered += sim.user("offered", entry.index, tick);
    failed += sim.user("failed", entry.index, tick);
  }
  return failed / offered;
}

function total(sim: Simulation, name: NodeField, service: string): number {
  return plan.nodes
    .filter((node) => node.service.name === service)
    .reduce((all, node) => all + sim.state.node(name).get(node.index), 0);
}

describe("a restart", () => {
  it("of everything at once drops what is in flight and serves nobody for the time of a start", () => {
    const { sim, outcome } = ordered({ verb: "restart_service", service: "auth-api", mode: "all_at_once" });
    // The order reaches the replicas a tick later.
    const flying = sum(sim, "inFlight", "auth-api", START);
    expect(flying).toBeGreaterThan(1);
    expect(droppedSince(sim, "auth-api", START) / flying).toBeCloseTo(1, 6);
    // 30 s are two ticks.
    for (const tick of [START + 1, START + 2]) expect(sum(sim, "served", "auth-api", tick)).toBe(0);
    expect(sum(sim, "served", "auth-api", START + 3)).toBeGreaterThan(0);
    expect(sum(sim, "restarts", "auth-api")).toBe(4);
    expect(aftermath(sim, outcome)).toContain("4 of 4 replicas are ready.");
  });

  it("that rolls restarts every replica once, drops nothing and keeps serving", () => {
    const { sim, outcome } = ordered({ verb: "restart_service", service: "auth-api" });
    expect(sum(sim, "restarts", "auth-api")).toBe(4);
    expect(droppedSince(sim, "auth-api", START)).toBe(0);
    for (let tick = START; tick < sim.tick; tick++) {
      expect(sum(sim, "ready", "auth-api", tick, "zone-a")).toBeGreaterThanOrEqual(1);
      expect(sum(sim, "ready", "auth-api", tick)).toBeGreaterThanOrEqual(3);
      expect(userFailures(sim, tick)).toBeLessThan(0.01);
    }
    expect(sim.tick).toBe(outcome.until);
  });

  it("empties the cache of its zone and leaves the other's alone", () => {
    const { sim } = ordered({ verb: "restart_service", service: "cache", zone: "zone-a" });
    const hits = (tick: number, zone: string) => sum(sim, "level", "cache", tick, zone);
    expect(hits(START, "zone-a")).toBeGreaterThan(0.8);
    expect(hits(START + 2, "zone-a")).toBeLessThan(0.3);
    expect(hits(START + 2, "zone-b")).toBeGreaterThan(0.8);
  });

  it("rids all replicas of what they leaked", () => {
    const leaking = calm.fork();
    const changes = [{ service: "worker", parameter: "leakPerSecond", op: "set", value: 0.5 } as const];
    leaking.schedule({ kind: "changed", id: "leak", changes, tick: START, origin: "fault" });
    leaking.schedule({ kind: "reverted", id: "leak", tick: START + 40, origin: "fault" });
    leaking.advance(41);
    // 0.5 MB/s for ten minutes are 300 of 1,024 MB on top of the base.
    const memory = (sim: Simulation) =>
      sim.node(
        "memory",
        plan.nodes.findIndex(({ service }) => service.name === "worker"),
        sim.tick - 1,
      );
    const before = memory(leaking);
    const { sim } = ordered({ verb: "restart_service", service: "worker" }, leaking);
    expect(before - memory(calm)).toBeGreaterThan(0.28);
    expect(memory(sim)).toBeCloseTo(memory(calm), 2);
  });

  it("frees a replica that would not come up for minutes", () => {
    const hanging = calm.fork();
    const stuck = { kind: "restarted", service: "worker", zone: "zone-a", share: 0.5, seconds: 900 } as const;
    hanging.schedule({ ...stuck, tick: START, origin: "routine" });
    hanging.advance(4);
    expect(sum(hanging, "ready", "worker")).toBe(3);
    const { sim } = ordered(
      { verb: "restart_service", service: "worker", zone: "zone-a", mode: "all_at_once" },
      hanging,
    );
    expect(sum(sim, "ready", "worker")).toBe(4);
  });
});

describe("a roll-out", () => {
  it("puts the version in force zone by zone, and the order that undoes it brings the old one back", () => {
    const sim = calm.fork();
    const outcome = carryOut(sim, { verb: "rollback_deploy", deployable: "auth-api", version: "v3.18.0" });
    const cost = (zone: string) => sim.parameter("auth-api", zone, 0, "cpuTime");
    const [first, last] = outcome.events.filter(({ kind }) => kind === "deployed").map(({ tick }) => tick);
    sim.advance((first as number) + 1 - sim.tick);
    expect([cost("zone-a"), cost("zone-b")]).toEqual([expect.closeTo(0.004 * 0.98, 12), 0.004]);
    expect(sim.versionAt("auth-api", sim.tick - 1, 0, "zone-b")).toBe("v3.19.0");
    sim.advance((last as number) + 1 - sim.tick);
    expect(cost("zone-b")).toBeCloseTo(0.004 * 0.98, 12);
    sim.advance(outcome.until - sim.tick);
    const undo = carryOut(sim, outcome.undo as Remedy);
    sim.advance(undo.durationTicks);
    expect([cost("zone-a"), cost("zone-b")]).toEqual([0.004, 0.004]);
    expect(sim.versionAt("auth-api", sim.tick - 1)).toBe("v3.19.0");
  });

  it("of a flag changes the calls it gates", () => {
    const before = calm.fork();
    before.advance(3);
    const { sim } = ordered({ verb: "set_flag", flag: "shadow-reads", state: "on" });
    sim.advance(START + 3 - sim.tick);
    expect(sum(sim, "arrivals", "cache") / sum(before, "arrivals", "cache")).toBeCloseTo(2, 2);
  });

  it("of a job stops what it costs others", () => {
    const slow = () => sim.parameter("main-db", "zone-c", 0, "ownTime");
    const { sim } = ordered({ verb: "rollback_deploy", deployable: "job/main-db-migration", version: "running" });
    expect(slow()).toBeCloseTo(0.02 * 1.2, 12);
    sim.advance(carryOut(sim, { verb: "stop_job", job: "main-db-migration" }).durationTicks);
    expect(slow()).toBe(0.02);
  });
});

describe("scaling", () => {
  it("adds capacity only once the replicas have started", () => {
    const { sim, outcome } = ordered({
      verb: "scale_service",
      service: "billing-api",
      resource: "replicas",
      amount: 4,
    });
    const scaled = outcome.events[0]?.tick as number;
    for (let tick = START; tick < scaled + 2; tick++) expect(sum(sim, "ready", "billing-api", tick)).toBe(4);
    expect(sum(sim, "ready", "billing-api", scaled + 2)).toBe(8);
    // Twice the replicas, half the work for each.
    const busy = (tick: number) =>
      sim.node(
        "cpu",
        plan.nodes.findIndex(({ service }) => service.name === "billing-api"),
        tick,
      );
    expect(busy(scaled + 2) / busy(scaled + 1)).toBeCloseTo(0.5, 1);
  });

  it("takes a database away while its machine is changed, and halves its load after", () => {
    const { sim, outcome } = ordered({ verb: "scale_service", service: "main-db", resource: "cpu", amount: 32 });
    const away = outcome.events[0]?.tick as number;
    expect(sum(sim, "ready", "main-db", away - 1)).toBe(1);
    for (const tick of [away, away + 1, away + 2]) expect(sum(sim, "served", "main-db", tick)).toBe(0);
    expect(sim.parameter("main-db", "zone-c", 0, "cores")).toBe(32);
    sim.advance(120);
    expect(sum(sim, "cpu", "main-db") / sum(calm, "cpu", "main-db")).toBeCloseTo(0.5, 1);
  });

  it("moves pools and limit together and back again", () => {
    const place = plan.calls.findIndex(({ name }) => name === "auth-api>main-db");
    const { sim, outcome } = ordered({
      verb: "scale_service",
      service: "main-db",
      resource: "connections",
      amount: 600,
    });
    expect(sim.parameter("main-db", "zone-c", 0, "maxConnections")).toBe(600);
    expect(sim.state.call("pool").get(place)).toBe(12);
    sim.advance(carryOut(sim, outcome.undo as Remedy).durationTicks);
    expect(sim.state.call("pool").get(place)).toBeCloseTo(8, 9);
  });
});

describe("a queue", () => {
  /** Nobody consumes for ten minutes; 500 of the messages are poison. */
  function backlog(): Simulation {
    const { sim } = ordered({ verb: "scale_service", service: "worker", resource: "replicas", amount: 0 });
    sim.schedule({ kind: "poisoned", service: "queue", messages: 500, tick: sim.tick, origin: "fault" });
    sim.advance(40);
    return sim;
  }
  const waiting = (sim: Simulation) => sum(sim, "level", "queue") + sum(sim, "poison", "queue");
  /** What came in is worked off, set aside, thrown away or still there. */
  const unaccounted = (sim: Simulation, before: number) =>
    before +
    total(sim, "published", "queue") -
    total(sim, "processed", "queue") -
    total(sim, "deadLettered", "queue") -
    total(sim, "purged", "queue") -
    waiting(sim);
  const full = backlog();

  it("that is purged loses good messages with the bad, and the books say so", () => {
    const depth = waiting(full);
    expect(depth).toBeGreaterThan(80_000);
    const { sim, outcome } = ordered({ verb: "drain_queue", service: "queue", mode: "purge" }, full);
    // One more tick of messages came in before the purge.
    const arrived = sum(sim, "arrivals", "queue", full.tick) * TICK_SECONDS;
    expect(total(sim, "purged", "queue") / (depth + arrived)).toBeCloseTo(1, 3);
    expect(waiting(sim)).toBeLessThan(2 * arrived);
    expect(Math.abs(unaccounted(sim, waitingAtStart()))).toBeLessThan(1e-6 * depth);
    expect(aftermath(sim, outcome)).toMatch(/^\d+,\d{3} messages were thrown away/);
  });

  it("whose poison is set aside keeps every good message", () => {
    const { sim } = ordered({ verb: "drain_queue", service: "queue", mode: "set_aside" }, full);
    expect(total(sim, "deadLettered", "queue")).toBeCloseTo(500, 6);
    expect(total(sim, "purged", "queue")).toBe(0);
    expect(sum(sim, "poison", "queue")).toBe(0);
    expect(sum(sim, "level", "queue")).toBeGreaterThan(sum(full, "level", "queue"));
    expect(Math.abs(unaccounted(sim, waitingAtStart()))).toBeLessThan(0.1);
  });

  it("is worked on by twice the consumers for as long as was said", () => {
    const { sim } = ordered({ verb: "drain_queue", service: "queue", minutes: 5 });
    sim.advance(4);
    expect(sum(sim, "ready", "worker")).toBe(8);
    sim.advance(24);
    expect(sum(sim, "ready", "worker")).toBe(4);
  });

  /** Messages waiting when the books were opened. */
  function waitingAtStart(): number {
    const { state } = new Simulation(plan, 1);
    const queue = plan.nodes.findIndex(({ service }) => service.name === "queue");
    return state.node("good").get(queue) + state.node("poison").get(queue);
  }
});

describe("traffic", () => {
  it("is rejected by the share that was said, and no longer than that", () => {
    const { sim, outcome } = ordered({ verb: "shed_load", service: "auth-api", percent: 30, minutes: 3 });
    const [from, until] = [outcome.events[0]?.tick as number, outcome.events[1]?.tick as number];
    expect(until - from).toBe(12);
    sim.advance(until + 2 - sim.tick);
    for (let tick = from; tick < until; tick++)
      expect(sum(sim, "rejected", "auth-api", tick) / sum(sim, "arrivals", "auth-api", tick)).toBeCloseTo(0.3, 6);
    expect(sum(sim, "rejected", "auth-api", from - 1)).toBe(0);
    expect(sum(sim, "rejected", "auth-api", until)).toBe(0);
  });

  it("leaves a zone and comes back", () => {
    const share = (sim: Simulation) => {
      const offered = plan.entries
        .filter(({ service }) => service.name === "auth-api")
        .map((entry) => ({ zone: entry.zone, rate: sim.user("offered", entry.index, sim.tick - 1) }));
      const all = offered.reduce((rates, { rate }) => rates + rate, 0);
      return (offered.find(({ zone }) => zone === "zone-a")?.rate ?? 0) / all;
    };
    const { sim, outcome } = ordered({ verb: "shift_traffic", zone: "zone-a", percent: 50 });
    // Weights of a half and one: a third of all. Load wanders by a few percent.
    expect(share(sim)).toBeCloseTo(1 / 3, 1);
    sim.advance(carryOut(sim, { verb: "shift_traffic", zone: "zone-a", percent: 100 }).durationTicks);
    expect(share(sim)).toBeLessThan(0.01);
    expect(outcome.undo).toEqual({ verb: "shift_traffic", zone: "zone-a", percent: 0 });
    sim.advance(carryOut(sim, outcome.undo as Remedy).durationTicks);
    expect(share(sim)).toBeCloseTo(1 / 2, 1);
  });
});

describe("a database", () => {
  it("drops what it is working on when its connections are cleared, and goes on", () => {
    const { sim } = ordered({ verb: "clear_connections", service: "main-db" });
    const flying = sum(sim, "inFlight", "main-db", START);
    expect(droppedSince(sim, "main-db", START) / flying).toBeCloseTo(1, 6);
    expect(sum(sim, "ready", "main-db")).toBe(1);
    expect(sum(sim, "served", "main-db")).toBeGreaterThan(1000);
  });

  it("serves nothing for about 45 s when it fails over, is cold, loses its last second of writes, and warms", () => {
    const { sim, outcome } = ordered({ verb: "failover_db", service: "main-db" });
    const [event] = outcome.events;
    const seconds = event?.kind === "failed_over" ? (event.seconds as number) : 0;
    expect(seconds).toBeGreaterThanOrEqual(36);
    expect(seconds).toBeLessThanOrEqual(54);
    const back = START + 1 + Math.ceil(seconds / TICK_SECONDS);
    for (let tick = START + 1; tick < back; tick++) expect(sum(sim, "served", "main-db", tick)).toBe(0);
    expect(sum(sim, "served", "main-db", back)).toBeGreaterThan(0);
    const latency = (tick: number) => sum(sim, "latencyMean", "main-db", tick);
    expect(latency(back) / latency(START)).toBeGreaterThan(2);
    const promoted = sim.journal.find(({ kind }) => kind === "promoted");
    // 1,350 queries/s at the mean of the day, a fifth of them writes, 1 s behind; the time of day moves them by 15 %.
    const lost = promoted?.kind === "promoted" ? promoted.lostWrites : 0;
    expect(lost).toBeGreaterThan(270 * 0.8);
    expect(lost).toBeLessThan(270 * 1.2);
    expect(total(sim, "lostWrites", "main-db")).toBeCloseTo(lost, 0);
    expect(aftermath(sim, outcome)).toContain(`${lost} acknowledged writes were lost.`);
    // Six time constants of warming.
    sim.advance(120);
    expect(latency(sim.tick - 1) / latency(START)).toBeCloseTo(1, 1);
  });

  it("can fail back", () => {
    const { sim } = ordered({ verb: "failover_db", service: "main-db" });
    sim.advance(20);
    sim.advance(carryOut(sim, { verb: "failover_db", service: "main-db" }).durationTicks);
    const zones = sim.journal.flatMap((event) => (event.kind === "promoted" ? [event.zone] : []));
    expect(zones).toEqual(["zone-a", "zone-c"]);
  });
});

describe("forks", () => {
  it("that give the same order at the same tick share its luck to the last bit", () => {
    const remedy: Remedy = { verb: "failover_db", service: "main-db" };
    expect(ordered(remedy).sim.hash()).toBe(ordered(remedy).sim.hash());
  });
});
