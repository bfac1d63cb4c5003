import { describe, expect, test } from "vitest";
import { metricsOfKind, recordedOfKind } from "../../../src/worlds/alerts/dependency-model/metrics";
import { TEAMS } from "../../../src/worlds/alerts/draw";
import { caseKindOf } from "../../../src/worlds/alerts/generate";
import { MECHANISM_NAMES } from "../../../src/worlds/alerts/mechanisms";
import { CASES_IN_BLOCK, SETTINGS } from "../../../src/worlds/alerts/scenarios";
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

  test("every block of seeds has each kind as often as the scenario says, in an order that differs from block to block", () => {
    for (const setting of SETTINGS) {
      const { info, size } = setting;
      expect(size.cases.reduce((sum, [, count]) => sum + count, 0)).toBe(CASES_IN_BLOCK);
      const orders = new Set<string>();
      for (const block of [0, 1, 2, 41_666_666]) {
        const kinds = Array.from({ length: CASES_IN_BLOCK }, (_, i) => caseKindOf(setting, block * CASES_IN_BLOCK + i));
        for (const [kind, count] of size.cases)
          expect(kinds.filter((drawn) => drawn === kind).length, `${info.id}, block ${block}: ${kind}`).toBe(count);
        orders.add(kinds.join(" "));
      }
      expect(orders.size, info.id).toBe(4);
    }
  });

  test("of the seeds of every split 20 to 30 per cent are healthy, healed or open, none above 12, and two faults 8 to 13", () => {
    for (const split of SPLITS) {
      expect(ofSplit(split).length).toBeGreaterThanOrEqual(5);
      const kinds = ofSplit(split).flatMap((setting) =>
        Array.from({ length: 1000 }, (_, seed) => caseKindOf(setting, seed)),
      );
      const share = (kind: string) => kinds.filter((drawn) => drawn === kind).length / kinds.length;
      const special = [share("no_fault"), share("self_recovered"), share("undetermined")];
      for (const one of special) {
        expect(one, split).toBeGreaterThan(0.06);
        expect(one, split).toBeLessThanOrEqual(0.12);
      }
      const sum = special.reduce((a, b) => a + b, 0);
      expect(sum, split).toBeGreaterThanOrEqual(0.2);
      expect(sum, split).toBeLessThanOrEqual(0.3);
      expect(share("two"), split).toBeGreaterThanOrEqual(0.08);
      expect(share("two"), split).toBeLessThanOrEqual(0.13);
    }
  });

  test("an early seed is of no kind more often than another: the first eight of all scenarios within three deviations of a quarter", () => {
    const kinds = SETTINGS.flatMap((setting) => Array.from({ length: 8 }, (_, seed) => caseKindOf(setting, seed)));
    const special = kinds.filter((kind) => kind !== "one" && kind !== "two").length;
    // 8 of a block's 24 without putting back: variance 26 · 8 · ¼ · ¾ · 16/23 = 27.1, so 3 σ = 15.6 about 52.
    expect(kinds.length).toBe(208);
    expect(Math.abs(special - 52)).toBeLessThanOrEqual(15.6);
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
