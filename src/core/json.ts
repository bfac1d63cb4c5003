/** JSON values, their patches and comparison. */

import { DEEPEST, DigestSum } from "./digest";
import { jsonText } from "./json-text";
import { escapeKey, Place } from "./place";

export { digest } from "./digest";

/** Anything `JSON.stringify` writes and `JSON.parse` reads back unchanged. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** One RFC 6902 operation. Only `add`, `remove` and `replace` are ever produced here. */
export type PatchOperation =
  | { readonly op: "add" | "replace"; readonly path: string; readonly value: unknown }
  | { readonly op: "remove"; readonly path: string };

type Container = Record<string, unknown> | unknown[];
type Members = Record<string, unknown>;

/** What is told of the places where two values differ, in an order in which the operations can be applied. */
interface Told {
  replace(place: Place, value: unknown): void;
  add(place: Place, value: unknown): void;
  remove(place: Place): void;
}

/** Operations as a list. */
class PatchList implements Told {
  readonly operations: PatchOperation[] = [];
  replace({ pointer }: Place, value: unknown): void {
    this.operations.push({ op: "replace", path: pointer, value: written(value) });
  }
  add({ pointer }: Place, value: unknown): void {
    this.operations.push({ op: "add", path: pointer, value: written(value) });
  }
  remove({ pointer }: Place): void {
    this.operations.push({ op: "remove", path: pointer });
  }
}

/** Operations as JSON writes their list, without making them. */
class PatchText implements Told {
  private operations = "";
  replace(place: Place, value: unknown): void {
    this.tell(place.replace, jsonText(value));
  }
  add(place: Place, value: unknown): void {
    this.tell(place.add, jsonText(value));
  }
  remove(place: Place): void {
    this.tell(place.remove, "");
  }
  text(): string {
    return this.operations ? `${this.operations}}]` : "[]";
  }
  private tell(operation: string, value: string): void {
    // The first follows none.
    this.operations = (this.operations ? this.operations + operation : `[${operation.slice(2)}`) + value;
  }
}

/** Compares operations with the text of a patch that was recorded, piece by piece: faster than to write them first. */
class PatchCheck implements Told {
  private first = true;
  /** `at` is where the text of the patch begins, and then how far it is the same; −1 once it differs. */
  constructor(
    private readonly recorded: string,
    private at: number,
  ) {}
  replace(place: Place, value: unknown): void {
    this.tell(place.replace);
    this.piece(jsonText(value));
  }
  add(place: Place, value: unknown): void {
    this.tell(place.add);
    this.piece(jsonText(value));
  }
  remove(place: Place): void {
    this.tell(place.remove);
  }
  /** Where the patch ends; −1 when it differs. */
  end(): number {
    this.piece(this.first ? "[]" : "}]");
    return this.at;
  }
  private tell(operation: string): void {
    if (!this.first) {
      this.piece(operation);
      return;
    }
    this.first = false;
    this.piece("[");
    this.piece(operation.slice(2));
  }
  private piece(text: string): void {
    const { at } = this;
    if (at < 0) return;
    const end = at + text.length;
    // Comparing slices is many times faster than `startsWith`.
    this.at = this.recorded.slice(at, end) === text ? end : -1;
  }
}

/** Where only digests are asked for. */
const NOBODY: Told = { replace: () => {}, add: () => {}, remove: () => {} };

/**
 * The RFC 6902 patch that turns `before` into `after`, as JSON writes them: applying it gives the same text, key order
 * included. Sub-trees that are the same object are skipped, so the cost follows the change and not the size.
 */
export function createPatch(before: object, after: object): PatchOperation[] {
  const list = new PatchList();
  compare(before, after, Place.root(), null, list);
  return list.operations;
}

/** How a state differs from the one before, and the digest of the whole. */
export interface Difference {
  /** The text of the patch; null for the first state. */
  readonly patch: string | null;
  readonly digest: string;
}

/** Follows a value from state to state at the cost of the changes. Nobody may change a state once given. */
export class Follower {
  private readonly sum = new DigestSum();
  private last: State | null = null;

  /** Goes on to a state. */
  next(state: object): Difference {
    const told = new PatchText();
    const patch = this.goOn(state, told) ? told.text() : null;
    return { patch, digest: this.sum.text() };
  }

  /** Goes on to a state and gives its digest alone. */
  digest(state: object): string {
    this.goOn(state, NOBODY);
    return this.sum.text();
  }

