import { describe, expect, it } from "vitest";
import { Stream, seriesKey } from "../../../../src/core/rng";
import { combineKeys, MeasurementNoise, QUANTILE_DEVIATION } from "../../../../src/engine/telemetry/noise";

const noise = new MeasurementNoise(20260101);
const SERIES = seriesKey("a series");

function sample(count: number, draw: (tick: number) => number): { mean: number; variance: number } {
  let sum = 0;
  let squares = 0;
  for (let tick = 0; tick < count; tick++) {
    const x = draw(tick);
    sum += x;
    squares += x * x;
  }
  const mean = sum / count;
  return { mean, variance: squares / count - mean * mean };
}

describe("measurement noise", () => {
  it.each([0.05, 0.8, 4, 20, 24.9, 60, 5000])("draws Poisson counts of mean %d with that mean and variance", (mean) => {
    const n = 6_000;
    const found = sample(n, (tick) => noise.count(SERIES, tick, mean));
    expect(Math.abs(found.mean - mean)).toBeLessThan(4 * Math.sqrt(mean / n));
    // Variance of a sample variance: (μ₄ − σ⁴)/n with μ₄ = m + 3m² for a Poisson variable.
    expect(Math.abs(found.variance - mean)).toBeLessThan(5 * Math.sqrt((mean + 2 * mean * mean) / n));
  });

  it("gives each small count its Poisson probability (chi-square, 6 degrees of freedom, p > 0.001)", () => {
    const n = 6_000;
    const seen = new Array<number>(7).fill(0);
    for (let tick = 0; tick < n; tick++) {
      const k = Math.min(6, noise.count(SERIES, tick, 2));
      seen[k] = (seen[k] as number) + 1;
    }
    const p = [0.135335, 0.270671, 0.270671, 0.180447, 0.090224, 0.036089];
    p.push(1 - p.reduce((sum, x) => sum + x, 0));
    const chi = p.reduce((sum, x, k) => sum + ((seen[k] as number) - n * x) ** 2 / (n * x), 0);
    expect(chi).toBeLessThan(22.46);
  });

  it.each([
    [10, 0.3],
    [10, 0.9],
    [64, 0.5],
    [150, 0.02],
    [4000, 0.6],
  ])("draws successes of %d trials with probability %d with the binomial mean and variance", (trials, p) => {
    const n = 6_000;
    const found = sample(n, (tick) => noise.successes(SERIES, tick, trials, p));
    const variance = trials * p * (1 - p);
    expect(Math.abs(found.mean - trials * p)).toBeLessThan(4 * Math.sqrt(variance / n));
    expect(Math.abs(found.variance / variance - 1)).toBeLessThan(5 * Math.sqrt(3 / n));
  });

  it("keeps counts whole, and successes within the trials; certain ones are exact", () => {
    const ticks = Array.from({ length: 400 }, (_, tick) => tick);
    const drawn = ticks.map((tick) => noise.successes(SERIES, tick, 12, 0.97));
    expect(drawn.every((k) => Number.isInteger(k) && k >= 0 && k <= 12)).toBe(true);
    expect(ticks.every((tick) => Number.isInteger(noise.count(SERIES, tick, 0.4 * tick)))).toBe(true);
    expect([noise.successes(SERIES, 1, 40, 1), noise.successes(SERIES, 1, 40, 0), noise.count(SERIES, 1, 0)]).toEqual([
      40, 0, 0,
    ]);
  });

  it("has the relative deviation of exponential quantiles tabulated", () => {
    for (const [name, q] of [
      ["p50", 0.5],
      ["p95", 0.95],
      ["p99", 0.99],
    ] as const)
      expect(QUANTILE_DEVIATION[name]).toBeCloseTo(Math.sqrt(q / (1 - q)) / -Math.log(1 - q), 8);
    expect(QUANTILE_DEVIATION.p99 / Math.sqrt(4500)).toBeCloseTo(0.032, 3);
    expect(QUANTILE_DEVIATION.p99 / Math.sqrt(100)).toBeCloseTo(0.216, 3);
  });

  it("scatters a percentile as much as real samples of the same size do", () => {
    const [size, repeats] = [400, 200];
    const stream = Stream.of(5, "exponential samples");
    const real = sample(repeats, () => {
      const drawn = Array.from({ length: size }, () => -Math.log(1 - stream.unit())).sort((a, b) => a - b);
      return drawn[Math.floor(0.95 * size)] as number;
    });
    const ours = sample(3000, (tick) => noise.quantileFactor(SERIES, tick, "p95", size));
    const relative = Math.sqrt(real.variance) / real.mean;
    // The deviation of 200 repeats is itself known to 1/√400 = 5 %, three times that is allowed.
    expect(Math.abs(Math.sqrt(ours.variance) / relative - 1)).toBeLessThan(0.15);
    expect(ours.mean).toBeCloseTo(1, 1);
  });

  it("draws normal variables of mean 0 and deviation 1, with the kurtosis of three uniforms, within ±3", () => {
    const n = 20_000;
    const drawn = Array.from({ length: n }, (_, tick) => noise.normal(SERIES, tick));
    const moment = (power: number) => drawn.reduce((sum, x) => sum + x ** power, 0) / n;
    expect(Math.abs(moment(1))).toBeLessThan(4 / Math.sqrt(n));
    expect(Math.abs(moment(2) - 1)).toBeLessThan(4 * Math.sqrt(1.6 / n));
    // A uniform has an excess kurtosis of −1.2, the sum of three has −0.4.
    expect(Math.abs(moment(4) - 2.6)).toBeLessThan(4 * Math.sqrt(16 / n));
    expect(Math.max(...drawn.map(Math.abs))).toBeLessThan(3);
  });

  it("never makes a factor negative, however few the samples", () => {
    const factors = Array.from({ length: 2000 }, (_, tick) => noise.quantileFactor(SERIES, tick, "p99", 1));
    expect(Math.min(...factors)).toBeGreaterThan(0);
  });

  it("loses the share of readings it is told to, and none without loss", () => {
    const n = 6_000;
    const lost = sample(n, (tick) => (noise.missing(SERIES, tick, 0.03) ? 1 : 0)).mean;
    expect(Math.abs(lost - 0.03)).toBeLessThan(4 * Math.sqrt((0.03 * 0.97) / n));
    expect(sample(1000, (tick) => (noise.missing(SERIES, tick, 0) ? 1 : 0)).mean).toBe(0);
  });

  it("is a function of seed, series and tick: what was drawn before changes nothing", () => {
    const again = new MeasurementNoise(20260101);
    const forwards = Array.from({ length: 50 }, (_, tick) => noise.count(SERIES, tick, 30));
    const backwards = Array.from({ length: 50 }, (_, i) => again.count(SERIES, 49 - i, 30)).reverse();
    expect(backwards).toEqual(forwards);
    const other = Array.from({ length: 50 }, (_, tick) => new MeasurementNoise(7).count(SERIES, tick, 30));
    expect(other).not.toEqual(forwards);
  });

  it("draws series independently: two of them do not correlate", () => {
    const n = 10_000;
    const [a, b] = [combineKeys(seriesKey("x"), SERIES), combineKeys(seriesKey("y"), SERIES)];
    const product = sample(n, (tick) => noise.normal(a, tick) * noise.normal(b, tick)).mean;
    expect(Math.abs(product)).toBeLessThan(4 / Math.sqrt(n));
  });
});
