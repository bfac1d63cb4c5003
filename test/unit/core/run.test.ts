import { describe, expect, it } from "vitest";
import type { Action } from "../../../src/core/action";
import { gradeOf, ungraded } from "../../../src/core/grade";
import { MAX_REFUSED_IN_A_ROW, type PlayerFactory } from "../../../src/core/player";
import { runEpisode } from "../../../src/core/run";
import type { Episode, Observation } from "../../../src/core/world";
import { wordsWorld } from "../../words-world";

const say: Action = { name: "say", args: { text: "hello" } };
const stop: Action = { name: "stop", args: {} };
const nonsense: Action = { name: "nonsense", args: {} };

function play(decide: (observation: Observation, turn: number) => Action | null) {
  let turn = 0;
  const factory: PlayerFactory = {
    ...{ name: "probe", title: "Probe", summary: "For tests.", knowsTruth: false },
    create: () => ({ name: "probe", decide: (observation) => decide(observation, turn++) }),
  };
  return runEpisode(wordsWorld.open("words", 3), factory);
}

describe("a player run in memory", () => {
  it("plays to the end; every step is counted and named after it", () => {
    const result = play((_, turn) => (turn < 2 ? say : stop));
    expect(result).toMatchObject({ player: "probe", seed: 3, steps: 3, done: true });
    expect(result.taken.map(({ actor, action }) => `${actor} ${action.name}`)).toEqual([
      "policy:probe say",
      "policy:probe say",
      "policy:probe stop",
    ]);
    expect(result.grade.ungraded).toBeNull();
    expect(result.grade.rewards).toHaveLength(3);
  });

  it("may be refused as often as the bound says and play on, and fails at the next refusal", () => {
    const patient = play((_, turn) => (turn < MAX_REFUSED_IN_A_ROW ? nonsense : stop));
    expect(patient).toMatchObject({ done: true, steps: 1 });
    expect(patient.grade.ungraded).toBeNull();
    const stubborn = play(() => nonsense);
    expect(stubborn.taken).toHaveLength(MAX_REFUSED_IN_A_ROW + 1);
    expect(stubborn).toMatchObject({ done: false, steps: 0 });
    expect(stubborn.grade.ungraded).toMatch(/^player failed: There is no action "nonsense"/);
  });

  it("has its refusals counted in a row only", () => {
    const result = play((_, turn) => (turn === 40 ? stop : turn % 5 === 4 ? say : nonsense));
    expect(result.done).toBe(true);
    expect(result.grade.ungraded).toBeNull();
  });

  it("that throws leaves an ungraded result with the reason, never a pass", () => {
    const { done, grade } = play((_, turn) => {
      if (turn > 0) throw new Error("lost the thread");
      return say;
    });
    expect(done).toBe(false);
    expect(grade).toEqual({ ...ungraded("player failed: lost the thread"), rewards: grade.rewards });
    expect(grade.rewards).toHaveLength(1);
  });

  it("that has had enough gives the episode up", () => {
    const { taken } = play((_, turn) => (turn === 0 ? null : stop));
    expect(taken[0]?.action).toEqual({ name: "give_up", args: {} });
  });
});

describe("an error of the grader", () => {
  it("becomes an ungraded result with its reason", () => {
    const throwing = {
      grade: () => {
        throw new RangeError("part has no finite value");
      },
    } as unknown as Episode;
    expect(gradeOf(throwing, [])).toEqual(ungraded("the grader failed: part has no finite value"));
  });
});
