import { describe, expect, it } from "vitest";
import { Stream } from "../../../src/core/rng";
import { runEpisode } from "../../../src/core/run";
import type { Episode } from "../../../src/core/world";
import { provenScenarios } from "../../../src/players/proof";
import { ALERT_ACTIONS } from "../../../src/worlds/alerts/actions";
import { alertsWorld } from "../../../src/worlds/alerts/world";

const SEEDS = [0, 1];
/** The first of each split: drawing takes long, and the proof plays all of them. */
const scenarios = provenScenarios(alertsWorld).filter(
  (info, place, all) => all.findIndex((other) => other.split === info.split) === place,
);

function player(name: string) {
  const found = alertsWorld.players.find((factory) => factory.name === name);
  if (!found) throw new Error(`There is no player "${name}".`);
  return found;
}

const NAMES =
  "idle random constant spray brief-keyed collector symptom-masker false-claimer farmer prober read-all-spray brief-keyed-read rules oracle oracle-2 heuristic".split(
    " ",
  );

describe("the players of the alerts world", () => {
  it("are all there under the names that commands take, each once", () => {
    const names = alertsWorld.players.map((factory) => factory.name);
    expect(NAMES.filter((name) => !names.includes(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  it("say which of them know the truth", () => {
    const knowing = alertsWorld.players.filter((factory) => factory.knowsTruth).map((factory) => factory.name);
    expect(knowing).toEqual(["oracle", "oracle-2"]);
  });

  it.each(NAMES.filter((name) => name !== "random"))("%s is never refused and comes to an end", (name) => {
    for (const info of scenarios)
      for (const seed of SEEDS) {
        const { taken, done, grade } = runEpisode(alertsWorld.open(info.id, seed), player(name));
        expect(
          taken.flatMap((step) => step.problem?.message ?? []),
          `${info.id} seed ${seed}`,
        ).toEqual([]);
        expect(done).toBe(true);
        expect(grade.ungraded).toBeNull();
      }
  });

  it.each(NAMES)("%s plays every published task", (name) => {
    for (const info of alertsWorld.scenarios().filter((each) => each.split === "published"))
      for (const seed of SEEDS) {
        const { done, grade } = runEpisode(alertsWorld.open(info.id, seed), player(name));
        expect(done).toBe(true);
        expect(grade.published).not.toBeNull();
      }
  });

  it("has at least half of its random actions accepted and uses every verb over time", () => {
    const verbs = new Set<string>();
    let tried = 0;
    let accepted = 0;
    for (const info of scenarios)
      for (let run = 0; run < 60; run++) {
        const { create } = player("random");
        const other = { ...player("random"), create: (_: Stream, episode: Episode) => create(Stream.of(run), episode) };
        for (const { action, problem } of runEpisode(alertsWorld.open(info.id, 0), other).taken) {
          tried++;
          if (problem) continue;
          accepted++;
          verbs.add(action.name);
        }
      }
    expect(accepted / tried).toBeGreaterThanOrEqual(0.5);
    expect(ALERT_ACTIONS.names.filter((name) => !verbs.has(name))).toEqual([]);
  });

  it("plays a seed the same way every time", () => {
    const info = scenarios[0];
    if (!info) throw new Error("There is no generated scenario.");
    for (const seed of SEEDS) {
      const played = () => runEpisode(alertsWorld.open(info.id, seed), player("rules")).taken;
      expect(played()).toEqual(played());
    }
  });
});
