/** What every world implements. A world is one plain object; an episode is one seeded run of one of its scenarios. */
import type { Action, ActionCatalogue, Choice, ChoiceKind, Problem } from "./action";
import type { PlayerFactory } from "./player";
import type { Seed } from "./rng";
import type { GradePart } from "./rubric";

export type WorldId = "incident" | "alerts" | "release" | "queue";
export type Split = "starter" | "train" | "validation" | "holdout" | "published" | "imported";
export type RubricName = "strict" | "published";

/** A scenario as listings show it. Neither id, title nor tags may name the fault. */
export interface ScenarioInfo {
  readonly world: WorldId;
  /** Opaque, e.g. `alr-7f3a`; published scenarios keep their published ids; imported ones are `file-<content hash>`. */
  readonly id: string;
  readonly title: string;
  /** Two or three sentences: the setting and the task. */
  readonly brief: string;
  readonly difficulty: "starter" | "easy" | "medium" | "hard" | "extreme";
  readonly split: Split;
  readonly maxSteps: number;
  /** Simulated minutes. */
  readonly maxMinutes: number;
  readonly tags: readonly string[];
}

/** The result of the last action as the player sees it. */
export interface ActionResult {
  /** The id a claim may cite (`h3`); null when there is nothing to cite. Unique within the episode. */
  readonly id: string | null;
  readonly action: string;
  /** What happened, for reading; says when output was cut. */
  readonly text: string;
}

/** Everything a player may know, and nothing else. Plain JSON; never changed once handed out; unchanged parts are shared. */
export interface Observation {
  readonly world: WorldId;
  readonly scenario: string;
  readonly title: string;
  readonly brief: string;
  /** Steps taken so far. */
  readonly step: number;
  readonly maxSteps: number;
  /** Simulated minutes since the episode began. */
  readonly minute: number;
  readonly maxMinutes: number;
  /** Simulated time of day, `HH:MM:SS`. */
  readonly clock: string;
  readonly done: boolean;
  readonly lastResult: ActionResult | null;
}

/** A step's reward. Computed from truth: kept by the session, never shown before the end. */
export interface Reward {
  readonly value: number;
  readonly parts: readonly { readonly name: string; readonly value: number }[];
}

export interface Step<O extends Observation = Observation> {
  readonly observation: O;
  readonly reward: Reward;
  readonly done: boolean;
  readonly problem?: Problem;
}

/** The grade of a finished episode. */
export interface Grade {
  /** Why there is no grade, or null. An error while grading is never a pass. */
  readonly ungraded: string | null;
  /** 0..1, or null when ungraded. */
  readonly strict: number | null;
  /** The original's score on its own scale; null outside the published set. */
  readonly published: number | null;
  readonly strictTree: GradePart | null;
  readonly publishedTree: GradePart | null;
  /** The reward of each step, in order, under the published rubric (all 0 outside the published set). */
  readonly rewards: readonly Reward[];
  /** What was true, for the debrief: plain JSON, in the world's own shape. */
  readonly truth: unknown;
}

/** A part of what was true, as a debrief or a terminal lists it. */
export interface TruthLine {
  readonly heading: string;
  readonly text: string;
}

/** What a risky action would touch, from the player's own record; never a hint of the truth. */
export interface Preview {
  readonly summary: string;
  readonly touches: readonly { readonly label: string; readonly count: number; readonly detail?: string }[];
  readonly reversible: boolean;
  /** What the player has not looked at that the action concerns. */
  readonly unread: readonly string[];
  /** True when harm is possible: the confirm control must not have the focus. */
  readonly dangerous: boolean;
}

export interface Episode<O extends Observation = Observation> {
  readonly world: WorldId;
  readonly scenario: ScenarioInfo;
  readonly seed: Seed;
  /** The same object until the next step. */
  observe(): O;
  /** Carries an action out. Bad input or a finished episode gives a `problem`, costs nothing and moves nothing. Never throws. */
  step(action: Action): Step<O>;
  /** Values a prompt may offer for a kind of argument now. */
  choices(kind: ChoiceKind): readonly Choice[];
  /** What the action would touch, or null when it needs no preview. Costs nothing. */
  preview(action: Action): Preview | null;
  /** The grade; the same object every time. @throws Error before the episode is done. */
  grade(): Grade;
}

export interface OpenOptions {
  /** Test builds only: a string put into every truth field, which nothing published before the end may contain. */
  readonly canary?: string;
}

/** A scenario brought in from a file, already validated by its world. */
export interface ScenarioFile {
  readonly world: WorldId;
  readonly info: ScenarioInfo;
  /** Everything that observations are built from, in the world's own shape: plain JSON. */
  readonly content: unknown;
  /**
   * Stands for the truth where that must not be: 16 hexadecimal digits that bind it and do not tell it. It is salted, so
   * that whoever guesses the answers cannot try them on it.
   */
  readonly seal: string;
  /** What the author says was true, packed by the world, salt included; null in what an unfinished recording holds. */
  readonly truth: string | null;
}

export interface World<O extends Observation = Observation> {
  readonly id: WorldId;
  readonly title: string;
  readonly summary: string;
  /** Every verb of the generated and imported scenarios. Like every catalogue of `actionsFor`, it has `GIVE_UP` (player.ts). */
  readonly actions: ActionCatalogue;
  readonly players: readonly PlayerFactory[];
  /** Built-in scenarios, in listing order. */
  scenarios(): readonly ScenarioInfo[];
  /** The catalogue that holds in one scenario: the published set allows the original's verbs only. */
  actionsFor(scenario: ScenarioInfo): ActionCatalogue;
  /**
   * A hash of everything an episode of this scenario depends on; a run replays where it is equal. 16 hexadecimal digits. A
   * file's truth enters by its seal, so the hash can be worked out without it.
   */
  contentHash(scenario: string | ScenarioFile): string;
  /**
   * A file without its truth plays as with it, but cannot be graded.
   * @throws ScenarioError when the id is unknown, the file is not valid or its truth does not fit its seal; RangeError when the
   * seed is not a whole number ≥ 0.
   */
  open(scenario: string | ScenarioFile, seed: Seed, options?: OpenOptions): Episode<O>;
  /**
   * Does what `open` would do for a scenario and seed in short pieces, so that a front end can let others run in between; the same
   * `open` is quick right afterwards. Worlds whose episodes open quickly have none. @throws as `open` does.
   */
  prepare?(scenario: string | ScenarioFile, seed: Seed): Iterator<void, void>;
  /** The observation as text, for models and terminals. */
  render(observation: O): string;
  /**
   * `Grade.truth` in sentences for people, in reading order; null when it has a shape that this version does not write. See
   * `truthLines` for what is said without it.
   */
  tellTruth?(truth: unknown): readonly TruthLine[] | null;
  /**
   * Validates the text of a scenario file. `salt` is 32 or more hexadecimal digits of chance, taken where the file has no
   * salt of its own. @throws ScenarioError naming the place and the fix.
   */
  readScenarioFile(text: string, salt: string): ScenarioFile;
  /** The text that reads back as the same file. @throws ScenarioError when the file's truth is not there. */
  writeScenarioFile(file: ScenarioFile): string;
}

/** A scenario that does not exist or a scenario file that is not valid; the message names the place and the fix. */
export class ScenarioError extends Error {
  override readonly name = "ScenarioError";
}
