/** How one JSON value differs from another: told place by place, at the cost of what has changed. */
import { DEEPEST, type DigestSum } from "./digest";
import type { PatchOperation } from "./json";
import { Place } from "./place";

type Members = Record<string, unknown>;

/** What is told of the places where two values differ, in an order in which the operations can be applied. */
export interface Told {
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

/**
 * The RFC 6902 patch that turns `before` into `after`, as JSON writes them: applying it gives the same text, key order
 * included. Sub-trees that are the same object are skipped, so the cost follows the change and not the size.
 */
export function createPatch(before: object, after: object): PatchOperation[] {
  const list = new PatchList();
  compare(before, after, Place.root(), null, list);
  return list.operations;
}

/** Tells how `after` differs from `before`, and keeps the sum of a digest up to date. */
export function compare(before: unknown, after: unknown, place: Place, sum: DigestSum | null, told: Told): void {
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
export function compareMembers(
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

export function sameKeys(left: readonly string[], right: readonly string[]): boolean {
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
