/** A world as small as can be, so that tests of recordings are about the recording. */
import { z } from "zod";
import { ActionCatalogue } from "../src/core/action";
import { digest } from "../src/core/json";
import type { Episode, Grade, Observation, ScenarioInfo, Step, World } from "../src/core/world";

const info: ScenarioInfo = {
  world: "alerts",
  id: "words",
  title: "Words",
  brief: "Say things.",
  difficulty: "easy",
  split: "train",
  maxSteps: 1_000_000,
  maxMinutes: 1_000_000,
  tags: [],
};

const actions = new ActionCatalogue([
  {
    name: "say",
    title: "Say",
    help: "Says something.",
    risk: "change",
    key: "S",
    minutes: 1,
    schema: z.object({ text: z.string() }),
  },
  { name: "stop", title: "Stop", help: "Ends the episode.", risk: "final", key: "X", minutes: 0, schema: z.object({}) },
]);

interface Words extends Observation {
  /** A digest of all that was said: any lost or doubled step changes everything after it. */
  readonly chain: string;
  readonly said: number;
}

class WordsEpisode implements Episode<Words> {
  readonly world = "alerts";
  readonly scenario = info;
  private now: Words;
  private final: Grade | null = null;

  constructor(readonly seed: number) {
    this.now = {
      ...{
        world: "alerts",
        scenario: info.id,
        title: info.title,
        brief: info.brief,
        clock: "00:00:00",
        lastResult: null,
      },
      ...{ step: 0, maxSteps: info.maxSteps, minute: 0, maxMinutes: info.maxMinutes, done: false },
      chain: `${seed}`,
      said: 0,
    };
  }

  observe(): Words {
    return this.now;
  }

  step(action: { name: string; args: Readonly<Record<string, unknown>> }): Step<Words> {
    const { now } = this;
    const parsed = actions.parse(action);
    const reward = { value: 0, parts: [] };
    if (now.done)
      return {
        observation: now,
        reward,
        done: true,
        problem: { code: "episode_over", message: "The episode is over." },
      };
    if ("problem" in parsed) return { observation: now, reward, done: false, problem: parsed.problem };
    const text = String(parsed.action.args.text ?? "");
    this.now = {
      ...now,
      step: now.step + 1,
      minute: now.minute + 1,
      chain: digest({ before: now.chain, text }),
      said: now.said + text.length,
      lastResult: { id: `h${now.step}`, action: action.name, text: text.slice(0, 200) },
      done: action.name === "stop",
    };
    return { observation: this.now, reward: { value: text.length, parts: [] }, done: this.now.done };
  }

  choices(): readonly [] {
    return [];
  }

  preview(): null {
    return null;
  }

  grade(): Grade {
    if (!this.now.done) throw new Error("The episode is not done.");
    const strict = this.now.said > 0 ? 1 : 0;
    this.final ??= {
      ...{ ungraded: null, strict, published: null, publishedTree: null, rewards: [], truth: { family: "words" } },
      strictTree: { name: "grade", kind: "leaf", value: strict, reason: "something was said", evidence: [] },
    };
    return this.final;
  }
}

export const wordsWorld: World<Words> = {
  id: "alerts",
  title: "Words",
  summary: "Says things.",
  actions,
  players: [],
  scenarios: () => [info],
  actionsFor: () => actions,
  contentHash: () => "0123456789abcdef",
  open: (_scenario, seed) => new WordsEpisode(seed),
  render: (observation) => JSON.stringify(observation),
  readScenarioFile: () => {
    throw new Error("There are no scenario files of words.");
  },
  writeScenarioFile: () => {
    throw new Error("There are no scenario files of words.");
  },
};
