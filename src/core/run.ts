/** Runs a player through an episode in memory: what batch evaluation, the proof and benchmarks are made of. */

import type { PlayerFactory } from "./player";
import { type Seed, Stream } from "./rng";
import { gradeOf, type TakenStep } from "./session";
import type { Episode, Grade, Reward } from "./world";

export interface RunResult {
  readonly player: string;
  readonly seed: Seed;
  readonly steps: number;
  readonly done: boolean;
  readonly grade: Grade;
  readonly taken: readonly TakenStep[];
}

/** Refused actions a player may make in a row before it counts as failed. */
export const MAX_PROBLEMS_IN_A_ROW = 8;

/**
 * Plays an episode to its end. A player that gives up leaves it to the `give_up` action; one that throws or keeps making
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
      action = player.decide(observation) ?? { name: "give_up", args: {} };
    } catch (error) {
      failure = `player failed: ${error instanceof Error ? error.message : String(error)}`;
      break;
    }
    const step = episode.step(action);
    rewards.push(step.reward);
    taken.push({ actor: `policy:${factory.name}`, action, problem: step.problem });
    refused = step.problem ? refused + 1 : 0;
    if (refused > MAX_PROBLEMS_IN_A_ROW) {
      failure = `player failed: ${step.problem?.message}`;
      break;
    }
    observation = step.observation;
  }
  const grade = failure ? ungraded(failure, rewards) : gradeOf(episode, rewards);
  return { player: factory.name, seed: episode.seed, steps: observation.step, done: observation.done, grade, taken };
}

/** A result without a grade; aggregates count it as 0 and say how many there were. */
export function ungraded(reason: string, rewards: readonly Reward[] = []): Grade {
  return {
    ungraded: reason,
    strict: null,
    published: null,
    strictTree: null,
    publishedTree: null,
    rewards,
    truth: null,
  };
}
