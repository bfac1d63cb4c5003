/**
 * What the strict grade promises, as data: how much each player may or must score. The proof runs the players and checks
 * this table; a bound that breaks is an error of a grader, a generator or a player, never of the table.
 */

/** A range of grades; an end that is left out is open. */
export interface Range {
  readonly least?: number;
  readonly most?: number;
}

export interface PlayerBound {
  readonly player: string;
  /** Holds for each single episode. */
  readonly every?: Range;
  /** Holds for the mean over the mix of families. */
  readonly mean?: Range;
  /** Where `mean` is judged: all that was run, or its validation scenarios alone. */
  readonly meanOver?: "validation";
  /** Holds for the mean of each family on its own. */
  readonly familyMean?: Range;
  /** The sum of step rewards is at most that of this player on the same episode. */
  readonly returnAtMost?: string;
}

export const BOUNDS: readonly PlayerBound[] = [
  { player: "idle", every: { most: 0.05 } },
  { player: "give-up", every: { most: 0.05 } },
  { player: "false-claimer", every: { most: 0.05 } },
  { player: "farmer", every: { most: 0.02 }, returnAtMost: "idle" },
  { player: "collector", every: { most: 0.3 } },
  { player: "constant", mean: { most: 0.35 } },
  { player: "random", mean: { most: 0.35 } },
  { player: "spray", mean: { most: 0.35 } },
  { player: "read-all-spray", mean: { most: 0.35 } },
  // No verb of a world that only routes removes a cause, so masking is bounded on every seed there.
  { player: "symptom-masker", every: { most: 0.35 }, mean: { most: 0.4 } },
  { player: "brief-keyed", mean: { most: 0.4 } },
  { player: "brief-keyed-read", mean: { most: 0.4 } },
  { player: "prober", mean: { most: 0.4 } },
  { player: "rules", mean: { least: 0.65, most: 0.9 }, meanOver: "validation", familyMean: { least: 0.4 } },
  { player: "oracle", every: { least: 0.95 } },
  { player: "oracle-2", every: { least: 0.95 } },
];

/** The fair player that has to lead every probe, by how much, and from how many pairs on its interval is judged. */
export const LEAD = { player: "rules", least: 0.2, pairs: 200 } as const;
/** How far apart the two oracles' means may be. */
export const ORACLES_WITHIN = 0.03;
/** How often a nearest-neighbour classifier may name the family from the page, and from how many samples on. */
export const PAGE_ACCURACY = { most: 0.45, samples: 30 } as const;
/** Players whose grades must vary over seeds: a grade that never moves measures nothing. */
export const VARYING = ["rules", "random", "spray"] as const;
/** Episodes from which on a spread of nothing is an error: random play seldom earns anything. */
export const LEAST_FOR_SPREAD = 400;
/** Episodes behind a mean before it is judged at all. */
export const LEAST_FOR_MEAN = { mix: 20, family: 8 } as const;

/** Below so many episodes of a family, the upper end of the interval of its mean is judged. */
export const FEW_OF_FAMILY = 30;

/** Whether a value lies in a range, with room for rounding in the last place. */
export function within(value: number, range: Range): boolean {
  return (
    value >= (range.least ?? Number.NEGATIVE_INFINITY) - 1e-9 &&
    value <= (range.most ?? Number.POSITIVE_INFINITY) + 1e-9
  );
}

/** A range in words: `≤ 0.35`, `≥ 0.95`, `0.65–0.90`. */
export function rangeText({ least, most }: Range): string {
  if (least !== undefined && most !== undefined) return `${decimals(least)}–${decimals(most)}`;
  if (least !== undefined) return `≥ ${decimals(least)}`;
  return most === undefined ? "any" : `≤ ${decimals(most)}`;
}

function decimals(value: number): string {
  const hundredths = `${Math.floor(value * 100 + 0.5)}`.padStart(3, "0");
  return `${hundredths.slice(0, -2)}.${hundredths.slice(-2)}`;
}
