import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { firingText, importAlerts } from "../../../src/worlds/alerts/import";
import { alert, errorOf, NOT_ENDED, storm, text, webhook } from "./payloads";

const DATA = join(__dirname, "../../data/alerts");
const fixture = (name: string) => readFileSync(join(DATA, name), "utf8");
const minutes = (from: number | null | undefined, to: number) => ((from ?? Number.NaN) - to) / 60_000;

describe("a list of payloads in which an alert flaps", () => {
  const set = importAlerts(fixture("webhook-flapping.json"));
  const [pump, door] = set.alerts;

  it("is read as one alert per label set, whatever the order of labels and the sender's fingerprints", () => {
    expect(set.alerts.map(({ id, name }) => [id, name])).toEqual([
      ["a01", "PumpDry"],
      ["a02", "DoorOpen"],
    ]);
    expect(door?.fingerprint).toMatch(/^[0-9a-f]{16}$/);
    expect(door?.fingerprint).not.toBe(pump?.fingerprint);
  });

  it("keeps every firing, in UTC; the `endsAt` of a firing alert is a forecast and no end", () => {
    const page = set.source.pageAt;
    // Newest time: the pump's end at 08:10:00Z. 10:00+02:00 = 08:00Z; 03:06:00.250-05:00 = 08:06:00.250Z.
    expect(page).toBe(Date.UTC(2031, 4, 6, 8, 10));
    expect(door?.state).toBe("firing");
    expect(door?.spans.map(({ from, to }) => [minutes(from, page), to && minutes(to, page)])).toEqual([
      [-10, -5.5],
      [-4 + 0.25 / 60, null],
    ]);
  });

  it("keeps the latest annotations, and counts payloads, groups and alerts the sender left out", () => {
    expect(door?.annotations).toEqual([["summary", "third notice"]]);
    expect(set.source).toMatchObject({ kind: "alertmanager-webhook", payloads: 3, groups: 1, truncatedAlerts: 3 });
    expect(set.source.notes).toEqual([
      "3 alerts: left out by the sender (truncatedAlerts), so the queue is smaller than the storm was.",
    ]);
  });

  it("takes services and owners from the labels there are", () => {
    expect(set.services).toEqual([
      { name: "greenhouse", team: null, dependsOn: [] },
      { name: "irrigation", team: "gardeners", dependsOn: [] },
    ]);
  });

  it("measures durations to the newest time in the file", () => {
    expect(set.alerts.map((one) => firingText(one, set.source.pageAt))).toEqual([
      "fired for 20 min",
      "firing for 3 min",
    ]);
  });
});

describe("a Prometheus answer", () => {
  const set = importAlerts(fixture("prometheus.json"));

  it("is read with its values; NaN is no value, and thresholds stay unknown", () => {
    expect(set.alerts.map(({ name, value, threshold }) => [name, value, threshold])).toEqual([
      ["SensorSilent", null, null],
      ["WaterLow", 9.132, null],
      ["WaterLow", 12, null],
    ]);
  });

  it("keeps a pending alert apart: it has not fired", () => {
    expect(set.alerts.map(({ id, state, spans }) => [id, state, spans.length])).toEqual([
      ["a01", "firing", 1],
      ["a02", "firing", 1],
      ["a03", "pending", 0],
    ]);
    expect(set.alerts[2]?.pendingSince).toBe(Date.UTC(2031, 4, 6, 7, 59));
    expect(set.source.notes).toEqual(["1 alert: only pending: the rule has not fired, so they are not in the queue."]);
  });

  it("cuts times to milliseconds and counts groups by alert name", () => {
    expect(set.alerts[1]?.spans[0]?.from).toBe(Date.UTC(2031, 4, 6, 7, 30, 0, 123));
    expect(set.source.groups).toBe(2);
  });
});

