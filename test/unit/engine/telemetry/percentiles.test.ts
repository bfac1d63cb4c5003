import { describe, expect, it } from "vitest";
import type { Quantile } from "../../../../src/engine/telemetry/noise";
import { gammaAt, LatencyMixture } from "../../../../src/engine/telemetry/percentiles";

/** Half of the chi-square quantiles with 2k degrees of freedom: p50, p95 and p99 of Erlang-k with rate 1. */
const ERLANG: readonly (readonly [number, number, number, number])[] = [
  [1, 1.386294 / 2, 5.991465 / 2, 9.21034 / 2],
  [2, 3.356694 / 2, 9.487729 / 2, 13.276704 / 2],
  [4, 7.344122 / 2, 15.507313 / 2, 20.090235 / 2],
  [8, 15.338499 / 2, 26.296228 / 2, 31.999927 / 2],
  [16, 31.335999 / 2, 46.19426 / 2, 53.485772 / 2],
];

/** Where an increasing function passes `wanted`, by halving. */
function solve(distribution: (x: number) => number, wanted: number, high: number): number {
  let [low, top] = [0, high];
  for (let i = 0; i < 100; i++) {
    const middle = (low + top) / 2;
    if (distribution(middle) < wanted) low = middle;
    else top = middle;
  }
  return top;
}

/** The quantile of a single part. */
function quantileOf(mean: number, deviation: number, quantile: Quantile): number {
  return new LatencyMixture().add(1, mean, deviation).quantile(quantile) ?? Number.NaN;
}

describe("percentiles of latency", () => {
  it.each(ERLANG)("are within 1.35 %% of the table for Erlang-%d", (k, p50, p95, p99) => {
    for (const [quantile, exact] of [
      ["p50", p50],
      ["p95", p95],
      ["p99", p99],
    ] as const)
      expect(Math.abs(quantileOf(k, Math.sqrt(k), quantile) / exact - 1)).toBeLessThan(0.0135);
  });

  it("scale with the mean, are the mean itself without spread, and are none without any time", () => {
    expect(quantileOf(0.3, 0.15, "p99") / quantileOf(3, 1.5, "p99")).toBeCloseTo(0.1, 10);
    expect(quantileOf(0.25, 0, "p95")).toBeCloseTo(0.25, 12);
    expect(new LatencyMixture().add(1, 0, 0).quantile("p95")).toBeNull();
  });

  it("follow two exponential phases with balanced means where the deviation exceeds the mean", () => {
    // Mean 1, standard deviation 3: c² = 9, p = (1 + √0.8)/2.
    const p = (1 + Math.sqrt(0.8)) / 2;
    const below = (x: number) => 1 - p * Math.exp(-2 * p * x) - (1 - p) * Math.exp(-2 * (1 - p) * x);
    for (const [quantile, q] of [
      ["p50", 0.5],
      ["p95", 0.95],
      ["p99", 0.99],
    ] as const)
      expect(Math.abs(quantileOf(1, 3, quantile) / solve(below, q, 200) - 1)).toBeLessThan(0.02);
  });

  it("of a mixture are where its parts' distributions add up to the share", () => {
    const mixture = new LatencyMixture().add(300, 1, 1).add(100, 10, 10);
    const below = (x: number) => 0.75 * (1 - Math.exp(-x)) + 0.25 * (1 - Math.exp(-x / 10));
    for (const [quantile, q] of [
      ["p50", 0.5],
      ["p95", 0.95],
      ["p99", 0.99],
    ] as const)
      expect(Math.abs((mixture.quantile(quantile) as number) / solve(below, q, 200) - 1)).toBeLessThan(0.015);
  });

  it("of a mixture of equal parts are those of one", () => {
    const mixture = new LatencyMixture().add(3, 2, 1).add(5, 2, 1);
    expect(mixture.quantile("p95")).toBeCloseTo(quantileOf(2, 1, "p95"), 6);
  });

  it("show a time-out that enough requests ran into, and hardly one that few did", () => {
    const mixture = (late: number) => new LatencyMixture().add(1 - late, 0.1, 0.05).add(late, 2, 0);
    expect(mixture(0.1).quantile("p95")).toBeCloseTo(2, 4);
    expect(mixture(0.1).quantile("p50")).toBeLessThan(0.12);
    // With 2 % late the 95th percentile is the 0.95/0.98 quantile of the rest: below its p99.
    expect(mixture(0.02).quantile("p95")).toBeLessThan(quantileOf(0.1, 0.05, "p99"));
    expect(mixture(0.02).quantile("p99")).toBeCloseTo(2, 4);
  });

  it("are not there without requests", () => {
    const mixture = new LatencyMixture().add(0, 1, 1).add(1, 0, 0);
    expect(mixture.quantile("p50")).toBeNull();
    expect(mixture.add(1, 1, 1).clear().quantile("p50")).toBeNull();
  });

  it("rise with the share, for parts as far apart as a cache and a batch job", () => {
    const mixture = new LatencyMixture().add(900, 0.0004, 0.0004).add(90, 0.05, 0.02).add(10, 60, 200);
    const [p50, p95, p99] = (["p50", "p95", "p99"] as const).map((each) => mixture.quantile(each) as number);
    expect(p50).toBeLessThan(p95 as number);
    expect(p95).toBeLessThan(p99 as number);
    expect(p50).toBeGreaterThan(0.0002);
    expect(p50).toBeLessThan(0.0006);
  });

  it("and single draws agree: a draw at z = 1.6449 is the 95th percentile", () => {
    expect(gammaAt(2, 1, 1.6448536)).toBeCloseTo(quantileOf(2, 1, "p95"), 10);
    expect(gammaAt(0.1, 5, -3)).toBeGreaterThanOrEqual(0);
  });
});
