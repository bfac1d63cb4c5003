/** Opening a run: a new one, one that was left or crashed, or a fork. Identity and date come from the caller. */
import { type RecordSink, type RecordStore, recordName } from "./recorder";
import type { Seed } from "./rng";
import { besideCopy, publicPart, sourceOf, wholeSource } from "./scenario-source";
import { Session, type SessionOptions } from "./session";
import {
  type Actor,
  type EpisodeLine,
  PROJECT_VERSION,
  readTrajectory,
  type Trajectory,
  TrajectoryEncoder,
} from "./trajectory";
import { type Episode, type RubricName, ScenarioError, type ScenarioFile, type World } from "./world";

/** Which graded runs this user has been shown, by `gradeKey`. */
export interface ShownGrades {
  has(key: string): boolean;
  add(key: string): void;
}

/** Names what a grade gives away: the content, scenario and seed it is about. */
export function gradeKey(facts: Pick<EpisodeLine, "content_hash" | "scenario" | "seed" | "split">): string {
  // The id of an imported scenario is a hash of what it shows; its content hash covers answers and salt as well, and whoever
  // was told about these alerts once knows them whatever the author changed since.
  const content = facts.split === "imported" ? "imported" : facts.content_hash;
  return `${content}:${facts.scenario}:${facts.seed}`;
}

/** What the caller knows and the core must not look up itself. */
export interface RunContext {
  /** Where the run is kept; null keeps nothing (batch runs). */
  readonly store: RecordStore | null;
  /** Who opens it: `human`, `policy:rules`, … */
  readonly openedBy: Actor;
  readonly rubric?: RubricName;
  /** ISO 8601 date and time. */
  readonly now: string;
  /** A short random text, unique among the user's runs; letters, digits and dashes. */
  readonly id: string;
  /** The recording's file name, where it is not to be made from date, world and id. */
  readonly name?: string;
  /** Marks hindsight, and remembers the grade that the end of this run shows. */
  readonly shownGrades?: ShownGrades;
  readonly onListenerError?: (error: unknown) => void;
}

/** A run that is being played. */
export interface OpenRun {
  readonly session: Session;
  readonly episode: EpisodeLine;
  /** The recording's name in its store, and how people name it; null when nothing is kept. */
  readonly name: string | null;
  readonly location: string | null;
  /** What a crash left of a line: set aside in `<name>.torn`, to be reported. Empty when nothing was torn. */
  readonly torn: string;
}

/**
 * Starts a run: opens the episode and writes the first line.
 * @throws ScenarioError or RangeError for a bad scenario or seed; RecordError when it cannot be kept. No recording is left behind.
 */
export async function startRun(
  world: World,
  scenario: string | ScenarioFile,
  seed: Seed,
  context: RunContext,
): Promise<OpenRun> {
  if (typeof scenario !== "string" && scenario.truth === null)
    throw new ScenarioError("The scenario's answers are not there, so nobody could be graded; open its file instead.");
  const episode = world.open(scenario, seed);
  const line = episodeLine(world, episode, scenario, context);
  return begin({ world, scenario, episode, line }, context, () => "");
}

/**
 * Forks a recorded run before step `step` (0-based; the number of recorded steps forks at the end): a new file that
 * names its parent, with the steps so far copied into it.
 * @throws RangeError when there is no such step; ScenarioError, MissingScenario among them; RecordError; Error when this
 * version plays it differently.
 */
export async function forkRun(world: World, parent: Trajectory, step: number, context: RunContext): Promise<OpenRun> {
  const steps = parent.steps.slice(0, step);
  if (!Number.isInteger(step) || step < 0 || step > parent.steps.length)
    throw new RangeError(`The run has ${parent.steps.length} steps; fork before one of 0 to ${parent.steps.length}.`);
  if (steps.some((each) => each.done))
    throw new RangeError("The run is over at that point; fork before its last step instead.");
  checkContent(world, parent);
  const scenario = await wholeSource(world, parent, context.store);
  const episode = world.open(scenario, parent.episode.seed);
  const line = {
    ...episodeLine(world, episode, scenario, context),
    options: parent.episode.options,
    parent: { run: parent.episode.run, step },
  };
  return begin({ world, scenario, episode, line }, context, (session) => session.rerun(steps));
}

