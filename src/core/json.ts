/** JSON values, their patches and comparison, and the digest that stands for a whole observation in a recording. */

/** Anything `JSON.stringify` writes and `JSON.parse` reads back unchanged. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** One RFC 6902 operation. Only `add`, `remove` and `replace` are ever produced here. */
export type PatchOperation =
  | { readonly op: "add" | "replace"; readonly path: string; readonly value: unknown }
  | { readonly op: "remove"; readonly path: string };

type Container = Record<string, unknown> | unknown[];

/**
 * The RFC 6902 patch that turns `before` into `after`, as JSON writes them: applying it gives the same text, key order
 * included. Sub-trees that are the same object are skipped, so the cost follows the change and not the size.
 */
export function createPatch(before: object, after: object): PatchOperation[] {
  const patch: PatchOperation[] = [];
  compare(before, after, "", patch);
  return patch;
}

function compare(before: unknown, after: unknown, path: string, patch: PatchOperation[]): void {
  if (before === after) return;
  if (typeof before === "object" && typeof after === "object" && before !== null && after !== null) {
    const lists = Array.isArray(before);
    if (lists === Array.isArray(after)) {
      if (lists) compareLists(before, after as unknown[], path, patch);
      else compareObjects(before as Record<string, unknown>, after as Record<string, unknown>, path, patch);
      return;
    }
  }
  const value = written(after);
  if (written(before) !== value) patch.push({ op: "replace", path, value });
}

function compareLists(before: readonly unknown[], after: readonly unknown[], path: string, patch: PatchOperation[]) {
  const common = Math.min(before.length, after.length);
  for (let i = 0; i < common; i++) if (before[i] !== after[i]) compare(before[i], after[i], `${path}/${i}`, patch);
  for (let i = before.length - 1; i >= common; i--) patch.push({ op: "remove", path: `${path}/${i}` });
  for (let i = common; i < after.length; i++) patch.push({ op: "add", path: `${path}/${i}`, value: written(after[i]) });
}

function compareObjects(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  path: string,
  patch: PatchOperation[],
): void {
  const old = Object.keys(before);
  const keys = Object.keys(after);
  if (!(sameKeys(old, keys) || appendsKeys(before, after))) {
    // Members can only be added at the end; where that gives another order, the whole object is written.
    patch.push({ op: "replace", path, value: after });
    return;
  }
  for (const key of old)
    if (before[key] !== undefined && !has(after, key)) patch.push({ op: "remove", path: `${path}/${escapeKey(key)}` });
  for (const key of keys) {
    const value = after[key];
    if (value === undefined) continue;
    if (!has(before, key)) patch.push({ op: "add", path: `${path}/${escapeKey(key)}`, value: written(value) });
    else if (before[key] !== value) compare(before[key], value, `${path}/${escapeKey(key)}`, patch);
  }
}

function sameKeys(left: readonly string[], right: readonly string[]): boolean {
  if (left.length !== right.length) return false;
  for (let i = 0; i < left.length; i++) if (left[i] !== right[i]) return false;
  return true;
}

/** Whether removing what is gone and adding what is new at the end gives the keys of `after` in their order. */
function appendsKeys(before: Record<string, unknown>, after: Record<string, unknown>): boolean {
  const reached = Object.keys(before).filter((key) => has(before, key) && has(after, key));
  for (const key of Object.keys(after)) if (has(after, key) && !has(before, key)) reached.push(key);
  return sameKeys(
    reached,
    Object.keys(after).filter((key) => has(after, key)),
  );
}

/** Whether JSON would write the member. */
function has(object: Record<string, unknown>, key: string): boolean {
  return Object.hasOwn(object, key) && object[key] !== undefined;
}

/** What JSON makes of a value that it cannot write as it is. */
function written(value: unknown): unknown {
  if (typeof value === "number") return Number.isFinite(value) ? value + 0 : null;
  return value === undefined ? null : value;
}

/**
 * Applies a patch without touching `before`. Sub-trees that no operation touches are shared with the result.
 * @throws Error when an operation names a place that does not exist.
 */
