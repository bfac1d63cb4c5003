import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyPatch, createPatch, digest, firstDifference } from "../../../src/core/json";

const json = fc.jsonValue({ maxDepth: 4 });

describe("the digest", () => {
  it("is equal for equal JSON and differs when one leaf differs", () => {
    expect(digest({ a: [1, { b: "x" }] })).toBe(digest(JSON.parse('{"a":[1,{"b":"x"}]}')));
    expect(digest({ a: [1, { b: "x" }] })).not.toBe(digest({ a: [1, { b: "y" }] }));
  });

  it("tells types, order and nesting apart", () => {
    const values = [
      null,
      "null",
      0,
      "0",
      false,
      "",
      [],
      {},
      [[]],
      [null],
      { a: null },
      { a: [] },
      ["a"],
      { 0: "a" },
      [1, 2],
      [2, 1],
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ];
    expect(new Set(values.map(digest)).size).toBe(values.length);
  });

  it("depends on the JSON text alone (random values)", () => {
    fc.assert(
      fc.property(json, json, (left, right) => {
        const same = JSON.stringify(left) === JSON.stringify(right);
        expect(digest(left) === digest(right)).toBe(same);
        expect(digest(JSON.parse(JSON.stringify(left)))).toBe(digest(left));
      }),
    );
  });
});

describe("patches", () => {
  it("turn one value into the other (random objects)", () => {
    const object = fc.dictionary(
      fc.string().filter((key) => key !== "__proto__"),
      json,
    );
    fc.assert(
      fc.property(object, object, (before, after) => {
        const wire = JSON.parse(JSON.stringify(createPatch(before, after)));
        expect(digest(applyPatch(before, wire))).toBe(
          digest(applyPatch({}, createPatch({}, applyPatch(before, wire)))),
        );
        expect(applyPatch(before, wire)).toEqual(JSON.parse(JSON.stringify(after)));
      }),
    );
  });

  it("leave the value they are applied to as it was", () => {
    const before = { rows: [{ id: 1 }] };
    applyPatch(before, [{ op: "replace", path: "/rows/0/id", value: 2 }]);
    expect(before).toEqual({ rows: [{ id: 1 }] });
  });

  it("skip what is the same object", () => {
    const shared = { deep: 1 };
    expect(createPatch({ shared, n: 1 }, { shared, n: 2 })).toEqual([{ op: "replace", path: "/n", value: 2 }]);
  });
});

describe("the first difference", () => {
  it("is named by an RFC 6901 pointer", () => {
    expect(firstDifference({ a: { "b/c": [1, 2] } }, { a: { "b/c": [1, 3] } })).toEqual({
      path: "/a/b~1c/1",
      left: 2,
      right: 3,
    });
    expect(firstDifference({ a: 1 }, { a: 1 })).toBeUndefined();
    expect(firstDifference({ a: 1 }, {})).toEqual({ path: "/a", left: 1, right: undefined });
  });
});
