/** What a measured series looks like: the few numbers a person takes in at a glance. */
import type { HistorySeries } from "../../draw";

export interface Shape {
  readonly facet: string;
  /** Mean of the first quarter of the measured points; null when nothing was measured there. */
  readonly before: number | null;
  /** Highest and lowest mean of some neighbouring points: a hump or a dip that lasts, now or earlier; null without points. */
  readonly peak: number | null;
  readonly trough: number | null;
  /** Highest and lowest measured value; 0 without points. */
  readonly highest: number;
  readonly lowest: number;
  /** Minute of the last measured point. */
  readonly until: number;
  /** The minute from which the series lies nearer to its peak (or trough, whichever is farther off) than to what it was. */
  readonly turned: number;
}

const FIRST_PART = 4;
/** Neighbouring points that make a lasting value. */
const LASTING = 4;

/** Reads are shared between episodes of a draw, so a shape is worked out once per series. */
const SHAPES = new WeakMap<HistorySeries, Shape>();

export function shapeOf(series: HistorySeries): Shape {
  let shape = SHAPES.get(series);
  if (!shape) {
    shape = measure(series);
    SHAPES.set(series, shape);
  }
  return shape;
}

function measure({ facet, minutes, values }: HistorySeries): Shape {
  const measured: number[] = [];
  let until = Number.NEGATIVE_INFINITY;
  let early = 0;
  const first = Math.ceil(values.length / FIRST_PART);
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value === null || value === undefined) continue;
    measured.push(value);
    if (i < first) early = measured.length;
    until = minutes[i] ?? until;
  }
  let peak: number | null = null;
  let trough: number | null = null;
  let sum = 0;
  for (let i = 0; i < measured.length; i++) {
    sum += (measured[i] as number) - (i >= LASTING ? (measured[i - LASTING] as number) : 0);
    if (i < LASTING - 1) continue;
    const level = sum / LASTING;
    if (peak === null || level > peak) peak = level;
    if (trough === null || level < trough) trough = level;
  }
  const highest = measured.reduce((a, b) => Math.max(a, b), measured[0] ?? 0);
  const lowest = measured.reduce((a, b) => Math.min(a, b), measured[0] ?? 0);
  const before = early > 0 ? meanOf(measured, early) : null;
  return { facet, before, peak, trough, highest, lowest, until, turned: turnOf(minutes, values, before, peak, trough) };
}

function turnOf(
  minutes: readonly number[],
  values: readonly (number | null)[],
  before: number | null,
  peak: number | null,
  trough: number | null,
): number {
  if (before === null || peak === null || trough === null) return Number.NEGATIVE_INFINITY;
  const up = peak - before >= before - trough;
  const half = (before + (up ? peak : trough)) / 2;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value !== null && value !== undefined && (up ? value > half : value < half)) return minutes[i] ?? 0;
  }
  return Number.NEGATIVE_INFINITY;
}

function meanOf(values: readonly number[], count: number): number {
  let total = 0;
  for (let i = 0; i < count; i++) total += values[i] as number;
  return total / count;
}
