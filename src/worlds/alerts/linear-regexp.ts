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
import { PATTERN_LIMITS, PatternError, type PatternNode, PatternParser, type Ranges } from "./pattern-parser";

export { PATTERN_LIMITS, PatternError };

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
  program.compile(new PatternParser(pattern).parse());
  program.push({ op: "match" });
  return { states: program.code.length, test: (text) => run(program.code, text) };
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

  compile(node: PatternNode): void {
    if (++this.written > 2 * PATTERN_LIMITS.states) throw new PatternError(TOO_LARGE);
    if (node.kind === "set") this.push({ op: "set", ranges: node.ranges, negated: node.negated });
    else if (node.kind === "start" || node.kind === "end") this.push({ op: node.kind });
    else if (node.kind === "all") for (const part of node.parts) this.compile(part);
    else if (node.kind === "any") this.alternatives(node.parts);
    else if (node.kind === "repeat") this.repeat(node.part, node.least, node.most);
  }

  private alternatives(parts: readonly PatternNode[]): void {
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

  private repeat(part: PatternNode, least: number, most: number): void {
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
