/** Statistics over seeds: every mean is given with its n and a 95 % bootstrap interval, and comparisons are paired. */
import { mean, quantile } from "../core/math";
import { Stream } from "../core/rng";

/** Resamples behind every interval; enough for the third decimal of a percentile interval. */
export const RESAMPLES = 2_000;

/** The bootstrap's own seed: an interval is the same wherever it is worked out. */
const BOOTSTRAP_SEED = 0;

/** A mean over seeds. */
export interface Estimate {
  readonly n: number;
  readonly mean: number;
  /** The 95 % percentile bootstrap interval of the mean; both ends equal the mean for n ≤ 1. */
  readonly ci95: readonly [low: number, high: number];
}

/**
 * The mean of `values` with its 95 % percentile bootstrap interval (Efron and Tibshirani, chapter 13).
 * @param name Names the random stream, so that two intervals in one table do not share resamples.
 */
export function estimate(values: readonly number[], name = "estimate", resamples = RESAMPLES): Estimate {
  const centre = mean(values);
  if (values.length <= 1) return { n: values.length, mean: centre, ci95: [centre, centre] };
  const random = Stream.of(BOOTSTRAP_SEED, `bootstrap:${name}`);
  const means: number[] = [];
  for (let r = 0; r < resamples; r++) {
    let total = 0;
    for (let i = 0; i < values.length; i++) total += values[random.integer(0, values.length - 1)] as number;
    means.push(total / values.length);
  }
  return { n: values.length, mean: centre, ci95: [quantile(means, 0.025), quantile(means, 0.975)] };
}

/**
 * The mean of `left − right` over pairs that share a scenario and a seed, resampled by pair.
 * @throws RangeError when the lists differ in length.
 */
export function pairedDifference(
  left: readonly number[],
  right: readonly number[],
  name = "difference",
  resamples = RESAMPLES,
): Estimate {
  if (left.length !== right.length)
    throw new RangeError(`A paired difference needs lists of one length, not ${left.length} and ${right.length}.`);
  return estimate(
    left.map((value, i) => value - (right[i] as number)),
    name,
    resamples,
  );
}

/** The standard deviation of the values themselves (divided by n); 0 for n ≤ 1. */
export function spread(values: readonly number[]): number {
  const centre = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - centre) * (value - centre))));
}
