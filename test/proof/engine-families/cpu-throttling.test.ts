/**
 * What the accounts of CPU limits in Linux before 5.4 and of Stripe (2019) say: a throttled service is slow while it uses less CPU than its
 * limit, late answers suffer far more than usual ones, more threads make it worse, and a larger quota ends it.
 */
import { describe, expect, it } from "vitest";
import type { SystemEvent } from "../../../src/engine/events";
import { compile } from "../../../src/engine/plan";
import { Simulation } from "../../../src/engine/simulation";
import { gammaAt } from "../../../src/engine/telemetry/percentiles";
import { accepted, failing, mean, ordered, played } from "./runs";

const draws = accepted("cpu_throttling", 8, ({ drawn }) => drawn.component !== "worker");
/** Standard normal quantiles of 99 % and 50 %. */
const P99 = 2.3263;
const MEDIAN = 0;

describe("a throttled service", () => {
  it("is stopped in nearly all periods although its CPU is below its limit", () => {
    for (const { page, incident } of draws) {
      const { component } = incident.drawn;
      const from = page.tick - 8;
      expect(mean(page, "throttled", component, from, page.tick, 0)).toBeGreaterThan(0.9);
      expect(mean(page, "cpu", component, from, page.tick, 0)).toBeLessThan(0.97);
      expect(mean(page, "throttled", component, incident.drawn.onset - 20, incident.drawn.onset, 0)).toBeLessThan(0.5);
    }
  });

  it("answers the slowest hundredth far later than the median, when its load is below what it can do", () => {
    let compared = 0;
    for (const { incident } of draws) {
      const { system, component, events, onset } = incident.drawn;
      const sim = new Simulation(compile(system), incident.seed);
      const lighter: SystemEvent = {
        kind: "changed",
        id: "fewer users",
        changes: [{ service: component, parameter: "load", op: "times", value: 0.5 }],
        tick: onset,
        origin: "routine",
      };
      for (const event of [...events, lighter]) sim.schedule(event);
      sim.advance(onset + 16);
      const node = sim.plan.nodes.find((each) => each.service.name === component)?.index ?? -1;
      const quantile = (z: number, tick: number) =>
        gammaAt(sim.node("latencyMean", node, tick), sim.node("latencySd", node, tick), z);
      const grown = (z: number) => quantile(z, sim.tick - 1) - quantile(z, onset - 1);
      const throttled = sim.node("throttled", node, sim.tick - 1);
      if (throttled < 0.3 || throttled > 0.85) continue;
      compared++;
      expect(grown(P99)).toBeGreaterThan(3 * grown(MEDIAN));
      expect(quantile(P99, sim.tick - 1)).toBeGreaterThan(2 * quantile(MEDIAN, sim.tick - 1));
    }
    expect(compared).toBeGreaterThanOrEqual(5);
  });

  it("gets worse with more threads", () => {
    let worse = 0;
    for (const { page, incident } of draws) {
      const { component } = incident.drawn;
      const idle = page.fork();
      const sim = page.fork();
      sim.schedule({
        kind: "changed",
        id: "more threads",
        changes: [{ service: component, parameter: "threads", op: "times", value: 1.5 }],
        tick: sim.tick,
        origin: "action",
      });
      for (const run of [idle, sim]) run.advance(80);
      // Quota that threads strand is bounded: some have nothing left to lose.
      expect(failing(sim)).toBeGreaterThan(failing(idle) - 0.002);
      if (failing(sim) > failing(idle) + 0.01) worse++;
    }
    expect(worse).toBeGreaterThanOrEqual(4);
  });

  it("is ended by a larger quota or the limit and file before, not by a restart or other code", () => {
    for (const { page, incident } of draws) {
      const { component, right } = incident.drawn;
      for (const each of right) expect(failing(played(page, 40, each))).toBeLessThan(0.01);
      const idle = page.fork();
      idle.advance(160);
      for (const remedy of [
        { verb: "restart_service", service: component },
        { verb: "rollback_deploy", deployable: component },
      ] as const)
        expect(failing(ordered(page, 40, remedy))).toBeGreaterThan(0.7 * failing(idle));
    }
  });
});
