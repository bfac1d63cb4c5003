import { describe, expect, it } from "vitest";
import { clockMinutes, clockText, durationText } from "../../../src/core/clock";
import { clamp, cubeRoot, decay, mean, normalCdf, quantile, round } from "../../../src/core/math";

describe("arithmetic of the pure layers", () => {
  it("clamps, and turns NaN into the lower bound", () => {
    expect([clamp(-1), clamp(0.3), clamp(2), clamp(Number.NaN)]).toEqual([0, 0.3, 1, 0]);
  });
  it("rounds half away from zero and never shows minus nought", () => {
    expect([round(2.5), round(-2.5), round(1.005, 1), round(-0.2)]).toEqual([3, -3, 1, 0]);
    expect(Object.is(round(-0.2), 0)).toBe(true);
  });
  it("interpolates quantiles: the first quartile of 1, 2, 3, 4 is 1.75", () => {
    expect(quantile([4, 1, 3, 2], 0.25)).toBe(1.75);
    expect(quantile([7], 0.9)).toBe(7);
  });
  it("averages", () => {
    expect(mean([1, 2, 6])).toBe(3);
    expect(mean([])).toBe(0);
  });
  it("follows e^−x within 0.0011 (the largest error of (1 + x/256)^−256)", () => {
    for (let x = 0; x <= 10; x += 0.1) expect(Math.abs(decay(x) - Math.exp(-x))).toBeLessThan(0.0011);
  });
  it("takes cube roots of sizes far apart, and 0 of what has none", () => {
    for (const root of [1e-100, 2e-5, 0.3, 1, 7, 12345, 1e90])
      expect(Math.abs(cubeRoot(root * root * root) / root - 1)).toBeLessThan(1e-15);
    expect([cubeRoot(0), cubeRoot(-8), cubeRoot(Number.NaN), cubeRoot(Number.POSITIVE_INFINITY)]).toEqual([0, 0, 0, 0]);
  });
  it("follows the normal distribution's table within 1.5e-7", () => {
    const table = [
      [0, 0.5],
      [0.5, 0.6914624613],
      [1, 0.8413447461],
      [2, 0.9772498681],
      [3, 0.998650102],
      [4, 0.9999683288],
    ] as const;
    for (const [z, p] of table) {
      expect(Math.abs(normalCdf(z) - p)).toBeLessThan(1.5e-7);
      expect(Math.abs(normalCdf(-z) - (1 - p))).toBeLessThan(1.5e-7);
    }
  });
});

describe("the clock", () => {
  it("shows the time of day and wraps at midnight, before it too", () => {
    expect([clockText(167.1666667), clockText(1440.5), clockText(-1), clockMinutes(61.9)]).toEqual([
      "02:47:10",
      "00:00:30",
      "23:59:00",
      "01:01",
    ]);
  });
  it("shows lengths of time in the unit that fits", () => {
    expect([durationText(0.75), durationText(12.9), durationText(185), durationText(2880)]).toEqual([
      "45 s",
      "12 min",
      "3 h 05 min",
      "2 d",
    ]);
  });
});
