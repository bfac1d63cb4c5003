import { describe, expect, it } from "vitest";
import type { PlayerFactory } from "../../../src/core/player";
import { BOUNDS, rangeText, within } from "../../../src/players/bounds";
import { familyAccuracy, pageTokens } from "../../../src/players/nearest-neighbour";
import { type Proof, prove } from "../../../src/players/proof";
import type { GuessingOptions } from "./guessing-world";
import { guessing, guessingWorld } from "./guessing-world";

const SEEDS = Array.from({ length: 60 }, (_, i) => i);
const wrong = (secret: number) => (secret + 1) % 5;

/** A pack that keeps every bound: rules is right on four seeds in five, the oracles always, the rest seldom or never. */
function honest(): PlayerFactory[] {
  const sometimes = new Set(["random", "spray"]);
  return BOUNDS.filter(({ player }) => player !== "give-up").map(({ player }) => {
    if (player.startsWith("oracle")) return guessing(player, (secret) => secret);
    if (player === "rules") return guessing(player, (secret, seed) => (seed % 5 === 0 ? wrong(secret) : secret));
    return guessing(player, (secret, seed) => (sometimes.has(player) && seed % 7 === 0 ? secret : wrong(secret)));
  });
}

function proof(options: GuessingOptions, scenarios: readonly string[] = ["t", "v"], seeds = SEEDS): Proof {
  const work = prove(guessingWorld({ hint: () => "page", ...options }), { scenarios, seeds });
  for (;;) {
    const turn = work.next();
    if (turn.done) return turn.value;
  }
}

function broken(result: Proof): string[] {
  return result.rows.filter((row) => !row.holds).map((row) => `${row.player} ${row.family}`);
}

function replacing(name: string, value: (secret: number, seed: number) => number): PlayerFactory[] {
  return honest().map((factory) => (factory.name === name ? guessing(name, value) : factory));
}

describe("the proof", () => {
  it("holds when every player keeps its bound", () => {
    const result = proof({ players: honest() });
    expect(broken(result)).toEqual([]);
    expect(result.holds).toBe(true);
    expect(result.ungraded).toBe(0);
  });

  it("runs the probe that gives up although the world does not list it", () => {
    expect(proof({ players: honest() }).rows.some((row) => row.player === "give-up" && row.n === 120)).toBe(true);
  });

  it("breaks when idling pays on a single seed", () => {
    const players = replacing("idle", (secret, seed) => (seed === 17 ? secret : wrong(secret)));
    expect(broken(proof({ players }))).toContain("idle all");
  });

  it("breaks when a constant pays on average", () => {
    const players = replacing("constant", (secret, seed) => (seed % 2 ? secret : wrong(secret)));
    expect(broken(proof({ players }))).toContain("constant all");
  });

  it("breaks when an oracle misses one seed", () => {
    const players = replacing("oracle", (secret, seed) => (seed === 3 ? wrong(secret) : secret));
    expect(broken(proof({ players }))).toContain("oracle all");
  });

  it("breaks when the fair player is too good, or has lost a family", () => {
    expect(broken(proof({ players: replacing("rules", (secret) => secret) }))).toContain("rules validation");
    const blind = replacing("rules", (secret) => (secret === 2 ? wrong(secret) : secret));
    expect(broken(proof({ players: blind }))).toContain("rules family-2");
  });

  it("breaks when a probe comes within 0.20 of the fair player", () => {
    const players = replacing("prober", (secret, seed) => (seed % 3 ? secret : wrong(secret)));
    expect(broken(proof({ players }))).toContain("rules − prober all");
  });

  it("breaks when grades do not vary over many seeds", () => {
    const many = Array.from({ length: 200 }, (_, i) => i);
    expect(broken(proof({ players: replacing("spray", wrong) }, ["t", "v"], many))).toContain("spray spread all");
    expect(broken(proof({ players: replacing("spray", wrong) }))).toEqual([]);
  });

  it("breaks when the page gives the family away", () => {
    const result = proof({ players: honest(), hint: (secret) => `page ${secret}` });
    expect(broken(result)).toEqual(["nearest neighbour, other splits all", "nearest neighbour, known systems all"]);
    expect(result.rows[result.rows.length - 1]?.mean).toBe(1);
  });

  it("breaks when an episode could not be graded, whatever its player", () => {
    const result = proof({ players: honest(), failsOn: 1 });
    expect(result.ungraded).toBeGreaterThan(0);
    expect(result.holds).toBe(false);
    expect(broken(result)).toContain("idle all");
  });

  it("refuses to prove anything from nothing", () => {
    expect(() => proof({ players: honest() }, [])).toThrow(RangeError);
  });

  it("lists the published set without bounds", () => {
    const result = proof({ players: replacing("idle", (secret) => secret) }, ["p"]);
    expect(result.holds).toBe(true);
    expect(result.rows.every((row) => row.bound === "—")).toBe(true);
  });
});

describe("bounds", () => {
  it("are inclusive at both ends and read as people write them", () => {
    expect(within(0.35, { most: 0.35 })).toBe(true);
    expect(within(0.3501, { most: 0.35 })).toBe(false);
    expect(within(0.65, { least: 0.65, most: 0.9 })).toBe(true);
    expect(within(0.6499, { least: 0.65, most: 0.9 })).toBe(false);
    expect(rangeText({ least: 0.65, most: 0.9 })).toBe("0.65–0.90");
    expect(rangeText({ most: 0.02 })).toBe("≤ 0.02");
    expect(rangeText({ least: 0.95 })).toBe("≥ 0.95");
  });
});

describe("the page classifier", () => {
  const accuracy = (...lists: Parameters<typeof familyAccuracy>) => {
    const work = familyAccuracy(...lists);
    for (;;) {
      const turn = work.next();
      if (turn.done) return turn.value;
    }
  };
  const sample = (family: string, title: string) => ({ family, tokens: pageTokens({ title } as never) });

  it("names the family when the page does", () => {
    const train = ["a", "b", "c"].flatMap((family) => [1, 2, 3].map((i) => sample(family, `${family}${i > 0}`)));
    expect(accuracy(train, [sample("a", "atrue"), sample("c", "ctrue")])).toBe(1);
  });

  it("does no better than a guess when all pages are equal", () => {
    const train = ["a", "a", "a", "b", "c"].map((family) => sample(family, "same"));
    expect(
      accuracy(
        train,
        ["a", "b", "c", "d"].map((family) => sample(family, "same")),
      ),
    ).toBe(0.25);
  });

  it("leaves positions in lists out and keeps what stands together in an element", () => {
    const one = pageTokens({ alerts: [{ id: "1", name: "x", service: "y" }] } as never);
    expect([...one.keys()].some((token) => token.includes("x|y"))).toBe(true);
    expect([...one.keys()].some((token) => token.includes("[0]"))).toBe(false);
  });
});
