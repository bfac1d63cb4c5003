/**
 * The JSON text of values that share parts: the texts of large lists and objects are kept by identity, so that writing an
 * observation anew costs no more than what is new in it. Nobody may change a value once written; observations are immutable.
 */

/** The text of a list or object that may come again, and the lanes of its digest once they have been asked for. */
export class KeptText {
  a = 0;
  b = 0;
  digested = false;
  constructor(readonly text: string) {}
}

const KEPT = new WeakMap<object, KeptText>();
/** Keeping shorter texts costs more than writing them again. */
const SHORTEST_KEPT = 192;

/** What `JSON.stringify` gives for a list or object that may come again. @throws TypeError when JSON cannot write it. */
export function keptText(value: object): KeptText {
  const kept = KEPT.get(value);
  if (kept) return kept;
  const made = new KeptText(JSON.stringify(value));
  if (made.text.length >= SHORTEST_KEPT) KEPT.set(value, made);
  return made;
}

// An object that is digested is mostly written next.
let last: object | null = null;
let lastText = "";

/** Forgets the last object: whoever comes next may have changed it. */
export function forgetLast(): void {
  last = null;
}

/** What `JSON.stringify` gives; the text of the last object is kept. @throws TypeError when JSON cannot write it. */
export function textOfLast(value: object): string {
  if (value === last) return lastText;
  lastText = JSON.stringify(value);
  last = value;
  return lastText;
}

/** What `JSON.stringify` gives, with the lists and objects in a list or object taken from those kept. @throws TypeError */
export function jsonText(value: unknown): string {
  if (typeof value === "string") return quoted(value);
  if (typeof value === "number") return Number.isFinite(value) ? `${value}` : "null";
  if (typeof value === "boolean") return value ? "true" : "false";
  if (typeof value !== "object" || value === null) return "null";
  const kept = KEPT.get(value);
  if (kept) return kept.text;
  if (value === last) return lastText;
  return Array.isArray(value) ? listText(value) : objectText(value as Readonly<Record<string, unknown>>);
}

function listText(values: readonly unknown[]): string {
  let text = "";
  for (let i = 0; i < values.length; i++) text += (i > 0 ? "," : "") + memberText(values[i]);
  return `[${text}]`;
}

function objectText(value: Readonly<Record<string, unknown>>): string {
  let text = "";
  for (const key of Object.keys(value)) {
    const member = value[key];
    if (member !== undefined) text += (text ? "," : "") + nameText(key) + memberText(member);
  }
  return `{${text}}`;
}

function memberText(value: unknown): string {
  if (typeof value !== "object" || value === null) return jsonText(value);
  // Objects are mostly one run's own; what runs share are lists: series, services, changes.
  return Array.isArray(value) ? keptText(value).text : textOfLast(value);
}

/** Names as they stand before a value; there are few. */
const NAMES = new Map<string, string>();
const MOST_NAMES = 1000;

function nameText(key: string): string {
  let text = NAMES.get(key);
  if (text === undefined) {
    text = `${quoted(key)}:`;
    if (NAMES.size < MOST_NAMES) NAMES.set(key, text);
  }
  return text;
}

/** Neither quotes, backslashes nor control characters, and no surrogates, of which JSON escapes the lone ones. */
const PLAIN = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/;

/** A text in quotes, as JSON writes it. */
export function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}
