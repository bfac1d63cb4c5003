/** JSON values, their comparison, and the digest that stands for a whole observation in a recording. */
import * as jsonpatch from "fast-json-patch";

/** Anything `JSON.stringify` writes and `JSON.parse` reads back unchanged. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** One RFC 6902 operation. Only `add`, `remove` and `replace` are ever produced here. */
export type PatchOperation =
  | { readonly op: "add" | "replace"; readonly path: string; readonly value: unknown }
  | { readonly op: "remove"; readonly path: string };

/**
 * The RFC 6902 patch that turns `before` into `after`.
 * Sub-trees that are the same object are skipped, so the cost follows the change and not the size.
 */
export function createPatch(before: object, after: object): PatchOperation[] {
  return jsonpatch.compare(before, after) as PatchOperation[];
}

/**
 * Applies a patch without touching `whole`; untouched sub-trees are copied, never shared with the result.
 * @throws Error when an operation names a place that does not exist.
 */
export function applyPatch<T extends object>(whole: T, patch: readonly PatchOperation[]): T {
  const copy = jsonpatch.deepClone(whole) as T;
  return jsonpatch.applyPatch(copy, patch as jsonpatch.Operation[], true, true).newDocument;
}

const MEMO = new WeakMap<object, Lanes>();
type Lanes = readonly [number, number];

/**
 * A 64-bit digest of a JSON value as 16 hexadecimal digits (MurmurHash3's mixing on two 32-bit lanes).
 * Equal JSON text gives an equal digest; key order counts. Objects are remembered by identity, so callers
 * must never change a value once digested — observations are immutable by contract.
 * It detects accidents, not forgers.
 */
export function digest(value: unknown): string {
  const [a, b] = lanesOf(value);
  return hex(a) + hex(b);
}

function lanesOf(value: unknown): Lanes {
  if (typeof value === "object" && value !== null) {
    const known = MEMO.get(value);
    if (known) return known;
    const lanes = Array.isArray(value) ? lanesOfArray(value) : lanesOfObject(value as Record<string, unknown>);
    MEMO.set(value, lanes);
    return lanes;
  }
  if (typeof value === "string") return lanesOfText(value, 0x73);
  if (typeof value === "number") return lanesOfText(Object.is(value, -0) ? "0" : `${value}`, 0x6e);
  return lanesOfText(`${value}`, 0x6c);
}

function lanesOfArray(values: readonly unknown[]): Lanes {
  let a = 0x61727279;
  let b = values.length;
  for (const item of values) {
    const [x, y] = lanesOf(item === undefined ? null : item);
    a = mix(a, x);
    b = mix(b, y);
  }
  return [finish(a), finish(b ^ a)];
}

function lanesOfObject(value: Record<string, unknown>): Lanes {
  let a = 0x6f626a65;
  let b = 0x63740000;
  for (const key of Object.keys(value)) {
    const item = value[key];
    if (item === undefined) continue;
    const [kx, ky] = lanesOfText(key, 0x6b);
    const [x, y] = lanesOf(item);
    a = mix(mix(a, kx), x);
    b = mix(mix(b, ky), y);
  }
  return [finish(a), finish(b ^ a)];
}

function lanesOfText(text: string, kind: number): Lanes {
  let a = kind;
  let b = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul((b << 5) ^ (b >>> 27) ^ unit, 0x85ebca6b);
  }
  return [finish(a), finish(b)];
}

function mix(h: number, k: number): number {
  let x = Math.imul(k, 0xcc9e2d51);
  x = (x << 15) | (x >>> 17);
  let y = h ^ Math.imul(x, 0x1b873593);
  y = (y << 13) | (y >>> 19);
  return (Math.imul(y, 5) + 0xe6546b64) | 0;
}

function finish(h: number): number {
  let x = h ^ (h >>> 16);
  x = Math.imul(x, 0x85ebca6b);
  x ^= x >>> 13;
  x = Math.imul(x, 0xc2b2ae35);
  return (x ^ (x >>> 16)) | 0;
}

function hex(h: number): string {
  return (h >>> 0).toString(16).padStart(8, "0");
}

/** The RFC 6901 pointer of the first place where two JSON values differ, with both values; undefined when equal. */
export function firstDifference(
  left: unknown,
  right: unknown,
  path = "",
): { path: string; left: unknown; right: unknown } | undefined {
  if (Object.is(left, right)) return undefined;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null)
    return { path, left, right };
  if (Array.isArray(left) !== Array.isArray(right)) return { path, left, right };
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  for (const key of keys) {
    const place = `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const found = firstDifference(
      (left as Record<string, unknown>)[key],
      (right as Record<string, unknown>)[key],
      place,
    );
    if (found) return found;
  }
  return undefined;
}
