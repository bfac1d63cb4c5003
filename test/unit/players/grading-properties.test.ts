/** What must hold of every grade, checked on recorded play of rule-based players. */
import { describe, expect, it } from "vitest";
import type { Action } from "../../../src/core/action";
import { runEpisode } from "../../../src/core/run";
import type { Grade, ScenarioInfo } from "../../../src/core/world";
import { play } from "../../../src/players/evaluate";
import { provenScenarios } from "../../../src/players/proof";
import { AlertsEpisode } from "../../../src/worlds/alerts/episode";
import { gradeAlerts } from "../../../src/worlds/alerts/grader";
import { alertsWorld } from "../../../src/worlds/alerts/world";

const scenarios = provenScenarios(alertsWorld);
const info = scenarios[0] as ScenarioInfo;
const SEEDS = [0, 1, 2];

function player(name: string) {
  const found = alertsWorld.players.find((factory) => factory.name === name);
  if (!found) throw new Error(`There is no player "${name}".`);
  return found;
}

function actionsOf(name: string, seed: number): Action[] {
  return runEpisode(alertsWorld.open(info.id, seed), player(name)).taken.map((step) => step.action);
}

function gradeOfActions(actions: readonly Action[], seed: number): Grade {
  const episode = alertsWorld.open(info.id, seed);
  for (const action of actions) {
    const { problem } = episode.step(action);
    if (problem) throw new Error(problem.message);
  }
  return episode.grade();
}

const READS = new Set(["inspect_alert", "query_history", "service_graph", "recent_changes", "impact"]);

/** The actions with reads `at` and `at + 1` swapped, and the ids that later claims cite along with them. */
function swapped(actions: readonly Action[], at: number): Action[] {
  const number = actions.slice(0, at + 1).filter((action) => READS.has(action.name)).length;
  const moved = (id: string) => {
    const place = Number(id.slice(1));
    if (place === number) return `${id[0]}${number + 1}`;
    return place === number + 1 ? `${id[0]}${number}` : id;
  };
  const out = actions.map((action) =>
    Array.isArray(action.args.evidence)
      ? { ...action, args: { ...action.args, evidence: (action.args.evidence as string[]).map(moved) } }
      : action,
  );
  [out[at], out[at + 1]] = [out[at + 1] as Action, out[at] as Action];
  return out;
}

describe("a grade", () => {
  it("is the same object every time, and the same value when the actions are taken again", () => {
    for (const seed of SEEDS) {
      const actions = actionsOf("rules", seed);
      const first = gradeOfActions(actions, seed);
      const again = gradeOfActions(actions, seed);
      expect(again).toEqual(first);
    }
    const episode = alertsWorld.open(info.id, 0);
    episode.step({ name: "give_up", args: {} });
    expect(episode.grade()).toBe(episode.grade());
  });

  it.each(["oracle", "oracle-2"])("does not change when adjacent reads of %s are swapped", (name) => {
    let swaps = 0;
    for (const seed of SEEDS) {
      const actions = actionsOf(name, seed);
      const grade = gradeOfActions(actions, seed).strict;
      for (let at = 0; at + 1 < actions.length; at++) {
        if (!READS.has(actions[at]?.name ?? "") || !READS.has(actions[at + 1]?.name ?? "")) continue;
        swaps++;
        expect(gradeOfActions(swapped(actions, at), seed).strict, `seed ${seed}, step ${at}`).toBeCloseTo(
          grade ?? -1,
          9,
        );
      }
    }
    expect(swaps).toBeGreaterThan(0);
  });

  it("counts a success on the very last step", () => {
    for (const seed of SEEDS) {
      const actions = actionsOf("oracle", seed);
      const { draw } = { draw: AlertsEpisode.drawOf(alertsWorld.open(info.id, seed)) };
      const tight = new AlertsEpisode({ ...info, maxSteps: actions.length }, seed, draw, gradeAlerts);
      for (const action of actions) tight.step(action);
      expect(tight.observe().step).toBe(tight.observe().maxSteps);
      expect(tight.grade().strict).toBe(gradeOfActions(actions, seed).strict);
    }
  });

  it("is missing with its reason when grading fails, and counts as 0", () => {
    const broken = {
      ...alertsWorld,
      open: () =>
        new AlertsEpisode(info, 0, AlertsEpisode.drawOf(alertsWorld.open(info.id, 0)), () => {
          throw new Error("the scale is broken");
        }),
    };
    const score = play(broken, info.id, 0, player("oracle"));
    expect(score.ungraded).toContain("the scale is broken");
    expect(score.strict).toBe(0);
  });
});
