import { describe, expect, it } from "vitest";
import { evaluate, type Score, summarise } from "../../../src/players/evaluate";
import { guessing, guessingWorld } from "./guessing-world";

const SEEDS = Array.from({ length: 40 }, (_, i) => i);

function run<T, R>(work: Generator<T, R>): { readonly pauses: T[]; readonly result: R } {
  const pauses: T[] = [];
  for (;;) {
    const turn = work.next();
    if (turn.done) return { pauses, result: turn.value };
    pauses.push(turn.value);
  }
}

const right = guessing("right", (secret) => secret);
const wrong = guessing("wrong", (secret) => (secret + 1) % 5);

describe("evaluate", () => {
  it("pauses after every episode and counts them", () => {
    const { pauses } = run(evaluate(guessingWorld(), { players: [right, wrong], scenarios: ["v"], seeds: [0, 1, 2] }));
    expect(pauses.map((pause) => `${pause.done}/${pause.total}`)).toEqual(["1/6", "2/6", "3/6", "4/6", "5/6", "6/6"]);
  });

  it("gives n, mean, interval, solve rate and families of each player, in the order asked for", () => {
    const { result } = run(evaluate(guessingWorld(), { players: [wrong, right], scenarios: ["v"], seeds: SEEDS }));
    expect(result.players.map((player) => player.player)).toEqual(["wrong", "right"]);
    const [worst, best] = result.players;
    expect(best).toMatchObject({ n: 40, ungraded: 0, mean: 1, ci95: [1, 1], meanPublished: null, solveRate: 1 });
    expect(worst).toMatchObject({ n: 40, ungraded: 0, mean: 0, ci95: [0, 0], solveRate: 0 });
    const families = Object.entries(best?.byFamily ?? {});
    expect(families.reduce((total, [, { n }]) => total + n, 0)).toBe(40);
    expect(families.every(([name, { mean }]) => /^family-[0-4]$/.test(name) && mean === 1)).toBe(true);
  });

  it("counts a grade of 0.70 as solved and 0.69 as not", () => {
    const rate = (pays: number) =>
      run(evaluate(guessingWorld({ pays }), { players: [right], scenarios: ["v"], seeds: [1] })).result.players[0]
        ?.solveRate;
    expect(rate(0.7)).toBe(1);
    expect(rate(0.69)).toBe(0);
  });

  it("counts an episode that could not be graded as 0 and says how many there were", () => {
    const world = guessingWorld({ failsOn: 2 });
    const { result, pauses } = run(evaluate(world, { players: [right], scenarios: ["v"], seeds: SEEDS }));
    const failed = pauses.filter((pause) => pause.score.ungraded !== null).length;
    expect(failed).toBeGreaterThan(0);
    expect(pauses.find((pause) => pause.score.ungraded)?.score.ungraded).toContain("the scale is broken");
    expect(result.players[0]).toMatchObject({ n: 40, ungraded: failed });
    expect(result.players[0]?.mean).toBeCloseTo((40 - failed) / 40, 6);
  });

  it("gives the mean on the original's scale where the published set was played", () => {
    const { result } = run(evaluate(guessingWorld(), { players: [right], scenarios: ["p"], seeds: [0, 1] }));
    expect(result.players[0]?.meanPublished).toBe(10);
  });

  it("counts a grade outside 0..1 as no grade", () => {
    const { result } = run(evaluate(guessingWorld({ pays: 1.2 }), { players: [right], scenarios: ["v"], seeds: [0] }));
    expect(result.players[0]).toMatchObject({ ungraded: 1, mean: 0 });
  });
});

describe("summarise", () => {
  it("gives the same summary in whatever order workers finished", () => {
    const scores: Score[] = SEEDS.map((seed) => ({
      player: "a",
      scenario: seed % 2 ? "v" : "w",
      seed,
      family: "f",
      steps: 1,
      ungraded: null,
      strict: (seed % 7) / 7,
      published: null,
      rewards: 0,
    }));
    expect(summarise(scores.slice().reverse(), ["a"])).toEqual(summarise(scores, ["a"]));
  });
});
