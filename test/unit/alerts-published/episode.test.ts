import { describe, expect, it } from "vitest";
import { runEpisode } from "../../../src/core/run";
import type { Episode, ScenarioInfo } from "../../../src/core/world";
import { ScenarioError } from "../../../src/core/world";
import type { AlertsObservation } from "../../../src/worlds/alerts/observation";
import {
  openPublished,
  publishedActions,
  publishedPlayer,
  publishedPlayers,
  publishedScenarios,
  publishedTruthOf,
  SERVICES_MAP,
  type TaskId,
} from "../../../src/worlds/alerts/published";
import { EASY, MEDIUM } from "../../../src/worlds/alerts/published/variants";
import { renderObservation } from "../../../src/worlds/alerts/render";

const SEEDS = Array.from({ length: 60 }, (_, seed) => seed);

function info(id: TaskId): ScenarioInfo {
  const found = publishedScenarios.find((scenario) => scenario.id === id);
  if (!found) throw new Error(`The published set lacks ${id}.`);
  return found;
}

function open(id: TaskId, seed = 7): Episode<AlertsObservation> {
  return openPublished(info(id), seed);
}

function triage(args: Record<string, unknown> = {}) {
  return { name: "triage", args: { severity: "P1", team: "database", ...args } };
}

function alertsOf(episode: Episode<AlertsObservation>) {
  const view = episode.observe().published;
  if (!view) throw new Error("A published task shows its published view.");
  return view.alerts;
}

describe("the published set", () => {
  it("has the published ids and budgets", () => {
    expect(publishedScenarios.map(({ id, split, maxSteps }) => [id, split, maxSteps])).toEqual([
      ["task_easy", "published", 3],
      ["task_medium", "published", 3],
      ["task_hard", "published", 5],
    ]);
  });

  it("assigns every service to a published team", () => {
    const teams = new Map<string, number>();
    for (const team of Object.values(SERVICES_MAP)) teams.set(team, (teams.get(team) ?? 0) + 1);
    expect(Object.fromEntries(teams)).toEqual({ sre: 3, database: 2, app: 4, network: 3 });
  });

  it("draws every variant of the easy and the medium task, and the seed changes the answer", () => {
    const drawn = (id: TaskId) => new Set(SEEDS.map((seed) => publishedTruthOf(open(id, seed)).family));
    expect([...drawn("task_easy")].sort()).toEqual(EASY.map((variant) => variant.family).sort());
    expect([...drawn("task_medium")].sort()).toEqual(MEDIUM.map((variant) => variant.family).sort());
  });

  it("shows one, three and eleven alerts, every one over its threshold on a service of the map", () => {
    for (const seed of SEEDS)
      for (const [id, count] of [["task_easy", 1] as const, ["task_medium", 3] as const, ["task_hard", 11] as const]) {
        const alerts = alertsOf(open(id, seed));
        expect(alerts).toHaveLength(count);
        for (const alert of alerts) {
          expect(alert.value).toBeGreaterThan(alert.threshold);
          expect(Object.keys(SERVICES_MAP)).toContain(alert.service);
          expect(Number.isInteger(alert.duration_s)).toBe(true);
        }
      }
  });

  it("holds six real alerts and five that are noise by both conditions in task_hard", () => {
    for (const seed of SEEDS) {
      const episode = open("task_hard", seed);
      const truth = publishedTruthOf(episode);
      const both = alertsOf(episode).filter((a) => a.duration_s < 60 && a.value < 1.1 * a.threshold);
      expect(truth.noise).toEqual(both.map((alert) => alert.alert_id));
      expect([truth.noise.length, truth.real.length]).toEqual([5, 6]);
      const short = alertsOf(episode).filter((a) => a.duration_s < 60);
      const near = alertsOf(episode).filter((a) => a.value < 1.1 * a.threshold);
      expect([short.length, near.length]).toEqual([6, 6]);
    }
  });

  it("does not let the place in the list tell noise from real", () => {
    const first = SEEDS.map((seed) => publishedTruthOf(open("task_hard", seed)).noise.includes("a01"));
    expect(first.filter(Boolean).length).toBeGreaterThan(12);
    expect(first.filter(Boolean).length).toBeLessThan(48);
  });
});

