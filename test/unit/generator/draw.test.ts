import { beforeAll, describe, expect, test } from "vitest";
import type { AlertsDraw } from "../../../src/worlds/alerts/draw";
import { caseKindOf, drawAnew, drawFor, generatorHash } from "../../../src/worlds/alerts/generate";
import { factsOfRead } from "../../../src/worlds/alerts/generator/acceptance";
import { type ScenarioSetting, SETTINGS } from "../../../src/worlds/alerts/scenarios";
import { nearThreshold, severityOf } from "../../../src/worlds/alerts/severity";
import { Sealed } from "../../../src/worlds/alerts/truth";

const SEEDS = [0, 1];
interface Sample {
  readonly setting: ScenarioSetting;
  readonly seed: number;
  readonly draw: AlertsDraw;
}
const samples: Sample[] = [];
const where = ({ setting, seed }: Sample) => `${setting.info.id} seed ${seed}`;

beforeAll(() => {
  for (const setting of SETTINGS)
    for (const seed of SEEDS) samples.push({ setting, seed, draw: drawFor(setting.info, seed) });
}, 180_000);

describe("a draw", () => {
  test("is the same for the same seed, also when nothing is remembered", () => {
    for (const setting of SETTINGS.slice(3, 6)) {
      const one = drawFor(setting.info, 4);
      const two = drawAnew(setting, 4, "", () => {});
      expect(two.rejected).toBe(one.rejected);
      expect(JSON.stringify(two.alerts)).toBe(JSON.stringify(one.alerts));
      expect(JSON.stringify(two.changes)).toBe(JSON.stringify(one.changes));
      expect(JSON.stringify(Sealed.open(two.truth))).toBe(JSON.stringify(Sealed.open(one.truth)));
      for (const { name } of one.services) expect(two.impact(name, 5)).toEqual(one.impact(name, 5));
    }
  }, 120_000);

  test("is kept: asking twice gives the same object", () => {
    const { info } = SETTINGS[0] as ScenarioSetting;
    expect(drawFor(info, 2)).toBe(drawFor(info, 2));
  });

  test("has as many alerts as its scenario says, each seen within the episode, in the order of first firing", () => {
    for (const sample of samples) {
      const { draw, setting } = sample;
      expect(draw.alerts.length, where(sample)).toBeGreaterThanOrEqual(setting.size.alerts[0]);
      expect(draw.alerts.length, where(sample)).toBeLessThanOrEqual(setting.size.alerts[1]);
      const first = draw.alerts.map((alert) => alert.spans[0]?.from ?? Number.NaN);
      expect(first).toEqual(first.slice().sort((a, b) => a - b));
      for (const from of first) expect(from).toBeLessThanOrEqual(setting.info.maxMinutes);
      expect(new Set(draw.alerts.map((alert) => alert.fingerprint)).size, where(sample)).toBe(draw.alerts.length);
    }
  });

  test("is told in texts of one byte a character, so that recordings of it take half the room", () => {
    for (const sample of samples) {
      const { alerts, changes, services, truth } = sample.draw;
      const labels = alerts.map(({ name, labels, annotations }) => [name, labels, annotations]);
      const wide = /[^\0-\xff]/.exec(JSON.stringify([labels, changes, services, Sealed.open(truth)]));
      expect(wide, where(sample)).toBeNull();
    }
    expect(samples.filter(({ draw }) => draw.changes.length > 0).length).toBeGreaterThan(samples.length / 2);
  });

  test("every alert belongs to one incident or to the noise, and noise can be told by name and service", () => {
    for (const sample of samples) {
      const { draw } = sample;
      const { incidents, noise } = Sealed.open(draw.truth);
      const all = [...incidents.flatMap(({ alerts }) => alerts), ...noise];
      expect(all.slice().sort(), where(sample)).toEqual(draw.alerts.map(({ id }) => id).sort());
      const pairs = (ids: readonly string[]) =>
        new Set(draw.alerts.filter(({ id }) => ids.includes(id)).map(({ name, service }) => `${name} ${service}`));
      const real = pairs(incidents.flatMap(({ alerts }) => alerts));
      for (const pair of pairs(noise)) expect(real.has(pair), `${where(sample)}: ${pair}`).toBe(false);
      if (incidents.length > 0) {
        expect(noise.length / all.length, where(sample)).toBeGreaterThanOrEqual(0.28);
        expect(noise.length / all.length, where(sample)).toBeLessThanOrEqual(0.62);
      }
    }
  });

  test("pages: an alert of every incident fires at minute 0 unless it is over, and every fault began 4 to 25 minutes before", () => {
    for (const sample of samples) {
      const { incidents } = Sealed.open(sample.draw.truth);
      for (const incident of incidents) {
        const own = sample.draw.alerts.filter(({ id }) => incident.alerts.includes(id));
        expect(
          own.some(({ spans }) => spans.some(({ from, to }) => from <= 0 && (to === null || to > 0))),
          where(sample),
        ).toBe(true);
        expect(incident.onset).toBeLessThanOrEqual(-4);
        expect(incident.onset).toBeGreaterThanOrEqual(-25);
      }
    }
  });

  test("the team is the owner of the component, and the severity is what the impact reads show at any early minute", () => {
    for (const sample of samples) {
      const { draw } = sample;
      const { incidents } = Sealed.open(draw.truth);
      for (const incident of incidents)
        expect(incident.team).toBe(draw.services.find(({ name }) => name === incident.component)?.team);
      if (incidents.length > 1) continue;
      for (const minute of [0, 8, 20]) {
        const readings = draw.services.map(({ name }) => draw.impact(name, minute));
        expect(severityOf(readings), where(sample)).toBe(incidents[0]?.severity ?? "P4");
        expect(nearThreshold(readings), where(sample)).toBe(false);
      }
    }
  });

  test("both evidence routes support the mechanism and rule another out, at the page and ten minutes later", () => {
    for (const sample of samples) {
      for (const incident of Sealed.open(sample.draw.truth).incidents) {
        expect(incident.routes.length).toBe(2);
        for (const route of incident.routes) {
          for (const minute of [0, 10]) {
            const facts = route.flatMap((read) => factsOfRead(sample.draw, read, minute));
            expect(
              facts.some((fact) => incident.supports(fact)),
              where(sample),
            ).toBe(true);
            expect(
              facts.some((fact) => incident.excludes(fact).length > 0),
              where(sample),
            ).toBe(true);
            expect(
              facts.flatMap((fact) => incident.excludes(fact)),
              where(sample),
            ).not.toContain(incident.mechanism);
          }
        }
      }
    }
  });

  test("closes by what is true of it", () => {
    for (const sample of samples) {
      const { incidents, disposition, alsoTrue } = Sealed.open(sample.draw.truth);
      const open = incidents.some(({ determined }) => !determined);
      const over = incidents.length > 0 && incidents.every(({ healed }) => healed !== null);
      const expected = incidents.length === 0 ? "no_fault" : open ? "escalated" : over ? "self_recovered" : "routed";
      expect(disposition, where(sample)).toBe(expected);
      expect(alsoTrue).toEqual(open ? ["inconclusive"] : []);
    }
  });

  test("is of the kind its seed says, however many attempts were dropped", () => {
    for (const sample of samples) {
      const { family, incidents } = Sealed.open(sample.draw.truth);
      const over = incidents.length > 0 && incidents.every(({ healed }) => healed !== null);
      const open = incidents.some(({ determined }) => !determined);
      const kind =
        incidents.length === 2
          ? "two"
          : incidents.length === 0
            ? "no_fault"
            : over
              ? "self_recovered"
              : open
                ? "undetermined"
                : "one";
      expect(kind, `${where(sample)}: ${family}`).toBe(caseKindOf(sample.setting, sample.seed));
    }
  });

  test("reads are pure: another order gives the same values, and missing scrapes are null", () => {
    const { draw } = samples[7] as Sample;
    const service = draw.services[1]?.name ?? "";
    const metrics = draw.metricsOf(service).map(({ metric }) => metric);
    const forward = metrics.map((metric) => draw.history(service, metric, -60, 0, 60));
    const backward = metrics
      .slice()
      .reverse()
      .map((metric) => draw.history(service, metric, -60, 0, 60))
      .reverse();
    expect(backward).toEqual(forward);
    expect(
      forward.flat().every(({ minutes, values }) => minutes.length === values.length && minutes.length <= 61),
    ).toBe(true);
    expect(draw.history(service, "no.such.metric", -60, 0, 60)).toEqual([]);
    const thinned = draw.history(service, metrics[0] ?? "", -60, 0, 10)[0];
    expect(thinned?.minutes.length).toBeLessThanOrEqual(10);
    expect(thinned?.minutes[thinned.minutes.length - 1]).toBe(0);
  });

  test("a canary stands in every truth text and nowhere else", () => {
    const { info } = SETTINGS[2] as ScenarioSetting;
    const draw = drawFor(info, 1, { canary: "zzcanaryzz" });
    const truth = Sealed.open(draw.truth);
    for (const { story } of truth.incidents) expect(story).toContain("zzcanaryzz");
    for (const story of Object.values(truth.noiseStories)) expect(story).toContain("zzcanaryzz");
    expect(JSON.stringify(draw)).not.toContain("zzcanaryzz");
  });

  test("the hash of a scenario's content differs from scenario to scenario and is 16 hexadecimal digits", () => {
    const hashes = SETTINGS.map(({ info }) => generatorHash(info));
    for (const hash of hashes) expect(hash).toMatch(/^[0-9a-f]{16}$/);
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});
