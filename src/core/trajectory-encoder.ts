/** Writes the lines of a recording. Keys stand in a fixed order, so that a replay writes the same bytes. */
import type { Action, Problem } from "./action";
import { type Difference, Follower } from "./follower";
import { jsonText, keptText, quoted } from "./json-text";
import { type Actor, type EpisodeLine, SCHEMA } from "./trajectory-lines";
import type { Grade, Observation } from "./world";

/** What a step line says beside the observation. */
export interface StepFacts {
  readonly actor: Actor;
  readonly action: Action;
  readonly done: boolean;
  readonly problem?: Problem | undefined;
  readonly reasoning?: string | undefined;
  readonly proposed_by?: string | undefined;
  readonly hindsight?: boolean | undefined;
  readonly wall_think_ms?: number | null | undefined;
  readonly usage?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Turns the events of one episode into lines (each ends in a newline). Keys stand in a fixed order, so that a replay
 * writes the same bytes. The encoder remembers the observation of the last step to write patches; an ending or a note
 * changes nothing, so that a run can go on after it, or after it could not be written.
 */
export class TrajectoryEncoder {
  private index = 0;
  private readonly follower = new Follower();

  episode(facts: Omit<EpisodeLine, "schema" | "type">): string {
    return line({ schema: SCHEMA, type: "episode", ...facts });
  }

  /** `before` is the observation the action was chosen on. */
  step(before: Observation, facts: StepFacts): string {
    return `${this.stepHead(facts)}${this.stepObserved(before)}${stepTail(facts, facts.done, facts.problem)}\n`;
  }

  /** A step line is made of three parts: who acted, … */
  stepHead({ actor, proposed_by }: Pick<StepFacts, "actor" | "proposed_by">): string {
    const proposed = proposed_by === undefined ? "" : `,"proposed_by":${quoted(proposed_by)}`;
    return `${this.stepStart()},"actor":${quoted(actor)}${proposed}`;
  }

  /** What the next step line begins with, whoever acted. */
  stepStart(): string {
    return `{"schema":"${SCHEMA}","type":"step","index":${this.index}`;
  }

  /** … on what, … */
  stepObserved(before: Observation): string {
    this.index++;
    return `,${observed(before, this.follower.next(before))}`;
  }

  /** Where the part of `stepObserved` that begins at a place of a recorded line ends; −1 when it is another one. */
  endOfObserved(before: Observation, recorded: string, at: number): number {
    if (this.index++ === 0) return endOf(`,${observed(before, this.follower.next(before))}`, recorded, at);
    const patch = endOf(',"patch":', recorded, at);
    const { end, digest } = this.follower.check(before, recorded, patch);
    return endOf(`,"digest":"${digest}"`, recorded, end);
  }

  note(text: string): string {
    return line({ schema: SCHEMA, type: "note", step: this.index, text });
  }

  /** `truth` is that of an imported scenario's file, which no line before this one may hold; null for others. */
  grade(final: Observation, grade: Grade, hindsight: boolean, truth: string | null = null): string {
    const seen = observed(final, this.follower.look(final));
    const held = truth === null ? "" : `,"scenario_truth":${quoted(truth)}`;
    return `{"schema":"${SCHEMA}","type":"grade",${seen},"grade":${gradeText(grade)}${held},"hindsight":${hindsight}}\n`;
  }

  abandoned(final: Observation, reason: string): string {
    const seen = observed(final, this.follower.look(final));
    return `{"schema":"${SCHEMA}","type":"abandoned","reason":${quoted(reason)},${seen}}\n`;
  }
}

/** Where a text ends that begins at a place of another; −1 when it does not, or the place is before the beginning. */
export function endOf(text: string, whole: string, at: number): number {
  const end = at + text.length;
  return at >= 0 && whole.slice(at, end) === text ? end : -1;
}

function observed(observation: Observation, { patch, digest }: Difference): string {
  const seen = patch !== null ? `"patch":${patch}` : `"observation":${jsonText(observation)}`;
  return `${seen},"digest":"${digest}"`;
}

/** What was true is the same for all runs of a draw. */
function gradeText(grade: Grade): string {
  const { truth } = grade;
  const rest = JSON.stringify({ ...grade, truth: undefined }).slice(0, -1);
  return `${rest},"truth":${typeof truth === "object" && truth ? keptText(truth).text : jsonText(truth)}}`;
}

/** … and what was done. */
export function stepTail(
  { action, reasoning, hindsight, wall_think_ms, usage }: Omit<StepFacts, "actor" | "proposed_by" | "done" | "problem">,
  done: boolean,
  problem: Problem | undefined,
): string {
  let text = `,"action":{"name":${quoted(action.name)},"args":${JSON.stringify(action.args)}}`;
  if (reasoning !== undefined) text += `,"reasoning":${quoted(reasoning)}`;
  if (problem !== undefined) text += `,"problem":${JSON.stringify(problem)}`;
  text += `,"done":${done}`;
  if (hindsight) text += `,"hindsight":true`;
  if (wall_think_ms !== undefined) text += `,"wall_think_ms":${JSON.stringify(wall_think_ms)}`;
  if (usage !== undefined) text += `,"usage":${JSON.stringify(usage)}`;
  return `${text}}`;
}

function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
