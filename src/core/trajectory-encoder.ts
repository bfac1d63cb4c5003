/** Writes the lines of a recording. Keys stand in a fixed order, so that a replay writes the same bytes. */
import type { Action, Problem } from "./action";
import { type Difference, Follower, type PatchOperation } from "./json";
import { jsonText, quoted } from "./json-text";
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
    return this.stepHead(facts) + this.stepObserved(before) + stepTail(facts);
  }

  /** A step line is made of three parts: who acted, … */
  stepHead({ actor, proposed_by }: Pick<StepFacts, "actor" | "proposed_by">): string {
    const head = { schema: SCHEMA, type: "step", index: this.index, actor, proposed_by };
    return JSON.stringify(head).slice(0, -1);
  }

  /** … on what, … */
  stepObserved(before: Observation): string {
    this.index++;
    return `,${observed(before, this.follower.next(before))}`;
  }

  note(text: string): string {
    return line({ schema: SCHEMA, type: "note", step: this.index, text });
  }

  /** `truth` is that of an imported scenario's file, which no line before this one may hold; null for others. */
  grade(final: Observation, grade: Grade, hindsight: boolean, truth: string | null = null): string {
    const seen = observed(final, this.follower.look(final));
    const held = truth === null ? "" : `,"scenario_truth":${quoted(truth)}`;
    return `{"schema":"${SCHEMA}","type":"grade",${seen},"grade":${jsonText(grade)}${held},"hindsight":${hindsight}}\n`;
  }

  abandoned(final: Observation, reason: string): string {
    const seen = observed(final, this.follower.look(final));
    return `{"schema":"${SCHEMA}","type":"abandoned","reason":${quoted(reason)},${seen}}\n`;
  }
}

function observed(observation: Observation, { patch, digest }: Difference): string {
  const seen = patch ? `"patch":${patchText(patch)}` : `"observation":${jsonText(observation)}`;
  return `${seen},"digest":"${digest}"`;
}

function patchText(patch: readonly PatchOperation[]): string {
  let text = "";
  for (const operation of patch) {
    const { op, path } = operation;
    const value = operation.op === "remove" ? "" : `,"value":${jsonText(operation.value)}`;
    text += `${text ? "," : ""}{"op":"${op}","path":${quoted(path)}${value}}`;
  }
  return `[${text}]`;
}

/** … and what was done. */
export function stepTail(facts: Omit<StepFacts, "actor" | "proposed_by">): string {
  const { action, reasoning, problem, done, hindsight, wall_think_ms, usage } = facts;
  const tail = {
    action: { name: action.name, args: action.args },
    ...{ reasoning, problem, done, hindsight: hindsight || undefined, wall_think_ms, usage },
  };
  return `,${JSON.stringify(tail).slice(1)}\n`;
}

function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
