/** What listings say of a run, read from the first and the last line of its recording only. */
import { readLine, TrajectoryError, type TrajectoryLine } from "../core/trajectory";
import type { Grade, RubricName } from "../core/world";

export interface RunSummary {
  readonly run: string;
  readonly world: string;
  readonly scenario: string;
  readonly title: string;
  readonly seed: number;
  readonly split: string;
  readonly rubric: RubricName;
  readonly contentHash: string;
  /** Who opened it: `human`, `policy:rules`, … */
  readonly player: string;
  /** ISO 8601. */
  readonly openedAt: string;
  readonly version: string;
  readonly parent: { readonly run: string; readonly step: number } | null;
  /** `unfinished` runs can be resumed, and so can `abandoned` ones. */
  readonly status: "graded" | "ungraded" | "abandoned" | "unfinished";
  /** The strict grade, 0..1, and the published one on its own scale; null where there is none. */
  readonly strict: number | null;
  readonly published: number | null;
  readonly hindsight: boolean;
  /** Steps taken; null where the last line does not tell. */
  readonly steps: number | null;
}

/**
 * Summarises a recording. A torn last line is left out.
 * @throws TrajectoryError when the first or the last whole line cannot be read.
 */
export function summarise(text: string): RunSummary {
  const end = text.lastIndexOf("\n");
  const firstEnd = text.indexOf("\n");
  const lastStart = text.lastIndexOf("\n", end - 1) + 1;
  return summaryOf(text.slice(0, Math.max(0, firstEnd)), text.slice(lastStart, Math.max(0, end)));
}

/** The same from the two lines, without their newlines. */
export function summaryOf(firstLine: string, lastLine: string): RunSummary {
  const first = readLine(firstLine.replace(/^\uFEFF/, ""), 1);
  if (first.type !== "episode")
    throw new TrajectoryError("Line 1 is not an episode line, so this is no Firedrill recording.", 1);
  const last = lastLine === firstLine ? first : readLine(lastLine, 2);
  const grade = last.type === "grade" ? (last.grade as unknown as Grade) : null;
  return {
    run: first.run,
    world: first.world,
    scenario: first.scenario,
    title: first.title,
    seed: first.seed,
    split: first.split,
    rubric: first.rubric,
    contentHash: first.content_hash,
    player: first.opened_by,
    openedAt: first.wall_opened_at,
    version: first.version,
    parent: first.parent ?? null,
    status: statusOf(last),
    strict: grade?.strict ?? null,
    published: grade?.published ?? null,
    hindsight: last.type === "grade" && last.hindsight,
    steps: stepsOf(last),
  };
}

function statusOf(last: TrajectoryLine): RunSummary["status"] {
  if (last.type === "abandoned") return "abandoned";
  if (last.type !== "grade") return "unfinished";
  return (last.grade as { ungraded?: unknown }).ungraded ? "ungraded" : "graded";
}

function stepsOf(last: TrajectoryLine): number | null {
  if (last.type === "episode") return 0;
  if (last.type === "step") return last.index + 1;
  if (last.type === "note") return last.step;
  if (last.type !== "grade") return null;
  const { rewards } = last.grade as { rewards?: unknown };
  return Array.isArray(rewards) ? rewards.length : null;
}
