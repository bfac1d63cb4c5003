import { join } from "node:path";
import fc from "fast-check";
import * as jsonpatch from "fast-json-patch";
import { describe, expect, test } from "vitest";
import { applyPatch, createPatch, digest } from "../../../src/core/json";
import {
  episodeLine,
  observations,
  readLine,
  readTrajectory,
  SCHEMA,
  stepLine,
  TrajectoryEncoder,
  TrajectoryError,
  tornTail,
  trajectoryJsonSchema,
} from "../../../src/core/trajectory";
import type { Observation } from "../../../src/core/world";
import { wordsWorld } from "../../words-world";

const facts = {
  ...{ run: "r", version: "0.1.0", content_hash: "0", world: "alerts", scenario: "s", title: "t", seed: 0 },
  ...{ options: {}, rubric: "strict" as const, split: "train", opened_by: "human", wall_opened_at: "" },
};
const at = (more: object): Observation => ({ ...wordsWorld.open("words", 0).observe(), ...more });
const act = { actor: "human", action: { name: "say", args: {} }, done: false };

/** Records observations and reads them back. */
function roundTrip(seen: readonly Observation[]): Observation[] {
  const encoder = new TrajectoryEncoder();
  const text = encoder.episode(facts) + seen.map((each) => encoder.step(each, act)).join("");
  return observations(readTrajectory(text));
}

describe("observations", () => {
  test("come back with their keys in order, whatever was added, removed or moved", () => {
    const seen = [
      at({ a: 1, b: 2 }),
      at({ a: 1, c: 3, b: 2 }),
      at({ b: 2, a: 1 }),
      at({ b: [1, { x: 1 }] }),
      at({ b: [] }),
    ];
    expect(roundTrip(seen).map((each) => JSON.stringify(each))).toEqual(seen.map((each) => JSON.stringify(each)));
  });

  test("come back with members named __proto__, constructor and the like", () => {
    const hostile = JSON.parse('{"__proto__":{"x":1},"constructor":{"prototype":2},"a/b":1,"~":2,"~1":3,"":4}');
    const changed = JSON.parse('{"__proto__":{"x":2},"constructor":{"prototype":3},"a/b":2,"~":3,"~1":4,"":5}');
    const seen = [at({ labels: hostile }), at({ labels: changed }), at({ labels: {} }), at({ labels: hostile })];
    const back = roundTrip(seen);
    expect(back.map((each) => JSON.stringify(each))).toEqual(seen.map((each) => JSON.stringify(each)));
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  test("with NaN, infinity, −0 and undefined come back as JSON writes them", () => {
    const seen = [
      at({ v: Number.NaN, w: -0, list: [undefined, 1] }),
      at({ v: Number.POSITIVE_INFINITY, w: 0, gone: undefined, list: [null, Number.NaN] }),
      at({ v: 1, w: -0 }),
    ];
    expect(roundTrip(seen)).toEqual(seen.map((each) => JSON.parse(JSON.stringify(each))));
  });

  test("of an ending come back too, members that went away included", () => {
    const encoder = new TrajectoryEncoder();
    const text = encoder.episode(facts) + encoder.step(at({ a: 1, list: [1, 2] }), act);
    const final = at({ list: [1] });
    const ended = text + encoder.abandoned(final, "left");
    expect(observations(readTrajectory(ended)).at(-1)).toEqual(final);
  });

  test("whose digest does not match are refused with the line", () => {
    const encoder = new TrajectoryEncoder();
    const text = encoder.episode(facts) + encoder.step(at({ n: 1 }), act) + encoder.step(at({ n: 2 }), act);
    const edited = text.replace('"path":"/n","value":2', '"path":"/n","value":3');
    expect(edited).not.toBe(text);
    expect(() => observations(readTrajectory(edited))).toThrow(/^Line 3 does not give the observation/);
  });
});

describe("patches", () => {
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom<unknown>(null, true, 0, 1, 2, "", "a", Number.NaN),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom("a", "b", "c", "1", "0", "/", "~", "__proto__"), tie("value"), { maxKeys: 5 }),
    ),
  })).value;
  const document = fc.record({ root: json });

  test("give the same text again, key order included", () => {
    fc.assert(
      fc.property(document, document, (before, after) => {
        const wire = JSON.parse(JSON.stringify(createPatch(before, after)));
        const back = applyPatch(JSON.parse(JSON.stringify(before)), wire);
        expect(JSON.stringify(back)).toBe(JSON.stringify(after));
        expect(digest(back)).toBe(digest(after));
      }),
      { numRuns: 2000 },
    );
  });

  test("are RFC 6902: another implementation applies them with the same result", () => {
    fc.assert(
      fc.property(document, document, (before, after) => {
        const plain = [before, after].map((each) => JSON.parse(JSON.stringify(each)));
        // The other implementation refuses members named __proto__.
        fc.pre(!JSON.stringify(plain).includes("__proto__"));
        const patch = JSON.parse(JSON.stringify(createPatch(plain[0], plain[1])));
        expect(jsonpatch.applyPatch(structuredClone(plain[0]), patch, true).newDocument).toEqual(plain[1]);
      }),
      { numRuns: 500 },
    );
  });

  test("share what they do not touch", () => {
    const before = { a: { deep: [1] }, b: { n: 1 } };
    const after = applyPatch(before, [{ op: "replace", path: "/b/n", value: 2 }]);
    expect(after.a).toBe(before.a);
    expect(before.b.n).toBe(1);
  });

  test("that name no place are refused", () => {
    for (const path of ["/x", "/a/1", "/a/-1", "/a/0/b", "a", "/a/length"])
      expect(() => applyPatch({ a: [1] }, [{ op: "replace", path, value: 2 }])).toThrow();
    expect(() => applyPatch({ a: [1] }, [{ op: "remove", path: "/b" }])).toThrow();
  });
});

