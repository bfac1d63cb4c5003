import { describe, expect, test } from "vitest";
import { towards } from "../../../../src/engine/mechanisms/damping";
import { acquireWait, grantedShare, usableConnections } from "../../../../src/engine/mechanisms/pool";
import { relax } from "../../../../src/engine/mechanisms/relaxation";
import { anyFails, attempts, failureAfterRetries } from "../../../../src/engine/mechanisms/retries";
import { shareLaterThan, timeUpTo } from "../../../../src/engine/mechanisms/timeout";
import { returning, timeOfDay } from "../../../../src/engine/mechanisms/users";

describe("time-outs", () => {
  test("of an exponential sojourn with mean 1 s let e⁻² pass 2 s", () => {
    expect(shareLaterThan(2, 1, 0)).toBeCloseTo(0.1353, 2);
  });

  test("shorter than the queue ahead let nobody through", () => {
    expect(shareLaterThan(1, 3, 1.5)).toBe(1);
    expect(shareLaterThan(0, 0.1, 0)).toBe(1);
  });

  test("bound what a caller is kept: E min(R, T) of an exponential is mean × (1 − e^(−T/mean))", () => {
    expect(timeUpTo(1, 2, 0, shareLaterThan(1, 2, 0))).toBeCloseTo(2 * (1 - 0.6065), 2);
    expect(timeUpTo(0.5, 2, 1, 1)).toBe(0.5);
  });
});

describe("retries", () => {
  test("amplify demand by 1 + p + p² + p³", () => {
    expect(attempts(0.5, 3, 0)).toBeCloseTo(1.875, 12);
    expect(attempts(1, 3, 0)).toBe(4);
    expect(attempts(0, 3, 0)).toBe(1);
  });

  test("hide independent failures and no partition", () => {
    expect(failureAfterRetries(0.1, 2, 0)).toBeCloseTo(0.001, 12);
    expect(failureAfterRetries(0.1, 2, 0.4)).toBeCloseTo(0.4 + 0.6 * 0.001, 12);
    expect(attempts(0, 2, 0.4)).toBeCloseTo(0.4 * 3 + 0.6, 12);
  });

  test("one of several calls fails as often as one of several dice shows a six", () => {
    expect(anyFails(1 / 6, 4)).toBeCloseTo(1 - (5 / 6) ** 4, 12);
    expect(anyFails(0.2, 0.5)).toBeCloseTo(0.1, 12);
    expect(anyFails(0.2, 2.5)).toBeCloseTo(1 - 0.8 * 0.8 * 0.9, 12);
  });
});

describe("connection pools", () => {
  test("beyond the server's limit every caller gets its part of it", () => {
    expect(grantedShare(100, 160)).toBeCloseTo(0.625, 12);
    expect(grantedShare(0, 160)).toBe(1);
    expect(usableConnections(20, 4, 0.625, 0)).toBe(50);
  });

  test("idle sessions take connections away, never more than there are", () => {
    expect(usableConnections(10, 2, 1, 7)).toBe(13);
    expect(usableConnections(10, 2, 1, 70)).toBe(0);
  });

  test("make nobody wait while there are enough, and everybody for the whole patience once a twentieth is turned away", () => {
    expect(acquireWait(0, 2)).toBe(0);
    expect(acquireWait(0.025, 2)).toBeCloseTo(1, 12);
    expect(acquireWait(0.5, 2)).toBe(2);
  });
});

describe("users", () => {
  test("come back after about six seconds, all of them", () => {
    // 60 pending, none added: after n steps of 5 s, 60 × (6/11)^n are left.
    let pending = 60;
    let back = 0;
    for (let i = 0; i < 40; i++) {
      const rate = returning(pending, 5);
      back += rate * 5;
      pending -= rate * 5;
    }
    expect(back).toBeCloseTo(60, 6);
    expect(returning(60, 5) * 5).toBeCloseTo((60 * 5) / 11, 9);
  });

  test("ask by the hour: 15 % more at the peak, 15 % less in the trough, the mean over a day", () => {
    expect(timeOfDay(0.25)).toBeCloseTo(1.15, 12);
    expect(timeOfDay(0.75)).toBeCloseTo(0.85, 12);
    let sum = 0;
    for (let i = 0; i < 1000; i++) sum += timeOfDay(i / 1000);
    expect(sum / 1000).toBeCloseTo(1, 6);
  });
});

describe("relaxation", () => {
  test("comes within 1/e of the way in one time constant, with small steps", () => {
    let value = 1;
    for (let i = 0; i < 3000; i++) value = relax(value, 0, 300, 0.1);
    expect(value).toBeCloseTo(0.3679, 3);
  });
});

describe("damping", () => {
  const [VALUE, GAIN, TREND] = [0, 1, 2];

  test("follows a target that stays", () => {
    const memory = new Float64Array(3);
    for (let i = 0; i < 30; i++) memory[VALUE] = towards(memory, 0, VALUE, GAIN, TREND, 5);
    expect(memory[VALUE]).toBeCloseTo(5, 6);
  });

  test("finds the root of a feedback that would swing for ever at a fixed 0.6", () => {
    // target = 10 − 6·value: with a gain g the error is multiplied by 1 − 7g, −3.2 for 0.6.
    const memory = new Float64Array(3);
    for (let i = 0; i < 200; i++)
      memory[VALUE] = towards(memory, 0, VALUE, GAIN, TREND, 10 - 6 * (memory[VALUE] as number));
    expect(memory[VALUE]).toBeCloseTo(10 / 7, 3);
  });
});
