/** Labels must not sort noise from incidents: one matcher mutes by them, unread. */
import { expect, test } from "vitest";
import { Stream } from "../../../src/core/rng";
import type { AlertsDraw } from "../../../src/worlds/alerts/draw";
import { drawFor } from "../../../src/worlds/alerts/generate";
import { labelsOf, type Targets } from "../../../src/worlds/alerts/generator/labels";
import type { WatchRule } from "../../../src/worlds/alerts/rules";
import { SETTINGS } from "../../../src/worlds/alerts/scenarios";
import { systemOf } from "../../../src/worlds/alerts/topologies";
import { Sealed } from "../../../src/worlds/alerts/truth";

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

/** F1 of muting the alerts that `mutes` picks, against the noise. */
function f1(draw: AlertsDraw, mutes: (labels: ReadonlyMap<string, string>) => boolean): number {
  const noise = new Set(Sealed.open(draw.truth).noise);
  const muted = draw.alerts.filter((alert) => mutes(new Map(alert.labels)));
  const right = muted.filter((alert) => noise.has(alert.id)).length;
  return muted.length + noise.size === 0 ? 0 : (2 * right) / (muted.length + noise.size);
}

/** Muting everything earns about .6 by noise's share alone; a matcher on labels may do a little better by luck. */
const LUCK = 0.08;

test("no label that an alert has or lacks, and no severity or number of an instance, tells noise better than muting all", () => {
  const draws = SETTINGS.filter(({ info }) => info.split === "validation").flatMap(({ info }) =>
    [0, 1, 2, 3].map((seed) => drawFor(info, seed)),
  );
  const faulty = draws.filter((draw) => Sealed.open(draw.truth).incidents.length > 0);
  const worth = (mutes: (labels: ReadonlyMap<string, string>) => boolean) =>
    faulty.reduce((sum, draw) => sum + f1(draw, mutes), 0) / faulty.length;
  const all = worth(() => true);
  expect(all).toBeGreaterThan(0.4);
  const names = new Set(draws.flatMap((draw) => draw.alerts.flatMap(({ labels }) => labels.map(([name]) => name))));
  expect([...names].sort()).toEqual(["alertname", "environment", "instance", "service", "severity", "zone"]);
  for (const name of names) {
    expect(
      worth((labels) => labels.has(name)),
      `${name} present`,
    ).toBeLessThanOrEqual(all + LUCK);
    expect(
      worth((labels) => !labels.has(name)),
      `${name} absent`,
    ).toBeLessThanOrEqual(all + LUCK);
  }
  for (const severity of ["critical", "warning", "info"])
    expect(
      worth((labels) => labels.get("severity") === severity),
      severity,
    ).toBeLessThanOrEqual(all + LUCK);
  for (const number of [1, 2, 3, 4, 5, 6, 7])
    for (const mutes of [(n: number) => n === number, (n: number) => n >= number, (n: number) => n < number])
      expect(worth((labels) => mutes(Number(labels.get("instance")?.split("-")[1])))).toBeLessThanOrEqual(all + LUCK);
}, 120_000);
