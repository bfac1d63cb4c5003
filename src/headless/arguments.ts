/** Reads what people type: worlds, scenarios, seeds, ranges, players. Errors say what is wrong and what would be right. */
import { readFile, stat } from "node:fs/promises";
import type { PlayerFactory } from "../core/player";
import { isSeed, type Seed } from "../core/rng";
import {
  type RubricName,
  ScenarioError,
  type ScenarioFile,
  type ScenarioInfo,
  type Split,
  type World,
} from "../core/world";
import { asRecordError } from "../storage/record-errors";
import { CommandError, couldNotRun, EXIT, type Io, usage } from "./io";

/** Worlds that the project has room for but this version does not bring. */
const LATER_WORLDS = ["incident", "release", "queue"];
const SPLITS: readonly Split[] = ["starter", "train", "validation", "holdout", "published", "imported"];
/** More episodes than this in one range is a slip of the hand. */
const MOST_SEEDS = 1_000_000;

export async function findWorld(io: Io, id: string): Promise<World> {
  const worlds = await io.worlds();
  const world = worlds.find((each) => each.id === id);
  if (world) return world;
  if (LATER_WORLDS.includes(id)) throw couldNotRun(`The world "${id}" comes with a later version; use alerts.`);
  throw usage(`There is no world "${id}"; use one of: ${worlds.map((each) => each.id).join(", ")}.`);
}

export function parseSeed(text: string): Seed {
  const seed = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (!isSeed(seed))
    throw usage(`The seed "${text}" is not a whole number from 0 to 9007199254740991; give one like 7.`);
  return seed;
}

/** `3`, `0..19` (both ends included) or a list of both: `0..4,7`. */
export function parseSeeds(text: string): Seed[] {
  const seeds = new Set<Seed>();
  for (const part of text.split(",")) {
    const ends = part.trim().split("..");
    if (ends.length > 2 || ends.some((end) => end.trim() === ""))
      throw usage(`The seeds "${text}" are no range; give one like 0..19, or a list like 1,2,5.`);
    const [first, last] = [parseSeed(ends[0] as string), parseSeed(ends[ends.length - 1] as string)];
    if (last < first) throw usage(`The range "${part.trim()}" ends before it begins; write ${last}..${first}.`);
    if (last - first >= MOST_SEEDS) throw usage(`The range "${part.trim()}" has more than ${MOST_SEEDS} seeds.`);
    for (let seed = first; seed <= last; seed++) seeds.add(seed);
  }
  return [...seeds];
}

export function parseRubric(text: string): RubricName {
  if (text === "strict" || text === "published") return text;
  throw usage(`There is no rubric "${text}"; use strict or published.`);
}

export function parseSplit(text: string): Split {
  const split = SPLITS.find((each) => each === text);
  if (!split) throw usage(`There is no split "${text}"; use one of: ${SPLITS.join(", ")}.`);
  return split;
}

export function findPlayer(world: World, name: string): PlayerFactory {
  const player = world.players.find((each) => each.name === name);
  if (player) return player;
  if (name.startsWith("model:"))
    throw couldNotRun(`Language models as players (${name}) come with a later version; use a rule-based player.`);
  const names = world.players.map((each) => each.name).join(", ");
  throw usage(`The world ${world.id} has no player "${name}"; use one of: ${names}.`);
}

export function splitList(text: string): string[] {
  const items = text.split(",").map((item) => item.trim());
  if (items.some((item) => item === "")) throw usage(`"${text}" is no list; write names with single commas: a,b.`);
  return [...new Set(items)];
}

/** A scenario of the world by id, or a scenario file by path. */
export async function findScenario(world: World, text: string, io: Io): Promise<string | ScenarioFile> {
  if (world.scenarios().some((each) => each.id === text)) return text;
  if (await isThere(text)) return readScenario(world, text, io);
  throw usage(
    `The world ${world.id} has no scenario "${text}", and there is no file of that name; see "firedrill scenarios --world ${world.id}".`,
  );
}

async function readScenario(world: World, path: string, io: Io): Promise<ScenarioFile> {
  const text = await readText(path);
  try {
    return world.readScenarioFile(text, newSalt(io));
  } catch (error) {
    if (error instanceof ScenarioError) throw couldNotRun(`${path}: ${error.message}`);
    throw error;
  }
}

/** 32 hexadecimal digits of chance, which keep a scenario's answers from being guessed by their hash. */
export function newSalt(io: Io): string {
  return Array.from({ length: 4 }, () => io.randomId()).join("");
}

/** The text of a file. @throws CommandError when it cannot be read. */
export async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw new CommandError(EXIT.couldNotRun, asRecordError(error, "read", path).message);
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch {
    return false;
  }
}

/** Scenarios of a split, or those named; either way at least one. */
export function scenariosOf(world: World, split: Split): readonly ScenarioInfo[] {
  const found = world.scenarios().filter((each) => each.split === split);
  if (found.length) return found;
  const splits = [...new Set(world.scenarios().map((each) => each.split))].join(", ");
  throw usage(`The world ${world.id} has no scenarios in the split ${split}; it has: ${splits}.`);
}
