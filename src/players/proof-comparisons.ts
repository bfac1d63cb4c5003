/** The rows of the proof that compare players with each other, and those about the page and about the spread. */
import { mean, round } from "../core/math";
import type { ProofRow } from "../panel-protocol";
import { BOUNDS, LEAD, LEAST_FOR_SPREAD, ORACLES_WITHIN, PAGE_ACCURACY, rangeText, VARYING, within } from "./bounds";
import { familyAccuracy, type PageSample } from "./nearest-neighbour";
import type { ProofRun } from "./proof";
import { type Estimate, pairedDifference, spread } from "./statistics";

const ALL = "all";

/** The lead of the fair player over every probe, paired by scenario and seed, and how close the oracles are. */
export function* comparisonRows(world: string, runs: readonly ProofRun[]): Generator<void, ProofRow[]> {
  const rows: ProofRow[] = [];
  const validation = runs.filter((run) => run.info.split === "validation");
  const mixed = validation.length > 0 ? validation : runs;
  for (const { player } of BOUNDS) {
    if (player === LEAD.player) break;
    const lead = difference(mixed, LEAD.player, player);
    if (lead) rows.push(leadRow(world, player, lead));
    yield;
  }
  const apart = difference(runs, "oracle-2", "oracle");
  if (apart) {
    const bound = `within ${rangeText({ most: ORACLES_WITHIN }).slice(2)}`;
    rows.push(estimateRow(world, "oracle-2 − oracle", apart, bound, Math.abs(apart.mean) <= ORACLES_WITHIN));
  }
  return rows;
}

/** With enough pairs the lower end of the interval has to lead; with fewer, the mean. */
function leadRow(world: string, player: string, lead: Estimate): ProofRow {
  const range = { least: LEAD.least };
  const enough = lead.n >= LEAD.pairs;
  const bound = enough ? `lower end ${rangeText(range)}` : `mean ${rangeText(range)} (fewer than ${LEAD.pairs} pairs)`;
  return estimateRow(
    world,
    `${LEAD.player} − ${player}`,
    lead,
    bound,
    within(enough ? lead.ci95[0] : lead.mean, range),
  );
}

/** Here `min` and `max` are the ends of the 95 % interval. */
function estimateRow(world: string, player: string, of: Estimate, bound: string, holds: boolean): ProofRow {
  const [min, max] = of.ci95.map((end) => round(end, 4)) as [number, number];
  return { world, family: ALL, player, n: of.n, mean: round(of.mean, 4), max, min, bound, holds };
}

function difference(runs: readonly ProofRun[], left: string, right: string): Estimate | null {
  const rights = new Map(runs.filter((run) => run.score.player === right).map((run) => [keyOf(run), run.score.strict]));
  const pairs = runs.flatMap((run) => {
    const other = run.score.player === left ? rights.get(keyOf(run)) : undefined;
    return other === undefined ? [] : [[run.score.strict, other] as const];
  });
  if (pairs.length === 0) return null;
  return pairedDifference(
    pairs.map(([a]) => a),
    pairs.map(([, b]) => b),
    `${left} − ${right}`,
  );
}

function keyOf({ score }: ProofRun): string {
  return `${score.scenario} ${score.seed}`;
}

/** Players whose step rewards may not sum to more than another's on the same episode. */
export function returnRows(world: string, runs: readonly ProofRun[]): ProofRow[] {
  return BOUNDS.flatMap(({ player, returnAtMost }) => {
    if (returnAtMost === undefined) return [];
    const others = new Map(
      runs.filter((run) => run.score.player === returnAtMost).map((run) => [keyOf(run), run.score.rewards]),
    );
    const over = runs.flatMap((run) => {
      const other = run.score.player === player ? others.get(keyOf(run)) : undefined;
      return other === undefined ? [] : [run.score.rewards - other];
    });
    if (over.length === 0) return [];
    const most = over.reduce((a, b) => Math.max(a, b));
    const least = over.reduce((a, b) => Math.min(a, b));
    const row = { world, family: ALL, player: `${player} return − ${returnAtMost} return`, n: over.length };
    const figures = { mean: round(mean(over), 4), max: round(most, 4), min: round(least, 4) };
    return [{ ...row, ...figures, bound: "every ≤ 0.00", holds: within(most, { most: 0 }) }];
  });
}

/** Here `mean` is the standard deviation of the grades over seeds. */
export function varianceRows(world: string, runs: readonly ProofRun[]): ProofRow[] {
  return VARYING.flatMap((player) => {
    const grades = runs.filter((run) => run.score.player === player).map((run) => run.score.strict);
    if (grades.length < 2) return [];
    const figures = {
      n: grades.length,
      mean: round(spread(grades), 4),
      max: round(
        grades.reduce((a, b) => Math.max(a, b)),
        4,
      ),
      min: round(
        grades.reduce((a, b) => Math.min(a, b)),
        4,
      ),
    };
    const judged = grades.length >= LEAST_FOR_SPREAD;
    const row = { world, family: ALL, player: `${player} spread`, ...figures };
    return [{ ...row, bound: judged ? "varies" : "—", holds: !judged || figures.mean > 0 }];
  });
}

/**
 * How often the family is named from the page: learnt on the train split and tried on the others, and tried on each train
 * page with the rest known, where even the systems are the same.
 */
export function* pageRow(
  world: string,
  pages: readonly { readonly sample: PageSample; readonly split: string }[],
): Generator<void, ProofRow[]> {
  const train = pages.filter((page) => page.split === "train").map((page) => page.sample);
  const unseen = pages
    .filter((page) => page.split === "validation" || page.split === "holdout")
    .map((page) => page.sample);
  const rows: ProofRow[] = [];
  for (const [name, test] of [
    ["nearest neighbour, other splits", unseen],
    ["nearest neighbour, known systems", train],
  ] as const) {
    if (train.length < PAGE_ACCURACY.samples || test.length < PAGE_ACCURACY.samples) continue;
    const accuracy = round(yield* familyAccuracy(train, test), 4);
    const figures = { n: test.length, mean: accuracy, max: accuracy, min: accuracy };
    const bound = `share named ${rangeText(PAGE_ACCURACY)}`;
    rows.push({ world, family: ALL, player: name, ...figures, bound, holds: within(accuracy, PAGE_ACCURACY) });
  }
  return rows;
}
