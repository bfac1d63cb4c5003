import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { argumentCheck } from "../../../src/core/argument-check";
import { alertsWorld } from "../../../src/worlds/alerts/world";

const plain = z
  .object({
    text: z.string().trim().min(1).max(3),
    loud: z.string().toUpperCase().optional(),
    free: z.string().max(4).default("usual"),
    whole: z.int().min(-1).max(9).default(4),
    share: z.number().min(0).max(1),
    yes: z.boolean().optional(),
    kind: z.enum(["a", "b"]).default("b"),
    list: z.array(z.string().min(1).max(2)).min(1).max(3).optional(),
    usual: z.array(z.string()).default(["x"]),
  })
  .strict();
const catalogues = [...new Set(alertsWorld.scenarios().map((info) => alertsWorld.actionsFor(info)))];
const schemas = [plain, ...catalogues.flatMap(({ specs }) => specs.map((spec) => spec.schema.strict()))];

/** Arguments that are often right, often nearly right. */
const values = fc.oneof(
  fc.constantFrom<unknown>(
    "a",
    "b",
    "",
    " a",
    "abcd",
    "P1",
    "routed",
    "y\ud800",
    0,
    1,
    -0,
    0.5,
    9,
    10,
    2 ** 53,
    Number.POSITIVE_INFINITY,
  ),
  fc.constantFrom<unknown>(true, null, undefined, Number.NaN, [], ["a"], ["a", ""], ["a", 1], [["a"]], {}, [undefined]),
  fc.array(fc.constantFrom("a", "bb", "ccc", " "), { maxLength: 5 }),
);

describe("the quick check of arguments", () => {
  test("knows the schema of every action there is", () => {
    for (const schema of schemas) expect(argumentCheck(schema)).not.toBeNull();
  });

  test("gives what the validator gives, or asks it (random arguments)", () => {
    let agreed = 0;
    for (const schema of schemas) {
      const check = argumentCheck(schema);
      const names = [...Object.keys(schema.shape), "more", "__proto__", "toString"];
      const given = fc.dictionary(fc.constantFrom(...names), values, { maxKeys: names.length, noNullPrototype: true });
      fc.assert(
        fc.property(given, (args) => {
          const quick = check?.(args);
          if (!quick) return;
          agreed++;
          const parsed = schema.safeParse(args);
          expect(parsed.success).toBe(true);
          expect(quick).toEqual(parsed.data);
          expect(JSON.stringify(quick)).toBe(JSON.stringify(parsed.data));
        }),
        { numRuns: 100 },
      );
    }
    expect(agreed).toBeGreaterThan(100);
  });

  test("takes what is right without asking", () => {
    expect(argumentCheck(plain)?.({ list: ["aa"], share: 1, text: "abc" })).toEqual({
      ...{ text: "abc", free: "usual", whole: 4, share: 1, kind: "b", list: ["aa"], usual: ["x"] },
    });
  });

  test("never shares a default that could be changed", () => {
    const check = argumentCheck(plain);
    const args = { text: "a", share: 0 };
    expect(check?.(args)?.usual).not.toBe(check?.(args)?.usual);
  });

  test("leaves schemas of other kinds to the validator", () => {
    const odd = [
      z.string().refine((text) => text !== "a"),
      z.email(),
      z.coerce.string(),
      z.coerce.number(),
      z.coerce.boolean(),
      z.number().multipleOf(2),
      z.number().gt(1),
      z.string().nullable(),
      z.union([z.string(), z.number()]),
      z.string().transform((text) => text.length),
      z.preprocess((value) => value, z.string()),
      z.object({ a: z.string() }),
      z.array(z.email()),
      z.enum({ One: 1 }),
    ];
    for (const schema of odd) expect(argumentCheck(z.object({ odd: schema }).strict())).toBeNull();
    expect(argumentCheck(z.object({ a: z.string() }))).toBeNull();
    expect(
      argumentCheck(
        z
          .object({ a: z.string() })
          .strict()
          .refine(() => false),
      ),
    ).toBeNull();
  });
});
