/**
 * Alert rules over measured series, with Prometheus's meanings: a condition must hold for `for` before the alert fires, and the
 * alert goes on for `keep firing` after the condition has cleared. Hysteresis: once firing, the condition counts as held until
 * the value is back behind `clear`. A missing value neither starts nor ends a condition.
 * @see https://prometheus.io/docs/prometheus/latest/configuration/alerting_rules/
 */
import type { MeasuredSeries } from "./metrics";
import { TICKS_PER_MINUTE } from "./system";

export interface Condition {
  readonly comparison: ">" | "<";
  readonly threshold: number;
  /** The value at which a firing condition clears; equal to the threshold without hysteresis. */
  readonly clear: number;
  readonly forMinutes: number;
  readonly keepFiringMinutes: number;
}

/** Minutes in which an alert fires; `to` is null while it goes on at the end. */
export interface Firing {
  readonly from: number;
  readonly to: number | null;
}

/** When a rule fires over a series. */
export function evaluate(
  condition: Condition,
  series: MeasuredSeries,
  fromMinute: number,
  ticks: number,
): readonly Firing[] {
  if (cannotReach(condition, series)) return [];
  const forTicks = condition.forMinutes * TICKS_PER_MINUTE;
  const keepTicks = condition.keepFiringMinutes * TICKS_PER_MINUTE;
  const spans: Firing[] = [];
  let held = -1;
  let firedAt = -1;
  let lastHeld = -1;
  for (let tick = 0; tick < ticks; tick++) {
    const bound = firedAt >= 0 ? condition.clear : condition.threshold;
    const idle = held < 0 && firedAt < 0;
    const state = holds(condition.comparison, bound, series, tick, idle);
    if (state === true) {
      if (held < 0) held = tick;
      lastHeld = tick;
      if (firedAt < 0 && tick - held >= forTicks) firedAt = tick;
    } else if (state === false) {
      held = -1;
      if (firedAt >= 0 && tick - lastHeld > keepTicks) {
        spans.push({ from: minuteOf(firedAt, fromMinute), to: minuteOf(tick, fromMinute) });
        firedAt = -1;
      }
    }
  }
  if (firedAt >= 0) spans.push({ from: minuteOf(firedAt, fromMinute), to: null });
  return spans;
}

/** Whether the condition holds at a tick; null when there is no value. Noise is only drawn where it can decide. */
function holds(
  comparison: ">" | "<",
  bound: number,
  series: MeasuredSeries,
  tick: number,
  idle: boolean,
): boolean | null {
  const { low, high } = series.reach(series.exact(tick));
  if (comparison === ">" ? high < bound : low > bound) return !idle && series.isMissing(tick) ? null : false;
  const value = series.atTick(tick);
  if (value === null) return null;
  return comparison === ">" ? value > bound : value < bound;
}

function cannotReach(condition: Condition, series: MeasuredSeries): boolean {
  const extent = series.extent();
  if (extent === null) return false;
  return condition.comparison === ">"
    ? series.reach(extent.high).high < condition.threshold
    : series.reach(extent.low).low > condition.threshold;
}

function minuteOf(tick: number, fromMinute: number): number {
  return fromMinute + tick / TICKS_PER_MINUTE;
}
