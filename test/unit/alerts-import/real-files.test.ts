/** Files in the shape that Alertmanager and Prometheus send, read where they lie beside the project; skipped elsewhere. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  draftFrom,
  importAlerts,
  importedDraw,
  readScenario,
  scenarioFrom,
  truthForm,
  writeScenario,
} from "../../../src/worlds/alerts/import";
import { draftOn, SALT } from "./payloads";

const FOLDER = join(__dirname, "../../../../shared/data/alertmanager");

/** File → alerts, services, alerts left out by the sender, alerts by state. */
const FILES: readonly (readonly [string, number, number, number, Readonly<Record<string, number>>])[] = [
  ["01-single.json", 1, 1, 0, { firing: 1 }],
  ["02-group-of-twelve.json", 12, 7, 0, { firing: 10, resolved: 2 }],
  ["03-flapping-sequence.json", 1, 1, 0, { resolved: 1 }],
  ["04-all-resolved.json", 3, 1, 0, { resolved: 3 }],
  ["05-sparse-labels.json", 3, 2, 0, { firing: 3 }],
  ["06-hostile-text.json", 2, 2, 0, { firing: 2 }],
  ["07-storm-500.json", 500, 12, 37, { firing: 395, resolved: 105 }],
  ["08-prometheus-api-alerts.json", 20, 10, 0, { firing: 16, pending: 4 }],
];

describe.skipIf(!existsSync(FOLDER))("a file as it comes from a monitoring system", () => {
  const read = (name: string) => readFileSync(join(FOLDER, name), "utf8");

  it.each(FILES)("is read whole: %s", (name, alerts, services, truncated, states) => {
    const set = importAlerts(read(name));
    expect([set.alerts.length, set.services.length, set.source.truncatedAlerts]).toEqual([alerts, services, truncated]);
    const counted: Record<string, number> = {};
    for (const { state } of set.alerts) counted[state] = (counted[state] ?? 0) + 1;
    expect(counted).toMatchObject(states);
  });

  it.each(FILES)("becomes a scenario that reads back unchanged: %s", (name) => {
    const set = importAlerts(read(name));
    expect(truthForm(set, draftFrom(set)).problems.map((problem) => problem.place)).toEqual(["/disposition"]);
    const file = scenarioFrom(
      set,
      draftOn(
        set,
        ["a01", "a001"].filter((id) => set.alerts.some((one) => one.id === id)),
      ),
      SALT,
    );
    const text = writeScenario(file);
    expect(writeScenario(readScenario(text, ""))).toBe(text);
    const queued = set.alerts.filter((one) => one.state !== "pending").length;
    expect(importedDraw(readScenario(text, "")).alerts).toHaveLength(queued);
  });

  it("keeps hostile text as text, 18,400 characters and a lone surrogate included", () => {
    const set = importAlerts(read("06-hostile-text.json"));
    const annotations = set.alerts.flatMap((one) => one.annotations.map(([, value]) => value));
    expect(annotations.some((value) => value.length === 18_400)).toBe(true);
    expect(annotations.some((value) => /[\ud800-\udbff](?![\udc00-\udfff])/.test(value))).toBe(true);
    expect(set.services.map((service) => service.name)).toContain("<img src=x onerror=alert(1)>");
  });

  it("keeps the three firings of a flapping alert", () => {
    const [one] = importAlerts(read("03-flapping-sequence.json")).alerts;
    expect(one?.spans.map(({ from, to }) => to && (to - from) / 1000)).toEqual([60, 60, 70]);
  });
});
