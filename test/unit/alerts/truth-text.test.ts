import { describe, expect, it } from "vitest";
import { runEpisode } from "../../../src/core/run";
import { againstPage } from "../../../src/worlds/alerts/generator/sealing";
import { truthText } from "../../../src/worlds/alerts/truth-text";
import { loadWorld } from "../../../src/worlds/catalogue";

const incident = {
  id: "i1",
  story: "At noon the vendor answers slowly.",
  component: "card-gateway",
  mechanism: "third_party_slow",
  meaning: "a vendor answers slowly or not at all",
  severity: "P2",
  team: "app",
  onset: -14,
  healed: null as number | null,
  determined: true,
  alerts: ["a06", "a07"],
  wouldHaveTold: [
    [
      { action: "impact", args: { service: "loans-api" } },
      { action: "query_history", args: { service: "card-gateway", metric: "rtt.p95", minutes: 60 } },
    ],
    [{ action: "recent_changes", args: { minutes: 1 } }],
  ],
};
const truth = {
  kind: "alerts",
  disposition: "routed",
  alsoTrue: [] as string[],
  par: 11,
  incidents: [incident],
  noise: [] as { alert: string; story: string }[],
  canary: "xyz",
};

/** The texts under a heading, in order. */
function told(given: unknown, heading: string): string[] {
  return (truthText(given) ?? []).filter((line) => line.heading === heading).map((line) => line.text);
}

describe("what was true behind alerts", () => {
  it("is told in sentences with units, without names of the data and without the canary", () => {
    expect(truthText(truth)).toEqual([
      { heading: "Decision", text: "“Routed to the teams” was right." },
      { heading: "Incident", text: "At noon the vendor answers slowly." },
      { heading: "Cause", text: "Slow third party in card-gateway: a vendor answers slowly or not at all." },
      { heading: "When", text: "Began 14 minutes before the page and went on." },
      { heading: "Answer", text: "P2, to the team app." },
      { heading: "Alerts", text: "2 alerts: a06, a07." },
      { heading: "Shown by", text: "the customer impact of loans-api; rtt.p95 of card-gateway over 60 minutes." },
      { heading: "Shown by, or", text: "the changes of all services over 1 minute." },
      { heading: "Steps", text: "A right answer takes about 11 steps." },
    ]);
  });

  it.each([
    [-10.5, -0.75, "Began 11 minutes before the page and healed by itself 1 minute before the page."],
    [-1, 2.5, "Began 1 minute before the page and healed by itself 3 minutes after the page."],
    [-0.25, null, "Began less than a minute before the page and went on."],
    [0, null, "Began with the page and went on."],
  ])("says of an onset at %s and a healing at %s: %s", (onset, healed, text) => {
    expect(told({ ...truth, incidents: [{ ...incident, onset, healed }] }, "When")).toEqual([text]);
  });

  it("names every decision that was right, and says so when nothing happened", () => {
    const quiet = { ...truth, disposition: "no_fault", alsoTrue: ["self_recovered"], incidents: [] };
    expect(told(quiet, "Decision")).toEqual(["“Nothing was wrong” was right, and so was “Recovered by itself”."]);
    expect(told(quiet, "Incidents")).toEqual(["There was none."]);
  });

  it("numbers incidents where there are several, and says when reads do not show the cause", () => {
    const two = { ...truth, incidents: [incident, { ...incident, determined: false, mechanism: "undetermined" }] };
    expect((truthText(two) ?? []).map((line) => line.heading)).toEqual(
      expect.arrayContaining(["Incident 1", "Incident 2"]),
    );
    expect(told(two, "Cause")[1]).toContain("Undetermined in card-gateway");
    expect(told(two, "Cause")[1]).toContain("What can be read does not show it.");
  });

  it("tells a story of noise once for all alerts it is about", () => {
    const noise = [
      { alert: "a01", story: "A nightly job." },
      { alert: "a02", story: "" },
      { alert: "a03", story: "A nightly job." },
    ];
    expect(told({ ...truth, noise }, "Noise")).toEqual(["a01, a03: A nightly job.", "a02."]);
  });

  it("is told of every kind of episode that the world grades", async () => {
    const world = await loadWorld("alerts");
    const [giveUp] = world.players.filter((player) => player.name === "idle");
    if (!giveUp) throw new Error("There is no idle player.");
    for (const scenario of [world.scenarios()[0]?.id ?? "", "task_easy", "task_hard"]) {
      const { grade } = runEpisode(world.open(scenario, 1), giveUp);
      expect(world.tellTruth?.(grade.truth)?.length).toBeGreaterThan(2);
    }
  });

  it("is left to others where its shape is unknown", () => {
    for (const other of [null, 7, {}, { ...truth, kind: "words" }, { ...truth, par: "many" }])
      expect(truthText(other)).toBeNull();
  });
});

describe("the story of an incident", () => {
  it.each([
    [-14.4, "14 minutes before the page"],
    [-1.2, "1 minute before the page"],
    [-0.4, "With the page"],
    [0.4, "With the page"],
    [1, "1 minute after the page"],
    [2.5, "3 minutes after the page"],
  ])("begins %d minutes after the page as “%s”", (minute, said) => {
    expect(againstPage(minute)).toBe(said);
  });
});
