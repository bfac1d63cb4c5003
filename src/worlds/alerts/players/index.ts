/** Every player of the alerts world. In a published task, which has other verbs, a player behaves as `published/` says. */
import type { PlayerFactory } from "../../../core/player";
import { publishedPlayer, publishedPlayers } from "../published/players";
import { constant } from "./constant";
import { briefKeyed, briefKeyedRead, readAllSpray, spray } from "./keyed";
import { oracle, oracle2 } from "./oracle";
import { collector, falseClaimer, farmer, idle, prober, random, symptomMasker } from "./probes";
import { rules } from "./rules/triager";

/** The players of the generated and imported queues. */
const QUEUE_PLAYERS: readonly PlayerFactory[] = [
  idle,
  falseClaimer,
  farmer,
  collector,
  constant,
  random,
  spray,
  readAllSpray,
  symptomMasker,
  briefKeyed,
  briefKeyedRead,
  prober,
  rules,
  oracle,
  oracle2,
];

/** All players by the names that commands take; the published baselines play by rules where their task is another. */
export const alertsPlayers: readonly PlayerFactory[] = [
  ...QUEUE_PLAYERS.map((factory) => either(publishedPlayer(factory.name), factory)),
  ...publishedPlayers
    .filter((factory) => !QUEUE_PLAYERS.some((other) => other.name === factory.name))
    .map((factory) =>
      either(factory, { ...rules, name: factory.name, title: factory.title, summary: factory.summary }),
    ),
];

function either(inTask: PlayerFactory | undefined, inQueue: PlayerFactory): PlayerFactory {
  return {
    ...inQueue,
    create: (random, episode) =>
      (inTask && episode.scenario.split === "published" ? inTask : inQueue).create(random, episode),
  };
}
