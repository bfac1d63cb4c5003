/** Metrics over real runs of the six-service system. */
import { beforeAll, describe, expect, it } from "vitest";
import { pageRules } from "../../../../src/engine/alert-rules/default";
import { AlertEvaluation } from "../../../../src/engine/alert-rules/evaluation";
import type { SystemEvent } from "../../../../src/engine/events";
import { compile, type Plan } from "../../../../src/engine/plan";
import { Simulation } from "../../../../src/engine/simulation";
import { Metrics } from "../../../../src/engine/telemetry/metrics/metrics";
import { sixServices } from "../../../../src/engine/topologies/six";
import { pageOf } from "../alert-rules/plain";

let plan: Plan;
beforeAll(() => {
  plan = compile(sixServices);
});

const slowDatabase: SystemEvent = {
  kind: "changed",
  id: "slow",
  changes: [{ service: "main-db", parameter: "cores", op: "times", value: 0.25 }],
  tick: 60,
  origin: "fault",
};

function ran(ticks: number, events: readonly SystemEvent[] = [], seed = 7, of = plan): Simulation {
  const run = new Simulation(of, seed);
  for (const event of events) run.schedule(event);
  run.advance(ticks);
  return run;
}

describe("telemetry of a run", () => {
  it("tells what happens: a database short of CPU, its callers' connections, their time-outs and their users' errors", () => {
    const metrics = new Metrics(ran(140, [slowDatabase]));
    const mean = (name: string, service: string, tick: number, where = {}) =>
      metrics.value(name, service, tick, 12, where) ?? Number.NaN;
    const earlier = (name: string, service: string, where = {}) => mean(name, service, 55, where);
    const during = (name: string, service: string, where = {}) => mean(name, service, 120, where);
    expect(during("k8s.container.cpu_limit_utilization", "main-db")).toBeGreaterThan(0.75);
    expect(earlier("k8s.container.cpu_limit_utilization", "main-db")).toBeLessThan(0.6);
    const database = { "server.address": "main-db" };
    const late = { ...database, "error.type": "timeout" };
    expect(earlier("db.client.operation.error_ratio", "billing-api", late)).toBeLessThan(0.001);
    expect(earlier("db.client.connection.utilization", "billing-api", database)).toBeLessThan(0.8);
    expect(during("db.client.connection.utilization", "billing-api", database)).toBeGreaterThan(0.95);
    expect(during("rum.request.error_ratio", "billing-api")).toBeGreaterThan(0.05);
    expect(during("http.server.request.duration.p95", "billing-api")).toBeGreaterThan(
      3 * earlier("http.server.request.duration.p95", "billing-api"),
    );
  });

  it("ends a caller's percentiles at its time-out", () => {
    const metrics = new Metrics(ran(140, [slowDatabase]));
    const where = { "server.address": "main-db" };
    const p99 = Array.from({ length: 60 }, (_, i) =>
      metrics.value("db.client.operation.duration.p99", "worker", 80 + i, 1, where),
    );
    // 2 s for an attempt, and up to 1 s for a connection.
    expect(Math.max(...p99.map((value) => value ?? 0))).toBeLessThanOrEqual(3);
  });

  it("shares its noise with a fork: same past, and the same measured future of the same events", () => {
    const run = ran(60);
    const fork = run.fork();
    run.advance(30);
    fork.advance(30);
    const read = (of: Simulation) =>
      new Metrics(of).query({ metric: "http.server.request.rate", service: "auth-api", from: 0, to: 90 }).series;
    expect(read(fork)).toEqual(read(run));
  });
});

describe("a failover", () => {
  it("moves the database's series to the zone of its standby", () => {
    const run = ran(100, [{ kind: "failed_over", service: "main-db", tick: 40, origin: "action" }]);
    const { series } = new Metrics(run).query({
      metric: "db.server.operation.rate",
      service: "main-db",
      by: ["cloud.availability_zone"],
      from: 0,
      to: 100,
    });
    expect(series.map((each) => each.attributes["cloud.availability_zone"])).toEqual(["zone-a", "zone-c"]);
    const [standby, first] = series.map((each) => each.points);
    const seen = (points: readonly (number | null)[] | undefined) =>
      (points ?? []).filter((value) => value !== null).length;
    expect(seen(standby?.slice(0, 40))).toBe(0);
    expect(seen(standby?.slice(60))).toBeGreaterThan(35);
    expect(seen(first?.slice(0, 40))).toBeGreaterThan(35);
    expect(seen(first?.slice(60))).toBe(0);
  });
});

describe("pages of a run", () => {
  it("do not come on a calm day", () => {
    expect(pageOf(ran(240))).toBeNull();
  });

  it("come within minutes of a fault that customers feel, the same when looked at tick by tick", () => {
    for (const seed of [1]) {
      const run = new Simulation(plan, seed);
      run.schedule(slowDatabase);
      const evaluation = new AlertEvaluation(run, pageRules(plan));
      for (let tick = 0; tick < 160; tick++) {
        run.advance(1);
        evaluation.advance();
      }
      expect(evaluation.pageAt).toBe(pageOf(run));
      expect(evaluation.pageAt).toBeGreaterThan(60);
      expect(evaluation.pageAt).toBeLessThan(60 + 60);
    }
  });

  it("come for metrics that go missing and probes that flap, though no customer is hurt", () => {
    const quiet = (parameter: "scrapeLoss" | "probeFailure"): SystemEvent => ({
      kind: "changed",
      id: parameter,
      changes: [{ service: "auth-api", parameter, op: "set", value: 0.97 }],
      tick: 60,
      origin: "fault",
    });
    for (const [parameter, name] of [
      ["scrapeLoss", "TargetsDown"],
      ["probeFailure", "HealthProbesFailing"],
    ] as const) {
      const run = ran(160, [quiet(parameter)]);
      const evaluation = new AlertEvaluation(run, pageRules(plan));
      evaluation.advance();
      expect([...new Set(evaluation.alerts().map((alert) => alert.name))]).toEqual([name]);
    }
  });
});
