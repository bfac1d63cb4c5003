/**
 * Orders as text, as `firedrill simulate --at 12:"scale_service main-db cpu=24"` takes them: a verb, then its arguments in the order of the
 * table, by name (`zone=zone-a`), or both. A resource may stand for its amount's name (`cpu=24`), percent and minutes may carry
 * their units (`50%`, `10min`).
 */
import type { Problem } from "../../core/action";
import type { Plan } from "../plan";
import { list, quoted } from "../words";
import { validate } from "./validate";
import { type Argument, type Remedy, VERB_NAMES, VERBS, type Verb } from "./verbs";

export type Parsed = { readonly remedy: Remedy } | { readonly problem: Problem };

/** The order that a text stands for, checked against the system's names and ranges. Never throws. */
export function parseRemedy(plan: Plan, text: string): Parsed {
  const [verb = "", ...words] = text.trim().split(/\s+/);
  if (!isVerb(verb))
    return problem(
      "verb",
      verb ? `There is no action "${quoted(verb)}"; use one of ${list(VERB_NAMES, "or")}.` : EMPTY,
    );
  const values: Record<string, string | number> = {};
  for (const word of words) {
    const wrong = take(verb, word, values);
    if (wrong) return wrong;
  }
  const remedy = { verb, ...values } as unknown as Remedy;
  const wrong = validate(plan, null, remedy);
  return wrong ? { problem: { ...wrong, message: `${wrong.message} ${usage(verb)}` } } : { remedy };
}

/** An order with its time, `MIN:action`; the minute counts from the start of the simulation and may have a fraction. */
export function parseTimed(
  plan: Plan,
  text: string,
): { readonly minute: number; readonly remedy: Remedy } | { readonly problem: Problem } {
  const colon = text.indexOf(":");
  const minute = colon > 0 ? numberIn(text.slice(0, colon)) : null;
  if (minute === null || minute < 0)
    return problem(
      "minute",
      `"${quoted(text)}" has no time; write minutes, a colon and an action, e.g. 12:restart_service NAME.`,
    );
  const parsed = parseRemedy(plan, text.slice(colon + 1));
  return "problem" in parsed ? parsed : { minute, remedy: parsed.remedy };
}

/** How a verb is written: `scale_service SERVICE RESOURCE AMOUNT [zone=ZONE]`. */
export function usage(verb: Verb): string {
  const words = VERBS[verb].args.map(({ name, required, options }) => {
    const value = options ? options.join("|") : name.toUpperCase();
    return required ? value : `[${name}=${value}]`;
  });
  return `Usage: ${[verb, ...words].join(" ")}`;
}

function isVerb(word: string): word is Verb {
  return (VERB_NAMES as readonly string[]).includes(word);
}

const EMPTY = `An action is missing; use one of ${list(VERB_NAMES, "or")}.`;

/** Puts one word where it belongs, or says why it belongs nowhere. */
function take(verb: Verb, word: string, values: Record<string, string | number>): { problem: Problem } | null {
  const { args } = VERBS[verb];
  const equals = word.indexOf("=");
  if (equals < 0) {
    const next = args.find(({ name }) => values[name] === undefined);
    if (!next) return problem("", `${verb} has no place for "${quoted(word)}". ${usage(verb)}`);
    return put(verb, next, word, values);
  }
  const [name, value] = [word.slice(0, equals), word.slice(equals + 1)];
  const named = args.find((argument) => argument.name === name);
  if (named) return put(verb, named, value, values);
  const resource = args.find((argument) => argument.name === "resource");
  const amount = args.find((argument) => argument.name === "amount");
  if (resource?.options?.includes(name) && amount)
    return put(verb, resource, name, values) ?? put(verb, amount, value, values);
  const names = [...args.map((argument) => argument.name), ...(resource?.options ?? [])];
  return problem(quoted(name), `${verb} has no argument "${quoted(name)}"; it takes ${list(names)}. ${usage(verb)}`);
}

function put(
  verb: Verb,
  { name, kind }: Argument,
  text: string,
  values: Record<string, string | number>,
): { problem: Problem } | null {
  if (values[name] !== undefined) return problem(name, `${verb} was given ${name} twice. ${usage(verb)}`);
  if (kind !== "number" && kind !== "whole_number") {
    values[name] = text;
    return null;
  }
  const value = numberIn(text.replace(/(%|min|GB)$/, ""));
  if (value === null)
    return problem(name, `${name} of ${verb} must be a number, not "${quoted(text)}". ${usage(verb)}`);
  values[name] = value;
  return null;
}

function numberIn(text: string): number | null {
  return /^\d{1,12}(\.\d{1,9})?$/.test(text) ? Number(text) : null;
}

function problem(field: string, message: string): { problem: Problem } {
  return {
    problem: { code: field === "verb" ? "unknown_action" : "invalid_arguments", ...(field ? { field } : {}), message },
  };
}
