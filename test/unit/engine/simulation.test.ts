import { beforeAll, describe, expect, test } from "vitest";
import type { SystemEvent } from "../../../src/engine/events";
import { callsOf, compile, groupsOf, type Plan, TopologyError } from "../../../src/engine/plan";
import { Simulation } from "../../../src/engine/simulation";
import { type SystemSpec, TICK_SECONDS } from "../../../src/engine/spec";
import { sixServices } from "../../../src/engine/topologies/six";

let plan: Plan;
beforeAll(() => {
  plan = compile(sixServices);
});

const slowDatabase: SystemEvent = {
  kind: "changed",
  id: "slow",
  changes: [{ service: "main-db", parameter: "cores", op: "times", value: 0.25 }],
  tick: 10,
  origin: "fault",
};

function started(events: readonly SystemEvent[] = [], seed = 7): Simulation {
  const run = new Simulation(plan, seed);
  for (const event of events) run.schedule(event);
  return run;
}

/** Requests in minus requests out of a node over the whole record, beside what it says is inside it now. */
function balance(run: Simulation, node: number): { readonly left: number; readonly inside: number } {
  let left = 0;
  for (let tick = 0; tick < run.tick; tick++) {
    const gone = (["served", "failed", "rejected", "dropped"] as const).reduce(
      (sum, column) => sum + run.node(column, node, tick),
      0,
    );
    left += (run.node("arrivals", node, tick) - gone) * TICK_SECONDS;
  }
  return { left, inside: run.state.node("content").get(node) };
}

describe("a run", () => {
  test("lets no request vanish in a node: in = served + failed + rejected + dropped + inside, through a collapse and a restart", () => {
    const restart: SystemEvent = { kind: "restarted", service: "main-db", share: 1, tick: 40, origin: "action" };
    const before = started().state.node("content").values();
    const run = started([slowDatabase, restart]);
    run.advance(80);
    for (const { index, service } of plan.nodes) {
      if (service.kind === "worker") continue;
      const { left, inside } = balance(run, index);
      expect(left).toBeCloseTo(inside - (before[index] as number), 0);
    }
  });

  test("is caught by that balance when a tenth of what is inside a node leaks away", () => {
    const run = started([slowDatabase]);
    run.advance(40);
    const database = groupsOf(plan, "main-db")[0]?.first ?? -1;
    const content = run.state.node("content");
    content.set(database, content.get(database) * 0.9);
    run.advance(40);
    const before = started().state.node("content").get(database);
    const { left, inside } = balance(run, database);
    expect(Math.abs(left - (inside - before))).toBeGreaterThan(1);
  });

  test("takes in at a database what its callers' attempts brought, tick by tick while calm", () => {
    const run = started();
    run.advance(20);
    const database = groupsOf(plan, "main-db")[0]?.first ?? -1;
    for (let tick = 0; tick < 20; tick++) {
      let brought = 0;
      for (const caller of ["auth-api", "billing-api", "worker"])
        for (const { index } of callsOf(plan, `${caller}>main-db`)) brought += run.call("attempts", index, tick);
      expect(run.node("arrivals", database, tick) / brought).toBeCloseTo(1, 5);
    }
  });

  test("serves the users that its entries say were offered", () => {
    const run = started();
    run.advance(20);
    for (const entry of plan.entries) {
      const node = plan.groups[entry.group]?.first ?? -1;
      for (let tick = 0; tick < 20; tick++)
        expect(run.node("arrivals", node, tick) / run.user("offered", entry.index, tick)).toBeCloseTo(1, 5);
    }
  });

  test("is the same again from the same seed and events, and another from another seed", () => {
    const [a, b, c] = [started([slowDatabase]), started([slowDatabase]), started([slowDatabase], 8)];
    for (const run of [a, b, c]) run.advance(30);
    expect(a.hash()).toBe(b.hash());
    expect(a.hash()).not.toBe(c.hash());
  });

  test("does not depend on the order in which its parts are declared", () => {
    const turned: SystemSpec = {
      ...sixServices,
      zones: [...sixServices.zones].reverse(),
      services: [...sixServices.services].reverse(),
      calls: [...sixServices.calls].reverse(),
      deployables: [...sixServices.deployables].reverse(),
    };
    const other = new Simulation(compile(turned), 7);
    other.schedule(slowDatabase);
    const run = started([slowDatabase]);
    run.advance(40);
    other.advance(40);
    expect(other.hash()).toBe(run.hash());
  });

  test("goes on in a fork as in itself, and apart once one of them is acted upon", () => {
    const run = started([slowDatabase]);
    run.advance(65);
    const [same, other] = [run.fork(), run.fork()];
    other.schedule({ kind: "reverted", id: "slow", tick: 65, origin: "action" });
    for (const each of [run, same, other]) each.advance(70);
    expect(same.hash()).toBe(run.hash());
    expect(other.hash()).not.toBe(run.hash());
    const entry = plan.entries[0]?.index ?? 0;
    expect(other.user("failed", entry, 130)).toBeLessThan(run.user("failed", entry, 130));
    // What lies before the fork is shared.
    expect(other.user("failed", entry, 64)).toBe(run.user("failed", entry, 64));
  });

  test("lets events of one tick happen by kind and target, whatever the order in which they came", () => {
    const flush = (service: string): SystemEvent => ({
      kind: "cache_flushed",
      service,
      share: 0.5,
      tick: 3,
      origin: "routine",
    });
    const run = started([{ ...slowDatabase, tick: 3 }, flush("cache")]);
    const turned = started([flush("cache"), { ...slowDatabase, tick: 3 }]);
    for (const each of [run, turned]) each.advance(5);
    expect(run.journal.map(({ kind }) => kind)).toEqual(["cache_flushed", "changed"]);
    expect(turned.hash()).toBe(run.hash());
  });

  test("refuses an event whose tick is over", () => {
    const run = started();
    run.advance(12);
    expect(() => run.schedule(slowDatabase)).toThrow("An event at tick 10 cannot be scheduled: tick 12 is next.");
  });

  test("refuses an event that names what the system has not got", () => {
    const run = started([{ kind: "restarted", service: "mail", share: 1, tick: 0, origin: "action" }]);
    expect(() => run.advance(1)).toThrow("There is no service mail.");
  });
});

