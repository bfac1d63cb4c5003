import { describe, expect, it } from "vitest";
import type { Action } from "../../../src/core/action";
import type { Observation } from "../../../src/core/world";
import { Watch } from "../../../src/editor/episode/watch";

/** Sleeps that end when the test says so, or when the watch is poked. */
class Clock {
  readonly asked: number[] = [];
  private wakers: (() => void)[] = [];
  sleep = (ms: number, poked: Promise<void>): Promise<void> => {
    this.asked.push(ms);
    return Promise.race([poked, new Promise<void>((resolve) => this.wakers.push(resolve))]);
  };
  async tick(): Promise<void> {
    const due = this.wakers;
    this.wakers = [];
    for (const wake of due) wake();
    for (let i = 0; i < 20; i++) await Promise.resolve();
  }
}

function watched(decide: () => Action | null, refuse = false, last = 100) {
  const clock = new Clock();
  const taken: string[] = [];
  const failures: unknown[] = [];
  const observe = () => ({ done: taken.length >= last }) as Observation;
  const seat = {
    observe,
    act: async (action: Action) => {
      if (!refuse) taken.push(action.name);
      const problem = { code: "not_allowed" as const, message: "Not now." };
      return { observation: observe(), done: false, ...(refuse ? { problem } : {}) };
    },
    changed: () => undefined,
    failed: (error: unknown) => failures.push(error),
  };
  const watch = new Watch({ name: "p", decide }, seat, 500, clock.sleep);
  return { watch, clock, taken, failures };
}

const wait = () => ({ name: "wait", args: {} });

describe("watching a player", () => {
  it("takes one step a pace", async () => {
    const { watch, clock, taken } = watched(wait);
    void watch.play();
    await clock.tick();
    await clock.tick();
    expect(taken).toEqual(["wait", "wait"]);
    watch.setPace(20);
    await clock.tick();
    await clock.tick();
    expect(clock.asked.at(-1)).toBe(20);
    watch.stop();
  });

  it("does nothing while paused and goes on afterwards", async () => {
    const { watch, clock, taken } = watched(wait);
    void watch.play();
    watch.pause();
    await clock.tick();
    await clock.tick();
    const before = taken.length;
    expect(before).toBeLessThanOrEqual(1);
    await clock.tick();
    expect(taken.length).toBe(before);
    watch.resume();
    await clock.tick();
    expect(taken.length).toBeGreaterThan(before);
    watch.stop();
  });

  it("takes no further step once it is stopped", async () => {
    const { watch, clock, taken } = watched(wait);
    const played = watch.play();
    watch.stop();
    await clock.tick();
    await played;
    expect(taken).toEqual([]);
  });

  it("gives up for a player that has nothing to do, and ends with the episode", async () => {
    const { watch, clock, taken } = watched(() => null, false, 1);
    const played = watch.play();
    await clock.tick();
    await played;
    expect(taken).toEqual(["give_up"]);
    expect(watch.stopped).toBe(true);
  });

  it("pauses a player whose actions are refused again and again, and says why", async () => {
    const { watch, clock, failures } = watched(wait, true);
    void watch.play();
    for (let i = 0; i < 12; i++) await clock.tick();
    expect(String(failures[0])).toContain("Not now.");
    expect(watch.paused).toBe(true);
    watch.stop();
  });

  it("pauses a player that throws", async () => {
    const { watch, clock, failures } = watched(() => {
      throw new Error("lost the thread");
    });
    void watch.play();
    await clock.tick();
    expect(failures).toHaveLength(1);
    watch.stop();
  });
});
