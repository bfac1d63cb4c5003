import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson, quoted } from "../../../src/worlds/alerts/import/json-text";
import { errorOf } from "./payloads";

describe("text that is not JSON", () => {
  it.each([
    ["", "is empty"],
    [" \n ", "is empty"],
    ["{", "line 1, column 2: the file ends too early"],
    ['{\n "a": 1,\n}', "line 3, column 1: a name in double quotes is expected"],
    ["[1, 2", "line 1, column 6: the file ends too early"],
    ["[1 2]", 'line 1, column 4: a comma or "]" is expected'],
    ['{"a": 1 "b": 2}', 'line 1, column 9: a comma or "}" is expected'],
    ["[1}", 'line 1, column 3: "]" is expected, since "[" was opened last'],
    ['{"a": 1]', 'line 1, column 8: "}" is expected, since "{" was opened last'],
    ["[1]]", "line 1, column 4: more text follows the end"],
    ['{"a": 1}\n{"a": 2}', "line 2, column 1: more text follows the end; put several values into one list"],
    ['{"a": "x\ny"}', "line 1, column 9: a line break or control character stands in a text"],
    ['["a\\x"]', "line 1, column 4: a \\ begins an escape that JSON does not have"],
    ['["a', "line 1, column 2: the text that begins here is never closed"],
    ["{'a': 1}", "line 1, column 2: a name in double quotes is expected"],
    ['{"a" 1}', 'line 1, column 6: a ":" is expected after the name'],
    ["[1,]", "line 1, column 4: a value is expected"],
    ["[01]", "line 1, column 2: a value is expected"],
    ["nul", "line 1, column 1: a value is expected"],
    ["[NaN]", "line 1, column 2: a value is expected"],
    ["[".repeat(300_000), "column 300001: the file ends too early"],
  ])("is refused with line and column: %.30j", (text, said) => {
    const { name, message } = errorOf(() => parseJson(text, "alerts file"));
    expect(name).toBe("ScenarioError");
    expect(message).toContain(said);
  });

  it("is told apart from JSON exactly as the platform does, and placed inside the text", () => {
    const mangled = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom("", ",", "]", "}", '"', "\\", "\u0001", "1", "tru", "[", " {"))
      .map(([json, at, put]) => json.slice(0, at % (json.length + 1)) + put + json.slice((at % (json.length + 1)) + 1));
    fc.assert(
      fc.property(mangled, (text) => {
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        if (valid) {
          expect(parseJson(text, "file")).toEqual(JSON.parse(text));
          return;
        }
        const { message } = errorOf(() => parseJson(text, "file"));
        if (text.trim() === "") {
          expect(message).toContain("is empty");
          return;
        }
        expect(message).not.toContain("nested too deeply");
        const [, line, column] = /at line (\d+), column (\d+): /.exec(message) ?? [];
        const row = text.split("\n")[Number(line) - 1];
        expect(Number(column)).toBeLessThanOrEqual((row ?? "").length + 1);
      }),
      { numRuns: 2000 },
    );
  });
});

it("a byte order mark is skipped", () => {
  expect(parseJson("\ufeff[1]", "file")).toEqual([1]);
});

it("a value in a message is short, on one line, and free of characters that reorder text", () => {
  expect(quoted("a\nb\u202ec\ud83d")).toBe('"a�b�c�"');
  expect(quoted("x".repeat(500))).toHaveLength(62);
  expect(quoted({ a: 1 })).toBe('"{"a":1}"');
});
