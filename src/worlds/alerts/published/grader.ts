/**
 * How a published task is scored.
 *
 * Published: easy .50 severity + .50 team · medium .35 severity + .35 team + .30 root cause · hard .20 noise F1 +
 * .25 severity + .25 team + .30 root cause − .20 per real alert suppressed, not clamped. Severity and team are right or
 * wrong. The reward of a step is the published score of that triage; the score of the task is that of the last one.
 *
 * Strict: team × severity (1, ½ one level off, 0) × noise F1 in task_hard; free text counts for nothing. A real alert
 * suppressed caps the grade.
 */
import { round } from "../../../core/math";
import { capped, f1, type GradePart, leaf, product, weighted } from "../../../core/rubric";
import { SEVERITIES } from "../draw";
import type { Triage } from "./actions";
import type { TaskId } from "./scenarios";
import type { PublishedTruth } from "./truth";

interface Weights {
  readonly severity: number;
  readonly team: number;
  readonly rootCause: number;
  readonly noise: number;
  /** Taken off for each real alert suppressed. */
  readonly wronglySuppressed: number;
}

/** Published weights. */
export const WEIGHTS: Readonly<Record<TaskId, Weights>> = {
  task_easy: { severity: 0.5, team: 0.5, rootCause: 0, noise: 0, wronglySuppressed: 0 },
  task_medium: { severity: 0.35, team: 0.35, rootCause: 0.3, noise: 0, wronglySuppressed: 0 },
  task_hard: { severity: 0.25, team: 0.25, rootCause: 0.3, noise: 0.2, wronglySuppressed: 0.2 },
};

/** Strict: what a severity one level off is worth. */
export const ONE_LEVEL_OFF = 0.5;
/** Strict: the most a triage can get that silences an alert of a live incident. */
export const CATASTROPHE_CAP = 0.15;

/**
 * The share of keyword groups a text names, 0..1: a group counts when one of its words begins a word of the text, case
 * ignored ("saturat" is found in "CPU saturation"); a keyword of several words needs them side by side. So two groups of
 * three give 2/3.
 */
export function keywordShare(text: string, groups: readonly (readonly string[])[]): number {
  if (groups.length === 0) return 0;
  const words = ` ${text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .join(" ")}`;
  let named = 0;
  for (const group of groups) if (group.some((keyword) => words.includes(` ${keyword}`))) named++;
  return named / groups.length;
}

/** The published score of one triage, on the original's scale. */
export function publishedScore(task: TaskId, truth: PublishedTruth, triage: Triage | null): GradePart {
  if (!triage) return leaf("published", 0, "no triage was given");
  const weights = WEIGHTS[task];
  const parts: [number, GradePart][] = [
    [weights.severity, severityPart(truth, triage, 0)],
    [weights.team, teamPart(truth, triage)],
  ];
  if (weights.rootCause > 0) {
    const share = keywordShare(triage.root_cause, truth.keywords);
    const all = truth.keywords.length;
    parts.push([
      weights.rootCause,
      leaf("root cause", share, `names ${round(share * all)} of the cause's ${all} keywords`),
    ]);
  }
  if (weights.noise > 0) {
    const wrong = wronglySuppressed(truth, triage);
    parts.push([weights.noise, noisePart(truth, triage)]);
    const reason = wrong.length === 0 ? "no real alert was suppressed" : `real but suppressed: ${wrong.join(", ")}`;
    parts.push([-weights.wronglySuppressed, leaf("wrongly suppressed", wrong.length, reason, wrong)]);
  }
  return weighted("published", parts, "the original's weights");
}

/** The strict grade of the triage that stands at the end, 0..1. */
export function strictGrade(task: TaskId, truth: PublishedTruth, triage: Triage | null): GradePart {
  if (!triage) return leaf("grade", 0, "no triage was given");
  const factors = [teamPart(truth, triage), severityPart(truth, triage, ONE_LEVEL_OFF)];
  if (WEIGHTS[task].noise > 0) factors.push(noisePart(truth, triage));
  const wrong = wronglySuppressed(truth, triage);
  const outcome = product("outcome", factors, "team × severity, × noise where there is noise");
  return capped("grade", outcome, [
    {
      name: "catastrophe",
      limit: CATASTROPHE_CAP,
      holds: wrong.length > 0,
      reason:
        wrong.length > 0
          ? `an alert of a live incident was suppressed (${wrong.join(", ")})`
          : "nothing real was suppressed",
      evidence: wrong,
    },
  ]);
}

function severityPart(truth: PublishedTruth, triage: Triage, oneOff: number): GradePart {
  const distance = Math.abs(SEVERITIES.indexOf(triage.severity) - SEVERITIES.indexOf(truth.severity));
  const value = distance === 0 ? 1 : distance === 1 ? oneOff : 0;
  const reason = distance === 0 ? `${truth.severity} is right` : `${triage.severity} given, ${truth.severity} is right`;
  return leaf("severity", value, reason);
}

function teamPart(truth: PublishedTruth, triage: Triage): GradePart {
  const right = triage.team === truth.team;
  return leaf("team", right ? 1 : 0, right ? `${truth.team} is right` : `${triage.team} given, ${truth.team} is right`);
}

function noisePart(truth: PublishedTruth, triage: Triage): GradePart {
  const noise = new Set(truth.noise);
  const found = triage.suppressed.filter((id) => noise.has(id));
  const reason = `${found.length} of ${noise.size} noise alerts among ${triage.suppressed.length} suppressed`;
  return leaf("noise F1", f1(new Set(triage.suppressed), noise), reason, found);
}

function wronglySuppressed(truth: PublishedTruth, triage: Triage): string[] {
  return triage.suppressed.filter((id) => truth.real.includes(id));
}
