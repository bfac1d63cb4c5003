import { describe, expect, it } from "vitest";
import { truthLines } from "../../../src/core/truth-lines";

describe("what was true, of a world that does not tell it in sentences", () => {
  it("becomes one line a record, the story first, without canaries", () => {
    const truth = {
      disposition: "routed",
      incidents: [{ component: "cart", alerts: ["a1", "a2"], story: "The cache was lost." }],
      noiseStories: { a3: "a nightly job" },
      alsoTrue: [],
      canary: "xyz",
    };
    expect(truthLines(truth)).toEqual([
      { heading: "Disposition", text: "routed" },
      { heading: "Incidents", text: "The cache was lost. · Component: cart · Alerts: a1, a2" },
      { heading: "Noise stories: a3", text: "a nightly job" },
    ]);
  });

  it("names reads by what they are about, and parts one way of finding out from another", () => {
    const read = (service: string) => ({ action: "impact", args: { service } });
    const told = [[read("api"), read("db")], [read("edge")]];
    expect(truthLines({ incidents: [{ story: "It leaked.", wouldHaveTold: told }] })).toEqual([
      { heading: "Incidents", text: "It leaked. · Would have told: impact api, impact db — or — impact edge" },
    ]);
  });

  it("is nothing where there is no truth", () => {
    expect(truthLines(null)).toEqual([]);
  });

  it("is told by its world where the world knows its shape", () => {
    const tellTruth = (truth: unknown) => (truth === 1 ? [{ heading: "It", text: "was one." }] : null);
    expect(truthLines(1, { tellTruth })).toEqual([{ heading: "It", text: "was one." }]);
    expect(truthLines({ a: 2 }, { tellTruth })).toEqual([{ heading: "A", text: "2" }]);
  });

  it("is bounded, whoever tells it", () => {
    const long = Array.from({ length: 300 }, () => ({ heading: "x", text: "y".repeat(5000) }));
    const lines = truthLines(null, { tellTruth: () => long });
    expect([lines.length, lines[0]?.text.length]).toEqual([200, 2000]);
  });
});
