import { describe, expect, test } from "vitest";
import { drawFor } from "../../src/worlds/alerts/generate";
import { SETTINGS } from "../../src/worlds/alerts/scenarios";
import { Sealed } from "../../src/worlds/alerts/truth";

describe("noise", () => {
  test("no single feature tells it: the best threshold on duration, value, label, past or age has F1 below .85 over 208 draws", () => {
    const seeds = [0, 1, 2, 3, 4, 5, 6, 7];
    const draws = SETTINGS.flatMap(({ info }) => seeds.map((seed) => drawFor(info, seed)));
    const rows = draws.flatMap((draw) => {
      const noise = new Set(Sealed.open(draw.truth).noise);
      return draw.alerts.map((alert) => {
        const first = alert.spans[0] as { from: number };
        const value = alert.valueAt(first.from) ?? 0;
        const threshold = alert.rule.threshold ?? 1;
        const features = {
          duration: alert.spans.reduce((sum, { from, to }) => sum + (to ?? draw.toMinute) - from, 0),
          ratio: alert.rule.comparison === ">" ? value / threshold : threshold / Math.max(value, 1e-6),
          firings: alert.spans.length,
          label: ["info", "warning", "critical"].indexOf(alert.rule.severity),
          past: alert.past.reduce((sum, count) => sum + count, 0),
          age: -first.from,
          wait: alert.rule.forMinutes,
        };
        return { noise: noise.has(alert.id), features };
      });
    });
    for (const name of ["duration", "ratio", "firings", "label", "past", "age", "wait"] as const) {
      const best = bestF1(rows.map(({ noise, features }) => ({ noise, value: features[name] })));
      expect(best, name).toBeLessThan(0.85);
    }
  }, 60_000);
});

/** The best F1 that "noise is what lies below (or above) a threshold" reaches, over all thresholds. */
function bestF1(rows: readonly { readonly noise: boolean; readonly value: number }[]): number {
  const sorted = rows.slice().sort((a, b) => a.value - b.value);
  const all = sorted.filter(({ noise }) => noise).length;
  let below = 0;
  let best = 0;
  for (const [i, { noise, value }] of sorted.entries()) {
    if (noise) below++;
    if (sorted[i + 1]?.value === value) continue;
    // F1 = 2 · hits / (said + true), with said = i + 1 below and the rest above.
    best = Math.max(best, (2 * below) / (i + 1 + all), (2 * (all - below)) / (sorted.length - i - 1 + all));
  }
  return best;
}
