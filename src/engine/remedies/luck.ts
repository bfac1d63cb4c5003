/**
 * The luck of an order: how long it takes, and whether something sticks. It is hashed from (seed, verb, target, tick), never drawn
 * from a sequence: reads cannot shift it, and a fork that gives the same order at the same tick has the same luck.
 */
import { type Seed, Stream, seriesKey } from "../../core/rng";
import type { Verb } from "./verbs";

/**
 * How often orders stick. No public statistics of such things exist; these are chosen so that somebody who gives a few orders an
 * episode meets each kind in one of ten to twenty of them, often enough to look whether an order did what it should.
 */
export const STICKS = {
  /** Chance for each zone that a restarting replica does not become ready for minutes. */
  lateReplica: 0.04,
  /** Chance that a flag's clients fetch it late. */
  lateFlag: 0.08,
  /** Chance that a stopped job reacts only when its grace is over and it is killed. */
  stubbornJob: 0.12,
  /** Chance that one of several zones has no machines left for a while when replicas are added. */
  noMachines: 0.08,
  /** Chance that a promotion takes far longer than usual: the standby has to replay its log first. */
  slowPromotion: 0.08,
} as const;

export interface Luck {
  /** Whether `what` befalls this order. */
  chance(what: string, probability: number): boolean;
  /** A whole number from low to high, both included, that belongs to `what` of this order. */
  integer(what: string, low: number, high: number): number;
  /** A number in [low, high) that belongs to `what` of this order. */
  between(what: string, low: number, high: number): number;
}

/** The luck of an order that is given at a tick, about a target by its full name. */
export function luckOf(seed: Seed, verb: Verb, target: string, tick: number): Luck {
  const noise = Stream.of(seed, "remedies").noise();
  const unit = (what: string) => noise.unit(seriesKey(`${verb} ${target} ${what}`), tick);
  return {
    chance: (what, probability) => unit(`${what}?`) < probability,
    integer: (what, low, high) => low + Math.floor(unit(what) * (high - low + 1)),
    between: (what, low, high) => low + (high - low) * unit(what),
  };
}
