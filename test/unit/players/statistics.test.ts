import { describe, expect, it } from "vitest";
import { Stream } from "../../../src/core/rng";
import { estimate, pairedDifference, spread } from "../../../src/players/statistics";

describe("estimate", () => {
  it("gives the mean and an interval that holds nothing but the value when all values are equal", () => {
    expect(estimate([0.4, 0.4, 0.4, 0.4])).toEqual({ n: 4, mean: 0.4, ci95: [0.4, 0.4] });
  });

  it("gives a point for one value and for none", () => {
    expect(estimate([0.7])).toEqual({ n: 1, mean: 0.7, ci95: [0.7, 0.7] });
    expect(estimate([])).toEqual({ n: 0, mean: 0, ci95: [0, 0] });
  });

  it("comes close to the normal interval for many values (mean ± 1.96 s/√n)", () => {
    const random = Stream.of(1, "values");
    const values = Array.from({ length: 400 }, () => random.unit());
    const { mean, ci95 } = estimate(values);
    // A uniform variable on 0..1 has variance 1/12, so the standard error is √(1/12/400) = 0.01443.
    expect(ci95[0]).toBeGreaterThan(mean - 1.96 * 0.01443 - 0.004);
    expect(ci95[0]).toBeLessThan(mean - 1.96 * 0.01443 + 0.004);
    expect(ci95[1]).toBeGreaterThan(mean + 1.96 * 0.01443 - 0.004);
    expect(ci95[1]).toBeLessThan(mean + 1.96 * 0.01443 + 0.004);
  });

  it("covers the true mean in about 95 of 100 samples", () => {
    let covered = 0;
    for (let seed = 0; seed < 200; seed++) {
      const random = Stream.of(seed, "coverage");
      const { ci95 } = estimate(
        Array.from({ length: 60 }, () => random.unit()),
        `s${seed}`,
        400,
      );
      if (ci95[0] <= 0.5 && 0.5 <= ci95[1]) covered++;
    }
    // Binomial(200, .95) has a standard deviation of 3.1; the percentile bootstrap is slightly too narrow at n = 60.
    expect(covered).toBeGreaterThanOrEqual(178);
    expect(covered).toBeLessThanOrEqual(199);
  });

  it("gives the same interval every time", () => {
    const values = [0.1, 0.9, 0.4, 0.3, 0.8];
    expect(estimate(values, "a")).toEqual(estimate(values, "a"));
  });
});

describe("paired difference", () => {
  it("is narrower than the values' own spread when both sides rise and fall together", () => {
    const left = [0.9, 0.5, 0.7, 0.3, 0.8];
    const right = left.map((value) => value - 0.25);
    const { mean, ci95 } = pairedDifference(left, right);
    expect(mean).toBeCloseTo(0.25, 12);
    expect(ci95[0]).toBeCloseTo(0.25, 12);
    expect(ci95[1]).toBeCloseTo(0.25, 12);
  });

  it("refuses lists of different lengths", () => {
    expect(() => pairedDifference([1, 2], [1])).toThrow(/2 and 1/);
  });
});

describe("spread", () => {
  it("is the standard deviation of the values", () => {
    // Mean 0.5, squared deviations 0.09, 0.01, 0.01, 0.09: variance 0.05.
    expect(spread([0.2, 0.4, 0.6, 0.8])).toBeCloseTo(Math.sqrt(0.05), 12);
    expect(spread([0.3, 0.3])).toBe(0);
  });
});
