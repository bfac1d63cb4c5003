/** Plays a rule-based player through a recorded session, as `runEpisode` does in memory. */
import { randomBytes } from "node:crypto";
import { ungraded } from "../core/grade";
import { GIVE_UP, MAX_REFUSED_IN_A_ROW, type PlayerFactory } from "../core/player";
import type { RecordStore } from "../core/recorder";
import { type Seed, Stream } from "../core/rng";
import type { RunResult } from "../core/run";
import { type OpenRun, startRun } from "../core/runs";
import type { Session } from "../core/session";
import type { RubricName, ScenarioFile, World } from "../core/world";

export interface RecordedRunPlan {
  readonly world: World;
  readonly scenario: string | ScenarioFile;
  readonly seed: Seed;
  readonly player: PlayerFactory;
  readonly rubric: RubricName;
  readonly store: RecordStore;
  readonly name: string;
  readonly now: string;
}

/**
 * Plays and records one episode. A player that fails leaves an abandoned recording and an ungraded result with the reason.
 * @throws RecordError when a step cannot be recorded; what was recorded before it stays and can be resumed.
 */
export async function recordRun(plan: RecordedRunPlan): Promise<RunResult & { readonly file: string }> {
  const { world, scenario, seed, player, rubric, store, name, now } = plan;
  const id = randomBytes(4).toString("hex");
  const opened = await startRun(world, scenario, seed, {
    store,
    name,
    id,
    now,
    rubric,
    openedBy: `policy:${player.name}`,
  });
  return playOn(opened, player);
}

/** Plays a run that is open to its end. As `recordRun`. */
export async function playOn(opened: OpenRun, player: PlayerFactory): Promise<RunResult & { readonly file: string }> {
  const { session } = opened;
  try {
    const failure = await drive(session, player);
    if (failure) await session.abandon(failure);
    return {
      player: player.name,
      seed: session.episode.seed,
      steps: session.observation.step,
      done: session.observation.done,
      grade: session.grade ?? ungraded(failure ?? "the run has no grade"),
      taken: session.steps,
      file: opened.location ?? "",
    };
  } catch (error) {
    await session.suspend("drop unwritten").catch(() => undefined);
    throw error;
  }
}

/** Lets a player act until the episode is done. Returns why it failed, or null. */
async function drive(session: Session, factory: PlayerFactory): Promise<string | null> {
  const { episode } = session;
  const player = factory.create(Stream.of(episode.seed, `player:${factory.name}`), episode);
  let refused = 0;
  while (!session.observation.done) {
    let action: ReturnType<typeof player.decide>;
    try {
      action = player.decide(session.observation) ?? GIVE_UP;
    } catch (error) {
      return `player failed: ${error instanceof Error ? error.message : String(error)}`;
    }
    const notes = player.reasoning === undefined ? {} : { reasoning: player.reasoning };
    const { problem } = await session.act(action, `policy:${factory.name}`, notes);
    refused = problem ? refused + 1 : 0;
    if (refused > MAX_REFUSED_IN_A_ROW) return `player failed: ${problem?.message}`;
  }
  return null;
}
