import { describe, expect, it } from "vitest";
import { Stream } from "../../../src/core/rng";
import { packTruth, sealOf, unpackTruth } from "../../../src/worlds/alerts/import/seal";

const NOTHING = { disposition: "no_fault", incidents: [] };
const FAULT = {
  disposition: "routed",
  incidents: [{ component: "kiln", mechanism: "disk_full", severity: "P2", team: "sre", alerts: ["a01"] }],
};
const SALTS = 4000;

/** 32 hexadecimal digits, as a random source of 16 bytes gives them. */
function* salts(): Generator<string> {
  const random = Stream.of(7, "salts");
  for (let i = 0; i < SALTS; i++) yield Array.from({ length: 32 }, () => random.integer(0, 15).toString(16)).join("");
}

describe("a seal", () => {
  it("is the same for the same answers and salt, whatever else the answers carry, and another for any other", () => {
    const [one = "", other = ""] = salts();
    expect(sealOf({ ...FAULT, note: "x" } as typeof FAULT, one)).toBe(sealOf(FAULT, one));
    expect(unpackTruth(packTruth(FAULT, one))).toEqual({ ...FAULT, salt: one });
    const all = [sealOf(FAULT, one), sealOf(FAULT, other), sealOf(NOTHING, one), sealOf(NOTHING, other)];
    expect(new Set(all).size).toBe(4);
  });

  // Each of the 64 bits is a fair coin over the salts: of 4000, 2000 on average with a deviation of 31.6; five of them are 158.
  it.each([
    ["nothing was wrong", NOTHING],
    ["something was", FAULT],
  ])("favours no value over the salts where %s, so that it speaks for no answer", (_what, truth) => {
    const ones = new Array<number>(64).fill(0);
    const seen = new Set<string>();
    for (const salt of salts()) {
      const seal = sealOf(truth, salt);
      seen.add(seal);
      const bits = BigInt(`0x${seal}`);
      for (let bit = 0; bit < 64; bit++) if ((bits >> BigInt(bit)) & 1n) ones[bit] = (ones[bit] ?? 0) + 1;
    }
    expect(seen.size).toBe(SALTS);
    for (const count of ones) expect(Math.abs(count - SALTS / 2)).toBeLessThan(158);
  });
});