describe("an episode of a published task", () => {
  it("takes a whole triage a step, pays its published score, and lets the last one count", () => {
    const episode = open("task_easy");
    const { severity, team } = publishedTruthOf(episode);
    const other = team === "app" ? "sre" : "app";
    expect(episode.step(triage({ severity, team })).reward.value).toBe(1);
    expect(episode.step(triage({ severity, team: other })).reward.value).toBe(0.5);
    const last = episode.step(triage({ severity, team }));
    expect(last.done).toBe(true);
    expect(last.reward.parts).toEqual([
      { name: "severity", value: 0.5 },
      { name: "team", value: 0.5 },
    ]);
    const grade = episode.grade();
    expect([grade.published, grade.strict]).toEqual([1, 1]);
    expect(grade.rewards.map((reward) => reward.value)).toEqual([1, 0.5, 1]);
  });

  it("shows the standing triage, its suppressed alerts as silenced, and nothing about the answer", () => {
    const episode = open("task_hard");
    const before = episode.observe();
    const { observation } = episode.step(triage({ root_cause: "primary down", suppressed: ["a02", "a05"] }));
    expect(observation.published?.triage).toEqual({
      severity: "P1",
      team: "database",
      root_cause: "primary down",
      suppressed: ["a02", "a05"],
    });
    expect(observation.alerts.filter((row) => row.handling === "silenced").map((row) => row.id)).toEqual([
      "a02",
      "a05",
    ]);
    expect(observation.counts).toEqual({ firing: 9, flapping: 0, resolved: 0, quieted: 2 });
    expect(observation.alerts[0]).toBe(before.alerts[0]);
    expect(before.counts.quieted).toBe(0);
    expect([observation.step, observation.minute, observation.done]).toEqual([1, 1, false]);
  });

  it("charges nothing for a bad action and says what to do", () => {
    const episode = open("task_medium");
    const before = episode.observe();
    for (const [action, said] of [
      [{ name: "silence", args: {} }, 'There is no action "silence". Use one of: triage, give_up.'],
      [triage({ severity: "P0" }), '"severity" is not valid'],
      [triage({ suppressed: ["a99"] }), 'there is no alert "a99" to suppress; the alerts are a01, a02, a03.'],
      [triage({ reason: "x" }), 'triage has no argument "reason"'],
    ] as const) {
      const step = episode.step(action);
      expect(step.problem?.message).toContain(said);
      expect(step.observation).toBe(before);
      expect([step.done, step.reward.value]).toEqual([false, 0]);
    }
  });

  it("is over when it is over: later actions change nothing and the grade stays the same object", () => {
    const episode = open("task_easy");
    expect(() => episode.grade()).toThrow("not over yet");
    episode.step(triage());
    const ended = episode.step({ name: "give_up", args: {} });
    expect([ended.done, ended.observation.step, ended.reward.value]).toEqual([true, 2, 0]);
    const grade = episode.grade();
    const late = episode.step(triage({ severity: "P4" }));
    expect(late.problem?.code).toBe("episode_over");
    expect(late.observation).toBe(ended.observation);
    expect(episode.grade()).toBe(grade);
  });

  it("scores 0 for an end without a triage", () => {
    const episode = open("task_hard");
    episode.step({ name: "give_up", args: {} });
    const grade = episode.grade();
    expect([grade.strict, grade.published]).toEqual([0, 0]);
  });

  it("plays the same bytes for the same seed, and seed 0 is a seed", () => {
    const play = (seed: number) => {
      const factory = publishedPlayer("random");
      if (!factory) throw new Error("The published set has a random player.");
      const episode = open("task_hard", seed);
      const { grade } = runEpisode(episode, factory);
      return JSON.stringify([episode.observe(), grade]);
    };
    expect(play(0)).toBe(play(0));
    expect(play(0)).not.toBe(play(1));
  });

  it("previews what a triage would suppress and offers the alerts by id", () => {
    const episode = open("task_hard");
    expect(episode.preview(triage())).toBeNull();
    const preview = episode.preview(triage({ suppressed: ["a03", "a04"] }));
    expect(preview?.summary).toBe("Suppresses 2 of 11 alerts.");
    expect(preview?.touches.map((touch) => touch.label.slice(0, 3))).toEqual(["a03", "a04"]);
    expect(episode.choices("alerts")).toHaveLength(11);
    expect(episode.choices("teams").map((choice) => choice.value)).toEqual(["sre", "database", "app", "network"]);
  });

  it("keeps the truth out of everything shown before the end", () => {
    const canary = "canary-5f0e";
    for (const scenario of publishedScenarios) {
      const episode = openPublished(scenario, 3, { canary });
      const shown = [JSON.stringify(episode.observe()), JSON.stringify(episode), JSON.stringify({ ...episode })];
      const step = episode.step(triage());
      shown.push(JSON.stringify(step), JSON.stringify(episode.choices("alerts")));
      expect(shown.join()).not.toContain(canary);
      episode.step({ name: "give_up", args: {} });
      expect(JSON.stringify(episode.grade().truth)).toContain(canary);
    }
  });

  it("refuses another scenario and a seed that is none", () => {
    expect(() => openPublished({ ...info("task_easy"), id: "task_x" }, 1)).toThrow(ScenarioError);
    expect(() => openPublished(info("task_easy"), 1.5)).toThrow(RangeError);
  });
});

