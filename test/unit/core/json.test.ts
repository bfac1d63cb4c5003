import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Follower } from "../../../src/core/follower";
import { applyPatch, asJson, createPatch, digest, firstDifference } from "../../../src/core/json";
import { jsonText, keptText, quoted } from "../../../src/core/json-text";

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

describe("the digest's quality", () => {
  it("tells apart texts that differ in one character, in two swapped ones, or in length", () => {
    const seen = new Map<string, string>();
    const add = (text: string): void => {
      const found = digest(text);
      expect(seen.get(found) ?? text).toBe(text);
      seen.set(found, text);
    };
    const base = "Checkout answers slowly since 02:13; p99 is 1,840 ms \u8000\ufffe.";
    for (let length = 0; length <= base.length; length++) add(base.slice(0, length));
    for (let at = 0; at < base.length; at++) {
      for (const unit of [0, 1, 0x20, 0x7f, 0x8000, 0xd800, 0xffff])
        add(base.slice(0, at) + String.fromCharCode(unit) + base.slice(at + 1));
      for (let other = at + 1; other < base.length; other++) {
        const units = [...Array(base.length).keys()].map(
          (i) => base[i === at ? other : i === other ? at : i] as string,
        );
        add(units.join(""));
      }
    }
    expect(seen.size).toBeGreaterThan(1000);
  });

  it("tells numbers apart from each other and from texts of the same look", () => {
    const values = [
      0,
      1,
      -1,
      0.1,
      1e21,
      2 ** 32,
      2 ** 53 - 1,
      5e-324,
      "0",
      "1",
      "",
      null,
      true,
      false,
      "null",
      [],
      {},
      [0],
      [[0]],
    ];
    expect(new Set(values.map(digest)).size).toBe(values.length);
    expect(digest(-0)).toBe(digest(0));
  });
});

/** Trees with few names and values, so that two of them share parts; some members are undefined or no number. */
const tree = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<unknown>(null, true, false, 0, -0, 1, 0.5, "", "0", "a", Number.NaN, undefined),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom("a", "b", "c", "1", "/", "__proto__"), tie("value"), { maxKeys: 4 }),
  ),
})).value;

