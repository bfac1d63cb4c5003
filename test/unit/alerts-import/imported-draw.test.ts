import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { importAlerts, importedDraw, scenarioFrom, type TruthDraft } from "../../../src/worlds/alerts/import";
import { type DisplayedFact, Sealed } from "../../../src/worlds/alerts/truth";
import { draftOn, SALT } from "./payloads";

const DATA = join(__dirname, "../../data/alerts");

/** The draw of a fixture, with one incident of the given alerts. */
function drawOf(fixture: string, alerts: readonly string[], changes: Partial<TruthDraft> = {}, canary?: string) {
  const set = importAlerts(readFileSync(join(DATA, fixture), "utf8"));
  return importedDraw(scenarioFrom(set, draftOn(set, alerts, changes), SALT), canary === undefined ? {} : { canary });
}

function inspected(alert: string): DisplayedFact {
  return { kind: "alert", id: "i1", minute: 1, alert, value: null };
}

describe("the draw of an imported queue", () => {
  // DoorOpen (a02): 08:00 to 08:04:30 and from 08:06:00.250; PumpDry (a01): 07:50 to 08:10, which is the page.
  const flapping = drawOf("webhook-flapping.json", ["a02"]);

  it("counts minutes from the newest time in the file", () => {
    expect(flapping.startOfDay).toBe(8 * 60 + 10);
    expect(flapping.alerts.map(({ id, spans }) => [id, spans])).toEqual([
      ["a01", [{ from: -20, to: 0 }]],
      [
        "a02",
        [
          { from: -10, to: -5.5 },
          { from: -3.996, to: null },
        ],
      ],
    ]);
    expect([flapping.fromMinute, flapping.toMinute]).toEqual([-60, 60]);
  });

  it("invents nothing: no metrics, changes, impact, earlier firings, values or thresholds", () => {
    expect(flapping.measured).toBe(false);
    expect(flapping.changes).toEqual([]);
    expect(flapping.metricsOf("greenhouse")).toEqual([]);
    expect(flapping.history("greenhouse", "value", -60, 0, 100)).toEqual([]);
    expect(flapping.impact("greenhouse", 5)).toEqual({
      service: "greenhouse",
      customerFacing: false,
      revenue: false,
      failing: null,
      worst: null,
      since: null,
    });
    const [pump] = flapping.alerts;
    expect(pump?.past).toEqual(new Array(30).fill(0));
    expect([pump?.valueAt(-1), pump?.valueAt(0), pump?.rule.threshold]).toEqual([null, null, null]);
  });

  it("shows a value from the page on, and leaves pending alerts out", () => {
    const { alerts } = drawOf("prometheus.json", ["a02"]);
    expect(alerts.map((alert) => alert.id)).toEqual(["a01", "a02"]);
    expect([alerts[1]?.valueAt(-0.5), alerts[1]?.valueAt(0), alerts[1]?.valueAt(30)]).toEqual([null, 9.132, 9.132]);
  });

  it("takes the truth from the author: the rest is noise, and an inspected alert of the incident supports it", () => {
    const truth = Sealed.open(flapping.truth);
    expect([truth.disposition, truth.noise, truth.incidents.length]).toEqual(["routed", ["a01"], 1]);
    const [incident] = truth.incidents;
    expect(incident).toMatchObject({
      component: "greenhouse",
      mechanism: "disk_full",
      severity: "P2",
      team: "sre",
      alerts: ["a02"],
      onset: -10,
      healed: null,
      determined: true,
    });
    expect(incident?.supports(inspected("a02"))).toBe(true);
    expect(incident?.supports(inspected("a01"))).toBe(false);
    expect(incident?.excludes(inspected("a02"))).toEqual([]);
    expect(incident?.routes).toEqual([
      [{ action: "inspect_alert", args: { alert: "a02" } }],
      [{ action: "inspect_alert", args: { alert: "a02" } }],
    ]);
  });

  it("heals at the last end when the author says that it healed by itself", () => {
    const truth = Sealed.open(drawOf("webhook-flapping.json", ["a01"], { disposition: "self_recovered" }).truth);
    expect(truth.incidents[0]?.healed).toBe(0);
  });

  it("has no incident when nothing was wrong", () => {
    const truth = Sealed.open(drawOf("prometheus.json", [], { disposition: "no_fault", incidents: [] }).truth);
    expect([truth.incidents, truth.noise, Object.keys(truth.noiseStories)]).toEqual([
      [],
      ["a01", "a02"],
      ["a01", "a02"],
    ]);
  });

  it("puts the canary of a test build into the truth's texts and nowhere else", () => {
    const draw = drawOf("webhook-flapping.json", ["a02"], {}, "canary-77");
    expect(JSON.stringify(draw)).not.toContain("canary-77");
    const truth = Sealed.open(draw.truth);
    expect([truth.canary, truth.incidents[0]?.story, truth.noiseStories.a01].join()).toMatch(
      /canary-77.*canary-77.*canary-77/,
    );
  });
});
