/** Grades a recorded run again under this version's graders, and says part by part what changed. */

import { Follower } from "./follower";
import { gradeOf } from "./grade";
import { openRecorded } from "./replay";
import { flatten, type GradePart } from "./rubric";
import { sourceOf } from "./scenario-source";
import type { Trajectory } from "./trajectory";
import type { Grade, RubricName, World } from "./world";

/** One part of the grade before and after; null where there was, or is, no such part. */
export interface PartChange {
  /** Names from the root, joined by ` / `. */
  readonly path: string;
  readonly before: number | null;
  readonly after: number | null;
  /** Why it is what it is now, or was. */
  readonly reason: string;
}

export interface Regrade {
  /** The recorded grade under the rubric; null when the run was ungraded or the rubric does not apply. */
  readonly before: number | null;
  readonly after: number | null;
  /** Every part, in the order of the tree now; parts that are gone come last. */
  readonly parts: readonly PartChange[];
}

/**
 * Regrades a finished run.
 * @throws Error in one sentence when it is unfinished, its scenario's content has changed, the rubric does not apply to it,
 * or this version plays it differently. ScenarioError when its scenario is gone.
 */
export function regrade(world: World, trajectory: Trajectory, rubric: RubricName): Regrade {
  const { end, episode } = trajectory;
  if (end?.type !== "grade") throw new Error("The run is not finished, so it has no grade; play it to its end first.");
  if (world.contentHash(sourceOf(trajectory)) !== episode.content_hash)
    throw new Error(
      `The scenario has changed since version ${episode.version} recorded the run; it cannot be regraded.`,
    );
  const before = end.grade as unknown as Grade;
  const after = gradeSteps(world, trajectory);
  if (rubric === "published" && before.publishedTree === null && after.publishedTree === null)
    throw new Error("The published rubric applies to the published scenarios only; use --rubric strict.");
  const was = rubric === "strict" ? before.strictTree : before.publishedTree;
  const is = rubric === "strict" ? after.strictTree : after.publishedTree;
  return { before: before[rubric] ?? null, after: after[rubric] ?? null, parts: changes(was, is) };
}

/** Takes the recorded steps again; each must be chosen on what the recording shows, else the grade is of another run. */
function gradeSteps(world: World, trajectory: Trajectory): Grade {
  const run = openRecorded(world, trajectory);
  const follower = new Follower();
  const rewards = trajectory.steps.map((step) => {
    if (follower.next(run.observe()).digest !== step.digest)
      throw new Error(
        `This version shows something else at step ${step.index} than the recording; it cannot be regraded.`,
      );
    return run.step(step.action).reward;
  });
  return gradeOf(run, rewards);
}

function changes(before: GradePart | null, after: GradePart | null): PartChange[] {
  const was = partsByPath(before);
  const is = partsByPath(after);
  const out: PartChange[] = [];
  for (const [path, part] of is)
    out.push({ path, before: was.get(path)?.value ?? null, after: part.value, reason: part.reason });
  for (const [path, part] of was)
    if (!is.has(path)) out.push({ path, before: part.value, after: null, reason: part.reason });
  return out;
}

/** Parts of one name under one parent (one for each incident, say) are told apart by a number. */
function partsByPath(root: GradePart | null): Map<string, GradePart> {
  const out = new Map<string, GradePart>();
  for (const { path, part } of root ? flatten(root) : []) {
    let key = path;
    for (let n = 2; out.has(key); n++) key = `${path} (${n})`;
    out.set(key, part);
  }
  return out;
}
