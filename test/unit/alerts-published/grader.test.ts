import { describe, expect, it } from "vitest";
import { type Triage, triageOf } from "../../../src/worlds/alerts/published/actions";
import { keywordShare, publishedScore, strictGrade } from "../../../src/worlds/alerts/published/grader";
import type { PublishedTruth } from "../../../src/worlds/alerts/published/truth";

const TRUTH: PublishedTruth = {
  family: "made for these tests",
  severity: "P2",
  team: "database",
  rootCause: "The disk of the primary is full.",
  keywords: [["disk", "volume"], ["full", "no space"], ["primary"]],
  noise: ["a07", "a08", "a09", "a10", "a11"],
  real: ["a01", "a02", "a03", "a04", "a05", "a06"],
  canary: "",
};

function triage(changes: Partial<Triage> = {}): Triage {
  return { severity: "P2", team: "database", root_cause: "", suppressed: [], ...changes };
}

describe("the share of keywords a root cause names", () => {
  it.each([
    ["", 0],
    ["everything is broken", 0],
    ["The DISK of the primary is full", 1],
    ["disks fill up", 1 / 3],
    ["No space left on the volume", 2 / 3],
    ["no. space, volume", 2 / 3],
    ["nothing in space, volume", 1 / 3],
    ["a floppydisk", 0],
    ["disk disk disk volume", 1 / 3],
  ])("is that of its groups: %j gives %d", (text, share) => {
    expect(keywordShare(text, TRUTH.keywords)).toBeCloseTo(share, 12);
  });
});

describe("the published score", () => {
  it.each([
    ["both right", triage(), 1],
    ["severity right", triage({ team: "app" }), 0.5],
    ["team right, severity one level off: no partial credit", triage({ severity: "P1" }), 0.5],
    ["both wrong", triage({ severity: "P4", team: "sre" }), 0],
    ["suppression does not count", triage({ suppressed: ["a01"] }), 1],
  ])("of task_easy is half severity, half team: %s", (_, given, score) => {
    expect(publishedScore("task_easy", TRUTH, given).value).toBeCloseTo(score, 12);
  });

  it.each([
    // .35 + .35 + .30
    ["all right", triage({ root_cause: "primary: disk full" }), 1],
    // .35 + .35 + .30 × 2/3
    ["two of three keywords", triage({ root_cause: "disk full" }), 0.9],
    // .35 + 0 + .30 × 1/3
    ["wrong team, one keyword", triage({ team: "network", root_cause: "primary" }), 0.45],
    ["only the team", triage({ severity: "P3" }), 0.35],
  ])("of task_medium adds the root cause: %s", (_, given, score) => {
    expect(publishedScore("task_medium", TRUTH, given).value).toBeCloseTo(score, 12);
  });

  it.each([
    // .20·1 + .25 + .25 + .30
    ["all right", triage({ root_cause: "primary disk full", suppressed: TRUTH.noise }), 1],
    // nothing suppressed: F1 0; .25 + .25 + .30
    ["no noise found", triage({ root_cause: "primary disk full" }), 0.8],
    // 3 of 5 found: F1 = 2·3 ÷ (3 + 5) = .75; .15 + .25 + .25
    ["three of five", triage({ suppressed: ["a07", "a08", "a09"] }), 0.65],
    // 4 noise + 1 real: F1 = 2·4 ÷ (5 + 5) = .8; .16 + .25 + .25 − .20
    ["one real among them", triage({ suppressed: ["a07", "a08", "a09", "a10", "a01"] }), 0.46],
    // all 11: F1 = 10 ÷ 16 = .625; .125 − 6 × .20 = −1.075, not clamped
    [
      "everything suppressed, all else wrong",
      triage({ severity: "P4", team: "app", suppressed: [...TRUTH.real, ...TRUTH.noise] }),
      -1.075,
    ],
  ])("of task_hard adds the noise and takes off for real alerts: %s", (_, given, score) => {
    expect(publishedScore("task_hard", TRUTH, given).value).toBeCloseTo(score, 12);
  });

  it("is 0 without a triage", () => {
    expect(publishedScore("task_hard", TRUTH, null).value).toBe(0);
  });
});

describe("the strict grade of a published task", () => {
  it.each([
    ["right", triage(), 1],
    ["one level off", triage({ severity: "P1" }), 0.5],
    ["two levels off", triage({ severity: "P4" }), 0],
    ["wrong team", triage({ team: "app" }), 0],
    ["the only alert suppressed is a catastrophe", triage({ suppressed: ["a01"] }), 0.15],
  ])("of task_easy is team times severity: %s", (_, given, grade) => {
    expect(strictGrade("task_easy", TRUTH, given).value).toBeCloseTo(grade, 12);
  });

  it.each([
    ["right", triage({ suppressed: TRUTH.noise }), 1],
    // F1 of 3 of 5 = .75, one level off
    ["three of five, one level off", triage({ severity: "P3", suppressed: ["a07", "a08", "a09"] }), 0.375],
    ["no noise named", triage(), 0],
    // F1 = .8, but a real alert is silenced
    ["one real among them", triage({ suppressed: ["a07", "a08", "a09", "a10", "a01"] }), 0.15],
    // F1 = 2·1 ÷ (7 + 5) = 1/6, half for the severity: 1/12 lies below the cap and stays
    ["worse than the cap", triage({ severity: "P3", suppressed: ["a07", ...TRUTH.real] }), 1 / 12],
  ])("of task_hard is also times noise F1: %s", (_, given, grade) => {
    expect(strictGrade("task_hard", TRUTH, given).value).toBeCloseTo(grade, 12);
  });

  it("does not read free text", () => {
    const good = strictGrade("task_medium", TRUTH, triage({ root_cause: "primary disk full" }));
    expect(good).toEqual(strictGrade("task_medium", TRUTH, triage({ root_cause: "who knows" })));
  });

  it("is 0 without a triage", () => {
    expect(strictGrade("task_hard", TRUTH, null).value).toBe(0);
  });
});

it("a triage that names an alert twice suppresses it once", () => {
  const given = triageOf({ severity: "P2", team: "database", suppressed: ["a07", "a07"] });
  expect(given).toEqual({ severity: "P2", team: "database", root_cause: "", suppressed: ["a07"] });
});
