/** What a debrief shows of a recording. Pure; truth comes from the grade line alone, which only ends a finished run. */
import type { ActionForm } from "../../core/action";
import { observations, readTrajectory, type StepLine, type Trajectory, tornTail } from "../../core/trajectory";
import type { Grade, Observation } from "../../core/world";
import type { DebriefPanelState, DebriefStep } from "../../panel-protocol";
import { lostPoints } from "./lost-points";
import { truthLines } from "./truth-lines";

export interface DebriefSource {
  /** As people name the file. */
  readonly file: string;
  readonly text: string;
}

/** @throws TrajectoryError when the file cannot be read. */
export function readDebrief(source: DebriefSource): { readonly trajectory: Trajectory; readonly torn: string | null } {
  const torn = tornTail(source.text);
  return { trajectory: readTrajectory(source.text), torn: torn ? tornText(torn) : null };
}

/** The state before replay and reference players are worked out. @throws TrajectoryError when a patch does not fit. */
export function debriefState(
  source: DebriefSource,
  trajectory: Trajectory,
  torn: string | null,
  forms: readonly ActionForm[],
): DebriefPanelState {
  const { episode, end } = trajectory;
  const grade = end?.type === "grade" ? (end.grade as unknown as Grade) : null;
  return {
    kind: "debrief",
    file: source.file,
    title: episode.title,
    scenario: episode.scenario,
    seed: episode.seed,
    openedBy: episode.opened_by,
    openedAt: episode.wall_opened_at,
    version: episode.version,
    status: statusOf(trajectory, grade),
    hindsight: end?.type === "grade" && end.hindsight,
    grade,
    lost: grade?.strictTree ? lostPoints(grade.strictTree) : [],
    steps: stepsOf(trajectory, forms),
    notes: trajectory.notes.map(({ step, text }) => ({ step, text })),
    references: grade ? null : [],
    replay: { status: "running" },
    truth: grade ? truthLines(grade.truth) : [],
    torn,
    ui: { step: null },
  };
}

function statusOf(trajectory: Trajectory, grade: Grade | null): DebriefPanelState["status"] {
  if (grade) return grade.ungraded === null ? "graded" : "ungraded";
  return trajectory.end?.type === "abandoned" ? "abandoned" : "unfinished";
}

function stepsOf(trajectory: Trajectory, forms: readonly ActionForm[]): DebriefStep[] {
  const seen = observations(trajectory);
  return trajectory.steps.map((step, i) => stepOf(step, seen[i] as Observation, seen[i + 1], forms));
}

/** `after` is missing for the last step of a run that was cut off. */
function stepOf(
  step: StepLine,
  before: Observation,
  after: Observation | undefined,
  forms: readonly ActionForm[],
): DebriefStep {
  const form = forms.find((each) => each.name === step.action.name);
  const result = step.problem ? null : (after?.lastResult ?? null);
  return {
    index: step.index,
    actor: step.actor,
    clock: before.clock,
    minute: before.minute,
    action: step.action,
    title: form?.title ?? step.action.name,
    risk: form?.risk ?? "change",
    result: result?.text ?? null,
    resultId: result?.id ?? null,
    problem: step.problem?.message ?? null,
    reasoning: step.reasoning ?? null,
  };
}

function tornText(tail: string): string {
  const size = tail.length === 1 ? "1 character" : `${tail.length} characters`;
  return `The last line was cut off (${size}), as by a crash or a full disk; it is left out here. Resuming the run sets it aside in a .torn file.`;
}
