/** Labels must not sort noise from incidents: one matcher mutes by them, unread. */
import { expect, test } from "vitest";
import type { AlertsDraw } from "../../src/worlds/alerts/draw";
import { drawFor } from "../../src/worlds/alerts/generate";
import { SETTINGS } from "../../src/worlds/alerts/scenarios";
import { Sealed } from "../../src/worlds/alerts/truth";

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
