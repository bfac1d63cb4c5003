/** What labels say. That they do not sort noise from incidents, test/proof shows over many draws. */
import { expect, test } from "vitest";
import { Stream } from "../../../src/core/rng";
import { labelsOf, type Targets } from "../../../src/worlds/alerts/generator/labels";
import type { WatchRule } from "../../../src/worlds/alerts/rules";
import { systemOf } from "../../../src/worlds/alerts/topologies";

const service = systemOf("grocery").spec.services[0] as WatchRule["service"];
const rule = (facet: WatchRule["facet"]): WatchRule => ({
  name: "HighErrorRatio",
  service,
  quantity: "errors",
  facet,
  condition: { comparison: ">", threshold: 1, clear: 1, forMinutes: 1, keepFiringMinutes: 1 },
  severity: "warning",
  summary: "",
});
const targets = (zones: readonly string[], instances = 4): Targets => ({
  zones,
  instances,
  stream: Stream.of(1, "labels"),
});
const labelled = (labels: ReturnType<typeof labelsOf>, name: string) => labels.find(([key]) => key === name)?.[1];

test("the fifth instance of a system in zones a, b and c stands in b, under its service's own tag", () => {
  const labels = labelsOf(rule({ key: "instance", value: "ffff-5", share: 0.2 }), targets(["a", "b", "c"], 7));
  expect(labels.map(([name]) => name)).toEqual(["alertname", "environment", "instance", "service", "severity", "zone"]);
  expect(labelled(labels, "zone")).toBe("b");
  expect(labelled(labels, "instance")).toMatch(/^[1-9a-f][0-9a-f]{3}-5$/);
  const other = labelsOf(rule({ key: "zone", value: "c", share: 0.3 }), targets(["a", "b", "c"], 7));
  expect(labelled(other, "zone")).toBe("c");
  expect(labelled(other, "instance")?.slice(0, 4)).toBe(labelled(labels, "instance")?.slice(0, 4));
});

test("a rule on the whole service names an instance too, one of those there are", () => {
  const numbers = new Set<string>();
  for (let seed = 0; seed < 50; seed++) {
    const labels = labelsOf(rule(null), { zones: [], instances: 3, stream: Stream.of(seed, "labels") });
    expect(labels).toHaveLength(5);
    numbers.add(labelled(labels, "instance")?.split("-")[1] ?? "none");
  }
  expect([...numbers].sort()).toEqual(["1", "2", "3"]);
});
