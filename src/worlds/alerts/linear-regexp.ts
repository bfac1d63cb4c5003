/**
 * Regular expressions that take time proportional to pattern × text, whatever the pattern: Thompson's construction run as
 * a set of states (Thompson 1968; the method behind RE2). JavaScript's own engine backtracks, so one hostile matcher could
 * hang it.
 *
 * The whole text must match, as in Alertmanager's matchers. Supported, with RE2's meanings: literals, `.` (not a line
 * break), classes `[a-z]` `[^…]`, `\d \D \w \W \s \S`, `\t \n \r \f \v`, escaped punctuation, groups `(…)` `(?:…)`, `|`,
 * `* + ? {m} {m,} {m,n}` with their lazy forms, `^ $`, and `(?i)` / `(?i:…)` for ASCII letters. Refused with a reason:
 * look-around and back-references (not possible in linear time), Unicode classes, and `\b`.
 */

/** A pattern that cannot be used; the message says what to change. */
export class PatternError extends Error {
  override readonly name = "PatternError";
}

/** Bounds that keep a compiled pattern small. */
export const PATTERN_LIMITS = { length: 200, repeat: 100, states: 2000, depth: 40 } as const;

/** Tests a whole text. */
export interface LinearRegExp {
  test(text: string): boolean;
  /** States of the compiled pattern; the work of `test` is at most this times the text's length. */
  readonly states: number;
}

/** @throws PatternError when the pattern is not in the supported subset or too large. */
export function compilePattern(pattern: string): LinearRegExp {
  if (pattern.length > PATTERN_LIMITS.length)
    throw new PatternError(`it is longer than ${PATTERN_LIMITS.length} characters`);
  const program = new Program();
  program.compile(new Parser(pattern).parse());
  program.push({ op: "match" });
  return { states: program.code.length, test: (text) => run(program.code, text) };
}

// --- Syntax tree ---

/** Inclusive ranges of code points, in pairs. */
type Ranges = readonly number[];

type Node =
  | { readonly kind: "set"; readonly ranges: Ranges; readonly negated: boolean }
  | { readonly kind: "start" | "end" | "empty" }
  | { readonly kind: "all" | "any"; readonly parts: readonly Node[] }
  | { readonly kind: "repeat"; readonly part: Node; readonly least: number; readonly most: number };

const LAST = 0x10ffff;
const DIGITS: Ranges = [48, 57];
const WORD: Ranges = [48, 57, 65, 90, 95, 95, 97, 122];
/** RE2's `\s`: tab, line feed, form feed, carriage return, space. */
const SPACE: Ranges = [9, 10, 12, 13, 32, 32];
const CONTROL: Readonly<Record<string, number>> = { t: 9, n: 10, r: 13, f: 12, v: 11 };

class Parser {
  private readonly text: readonly string[];
  private at = 0;
  private fold = false;
  private depth = 0;

  constructor(pattern: string) {
    this.text = Array.from(pattern);
  }

  parse(): Node {
    const node = this.alternatives();
    if (this.at < this.text.length) throw new PatternError('a ")" has no "(" before it; write "\\)" for the character');
    return node;
  }

  private alternatives(): Node {
    const parts = [this.sequence()];
    while (this.peek() === "|") {
      this.at++;
      parts.push(this.sequence());
    }
    return parts.length === 1 ? (parts[0] as Node) : { kind: "any", parts };
  }

  private sequence(): Node {
    const parts: Node[] = [];
    for (let next = this.peek(); next !== undefined && next !== "|" && next !== ")"; next = this.peek())
      parts.push(this.repeated());
    return parts.length === 1 ? (parts[0] as Node) : { kind: "all", parts };
  }

