/**
 * The grader proof: every player on every scenario and seed, against the table of bounds. The work is a generator that
 * pauses after each episode and while one is drawn; the result is always computed on the spot.
 */
import { mean, round } from "../core/math";
import type { PlayerFactory } from "../core/player";
import type { Seed } from "../core/rng";
import type { Observation, ScenarioFile, ScenarioInfo, World } from "../core/world";
import type { ProofRow } from "../panel-protocol";
import { BOUNDS, FEW_OF_FAMILY, LEAST_FOR_MEAN, type PlayerBound, type Range, rangeText, within } from "./bounds";
import { play, type Score } from "./evaluate";
import { type PageSample, pageTokens } from "./nearest-neighbour";
import { giveUp } from "./probes";
import { comparisonRows, pageRow, returnRows, varianceRows } from "./proof-comparisons";
import { estimate } from "./statistics";

/** The family of a row that sums all families up. */
export const ALL_FAMILIES = "all";

export interface ProofPlan {
  readonly scenarios: readonly (string | ScenarioFile)[];
  readonly seeds: readonly Seed[];
}

export interface Proof {
  readonly holds: boolean;
  readonly rows: readonly ProofRow[];
  /** Episodes that could not be graded; any makes the proof fail. */
  readonly ungraded: number;
}

export interface ProofProgress {
  /** Episodes played, of `total`. */
  readonly done: number;
  readonly total: number;
  /** The episode just played; null while conclusions are drawn. */
  readonly score: Score | null;
}

/** What an episode was, beside its score. */
export interface ProofRun {
  readonly score: Score;
  readonly info: ScenarioInfo;
}

/** The scenarios the bounds speak of: the generated sets. */
export function provenScenarios(world: World): readonly ScenarioInfo[] {
  return world.scenarios().filter((info) => isGenerated(info));
}

function isGenerated(info: ScenarioInfo): boolean {
  return info.split === "starter" || info.split === "train" || info.split === "validation" || info.split === "holdout";
}

/**
 * Runs the pack. Bounds apply to generated scenarios; others are listed without a bound.
 * @throws RangeError without a scenario or a seed: nothing would be proven.
 */
export function* prove(world: World, plan: ProofPlan): Generator<ProofProgress, Proof> {
  if (plan.scenarios.length === 0 || plan.seeds.length === 0)
    throw new RangeError("A proof needs at least one scenario and one seed.");
  const players = pack(world);
  const runs: ProofRun[] = [];
  const pages: { readonly sample: PageSample; readonly split: string }[] = [];
  const total = players.length * plan.scenarios.length * plan.seeds.length;
  for (const scenario of plan.scenarios)
    for (const seed of plan.seeds) {
      for (const pieces = world.prepare?.(scenario, seed); pieces && !pieces.next().done; )
        yield { done: runs.length, total, score: null };
      const { scenario: info, page } = openPage(world, scenario, seed);
      for (const factory of players) {
        const score = play(world, scenario, seed, factory);
        runs.push({ score, info });
        yield { done: runs.length, total, score };
      }
      const family = runs[runs.length - 1]?.score.family ?? "";
      pages.push({ sample: { family, tokens: pageTokens(page) }, split: info.split });
    }
  const concluding = conclude(world, players, runs, pages);
  for (;;) {
    const turn = concluding.next();
    if (turn.done) return turn.value;
    yield { done: total, total, score: null };
  }
}

/** The world's players in the table's order, then those the table does not name. */
function pack(world: World): readonly PlayerFactory[] {
  const all = world.players.some((factory) => factory.name === giveUp.name)
    ? world.players
    : [giveUp, ...world.players];
  const place = (factory: PlayerFactory) => {
    const at = BOUNDS.findIndex((bound) => bound.player === factory.name);
    return at < 0 ? BOUNDS.length : at;
  };
  return all
    .map((factory, i) => ({ factory, i }))
    .sort((a, b) => place(a.factory) - place(b.factory) || a.i - b.i)
    .map(({ factory }) => factory);
}

function openPage(
  world: World,
  scenario: string | ScenarioFile,
  seed: Seed,
): { scenario: ScenarioInfo; page: Observation } {
  const episode = world.open(scenario, seed);
  return { scenario: episode.scenario, page: episode.observe() };
}

