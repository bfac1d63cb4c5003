/**
 * Rubric combinators. A grade is a tree of named parts; each has a value, a reason in one line and the ids of the
 * displayed items that decided it. A world's grader is a readable tree built from these functions.
 */
import { clamp } from "./math";

/** One part of a grade. `value` is 0..1 under the strict rubric; the published rubric keeps its original's scale. */
export interface GradePart {
  readonly name: string;
  readonly kind: "leaf" | "sum" | "product" | "cap" | "scale";
  readonly value: number;
  /** Share of the parent's sum (0..1) when the parent is a sum. */
  readonly weight?: number;
  /** One line: what decided the value. */
  readonly reason: string;
  /** Ids of displayed items (`h3`, `i1`, `s7` …) that decided it. */
  readonly evidence: readonly string[];
  readonly parts?: readonly GradePart[];
}

/** A measured part. NaN is an error of the grader and throws: a grade is never quietly wrong. */
export function leaf(name: string, value: number, reason: string, evidence: readonly string[] = NONE): GradePart {
  return { name, kind: "leaf", value: finite(name, value), reason, evidence };
}

const NONE: readonly string[] = Object.freeze([]);

function finite(name: string, value: number): number {
  if (Number.isFinite(value)) return value;
  throw new RangeError(`Part "${name}" has no finite value.`);
}

/** Written out field by field: every part of every grade passes here, and spreads of many shapes are slow. */
function whole(
  name: string,
  kind: GradePart["kind"],
  value: number,
  reason: string,
  parts: readonly GradePart[],
): GradePart {
  return { name, kind, value: finite(name, value), reason, evidence: NONE, parts };
}

/** The weighted sum of parts. With `renormalise`, weights are divided by their sum (parts a world does not have). */
export function weighted(
  name: string,
  parts: readonly (readonly [weight: number, part: GradePart])[],
  reason: string,
  weights: "as given" | "renormalise" = "as given",
): GradePart {
  let total = 0;
  for (const [weight] of parts) total += weight;
  const scale = weights === "renormalise" && total > 0 ? 1 / total : 1;
  let value = 0;
  const children: GradePart[] = [];
  for (const [weight, part] of parts) {
    value += weight * scale * part.value;
    children.push(weighed(part, weight * scale));
  }
  return whole(name, "sum", value, reason, children);
}

function weighed(part: GradePart, weight: number): GradePart {
  const { name, kind, value, reason, evidence, parts } = part;
  return parts
    ? { name, kind, value, reason, evidence, parts, weight }
    : { name, kind, value, reason, evidence, weight };
}

/** The product of parts: any part at 0 makes it 0. */
export function product(name: string, parts: readonly GradePart[], reason: string): GradePart {
  let value = 1;
  for (const part of parts) value *= part.value;
  return whole(name, "product", value, reason, parts);
}

/** A wall: when `holds`, the grade is at most `limit`. */
export interface Cap {
  readonly name: string;
  readonly limit: number;
  readonly holds: boolean;
  readonly reason: string;
  readonly evidence?: readonly string[];
}

/** `part` under its caps; the lowest one that holds wins. The caps stand as children, 1 where they do not hold. */
export function capped(name: string, part: GradePart, caps: readonly Cap[]): GradePart {
  let value = part.value;
  let reason = "no cap applies";
  for (const cap of caps)
    if (cap.holds && cap.limit < value) {
      value = cap.limit;
      reason = `held at ${cap.limit}: ${cap.reason}`;
    }
  const gates = caps.map((cap) => leaf(cap.name, cap.holds ? cap.limit : 1, cap.reason, cap.evidence));
  return whole(name, "cap", value, reason, [part, ...gates]);
}

/** A gate: the part's value when it is open, else 0. */
export function gate(name: string, open: boolean, part: GradePart, reason: string): GradePart {
  return whole(name, "cap", open ? part.value : 0, reason, [part]);
}

/** 1 minus the weighted count of lapses, never below 0. */
export function penalty(
  name: string,
  lapses: readonly (readonly [count: number, cost: number])[],
  reason: string,
): GradePart {
  let cost = 0;
  for (const [count, each] of lapses) cost += count * each;
  return leaf(name, clamp(1 - cost), reason);
}

/** F1 of found against wanted; 1 when both are empty, 0 when only one is. Range 0..1. */
export function f1(found: ReadonlySet<string>, wanted: ReadonlySet<string>): number {
  if (found.size === 0 && wanted.size === 0) return 1;
  let hits = 0;
  for (const item of found) if (wanted.has(item)) hits++;
  return (2 * hits) / (found.size + wanted.size);
}

/** |A ∩ B| / |A ∪ B|; 1 when both are empty. Range 0..1. */
export function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let both = 0;
  for (const item of a) if (b.has(item)) both++;
  const either = a.size + b.size - both;
  return either === 0 ? 1 : both / either;
}

/** The Brier score of a stated confidence (0..1) as a merit: 1 − (confidence − outcome)². Range 0..1. */
export function brier(confidence: number, right: boolean): number {
  const miss = clamp(confidence) - (right ? 1 : 0);
  return 1 - miss * miss;
}

/** Depth-first list of all parts, the root first, each with its path of names. */
export function flatten(part: GradePart, path = part.name): { readonly path: string; readonly part: GradePart }[] {
  const children = part.parts ?? [];
  return [{ path, part }, ...children.flatMap((child) => flatten(child, `${path} / ${child.name}`))];
}
