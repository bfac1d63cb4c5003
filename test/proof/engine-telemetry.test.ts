/** Metrics and alert rules over many random runs. */
import { beforeAll, describe, expect, it } from "vitest";
import { Stream } from "../../src/core/rng";
import { defaultRules } from "../../src/engine/alert-rules/default";
import { AlertEvaluation } from "../../src/engine/alert-rules/evaluation";
import type { SystemEvent } from "../../src/engine/events";
import { CALL_PARAMETERS, SERVICE_PARAMETERS } from "../../src/engine/parameters";
import { compile, type Plan } from "../../src/engine/plan";
import type { Run } from "../../src/engine/run";
import { Simulation } from "../../src/engine/simulation";
import type { Change, SystemSpec } from "../../src/engine/spec";
import { Metrics } from "../../src/engine/telemetry/metrics/metrics";
import { Settings } from "../../src/engine/telemetry/settings";
import { sixServices } from "../../src/engine/topologies/six";
import { flickering, pageOf, plainly, wandering } from "../unit/engine/alert-rules/plain";

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

function ran(ticks: number, events: readonly SystemEvent[] = [], seed = 7): Simulation {
  const run = new Simulation(plan, seed);
  for (const event of events) run.schedule(event);
  run.advance(ticks);
  return run;
}

/** Changes, reverts and deploys of everything, in any order. */
function randomEvents(spec: SystemSpec, seed: number, count: number): SystemEvent[] {
  const stream = Stream.of(seed, "events of a test");
  const ids = ["one", "two", "three"];
  const parameters = ["pool", "timeout", "acquireTimeout", "retries"] as const;
  const change = (): Change => {
    const zone = stream.chance(0.3) ? { zone: "zone-a" } : {};
    const op = stream.pick(["set", "times", "plus"] as const);
    if (stream.chance(0.5)) {
      const { from, to } = stream.pick(spec.calls);
      return { call: `${from}>${to}`, parameter: stream.pick(parameters), op, value: stream.between(0, 3), ...zone };
    }
    const { name } = stream.pick(spec.services);
    const parameter = stream.pick(["cores", "scrapeLoss", "probeFailure", "cpuTime", "maxConnections"] as const);
    return { service: name, parameter, op, value: stream.between(0, 2), ...zone };
  };
  return Array.from({ length: count }, (_, i): SystemEvent => {
    const common = { tick: i, origin: "routine" } as const;
    const kind = stream.pick(["changed", "reverted", "deployed"] as const);
    if (kind === "changed") return { ...common, kind, id: stream.pick(ids), changes: [change(), change()] };
    if (kind === "reverted") return { ...common, kind, id: stream.pick(ids) };
    const deployable = stream.pick(spec.deployables);
    const { version } = stream.pick(deployable.versions);
    const zone = stream.chance(0.3) ? { zone: "zone-a" } : {};
    return { ...common, kind, deployable: deployable.id, version, share: stream.pick([1, 0.1]), ...zone };
  });
}

describe("settings worked out from the journal", () => {
  it("are those in force in the solver, whatever has happened", () => {
    for (const seed of [1, 2, 3, 4]) {
      const run = new Simulation(plan, seed);
      for (const event of randomEvents(sixServices, seed, 40)) run.schedule(event);
      const early = new Settings(run);
      early.ofNodes("scrapeLoss").at(0, 0);
      for (let step = 0; step < 2; step++) {
        run.advance(20);
        early.refresh();
        const late = new Settings(run);
        late.refresh();
        const differing: string[] = [];
        for (const { index, service, zone, cohort } of plan.nodes)
          for (const name of Object.keys(SERVICE_PARAMETERS) as (keyof typeof SERVICE_PARAMETERS)[]) {
            // Set by the solver itself: the canary's share, and what was scaled.
            if (name === "weight" || name === "replicas") continue;
            const truth = run.parameter(service.name, zone, cohort, name);
            if (late.service(name, index, run.tick - 1) !== truth || early.service(name, index, run.tick - 1) !== truth)
              differing.push(`${service.name}@${zone}/${cohort}.${name}`);
          }
        for (const { index, name } of plan.calls)
          for (const parameter of Object.keys(CALL_PARAMETERS) as (keyof typeof CALL_PARAMETERS)[])
            if (late.call(parameter, index, run.tick - 1) !== run.state.call(parameter).get(index))
              differing.push(`${name}.${parameter}`);
        expect(differing, `seed ${seed}, tick ${run.tick}`).toEqual([]);
      }
    }
  });

  it("know the past: the version and the limit of every earlier tick", () => {
    const events = randomEvents(sixServices, 9, 60);
    const run = ran(80, events);
    const settings = new Settings(run);
    settings.refresh();
    for (const tick of [0, 7, 23, 41, 59, 79])
      for (const { index, service, zone, cohort } of plan.nodes)
        if (service.cohorts)
          expect(settings.ofVersions("code")[index]?.at(tick)).toBe(run.versionAt(service.name, tick, cohort, zone));
  });
});

describe("telemetry of a run", () => {
  it("is finite, not negative, and a ratio where it says so, in the worst of times", () => {
    const run = ran(120, [slowDatabase, ...randomEvents(sixServices, 4, 60)]);
    const metrics = new Metrics(run);
    const wrong: string[] = [];
    for (const { metric, service, unit } of metrics.catalogue().metrics)
      for (const { points } of metrics.query({ metric, service, from: 0, to: 120, step: 7 }).series)
        for (const value of points)
          if (
            value !== null &&
            !(value >= 0 && value < 1e9 && (unit !== "1" || value <= 1)) &&
            !metric.includes("cert")
          )
            wrong.push(`${metric} of ${service}: ${value}`);
    expect(wrong).toEqual([]);
  });
});

describe("alert rules", () => {
  const quickly = (run: Run) => {
    const evaluation = new AlertEvaluation(run);
    evaluation.advance();
    return evaluation
      .alerts()
      .map(({ name, service, firedAt, resolvedAt }) => [name, service, firedAt, resolvedAt ?? -1])
      .sort();
  };

  it.each([1, 2, 3, 4])("fire the same as with every reading drawn, where all wanders (seed %d)", (seed) => {
    const run = wandering(seed, 320);
    expect(quickly(run)).toEqual(plainly(run, defaultRules(run.plan)));
  });

  it("fire the same as with every reading drawn, where all flickers", () => {
    for (let seed = 0; seed < 40; seed++) {
      const run = flickering(seed, 300);
      const found = quickly(run);
      expect(found.length).toBeGreaterThan(3);
      expect(found, `seed ${seed}`).toEqual(plainly(run, defaultRules(run.plan)));
    }
  });

  it.each([1, 2, 3, 4])("fire the same as with every reading drawn, in an incident (seed %d)", (seed) => {
    const run = ran(160, [slowDatabase, ...randomEvents(sixServices, seed, 50)], seed);
    const found = quickly(run);
    expect(found.length).toBeGreaterThan(0);
    expect(found).toEqual(plainly(run, defaultRules(plan)));
  });

  it("wake nobody on calm days", () => {
    for (let seed = 0; seed < 40; seed++) expect(pageOf(ran(240, [], seed)), `seed ${seed}`).toBeNull();
  });
});
