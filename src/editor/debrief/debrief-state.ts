/** What a debrief shows of a recording. Pure; truth comes from the grade line alone, which only ends a finished run. */
import type { Action, ActionForm } from "../../core/action";
import { wordsOf } from "../../core/options";
import { observations, readTrajectory, type StepLine, type Trajectory, tornTail } from "../../core/trajectory";
import { truthLines } from "../../core/truth-lines";
import type { Grade, Observation, World } from "../../core/world";
import type { DebriefPanelState, DebriefStep } from "../../panel-protocol";
import { lostPoints } from "./lost-points";

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
  world: Pick<World, "tellTruth"> = {},
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
    truth: grade ? truthLines(grade.truth, world) : [],
    words: wordsOf(forms),
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
    args: argsOf(step.action, form),
    title: form?.title ?? step.action.name,
    risk: form?.risk ?? "change",
    result: result?.text ?? null,
    resultId: result?.id ?? null,
    problem: step.problem?.message ?? null,
    reasoning: step.reasoning ?? null,
  };
}

/** A file may hold anything, so a value of any kind is shown as it is. */
function argsOf({ args }: Action, form: ActionForm | undefined): DebriefStep["args"] {
  return Object.entries(args).map(([name, value]) => {
    const field = form?.fields.find((each) => each.name === name);
    const text = typeof value === "string" ? value : Array.isArray(value) ? value.map(plain).join(", ") : plain(value);
    const words = field?.words ?? {};
    return { title: field?.title ?? name, text: (Object.hasOwn(words, text) && words[text]) || text };
  });
}

function plain(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function tornText(tail: string): string {
  const size = tail.length === 1 ? "1 character" : `${tail.length} characters`;
  return `The last line was cut off (${size}), as by a crash or a full disk; it is left out here. Resuming the run sets it aside in a .torn file.`;
}
