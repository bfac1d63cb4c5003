/**
 * Templates of log messages. `(a|b)` is a choice, `[a]` is there half of the time, `{slot}` is filled from the line's facts;
 * they nest, and a backslash takes away a sign's meaning. Parsed once; expanding draws from a generator that starts anew with
 * each line, so that a line is a function of its place alone.
 */
import type { Facts } from "./facts";
import { SLOTS, type SlotName } from "./slots";

/** What fills a slot. */
export type Slot = (facts: Facts, draw: Draw) => string;

/** Parts are of one shape, which is what makes expanding quick. */
interface Part {
  /** 0: one of `words`. 1: `slot`. 2: one of `of`. 3: `of[0]` or nothing. */
  readonly form: 0 | 1 | 2 | 3;
  readonly words: readonly string[];
  readonly slot: Slot | null;
  readonly of: readonly Template[];
}
export type Template = readonly Part[];

/** Draws for one line: a linear congruential generator (Numerical Recipes' constants), of which the high bits are used. */
export class Draw {
  private state = 0;

  /** Starts a line. `key` is a hash in [0, 1). */
  start(key: number): void {
    this.state = (key * 4294967296) | 0;
  }

  /** A whole number from 0 to n − 1; n at most 65,536. */
  below(n: number): number {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) | 0;
    return ((this.state >>> 16) * n) >>> 16;
  }

  /** One element. */
  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }
}

/** `text` and behind it what a template says for a line. */
export function expand(text: string, template: Template, facts: Facts, draw: Draw): string {
  let said = text;
  for (let i = 0; i < template.length; i++) {
    const part = template[i] as Part;
    if (part.form === 0) said += part.words.length === 1 ? part.words[0] : draw.pick(part.words);
    else if (part.form === 1) said += part.slot ? part.slot(facts, draw) : "";
    else if (part.form === 2) said = expand(said, draw.pick(part.of), facts, draw);
    else if (draw.below(2)) said = expand(said, part.of[0] as Template, facts, draw);
  }
  return said;
}

/** The same template with a capital first letter, where it begins with plain text. */
export function capitalised(template: Template): Template {
  const [first, ...rest] = template;
  if (!first || first.form === 1 || first.form === 3) return template;
  const changed =
    first.form === 0
      ? { ...first, words: first.words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)) }
      : { ...first, of: first.of.map(capitalised) };
  return [changed, ...rest];
}

/** @throws SyntaxError when brackets do not match or a slot is unknown: a mistake in this folder. */
export function parse(text: string): Template {
  const reader = { text, at: 0 };
  const template = sequence(reader, "");
  if (reader.at < text.length) throw new SyntaxError(`The template "${text}" has a bracket too many at ${reader.at}.`);
  return template;
}

interface Reader {
  readonly text: string;
  at: number;
}

/** Reads parts up to one of the signs `until`, which is left unread. */
function sequence(reader: Reader, until: string): Template {
  const parts: Part[] = [];
  let plain = "";
  const flush = () => {
    if (plain) parts.push({ form: 0, words: [plain], slot: null, of: [] });
    plain = "";
  };
  while (reader.at < reader.text.length) {
    const sign = reader.text[reader.at] as string;
    if (until.includes(sign)) break;
    if (!until && (sign === ")" || sign === "]")) break;
    reader.at++;
    if (sign === "\\") plain += reader.text[reader.at++] ?? "";
    else if (sign === "(" || sign === "[" || sign === "{") {
      flush();
      parts.push(sign === "(" ? choice(reader) : sign === "[" ? option(reader) : slot(reader));
    } else plain += sign;
  }
  flush();
  return joined(parts);
}

/** All wordings of a template without slots, equally likely; undefined for others. An empty template is one empty word. */
function wordsOf(template: Template): readonly string[] | undefined {
  if (template.length === 0) return [""];
  const [only] = template;
  return template.length === 1 && only?.form === 0 ? only.words : undefined;
}

/** Most wordings that stand in one part. */
const MOST_WORDS = 48;

/** Neighbouring words multiplied out: fewer parts are fewer strings to put together. */
function joined(parts: readonly Part[]): Template {
  const out: Part[] = [];
  for (const part of parts) {
    const before = out[out.length - 1];
    if (part.form === 0 && before?.form === 0 && before.words.length * part.words.length <= MOST_WORDS) {
      const words = before.words.flatMap((first) => part.words.map((second) => first + second));
      out[out.length - 1] = { ...before, words };
    } else out.push(part);
  }
  return out;
}

function choice(reader: Reader): Part {
  const of: Template[] = [];
  do of.push(sequence(reader, "|)"));
  while (close(reader, "|)") === "|");
  const words = of.map(wordsOf);
  if (words.every((each) => each?.length === 1))
    return { form: 0, words: words.flatMap((each) => each ?? []), slot: null, of: [] };
  return { form: 2, words: [], slot: null, of };
}

function option(reader: Reader): Part {
  const maybe = sequence(reader, "]");
  close(reader, "]");
  const words = wordsOf(maybe);
  // As many times nothing as there are wordings, so that it is there half of the time.
  if (words) return { form: 0, words: [...words.map(() => ""), ...words], slot: null, of: [] };
  return { form: 3, words: [], slot: null, of: [maybe] };
}

function slot(reader: Reader): Part {
  const end = reader.text.indexOf("}", reader.at);
  const name = reader.text.slice(reader.at, end);
  const fill = SLOTS[name as SlotName];
  if (end < 0 || !fill) throw new SyntaxError(`The template "${reader.text}" names {${name}}, which is no slot.`);
  reader.at = end + 1;
  return { form: 1, words: [], slot: fill, of: [] };
}

function close(reader: Reader, expected: string): string {
  const sign = reader.text[reader.at] ?? "";
  if (!sign || !expected.includes(sign))
    throw new SyntaxError(`The template "${reader.text}" lacks a closing bracket.`);
  reader.at++;
  return sign;
}
