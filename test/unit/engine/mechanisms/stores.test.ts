import { describe, expect, test } from "vitest";
import { desiredReplicas } from "../../../../src/engine/mechanisms/autoscaler";
import { warmth } from "../../../../src/engine/mechanisms/cache";
import { contention } from "../../../../src/engine/mechanisms/contention";
import { memoryPressure } from "../../../../src/engine/mechanisms/memory";
import { flowControl, lastDelivery, lastPoisonDelivery } from "../../../../src/engine/mechanisms/queue";
import { throttleDelay, throttledShare, usableCores } from "../../../../src/engine/mechanisms/throttling";

describe("a cache", () => {
  test("settles where reads and expiry balance: f ÷ (f + 1/ttl)", () => {
    let warm = 0;
    for (let i = 0; i < 5000; i++) warm = warmth(warm, 0.01, 300, 5);
    expect(warm).toBeCloseTo(0.01 / (0.01 + 1 / 300), 9);
  });

  test("warms to 1 − 1/e once every key was read once, without expiry", () => {
    let warm = 0;
    for (let i = 0; i < 1000; i++) warm = warmth(warm, 0.01, 1e9, 0.1);
    expect(warm).toBeCloseTo(0.632, 2);
  });

  test("fills with nothing when its reads fail, and only cools", () => {
    expect(warmth(0.8, 0, 300, 300)).toBeCloseTo(0.4, 12);
  });
});

describe("a queue", () => {
  test("sets a message aside after its last delivery: of three at even odds, one failure in seven", () => {
    // First, second and third failures occur as ½ : ¼ : ⅛; the third ones are set aside.
    expect(lastDelivery(0.5, 3)).toBeCloseTo(1 / 7, 12);
    // What always fails is set aside after every third delivery, as poison is.
    expect(lastDelivery(1, 3)).toBeCloseTo(lastPoisonDelivery(3), 12);
  });

  test("never sets aside without a limit, and at once with a limit of one", () => {
    expect(lastDelivery(0.9, 0)).toBe(0);
    expect(lastDelivery(0.9, 1)).toBe(1);
    expect(lastPoisonDelivery(5)).toBeCloseTo(0.2, 12);
    expect(lastPoisonDelivery(0)).toBe(0);
  });

  test("slows its publishers beyond the high-water mark only", () => {
    expect(flowControl(1000, 1000)).toBe(1);
    expect(flowControl(1500, 1000)).toBeCloseTo(3, 12);
  });
});

describe("a replica", () => {
  test("collects garbage from 80 % of its memory on, four times as slow at the limit", () => {
    expect(memoryPressure(0.8)).toBe(1);
    expect(memoryPressure(0.9)).toBeCloseTo(1.75, 12);
    expect(memoryPressure(1)).toBeCloseTo(4, 12);
    expect(memoryPressure(1.5)).toBeCloseTo(4, 12);
  });

  test("with no more threads than cores is never stopped by its limit", () => {
    expect(usableCores(4, 4)).toBe(4);
    expect(throttledShare(0.99, 4, 4)).toBe(0);
    expect(throttleDelay(0.5, 4, 4)).toBe(0);
  });

  test("with eight threads on two cores is stopped in a third of the periods at half its CPU", () => {
    // Burst 4: (0.5 · 4 − 1) / (4 − 1).
    expect(throttledShare(0.5, 2, 8)).toBeCloseTo(1 / 3, 12);
    expect(usableCores(2, 8)).toBeCloseTo(1.7, 12);
    // Half of the 75 ms that are left of a period of 100 ms.
    expect(throttleDelay(1, 2, 8)).toBeCloseTo(0.0375, 12);
  });
});

describe("a database", () => {
  test("slows down by 15 % for every knee of admitted work beyond the first", () => {
    expect(contention(100, 100)).toBe(1);
    expect(contention(200, 100)).toBeCloseTo(1.15, 12);
    expect(contention(500, 0)).toBe(1);
  });
});

describe("an autoscaler", () => {
  test("asks for utilisation ÷ target times as many replicas, rounded up, within its bounds", () => {
    expect(desiredReplicas(4, 0.9, 0.6, 2, 10)).toBe(6);
    expect(desiredReplicas(4, 0.9, 0.6, 2, 5)).toBe(5);
    expect(desiredReplicas(4, 0.15, 0.6, 2, 10)).toBe(2);
  });

  test("leaves everything as it is within a tenth of the target", () => {
    expect(desiredReplicas(4, 0.64, 0.6, 1, 10)).toBe(4);
  });
});