export function applyPatch<T extends object>(before: T, patch: readonly PatchOperation[]): T {
  /** Containers copied during this call, which may be changed in place. */
  const own = new Set<unknown>();
  let root: unknown = before;
  for (const operation of patch) {
    if (operation.path === "") {
      if (operation.op === "remove") throw new Error("A patch cannot remove the whole document.");
      root = operation.value;
    } else root = changeAt(root, operation, operation.path.split("/"), 1, own);
  }
  return root as T;
}

function changeAt(target: unknown, operation: PatchOperation, path: string[], depth: number, own: Set<unknown>) {
  if (typeof target !== "object" || target === null || path[0] !== "") throw new Error(`No place ${operation.path}.`);
  let copy = target as Container;
  if (!own.has(copy)) {
    copy = Array.isArray(target) ? target.slice() : { ...(target as Record<string, unknown>) };
    own.add(copy);
  }
  const key = unescapeKey(path[depth] as string);
  if (depth === path.length - 1) {
    if (Array.isArray(copy)) changeList(copy, operation, key);
    else changeObject(copy, operation, key);
    return copy;
  }
  if (!Object.hasOwn(copy, key)) throw new Error(`No place ${operation.path}.`);
  const child = changeAt((copy as Record<string, unknown>)[key], operation, path, depth + 1, own);
  put(copy, key, child);
  return copy;
}

function changeList(list: unknown[], operation: PatchOperation, key: string): void {
  const index = key === "-" ? list.length : Number(key);
  const limit = operation.op === "add" ? list.length : list.length - 1;
  if (!Number.isInteger(index) || index < 0 || index > limit) throw new Error(`No place ${operation.path}.`);
  if (operation.op === "remove") list.splice(index, 1);
  else list.splice(index, operation.op === "add" ? 0 : 1, operation.value);
}

function changeObject(object: Record<string, unknown>, operation: PatchOperation, key: string): void {
  if (operation.op !== "add" && !Object.hasOwn(object, key)) throw new Error(`No place ${operation.path}.`);
  if (operation.op === "remove") delete object[key];
  else put(object, key, operation.value);
}

/** Sets a member; `__proto__` is a name like any other. */
function put(container: Container, key: string, value: unknown): void {
  if (key === "__proto__")
    Object.defineProperty(container, key, { value, enumerable: true, configurable: true, writable: true });
  else (container as Record<string, unknown>)[key] = value;
}

function escapeKey(key: string): string {
  return key.includes("~") || key.includes("/") ? key.replaceAll("~", "~0").replaceAll("/", "~1") : key;
}

function unescapeKey(key: string): string {
  return key.includes("~") ? key.replaceAll("~1", "/").replaceAll("~0", "~") : key;
}

/** A value as JSON would read it back (NaN becomes null, undefined members vanish). @throws TypeError when JSON cannot write it. */
export function asJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** Lanes of objects that took some work, by identity. Remembering small ones costs more than doing them again. */
const MEMO = new WeakMap<object, readonly [number, number]>();
/** Values and characters from which on an object is remembered. */
const WORTH_REMEMBERING = 256;

// The two lanes of the value digested last, and the work done so far: returning pairs would make an object for each value.
let laneA = 0;
let laneB = 0;
let work = 0;

/**
 * A 64-bit digest of a JSON value as 16 hexadecimal digits (MurmurHash3's mixing on two 32-bit lanes).
 * Equal JSON text gives an equal digest; key order counts. Objects are remembered by identity, so callers
 * must never change a value once digested — observations are immutable by contract.
 * It detects accidents, not forgers.
 */
export function digest(value: unknown): string {
  work = 0;
  digestValue(value);
  return hex(laneA) + hex(laneB);
}

function digestValue(value: unknown): void {
  if (typeof value === "string") digestText(value, 0x73);
  else if (typeof value === "object" && value !== null) digestContainer(value);
  else if (typeof value === "number" && Number.isFinite(value)) digestNumber(value);
  else if (typeof value === "number") digestText("null", 0x6c);
  else digestText(`${value}`, 0x6c);
}

