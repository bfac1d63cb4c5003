/**
 * Plays players over scenarios and seeds and sums the grades up. The work comes as a generator that pauses after every
 * episode, so that the editor can slice it and a command can show progress or stop.
 */
import { ungraded } from "../core/grade";
import { round } from "../core/math";
import type { PlayerFactory } from "../core/player";
import type { Seed } from "../core/rng";
import { runEpisode } from "../core/run";
import type { Grade, ScenarioFile, ScenarioInfo, World } from "../core/world";
import { estimate } from "./statistics";

/** A strict grade from here on counts as solved. */
export const SOLVED = 0.7;

/** What is evaluated: every player on every scenario with every seed, so that comparisons are paired. */
export interface EvaluationPlan {
  readonly players: readonly PlayerFactory[];
  readonly scenarios: readonly (string | ScenarioFile)[];
  readonly seeds: readonly Seed[];
}

/** One graded episode, reduced to what tables need. Plain JSON. */
export interface Score {
  readonly player: string;
  readonly scenario: string;
  readonly seed: Seed;
  /** The family that drew the episode, known after the end; `—` where the truth names none. */
  readonly family: string;
  readonly steps: number;
  /** Why there is no grade, or null. */
  readonly ungraded: string | null;
  /** 0..1; 0 when ungraded. */
  readonly strict: number;
  /** The original's scale; null outside the published set. */
  readonly published: number | null;
  /** Sum of the step rewards under the published rubric. */
  readonly rewards: number;
}

export interface PlayerSummary {
  readonly player: string;
  readonly n: number;
  readonly ungraded: number;
  /** Mean strict grade; an ungraded episode counts as 0. */
  readonly mean: number;
  readonly ci95: readonly [low: number, high: number];
  /** Over the episodes of the published set; null when there are none. */
  readonly meanPublished: number | null;
  readonly solveRate: number;
  readonly byFamily: Readonly<Record<string, { readonly n: number; readonly mean: number }>>;
}

export interface Evaluation {
  readonly players: readonly PlayerSummary[];
}

export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly score: Score;
}

/** Runs a plan, pausing after each episode; returns the summary, one entry a player in the plan's order. */
export function* evaluate(world: World, plan: EvaluationPlan): Generator<Progress, Evaluation> {
  const scores: Score[] = [];
  const total = plan.players.length * plan.scenarios.length * plan.seeds.length;
  for (const scenario of plan.scenarios)
    for (const seed of plan.seeds)
      for (const factory of plan.players) {
        const score = play(world, scenario, seed, factory);
        scores.push(score);
        yield { done: scores.length, total, score };
      }
  return summarise(
    scores,
    plan.players.map((factory) => factory.name),
  );
}

/** Plays one episode. An episode that cannot be opened throws; one that cannot be played or graded is ungraded. */
export function play(world: World, scenario: string | ScenarioFile, seed: Seed, factory: PlayerFactory): Score {
  const episode = world.open(scenario, seed);
  const { grade, steps } = runEpisode(episode, factory);
  return scoreOf(factory.name, episode.scenario, seed, steps, grade);
}

/** Reduces a grade to a row. */
export function scoreOf(player: string, info: ScenarioInfo, seed: Seed, steps: number, grade: Grade): Score {
  const wrong =
    grade.ungraded === null && !isGrade(grade.strict) ? ungraded("the grade is not a number from 0 to 1") : grade;
  let rewards = 0;
  for (const reward of grade.rewards) rewards += reward.value;
  return {
    player,
    scenario: info.id,
    seed,
    family: familyOf(grade.truth),
    steps,
    ungraded: wrong.ungraded,
    strict: wrong.ungraded === null ? (wrong.strict ?? 0) : 0,
    published: grade.published ?? (info.split === "published" ? 0 : null),
    rewards,
  };
}

function isGrade(value: number | null): boolean {
  return value !== null && value >= 0 && value <= 1;
}

/** The family a finished episode was drawn from, read from its truth. */
export function familyOf(truth: unknown): string {
  const family = (truth as { family?: unknown } | null)?.family;
  return typeof family === "string" && family !== "" ? family : NO_FAMILY;
}

/** Stands for the family where there is none. */
export const NO_FAMILY = "—";

/** Sums rows up by player, in the order of `players`. Rows may come from several workers in any order. */
export function summarise(scores: readonly Score[], players: readonly string[]): Evaluation {
  return { players: players.map((player) => summaryOf(player, inOrder(scores.filter((s) => s.player === player)))) };
}

/** Sorted by scenario and seed, so that the order of playing changes no interval. */
function inOrder(scores: readonly Score[]): Score[] {
  return scores.slice().sort((a, b) => compareText(a.scenario, b.scenario) || a.seed - b.seed);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function summaryOf(player: string, scores: readonly Score[]): PlayerSummary {
  const grades = scores.map((score) => score.strict);
  const { n, mean, ci95 } = estimate(grades, player);
  const published = scores.flatMap((score) => (score.published === null ? [] : [score.published]));
  const solved = grades.filter((grade) => grade >= SOLVED).length;
  return {
    player,
    n,
    ungraded: scores.filter((score) => score.ungraded !== null).length,
    mean: round(mean, 6),
    ci95: [round(ci95[0], 6), round(ci95[1], 6)],
    meanPublished: published.length ? round(estimate(published, player, 1).mean, 6) : null,
    solveRate: n ? round(solved / n, 6) : 0,
    byFamily: familiesOf(scores),
  };
}

function familiesOf(scores: readonly Score[]): PlayerSummary["byFamily"] {
  const grades = new Map<string, number[]>();
  for (const { family, strict } of scores) grades.set(family, [...(grades.get(family) ?? []), strict]);
  const out: Record<string, { n: number; mean: number }> = {};
  for (const family of [...grades.keys()].sort(compareText)) {
    const { n, mean } = estimate(grades.get(family) ?? [], family, 1);
    out[family] = { n, mean: round(mean, 6) };
  }
  return out;
}
