/** Who acts. People act through a session; everything else is a `Player`. */
import type { Action } from "./action";
import type { Stream } from "./rng";
import type { Episode, Observation } from "./world";

/** What a player that has had enough does. Every catalogue of every world has this action, and it takes no arguments. */
export const GIVE_UP: Action = { name: "give_up", args: {} };
/** Refused actions a player may make in a row; one more and it has failed. Worlds do not count them. */
export const MAX_REFUSED_IN_A_ROW = 8;

/** A rule-based player of one episode. It may keep memory; it sees observations only. */
export interface Player {
  readonly name: string;
  /** The next action, or null to give the episode up, which is then ended with `GIVE_UP`. */
  decide(observation: Observation): Action | null;
  /** One sentence on why, for the recording; optional. */
  readonly reasoning?: string;
}

/** How a player is listed and made. */
export interface PlayerFactory {
  /** As commands name it: `idle`, `rules`, `oracle-2` … */
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  /** True for the oracles: they read the truth, so they are shown apart and never recorded as training data by default. */
  readonly knowsTruth: boolean;
  /** `random` is the player's own stream; `episode` is for players that know the truth. */
  create(random: Stream, episode: Episode): Player;
}
