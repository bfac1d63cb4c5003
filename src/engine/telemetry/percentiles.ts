/**
 * Percentiles of latency from its mean and standard deviation. A part of the traffic (a zone, a version, a tick) has a gamma
 * distribution with those two moments; several parts are a mixture, whose quantile is found by bisection.
 *
 * Gamma quantile by Wilson and Hilferty (1931): the cube root of a gamma variable is nearly normal, so
 * x_q = m (1 − a + z_q √a)³ with a = v/(9m²). Within 1.33 % of the exact value at p50, p95 and p99 for Erlang-1 to Erlang-16.
 *
 * Where the standard deviation exceeds the mean that no longer holds; such a part is itself a mixture of two exponential ones with
 * the same two moments and balanced means (the H2 fit of Tijms, Stochastic Models, 1994, appendix B): p = (1 + sqrt((c²−1)/(c²+1)))/2,
 * means m/(2p) and m/(2(1−p)).
 */
import { cubeRoot, normalCdf } from "../../core/math";
import type { Quantile } from "./noise";

/** Standard normal quantiles. */
const NORMAL_QUANTILE: Readonly<Record<Quantile, number>> = { p50: 0, p95: 1.6448536, p99: 2.3263479 };
const SHARE: Readonly<Record<Quantile, number>> = { p50: 0.5, p95: 0.95, p99: 0.99 };

/** Halvings of the bracket of a mixture's quantile: 2^−24 of its width. */
const BISECTIONS = 24;

/** The bracket, of cube roots, is narrow enough at this share: the quantile is then known to 3 in a million, far within its noise. */
const CLOSE = 1e-6;

/** Secant steps before the halving; the first is to this share of the bracket; and how near counts as found. */
const SECANTS = 6;
const FIRST_STEP = 0.02;
const NEAR = 4e-7;

/** v/(9m²) of an exponential variable. */
const EXPONENTIAL = 1 / 9;

/** Below this spread (relative sd 0.3 %) a part counts as a single value. */
const LEAST_SPREAD = 1e-6;

/** The value a gamma variable has where a standard normal one has `z`; used to draw one latency. */
export function gammaAt(mean: number, deviation: number, z: number): number {
  if (!(mean > 0)) return 0;
  const spread = (deviation * deviation) / (9 * mean * mean);
  return wilsonHilferty(mean, Math.min(spread, EXPONENTIAL), z);
}

/** A mixture of latencies, filled part by part and then asked for quantiles. */
export class LatencyMixture {
  private count = 0;
  private weights = new Float64Array(8);
  /** Cube root of the mean. */
  private roots = new Float64Array(8);
  private spreads = new Float64Array(8);
  /** √spread, and the standard normal variable that stands for a latency is (root ÷ mean's root − 1 + spread) ÷ √spread. */
  private deviations = new Float64Array(8);
  private total = 0;
  /** Cube roots of latencies between which the quantile is known to be. */
  private surelyBelow = 0;
  private surelyAbove = 0;

  /** Forgets all parts, so that the memory can be used again. */
  clear(): this {
    this.count = 0;
    this.total = 0;
    return this;
  }

  /** Sum of the weights. */
  get weight(): number {
    return this.total;
  }

  /**
   * Adds requests with a gamma-distributed latency; `deviation` 0 is a fixed value, such as a time-out. Without weight or mean
   * nothing is added.
   */
  add(weight: number, mean: number, deviation: number): this {
    if (!(weight > 0) || !(mean > 0)) return this;
    const spread = (deviation * deviation) / (9 * mean * mean);
    if (spread > EXPONENTIAL * 1.0001) {
      const square = spread * 9;
      const p = 0.5 * (1 + Math.sqrt((square - 1) / (square + 1)));
      this.push(weight * p, mean / (2 * p), EXPONENTIAL);
      this.push(weight * (1 - p), mean / (2 * (1 - p)), EXPONENTIAL);
    } else this.push(weight, mean, spread);
    return this;
  }

