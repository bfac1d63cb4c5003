/**
 * Checks arguments against a schema many times faster than its validator, where the schema is of the plain kinds that
 * actions use: texts, numbers, yes or no, choices and lists of these, with bounds and defaults. It says yes or "ask the
 * validator", never no: what is refused, and in which words, stays with the validator.
 */
import type { z } from "zod";

/** The value as the validator would give it back; `ASK` where only the validator can tell. */
type Check = (value: unknown) => unknown;

const ASK: unique symbol = Symbol("ask the validator");

/** The arguments as the validator would give them back, in its order; null where only the validator can tell. */
export type ArgumentCheck = (args: unknown) => Record<string, unknown> | null;

/** Makes the check of a strict object of plain kinds; null for any other schema. */
export function argumentCheck(schema: z.ZodObject): ArgumentCheck | null {
  const { catchall, checks, shape } = definition(schema);
  if (checks?.length || definition(catchall)?.type !== "never") return null;
  const names = Object.keys(shape as object);
  const members: Check[] = [];
  for (const name of names) {
    const check = name === "__proto__" ? null : checkOf((shape as Readonly<Record<string, unknown>>)[name]);
    if (!check) return null;
    members.push(check);
  }
  return (args) => checkMembers(args, names, members);
}

function checkMembers(
  args: unknown,
  names: readonly string[],
  members: readonly Check[],
): Record<string, unknown> | null {
  if (typeof args !== "object" || args === null || Object.getPrototypeOf(args) !== Object.prototype) return null;
  const given = args as Readonly<Record<string, unknown>>;
  const out: Record<string, unknown> = {};
  let known = 0;
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as string;
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value !== undefined) known++;
    const checked = (members[i] as Check)(value);
    if (checked === ASK) return null;
    if (checked !== undefined) out[name] = checked;
  }
  // Members that are not known, or are there without a value.
  return Object.keys(given).length === known ? out : null;
}

interface Definition {
  readonly type: string;
  readonly check?: string;
  readonly format?: string;
  readonly checks?: readonly unknown[];
  readonly [more: string]: unknown;
}

/** What zod says of a schema or of a bound (https://zod.dev/library-authors). */
function definition(part: unknown): Definition {
  return (part as { _zod?: { def?: Definition } } | undefined)?._zod?.def ?? { type: "" };
}

function checkOf(schema: unknown): Check | null {
  const def = definition(schema);
  switch (def.type) {
    case "string":
      return def.check === undefined ? textCheck(def) : null;
    case "number":
      return numberCheck(def);
    case "boolean":
      return def.checks?.length || def.coerce ? null : (value) => (typeof value === "boolean" ? value : ASK);
    case "enum":
      return choiceCheck(def);
    case "array":
      return listCheck(def);
    case "optional":
    case "default":
      return absentCheck(def);
    default:
      return null;
  }
}

/** Inclusive bounds on length or size, and what changes a value: trimming, say. */
interface Bounds {
  least: number;
  most: number;
  readonly changes: ((value: unknown) => unknown)[];
}

/** Null where a check is of a kind not understood. */
function boundsOf(checks: readonly unknown[] = []): Bounds | null {
  const bounds: Bounds = { least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY, changes: [] };
  for (const each of checks) {
    const def = definition(each);
    if (def.check === "min_length") bounds.least = Math.max(bounds.least, def.minimum as number);
    else if (def.check === "max_length") bounds.most = Math.min(bounds.most, def.maximum as number);
    else if (def.check === "greater_than" && def.inclusive) bounds.least = Math.max(bounds.least, def.value as number);
    else if (def.check === "less_than" && def.inclusive) bounds.most = Math.min(bounds.most, def.value as number);
    else if (def.check === "overwrite") bounds.changes.push(def.tx as (value: unknown) => unknown);
    else return null;
  }
  return bounds;
}

function textCheck({ checks, coerce }: Definition): Check | null {
  const bounds = boundsOf(checks);
  if (!bounds || coerce) return null;
  const { least, most, changes } = bounds;
  return (value) => {
    if (typeof value !== "string" || value.length < least || value.length > most) return ASK;
    for (const change of changes) if (change(value) !== value) return ASK;
    return value;
  };
}

function numberCheck({ check, format, checks, coerce }: Definition): Check | null {
  const bounds = boundsOf(checks);
  if (!bounds || coerce || bounds.changes.length > 0 || (check !== undefined && format !== "safeint")) return null;
  const { least, most } = bounds;
  const whole = check !== undefined;
  return (value) =>
    typeof value === "number" &&
    value >= least &&
    value <= most &&
    (whole ? Number.isSafeInteger(value) : Number.isFinite(value))
      ? value
      : ASK;
}

function choiceCheck({ entries, checks }: Definition): Check | null {
  const values = new Set<unknown>(Object.values(entries as object));
  if (checks?.length || ![...values].every((value) => typeof value === "string")) return null;
  return (value) => (values.has(value) ? value : ASK);
}

function listCheck({ element, checks }: Definition): Check | null {
  const bounds = boundsOf(checks);
  const item = checkOf(element);
  if (!bounds || bounds.changes.length > 0 || !item) return null;
  const { least, most } = bounds;
  return (value) => {
    if (!Array.isArray(value) || value.length < least || value.length > most) return ASK;
    const out: unknown[] = [];
    for (const each of value) {
      const checked = item(each);
      if (checked === ASK || checked === undefined) return ASK;
      out.push(checked);
    }
    return out;
  };
}

/** A member that may be left out; the validator gives a default anew each time it is asked for. */
function absentCheck(def: Definition): Check | null {
  const inner = checkOf(def.innerType);
  if (!inner || def.checks?.length) return null;
  if (def.type === "optional") return (value) => (value === undefined ? undefined : inner(value));
  return (value) => (value === undefined ? def.defaultValue : inner(value));
}
