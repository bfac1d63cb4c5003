import { describe, expect, test } from "vitest";
import { Stream } from "../../../../src/core/rng";
import { type Condition, evaluate } from "../../../../src/worlds/alerts/dependency-model/alert-rules";
import { type Blackout, Gauge, metricFor } from "../../../../src/worlds/alerts/dependency-model/metrics";
import type { Run } from "../../../../src/worlds/alerts/dependency-model/system";

/** CPU limits are measured without noise; one value a minute, four ticks each. */
function firings(values: readonly number[], condition: Partial<Condition>, silent: readonly Blackout[] = []) {
  const column = Float32Array.from(values.flatMap((value) => [value, value, value, value]));
  const run: Run = { fromMinute: 0, toMinute: values.length, ticks: column.length, column: () => column };
  const metric = metricFor("api", "cpuLimit");
  if (metric === undefined) throw new Error("an api has a CPU limit");
  const series = new Gauge(run, noise, [], silent).series("s", "api", metric, null);
  if (series === undefined) throw new Error("the series exists");
  for (let tick = 0; tick < column.length; tick++) if (silent.length === 0) expect(series.isMissing(tick)).toBe(false);
  return evaluate(
    { comparison: ">", threshold: 2, clear: 2, forMinutes: 0, keepFiringMinutes: 0, ...condition },
    series,
    0,
    column.length,
  );
}

const noise = quietNoise();
/** A noise whose scrapes are all there: the first seed for which that holds. */
function quietNoise() {
  const column = new Float32Array(60);
  const run: Run = { fromMinute: 0, toMinute: 15, ticks: 60, column: () => column };
  const metric = metricFor("api", "cpuLimit");
  for (let seed = 0; seed < 1000; seed++) {
    const candidate = Stream.of(seed).noise();
    const series = metric && new Gauge(run, candidate, []).series("s", "api", metric, null);
    if (series !== undefined && column.every((_, tick) => !series.isMissing(tick))) return candidate;
  }
  throw new Error("no seed without gaps");
}

describe("alert rules", () => {
  test("fire while the condition holds", () => {
    expect(firings([1, 3, 3, 1], {})).toEqual([{ from: 1, to: 3 }]);
  });

  test("are open at the end while the condition still holds", () => {
    expect(firings([1, 3], {})).toEqual([{ from: 1, to: null }]);
  });

  test("wait for the condition to hold, and start again after a break", () => {
    expect(firings([3, 1, 3, 3, 3, 1], { forMinutes: 2 })).toEqual([{ from: 4, to: 5 }]);
    expect(firings([3, 3, 1, 3, 3, 1], { forMinutes: 2 })).toEqual([]);
  });

  test("keep firing for a while after the condition has cleared", () => {
    // Last held at 1.75; more than a minute later is 3.
    expect(firings([1, 3, 1, 1, 1], { keepFiringMinutes: 1 })).toEqual([{ from: 1, to: 3 }]);
    expect(firings([3, 1, 3, 1, 1, 1, 1], { keepFiringMinutes: 2 })).toEqual([{ from: 0, to: 5 }]);
  });

  test("hysteresis: once firing, only a value behind the clear level ends it", () => {
    expect(firings([1, 3, 1.8, 1.2, 1.8], { clear: 1.5 })).toEqual([{ from: 1, to: 3 }]);
  });

  test("a rule may look for values that are too low", () => {
    expect(firings([3, 1, 3], { comparison: "<" })).toEqual([{ from: 1, to: 2 }]);
  });

  test("missing values neither start nor end an alert", () => {
    const dark: Blackout = { service: "s", quantities: ["cpuLimit"], from: 2 };
    expect(firings([1, 3, 1, 1], {}, [dark])).toEqual([{ from: 1, to: null }]);
    expect(firings([1, 1, 3, 3], {}, [dark])).toEqual([]);
  });
});
