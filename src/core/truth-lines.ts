/** What was true, as headings and lines for reading: in its world's sentences, else from any world's plain JSON. */
import type { TruthLine, World } from "./world";

/** Bounds on what a debrief lists; a file may hold anything. */
const MOST_LINES = 200;
const LONGEST_LINE = 2000;
const NOT_FOR_READING = new Set(["canary"]);

/** What a grade says was true, bounded in length. Without a world that knows its shape, names and values are listed. */
export function truthLines(truth: unknown, world: Pick<World, "tellTruth"> = {}): TruthLine[] {
  const lines = world.tellTruth?.(truth) ?? plainLines(truth);
  return lines.slice(0, MOST_LINES).map(({ heading, text }) => ({ heading, text: text.slice(0, LONGEST_LINE) }));
}

/** One line an entry: lists of records become one line a record, named after the list. */
function plainLines(truth: unknown): TruthLine[] {
  if (!isRecord(truth)) return [];
  const lines: TruthLine[] = [];
  for (const [key, value] of Object.entries(truth)) {
    if (NOT_FOR_READING.has(key) || value === null || isEmpty(value)) continue;
    const heading = words(key);
    if (Array.isArray(value) && value.some(isRecord))
      value.forEach((item, i) => {
        lines.push({ heading: value.length > 1 ? `${heading} ${i + 1}` : heading, text: textOf(item) });
      });
    else if (isRecord(value) && Object.values(value).every((each) => typeof each === "string"))
      for (const [name, each] of Object.entries(value)) lines.push({ heading: `${heading}: ${name}`, text: `${each}` });
    else lines.push({ heading, text: textOf(value) });
  }
  return lines;
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(value.some(Array.isArray) ? " — or — " : ", ");
  if (!isRecord(value)) return typeof value === "boolean" ? (value ? "yes" : "no") : String(value);
  // An action reads as a player would say it: its name, then what it is about.
  if (typeof value.action === "string" && isRecord(value.args))
    return [value.action, ...Object.values(value.args)].join(" ");
  const { story, ...rest } = value;
  const facts = Object.entries(rest)
    .filter(([key, each]) => !NOT_FOR_READING.has(key) && each !== null && !isEmpty(each))
    .map(([key, each]) => `${words(key)}: ${textOf(each)}`);
  return [...(typeof story === "string" ? [story] : []), ...facts].join(" · ");
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isEmpty(value: unknown): boolean {
  return (Array.isArray(value) && value.length === 0) || (isRecord(value) && Object.keys(value).length === 0);
}

/** `alsoTrue` → `Also true`. */
function words(key: string): string {
  const spaced = key.replace(/_/g, " ").replace(/([a-z0-9])([A-Z])/g, "$1 $2");
  return spaced.charAt(0).toUpperCase() + spaced.slice(1).toLowerCase();
}
