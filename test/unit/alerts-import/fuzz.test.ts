/**
 * Broken and random files. A failure prints the seed; repeat it with
 * `FIREDRILL_FUZZ_SEED=<seed> npx vitest run test/unit/alerts-import/fuzz.test.ts`.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ScenarioError } from "../../../src/core/world";
import {
  importAlerts,
  importedDraw,
  problemsOf,
  queueOf,
  readScenario,
  scenarioFrom,
  writeScenario,
} from "../../../src/worlds/alerts/import";
import { Sealed } from "../../../src/worlds/alerts/truth";
import { draftOn, SALT, storm, text } from "./payloads";

const fixed = process.env.FIREDRILL_FUZZ_SEED;
const seed = fixed === undefined ? Math.floor(Math.random() * 0x7fffffff) : Number(fixed);
/** The quick check tries a part of what `npm test` tries among the proofs. */
const SHARE = process.env.FIREDRILL_FULL === "1" ? 1 : 0.2;
const options = (numRuns: number) => ({ numRuns: Math.ceil(numRuns * SHARE), seed });
console.info(`fuzzing with FIREDRILL_FUZZ_SEED=${seed}${SHARE === 1 ? " FIREDRILL_FULL=1" : ""}`);

const DATA = join(__dirname, "../../data/alerts");
const FLAPPING = readFileSync(join(DATA, "webhook-flapping.json"), "utf8");
const PROMETHEUS = readFileSync(join(DATA, "prometheus.json"), "utf8");
const SET = importAlerts(FLAPPING);
/** A file that has its salt takes no other. */
const OTHER_SALT = "f".repeat(32);
const SCENARIO = writeScenario(scenarioFrom(SET, draftOn(SET, ["a02"]), SALT));

/** A text with one change: cut off, a unit replaced, a bit flipped, or a part doubled or taken out. */
function damaged(sources: readonly string[]): fc.Arbitrary<string> {
  return fc
    .record({
      source: fc.constantFrom(...sources),
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      length: fc.integer({ min: 1, max: 40 }),
      bit: fc.integer({ min: 0, max: 7 }),
      how: fc.constantFrom("cut", "flip", "drop", "double"),
    })
    .map(({ source, at, length, bit, how }) => {
      const place = Math.floor(at * (source.length - 1));
      if (how === "cut") return source.slice(0, place);
      if (how === "drop") return source.slice(0, place) + source.slice(place + length);
      if (how === "double") return source.slice(0, place + length) + source.slice(place);
      const flipped = String.fromCharCode(source.charCodeAt(place) ^ (1 << bit));
      return source.slice(0, place) + flipped + source.slice(place + 1);
    });
}

const name = fc.oneof(
  fc.constantFrom("alertname", "service", "severity", "__proto__", "constructor", "", "toString"),
  fc.string({ unit: "binary", maxLength: 12 }),
);
const texts = fc.array(fc.tuple(name, fc.string({ unit: "binary", maxLength: 30 })), { maxLength: 5 });
const when = fc
  .integer({ min: 0, max: 100_000 })
  .map((second) => new Date(1_900_000_000_000 + second * 1000).toISOString());

/** A text of an object with the given members, the last of equal names included: `__proto__` is then a name like others. */
function objectText(pairs: readonly (readonly [string, string])[]): string {
  return `{${pairs.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(",")}}`;
}

const alertText = fc
  .record({ labels: texts, annotations: texts, startsAt: when, endsAt: fc.option(when), resolved: fc.boolean() })
  .map(({ labels, annotations, startsAt, endsAt, resolved }) => {
    const fields = `"labels":${objectText(labels)},"annotations":${objectText(annotations)}`;
    const times = `"startsAt":"${startsAt}","endsAt":${JSON.stringify(endsAt)}`;
    return `{"status":"${resolved ? "resolved" : "firing"}",${fields},${times}}`;
  });
const payloads = fc
  .array(fc.array(alertText, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 5 })
  .map((list) => `[${list.map((alerts) => `{"version":"4","alerts":[${alerts.join(",")}]}`).join(",")}]`);

