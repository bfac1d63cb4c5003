/** Opens recordings through the core, with the worlds of the catalogue. Heavy: loaded when the first episode starts. */
import type { PlayerFactory } from "../../core/player";
import type { RecordStore } from "../../core/recorder";
import type { Seed } from "../../core/rng";
import type { OpenRun, RunContext, ShownGrades } from "../../core/runs";
import type { ScenarioFile, World } from "../../core/world";
import { TellUser } from "../error-door";
import { forkRun, loadWorld, readLine, readTrajectory, resumeRun, Stream, sourceOf, startRun, worldIds } from "../kit";
import type { Ports } from "../ports/ports";
import { inSlices } from "../slices";
import type { OpenedRun, RunOpener, StartRequest } from "./run-controller";

export interface OpenerPorts {
  store(): Promise<RecordStore>;
  readonly ports: Pick<Ports, "now" | "randomId">;
  readonly shownGrades: ShownGrades;
  onListenerError(error: unknown): void;
}

export function createOpener(options: OpenerPorts): RunOpener {
  const context = async (): Promise<RunContext & { readonly store: RecordStore }> => ({
    store: await options.store(),
    openedBy: "human",
    now: options.ports.now(),
    id: options.ports.randomId(),
    shownGrades: options.shownGrades,
    onListenerError: options.onListenerError,
  });
  return {
    async start(request: StartRequest) {
      const world = await findWorld(request.world);
      await prepare(world, request.scenario, request.seed);
      return opened(world, await startRun(world, request.scenario, request.seed, await context()));
    },
    async resume(name) {
      const worlds = await allWorlds();
      await prepareRecorded(worlds, await (await options.store()).read(name));
      const run = await resumeRun((id) => worlds.find((world) => world.id === id), name, await context());
      return opened(worldOf(worlds, run), run);
    },
    read: async (name) => (await options.store()).read(name),
    async fork(read, steps) {
      const here = await context();
      const parent = readTrajectory(await read());
      const world = await findWorld(parent.episode.world);
      await prepare(world, sourceOf(parent), parent.episode.seed);
      const playable = parent.steps.filter((step) => !step.done).length;
      return opened(world, await forkRun(world, parent, Math.min(steps, playable), here));
    },
    player: (run, factory: PlayerFactory) =>
      factory.create(Stream.of(run.seed, `player:${factory.name}`), run.session.episode),
  };
}

/** Draws the episode in slices, so that opening it afterwards blocks nobody. @throws as `world.open` does. */
export async function prepare(world: World, scenario: string | ScenarioFile, seed: Seed): Promise<void> {
  const pieces = world.prepare?.(scenario, seed);
  if (pieces) await inSlices(pieces);
}

/** What is wrong with the recording is said by whoever opens it. */
async function prepareRecorded(worlds: readonly World[], text: string): Promise<void> {
  const first = readLine(text.slice(0, text.indexOf("\n")), 1);
  if (first.type !== "episode") return;
  const world = worlds.find((each) => each.id === first.world);
  if (world) await prepare(world, sourceOf({ episode: first, end: null }), first.seed);
}

/** The world of an id. @throws TellUser when this version has none. */
export async function findWorld(id: string): Promise<World> {
  const known = worldIds.find((each) => each === id);
  if (!known) throw new TellUser(`There is no world “${id}” in this version; use one of: ${worldIds.join(", ")}.`);
  return loadWorld(known);
}

export function allWorlds(): Promise<World[]> {
  return Promise.all(worldIds.map((id) => loadWorld(id)));
}

function worldOf(worlds: readonly World[], run: OpenRun): World {
  const world = worlds.find((each) => each.id === run.episode.world);
  if (!world) throw new TellUser(`This version has no world “${run.episode.world}”; update Firedrill to go on.`);
  return world;
}

function opened(world: World, run: OpenRun): OpenedRun {
  const { scenario, seed } = run.session.episode;
  return {
    name: run.name ?? "",
    location: run.location ?? "",
    world,
    scenario,
    seed,
    session: run.session,
    forms: world.actionsFor(scenario).forms(),
    contentHash: run.episode.content_hash,
    torn: run.torn,
  };
}