/** Draws the conclusions, pausing wherever some milliseconds of work have been done. */
function* conclude(
  world: World,
  players: readonly PlayerFactory[],
  runs: readonly ProofRun[],
  pages: readonly { readonly sample: PageSample; readonly split: string }[],
): Generator<void, Proof> {
  const rows: ProofRow[] = [];
  for (const factory of players) {
    const own = runs.filter((run) => run.score.player === factory.name);
    const bound = BOUNDS.find((each) => each.player === factory.name) ?? { player: factory.name };
    rows.push(...playerRows(world.id, bound, own));
    yield;
  }
  const bounded = runs.filter((run) => isGenerated(run.info));
  if (bounded.length > 0) {
    rows.push(...(yield* comparisonRows(world.id, bounded)));
    rows.push(...returnRows(world.id, bounded), ...varianceRows(world.id, bounded));
    rows.push(...(yield* pageRow(world.id, pages)));
  }
  const ungraded = runs.filter((run) => run.score.ungraded !== null).length;
  return { holds: rows.every((row) => row.holds), rows, ungraded };
}

/** A row a family, and one for all; where the bound is over validation alone, one more for that. */
function playerRows(world: string, bound: PlayerBound, runs: readonly ProofRun[]): ProofRow[] {
  const applies = runs.every((run) => isGenerated(run.info));
  const row = (family: string, of: readonly ProofRun[], checks: readonly Check[]) =>
    rowOf(world, family, bound.player, of, applies ? checks : []);
  const every: Check[] = bound.every ? [{ kind: "every", range: bound.every }] : [];
  const rows = [row(ALL_FAMILIES, runs, bound.meanOver ? every : [...every, ...meanCheck(bound.mean, runs, "mix")])];
  const validation = runs.filter((run) => run.info.split === "validation");
  if (bound.meanOver && validation.length > 0)
    rows.push(row(bound.meanOver, validation, meanCheck(bound.mean, validation, "mix")));
  const families = [...new Set(runs.map((run) => run.score.family))].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  for (const family of families) {
    const of = runs.filter((run) => run.score.family === family);
    rows.push(row(family, of, [...every, ...meanCheck(bound.familyMean, of, "family")]));
  }
  return rows;
}

/** `mean, few`: with so few episodes only a mean whose interval lies outside the range breaks the bound. */
interface Check {
  readonly kind: "every" | "mean" | "mean, few";
  readonly range: Range;
}

/** A mean is judged only with enough episodes behind it. */
function meanCheck(range: Range | undefined, runs: readonly ProofRun[], over: keyof typeof LEAST_FOR_MEAN): Check[] {
  if (!range || runs.length < LEAST_FOR_MEAN[over]) return [];
  return [{ kind: over === "family" && runs.length < FEW_OF_FAMILY ? "mean, few" : "mean", range }];
}

function rowOf(
  world: string,
  family: string,
  player: string,
  runs: readonly ProofRun[],
  checks: readonly Check[],
): ProofRow {
  const grades = runs.map((run) => run.score.strict);
  const failed = runs.filter((run) => run.score.ungraded !== null);
  const average = mean(grades);
  const holds = checks.every(({ kind, range }) => {
    if (kind === "every") return grades.every((grade) => within(grade, range));
    return within(kind === "mean" ? average : estimate(grades, `${player} ${family}`).ci95[1], range);
  });
  const bound = checks.map(({ kind, range }) => `${kind} ${rangeText(range)}`).join(", ") || "—";
  return {
    world,
    family,
    player,
    n: grades.length,
    mean: round(average, 4),
    max: round(extreme(grades, Math.max), 4),
    min: round(extreme(grades, Math.min), 4),
    bound: failed.length > 0 ? `${bound} (${failed.length} ungraded: ${failed[0]?.score.ungraded})` : bound,
    holds: holds && failed.length === 0,
  };
}

function extreme(values: readonly number[], pick: (a: number, b: number) => number): number {
  return values.length === 0 ? 0 : values.reduce((a, b) => pick(a, b));
}