/** What a reader gives, or its ScenarioError; anything else that is thrown fails the test. */
function outcome<T>(read: () => T): T | ScenarioError {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    expect(error.message).toMatch(/\S.{10,}[.)]$/u);
    expect(error.message.split("\n")).toHaveLength(1);
    return error;
  }
}

describe("the importer", () => {
  it("answers any text with alerts or a ScenarioError", () => {
    const json = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.json({ maxDepth: 6 }),
      damaged([FLAPPING, PROMETHEUS, text(storm(5))]),
    );
    fc.assert(
      fc.property(json, (file) => {
        const set = outcome(() => importAlerts(file));
        if (!(set instanceof ScenarioError)) expect(set.alerts.length).toBeGreaterThan(0);
      }),
      options(1500),
    );
  });

  it("answers any JSON in the place of any field with alerts or a ScenarioError", () => {
    const places = ["version", "alerts", "truncatedAlerts", "groupKey"] as const;
    const own = ["status", "labels", "annotations", "startsAt", "endsAt"] as const;
    fc.assert(
      fc.property(fc.constantFrom(...places, ...own), fc.jsonValue({ maxDepth: 3 }), (place, value) => {
        const payload = storm(2) as { alerts: Record<string, unknown>[] } & Record<string, unknown>;
        const target = (own as readonly string[]).includes(place) ? (payload.alerts[1] ?? {}) : payload;
        target[place] = value;
        outcome(() => importAlerts(text(payload)));
      }),
      options(800),
    );
  });

  it("keeps spans ordered and apart, ids and label sets unique, and nothing lost", () => {
    fc.assert(
      fc.property(payloads, (file) => {
        const { alerts, source } = importAlerts(file);
        expect(new Set(alerts.map((one) => one.id)).size).toBe(alerts.length);
        expect(new Set(alerts.map((one) => JSON.stringify(one.labels))).size).toBe(alerts.length);
        for (const { spans } of alerts)
          spans.forEach(({ from, to }, index) => {
            const next = spans[index + 1];
            expect(from).toBeLessThanOrEqual(to ?? from);
            expect(to ?? from).toBeLessThanOrEqual(source.pageAt);
            if (next) expect(to ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(next.from);
          });
        const starts = new Set(
          (JSON.parse(file) as { alerts: { startsAt: string }[] }[]).flatMap((payload) =>
            payload.alerts.map((one) => Date.parse(one.startsAt)),
          ),
        );
        expect(new Set(alerts.flatMap((one) => one.spans.map((span) => span.from)))).toEqual(starts);
      }),
      options(500),
    );
  });
});

describe("the scenario file", () => {
  it("answers any damage with a scenario or a ScenarioError", () => {
    fc.assert(
      fc.property(fc.oneof(damaged([SCENARIO]), fc.json({ maxDepth: 4 })), (file) => {
        const scenario = outcome(() => readScenario(file, SALT));
        if (!(scenario instanceof ScenarioError))
          expect(writeScenario(readScenario(writeScenario(scenario), OTHER_SALT))).toBe(writeScenario(scenario));
      }),
      options(1500),
    );
  });

  it("survives the way there and back for any alerts, and draws them", () => {
    fc.assert(
      fc.property(payloads, fc.nat(), (file, pick) => {
        const set = importAlerts(file);
        const queue = queueOf(set);
        const draft = draftOn(set, [queue[pick % queue.length]?.id ?? ""]);
        expect(problemsOf(draft, set)).toEqual([]);
        const scenario = scenarioFrom(set, draft, SALT);
        const written = writeScenario(scenario);
        const back = readScenario(written, OTHER_SALT);
        expect(back).toEqual(scenario);
        expect(writeScenario(back)).toBe(written);
        const draw = importedDraw(back);
        const { incidents, noise } = Sealed.open(draw.truth);
        const ids = [...noise, ...incidents.flatMap((incident) => incident.alerts)];
        expect(ids.sort()).toEqual(draw.alerts.map((one) => one.id).sort());
      }),
      options(300),
    );
  });
});
