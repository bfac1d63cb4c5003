/**
 * Templates of log messages. `(a|b)` is a choice, `[a]` is there half of the time, `{slot}` is filled from the line's facts;
 * they nest, and a backslash takes away a sign's meaning. Parsed once; expanding draws from a generator that starts anew with
 * each line, so that a line is a function of its place alone.
 */
import type { Facts } from "./facts";
import { SLOTS, type SlotName } from "./slots";

/** What fills a slot. */
export type Slot = (facts: Facts, draw: Draw) => string;

interface Choice {
  readonly of: readonly Template[];
}
interface Option {
  readonly maybe: Template;
}
export type Template = readonly (string | Slot | Choice | Option)[];

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

/** The text of a template for a line. */
export function expand(template: Template, facts: Facts, draw: Draw): string {
  let text = "";
  for (const part of template) {
    if (typeof part === "string") text += part;
    else if (typeof part === "function") text += part(facts, draw);
    else if ("of" in part) text += expand(draw.pick(part.of), facts, draw);
    else if (draw.below(2)) text += expand(part.maybe, facts, draw);
  }
  return text;
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
  const parts: (string | Slot | Choice | Option)[] = [];
  let plain = "";
  const flush = () => {
    if (plain) parts.push(plain);
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
  return parts;
}

function choice(reader: Reader): Choice {
  const of: Template[] = [];
  do of.push(sequence(reader, "|)"));
  while (close(reader, "|)") === "|");
  return { of };
}

function option(reader: Reader): Option {
  const maybe = sequence(reader, "]");
  close(reader, "]");
  return { maybe };
}

function slot(reader: Reader): Slot {
  const end = reader.text.indexOf("}", reader.at);
  const name = reader.text.slice(reader.at, end);
  const fill = SLOTS[name as SlotName];
  if (end < 0 || !fill) throw new SyntaxError(`The template "${reader.text}" names {${name}}, which is no slot.`);
  reader.at = end + 1;
  return fill;
}

function close(reader: Reader, expected: string): string {
  const sign = reader.text[reader.at] ?? "";
  if (!sign || !expected.includes(sign))
    throw new SyntaxError(`The template "${reader.text}" lacks a closing bracket.`);
  reader.at++;
  return sign;
}
