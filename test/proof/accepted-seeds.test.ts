import { describe, expect, test } from "vitest";
import accepted from "../../data/alerts/accepted-seeds.json";
import { drawAnew, GENERATOR_VERSION } from "../../src/worlds/alerts/generate";
import { type ScenarioSetting, SETTINGS } from "../../src/worlds/alerts/scenarios";

const attempts = accepted.attempts as Readonly<Record<string, readonly number[]>>;
const HINT = "run `npm run scenarios` and commit data/alerts/accepted-seeds.json";

describe("the accepted seeds", () => {
  test("are those of this generator and cover every scenario", () => {
    expect(accepted.version, HINT).toBe(GENERATOR_VERSION);
    expect(Object.keys(attempts).sort(), HINT).toEqual(SETTINGS.map(({ info }) => info.id).sort());
    for (const list of Object.values(attempts)) {
      expect(list.length).toBeGreaterThanOrEqual(20);
      for (const attempt of list) expect(Number.isSafeInteger(attempt) && attempt >= 0).toBe(true);
    }
  });

  test("name the first fair attempt, in a sample over all splits", () => {
    for (const [i, setting] of SETTINGS.entries()) {
      if (i % 4 !== 1) continue;
      const list = attempts[setting.info.id] ?? [];
      // The seed with the fewest dropped attempts beyond the first: it shows a changed rule and costs little.
      const seed = list.findIndex((attempt) => attempt >= 1 && attempt <= 4);
      if (seed < 0) continue;
      expect(
        drawAnew(setting as ScenarioSetting, seed, "", () => {}).rejected,
        `${setting.info.id} seed ${seed}: ${HINT}`,
      ).toBe(list[seed]);
    }
  }, 120_000);
});
