/**
 * The record of an episode: JSON Lines, one object a line, each with `schema` and `type`. This file says what a line is and
 * how a line is written and read; where the lines go is the recorder's business.
 *
 * Fields named `wall_*` hold wall-clock facts. They are never computed from and replay ignores them.
 */
import { z } from "zod";
import type { Action, Problem } from "./action";
import { applyPatch, createPatch, digest, type PatchOperation } from "./json";
import type { Grade, Observation } from "./world";

export const SCHEMA = "firedrill/1";
/** The version that is written into recordings; kept equal to package.json's by a test. */
export const PROJECT_VERSION = "0.1.0";

/** `human`, `policy:rules`, `model:NAME`. */
export type Actor = string;

const action = z.object({ name: z.string(), args: z.record(z.string(), z.unknown()) });
const problem = z.object({ code: z.string(), message: z.string(), field: z.string().optional() });
const observed = {
  /** The whole observation, in the first line that has one. */
  observation: z.record(z.string(), z.unknown()).optional(),
  /** RFC 6902 operations against the observation of the last step line above. */
  patch: z
    .array(z.object({ op: z.enum(["add", "remove", "replace"]), path: z.string(), value: z.unknown().optional() }))
    .optional(),
  /** Digest of the whole observation. */
  digest: z.string().regex(/^[0-9a-f]{16}$/),
};

export const episodeLine = z.object({
  schema: z.literal(SCHEMA),
  type: z.literal("episode"),
  run: z.string(),
  version: z.string(),
  content_hash: z.string(),
  world: z.string(),
  scenario: z.string(),
  title: z.string(),
  seed: z.number().int().min(0),
  options: z.record(z.string(), z.unknown()),
  rubric: z.enum(["strict", "published"]),
  split: z.string(),
  opened_by: z.string(),
  /** The content of an imported scenario, so that the run replays anywhere. */
  scenario_file: z.unknown().optional(),
  /** The run and step this one was forked from. */
  parent: z.object({ run: z.string(), step: z.number().int().min(0) }).optional(),
  wall_opened_at: z.string(),
});

export const stepLine = z.object({
  schema: z.literal(SCHEMA),
  type: z.literal("step"),
  index: z.number().int().min(0),
  actor: z.string(),
  /** Who proposed the action, when somebody else did. */
  proposed_by: z.string().optional(),
  ...observed,
  action,
  reasoning: z.string().optional(),
  problem: problem.optional(),
  done: z.boolean(),
  /** True when a person acted after a grade of the same content, scenario and seed was shown; else left out. */
  hindsight: z.boolean().optional(),
  wall_think_ms: z.number().nullable().optional(),
  usage: z.record(z.string(), z.unknown()).optional(),
});

export const noteLine = z.object({
  schema: z.literal(SCHEMA),
  type: z.literal("note"),
  step: z.number().int().min(0),
  text: z.string(),
});

export const gradeLine = z.object({
  schema: z.literal(SCHEMA),
  type: z.literal("grade"),
  ...observed,
  grade: z.record(z.string(), z.unknown()),
  /** True when a person acted after a graded run of the same content, scenario and seed was shown to them. */
  hindsight: z.boolean(),
});

export const abandonedLine = z.object({
  schema: z.literal(SCHEMA),
  type: z.literal("abandoned"),
  reason: z.string(),
  ...observed,
});

export const trajectoryLine = z.discriminatedUnion("type", [episodeLine, stepLine, noteLine, gradeLine, abandonedLine]);
export type EpisodeLine = z.infer<typeof episodeLine>;
export type StepLine = z.infer<typeof stepLine>;
export type NoteLine = z.infer<typeof noteLine>;
export type GradeLine = z.infer<typeof gradeLine>;
export type AbandonedLine = z.infer<typeof abandonedLine>;
export type TrajectoryLine = z.infer<typeof trajectoryLine>;

