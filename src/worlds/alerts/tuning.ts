/**
 * How people write alert rules, whatever the rules watch: waits and round thresholds. Rules that ring for nothing and rules that
 * ring for an incident draw from the same distributions, so that the text of a rule does not tell one from the other.
 */
import { round } from "../../core/math";
import type { Stream } from "../../core/rng";

/** The two waits of a rule, minutes. */
export interface Waits {
  readonly forMinutes: number;
  readonly keepFiringMinutes: number;
}

const FOR: readonly (readonly [number, number])[] = [
  [0.25, 3],
  [0.5, 4],
  [1, 4],
  [2, 3],
  [3, 1],
];
const KEEP: readonly (readonly [number, number])[] = [
  [1, 4],
  [2, 4],
  [3, 2],
  [5, 1],
];
const FIGURES: readonly (readonly [number, number])[] = [
  [3, 3],
  [4, 1],
];

/** Severity labels of rules that have no twin of another severity. */
export const SEVERITY_LABELS: readonly (readonly [string, number])[] = [
  ["warning", 5],
  ["critical", 3],
  ["info", 2],
];
/** The same for rules on the use of an error budget, which page less often. */
export const BURN_LABELS: readonly (readonly [string, number])[] = [
  ["info", 6],
  ["warning", 3],
  ["critical", 1],
];

export function waitsOf(stream: Stream): Waits {
  return { forMinutes: stream.weighted(FOR), keepFiringMinutes: stream.weighted(KEEP) };
}

const MOST_DECIMALS = 6;

/** A threshold with the significant figures its author gave it. */
export function writtenThreshold(value: number, stream: Stream): number {
  let decimals = stream.weighted(FIGURES);
  if (value === 0) return 0;
  let scale = Math.abs(value);
  for (; scale >= 1; scale /= 10) decimals--;
  for (; scale < 0.1; scale *= 10) decimals++;
  return round(value, Math.max(0, Math.min(MOST_DECIMALS, decimals)));
}
