import fc from "fast-check";
import { expect, test } from "vitest";
import { createPatch } from "../../../src/core/json";
import { patched } from "../../../webview/shared/patch";

/** A failure prints its seed; `FIREDRILL_FUZZ_SEED=… npx vitest run test/unit/webview/patch` repeats it. */
const SEED = Number(process.env.FIREDRILL_FUZZ_SEED ?? 20261129);

test("what a patch does not touch stays the same object", () => {
  const before = { alerts: [{ id: "a" }, { id: "b", handling: "none" }], clock: "02:47" };
  const after = patched(before, [{ op: "replace", path: "/alerts/1/handling", value: "silenced" }]);
  expect(after).toEqual({ alerts: [{ id: "a" }, { id: "b", handling: "silenced" }], clock: "02:47" });
  expect(after.alerts[0]).toBe(before.alerts[0]);
  expect(before.alerts[1]?.handling).toBe("none");
});

test("a patch from any document to any other gives the other", () => {
  const json = fc
    .dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }))
    .map((v) => JSON.parse(JSON.stringify(v)) as object);
  fc.assert(
    fc.property(json, json, (before, after) => {
      const kept = JSON.stringify(before);
      expect(patched(before, createPatch(before, after))).toEqual(after);
      expect(JSON.stringify(before)).toBe(kept);
    }),
    { numRuns: 300, seed: SEED },
  );
});

test("a patch that names a place that is not there is refused", () => {
  expect(() => patched({ a: [1] }, [{ op: "replace", path: "/b/c", value: 1 }])).toThrow("not there");
  expect(() => patched({ a: [1] }, [{ op: "remove", path: "/a/4" }])).toThrow("not there");
});

test("a key such as __proto__ becomes a property of its own", () => {
  const after = patched({}, [{ op: "add", path: "/__proto__", value: { polluted: true } }]);
  expect(Object.hasOwn(after, "__proto__")).toBe(true);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});