describe("a version", () => {
  test("given to a tenth of the requests goes to the canary alone, and is in force for it alone", () => {
    const run = started([
      { kind: "deployed", deployable: "auth-api", version: "v3.17.2", share: 0.1, tick: 2, origin: "routine" },
    ]);
    run.advance(20);
    for (const { first } of groupsOf(plan, "auth-api")) {
      const [stable, canary] = [run.node("arrivals", first, 19), run.node("arrivals", first + 1, 19)];
      expect(canary / (stable + canary)).toBeCloseTo(0.1, 6);
    }
    expect(run.versionAt("auth-api", 19, 0)).toBe("v3.19.0");
    expect(run.versionAt("auth-api", 19, 1)).toBe("v3.17.2");
    // The older version costs 5 % more CPU.
    expect(
      run.parameter("auth-api", "zone-a", 1, "cpuTime") / run.parameter("auth-api", "zone-a", 0, "cpuTime"),
    ).toBeCloseTo(1.05, 9);
  });
});

test("a version given to a part of a service without a canary goes to all of it", () => {
  const [older] = sixServices.deployables.find(({ id }) => id === "main-db")?.versions ?? [];
  const version = older?.version ?? "";
  const run = started([{ kind: "deployed", deployable: "main-db", version, share: 0.1, tick: 2, origin: "routine" }]);
  run.advance(4);
  expect(run.versionAt("main-db", 3, 0)).toBe(version);
});

describe("a system's data", () => {
  const withCall = (from: string, to: string): SystemSpec => ({
    ...sixServices,
    calls: [...sixServices.calls, { from, to, kind: "call" }],
  });

  test.each([
    [withCall("main-db", "auth-api"), /run in a circle/],
    [withCall("auth-api", "mail"), /names mail, which is no service/],
    [withCall("auth-api", "main-db"), /is there twice/],
    [withCall("worker", "queue"), /is there twice/],
    [withCall("billing-api", "cache"), null],
  ])("is refused with a sentence when it cannot run (%#)", (spec, problem) => {
    if (problem) {
      expect(() => compile(spec)).toThrow(TopologyError);
      expect(() => compile(spec)).toThrow(problem);
    } else expect(() => compile(spec)).not.toThrow();
  });
});
