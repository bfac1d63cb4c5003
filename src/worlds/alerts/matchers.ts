/**
 * Label matchers as Alertmanager has them (`=`, `!=`, `=~`, `!~`): a missing label is an empty one, a regular expression
 * must match the whole value. Several matchers hold together.
 */
import { compilePattern, PatternError } from "./linear-regexp";

export type MatchOperator = "=" | "!=" | "=~" | "!~";

export interface Matcher {
  readonly label: string;
  readonly operator: MatchOperator;
  readonly value: string;
  /** As it is shown: `alertname="DiskFull"`. */
  readonly text: string;
  /** Whether a label value satisfies it; a missing label is "". */
  test(value: string): boolean;
}

/** Matchers that cannot be read; the message says which one and what to write. */
export class MatcherError extends Error {
  override readonly name = "MatcherError";
}

/**
 * Reads matchers, each string holding one or several parted by commas, with or without braces around them.
 * @throws MatcherError when one is not a matcher, has a bad regular expression, or there is none.
 */
export function parseMatchers(texts: readonly string[]): readonly Matcher[] {
  const matchers = texts.flatMap((text) => new MatcherReader(text).all());
  if (matchers.length === 0) throw new MatcherError('Give at least one matcher, e.g. alertname="DiskFull".');
  return matchers;
}

/** Whether a label set satisfies all matchers. */
export function matchesAll(matchers: readonly Matcher[], labels: ReadonlyMap<string, string>): boolean {
  for (const matcher of matchers) if (!matcher.test(labels.get(matcher.label) ?? "")) return false;
  return true;
}

/** Whether the matchers would also hold for an alert without labels; Alertmanager refuses such silences. */
export function matchesEverything(matchers: readonly Matcher[]): boolean {
  return matchers.every((matcher) => matcher.test(""));
}

/** The matcher that holds for exactly one label value. */
export function equalMatcher(label: string, value: string): Matcher {
  return { label, operator: "=", value, text: `${label}=${quoted(value)}`, test: (other) => other === value };
}

class MatcherReader {
  private at = 0;
  private readonly text: string;

  constructor(private readonly given: string) {
    const trimmed = given.trim();
    const braces = trimmed.startsWith("{") && trimmed.endsWith("}");
    this.text = braces ? trimmed.slice(1, -1) : trimmed;
  }

  all(): Matcher[] {
    const found: Matcher[] = [];
    this.spaces();
    while (this.at < this.text.length) {
      found.push(this.one());
      this.spaces();
      if (this.text[this.at] === ",") this.at++;
      else if (this.at < this.text.length) this.fail("after a value comes a comma; put values with blanks in quotes");
      this.spaces();
    }
    return found;
  }

  private one(): Matcher {
    const label = this.label();
    this.spaces();
    const operator = this.operator();
    this.spaces();
    const value = this.value();
    return { label, operator, value, text: `${label}${operator}${quoted(value)}`, test: this.tester(operator, value) };
  }

  private label(): string {
    if (this.text[this.at] === '"') return this.quotedText();
    const found = /^[\p{L}_:][\p{L}\p{N}_:./-]*/u.exec(this.text.slice(this.at));
    if (!found) return this.fail('it begins with a label name, e.g. service="orders-db"');
    this.at += found[0].length;
    return found[0];
  }

  private operator(): MatchOperator {
    const two = this.text.slice(this.at, this.at + 2);
    const operator = two === "!=" || two === "=~" || two === "!~" ? two : two.startsWith("=") ? "=" : null;
    if (!operator) return this.fail("after the label name comes =, !=, =~ or !~");
    this.at += operator.length;
    return operator;
  }

  private value(): string {
    if (this.text[this.at] === '"') return this.quotedText();
    const found = /^[^\s,"{}]*/.exec(this.text.slice(this.at));
    this.at += found?.[0].length ?? 0;
    return found?.[0] ?? "";
  }

  private quotedText(): string {
    let out = "";
    for (this.at++; this.at < this.text.length; this.at++) {
      const c = this.text[this.at] as string;
      if (c === '"') {
        this.at++;
        return out;
      }
      if (c !== "\\") {
        out += c;
        continue;
      }
      // As in Alertmanager: \" \\ \n are escapes; any other backslash stays, so that regular expressions read naturally.
      const next = this.text[this.at + 1];
      if (next === '"' || next === "\\" || next === "n") {
        out += next === "n" ? "\n" : next;
        this.at++;
      } else out += c;
    }
    return this.fail("a quote is not closed");
  }

  private tester(operator: MatchOperator, value: string): (other: string) => boolean {
    if (operator === "=") return (other) => other === value;
    if (operator === "!=") return (other) => other !== value;
    try {
      const pattern = compilePattern(value);
      return operator === "=~" ? (other) => pattern.test(other) : (other) => !pattern.test(other);
    } catch (error) {
      if (error instanceof PatternError) return this.fail(`its regular expression cannot be used: ${error.message}`);
      throw error;
    }
  }

  private spaces(): void {
    while (/\s/.test(this.text[this.at] ?? "")) this.at++;
  }

  private fail(what: string): never {
    const shown = this.given.length > 80 ? `${this.given.slice(0, 77)}…` : this.given;
    throw new MatcherError(`The matcher ${shown} cannot be read: ${what}.`);
  }
}

function quoted(value: string): string {
  if (!/["\\\n]/.test(value)) return `"${value}"`;
  return `"${value.replace(/["\\]/g, "\\$&").replace(/\n/g, "\\n")}"`;
}
