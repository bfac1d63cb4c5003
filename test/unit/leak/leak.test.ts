/**
 * Nothing published before the end may contain the truth. Every truth field of an episode opened with a canary carries it;
 * the tests gather all that a front end could show or send and look for it.
 */
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { firstDifference } from "../../../src/core/json";
import type { PlayerFactory } from "../../../src/core/player";
import { Stream } from "../../../src/core/rng";
import type { Episode, ScenarioFile, ScenarioInfo } from "../../../src/core/world";
import type { AlertsDraw } from "../../../src/worlds/alerts/draw";
import { AlertsEpisode } from "../../../src/worlds/alerts/episode";
import { gradeAlerts } from "../../../src/worlds/alerts/grader";
import { draftFrom, importAlerts, queueOf, scenarioFrom } from "../../../src/worlds/alerts/import";
import { type AlertsTruth, Sealed } from "../../../src/worlds/alerts/truth";
import { alertsWorld } from "../../../src/worlds/alerts/world";
import { type Decide, type Published, publish } from "./published-bytes";

/**
 * Drawing an episode takes long, so one scenario of each split stands for its kind, and every second player plays it;
 * FIREDRILL_LEAK_SEEDS=4 tries every scenario with so many seeds and all players, as the proofs do with one.
 */
const MANY = Number(process.env.FIREDRILL_LEAK_SEEDS ?? 0);
const SEEDS = Array.from({ length: Math.max(1, MANY) }, (_, seed) => seed);
const scenarios = alertsWorld.scenarios().filter((info, place, all) => {
  const alike = (other: ScenarioInfo) => other.split === info.split;
  return MANY > 0 || info.split === "published" || all.findIndex(alike) === place;
});
const PLAYERS = ["idle", "random", "read-all-spray", "brief-keyed-read", "rules", "collector", "oracle", "oracle-2"];

function factory(name: string): PlayerFactory {
  const found = alertsWorld.players.find((player) => player.name === name);
  if (!found) throw new Error(`There is no player "${name}".`);
  return found;
}

function deciding(name: string, episode: Episode): Decide {
  const player = factory(name).create(Stream.of(episode.seed, `player:${name}`), episode);
  return (observation) => player.decide(observation);
}

function playAll(scenario: string | ScenarioFile, seed: number, name: string, canary: string): Promise<Published> {
  const episode = alertsWorld.open(scenario, seed, { canary });
  return publish(alertsWorld, episode, deciding(name, episode));
}

/** The test runner reports in between that the test is alive. */
const breathe = () => new Promise((resolve) => setImmediate(resolve));

async function expectNoCanary(scenario: string | ScenarioFile, seed: number, players = PLAYERS): Promise<void> {
  const canary = `canary-${randomUUID()}`;
  for (const name of players) {
    await breathe();
    const { beforeEnd, grade } = await playAll(scenario, seed, name, canary);
    const at = beforeEnd.indexOf(canary);
    const where = at < 0 ? "" : beforeEnd.slice(Math.max(0, at - 200), at + 60);
    expect(where, `${name}, seed ${seed}: the canary was shown`).toBe("");
    expect(JSON.stringify(grade), `${name}, seed ${seed}: the truth carries no canary`).toContain(canary);
  }
}

/** Three alerts of one incident and two that belong to none, as an Alertmanager would send them. */
function importedFile(): ScenarioFile {
  const alerts = ["DiskFull", "WritesFail", "OrdersSlow", "BackupLate", "ProbeFlaps"].map((alertname, i) => ({
    status: "firing",
    labels: { alertname, service: i < 3 ? "orders-db" : "reports", severity: i === 0 ? "critical" : "warning" },
    annotations: {},
    startsAt: `2030-01-01T02:0${i}:00Z`,
    endsAt: "0001-01-01T00:00:00Z",
  }));
  const set = importAlerts(
    JSON.stringify({ version: "4", groupKey: "{}", truncatedAlerts: 0, status: "firing", alerts }),
  );
  const own = queueOf(set).slice(0, 3);
  const incident = { component: "orders-db", mechanism: "disk_full", severity: "P2", team: "database" };
  const incidents = [{ ...incident, alerts: own.map((alert) => alert.id) }];
  return scenarioFrom(set, { ...draftFrom(set), disposition: "routed", incidents }, randomUUID().replaceAll("-", ""));
}

describe("nothing published before the end contains a canary", () => {
  it.each(scenarios.map((info, place) => [info.id, place] as const))("in %s", async (id, place) => {
    const players = MANY > 0 ? PLAYERS : PLAYERS.filter((_, index) => index % 2 === place % 2);
    for (const seed of SEEDS) await expectNoCanary(id, seed, players);
  });

  it("in an imported queue", async () => {
    await expectNoCanary(importedFile(), 0);
  });

  it("is a test that fails when a world shows it", async () => {
    const canary = `canary-${randomUUID()}`;
    const info = alertsWorld.scenarios()[0] as ScenarioInfo;
    const episode = alertsWorld.open(info.id, 0, { canary });
    const leaky = { ...alertsWorld, render: () => `a hint: ${canary}` };
    const { beforeEnd } = await publish(leaky, episode, () => null);
    expect(beforeEnd).toContain(canary);
  });
});

describe("episodes that differ in what is hidden only", () => {
  const generated = scenarios.filter((info) => info.split !== "published").slice(0, MANY > 0 ? 99 : 2);

  it.each(generated.map((info) => [info.id, info] as const))("publish equal bytes in %s", async (_, info) => {
    for (const seed of SEEDS)
      for (const name of ["random", "rules"]) {
        await breathe();
        const { draw, other } = twins(info, seed);
        const [left, right] = await Promise.all(
          [draw, other].map((each) => {
            const episode = new AlertsEpisode(info, seed, each, gradeAlerts);
            return publish(alertsWorld, episode, deciding(name, episode));
          }),
        );
        expect(firstDifference(left?.beforeEnd.split("\n"), right?.beforeEnd.split("\n"))).toBeUndefined();
        expect(JSON.stringify(left?.grade)).not.toBe(JSON.stringify(right?.grade));
      }
  });
});

/** A draw, and one with the same measurements and another truth. */
function twins(info: ScenarioInfo, seed: number) {
  const draw = AlertsEpisode.drawOf(alertsWorld.open(info.id, seed));
  const truth = Sealed.open(draw.truth);
  const hidden: AlertsTruth = {
    ...truth,
    family: "another",
    incidents: [],
    noise: draw.alerts.map((alert) => alert.id),
    noiseStories: Object.fromEntries(draw.alerts.map((alert) => [alert.id, "all of it is noise"])),
    disposition: truth.disposition === "no_fault" ? "inconclusive" : "no_fault",
    alsoTrue: [],
  };
  const other: AlertsDraw = {
    ...draw,
    metricsOf: (service) => draw.metricsOf(service),
    history: (...args) => draw.history(...args),
    impact: (...args) => draw.impact(...args),
    truth: new Sealed(hidden),
  };
  return { draw, other };
}
