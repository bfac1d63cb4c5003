/** Replay: run the recorded actions again and compare every byte that is not a wall-clock fact. */
import { gradeOf } from "./grade";
import { firstDifference } from "./json";
import { sourceOf } from "./scenario-source";
import {
  type GradeLine,
  isAction,
  isActor,
  isDeed,
  linesOf,
  PROJECT_VERSION,
  readLine,
  readTrajectory,
  SCHEMA,
  type Trajectory,
  TrajectoryEncoder,
} from "./trajectory";
import { endOf, stepTail } from "./trajectory-encoder";
import type { Episode, Reward, World } from "./world";

export interface ReplayResult {
  readonly identical: boolean;
  /** Where and how the first difference shows, in one sentence. */
  readonly firstDifference?: string;
  readonly steps: number;
}

/** Opens the episode a recording is of. @throws ScenarioError when its scenario is not there any more. */
export function openRecorded(world: World, trajectory: Trajectory): Episode {
  return world.open(sourceOf(trajectory), trajectory.episode.seed);
}

/**
 * Replays a recording against a world. A recording of another project version replays when the content hash is equal;
 * else the result says so. Never throws for a recording that does not match.
 */
export function replay(world: World, trajectory: Trajectory): ReplayResult {
  const { episode } = trajectory;
  const differs = (firstDifference: string): ReplayResult => ({
    identical: false,
    firstDifference,
    steps: trajectory.steps.length,
  });
  let run: Episode;
  try {
    const hash = world.contentHash(sourceOf(trajectory));
    if (hash !== episode.content_hash)
      return differs(
        `The scenario's content has changed since the recording (${episode.content_hash}, now ${hash}); it was made by version ${episode.version}, this is ${PROJECT_VERSION}.`,
      );
    run = openRecorded(world, trajectory);
  } catch (error) {
    return differs(error instanceof Error ? error.message : String(error));
  }
  const encoder = new TrajectoryEncoder();
  const rewards: Reward[] = [];
  for (let i = 0; i < trajectory.steps.length; i++) {
    const recorded = trajectory.steps[i] as Trajectory["steps"][number];
    const before = run.observe();
    const step = run.step(recorded.action);
    rewards.push(step.reward);
    const text = encoder.step(before, { ...recorded, done: step.done, problem: step.problem } as never);
    const raw = trajectory.raw[trajectory.stepLines[i] as number] as string;
    if (text !== `${raw}\n`) return differs(`Step ${i}: ${describe(raw, text)}`);
  }
  const { end } = trajectory;
  if (end) {
    const text =
      end.type === "grade"
        ? encoder.grade(run.observe(), gradeOf(run, rewards), end.hindsight, end.scenario_truth)
        : encoder.abandoned(run.observe(), end.reason);
    const raw = trajectory.raw[trajectory.endLine] as string;
    const what = end.type === "grade" ? "Grade" : "Ending";
    if (text !== `${raw}\n`) return differs(`${what}: ${describe(raw, text)}`);
  }
  return { identical: true, steps: trajectory.steps.length };
}

/**
 * Replays the text of a recording; the verdict is that of `replay`. A recording that is identical is told without reading
 * the observations in it: they are written anew and compared as text, which takes a fraction of the time.
 * `findWorld` gives the world of an id, or undefined. @throws TrajectoryError when the recording is damaged.
 */
export function replayText(findWorld: (id: string) => World | undefined, text: string): ReplayResult {
  const lines = linesOf(text);
  const steps = identicalSteps(findWorld, lines);
  if (steps !== null) return { identical: true, steps };
  const trajectory = readTrajectory(text);
  const world = findWorld(trajectory.episode.world);
  if (world) return replay(world, trajectory);
  const firstDifference = `This version has no world "${trajectory.episode.world}"; update Firedrill.`;
  return { identical: false, firstDifference, steps: trajectory.steps.length };
}

