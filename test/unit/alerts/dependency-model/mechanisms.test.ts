import { describe, expect, test } from "vitest";
import {
  afterRetries,
  anyFails,
  collectionCost,
  connectionsNeeded,
  overflow,
  packetLoss,
  pool,
  refusedWrites,
  retryLoad,
  shareSlowerThan,
  throttledShare,
  waitingGrowth,
} from "../../../../src/worlds/alerts/dependency-model/mechanisms";

describe("the laws of the model", () => {
  test("waiting grows like 1/(1 − u) near saturation and vanishes in an idle service", () => {
    expect(waitingGrowth(0)).toBe(1);
    // 1 + .5⁴ ÷ .5
    expect(waitingGrowth(0.5)).toBeCloseTo(1.125, 12);
    // 1 + .9⁴ ÷ .1 = 1 + 6.561
    expect(waitingGrowth(0.9)).toBeCloseTo(7.561, 9);
    // From .90 to .95 the distance to saturation halves, so the wait about doubles: (.95⁴/.05) ÷ (.9⁴/.1) = 2.48.
    expect((waitingGrowth(0.95) - 1) / (waitingGrowth(0.9) - 1)).toBeCloseTo(2.4829, 3);
    expect(waitingGrowth(5)).toBe(waitingGrowth(0.97));
  });

  test("an overloaded service turns away what exceeds its capacity", () => {
    expect(overflow(0.9)).toBe(0);
    // Twice the capacity at 97 %: 1 − .97/1.94 = one half.
    expect(overflow(1.94)).toBeCloseTo(0.5, 12);
  });

  test("five per cent of the answers are slower than their 95th percentile", () => {
    expect(shareSlowerThan(100, 100)).toBeGreaterThan(0.049);
    expect(shareSlowerThan(100, 100)).toBeLessThan(0.052);
    // Twice the percentile: .05² = .0025.
    expect(Math.abs(shareSlowerThan(200, 100) - 0.0025)).toBeLessThan(0.0006);
    expect(shareSlowerThan(1, 0)).toBe(0);
  });

  test("connections follow Little's law", () => {
    // 220 calls a second, mean 100/2.2 ms: 220 × .04545 = 10.
    expect(connectionsNeeded(220, 100)).toBeCloseTo(10, 9);
  });

  test("a pool below its limit neither fails nor waits", () => {
    expect(pool(40, 100, 0)).toEqual({ use: 0.4, failing: 0, wait: 0 });
  });

  test("idle sessions leave less of a pool, and what exceeds the rest fails", () => {
    // 60 held, 40 left, 80 wanted: half of them get none, the pool is full.
    const state = pool(80, 100, 0.6);
    expect(state.use).toBeCloseTo(1, 12);
    expect(state.failing).toBeCloseTo(0.5, 12);
    expect(state.wait).toBeGreaterThan(0);
  });

  test("needed calls fail together by 1 − Π(1 − p)", () => {
    expect(anyFails(0.5, 0.5)).toBeCloseTo(0.75, 12);
    expect(anyFails(0.1, 0.2, 0.3)).toBeCloseTo(1 - 0.9 * 0.8 * 0.7, 12);
    expect(anyFails(0, 0)).toBe(0);
    expect(anyFails(1, 0.3)).toBe(1);
  });

  test("retries remove bad luck, not what fails every time", () => {
    expect(afterRetries(0.4, 0)).toBeCloseTo(0.4, 12);
    // Half persistent: .2; half independent: .5 × .4².
    expect(afterRetries(0.4, 1)).toBeCloseTo(0.2 + 0.08, 12);
    expect(afterRetries(0.4, 60)).toBeCloseTo(0.2, 9);
  });

  test("retries add p + p² + … attempts", () => {
    expect(retryLoad(0.5, 2)).toBeCloseTo(0.75, 12);
    expect(retryLoad(0.5, 0)).toBe(0);
  });

  test("collection costs nothing up to 82 % of memory", () => {
    expect(collectionCost(0.82)).toBe(1);
    expect(collectionCost(1)).toBeCloseTo(1.9, 12);
  });

  test("only a small quota stops a busy container for long", () => {
    expect(throttledShare(1, 0.5)).toBeCloseTo(1, 12);
    expect(throttledShare(1, 1)).toBeCloseTo(0.15, 12);
    expect(throttledShare(0.6, 0.5)).toBe(0);
  });

  test("lost packets fail requests and delay the others", () => {
    expect(packetLoss(0)).toEqual({ failing: 0, delay: 0 });
    expect(packetLoss(0.1).failing).toBeCloseTo(0.08, 12);
    expect(packetLoss(0.1).delay).toBeCloseTo(120, 9);
  });

  test("a disk refuses nothing until it is nearly full", () => {
    expect(refusedWrites(0.96)).toBe(0);
    expect(refusedWrites(0.995)).toBeCloseTo(0.45, 9);
  });
});
