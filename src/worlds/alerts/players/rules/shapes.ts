/** What a measured series looks like: the few numbers a person takes in at a glance. */
import type { HistorySeries } from "../../draw";

export interface Shape {
  readonly facet: string;
  /** Mean of the first quarter of the measured points; null when nothing was measured there. */
  readonly before: number | null;
  /** Mean of the last sixth. */
  readonly now: number | null;
  readonly highest: number;
  readonly lowest: number;
  /** Share of points that are missing, 0..1. */
  readonly missing: number;
  /** Minute of the last measured point. */
  readonly until: number;
}

const FIRST_PART = 4;
const LAST_PART = 6;

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
  let highest = Number.NEGATIVE_INFINITY;
  let lowest = Number.POSITIVE_INFINITY;
  let present = 0;
  let until = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value === null || value === undefined) continue;
    present++;
    if (value > highest) highest = value;
    if (value < lowest) lowest = value;
    until = minutes[i] ?? until;
  }
  const early = Math.ceil(values.length / FIRST_PART);
  const late = values.length - Math.ceil(values.length / LAST_PART);
  return {
    facet,
    before: meanOf(values, 0, early),
    now: meanOf(values, late, values.length),
    highest: present > 0 ? highest : 0,
    lowest: present > 0 ? lowest : 0,
    missing: values.length > 0 ? 1 - present / values.length : 1,
    until,
  };
}

function meanOf(values: readonly (number | null)[], from: number, to: number): number | null {
  let total = 0;
  let count = 0;
  for (let i = from; i < to; i++) {
    const value = values[i];
    if (value === null || value === undefined) continue;
    total += value;
    count++;
  }
  return count > 0 ? total / count : null;
}