describe("reading lines", () => {
  /** A step line in which something may be wrong. */
  const nearlySteps = fc.record(
    {
      schema: fc.constantFrom<unknown>(SCHEMA, "firedrill/2", 1),
      type: fc.constantFrom("step", "note"),
      index: fc.constantFrom<unknown>(0, 1, -1, 0.5, "0", 1e21),
      actor: fc.constantFrom<unknown>("human", 1),
      digest: fc.constantFrom<unknown>("0123456789abcdef", "0123456789ABCDEF", "x", 1),
      action: fc.constantFrom<unknown>(
        { name: "a", args: {} },
        { name: "a" },
        { name: 1, args: {} },
        { name: "a", args: [] },
        [],
      ),
      done: fc.constantFrom<unknown>(true, false, "no"),
      observation: fc.constantFrom<unknown>(undefined, {}, [], null, "x"),
      patch: fc.constantFrom<unknown>(
        undefined,
        [],
        [{ op: "add", path: "/a", value: 1 }],
        [{ op: "remove", path: "/a" }],
        [{ op: "move", path: "/a" }],
        [{}],
        {},
      ),
      proposed_by: fc.constantFrom<unknown>(undefined, "x", 1),
      reasoning: fc.constantFrom<unknown>(undefined, "x", null),
      hindsight: fc.constantFrom<unknown>(undefined, true, "x"),
      problem: fc.constantFrom<unknown>(
        undefined,
        { code: "c", message: "m" },
        { code: "c", message: "m", field: 1 },
        null,
        {},
      ),
      wall_think_ms: fc.constantFrom<unknown>(undefined, null, 1, "1"),
      usage: fc.constantFrom<unknown>(undefined, {}, [], null),
    },
    { requiredKeys: ["schema", "type", "index", "actor", "digest", "action", "done"] },
  );
  const valid = {
    ...{ schema: SCHEMA, type: "step", index: 0, actor: "human", digest: "0123456789abcdef", done: false },
    action: { name: "a", args: {} },
  };

  test("accepts exactly the step lines that the published schema accepts", () => {
    let accepted = 0;
    const check = (line: object): void => {
      const text = JSON.stringify(line);
      const says = stepLine.safeParse(JSON.parse(text)).success;
      if (says) accepted++;
      if (says) expect(readLine(text, 1)).toEqual(JSON.parse(text));
      else if ((line as { type: string }).type === "step") expect(() => readLine(text, 1)).toThrow(TrajectoryError);
    };
    fc.assert(fc.property(nearlySteps, check), { numRuns: 2000 });
    // One thing wrong at a time.
    fc.assert(
      fc.property(
        nearlySteps,
        fc.constantFrom("observation", "patch", "problem", "usage", "index", "action"),
        (line, key) => check({ ...valid, [key]: (line as Record<string, unknown>)[key] }),
      ),
      { numRuns: 1000 },
    );
    expect(accepted).toBeGreaterThan(100);
  });

  test("accepts exactly the episode lines that the published schema accepts", () => {
    const whole = { schema: SCHEMA, type: "episode", ...facts };
    const keys = [...Object.keys(whole), "scenario_file", "parent", "more"].filter((key) => key !== "type");
    const values = fc.constantFrom<unknown>(
      undefined,
      null,
      "x",
      "strict",
      "published",
      0,
      -1,
      0.5,
      1e21,
      true,
      {},
      [],
    );
    let accepted = 0;
    fc.assert(
      fc.property(fc.constantFrom(...keys), values, (key, value) => {
        const text = JSON.stringify({ ...whole, [key]: value });
        if (episodeLine.safeParse(JSON.parse(text)).success) {
          accepted++;
          expect(readLine(text, 1)).toEqual(JSON.parse(text));
        } else expect(() => readLine(text, 1)).toThrow(TrajectoryError);
      }),
      { numRuns: 500 },
    );
    expect(accepted).toBeGreaterThan(50);
  });

  test("names a newer schema, and what to do", () => {
    expect(() => readLine('{"schema":"firedrill/2","type":"step"}', 4)).toThrow(
      /^Line 4 has the schema firedrill\/2; this version reads firedrill\/1\. Update/,
    );
  });

  test("takes files that an editor or a checkout gave a mark and other line ends", () => {
    const encoder = new TrajectoryEncoder();
    const text = encoder.episode(facts) + encoder.step(at({ n: "a\r\nb" }), act);
    const [plain, marked] = [readTrajectory(text), readTrajectory(`\ufeff${text.replaceAll("\n", "\r\n")}`)];
    expect(marked.raw).toEqual(plain.raw);
  });

  test("leaves a torn tail out", () => {
    const encoder = new TrajectoryEncoder();
    const text = encoder.episode(facts) + encoder.step(at({}), act);
    expect(readTrajectory(`${text}{"half`).raw).toHaveLength(2);
    expect(tornTail(`${text}{"half`)).toBe('{"half');
    expect(tornTail(text)).toBe("");
  });

  test.each([
    ["", /no complete line/],
    ["\n", /Line 1 is not JSON/],
    ["{}\n", /Line 1 is not valid at "type"/],
    ['{"schema":"firedrill/1","type":"note","step":0,"text":""}\n', /Line 1 is not an episode line/],
  ])("says what is wrong with %j", (text, says) => {
    expect(() => readTrajectory(text)).toThrow(says);
  });
});