  /** The quantile, s; null for an empty mixture. */
  quantile(quantile: Quantile): number | null {
    const { count, roots, spreads } = this;
    if (count === 0) return null;
    if (count === 1) {
      const root = roots[0] as number;
      return wilsonHilferty(root * root * root, spreads[0] as number, NORMAL_QUANTILE[quantile]);
    }
    const wanted = SHARE[quantile] * this.total;
    // A quantile of a mixture lies between the smallest and the largest of its parts.
    let low = Number.MAX_VALUE;
    let high = 0;
    let middling = 0;
    for (let i = 0; i < count; i++) {
      const a = spreads[i] as number;
      const root = (roots[i] as number) * lifted(1 - a + NORMAL_QUANTILE[quantile] * (this.deviations[i] as number));
      if (root < low) low = root;
      if (root > high) high = root;
      middling += (this.weights[i] as number) * root;
    }
    if (high - low > high * CLOSE) this.closeIn(middling / this.total, low, high, wanted);
    // What lies outside of what `closeIn` found needs no look.
    const { surelyBelow, surelyAbove } = this;
    for (let step = 0; step < BISECTIONS && high - low > high * CLOSE; step++) {
      const middle = 0.5 * (low + high);
      if (middle <= surelyBelow || (middle < surelyAbove && this.below(middle) < wanted)) low = middle;
      else high = middle;
    }
    return high * high * high;
  }

  /** Narrows down where `below` is `wanted` by the secant method from a guess, and looks a little to both sides of what it finds. */
  private closeIn(guess: number, low: number, high: number, wanted: number): void {
    this.surelyBelow = 0;
    this.surelyAbove = Number.POSITIVE_INFINITY;
    let [before, now] = [guess, guess + FIRST_STEP * (high - low)];
    let valueBefore = this.look(before, wanted);
    for (let step = 0; step < SECANTS; step++) {
      const value = this.look(now, wanted);
      const next = now - (value * (now - before)) / (value - valueBefore);
      if (!(next > low && next < high)) return;
      [before, valueBefore, now] = [now, value, next];
      if (Math.abs(now - before) < NEAR * now) break;
    }
    if (this.surelyBelow < now * (1 - 3 * NEAR)) this.look(now * (1 - NEAR), wanted);
    if (this.surelyAbove > now * (1 + 3 * NEAR)) this.look(now * (1 + NEAR), wanted);
  }

  /** By how much `below` exceeds what is wanted; remembers the nearest latencies on both sides. */
  private look(root: number, wanted: number): number {
    const value = this.below(root) - wanted;
    if (value < 0) this.surelyBelow = Math.max(this.surelyBelow, root);
    else this.surelyAbove = Math.min(this.surelyAbove, root);
    return value;
  }

  private push(weight: number, mean: number, spread: number): void {
    if (this.count === this.weights.length) {
      this.weights = doubled(this.weights);
      this.roots = doubled(this.roots);
      this.spreads = doubled(this.spreads);
      this.deviations = doubled(this.deviations);
    }
    this.weights[this.count] = weight;
    this.roots[this.count] = cubeRoot(mean);
    this.spreads[this.count] = spread;
    this.deviations[this.count] = Math.sqrt(spread);
    this.count++;
    this.total += weight;
  }

  /** Weight of what is below a latency, given by its cube root. */
  private below(root: number): number {
    const { count, weights, roots, spreads, deviations } = this;
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const a = spreads[i] as number;
      const ratio = root / (roots[i] as number);
      if (a < LEAST_SPREAD) sum += ratio >= 1 ? (weights[i] as number) : 0;
      else sum += (weights[i] as number) * normalCdf((ratio - 1 + a) / (deviations[i] as number));
    }
    return sum;
  }
}

function wilsonHilferty(mean: number, a: number, z: number): number {
  const root = lifted(1 - a + z * Math.sqrt(a));
  return mean * root * root * root;
}

function lifted(root: number): number {
  return Math.max(root, 0);
}

function doubled(values: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const more = new Float64Array(values.length * 2);
  more.set(values);
  return more;
}
