/** What every world of the catalogue promises, whatever it is about; a new world is held to it by being listed. */
import { describe, expect, it } from "vitest";
import { asJson } from "../../../src/core/json";
import { GIVE_UP } from "../../../src/core/player";
import { ScenarioError, type ScenarioInfo } from "../../../src/core/world";
import { loadWorld, worldIds } from "../../../src/worlds/catalogue";

const worlds = await Promise.all(worldIds.map((id) => loadWorld(id)));

/** Drawing an episode may take long, so one scenario of each split stands for it. */
function oneASplit(scenarios: readonly ScenarioInfo[]): readonly ScenarioInfo[] {
  return [...new Map(scenarios.map((info) => [info.split, info])).values()];
}

describe.each(worlds.map((world) => ({ id: world.id, world })))("the world $id", ({ id, world }) => {
  const scenarios = world.scenarios();

  it("lists scenarios of its own under ids that are used once", () => {
    expect(new Set(scenarios.map((info) => info.id)).size).toBe(scenarios.length);
    for (const info of scenarios) expect(info.world).toBe(id);
  });

  it("offers giving up, without arguments, wherever one can act", () => {
    for (const catalogue of [world.actions, ...scenarios.map((info) => world.actionsFor(info))]) {
      expect(catalogue.parse(GIVE_UP)).toMatchObject({ action: GIVE_UP });
      expect(catalogue.get(GIVE_UP.name)?.risk).toBe("final");
    }
  });

  it("names its players once, and has the two oracles and the fair one that others are measured by", () => {
    const names = world.players.map((player) => player.name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(["idle", "random", "rules", "oracle", "oracle-2"]));
    const knowing = world.players.filter((player) => player.knowsTruth).map((player) => player.name);
    expect(knowing).toEqual(["oracle", "oracle-2"]);
  });

  it("gives 16 hexadecimal digits for a scenario's content", () => {
    for (const info of scenarios) expect(world.contentHash(info.id)).toMatch(/^[0-9a-f]{16}$/);
  });

  it("refuses what is not there: scenarios, seeds, files", () => {
    for (const ask of [
      () => world.open("nope", 0),
      () => world.contentHash("nope"),
      () => world.readScenarioFile("{", ""),
    ])
      expect(ask).toThrow(ScenarioError);
    const [first] = scenarios;
    for (const seed of [-1, 0.5, Number.NaN]) expect(() => world.open(first?.id ?? "", seed)).toThrow(RangeError);
  });

  describe.each(oneASplit(scenarios))("in $id ($split)", (info) => {
    const episode = world.open(info.id, 0);

    it("shows plain JSON, the same object until the next step, and says it in words", () => {
      const seen = episode.observe();
      expect(episode.observe()).toBe(seen);
      expect(asJson(seen)).toEqual(seen);
      expect(seen).toMatchObject({ world: id, scenario: info.id, step: 0, minute: 0, done: false });
      expect(world.render(seen)).toContain(info.title);
    });

    it("takes bad input without moving, and has no grade before the end", () => {
      const seen = episode.observe();
      const actions = world.actionsFor(info).names;
      for (const action of [
        { name: "nonsense", args: {} },
        { name: GIVE_UP.name, args: { nonsense: 1 } },
        { name: actions[0] ?? "", args: { nonsense: Number.NaN } },
      ]) {
        const step = episode.step(action);
        expect(step.problem?.message).toMatch(/\.$/);
        expect(step).toMatchObject({ done: false });
        expect(step.observation).toBe(seen);
      }
      expect(() => episode.grade()).toThrow();
    });

    it("is over once and for all", () => {
      expect(episode.step(GIVE_UP)).toMatchObject({ done: true });
      const last = episode.observe();
      const grade = episode.grade();
      const again = episode.step(GIVE_UP);
      expect(again.problem?.code).toBe("episode_over");
      expect(again.observation).toBe(last);
      expect(episode.observe()).toBe(last);
      expect(episode.grade()).toBe(grade);
      // Nothing was looked at and nothing was done.
      expect(grade.strict).toBe(0);
      expect(asJson(grade)).toEqual(grade);
    });
  });
});
