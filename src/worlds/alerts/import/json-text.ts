/**
 * Text to JSON with errors that name the place. `JSON.parse` reads; where it refuses, the scan below finds line and column,
 * since engines word and place their own messages differently. The scan keeps its own stack, so no nesting overflows it.
 */
import { ScenarioError } from "../../../core/world";

/** The largest file read, in UTF-16 units. */
export const MAX_TEXT = 32 * 1024 * 1024;

/** @throws ScenarioError naming line and column, and what is expected there. */
export function parseJson(text: string, what: string): unknown {
  if (text.length > MAX_TEXT)
    throw new ScenarioError(
      `The ${what} is larger than ${MAX_TEXT / 1024 / 1024} million characters; split it into smaller ones.`,
    );
  const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  if (json.trim() === "") throw new ScenarioError(`The ${what} is empty; choose a file that holds JSON.`);
  try {
    return JSON.parse(json) as unknown;
  } catch {
    const { offset, expected } = firstFault(json);
    const { line, column } = placeOf(json, offset);
    throw new ScenarioError(`The ${what} is not valid JSON at line ${line}, column ${column}: ${expected}.`);
  }
}

/** An RFC 6901 pointer; the whole document is "the top level" in messages. */
export function pointer(path: readonly (string | number | symbol)[]): string {
  return path.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** Text as it may stand in a message: on one line, without control characters, at most 60 units long. */
export function quoted(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
  const shown = text.length > 60 ? `${text.slice(0, 59)}…` : text;
  return `"${shown.replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, "�")}"`;
}

interface Fault {
  readonly offset: number;
  readonly expected: string;
}

const SPACE = /[ \t\n\r]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;

/** The first place at which a text stops being JSON. */
function firstFault(text: string): Fault {
  const open: ("[" | "{")[] = [];
  let at = skip(SPACE, text, 0);
  for (;;) {
    const opening = text[at];
    if (opening === "[" || opening === "{") {
      open.push(opening);
      at = skip(SPACE, text, at + 1);
      if (text[at] !== (opening === "[" ? "]" : "}")) {
        if (opening === "[") continue;
        const key = afterKey(text, at);
        if (typeof key !== "number") return key;
        at = key;
        continue;
      }
    } else {
      const value = afterScalar(text, at);
      if (typeof value !== "number") return value;
      at = skip(SPACE, text, value);
    }
    const next = afterValue(text, at, open);
    if (typeof next !== "number") return next;
    at = next;
  }
}

/** From behind a value over closing brackets and a comma to the next value, or the fault in between. */
function afterValue(text: string, start: number, open: ("[" | "{")[]): number | Fault {
  let at = start;
  for (;;) {
    const last = open[open.length - 1];
    if (text[at] === "]" || text[at] === "}") {
      const closing = last === "[" ? "]" : last === "{" ? "}" : null;
      if (text[at] !== closing && at < text.length && last !== undefined)
        return { offset: at, expected: `"${closing}" is expected, since "${last}" was opened last` };
      if (closing !== null && text[at] === closing) {
        open.pop();
        at = skip(SPACE, text, at + 1);
        continue;
      }
    }
    if (last === undefined) {
      if (at >= text.length) return { offset: 0, expected: "it is nested too deeply to be read" };
      return { offset: at, expected: "more text follows the end; put several values into one list, [ …, … ]" };
    }
    if (text[at] !== ",")
      return { offset: at, expected: ended(text, at, `a comma or "${last === "[" ? "]" : "}"}" is expected`) };
    at = skip(SPACE, text, at + 1);
    return last === "{" ? afterKey(text, at) : at;
  }
}

function afterKey(text: string, start: number): number | Fault {
  const key = afterString(text, start, "a name in double quotes is expected");
  if (typeof key !== "number") return key;
  const at = skip(SPACE, text, key);
  if (text[at] !== ":") return { offset: at, expected: ended(text, at, 'a ":" is expected after the name') };
  return skip(SPACE, text, at + 1);
}

function afterScalar(text: string, at: number): number | Fault {
  if (text[at] === '"') return afterString(text, at, "");
  const end = skip(SCALAR, text, at);
  if (end > at && !/[\w.+-]/.test(text[end] ?? "")) return end;
  return {
    offset: at,
    expected: ended(text, at, "a value is expected (text in double quotes, a number, true, false, null, [ or {)"),
  };
}

function afterString(text: string, start: number, otherwise: string): number | Fault {
  if (text[start] !== '"') return { offset: start, expected: ended(text, start, otherwise) };
  let at = start + 1;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    if (unit === 0x22) return at + 1;
    if (unit < 0x20)
      return {
        offset: at,
        expected: "a line break or control character stands in a text; write it as an escape such as \\n",
      };
    const next = unit === 0x5c ? skip(ESCAPE, text, at) : at + 1;
    if (next === at)
      return { offset: at, expected: "a \\ begins an escape that JSON does not have; write \\\\ for a backslash" };
    at = next;
  }
  return { offset: start, expected: "the text that begins here is never closed; the file may be cut off" };
}

function ended(text: string, at: number, otherwise: string): string {
  return at >= text.length ? "the file ends too early; it may be cut off" : otherwise;
}

/** The offset behind a sticky pattern's match at `at`, or `at` when there is none. */
function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

function placeOf(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let start = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) {
    line++;
    start = at + 1;
  }
  return { line, column: offset - start + 1 };
}