it("the text of a published task tells everything its observation holds about an alert, seconds included", () => {
  const episode = open("task_hard", 5);
  const text = renderObservation(episode.observe());
  for (const alert of alertsOf(episode)) {
    expect(text).toContain(`${alert.alert_id} ${alert.duration_s} s`);
    expect(text).toMatch(
      new RegExp(`^${alert.alert_id} \\| ${alert.metric} \\| ${alert.service} \\| .*> ${alert.threshold}$`, "m"),
    );
  }
});

describe("the players of the published tasks", () => {
  function meanOf(name: string, id: TaskId, which: "strict" | "published"): number {
    const factory = publishedPlayer(name);
    if (!factory) throw new Error(`There is no player ${name}.`);
    let total = 0;
    for (const seed of SEEDS) total += runEpisode(open(id, seed), factory).grade[which] ?? Number.NaN;
    return total / SEEDS.length;
  }

  it("play every task to its end without a refused action", () => {
    for (const scenario of publishedScenarios)
      for (const factory of publishedPlayers) {
        const run = runEpisode(openPublished(scenario, 11), factory);
        expect([run.done, run.grade.ungraded], `${factory.name} on ${scenario.id}`).toEqual([true, null]);
        expect(run.taken.filter((step) => step.problem)).toEqual([]);
      }
  });

  it.each(publishedScenarios.map((scenario) => scenario.id as TaskId))("order as they should on %s", (id) => {
    expect(meanOf("oracle", id, "strict")).toBe(1);
    expect(meanOf("oracle", id, "published")).toBeCloseTo(1, 12);
    expect(meanOf("idle", id, "strict")).toBe(0);
    expect(meanOf("heuristic", id, "strict")).toBeGreaterThan(meanOf("constant", id, "strict") + 0.2);
    expect(meanOf("heuristic", id, "strict")).toBeGreaterThan(meanOf("random", id, "strict") + 0.2);
    expect(meanOf("symptom-masker", id, "strict")).toBeLessThan(0.151);
  });

  it("cannot take the actions of the generated queues", () => {
    expect(publishedActions.names).toEqual(["triage", "give_up"]);
  });
});
