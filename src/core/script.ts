/** Players written as scripts: a generator that yields actions and gets each next observation back. */
import type { Action } from "./action";
import type { PlayerFactory } from "./player";
import type { Stream } from "./rng";
import type { Episode, Observation } from "./world";

/** Yields what to do next; is resumed with the observation that came of it. When it returns, the player gives up. */
export type Script<O extends Observation> = Generator<Action, void, O>;

/** What a script starts from. */
export interface ScriptStart<O extends Observation> {
  readonly first: O;
  readonly random: Stream;
  readonly episode: Episode;
}

/** A factory of players that follow a script. */
export function scripted<O extends Observation>(
  facts: Omit<PlayerFactory, "create">,
  script: (start: ScriptStart<O>) => Script<O>,
): PlayerFactory {
  return {
    ...facts,
    create: (random, episode) => {
      let running: Script<O> | null = null;
      return {
        name: facts.name,
        decide: (observation) => {
          const seen = observation as O;
          let turn: IteratorResult<Action, void>;
          if (running) turn = running.next(seen);
          else {
            running = script({ first: seen, random, episode });
            turn = running.next();
          }
          return turn.done ? null : turn.value;
        },
      };
    },
  };
}