/** The number of steps of a recording that is identical for certain; null when that takes a closer look. */
function identicalSteps(findWorld: (id: string) => World | undefined, lines: readonly string[]): number | null {
  const first = lines.length ? readLine(lines[0] as string, 1) : null;
  if (first?.type !== "episode") return null;
  const end = first.scenario_file ? gradeLineOf(lines) : null;
  const run = reopen(findWorld, { episode: first, end });
  if (!run) return null;
  const encoder = new TrajectoryEncoder();
  const rewards: Reward[] = [];
  const last = { who: "" };
  for (let i = 1; i < lines.length; i++) {
    const raw = lines[i] as string;
    if (raw.startsWith(STEP)) {
      const reward = sameStep(run, encoder, raw, last);
      if (!reward) return null;
      rewards.push(reward);
    } else if (raw.startsWith(GRADE)) {
      const hindsight = raw.endsWith('"hindsight":true}');
      const text = encoder.grade(run.observe(), gradeOf(run, rewards), hindsight, end?.scenario_truth);
      if (i !== lines.length - 1 || text.slice(0, -1) !== raw) return null;
    } else {
      const line = readLine(raw, i + 1);
      if (line.type === "note") continue;
      if (line.type !== "abandoned" || encoder.abandoned(run.observe(), line.reason) !== `${raw}\n`) return null;
    }
  }
  return rewards.length;
}

const STEP = `{"schema":"${SCHEMA}","type":"step",`;
const GRADE = `{"schema":"${SCHEMA}","type":"grade",`;
/** Where the observation begins. Neither can stand inside a string, where quotes are escaped. */
const PATCH = ',"patch":[';
const WHOLE = ',"observation":{';

/** The reward of a step that is the same to the byte, else null. */
function sameStep(run: Episode, encoder: TrajectoryEncoder, raw: string, last: { who: string }): Reward | null {
  const head = sameHead(encoder, raw, last);
  if (head === null) return null;
  const tail = encoder.endOfObserved(run.observe(), raw, head);
  if (tail < 0) return null;
  if (raw.endsWith(GOES_ON)) {
    const text = raw.slice(tail + ACTION.length, 2 - GOES_ON.length);
    const action = parsed(text);
    // Else there is more than an action, which is looked at below.
    if (action !== null && raw.startsWith(ACTION, tail)) {
      if (!isAction(action) || JSON.stringify({ name: action.name, args: action.args }) !== text) return null;
      const { done, problem, reward } = run.step(action);
      return done || problem ? null : reward;
    }
  }
  const end = raw.slice(tail);
  const deed = parsed(`{${end.slice(1)}`);
  if (!isDeed(deed)) return null;
  const { done, problem, reward } = run.step(deed.action);
  return stepTail(deed, done, problem) === end ? reward : null;
}

/** Around an action that all there is to say of a step, as mostly. */
const ACTION = ',"action":';
const GOES_ON = '}},"done":false}';

/** Where the observation begins in a line whose head is as it would be written, else null. Mostly the same acts as before. */
function sameHead(encoder: TrajectoryEncoder, raw: string, last: { who: string }): number | null {
  const start = encoder.stepStart();
  const usual = endOf(last.who, raw, endOf(start, raw, 0));
  if (usual > 0 && (raw.startsWith(PATCH, usual) || raw.startsWith(WHOLE, usual))) return usual;
  const patchAt = raw.indexOf(PATCH);
  const at = patchAt < 0 ? raw.indexOf(WHOLE) : patchAt;
  if (at < 0) return null;
  const head = raw.slice(0, at);
  const who = parsed(`${head}}`);
  if (!isActor(who) || encoder.stepHead(who) !== head) return null;
  last.who = head.slice(start.length);
  return at;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The grade that ends an imported scenario's recording: it holds the truth which the episode is opened with. */
function gradeLineOf(lines: readonly string[]): GradeLine | null {
  const last = lines[lines.length - 1] as string;
  const line = last.startsWith(GRADE) ? readLine(last, lines.length) : null;
  return line?.type === "grade" ? line : null;
}

function reopen(
  findWorld: (id: string) => World | undefined,
  recorded: Pick<Trajectory, "episode" | "end">,
): Episode | null {
  const { episode: line } = recorded;
  const world = findWorld(line.world);
  const source = sourceOf(recorded);
  try {
    return world && world.contentHash(source) === line.content_hash ? world.open(source, line.seed) : null;
  } catch {
    // `replay` says what is wrong.
    return null;
  }
}

function describe(recorded: string, replayed: string): string {
  const found = firstDifference(JSON.parse(recorded), JSON.parse(replayed));
  if (!found) return "the same values stand in another order";
  return `at ${found.path || "/"} the recording has ${show(found.left)}, the replay ${show(found.right)}`;
}

function show(value: unknown): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