describe("following a value", () => {
  it("gives the digest of the whole and a patch to it, whatever changed and whatever is shared (random trees)", () => {
    const states = fc.array(fc.record({ x: tree, y: fc.record({ z: tree, list: fc.array(tree, { maxLength: 3 }) }) }), {
      minLength: 2,
      maxLength: 4,
    });
    fc.assert(
      fc.property(states, fc.boolean(), (all, share) => {
        const [follower, checking] = [new Follower(), new Follower()];
        let reached: object = {};
        for (const [i, given] of all.entries()) {
          const before = all[i - 1];
          const state = share && before ? { ...given, x: before.x } : given;
          const seen = follower.look(state);
          expect(follower.next(state)).toEqual(seen);
          if (i === 0) checking.next(state);
          else {
            const recorded = `x${seen.patch},`;
            expect(checking.check(state, recorded, 1)).toEqual({ end: recorded.length - 1, digest: seen.digest });
          }
          expect(seen.digest).toBe(digest(JSON.parse(JSON.stringify(state))));
          reached = seen.patch ? applyPatch(reached, JSON.parse(seen.patch)) : asJson(state);
          expect(JSON.stringify(reached)).toBe(JSON.stringify(state));
          all[i] = state;
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("tells a change at every depth, and forgets what it only looked at", () => {
    const at = (n: number) => ({ a: { b: { c: { d: [{ e: n }] } } }, rows: [{ id: 1, list: ["x", n] }] });
    const follower = new Follower();
    follower.next(at(1));
    expect(JSON.parse(follower.look(at(2)).patch ?? "")).toEqual([
      { op: "replace", path: "/a/b/c/d/0/e", value: 2 },
      { op: "replace", path: "/rows/0/list/1", value: 2 },
    ]);
    expect(follower.next(at(1)).patch).toBe("[]");
    expect(digest(at(2))).not.toBe(digest(at(1)));
  });
});

describe("checking a recorded patch", () => {
  const before = { n: 1, text: "a", rows: [{ id: 1 }, { id: 2 }], gone: [1, 2] };
  const after = { n: 2, text: "b", rows: [{ id: 1 }, { id: 3 }, { id: 4 }], gone: [1] };
  const end = (recorded: string, at = 0) => {
    const follower = new Follower();
    follower.next(before);
    return follower.check(after, recorded, at).end;
  };
  const patch = JSON.stringify(createPatch(before, after));

  it("finds its end", () => {
    expect(end(patch)).toBe(patch.length);
    expect(end(`["x"]${patch},"digest":"0"`, 5)).toBe(5 + patch.length);
    const still = new Follower();
    still.next(before);
    expect(still.check({ ...before }, "[]", 0).end).toBe(2);
  });

  it("tells every character that was changed, left out or put in", () => {
    for (let i = 0; i < patch.length; i++) {
      const [left, right] = [patch.slice(0, i), patch.slice(i + 1)];
      expect(end(`${left}\u0001${right}`)).toBe(-1);
      // Leaving out one of two that are alike may only show further on, but it shows.
      expect(end(`${left}${right}`)).toBe(-1);
      expect(end(`${left}\u0001${patch.slice(i)}`)).toBe(-1);
    }
  });

  it("tells a text that ends early and a place that is none", () => {
    expect(end(patch.slice(0, -1))).toBe(-1);
    expect(end("")).toBe(-1);
    expect(end(patch, -1)).toBe(-1);
  });
});

describe("places", () => {
  it("are told apart by name, position and depth, however many there are", () => {
    const names = Array.from({ length: 40 }, (_, i) => `n${i}`);
    const seen = new Set<string>();
    for (const name of names) for (const other of names) seen.add(digest({ [name]: { [other]: 1 } }));
    for (let i = 0; i < 1500; i++) seen.add(digest({ list: [...Array.from({ length: 3 }, () => 0), i] }));
    expect(seen.size).toBe(40 * 40 + 1500);
  });

  it("have pointers that escape what RFC 6901 escapes and what JSON escapes", () => {
    const follower = new Follower();
    follower.next({ 'a/b~"\n': 1 });
    const { patch } = follower.next({ 'a/b~"\n': 2 });
    expect(JSON.parse(patch ?? "")).toEqual([{ op: "replace", path: '/a~1b~0"\n', value: 2 }]);
  });

  it("give the same digests and patches beyond the number that is kept", () => {
    const wide = (n: number) => ({ rows: Array.from({ length: 1200 }, (_, i) => ({ id: i, n, [`k${i}`]: n })) });
    const first = digest(wide(1));
    const patch = JSON.stringify(createPatch(wide(1), wide(2)));
    for (let i = 0; i < 12; i++) digest({ [`other${i}`]: wide(i) });
    expect(digest(wide(1))).toBe(first);
    expect(JSON.stringify(createPatch(wide(1), wide(2)))).toBe(patch);
    expect(JSON.stringify(applyPatch(wide(1), JSON.parse(patch)))).toBe(JSON.stringify(wide(2)));
  });

  it("do not make a digest forget that its value was changed", () => {
    const value = { a: { b: { c: { d: 1 } } } };
    const before = digest(value);
    value.a.b.c.d = 2;
    expect(digest(value)).not.toBe(before);
  });
});

describe("texts that are kept", () => {
  it("are what JSON.stringify writes, kept or not (random trees)", () => {
    fc.assert(
      fc.property(fc.record({ x: tree, y: tree }), fc.string({ unit: "binary" }), (value, text) => {
        expect(jsonText(value)).toBe(JSON.stringify(value));
        expect(jsonText(text)).toBe(JSON.stringify(text));
        expect(quoted(`\ud800${text}`)).toBe(JSON.stringify(`\ud800${text}`));
      }),
      { numRuns: 500 },
    );
  });

  it("are the same object for the same long list, and never another list's", () => {
    const long = Array.from({ length: 100 }, (_, i) => i);
    expect(keptText(long)).toBe(keptText(long));
    expect(jsonText({ long, other: [...long, 1] })).toBe(JSON.stringify({ long, other: [...long, 1] }));
  });
});