describe("the grade line", () => {
  const part = { name: "grade", kind: "leaf", value: 1, reason: "all well", evidence: [] };
  const grade = { ungraded: null, strict: 1, published: null, strictTree: part, publishedTree: null, rewards: [] };
  const line = (change: object) =>
    JSON.stringify({
      ...{ schema: "firedrill/1", type: "grade", digest: "0".repeat(16), hindsight: false },
      grade: { ...grade, truth: { kind: "x" }, ...change },
    });

  test("holds a grade with its whole tree", () => {
    expect(readLine(line({ strictTree: { ...part, parts: [part] } }), 9)).toMatchObject({ type: "grade" });
  });

  test.each<[object, RegExp]>([
    [{ strict: "1" }, /Line 9 is not valid at "grade\/strict"/],
    [{ strictTree: { ...part, parts: 7 } }, /Line 9 is not valid at "grade\/strictTree\/parts"/],
    [{ strictTree: { ...part, parts: [{ ...part, reason: null }] } }, /"grade\/strictTree\/parts\/0\/reason"/],
    [{ rewards: null }, /"grade\/rewards"/],
  ])("is refused with %j", (change, says) => {
    expect(() => readLine(line(change), 9)).toThrow(says);
  });
});

describe("the published JSON Schema of a line", () => {
  const path = join(__dirname, "../../../data/schemas/firedrill-recording-line.schema.json");

  test("is the one that recordings are read with", async () => {
    // After a change of the format, `npx vitest run test/unit/core/trajectory -u` writes it anew.
    await expect(`${JSON.stringify(trajectoryJsonSchema(), null, 2)}\n`).toMatchFileSnapshot(path);
  });

  test("describes each kind of line and bounds what may stand in it", () => {
    const { oneOf, anyOf } = trajectoryJsonSchema() as { oneOf?: LineSchema[]; anyOf?: LineSchema[] };
    const kinds = new Map((oneOf ?? anyOf ?? []).map((each) => [each.properties.type.const, each]));
    expect([...kinds.keys()].sort()).toEqual(["abandoned", "episode", "grade", "note", "step"]);
    expect(kinds.get("step")?.required).toEqual(expect.arrayContaining(["index", "actor", "digest", "action", "done"]));
    // No reward stands in a step: it is computed from truth.
    expect(Object.keys(kinds.get("step")?.properties ?? {})).not.toContain("reward");
  });
});

interface LineSchema {
  readonly properties: { readonly type: { readonly const: string } };
  readonly required: readonly string[];
}
