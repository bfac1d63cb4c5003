/** A tiny world for testing what is said about any world: one guess at a number the seed drew from 0 to 4. */
import { z } from "zod";
import { type Action, ActionCatalogue } from "../../../src/core/action";
import type { PlayerFactory } from "../../../src/core/player";
import { Stream } from "../../../src/core/rng";
import { leaf } from "../../../src/core/rubric";
import { scripted } from "../../../src/core/script";
import type { Episode, Grade, Observation, ScenarioInfo, Split, Step, World } from "../../../src/core/world";

const NOTHING = { value: 0, parts: [] };

const actions = new ActionCatalogue([
  {
    name: "guess",
    title: "Guess",
    help: "Guesses.",
    risk: "final",
    key: "G",
    minutes: 1,
    schema: z.object({ value: z.int().min(0).max(4) }),
  },
  { name: "give_up", title: "Give Up", help: "Ends.", risk: "final", key: null, minutes: 0, schema: z.object({}) },
]);

function info(id: string, split: Split): ScenarioInfo {
  const title = `Guess ${id}`;
  return {
    world: "alerts",
    id,
    title,
    brief: "Guess.",
    difficulty: "easy",
    split,
    maxSteps: 1,
    maxMinutes: 1,
    tags: [],
  };
}

export interface GuessingOptions {
  /** What a right guess pays; others pay 0. */
  readonly pays?: number;
  /** What the page shows, from the hidden number. */
  readonly hint?: (secret: number) => string;
  /** The grader throws for this hidden number. */
  readonly failsOn?: number;
  readonly players?: readonly PlayerFactory[];
}

export function guessing(name: string, value: (secret: number, seed: number) => number): PlayerFactory {
  const facts = { name, title: name, summary: name, knowsTruth: true };
  return scripted<Observation>(facts, function* ({ episode }) {
    yield { name: "guess", args: { value: value(secretOf(episode.scenario.id, episode.seed), episode.seed) } };
  });
}

function secretOf(scenario: string, seed: number): number {
  return Stream.of(seed, `secret:${scenario}`).integer(0, 4);
}

export function guessingWorld(options: GuessingOptions = {}): World {
  const scenarios = [info("t", "train"), info("v", "validation"), info("p", "published")];
  return {
    id: "alerts",
    title: "Guessing",
    summary: "Guess a number.",
    actions,
    players: options.players ?? [],
    scenarios: () => scenarios,
    actionsFor: () => actions,
    contentHash: () => "0000000000000000",
    open: (scenario, seed) => open(scenarios.find((each) => each.id === scenario) ?? info("t", "train"), seed, options),
    render: (observation) => observation.title,
    readScenarioFile: () => {
      throw new Error("not here");
    },
    writeScenarioFile: () => {
      throw new Error("not here");
    },
  };
}

function open(scenario: ScenarioInfo, seed: number, options: GuessingOptions): Episode {
  const secret = secretOf(scenario.id, seed);
  let guess: number | null = null;
  let done = false;
  const observe = (): Observation => ({
    world: "alerts",
    scenario: scenario.id,
    title: options.hint ? options.hint(secret) : scenario.title,
    brief: scenario.brief,
    step: done ? 1 : 0,
    maxSteps: 1,
    minute: 0,
    maxMinutes: 1,
    clock: "00:00:00",
    done,
    lastResult: null,
  });
  const step = (input: Action): Step => {
    const parsed = actions.parse(input);
    if ("problem" in parsed) return { observation: observe(), reward: NOTHING, done, problem: parsed.problem };
    if (parsed.action.name === "guess") guess = parsed.action.args.value as number;
    done = true;
    return { observation: observe(), reward: NOTHING, done };
  };
  const grade = (): Grade => {
    if (secret === options.failsOn) throw new Error("the scale is broken");
    const strict = guess === secret ? (options.pays ?? 1) : 0;
    const published = scenario.split === "published" ? strict * 10 : null;
    const strictTree = leaf("grade", strict, "guess");
    const truth = { family: `family-${secret}` };
    return { ungraded: null, strict, published, strictTree, publishedTree: null, rewards: [], truth };
  };
  return { world: "alerts", scenario, seed, observe, step, choices: () => [], preview: () => null, grade };
}
