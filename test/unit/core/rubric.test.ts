import { describe, expect, it } from "vitest";
import { brier, capped, f1, flatten, gate, jaccard, leaf, penalty, product, weighted } from "../../../src/core/rubric";

const half = leaf("half", 0.5, "half of it");
const full = leaf("full", 1, "all of it");

describe("rubric combinators", () => {
  it("weigh parts: .25 · .5 + .75 · 1 = .875", () => {
    expect(
      weighted(
        "sum",
        [
          [0.25, half],
          [0.75, full],
        ],
        "",
      ).value,
    ).toBe(0.875);
  });

  it("renormalise over the parts a world has: (.3 · .5 + .1 · 1) ÷ .4 = .625", () => {
    const sum = weighted(
      "sum",
      [
        [0.3, half],
        [0.1, full],
      ],
      "",
      "renormalise",
    );
    expect(sum.value).toBeCloseTo(0.625, 12);
    expect(sum.parts?.map((part) => part.weight)).toEqual([expect.closeTo(0.75, 12), expect.closeTo(0.25, 12)]);
  });

  it("multiply parts, so that one zero is the end of it", () => {
    expect(product("o", [half, half], "").value).toBe(0.25);
    expect(product("o", [full, leaf("none", 0, "")], "").value).toBe(0);
  });

  it("hold a value under the lowest cap that holds and say which", () => {
    const graded = capped("grade", full, [
      { name: "unverified", limit: 0.7, holds: true, reason: "not looked at again" },
      { name: "catastrophe", limit: 0.15, holds: true, reason: "a live page was silenced" },
      { name: "unresolved", limit: 0.35, holds: false, reason: "closed" },
    ]);
    expect(graded.value).toBe(0.15);
    expect(graded.reason).toBe("held at 0.15: a live page was silenced");
  });

  it("never raise a value by a cap", () => {
    expect(capped("g", leaf("low", 0.1, ""), [{ name: "c", limit: 0.5, holds: true, reason: "" }]).value).toBe(0.1);
  });

  it("shut a gate at 0", () => {
    expect(gate("g", false, full, "shut").value).toBe(0);
    expect(gate("g", true, half, "open").value).toBe(0.5);
  });

  it("subtract lapses down to 0: 1 − 2 · .25 − 1 · .08 = .42", () => {
    expect(
      penalty(
        "safety",
        [
          [2, 0.25],
          [1, 0.08],
        ],
        "",
      ).value,
    ).toBeCloseTo(0.42, 12);
    expect(penalty("safety", [[9, 0.25]], "").value).toBe(0);
  });

  it("refuse a part without a finite value", () => {
    expect(() => leaf("x", Number.NaN, "")).toThrow(/no finite value/);
  });

  it("list every part with its path", () => {
    expect(flatten(product("grade", [half, full], "")).map((row) => row.path)).toEqual([
      "grade",
      "grade / half",
      "grade / full",
    ]);
  });
});

describe("set measures", () => {
  const a = new Set(["1", "2", "3"]);
  const b = new Set(["2", "3", "4", "5"]);
  it("F1 of 2 hits among 3 found and 4 wanted is 4/7", () => {
    expect(f1(a, b)).toBeCloseTo(4 / 7, 12);
    expect(f1(new Set(), new Set())).toBe(1);
    expect(f1(a, new Set())).toBe(0);
  });
  it("Jaccard of 2 shared among 5 is .4", () => {
    expect(jaccard(a, b)).toBeCloseTo(0.4, 12);
    expect(jaccard(new Set(), new Set())).toBe(1);
  });
  it("Brier merit: right at .8 keeps .96, wrong at .8 keeps .36", () => {
    expect(brier(0.8, true)).toBeCloseTo(0.96, 12);
    expect(brier(0.8, false)).toBeCloseTo(0.36, 12);
  });
});
