/** The syntax of the patterns that `linear-regexp.ts` runs. */

/** A pattern that cannot be used; the message says what to change. */
export class PatternError extends Error {
  override readonly name = "PatternError";
}

/** Bounds that keep a compiled pattern small. */
export const PATTERN_LIMITS = { length: 200, repeat: 100, states: 2000, depth: 40 } as const;

/** Inclusive ranges of code points, in pairs. */
export type Ranges = readonly number[];

export type PatternNode =
  | { readonly kind: "set"; readonly ranges: Ranges; readonly negated: boolean }
  | { readonly kind: "start" | "end" | "empty" }
  | { readonly kind: "all" | "any"; readonly parts: readonly PatternNode[] }
  | { readonly kind: "repeat"; readonly part: PatternNode; readonly least: number; readonly most: number };

const LAST = 0x10ffff;
const DIGITS: Ranges = [48, 57];
const WORD: Ranges = [48, 57, 65, 90, 95, 95, 97, 122];
/** RE2's `\s`: tab, line feed, form feed, carriage return, space. */
const SPACE: Ranges = [9, 10, 12, 13, 32, 32];
const CONTROL: Readonly<Record<string, number>> = { t: 9, n: 10, r: 13, f: 12, v: 11 };

export class PatternParser {
  private readonly text: readonly string[];
  private at = 0;
  private fold = false;
  private depth = 0;

  constructor(pattern: string) {
    this.text = Array.from(pattern);
  }

  parse(): PatternNode {
    const node = this.alternatives();
    if (this.at < this.text.length) throw new PatternError('a ")" has no "(" before it; write "\\)" for the character');
    return node;
  }

  private alternatives(): PatternNode {
    const parts = [this.sequence()];
    while (this.peek() === "|") {
      this.at++;
      parts.push(this.sequence());
    }
    return parts.length === 1 ? (parts[0] as PatternNode) : { kind: "any", parts };
  }

  private sequence(): PatternNode {
    const parts: PatternNode[] = [];
    for (let next = this.peek(); next !== undefined && next !== "|" && next !== ")"; next = this.peek())
      parts.push(this.repeated());
    return parts.length === 1 ? (parts[0] as PatternNode) : { kind: "all", parts };
  }

  private repeated(): PatternNode {
    const part = this.atom();
    const bounds = this.quantifier();
    if (!bounds) return part;
    if (this.peek() === "?") this.at++;
    const more = this.at;
    if (this.quantifier()) {
      const twice = this.text.slice(more - 1, this.at).join("");
      throw new PatternError(`"${twice}" repeats a repetition; put the inner one in brackets`);
    }
    return { kind: "repeat", part, ...bounds };
  }

  private quantifier(): { readonly least: number; readonly most: number } | null {
    const next = this.peek();
    if (next === "*" || next === "+" || next === "?") {
      this.at++;
      return { least: next === "+" ? 1 : 0, most: next === "?" ? 1 : Number.POSITIVE_INFINITY };
    }
    if (next !== "{") return null;
    const found = /^\{(\d{1,4})(,(\d{0,4}))?\}/.exec(this.text.slice(this.at, this.at + 12).join(""));
    if (!found) return null;
    const least = Number(found[1]);
    const most = found[2] === undefined ? least : found[3] === "" ? Number.POSITIVE_INFINITY : Number(found[3]);
    this.at += found[0].length;
    if (most < least) throw new PatternError(`"${found[0]}" counts down; write the smaller number first`);
    if (Math.max(least, most === Number.POSITIVE_INFINITY ? 0 : most) > PATTERN_LIMITS.repeat)
      throw new PatternError(`"${found[0]}" repeats more than ${PATTERN_LIMITS.repeat} times`);
    return { least, most };
  }

  private atom(): PatternNode {
    const c = this.text[this.at++] as string;
    if (c === "(") return this.group();
    if (c === "[") return this.bracket();
    if (c === ".") return { kind: "set", ranges: [10, 10], negated: true };
    if (c === "^") return { kind: "start" };
    if (c === "$") return { kind: "end" };
    if (c === "*" || c === "+" || c === "?")
      throw new PatternError(`"${c}" has nothing to repeat; write "\\${c}" for the character`);
    if (c === "\\") return this.escape();
    return this.literal(c.codePointAt(0) as number);
  }

