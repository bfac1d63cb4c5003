/** Runs a player through an episode in memory: what batch evaluation, the proof and benchmarks are made of. */
import { gradeOf, ungraded } from "./grade";
import { GIVE_UP, MAX_REFUSED_IN_A_ROW, type PlayerFactory } from "./player";
import { type Seed, Stream } from "./rng";
import type { TakenStep } from "./session";
import type { Episode, Grade, Reward } from "./world";

export interface RunResult {
  readonly player: string;
  readonly seed: Seed;
  readonly steps: number;
  readonly done: boolean;
  readonly grade: Grade;
  readonly taken: readonly TakenStep[];
}

/**
 * Plays an episode to its end. A player that gives up ends it with `GIVE_UP`; one that throws or keeps making
 * refused actions ends the run as ungraded.
 */
export function runEpisode(episode: Episode, factory: PlayerFactory): RunResult {
  const player = factory.create(Stream.of(episode.seed, `player:${factory.name}`), episode);
  const taken: TakenStep[] = [];
  const rewards: Reward[] = [];
  let observation = episode.observe();
  let refused = 0;
  let failure: string | null = null;
  while (!observation.done) {
    let action: ReturnType<typeof player.decide>;
    try {
      action = player.decide(observation) ?? GIVE_UP;
    } catch (error) {
      failure = `player failed: ${error instanceof Error ? error.message : String(error)}`;
      break;
    }
    const step = episode.step(action);
    rewards.push(step.reward);
    taken.push({ actor: `policy:${factory.name}`, action, problem: step.problem });
    refused = step.problem ? refused + 1 : 0;
    if (refused > MAX_REFUSED_IN_A_ROW) {
      failure = `player failed: ${step.problem?.message}`;
      break;
    }
    observation = step.observation;
  }
  const grade = failure ? ungraded(failure, rewards) : gradeOf(episode, rewards);
  return { player: factory.name, seed: episode.seed, steps: observation.step, done: observation.done, grade, taken };
}
