import { describe, expect, test } from "vitest";
import { Stream } from "../../../../src/core/rng";
import { recordedOfKind } from "../../../../src/worlds/alerts/dependency-model/metrics";
import { smallSystem } from "../../../../src/worlds/alerts/dependency-model/model";
import {
  amountAt,
  type EdgeSpec,
  type Effect,
  type Quantity,
  type Run,
  type ServiceSpec,
  type SystemSpec,
} from "../../../../src/worlds/alerts/dependency-model/system";
import { callOrder, TopologyError } from "../../../../src/worlds/alerts/dependency-model/topology";

const service = (name: string, kind: ServiceSpec["kind"], extra: Partial<ServiceSpec> = {}): ServiceSpec => ({
  name,
  kind,
  team: "app",
  customerFacing: false,
  revenue: false,
  load: 0,
  ownMs: 20,
  utilisation: 0.5,
  memory: 0.5,
  ...extra,
});
const edge = (from: string, to: string, extra: Partial<EdgeSpec> = {}): EdgeSpec => ({
  from,
  to,
  kind: "call",
  calls: 1,
  critical: 1,
  retries: 0,
  ...extra,
});

const SPEC: SystemSpec = {
  zones: ["a", "b"],
  services: [
    service("edge", "edge", { load: 100, customerFacing: true }),
    service("api", "api"),
    service("side", "api"),
    service("db", "database", { ownMs: 10, disk: 0.5 }),
    service("jobs", "queue", { utilisation: 0.2, disk: 0.4 }),
    service("worker", "worker", { ownMs: 50 }),
  ],
  edges: [
    edge("edge", "api"),
    edge("edge", "side", { critical: 0 }),
    edge("api", "db", { pooled: true }),
    edge("api", "jobs", { kind: "publish", calls: 0.5, critical: 0 }),
    edge("worker", "jobs", { kind: "consume" }),
  ],
};
const weather = Stream.of(0).noise();

function runWith(effects: readonly Effect[], spec: SystemSpec = SPEC): Run {
  return smallSystem(spec).simulate(effects, -20, 20, weather);
}

function at(run: Run, name: string, quantity: Quantity, minute: number): number {
  const column = run.column(name, quantity);
  if (column === undefined) throw new Error(`no ${quantity} of ${name}`);
  return column[(minute - run.fromMinute) * 4] as number;
}

const from = (minute: number, amount: number) =>
  [
    [minute, 0],
    [minute + 0.25, amount],
  ] as const;

