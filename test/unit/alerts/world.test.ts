import { describe, expect, it } from "vitest";
import { ScenarioError } from "../../../src/core/world";
import { alertsWorld } from "../../../src/worlds/alerts/world";
import { loadWorld, worldIds } from "../../../src/worlds/catalogue";

describe("the catalogue of worlds", () => {
  it("loads a world by its id", async () => {
    expect(worldIds).toContain("alerts");
    expect(await loadWorld("alerts")).toBe(alertsWorld);
  });

  it.each(["nope", "__proto__", "toString", "constructor"])(
    "names the worlds there are when asked for %s",
    async (id) => {
      await expect(loadWorld(id)).rejects.toThrow(ScenarioError);
      await expect(loadWorld(id)).rejects.toThrow("use one of: alerts");
    },
  );
});

describe("the alerts world", () => {
  it("opens scenarios of every split and shows them as bounded text", { timeout: 60_000 }, () => {
    const firstOfSplit = new Map(alertsWorld.scenarios().map((info) => [info.split, info]));
    expect([...firstOfSplit.keys()].sort()).toEqual(["holdout", "published", "starter", "train", "validation"]);
    for (const info of firstOfSplit.values()) {
      const observation = alertsWorld.open(info.id, 0).observe();
      expect(observation.scenario).toBe(info.id);
      const text = alertsWorld.render(observation);
      expect(text).toContain(info.title);
      expect(text.length).toBeLessThan(40_000);
    }
  });

  it("refuses scenarios and seeds that do not exist, saying which", () => {
    expect(() => alertsWorld.open("alr-nope", 0)).toThrow(ScenarioError);
    expect(() => alertsWorld.open("alr-nope", 0)).toThrow('"alr-nope"');
    expect(() => alertsWorld.contentHash("__proto__")).toThrow(ScenarioError);
    const [first] = alertsWorld.scenarios();
    for (const seed of [-1, 0.5, Number.NaN, 2 ** 53, "1" as unknown as number])
      expect(() => alertsWorld.open(first?.id ?? "", seed)).toThrow(RangeError);
  });

  it("gives each scenario a content hash of its own that stays the same", () => {
    const hashes = alertsWorld.scenarios().map((info) => alertsWorld.contentHash(info.id));
    expect(new Set(hashes).size).toBe(hashes.length);
    for (const hash of hashes) expect(hash).toMatch(/^[0-9a-f]{16}$/);
    expect(alertsWorld.scenarios().map((info) => alertsWorld.contentHash(info.id))).toEqual(hashes);
  });

  it("has a key or a place under ? for every action, and no key twice", () => {
    const keys = alertsWorld.actions.specs.flatMap((spec) => (spec.key ? [spec.key] : []));
    expect(new Set(keys).size).toBe(keys.length);
    for (const key of keys) expect(key).toMatch(/^[A-Z]$/);
  });

  it("asks for argument values only from lists that it offers", () => {
    const known = ["alerts", "groups", "services", "metrics", "teams", "silences", "items", "mechanisms", "matchers"];
    for (const { fields } of alertsWorld.actions.forms())
      for (const { choices } of fields) if (choices) expect(known).toContain(choices);
  });
});
