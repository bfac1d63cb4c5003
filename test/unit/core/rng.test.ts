import { describe, expect, it } from "vitest";
import { isSeed, Stream, seriesKey } from "../../../src/core/rng";

describe("a stream", () => {
  it("gives the same numbers for the same seed and name", () => {
    const draw = () =>
      Array.from(
        { length: 5 },
        (
          (s) => () =>
            s.uint32()
        )(Stream.of(7, "load")),
      );
    expect(draw()).toEqual(draw());
  });

  it("treats seed 0 as a seed like any other", () => {
    const zero = Stream.of(0);
    const values = Array.from({ length: 1000 }, () => zero.unit());
    expect(new Set(values).size).toBeGreaterThan(990);
    expect(Stream.of(0).uint32()).not.toBe(Stream.of(1).uint32());
  });

  it("uses all 53 bits of a seed", () => {
    expect(Stream.of(5).uint32()).not.toBe(Stream.of(5 + 4294967296).uint32());
  });

  it("forks by name alone: what was drawn before changes nothing", () => {
    const fresh = Stream.of(3).fork("faults").uint32();
    const used = Stream.of(3);
    for (let i = 0; i < 10; i++) used.uint32();
    expect(used.fork("faults").uint32()).toBe(fresh);
    expect(used.fork("load").uint32()).not.toBe(fresh);
  });

  it("refuses seeds that are not whole numbers from 0 up", () => {
    for (const bad of [-1, 0.5, Number.NaN, 2 ** 53, "1"]) expect(isSeed(bad)).toBe(false);
    expect(() => Stream.of(-1)).toThrow(RangeError);
  });

  it("draws integers evenly over a closed range (chi-square, 9 degrees of freedom, p > 0.001)", () => {
    const fair = Stream.of(12);
    const seen = new Array<number>(10).fill(0);
    for (let i = 0; i < 10_000; i++) {
      const k = fair.integer(0, 9);
      seen[k] = (seen[k] ?? 0) + 1;
    }
    const chi = seen.reduce((sum, n) => sum + (n - 1000) ** 2 / 1000, 0);
    expect(chi).toBeLessThan(27.88);
  });

  it("draws by weight: a third of the weight is a third of the draws within 4 standard deviations", () => {
    const stream = Stream.of(13);
    let hits = 0;
    for (let i = 0; i < 9000; i++)
      if (
        stream.weighted([
          ["a", 1],
          ["b", 2],
        ] as const) === "a"
      )
        hits++;
    expect(Math.abs(hits - 3000)).toBeLessThan(4 * Math.sqrt(9000 * (1 / 3) * (2 / 3)));
  });

  it("shuffles without losing anything and leaves the input alone", () => {
    const input = [1, 2, 3, 4, 5];
    const shuffled = Stream.of(2).shuffle(input);
    expect(shuffled.slice().sort()).toEqual([1, 2, 3, 4, 5]);
    expect(input).toEqual([1, 2, 3, 4, 5]);
  });
});

describe("noise", () => {
  it("is a function of stream, series and tick, whatever was read before", () => {
    const noise = Stream.of(4).noise();
    const key = seriesKey("orders-db/cpu");
    const forwards = [1, 2, 3].map((tick) => noise.normal(key, tick));
    const backwards = [3, 2, 1].map((tick) => noise.normal(key, tick)).reverse();
    expect(backwards).toEqual(forwards);
    expect(noise.normal(seriesKey("orders-db/memory"), 1)).not.toBe(forwards[0]);
  });

  it("has mean 0 and standard deviation 1 (three uniforms, each of variance 1/12, doubled)", () => {
    const noise = Stream.of(5).noise();
    const values = Array.from({ length: 20_000 }, (_, tick) => noise.normal(1, tick));
    const average = values.reduce((a, b) => a + b) / values.length;
    const variance = values.reduce((a, b) => a + (b - average) ** 2, 0) / values.length;
    expect(Math.abs(average)).toBeLessThan(0.03);
    expect(Math.abs(variance - 1)).toBeLessThan(0.05);
    expect(Math.max(...values.map(Math.abs))).toBeLessThanOrEqual(3);
  });
});