  private repeated(): Node {
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

  private atom(): Node {
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

  private group(): Node {
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

  private bracket(): Node {
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

  private escape(): Node {
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

  private literal(code: number): Node {
    return this.set([code, code], false);
  }

  private set(ranges: readonly number[], negated: boolean): Node {
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

// --- Program ---

type Instruction =
  | { readonly op: "set"; readonly ranges: Ranges; readonly negated: boolean }
  | { readonly op: "start" | "end" | "match" }
  | { readonly op: "split"; readonly to: number; readonly or: number }
  | { readonly op: "jump"; readonly to: number };

const TOO_LARGE = "it is too large once its repetitions are written out; make the counts smaller";

class Program {
  readonly code: Instruction[] = [];
  /** Parts written out so far; empty parts make no instruction, so instructions alone would not bound the work. */
  private written = 0;

  push(instruction: Instruction): number {
    if (this.code.length >= PATTERN_LIMITS.states) throw new PatternError(TOO_LARGE);
    return this.code.push(instruction) - 1;
  }

  compile(node: Node): void {
    if (++this.written > 2 * PATTERN_LIMITS.states) throw new PatternError(TOO_LARGE);
    if (node.kind === "set") this.push({ op: "set", ranges: node.ranges, negated: node.negated });
    else if (node.kind === "start" || node.kind === "end") this.push({ op: node.kind });
    else if (node.kind === "all") for (const part of node.parts) this.compile(part);
    else if (node.kind === "any") this.alternatives(node.parts);
    else if (node.kind === "repeat") this.repeat(node.part, node.least, node.most);
  }

  private alternatives(parts: readonly Node[]): void {
    const ends: number[] = [];
    parts.forEach((part, i) => {
      const last = i === parts.length - 1;
      const split = last ? -1 : this.push({ op: "jump", to: 0 });
      this.compile(part);
      if (last) return;
      ends.push(this.push({ op: "jump", to: 0 }));
      this.code[split] = { op: "split", to: split + 1, or: this.code.length };
    });
    for (const end of ends) this.code[end] = { op: "jump", to: this.code.length };
  }

  private repeat(part: Node, least: number, most: number): void {
    for (let i = 0; i < least; i++) this.compile(part);
    if (most === Number.POSITIVE_INFINITY) {
      const split = this.push({ op: "jump", to: 0 });
      this.compile(part);
      this.push({ op: "jump", to: split });
      this.code[split] = { op: "split", to: split + 1, or: this.code.length };
      return;
    }
    const splits: number[] = [];
    for (let i = least; i < most; i++) {
      splits.push(this.push({ op: "jump", to: 0 }));
      this.compile(part);
    }
    for (const split of splits) this.code[split] = { op: "split", to: split + 1, or: this.code.length };
  }
}

// --- Run ---

/** The set of states after each character; every state is entered at most once per character. */
function run(code: readonly Instruction[], text: string): boolean {
  const seen = new Int32Array(code.length).fill(-1);
  const stack: number[] = [];
  let present: number[] = [];
  let next: number[] = [];
  const enter = (state: number, position: number, list: number[]): void => {
    stack.push(state);
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (seen[at] === position) continue;
      seen[at] = position;
      const instruction = code[at] as Instruction;
      if (instruction.op === "jump") stack.push(instruction.to);
      else if (instruction.op === "split") stack.push(instruction.or, instruction.to);
      else if (instruction.op === "start" ? position === 0 : instruction.op === "end" && position === text.length)
        stack.push(at + 1);
      else if (instruction.op === "set" || instruction.op === "match") list.push(at);
    }
  };
  enter(0, 0, present);
  for (let position = 0; position < text.length; ) {
    const point = text.codePointAt(position) as number;
    position += point > 0xffff ? 2 : 1;
    next = [];
    for (const at of present) {
      const instruction = code[at] as Instruction;
      if (instruction.op === "set" && holds(instruction, point)) enter(at + 1, position, next);
    }
    present = next;
    if (present.length === 0) return false;
  }
  return present.some((at) => (code[at] as Instruction).op === "match");
}

function holds(set: { readonly ranges: Ranges; readonly negated: boolean }, point: number): boolean {
  for (let i = 0; i < set.ranges.length; i += 2)
    if (point >= (set.ranges[i] as number) && point <= (set.ranges[i + 1] as number)) return !set.negated;
  return set.negated;
}