/** The JSON Schema of a line, published for other tools. */
export function trajectoryJsonSchema(): unknown {
  return z.toJSONSchema(trajectoryLine, { io: "input", unrepresentable: "any" });
}

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
  private previous: Observation | undefined;
  private index = 0;

  episode(facts: Omit<EpisodeLine, "schema" | "type">): string {
    return line({ schema: SCHEMA, type: "episode", ...facts });
  }

  /** `before` is the observation the action was chosen on. */
  step(before: Observation, facts: StepFacts): string {
    const { actor, proposed_by, action, reasoning, problem, done, hindsight, wall_think_ms, usage } = facts;
    const observed = this.observed(before);
    this.previous = before;
    return line({
      schema: SCHEMA,
      type: "step",
      index: this.index++,
      actor,
      proposed_by,
      ...observed,
      action: { name: action.name, args: action.args },
      reasoning,
      problem,
      done,
      hindsight: hindsight || undefined,
      wall_think_ms,
      usage,
    });
  }

  note(text: string): string {
    return line({ schema: SCHEMA, type: "note", step: this.index, text });
  }

  grade(final: Observation, grade: Grade, hindsight: boolean): string {
    return line({ schema: SCHEMA, type: "grade", ...this.observed(final), grade, hindsight });
  }

  abandoned(final: Observation, reason: string): string {
    return line({ schema: SCHEMA, type: "abandoned", reason, ...this.observed(final) });
  }

  private observed(observation: Observation): Record<string, unknown> {
    const before = this.previous;
    if (!before) return { observation, digest: digest(observation) };
    return { patch: createPatch(before, observation), digest: digest(observation) };
  }
}

function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

/** A line that could not be read. `line` counts from 1. */
export class TrajectoryError extends Error {
  override readonly name = "TrajectoryError";
  constructor(
    message: string,
    readonly line: number,
  ) {
    super(message);
  }
}

/** A recording, read. Lines after the last newline are never part of it. */
export interface Trajectory {
  readonly episode: EpisodeLine;
  readonly steps: readonly StepLine[];
  readonly notes: readonly NoteLine[];
  readonly end: GradeLine | AbandonedLine | null;
  /** The lines as they stand in the file, without their newlines; index 0 is line 1. */
  readonly raw: readonly string[];
  /** Indexes into `raw` of the step lines. */
  readonly stepLines: readonly number[];
}

/**
 * Reads a recording. A text that does not end in a newline has a torn last line, which is left out (see `tornTail`).
 * An `abandoned` line followed by steps was a run that was resumed; only the last ending counts.
 * @throws TrajectoryError naming the line: not JSON, not a known line, a newer schema, no `episode` line first.
 */
export function readTrajectory(text: string): Trajectory {
  const raw = linesOf(text);
  let episode: EpisodeLine | undefined;
  const steps: StepLine[] = [];
  const notes: NoteLine[] = [];
  const stepLines: number[] = [];
  let end: GradeLine | AbandonedLine | null = null;
  for (let i = 0; i < raw.length; i++) {
    const parsed = readLine(raw[i] as string, i + 1);
    if (i === 0) {
      if (parsed.type !== "episode")
        throw new TrajectoryError("Line 1 is not an episode line, so this is no Firedrill recording.", 1);
      episode = parsed;
      continue;
    }
    if (end?.type === "grade")
      throw new TrajectoryError(`Line ${i + 1} stands after the grade, which must be the last line.`, i + 1);
    if (parsed.type === "episode")
      throw new TrajectoryError(`Line ${i + 1} is a second episode line; one file holds one episode.`, i + 1);
    if (parsed.type === "note") notes.push(parsed);
    else if (parsed.type === "step") {
      if (parsed.index !== steps.length)
        throw new TrajectoryError(
          `Line ${i + 1} is step ${parsed.index}, but step ${steps.length} should follow.`,
          i + 1,
        );
      steps.push(parsed);
      stepLines.push(i);
      end = null;
    } else end = parsed;
  }
  if (!episode) throw new TrajectoryError("The file holds no complete line, so there is nothing to read.", 1);
  return { episode, steps, notes, end, raw, stepLines };
}

/** The whole lines of a text. A byte order mark and carriage returns that an editor or a checkout added are left out. */
function linesOf(text: string): string[] {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const lines = text.slice(start, text.lastIndexOf("\n") + 1).split("\n");
  lines.pop();
  // A carriage return inside a value is always escaped, so a bare one can only stand at the end of a line.
  return text.includes("\r") ? lines.map((each) => (each.endsWith("\r") ? each.slice(0, -1) : each)) : lines;
}