describe("the small causal system", () => {
  test("is calibrated: loads follow the calls, and CPUs show the stated use", () => {
    const system = smallSystem(SPEC);
    expect(system.calm("api", "load")).toBeCloseTo(100, 0);
    expect(system.calm("jobs", "load")).toBeCloseTo(50, 0);
    expect(system.calm("api", "cpu")).toBeCloseTo(0.5, 2);
    expect(system.calm("api", "poolUse")).toBeCloseTo(0.4, 2);
  });

  test("gives the same run for the same arguments", () => {
    const effects: Effect[] = [{ service: "db", parameter: "lockWait", profile: from(-5, 80) }];
    expect(runWith(effects).column("edge", "latency")).toEqual(runWith(effects).column("edge", "latency"));
  });

  test("does not depend on the order of declaration", () => {
    const turned: SystemSpec = {
      ...SPEC,
      services: SPEC.services.slice().reverse(),
      edges: SPEC.edges.slice().reverse(),
    };
    const effects: Effect[] = [{ service: "api", parameter: "fail", profile: from(-5, 0.3) }];
    expect(runWith(effects, turned).column("edge", "errors")).toEqual(runWith(effects).column("edge", "errors"));
  });

  test("errors climb needed calls and stop at optional ones", () => {
    const needed = runWith([{ service: "api", parameter: "fail", profile: from(-5, 0.3) }]);
    expect(at(needed, "edge", "errors", -10)).toBeLessThan(0.005);
    expect(at(needed, "edge", "errors", 0)).toBeCloseTo(0.3, 1);
    const optional = runWith([{ service: "side", parameter: "fail", profile: from(-5, 0.9) }]);
    expect(at(optional, "edge", "errors", 0)).toBeLessThan(0.005);
  });

  test("requests that fail early ask less of the services below", () => {
    const run = runWith([{ service: "api", parameter: "fail", profile: from(-5, 0.5) }]);
    expect(at(run, "db", "load", 0) / at(run, "api", "load", 0)).toBeCloseTo(0.5, 2);
  });

  test("lock waits fill the pool above while the database's CPU falls", () => {
    const run = runWith([{ service: "db", parameter: "lockWait", profile: from(-5, 400) }]);
    expect(at(run, "api", "poolUse", 0)).toBeGreaterThan(0.99);
    expect(at(run, "db", "cpu", 0)).toBeLessThan(at(run, "db", "cpu", -10));
  });

  test("a small quota throttles while the CPU looks idle", () => {
    const run = runWith([{ service: "api", parameter: "quota", profile: from(-5, -0.55) }]);
    expect(at(run, "api", "throttled", 0)).toBeGreaterThan(0.9);
    expect(at(run, "api", "cpu", 0)).toBeLessThan(0.5);
  });

  test("a leak kills the process again and again", () => {
    const run = runWith([{ service: "api", parameter: "leak", profile: from(-20, 0.1) }]);
    // From 50 % at 10 % a minute: killed every five minutes, so seven or eight times in forty.
    expect(at(run, "api", "restarts", 20)).toBeGreaterThanOrEqual(7);
    expect(at(run, "api", "restarts", 20)).toBeLessThanOrEqual(8);
  });

  test("a queue grows by what is put in and not taken out", () => {
    // No worker runs: 50 messages a second for ten minutes, the load swinging by at most 7 %.
    const run = runWith([{ service: "worker", parameter: "down", profile: from(0, 1) }]);
    const grown = at(run, "jobs", "depth", 12) - at(run, "jobs", "depth", 2);
    expect(grown).toBeGreaterThan(0.9 * 50 * 600);
    expect(grown).toBeLessThan(1.1 * 50 * 600);
  });

  test("all recorded values are finite under extreme effects", () => {
    const everywhere = SPEC.services.flatMap(({ name }): Effect[] => [
      { service: name, parameter: "demand", profile: from(-10, 50) },
      { service: name, parameter: "quota", profile: from(-10, -1) },
      { service: name, parameter: "down", profile: from(-5, 1) },
      { service: name, parameter: "loss", profile: from(-5, 1) },
      { service: name, parameter: "held", profile: from(-5, 1) },
    ]);
    const run = runWith(everywhere);
    for (const { name } of SPEC.services)
      for (const quantity of ["load", "latency", "errors", "failing"] as const) {
        const column = run.column(name, quantity) as Float32Array;
        expect(column.every((value) => Number.isFinite(value) && value >= 0)).toBe(true);
      }
  });

  test("callers come before what they call; a circle is refused", () => {
    const order = callOrder(SPEC);
    expect(order.indexOf("edge")).toBeLessThan(order.indexOf("api"));
    expect(order.indexOf("api")).toBeLessThan(order.indexOf("db"));
    expect(() => callOrder({ ...SPEC, edges: [...SPEC.edges, edge("db", "edge")] })).toThrow(TopologyError);
    expect(() => callOrder({ ...SPEC, edges: [edge("edge", "nowhere")] })).toThrow(/nowhere/);
  });

  test("profiles are linear between their points and constant outside", () => {
    const profile = [
      [0, 1],
      [10, 3],
    ] as const;
    expect([amountAt(profile, -5), amountAt(profile, 5), amountAt(profile, 50), amountAt([], 3)]).toEqual([1, 2, 3, 0]);
  });
});

describe("a run worked out in parts", () => {
  const weather = Stream.of(11).noise();
  const system = smallSystem(SPEC);
  const background: readonly Effect[] = [
    { service: "worker", parameter: "busy", profile: [[-100, 0.1]] },
    {
      service: "db",
      parameter: "delay",
      profile: [
        [-12, 0],
        [-11.5, 20],
      ],
    },
  ];
  const fault: Effect = {
    service: "api",
    parameter: "quota",
    profile: [
      [-6.25, 0],
      [-5, -0.7],
    ],
  };
  const bytes = (run: Run) =>
    system.spec.services.map(({ name, kind }) =>
      recordedOfKind(kind).map((quantity) => Array.from(run.column(name, quantity) ?? [])),
    );

  test("is the run worked out at once", () => {
    const parts = system.begin(background, -40, 10, weather);
    for (const minute of [-41, -33.1, -6.25, 0, 3, 99]) parts.advance(minute);
    expect(bytes(parts.run)).toEqual(bytes(system.simulate(background, -40, 10, weather)));
  });

  test("branches into the run with one more effect that begins later, and goes on unchanged itself", () => {
    const trunk = system.begin(background, -40, 10, weather);
    trunk.advance(-6.25);
    const branch = trunk.branch([...background, fault]);
    branch.advance(10);
    trunk.advance(10);
    expect(bytes(branch.run)).toEqual(bytes(system.simulate([...background, fault], -40, 10, weather)));
    expect(bytes(trunk.run)).toEqual(bytes(system.simulate(background, -40, 10, weather)));
    expect(bytes(branch.run)).not.toEqual(bytes(trunk.run));
  });
});
