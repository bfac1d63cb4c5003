/**
 * Ratios of what customers see over a range, kept up tick by tick: cheap enough to be looked at in every tick of a reset. While the
 * exact numbers are so far from a threshold that no noise could cross it, none is drawn; once they are near, the measured counts are
 * drawn, each tick's once. What comes out is the same as reading the metric.
 */
import type { Plan } from "./plan";
import { TICK_SECONDS } from "./spec";
import { USER_PARTS } from "./telemetry/metrics-parts";
import type { Samples } from "./telemetry/metrics-samples";

/** A Poisson count drawn by inversion from 32 bits is at most this far above 3 standard deviations over its mean. */
const INVERSION_REACH = 35;

/** Outcomes counted apart. */
const WELL = 0;
const SLOW = 1;
const FAILED = 2;
const PARTS = [USER_PARTS.well, USER_PARTS.slow, USER_PARTS.failed] as const;

/** The customers of a service over the last `range` ticks. */
export class CustomerWindow {
  private readonly entries: readonly number[];
  /** Ring of ticks: whether all zones' reports arrived, whether counts are drawn; then the outcomes, exact and drawn. */
  private readonly arrived: Uint8Array;
  private readonly drawn: Uint8Array;
  private readonly exact: Float64Array;
  private readonly counts: Float64Array;
  private readonly sums = new Float64Array(3);
  private next = 0;

  constructor(
    private readonly samples: Samples,
    plan: Plan,
    service: string,
    private readonly range: number,
  ) {
    this.entries = plan.entries.filter((entry) => entry.service.name === service).map((entry) => entry.index);
    this.arrived = new Uint8Array(range);
    this.drawn = new Uint8Array(range);
    this.exact = new Float64Array(range * 3);
    this.counts = new Float64Array(range * 3);
  }

  /** Takes in ticks up to and with `tick`; ticks come in order. */
  advance(tick: number): void {
    if (tick - this.next > this.range) this.next = tick - this.range;
    for (; this.next <= tick; this.next++) this.take(this.next);
  }

  /** Whether no noise could lift the share of failures, or of late answers, above `threshold`. */
  staysBelow(threshold: number, which: "failed" | "slow"): boolean {
    const { sums, range, entries } = this;
    const parts = range * entries.length;
    const bad = highest(sums[which === "failed" ? FAILED : SLOW] as number, parts);
    const rest = (sums[WELL] as number) + (which === "failed" ? (sums[SLOW] as number) : 0);
    const good = lowest(rest, which === "failed" ? 2 * parts : parts);
    return bad * (1 - threshold) <= threshold * good;
  }

  /** The measured ratio over the range; null without any request. */
  ratio(which: "failed" | "slow"): number | null {
    let [bad, all] = [0, 0];
    const first = Math.max(0, this.next - this.range);
    for (let tick = first; tick < this.next; tick++) {
      const slot = tick % this.range;
      if (!this.arrived[slot]) continue;
      if (!this.drawn[slot]) this.draw(tick, slot);
      const well = this.counts[slot * 3 + WELL] as number;
      const slow = this.counts[slot * 3 + SLOW] as number;
      const failed = this.counts[slot * 3 + FAILED] as number;
      bad += which === "failed" ? failed : slow;
      all += which === "failed" ? well + slow + failed : well + slow;
    }
    return all > 0 ? bad / all : null;
  }

  private take(tick: number): void {
    const { samples, entries, exact, sums } = this;
    const slot = tick % this.range;
    for (let part = 0; part < 3; part++) {
      sums[part] = (sums[part] as number) - (exact[slot * 3 + part] as number);
      exact[slot * 3 + part] = 0;
    }
    this.drawn[slot] = 0;
    let arrived = 1;
    for (let i = 0; i < entries.length && arrived; i++) if (!samples.arrived(entries[i] as number, tick)) arrived = 0;
    this.arrived[slot] = arrived;
    if (!arrived) return;
    for (let i = 0; i < entries.length; i++) {
      const entry = entries[i] as number;
      const slow = samples.user("slow", entry, tick);
      const failed = samples.user("failed", entry, tick);
      const well = samples.user("offered", entry, tick) - slow - failed;
      exact[slot * 3 + WELL] = (exact[slot * 3 + WELL] as number) + Math.max(0, well) * TICK_SECONDS;
      exact[slot * 3 + SLOW] = (exact[slot * 3 + SLOW] as number) + slow * TICK_SECONDS;
      exact[slot * 3 + FAILED] = (exact[slot * 3 + FAILED] as number) + failed * TICK_SECONDS;
    }
    for (let part = 0; part < 3; part++) sums[part] = (sums[part] as number) + (exact[slot * 3 + part] as number);
  }

  private draw(tick: number, slot: number): void {
    const { samples, entries } = this;
    this.drawn[slot] = 1;
    for (let part = 0; part < 3; part++) {
      const { key, rate } = PARTS[part] as (typeof PARTS)[number];
      let sum = 0;
      for (const entry of entries)
        sum += samples.count(key, samples.keys.entries[entry] as number, tick, rate(samples, entry, tick));
      this.counts[slot * 3 + part] = sum;
    }
  }
}

/**
 * Most that `parts` counts with means adding up to `mean` can add up to: Σ 3√mᵢ ≤ 3√(parts · Σmᵢ), and what inversion may add.
 * A hair is added for the rounding of running sums.
 */
export function highest(mean: number, parts: number): number {
  return mean > 1e-9 ? mean + 3 * Math.sqrt(parts * mean) + INVERSION_REACH * parts + 1e-6 * mean : 0;
}

/** Least that they can add up to. */
export function lowest(mean: number, parts: number): number {
  return Math.max(0, mean - 3 * Math.sqrt(parts * Math.max(0, mean)) - parts - 1e-6 * mean);
}