/** Reads one line. @throws TrajectoryError */
export function readLine(text: string, number: number): TrajectoryLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new TrajectoryError(`Line ${number} is not JSON; the file was damaged or edited.`, number);
  }
  if (isPlainStep(value)) return value;
  const schema = (value as { schema?: unknown } | null)?.schema;
  if (typeof schema === "string" && schema !== SCHEMA && /^firedrill\/\d+$/.test(schema))
    throw new TrajectoryError(
      `Line ${number} has the schema ${schema}; this version reads ${SCHEMA}. Update Firedrill to open it.`,
      number,
    );
  const parsed = trajectoryLine.safeParse(value);
  // The value as it was read: the validator would drop members named __proto__.
  if (parsed.success) return value as TrajectoryLine;
  const issue = parsed.error.issues[0];
  throw new TrajectoryError(
    `Line ${number} is not valid at "${issue?.path.join("/") || "type"}": ${issue?.message}.`,
    number,
  );
}

/**
 * The step lines this project writes, told without the general validator, which takes longer than everything else in a
 * replay. It accepts nothing that `stepLine` refuses; what it does not know is left to `stepLine`.
 */
function isPlainStep(value: unknown): value is StepLine {
  if (!isRecord(value) || value.type !== "step" || value.schema !== SCHEMA) return false;
  const { index, actor, action, done, patch, observation } = value;
  if (!Number.isSafeInteger(index) || (index as number) < 0 || typeof actor !== "string") return false;
  if (typeof done !== "boolean" || !isRecord(action)) return false;
  if (typeof action.name !== "string" || !isRecord(action.args)) return false;
  if (typeof value.digest !== "string" || !DIGEST.test(value.digest)) return false;
  if (observation !== undefined && !isRecord(observation)) return false;
  if (patch !== undefined && !(Array.isArray(patch) && patch.every(isOperation))) return false;
  return OPTIONAL_FACTS.every(([name, fits]) => value[name] === undefined || fits(value[name]));
}

const DIGEST = /^[0-9a-f]{16}$/;
const OPERATIONS = ["add", "remove", "replace"];
const isText = (value: unknown): boolean => typeof value === "string";
const OPTIONAL_FACTS: readonly (readonly [keyof StepLine, (value: unknown) => boolean])[] = [
  ["proposed_by", isText],
  ["reasoning", isText],
  ["hindsight", (value) => typeof value === "boolean"],
  ["wall_think_ms", (value) => value === null || Number.isFinite(value)],
  ["usage", isRecord],
  ["problem", isProblem],
];

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isOperation(value: unknown): boolean {
  return isRecord(value) && OPERATIONS.includes(value.op as string) && typeof value.path === "string";
}

function isProblem(value: unknown): boolean {
  if (!isRecord(value) || typeof value.code !== "string" || typeof value.message !== "string") return false;
  return value.field === undefined || typeof value.field === "string";
}

/** The part of a text after its last newline: what a crash or a full disk left of a line. Empty when whole. */
export function tornTail(text: string): string {
  return text.slice(text.lastIndexOf("\n") + 1);
}

/**
 * The observation each step was chosen on, and the final one when the run has an ending, rebuilt from patches.
 * @throws TrajectoryError when a patch does not fit or a digest does not match.
 */
export function observations(trajectory: Trajectory): Observation[] {
  const out: Observation[] = [];
  let current: Observation | undefined;
  const holders = [...trajectory.steps, ...(trajectory.end ? [trajectory.end] : [])];
  holders.forEach((holder, i) => {
    const number = (trajectory.stepLines[i] ?? trajectory.raw.length - 1) + 1;
    try {
      if (holder.observation) current = holder.observation as unknown as Observation;
      else if (current) current = applyPatch(current, (holder.patch ?? []) as PatchOperation[]);
    } catch {
      throw new TrajectoryError(`Line ${number} has a patch that does not fit the line before it.`, number);
    }
    if (!current) throw new TrajectoryError(`Line ${number} has no observation to start from.`, number);
    if (digest(current) !== holder.digest)
      throw new TrajectoryError(`Line ${number} does not give the observation its digest stands for.`, number);
    out.push(current);
  });
  return out;
}
