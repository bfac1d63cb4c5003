/** Which rules fire in a run, and which of the alerts an incident has caused. */
import { evaluate, type Firing } from "../dependency-model/alert-rules";
import { type Gauge, metricFor } from "../dependency-model/metrics";
import type { WatchRule } from "../rules";

/** Firings that ended longer ago than this are not in the queue any more. */
const OLDEST = -30;
/** An alert that fires anyway but much longer because of an incident belongs to neither side; its rule is left out. */
const AMBIGUOUS_MINUTES = 3;

export interface FiredRule {
  readonly rule: WatchRule;
  readonly spans: readonly Firing[];
}

/** The rules that fire in a run so that the queue shows them, with their firings. Keys are places in `rules`. */
export function firedIn(gauge: Gauge, rules: readonly WatchRule[]): ReadonlyMap<number, FiredRule> {
  const fired = new Map<number, FiredRule>();
  for (const [i, rule] of rules.entries()) {
    const metric = metricFor(rule.service.kind, rule.quantity);
    const series = metric && gauge.series(rule.service.name, rule.service.kind, metric, rule.facet);
    if (series === undefined) continue;
    const spans = evaluate(rule.condition, series, gauge.run.fromMinute, gauge.run.ticks).filter(
      ({ to }) => to === null || to > OLDEST,
    );
    if (spans.length > 0) fired.set(i, { rule, spans });
  }
  return fired;
}

export interface Membership {
  /** For each incident the rules whose alerts it caused. */
  readonly incidents: readonly (readonly number[])[];
  /** Rules whose alerts fire without any incident. */
  readonly noise: readonly number[];
}

/**
 * Cause by comparison: an alert belongs to an incident when it fires in the true run and in the run with this incident alone, but
 * not in the run without any. One that each of two incidents would have raised belongs to the one that raises it first.
 */
export function membership(
  full: ReadonlyMap<number, FiredRule>,
  alone: readonly ReadonlyMap<number, FiredRule>[],
  none: ReadonlyMap<number, FiredRule>,
): Membership {
  const incidents: number[][] = alone.map(() => []);
  const noise: number[] = [];
  for (const [i, fired] of full) {
    const anyway = none.get(i);
    if (anyway !== undefined) {
      if (Math.abs(minutesOf(fired) - minutesOf(anyway)) <= AMBIGUOUS_MINUTES) noise.push(i);
      continue;
    }
    let first = -1;
    let at = Number.POSITIVE_INFINITY;
    for (const [k, run] of alone.entries()) {
      const from = run.get(i)?.spans[0]?.from;
      if (from !== undefined && from < at) {
        first = k;
        at = from;
      }
    }
    if (first >= 0) (incidents[first] as number[]).push(i);
  }
  return { incidents, noise };
}

function minutesOf({ spans }: FiredRule): number {
  let total = 0;
  for (const { from, to } of spans) total += (to ?? from + 30) - from;
  return total;
}

/** Whether an alert fires at a minute. */
export function firesAt({ spans }: FiredRule, minute: number): boolean {
  return spans.some(({ from, to }) => from <= minute && (to === null || to > minute));
}
