/**
 * What a recording is opened from again. Of an imported scenario it holds the public part from its first line on, and the
 * truth from the grade line on. A finished run therefore replays and regrades alone; an unfinished one replays without the
 * truth, and to go on takes the whole file from the copy that was kept beside it when the run was opened.
 */
import type { RecordSink, RecordStore } from "./recorder";
import type { EpisodeLine, Trajectory } from "./trajectory";
import { ScenarioError, type ScenarioFile, type World } from "./world";

/** Puts nothing in the place of a salt: a file that has none then fits no seal, as it should where one is looked for. */
const NO_SALT = "";

/** The scenario file that a run goes on with is missing, or is not what it was. */
export class MissingScenario extends ScenarioError {
  constructor(
    message: string,
    /** Which one it is, for a front end that asks for it. */
    readonly wanted: { readonly title: string; readonly hash: string },
  ) {
    super(message);
  }
}

/** What the first line of a recording holds of a scenario file: all but its truth. */
export function publicPart(file: ScenarioFile): NonNullable<EpisodeLine["scenario_file"]> {
  const { world, info, content, seal } = file;
  return { world, info: { ...info }, content, seal };
}

/**
 * What to open again: the scenario's id, or the imported scenario as far as the recording holds it. Its truth is null unless
 * the run is finished: the episode then plays as it did, but has no grade.
 */
export function sourceOf({ episode, end }: Pick<Trajectory, "episode" | "end">): string | ScenarioFile {
  if (!episode.scenario_file) return episode.scenario;
  const grade = end?.type === "grade" ? end : null;
  const line = grade ?? episode;
  let found = SOURCES.get(line);
  if (!found) {
    found = { ...(episode.scenario_file as unknown as ScenarioFile), truth: grade?.scenario_truth ?? null };
    SOURCES.set(line, found);
  }
  return found;
}

/** By the last line that has a part in them. Worlds know a file that they have checked by its identity. */
const SOURCES = new WeakMap<object, ScenarioFile>();

/**
 * The same with the truth, as going on, forking and starting anew take it; looked for beside the recordings of `store`.
 * @throws MissingScenario when it is not there or was changed; RecordError when it cannot be read.
 */
export async function wholeSource(
  world: World,
  trajectory: Pick<Trajectory, "episode" | "end">,
  store: RecordStore | null,
): Promise<string | ScenarioFile> {
  const source = sourceOf(trajectory);
  if (typeof source === "string" || source.truth !== null) return source;
  const text = await store?.scenarios.find(trajectory.episode.content_hash);
  const missing = (what: string) => {
    const wanted = { title: shownTitle(source), hash: trajectory.episode.content_hash.slice(0, 8) };
    const which = `“${wanted.title}”, content ${wanted.hash}`;
    return new MissingScenario(`The run's scenario file (${which}) ${what}; give that file.`, wanted);
  };
  if (text === undefined || text === null) throw missing("is not kept beside its recording");
  const kept = readQuietly(world, text);
  if (!kept || world.contentHash(kept) !== world.contentHash(source))
    throw missing("has been changed or damaged where it is kept beside its recording");
  return kept;
}

/**
 * The sink of a recording whose scenario is kept beside it, if it is a file. The copy is there before the first append is, and
 * where the folder is deleted it comes back with the recording. A device keeps nothing: no run goes on from there.
 */
export function besideCopy(
  world: World,
  scenario: string | ScenarioFile,
  store: RecordStore,
  sink: RecordSink,
): RecordSink {
  if (typeof scenario === "string" || sink.oneWay) return sink;
  const keep = () => store.scenarios.keep(world.contentHash(scenario), world.writeScenarioFile(scenario));
  /** Whether the copy is there, as far as is known; and whether there is a recording that may go on with it. */
  let [isKept, isBegun] = [false, false];
  return {
    location: sink.location,
    append: async (text) => {
      // Nothing begins without its copy; what has begun is recorded in any case, and tries again when it is closed.
      if (!isKept) await (isBegun ? keep().catch(() => undefined) : keep());
      isKept = true;
      try {
        await sink.append(text);
        isBegun = true;
      } catch (error) {
        isKept = false;
        throw error;
      }
    },
    sync: () => sink.sync(),
    close: async () => {
      // What cannot be kept now can be given when the run goes on; the recording matters more.
      if (isBegun) await keep().catch(() => undefined);
      await sink.close();
    },
  };
}

/**
 * Takes the scenario file that an unfinished run misses, from the text of a file, and keeps it where the run looks for it.
 * @throws ScenarioError when it is not valid, or not the one the run was started with; RecordError when it cannot be kept.
 */
export async function giveScenario(
  world: World,
  episode: EpisodeLine,
  text: string,
  store: RecordStore,
): Promise<void> {
  const wanted = sourceOf({ episode, end: null });
  if (typeof wanted === "string")
    throw new ScenarioError("The run is of a built-in scenario and needs no file; leave it out.");
  const given = world.readScenarioFile(text, NO_SALT);
  if (world.contentHash(given) === world.contentHash(wanted))
    return store.scenarios.keep(episode.content_hash, world.writeScenarioFile(given));
  const [title, hash] = [shownTitle(wanted), episode.content_hash.slice(0, 8)];
  throw new ScenarioError(
    given.info.id === wanted.info.id
      ? `The file has the run's alerts but not the sealed answers it was started with (“${title}”, content ${hash}); give the file as it was then, or the copy kept where the run began.`
      : `The file is of another scenario (“${shownTitle(given)}”); the run was started with “${title}”, content ${hash}.`,
  );
}

/** A title on one line of a message, without what a terminal would obey: a recording may come from anybody. */
function shownTitle({ info }: ScenarioFile): string {
  const line = info.title.replace(/\p{C}+/gu, " ");
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

function readQuietly(world: World, text: string): ScenarioFile | null {
  try {
    return world.readScenarioFile(text, NO_SALT);
  } catch (error) {
    if (error instanceof ScenarioError) return null;
    throw error;
  }
}
