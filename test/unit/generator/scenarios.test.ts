import { describe, expect, test } from "vitest";
import { metricsOfKind, recordedOfKind } from "../../../src/engine/metrics";
import { TEAMS } from "../../../src/worlds/alerts/draw";
import { MECHANISM_NAMES } from "../../../src/worlds/alerts/mechanisms";
import { SETTINGS } from "../../../src/worlds/alerts/scenarios";
import { systemOf, TOPOLOGIES } from "../../../src/worlds/alerts/topologies";

const ofSplit = (split: string) => SETTINGS.filter(({ info }) => info.split === split);
const SPLITS = ["starter", "train", "validation", "holdout"];

describe("generated scenarios", () => {
  test("ids are opaque and unique, and no text names a mechanism or family word", () => {
    const ids = SETTINGS.map(({ info }) => info.id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { info } of SETTINGS) {
      expect(info.id).toMatch(/^alr-[0-9a-f]{4}$/);
      const text = [info.title, info.brief, ...info.tags].join(" ").toLowerCase();
      for (const name of MECHANISM_NAMES)
        for (const word of [name, name.replaceAll("_", " ")]) expect(text).not.toContain(word);
    }
  });

  test("no pair of family and company lies in two splits", () => {
    const home = new Map<string, string>();
    for (const { families, topology, info } of SETTINGS) {
      for (const family of families) {
        const pair = `${family} ${topology}`;
        expect(home.get(pair) ?? info.split, pair).toBe(info.split);
        home.set(pair, info.split);
      }
    }
  });

  test("every pool has at least five families, and holdout at least two of its own", () => {
    for (const { families } of SETTINGS) expect(new Set(families).size).toBeGreaterThanOrEqual(5);
    const seen = new Set(
      ["starter", "train", "validation"].flatMap((split) => ofSplit(split).flatMap(({ families }) => families)),
    );
    const own = new Set(ofSplit("holdout").flatMap(({ families }) => families.filter((family) => !seen.has(family))));
    expect(own.size).toBeGreaterThanOrEqual(2);
  });

  test("every split draws every kind of case, and 20 to 30 per cent are healthy, healed or open, none above 12", () => {
    for (const split of SPLITS) {
      expect(ofSplit(split).length).toBeGreaterThanOrEqual(5);
      for (const { size } of ofSplit(split)) {
        const share = new Map(size.cases);
        const total = size.cases.reduce((sum, [, weight]) => sum + weight, 0);
        expect(total).toBeCloseTo(1, 9);
        const special = (["no_fault", "self_recovered", "undetermined"] as const).map((kind) => share.get(kind) ?? 0);
        for (const one of special) expect(one).toBeLessThanOrEqual(0.12);
        const sum = special.reduce((a, b) => a + b, 0);
        expect(sum).toBeGreaterThanOrEqual(0.2);
        expect(sum).toBeLessThanOrEqual(0.3);
        expect(share.get("two") ?? 0).toBeGreaterThan(0);
      }
    }
  });

  test("budgets and sizes lie in the stated ranges", () => {
    for (const { info, size } of SETTINGS) {
      expect(info.maxSteps).toBeGreaterThanOrEqual(24);
      expect(info.maxSteps).toBeLessThanOrEqual(40);
      expect(info.maxMinutes).toBeGreaterThanOrEqual(45);
      expect(info.maxMinutes).toBeLessThanOrEqual(60);
      expect(size.alerts[0]).toBeGreaterThanOrEqual(12);
      expect(size.alerts[1]).toBeLessThanOrEqual(60);
    }
  });
});

describe("companies", () => {
  test.each(TOPOLOGIES.map((topology) => ({ topology, id: topology.id })))(
    "$id is a sound, healthy system",
    ({ topology }) => {
      const system = systemOf(topology.id);
      expect(topology.services.length).toBeGreaterThanOrEqual(8);
      expect(topology.services.length).toBeLessThanOrEqual(16);
      expect(topology.services.some((service) => service.revenue)).toBe(true);
      for (const service of topology.services) {
        expect(TEAMS).toContain(service.team);
        expect(
          metricsOfKind(service.kind).every((metric) => recordedOfKind(service.kind).includes(metric.quantity)),
        ).toBe(true);
        expect(system.calm(service.name, "failing"), service.name).toBeLessThan(0.004);
        expect(system.calm(service.name, "load"), service.name).toBeGreaterThan(1);
        if (service.revenue) expect(service.customerFacing).toBe(true);
      }
      for (const edge of topology.edges)
        expect(["call", "publish", "consume", "await", "replicate"]).toContain(edge.kind);
      const teams = new Set(topology.services.map((service) => service.team));
      expect(teams.size).toBe(TEAMS.length);
    },
  );
});
