import { describe, expect, it } from "vitest";
import { compile } from "../../../src/engine/plan";
import { Simulation } from "../../../src/engine/simulation";
import { generateTopology } from "../../../src/engine/topologies/generated";
import { sixServices } from "../../../src/engine/topologies/six";
import { idleHour, swing } from "./topologies-idle";

describe("the measure of a swing", () => {
  it("is the amplitude of an alternation and 0 for a straight line", () => {
    expect(swing([9, 11, 9, 11, 9, 11])).toBeCloseTo(0.1, 9);
    expect(swing([1, 2, 3, 4, 5, 6])).toBeCloseTo(0, 12);
  });
});

describe("a system that nothing happens to", () => {
  it.each([sixServices, ...[0, 1, 2, 3, 4].map((seed) => generateTopology(seed, 8 + 3 * seed))])(
    "is well for an hour: $id",
    (spec) => {
      const hour = idleHour(spec, 1);
      expect(hour.errorRate).toBeLessThan(0.005);
      expect(hour.cpu).toBeLessThan(0.75);
      expect(hour.alternation).toBeLessThan(0.01);
      expect(hour.strained).toBeLessThan(0.001);
      expect(hour.delay).toBeLessThan(1);
      expect(hour.hits).toBeGreaterThan(0.8);
      expect(hour.happened).toBe(0);
    },
  );
});

describe("the six-service system in an idle hour", () => {
  it("has the rates, utilisation and connections it was sized for", () => {
    const run = new Simulation(compile(sixServices), 0);
    run.advance(240);
    const tick = 239;
    const { nodes, calls, entries } = run.plan;
    const offered = entries.reduce((sum, entry) => sum + run.user("offered", entry.index, tick), 0);
    // Everything below was worked out for 1,440 requests/s; the time of day moves them together.
    const load = offered / 1440;
    const sum = (column: "arrivals" | "cpu", service: string) =>
      nodes
        .filter((node) => node.service.name === service)
        .reduce((all, node) => all + run.node(column, node.index, tick), 0);
    expect(sum("arrivals", "worker") / load / 180).toBeCloseTo(1, 1);
    expect(sum("arrivals", "main-db") / load / 1350).toBeCloseTo(1, 1);
    expect(sum("cpu", "main-db") / load).toBeCloseTo(0.42, 1);
    const billing = calls.find((call) => call.name === "billing-api>main-db");
    const inUse = run.call("inUse", billing?.index ?? -1, tick);
    // Two replicas of a zone with 3.75 of 8 connections each, and some waiting on top.
    expect(inUse / load).toBeGreaterThan(7);
    expect(inUse / load).toBeLessThan(9);
  });
});