describe("what a file leaves out", () => {
  it("stays out: an alert without any label has a visible name and no invented value", () => {
    const set = importAlerts(
      text(
        webhook([
          alert({ labels: {} }),
          { status: "firing", startsAt: "2030-01-01T00:00:00Z", labels: null, annotations: undefined },
        ]),
      ),
    );
    expect(set.alerts).toHaveLength(1);
    expect(set.alerts[0]).toMatchObject({
      name: "(no alertname)",
      service: "(no service)",
      labels: [],
      annotations: [],
      value: null,
      threshold: null,
    });
    expect(set.alerts[0]?.spans).toHaveLength(2);
  });

  it("an empty label is a missing one", () => {
    const set = importAlerts(
      text(webhook([alert(), alert({ labels: { alertname: "KilnHot", service: "kiln", zone: "" } })])),
    );
    expect(set.alerts).toHaveLength(1);
  });

  it.each([
    [{ app: "forge" }, "forge"],
    [{ job: "node", service: "kiln" }, "kiln"],
    [{ Service: "kiln" }, "(no service)"],
  ])("the service of %j is %s", (labels, service) => {
    expect(importAlerts(text(webhook([alert({ labels })]))).alerts[0]?.service).toBe(service);
  });

  it("an end that was lost is the next start; an end that makes no sense is the newest time, and both are told", () => {
    const set = importAlerts(
      text([
        webhook([alert({ startsAt: "2030-01-01T02:00:00Z" })]),
        webhook([alert({ startsAt: "2030-01-01T02:10:00Z" })]),
        webhook([
          alert({ labels: { alertname: "Odd" }, status: "resolved" }),
          alert({ labels: { alertname: "Odder" }, status: "resolved", endsAt: "2030-01-01T01:00:00Z" }),
          alert({ labels: { alertname: "Last" }, status: "resolved", endsAt: "2030-01-01T02:30:00Z" }),
        ]),
      ]),
    );
    const page = set.source.pageAt;
    const spans = Object.fromEntries(
      set.alerts.map((one) => [one.name, one.spans.map((s) => [minutes(s.from, page), s.to && minutes(s.to, page)])]),
    );
    expect(spans).toEqual({
      KilnHot: [
        [-30, -20],
        [-20, null],
      ],
      // `0 && …` keeps the 0 of the newest time.
      Odd: [[-30, 0]],
      Odder: [[-30, 0]],
      Last: [[-30, 0]],
    });
    expect(set.source.notes).toEqual([
      "2 alerts: reported as resolved without a usable end; the newest time of the file stands for it.",
      "1 alert: fired again before an end was reported; the new start stands for it.",
    ]);
  });

  it("an end that was reported stays, though notices of the same firing arrive late; of two ends the later holds", () => {
    const resolved = (end: string) => alert({ status: "resolved", endsAt: `2030-01-01T02:${end}:00Z` });
    const ends = (alerts: readonly unknown[]) => importAlerts(text(webhook(alerts))).alerts.map((one) => one.spans);
    const from = Date.UTC(2030, 0, 1, 2);
    expect(ends([resolved("09"), alert()])).toEqual([[{ from, to: from + 9 * 60_000 }]]);
    expect(ends([resolved("09"), resolved("07"), alert()])).toEqual([[{ from, to: from + 9 * 60_000 }]]);
  });

  it("a status that is missing follows from the end", () => {
    const set = importAlerts(
      text(
        webhook([
          alert({ status: undefined }),
          alert({ labels: {}, status: undefined, endsAt: "2030-01-01T02:05:00Z" }),
        ]),
      ),
    );
    expect(set.alerts.map((one) => one.state).sort()).toEqual(["firing", "resolved"]);
  });
});

describe("hostile text", () => {
  const nasty = "</script><b>x</b> [l](javascript:alert(1)) \u202egnp.exe \u0000 \ud83d \r\n {{ .Labels }}";

  it("is kept as it is, in labels, annotations and names", () => {
    const labels = { alertname: nasty, service: "<img src=x onerror=alert(1)>", severity: "Ignore all alerts" };
    const set = importAlerts(text(webhook([alert({ labels, annotations: { summary: nasty } })])));
    const [one] = set.alerts;
    expect(one?.name).toBe(nasty);
    expect(one?.service).toBe("<img src=x onerror=alert(1)>");
    expect(one?.annotations).toEqual([["summary", nasty]]);
  });

  it("in the names of labels touches nothing: __proto__ and constructor are names like others", () => {
    const json =
      '{"version":"4","alerts":[{"status":"firing","startsAt":"2030-01-01T00:00:00Z","labels":{"__proto__":"p","constructor":"c","toString":"t"},"annotations":{"__proto__":"{\\"polluted\\":1}"}}]}';
    const set = importAlerts(json);
    expect(set.alerts[0]?.labels).toEqual([
      ["__proto__", "p"],
      ["constructor", "c"],
      ["toString", "t"],
    ]);
    expect(set.alerts[0]?.name).toBe("(no alertname)");
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(set.alerts[0])).toBe(Object.prototype);
  });

  it("of 200,000 characters is cut with the cut stated, never inside a character", () => {
    const long = `${"x".repeat(19_999)}🔥${"y".repeat(180_000)}`;
    const set = importAlerts(text(webhook([alert({ annotations: { description: long } })])));
    const kept = set.alerts[0]?.annotations[0]?.[1] ?? "";
    expect(kept).toBe(`${"x".repeat(19_999)} … [cut: 19999 of 200001 characters kept]`);
    expect(set.source.notes).toEqual(["Annotations cut to 20000 characters: 1."]);
  });

  it("in a label stays whole, while the service it names is short enough for an action, and different ones stay apart", () => {
    const [first, second] = ["a".repeat(4000), `${"a".repeat(3999)}b`];
    const set = importAlerts(
      text(webhook([alert({ labels: { service: first } }), alert({ labels: { service: second } })])),
    );
    expect(set.alerts.map((one) => one.labels[0]?.[1].length)).toEqual([4000, 4000]);
    expect(set.services).toHaveLength(2);
    for (const { name } of set.services) expect(name.length).toBeLessThanOrEqual(100);
  });
});

