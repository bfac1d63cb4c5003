/** JSON values and their patches. */

import { escapeKey } from "./place";

export { createPatch } from "./compare";
export { digest } from "./digest";

/** Anything `JSON.stringify` writes and `JSON.parse` reads back unchanged. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** One RFC 6902 operation. Only `add`, `remove` and `replace` are ever produced here. */
export type PatchOperation =
  | { readonly op: "add" | "replace"; readonly path: string; readonly value: unknown }
  | { readonly op: "remove"; readonly path: string };

type Container = Record<string, unknown> | unknown[];

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
