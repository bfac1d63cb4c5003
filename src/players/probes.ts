/** Probes that need to know nothing about a world; the proof runs them beside the world's own players. */
import type { PlayerFactory } from "../core/player";

/** Gives up at once. What it scores is what an episode pays for nothing at all. */
export const giveUp: PlayerFactory = {
  name: "give-up",
  title: "Gives up",
  summary: "Gives the episode up without looking at anything.",
  knowsTruth: false,
  create: () => ({ name: "give-up", decide: () => null }),
};