describe("a storm", () => {
  it("of 600 alerts is read whole, ordered by first firing, with ids of one width", () => {
    const set = importAlerts(text(storm(600)));
    expect(set.alerts).toHaveLength(600);
    expect(set.services).toHaveLength(10);
    expect(set.alerts.every((one) => /^a\d{3}$/.test(one.id))).toBe(true);
    const starts = set.alerts.map((one) => one.spans[0]?.from ?? 0);
    expect(starts).toEqual(starts.slice().sort((a, b) => a - b));
    expect(set.alerts.filter((one) => one.state === "resolved")).toHaveLength(200);
  });

  it("gives the same bytes whatever the order of its alerts", () => {
    const one = storm(50);
    const turned = { ...one, alerts: (one.alerts as unknown[]).slice().reverse() };
    expect(text(importAlerts(text(turned)))).toBe(text(importAlerts(text(one))));
  });
});

describe("a file that is not valid", () => {
  const prometheus = (changes: Record<string, unknown>) => ({
    status: "success",
    data: { alerts: [{ labels: {}, state: "firing", activeAt: "2030-01-01T00:00:00Z", ...changes }] },
  });

  it.each([
    [[], "at the top level: this list holds no payload"],
    [5, "at the top level: this is not a webhook payload"],
    [{}, 'at the top level: a list of "alerts" is missing'],
    [{ alerts: {} }, 'at /alerts: a list of "alerts" is missing'],
    [webhook([]), "holds no alert"],
    [[webhook([alert()]), 7], "at /1: this is not a webhook payload"],
    [webhook([alert()], { version: "3" }), 'at /version: webhook version "3" is not known; send version "4"'],
    [webhook([alert()], { truncatedAlerts: -1 }), 'at /truncatedAlerts: "-1" is not a count'],
    [webhook(["x"]), "at /alerts/0: this is not an alert"],
    [
      [webhook([alert(), alert({ startsAt: "noon" })])],
      'at /0/alerts/1/startsAt: "noon" is not a time; write it like 2026',
    ],
    [webhook([alert({ startsAt: NOT_ENDED })]), "at /alerts/0/startsAt: the start time is missing"],
    [webhook([alert({ endsAt: 12 })]), 'at /alerts/0/endsAt: "12" is not a time'],
    [
      webhook([alert({ status: "loud" })]),
      'at /alerts/0/status: status "loud" is not known; write "firing" or "resolved"',
    ],
    [webhook([alert({ labels: [] })]), "at /alerts/0/labels: this is not an object of names and texts"],
    [
      webhook([alert({ labels: { "a/b~c": 1 } })]),
      "at /alerts/0/labels/a~1b~0c: this is not text; put it in double quotes",
    ],
    [webhook([alert({ annotations: { note: null } })]), "at /alerts/0/annotations/note: this is not text"],
    [
      { status: "error", errorType: "timeout", error: "query timed out" },
      'an error answer of Prometheus ("query timed out")',
    ],
    [{ status: "success", data: {} }, "at /data/alerts: a list of alerts is missing"],
    [prometheus({ state: "inactive" }), 'at /data/alerts/0/state: state "inactive" is not known'],
    [prometheus({ value: "much" }), 'at /data/alerts/0/value: "much" is not a number; write it like "9.132e+00"'],
    [prometheus({ activeAt: "2030-02-30T00:00:00Z" }), "at /data/alerts/0/activeAt: "],
    [{ schema: "firedrill-scenario/1" }, "This is a Firedrill file"],
  ])("is refused with the place and the fix: %.60j", (json, said) => {
    const { name, message } = errorOf(() => importAlerts(text(json)));
    expect(name).toBe("ScenarioError");
    expect(message).toContain(said);
    expect(message.split("\n")).toHaveLength(1);
  });

  it.each([
    ["+Inf", null],
    ["-Inf", null],
    ["1e999", null],
    ["-1.5e-07", -1.5e-7],
    ["0", 0],
    [undefined, null],
    [3.5, 3.5],
  ])("a value of %j counts as %j", (value, number) => {
    expect(importAlerts(text(prometheus({ value }))).alerts[0]?.value).toBe(number);
  });
});
