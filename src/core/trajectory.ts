/** Reads recordings: JSON Lines as trajectory-lines.ts describes them. */
import { Follower } from "./follower";
import { applyPatch, type PatchOperation } from "./json";
import {
  type AbandonedLine,
  type EpisodeLine,
  type GradeLine,
  type NoteLine,
  SCHEMA,
  type StepLine,
  type TrajectoryLine,
  trajectoryLine,
} from "./trajectory-lines";
import type { Observation } from "./world";

export { type StepFacts, TrajectoryEncoder } from "./trajectory-encoder";
export * from "./trajectory-lines";

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
  /** Index into `raw` of `end`; −1 when there is none. */
  readonly endLine: number;
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
  let endLine = -1;
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
      endLine = -1;
    } else {
      end = parsed;
      endLine = i;
    }
  }
  if (!episode) throw new TrajectoryError("The file holds no complete line, so there is nothing to read.", 1);
  return { episode, steps, notes, end, raw, stepLines, endLine };
}

/** The first line of a recording. @throws TrajectoryError */
export function readEpisode(text: string): EpisodeLine {
  const [first] = linesOf(text.slice(0, text.indexOf("\n") + 1));
  if (first === undefined)
    throw new TrajectoryError("The file holds no complete line, so there is nothing to read.", 1);
  const line = readLine(first, 1);
  if (line.type === "episode") return line;
  throw new TrajectoryError("Line 1 is not an episode line, so this is no Firedrill recording.", 1);
}

/** The whole lines of a text. A byte order mark and carriage returns that an editor or a checkout added are left out. */
export function linesOf(text: string): string[] {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const lines = (start ? text.slice(start) : text).split("\n");
  // What stands after the last newline is no line; nothing does when all are whole.
  lines.pop();
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] as string;
    // A carriage return inside a value is always escaped, so a bare one can only stand at the end of a line.
    if (line.charCodeAt(line.length - 1) === CARRIAGE_RETURN) lines[i] = line.slice(0, -1);
  }
  return lines;
}

const CARRIAGE_RETURN = 13;

/** Reads one line. @throws TrajectoryError */
export function readLine(text: string, number: number): TrajectoryLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new TrajectoryError(`Line ${number} is not JSON; the file was damaged or edited.`, number);
  }
  if (isPlainStep(value) || isPlainEpisode(value)) return value;
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
  const { index, patch, observation } = value;
  if (!Number.isSafeInteger(index) || (index as number) < 0) return false;
  if (typeof value.digest !== "string" || !DIGEST.test(value.digest)) return false;
  if (observation !== undefined && !isRecord(observation)) return false;
  if (patch !== undefined && !(Array.isArray(patch) && patch.every(isOperation))) return false;
  return isActor(value) && isDeed(value);
}

/** The same for the episode line of a built-in scenario. */
function isPlainEpisode(value: unknown): value is EpisodeLine {
  if (!isRecord(value) || value.type !== "episode" || value.schema !== SCHEMA) return false;
  for (const name of EPISODE_TEXTS) if (typeof value[name] !== "string") return false;
  if (!Number.isSafeInteger(value.seed) || (value.seed as number) < 0 || !isRecord(value.options)) return false;
  if (value.rubric !== "strict" && value.rubric !== "published") return false;
  return value.scenario_file === undefined && value.parent === undefined;
}

const EPISODE_TEXTS = [
  ...["run", "version", "content_hash", "world", "scenario", "title", "split", "opened_by", "wall_opened_at"],
];

/** What a step line says of who acted. */
export function isActor(value: unknown): value is Pick<StepLine, "actor" | "proposed_by"> {
  return isRecord(value) && typeof value.actor === "string" && isTextOrNone(value.proposed_by);
}

export function isAction(value: unknown): value is StepLine["action"] {
  return isRecord(value) && typeof value.name === "string" && isRecord(value.args);
}

/** What a step line says of what was done. */
export function isDeed(value: unknown): value is Omit<StepLine, "actor" | "proposed_by"> {
  if (!isRecord(value)) return false;
  const { action, done, reasoning, hindsight, problem, usage, wall_think_ms: thought } = value;
  if (!isAction(action)) return false;
  if (typeof done !== "boolean" || !isTextOrNone(reasoning)) return false;
  if (hindsight !== undefined && typeof hindsight !== "boolean") return false;
  if (thought !== undefined && thought !== null && !Number.isFinite(thought)) return false;
  return (usage === undefined || isRecord(usage)) && (problem === undefined || isProblem(problem));
}

const DIGEST = /^[0-9a-f]{16}$/;
const OPERATIONS = ["add", "remove", "replace"];

function isTextOrNone(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isOperation(value: unknown): boolean {
  return isRecord(value) && OPERATIONS.includes(value.op as string) && typeof value.path === "string";
}

function isProblem(value: unknown): boolean {
  if (!isRecord(value) || typeof value.code !== "string" || typeof value.message !== "string") return false;
  return isTextOrNone(value.field);
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
  const follower = new Follower();
  let current: Observation | undefined;
  const holders = [...trajectory.steps, ...(trajectory.end ? [trajectory.end] : [])];
  holders.forEach((holder, i) => {
    const number = (trajectory.stepLines[i] ?? trajectory.endLine) + 1;
    try {
      if (holder.observation) current = holder.observation as unknown as Observation;
      else if (current) current = applyPatch(current, (holder.patch ?? []) as PatchOperation[]);
    } catch {
      throw new TrajectoryError(`Line ${number} has a patch that does not fit the line before it.`, number);
    }
    if (!current) throw new TrajectoryError(`Line ${number} has no observation to start from.`, number);
    if (follower.digest(current) !== holder.digest)
      throw new TrajectoryError(`Line ${number} does not give the observation its digest stands for.`, number);
    out.push(current);
  });
  return out;
}
