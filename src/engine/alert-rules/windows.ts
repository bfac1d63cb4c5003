/**
 * Ratios of what customers see over a range, kept up tick by tick: cheap enough to be looked at in every tick of a reset. While the
 * exact numbers of each tick are so far from a threshold that no noise could cross it, none is drawn; once they are near, the measured counts
 * are, each tick's once. What comes out is the same as reading the metric.
 */
import type { Plan } from "../plan";
import { TICK_SECONDS } from "../spec";
import { USER_PARTS } from "../telemetry/metrics/parts";
import type { Samples } from "../telemetry/metrics/samples";

/** A Poisson count drawn by inversion from 32 bits is at most this far above 3 standard deviations over its mean. */
const INVERSION_REACH = 35;

/** Outcomes counted apart. */
const WELL = 0;
const SLOW = 1;
const FAILED = 2;
const PARTS = [USER_PARTS.well, USER_PARTS.slow, USER_PARTS.failed] as const;

export type Outcome = "failed" | "slow";

/** A threshold that is minded. */
export interface Minded {
  readonly threshold: number;
  readonly which: Outcome;
  ticks: number;
}

/** The customers of a service over the last `range` ticks. */
export class CustomerWindow {
  private readonly entries: readonly number[];
  /** Ring of ticks: whether counts are drawn, whether all zones' reports arrived, and the counts of the outcomes. */
  private readonly drawn: number[] = [];
  private readonly arrived: boolean[] = [];
  private readonly counts: number[] = [];
  private next = 0;
  /** For each threshold minded: how many ticks in a row, up to the last, could not pass it by themselves. */
  private readonly minded: Minded[] = [];

  constructor(
    private readonly samples: Samples,
    plan: Plan,
    service: string,
    private readonly range: number,
    /** How many ticks back from the last a ratio may be asked for. */
    private readonly back: number,
  ) {
    this.entries = plan.entries.filter((entry) => entry.service.name === service).map((entry) => entry.index);
  }

  /** Keeps an eye on a threshold. */
  mind(threshold: number, which: Outcome): Minded {
    const made = { threshold, which, ticks: 0 };
    this.minded.push(made);
    return made;
  }

  /** Takes in ticks up to and with `tick`; ticks come in order. */
  advance(tick: number): void {
    for (; this.next <= tick; this.next++) this.take(this.next);
  }

  /**
   * Whether no noise could lift the share of failures, or of late answers, above a threshold. It cannot when in none of the
   * ticks of the range it could: the quotient of sums lies between the quotients, whichever of the ticks went missing.
   */
  staysBelow(minded: Minded): boolean {
    return minded.ticks >= Math.min(this.range, this.next);
  }

  /** The measured ratio over the range that ends with `last`; null without any request. */
  ratio(which: Outcome, last: number): number | null {
    let [bad, all] = [0, 0];
    for (let tick = Math.max(0, last + 1 - this.range); tick <= last; tick++) {
      const slot = tick % (this.range + this.back);
      if (this.drawn[slot] !== tick) this.draw(tick, slot);
      if (!this.arrived[slot]) continue;
      const well = this.counts[slot * 3 + WELL] as number;
      const slow = this.counts[slot * 3 + SLOW] as number;
      const failed = this.counts[slot * 3 + FAILED] as number;
      bad += which === "failed" ? failed : slow;
      all += which === "failed" ? well + slow + failed : well + slow;
    }
    return all > 0 ? bad / all : null;
  }

  private take(tick: number): void {
    const { samples, entries } = this;
    let [offered, slow, failed] = [0, 0, 0];
    for (let i = 0; i < entries.length; i++) {
      const entry = entries[i] as number;
      offered += samples.user("offered", entry, tick);
      slow += samples.user("slow", entry, tick);
      failed += samples.user("failed", entry, tick);
    }
    const parts = entries.length;
    const late = slow * TICK_SECONDS;
    const well = (offered - slow - failed) * TICK_SECONDS;
    for (let i = 0; i < this.minded.length; i++) {
      const each = this.minded[i] as Minded;
      const bad = each.which === "failed" ? highest(failed * TICK_SECONDS, parts) : highest(late, parts);
      const good = each.which === "failed" ? lowest(well + late, 2 * parts) : lowest(well, parts);
      each.ticks = bad * (1 - each.threshold) <= each.threshold * good ? each.ticks + 1 : 0;
    }
  }

  private draw(tick: number, slot: number): void {
    const { samples, entries } = this;
    this.drawn[slot] = tick;
    this.arrived[slot] = entries.every((entry) => samples.arrived(entry, tick));
    if (!this.arrived[slot]) return;
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
 */
export function highest(mean: number, parts: number): number {
  return mean > 0 ? mean + 3 * Math.sqrt(parts * mean) + INVERSION_REACH * parts : 0;
}

/** Least that they can add up to; a count with a mean up to 25, drawn by inversion, can be 0: 9 less than the normal bound. */
export function lowest(mean: number, parts: number): number {
  return Math.max(0, mean - 3 * Math.sqrt(parts * Math.max(0, mean)) - 10 * parts);
}