function digestContainer(value: object): void {
  const known = MEMO.get(value);
  if (known) {
    work += WORTH_REMEMBERING;
    laneA = known[0];
    laneB = known[1];
    return;
  }
  const before = work;
  if (Array.isArray(value)) digestArray(value);
  else digestObject(value as Record<string, unknown>);
  if (work - before >= WORTH_REMEMBERING) MEMO.set(value, [laneA, laneB]);
}

function digestArray(values: readonly unknown[]): void {
  let a = 0x61727279;
  let b = values.length;
  for (let i = 0; i < values.length; i++) {
    const item = values[i];
    digestValue(item === undefined ? null : item);
    a = mix(a, laneA);
    b = mix(b, laneB);
  }
  laneA = finish(a);
  laneB = finish(b ^ a);
}

function digestObject(value: Record<string, unknown>): void {
  let a = 0x6f626a65;
  let b = 0x63740000;
  for (const key of Object.keys(value)) {
    const item = value[key];
    if (item === undefined) continue;
    digestText(key, 0x6b);
    a = mix(a, laneA);
    b = mix(b, laneB);
    digestValue(item);
    a = mix(a, laneA);
    b = mix(b, laneB);
  }
  laneA = finish(a);
  laneB = finish(b ^ a);
}

const BITS = new DataView(new ArrayBuffer(8));

/** By its bits, which is much faster than by its decimal digits; −0 is written as 0. */
function digestNumber(value: number): void {
  BITS.setFloat64(0, value + 0, true);
  const low = BITS.getInt32(0, true);
  const high = BITS.getInt32(4, true);
  work += 8;
  laneA = finish(mix(mix(0x6e, low), high));
  laneB = finish(mix(mix(0x756d, high), low));
}

/** Texts seen lately, each with its place in `KNOWN_LANES`: names and labels come again and again. */
const KNOWN = new Map<string, number>();
const MOST_KNOWN = 4096;
const KNOWN_LANES = new Int32Array(2 * MOST_KNOWN);
/** Looking a text up costs about as much as reading this many characters. */
const SHORTEST_KNOWN = 4;
const LONGEST_KNOWN = 512;

function digestText(text: string, kind: number): void {
  const { length } = text;
  work += 4 + length;
  const worthKnowing = length >= SHORTEST_KNOWN && length <= LONGEST_KNOWN;
  const place = worthKnowing ? KNOWN.get(text) : undefined;
  if (place !== undefined) {
    laneA = KNOWN_LANES[place] as number;
    laneB = KNOWN_LANES[place + 1] as number;
  } else {
    readText(text);
    if (worthKnowing) know(text);
  }
  const a = laneA ^ kind;
  laneA = finish(a ^ Math.imul(laneB, 0xcc9e2d51));
  laneB = finish(laneB ^ laneA);
}

function know(text: string): void {
  if (KNOWN.size === MOST_KNOWN) KNOWN.clear();
  const place = 2 * KNOWN.size;
  KNOWN.set(text, place);
  KNOWN_LANES[place] = laneA;
  KNOWN_LANES[place + 1] = laneB;
}

/** Four characters a round, two in each lane. */
function readText(text: string): void {
  const { length } = text;
  let a = length;
  let b = 0x9e3779b1;
  let i = 0;
  for (; i + 3 < length; i += 4) {
    a = ((a << 5) | (a >>> 27)) ^ (text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16));
    b = ((b << 7) | (b >>> 25)) ^ (text.charCodeAt(i + 2) | (text.charCodeAt(i + 3) << 16));
    a = Math.imul(a, 0x01000193);
    b = Math.imul(b, 0x85ebca6b);
  }
  for (; i < length; i++) a = Math.imul(((a << 5) | (a >>> 27)) ^ text.charCodeAt(i), 0x01000193);
  laneA = a;
  laneB = b;
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
    const place = `${path}/${escapeKey(key)}`;
    const found = firstDifference(
      (left as Record<string, unknown>)[key],
      (right as Record<string, unknown>)[key],
      place,
    );
    if (found) return found;
  }
  return undefined;
}