/**
 * Goes on with a run that was left, suspended or cut off. The recorded steps are taken again and must answer as they did.
 * `findWorld` gives the world of an id, or undefined.
 * @throws RecordError when it is open elsewhere or cannot be read; TrajectoryError when it is damaged; MissingScenario when it
 * is of an imported scenario whose file is not kept beside it; Error when it is finished already or this version plays it differently. The file is then untouched but for a torn tail.
 */
export async function resumeRun(
  findWorld: (id: string) => World | undefined,
  name: string,
  context: Pick<RunContext, "shownGrades" | "onListenerError"> & { readonly store: RecordStore },
): Promise<OpenRun> {
  const { sink, text, torn } = await context.store.resume(name);
  try {
    const trajectory = readTrajectory(text);
    const { episode: line } = trajectory;
    if (trajectory.end?.type === "grade")
      throw new Error("The run is finished; open its debrief, or fork it to play on.");
    const world = findWorld(line.world);
    if (!world) throw new Error(`This version has no world "${line.world}"; update Firedrill to go on with this run.`);
    checkContent(world, trajectory);
    const scenario = await wholeSource(world, trajectory, context.store);
    const beside = besideCopy(world, scenario, context.store, sink);
    const session = openSession({ scenario, episode: world.open(scenario, line.seed), line }, beside, context);
    session.rerun(trajectory.steps);
    await session.settle();
    return { session, episode: line, name, location: sink.location, torn };
  } catch (error) {
    await sink.close();
    throw error;
  }
}

/** An episode that is opened, and what it was opened from. */
interface Opening {
  readonly world: World;
  /** Whole, if it is a file. */
  readonly scenario: string | ScenarioFile;
  readonly episode: Episode;
  /** What its first line says. */
  readonly line: Omit<EpisodeLine, "schema" | "type">;
}

async function begin(opening: Opening, context: RunContext, history: (session: Session) => string): Promise<OpenRun> {
  const { world, scenario, line: facts } = opening;
  const first = new TrajectoryEncoder().episode(facts);
  const line = readTrajectory(first).episode;
  if (!context.store) {
    const session = openSession({ ...opening, line }, null, context);
    history(session);
    return { session, episode: line, name: null, location: null, torn: "" };
  }
  const name = context.name ?? recordName(context.now, facts.world, context.id);
  const sink = besideCopy(world, scenario, context.store, await context.store.create(name));
  try {
    const session = openSession({ ...opening, line }, sink, context);
    await sink.append(first + history(session));
    return { session, episode: line, name, location: sink.location, torn: "" };
  } catch (error) {
    // Nothing was appended, so no recording stays. The first error is the one to report.
    await sink.close().catch(() => undefined);
    throw error;
  }
}

function openSession(
  { scenario, episode, line }: Pick<Opening, "scenario" | "episode"> & { readonly line: EpisodeLine },
  sink: RecordSink | null,
  context: Pick<RunContext, "shownGrades" | "onListenerError">,
): Session {
  const key = gradeKey(line);
  const { shownGrades, onListenerError } = context;
  const truth = typeof scenario === "string" ? null : scenario.truth;
  const options: SessionOptions = {
    ...(sink ? { sink } : {}),
    ...(truth === null ? {} : { scenarioTruth: () => truth }),
    ...(shownGrades ? { knewGrade: () => shownGrades.has(key) } : {}),
    ...(onListenerError ? { onListenerError } : {}),
  };
  const session = new Session(episode, options);
  session.subscribe((event) => {
    if (event.type === "ended") shownGrades?.add(key);
  });
  return session;
}

function episodeLine(
  world: World,
  episode: Episode,
  scenario: string | ScenarioFile,
  context: RunContext,
): Omit<EpisodeLine, "schema" | "type"> {
  const { scenario: info } = episode;
  return {
    run: context.id,
    version: PROJECT_VERSION,
    content_hash: world.contentHash(scenario),
    world: world.id,
    scenario: info.id,
    title: info.title,
    seed: episode.seed,
    options: {},
    rubric: context.rubric ?? "strict",
    split: info.split,
    opened_by: context.openedBy,
    ...(typeof scenario === "string" ? {} : { scenario_file: publicPart(scenario) }),
    wall_opened_at: context.now,
  };
}

function checkContent(world: World, trajectory: Trajectory): void {
  const { episode: line } = trajectory;
  if (world.contentHash(sourceOf(trajectory)) === line.content_hash) return;
  throw new Error(
    `The scenario has changed since version ${line.version} recorded this run, so it cannot go on; open its debrief instead.`,
  );
}
