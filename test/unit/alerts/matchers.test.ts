import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compilePattern, PATTERN_LIMITS, PatternError } from "../../../src/worlds/alerts/linear-regexp";
import { MatcherError, matchesAll, matchesEverything, parseMatchers } from "../../../src/worlds/alerts/matchers";

const LABELS = new Map([
  ["alertname", "DiskFull"],
  ["service", "orders-db-primary"],
  ["zone", "b"],
]);
const hits = (...texts: string[]) => matchesAll(parseMatchers(texts), LABELS);

describe("label matchers", () => {
  it("compare equal, unequal, by pattern and by its opposite", () => {
    expect(hits('alertname="DiskFull"')).toBe(true);
    expect(hits("alertname=DiskFul")).toBe(false);
    expect(hits("zone!=b")).toBe(false);
    expect(hits("zone!=a")).toBe(true);
    expect(hits('service=~"orders-.*"')).toBe(true);
    expect(hits('service!~"orders-.*"')).toBe(false);
  });

  it("must match the whole value, not a part of it", () => {
    expect(hits('service=~"orders"')).toBe(false);
    expect(hits('service=~"db"')).toBe(false);
    expect(hits('service=~"orders|.*-primary"')).toBe(true);
  });

  it("take a missing label for an empty one", () => {
    expect(hits('cluster=""')).toBe(true);
    expect(hits("cluster!=x")).toBe(true);
    expect(hits('cluster=~".*"')).toBe(true);
    expect(hits('cluster=~".+"')).toBe(false);
    expect(hits('cluster!~"x"')).toBe(true);
  });

  it("hold together", () => {
    expect(hits("zone=b", "alertname=DiskFull")).toBe(true);
    expect(hits("zone=b", "alertname=Other")).toBe(false);
    expect(hits('{zone="b", alertname="Other"}')).toBe(false);
  });

  it("know when they would mute an alert without labels", () => {
    expect(matchesEverything(parseMatchers(['service=~".*"']))).toBe(true);
    expect(matchesEverything(parseMatchers(["zone!=b"]))).toBe(true);
    expect(matchesEverything(parseMatchers(["zone!=b", "alertname=x"]))).toBe(false);
  });

  it("read quoted values with escapes and keep backslashes of patterns", () => {
    const [a] = parseMatchers(['path="C:\\\\x \\"y\\""']);
    expect(a?.value).toBe('C:\\x "y"');
    const [b] = parseMatchers(['host=~"node-\\d+"']);
    expect(b?.test("node-17")).toBe(true);
    expect(b?.test("node-x")).toBe(false);
  });

  it.each([
    ["service", "=, !=, =~ or !~"],
    ['="x"', "label name"],
    ['service="x', "quote is not closed"],
    ["service=a b", "comma"],
    ['service=~"("', "not closed"],
    ['service=~"(?=a)"', "look"],
    ['service=~"(a)\\1"', "refers back"],
    ['service=~"a{3,2}"', "counts down"],
    ['service=~"*"', "nothing to repeat"],
    ['service=~"[z-a]"', "backwards"],
    ["", "at least one"],
  ])("say what is wrong with %s", (text, says) => {
    expect(() => parseMatchers([text])).toThrow(MatcherError);
    expect(() => parseMatchers([text])).toThrow(says);
  });
});

describe("linear regular expressions", () => {
  it("fold the case of ASCII letters where asked", () => {
    expect(compilePattern("(?i)disk[a-c]").test("DISKB")).toBe(true);
    expect(compilePattern("x(?i:ab)c").test("xAbc")).toBe(true);
    expect(compilePattern("x(?i:ab)c").test("xabC")).toBe(false);
  });

  it("treat an astral character as one", () => {
    expect(compilePattern(".").test("😀")).toBe(true);
    expect(compilePattern("[😀-😂]{2}").test("😀😁")).toBe(true);
  });

  it("agree with the engine's own expressions on random patterns and texts", () => {
    const atom = fc.constantFrom("a", "b", "-", "[ab]", "[^a]", "[a-c-]", "\\d", "\\w", "[^\\n]", "\\.", "(?:)", "1");
    const { pattern } = fc.letrec<{ pattern: string; item: string }>((tie) => ({
      item: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        atom,
        fc.tuple(tie("pattern")).map(([p]) => `(${p})`),
        fc.tuple(atom, fc.constantFrom("*", "+", "?", "{2}", "{1,}", "{0,2}", "*?", "+?")).map(([a, q]) => a + q),
        fc.tuple(tie("pattern"), fc.constantFrom("*", "+", "?", "{2}", "{0,2}")).map(([p, q]) => `(?:${p})${q}`),
      ),
      pattern: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        tie("item"),
        fc.array(tie("item"), { maxLength: 4 }).map((items) => items.join("")),
        fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => `${a}|${b}`),
      ),
    }));
    const text = fc.string({ unit: fc.constantFrom("a", "b", "c", "-", ".", "1"), maxLength: 8 });
    fc.assert(
      fc.property(pattern, fc.array(text, { minLength: 1, maxLength: 6 }), (source, texts) => {
        fc.pre(source.length <= PATTERN_LIMITS.length);
        let compiled: ReturnType<typeof compilePattern>;
        try {
          compiled = compilePattern(source);
        } catch (error) {
          // Only size may refuse what this grammar writes.
          expect(String(error)).toContain("too large");
          return;
        }
        const own = new RegExp(`^(?:${source})$`, "u");
        for (const t of texts) expect([source, t, compiled.test(t)]).toEqual([source, t, own.test(t)]);
      }),
      { numRuns: 1500 },
    );
  });

  it.each([
    ["(a*)*b", "a"],
    ["(a|a)*b", "a"],
    ["(a|aa)+$b", "a"],
    ["(.*)*(.*)*(.*)*x", "y"],
    ["((a?){30}){20}", "a"],
    ["(?:a{0,20}){0,20}b", "a"],
  ])("do not explode on %s", (source, unit) => {
    // A backtracking engine needs more than 2^1000 tries here; the states times the characters are some millions.
    const compiled = compilePattern(source);
    expect(compiled.states).toBeLessThanOrEqual(PATTERN_LIMITS.states);
    expect(compiled.test(unit.repeat(2000))).toBe(false);
  });

  it("refuse patterns that grow too large when written out, empty parts included", () => {
    expect(() => compilePattern("(a{100}){100}")).toThrow(PatternError);
    expect(() => compilePattern("(((((){100}){100}){100}){100}){100}")).toThrow("too large");
    expect(() => compilePattern("(".repeat(100))).toThrow("nested too deep");
    expect(() => compilePattern("a{5000}")).toThrow("more than 100");
  });
});