  /** Goes on to a state that is not the first. Gives its digest, and where its patch ends that was recorded in a text; −1 when it differs. */
  check(state: object, recorded: string, at: number): { readonly end: number; readonly digest: string } {
    const told = new PatchCheck(recorded, at);
    const end = this.goOn(state, told) ? told.end() : -1;
    return { end, digest: this.sum.text() };
  }

  /** What `next` would give, without going on. */
  look(state: object): Difference {
    const { last, sum } = this;
    const mark = sum.mark();
    const difference = this.next(state);
    this.last = last;
    sum.backTo(mark);
    return difference;
  }

  /** False for the first state. */
  private goOn(state: object, told: Told): boolean {
    const { last, sum } = this;
    const place = Place.root();
    const now: State = { state, keys: Object.keys(state), values: Object.values(state) };
    this.last = now;
    if (!last) sum.put(state, place);
    else if (!(sameKeys(last.keys, now.keys) && compareMembers(last.values, now.values, now.keys, place, sum, told)))
      compare(last.state, state, place, sum, told);
    return last !== null;
  }
}

/** A state taken apart once. */
interface State {
  readonly state: object;
  readonly keys: readonly string[];
  readonly values: readonly unknown[];
}

function compare(before: unknown, after: unknown, place: Place, sum: DigestSum | null, told: Told): void {
  if (before === after) return;
  if (typeof before === "object" && typeof after === "object" && before !== null && after !== null) {
    const lists = Array.isArray(before);
    if (lists === Array.isArray(after)) {
      let inside = sum;
      if (sum && place.level === DEEPEST) inside = exchange(before, after, place, sum);
      if (lists) compareLists(before, after as unknown[], place, inside, told);
      else compareObjects(before as Members, after as Members, place, inside, told);
      return;
    }
  }
  exchange(before, after, place, sum);
  if (written(before) !== written(after)) told.replace(place, after);
}

/** Digests a place as a whole; what is compared inside it counts no more. */
function exchange(before: unknown, after: unknown, place: Place, sum: DigestSum | null): null {
  sum?.take(before, place);
  sum?.put(after, place);
  return null;
}

function compareLists(
  before: readonly unknown[],
  after: readonly unknown[],
  place: Place,
  sum: DigestSum | null,
  told: Told,
): void {
  const common = Math.min(before.length, after.length);
  for (let i = 0; i < common; i++) if (before[i] !== after[i]) compare(before[i], after[i], place.item(i), sum, told);
  for (let i = before.length - 1; i >= common; i--) {
    const gone = place.item(i);
    sum?.take(before[i], gone);
    told.remove(gone);
  }
  for (let i = common; i < after.length; i++) {
    const come = place.item(i);
    sum?.put(after[i], come);
    told.add(come, after[i]);
  }
}

function compareObjects(before: Members, after: Members, place: Place, sum: DigestSum | null, told: Told): void {
  const old = Object.keys(before);
  const keys = Object.keys(after);
  if (sameKeys(old, keys) && compareMembers(Object.values(before), Object.values(after), keys, place, sum, told))
    return;
  exchange(before, after, place, sum);
  if (!appendsKeys(before, after)) {
    // Members can only be added at the end; where that gives another order, the whole object is written.
    told.replace(place, after);
    return;
  }
  for (const key of old) if (before[key] !== undefined && !has(after, key)) told.remove(place.member(key, 0));
  for (const key of keys) {
    const value = after[key];
    if (value === undefined) continue;
    const member = place.member(key, 0);
    if (!has(before, key)) told.add(member, value);
    else if (before[key] !== value) compare(before[key], value, member, null, told);
  }
}

/** The usual case: the same members on both sides. False, with nothing done, where JSON writes one on one side only. */
function compareMembers(
  before: readonly unknown[],
  after: readonly unknown[],
  keys: readonly string[],
  place: Place,
  sum: DigestSum | null,
  told: Told,
): boolean {
  for (let i = 0; i < keys.length; i++) if ((before[i] === undefined) !== (after[i] === undefined)) return false;
  let position = 0;
  for (let i = 0; i < keys.length; i++) {
    const value = after[i];
    if (before[i] !== value) compare(before[i], value, place.member(keys[i] as string, position), sum, told);
    if (value !== undefined) position++;
  }
  return true;
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

function unescapeKey(key: string): string {
  return key.includes("~") ? key.replaceAll("~1", "/").replaceAll("~0", "~") : key;
}

/** A value as JSON would read it back (NaN becomes null, undefined members vanish). @throws TypeError when JSON cannot write it. */
export function asJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
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
