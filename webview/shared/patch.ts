/**
 * Applies the host's patches by copying only what lies on the path to a change. What did not change stays the same
 * object, so that lists derived from it need not be worked out again.
 */
import type { PatchOperation } from "../../src/core/json";

type Container = Record<string, unknown> | unknown[];

/** @throws Error when an operation names a place that does not exist; `document` is never touched. */
export function patched<T extends object>(document: T, patch: readonly PatchOperation[]): T {
  const fresh = new WeakSet<object>();
  let root: unknown = document;
  for (const operation of patch) {
    const path = operation.path.split("/").slice(1).map(unescaped);
    root = path.length === 0 ? whole(operation) : changed(root, path, 0, operation, fresh);
  }
  return root as T;
}

function whole(operation: PatchOperation): unknown {
  if (operation.op === "remove") throw new Error("A patch may not remove the whole state.");
  return operation.value;
}

function changed(
  node: unknown,
  path: readonly string[],
  depth: number,
  operation: PatchOperation,
  fresh: WeakSet<object>,
): Container {
  if (typeof node !== "object" || node === null)
    throw new Error(`A patch names ${operation.path}, which is not there.`);
  const copy = owned(node as Container, fresh);
  const key = path[depth] ?? "";
  if (depth === path.length - 1) {
    put(copy, key, operation);
    return copy;
  }
  const place = copy as Record<string, unknown>;
  if (!Object.hasOwn(place, key)) throw new Error(`A patch names ${operation.path}, which is not there.`);
  place[key] = changed(place[key], path, depth + 1, operation, fresh);
  return copy;
}

function put(container: Container, key: string, operation: PatchOperation): void {
  if (Array.isArray(container)) {
    const index = key === "-" ? container.length : Number(key);
    const last = operation.op === "add" ? container.length : container.length - 1;
    if (!Number.isInteger(index) || index < 0 || index > last)
      throw new Error(`A patch names ${operation.path}, which is not there.`);
    if (operation.op === "remove") container.splice(index, 1);
    else container.splice(index, operation.op === "add" ? 0 : 1, operation.value);
    return;
  }
  if (operation.op !== "add" && !Object.hasOwn(container, key))
    throw new Error(`A patch names ${operation.path}, which is not there.`);
  if (operation.op === "remove") delete container[key];
  // A key such as __proto__ must become an own property and not reach the prototype.
  else
    Object.defineProperty(container, key, {
      value: operation.value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
}

/** The container itself when this patch has made it, else a copy of one level. */
function owned(node: Container, fresh: WeakSet<object>): Container {
  if (fresh.has(node)) return node;
  const copy: Container = Array.isArray(node) ? node.slice() : { ...node };
  fresh.add(copy);
  return copy;
}

function unescaped(token: string): string {
  return token.replaceAll("~1", "/").replaceAll("~0", "~");
}