  private group(): PatternNode {
    if (++this.depth > PATTERN_LIMITS.depth) throw new PatternError("its groups are nested too deep");
    const outer = this.fold;
    let inline = false;
    if (this.peek() === "?") {
      const head = this.text.slice(this.at, this.at + 3).join("");
      const length = head.startsWith("?:") ? 2 : head === "?i)" || head === "?i:" ? 3 : 0;
      if (length === 0) throw new PatternError(refusedGroup(head));
      this.at += length;
      if (length === 3) this.fold = true;
      inline = head === "?i)";
    }
    if (inline) {
      // `(?i)` holds to the end of the group around it, where `fold` is set back.
      this.depth--;
      return { kind: "empty" };
    }
    const node = this.alternatives();
    if (this.peek() !== ")") throw new PatternError('a "(" is not closed; write "\\(" for the character');
    this.at++;
    this.depth--;
    this.fold = outer;
    return node;
  }

  private bracket(): PatternNode {
    const negated = this.peek() === "^";
    if (negated) this.at++;
    const ranges: number[] = [];
    for (let first = true; first || this.peek() !== "]"; first = false) {
      if (this.peek() === undefined) throw new PatternError('a "[" is not closed; write "\\[" for the character');
      if (this.peek() === "[" && this.text[this.at + 1] === ":")
        throw new PatternError('named classes such as "[:alpha:]" are not supported; write "[A-Za-z]"');
      this.bracketItem(ranges);
    }
    this.at++;
    return this.set(ranges, negated);
  }

  private bracketItem(ranges: number[]): void {
    const low = this.bracketChar();
    if (typeof low !== "number") {
      ranges.push(...low);
      return;
    }
    if (this.peek() !== "-" || this.text[this.at + 1] === "]" || this.text[this.at + 1] === undefined) {
      ranges.push(low, low);
      return;
    }
    this.at++;
    const high = this.bracketChar();
    if (typeof high !== "number" || high < low)
      throw new PatternError("a range in a class runs backwards or ends in a class; put the smaller character first");
    ranges.push(low, high);
  }

  private bracketChar(): number | Ranges {
    const c = this.text[this.at++] as string;
    if (c !== "\\") return c.codePointAt(0) as number;
    const escaped = this.escape();
    if (escaped.kind !== "set") throw new PatternError("an escape in a class is not a character");
    if (escaped.negated) return inverse(escaped.ranges);
    // A single character stays a number, so that it can begin a range.
    const [low, high] = escaped.ranges;
    return escaped.ranges.length === 2 && low === high ? (low as number) : escaped.ranges;
  }

  private escape(): PatternNode {
    const c = this.text[this.at++];
    if (c === undefined) throw new PatternError('it ends in "\\"; write "\\\\" for the character');
    if (c === "d" || c === "D") return { kind: "set", ranges: DIGITS, negated: c === "D" };
    if (c === "w" || c === "W") return { kind: "set", ranges: WORD, negated: c === "W" };
    if (c === "s" || c === "S") return { kind: "set", ranges: SPACE, negated: c === "S" };
    const control = CONTROL[c];
    if (control !== undefined) return { kind: "set", ranges: [control, control], negated: false };
    if (/[0-9]/.test(c)) throw new PatternError(`"\\${c}" refers back to a group, which linear matching cannot do`);
    if (/[A-Za-z]/.test(c)) throw new PatternError(`"\\${c}" is not supported; use literals, classes, \\d, \\w or \\s`);
    const code = c.codePointAt(0) as number;
    return { kind: "set", ranges: [code, code], negated: false };
  }

  private literal(code: number): PatternNode {
    return this.set([code, code], false);
  }

  private set(ranges: readonly number[], negated: boolean): PatternNode {
    return { kind: "set", ranges: this.fold ? folded(ranges) : ranges, negated };
  }

  private peek(): string | undefined {
    return this.text[this.at];
  }
}

function refusedGroup(head: string): string {
  if (head.startsWith("?=") || head.startsWith("?!") || head.startsWith("?<"))
    return `"(${head.slice(0, 2)}" looks around or names a group, which is not supported; use a plain group "(…)"`;
  return `"(${head.slice(0, 2)}" is not supported; use "(…)", "(?:…)" or "(?i)"`;
}

/** Ranges with the other case of their ASCII letters. */
function folded(ranges: Ranges): Ranges {
  const out = [...ranges];
  for (let i = 0; i < ranges.length; i += 2) {
    const [low, high] = [ranges[i] as number, ranges[i + 1] as number];
    for (const [from, to, shift] of [
      [65, 90, 32],
      [97, 122, -32],
    ] as const) {
      const [a, b] = [Math.max(low, from), Math.min(high, to)];
      if (a <= b) out.push(a + shift, b + shift);
    }
  }
  return out;
}

function inverse(ranges: Ranges): Ranges {
  const out: number[] = [];
  let from = 0;
  for (let i = 0; i < ranges.length; i += 2) {
    const low = ranges[i] as number;
    if (low > from) out.push(from, low - 1);
    from = (ranges[i + 1] as number) + 1;
  }
  out.push(from, LAST);
  return out;
}
