import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  draftFrom,
  editScenario,
  importAlerts,
  readScenario,
  scenarioFrom,
  scenarioJsonSchema,
  writeScenario,
  writeSkeleton,
} from "../../../src/worlds/alerts/import";
import { alert, draftOn, errorOf, SALT, storm, text, webhook } from "./payloads";

const SET = importAlerts(
  text(
    webhook([
      alert(),
      alert({ labels: { alertname: "GlazeLow", service: "store", "weird/name": "\u0000\ud83d</script>" } }),
    ]),
  ),
);
const FIRST = SET.alerts[0]?.id ?? "";
const SERVICE = SET.alerts[0]?.service ?? "";
const DRAFT = draftOn(SET, [FIRST], { title: " Kiln at night ", brief: "Two alerts." });
/** A file that has its salt takes no other. */
const OTHER = "f".repeat(32);
const FILE = scenarioFrom(SET, DRAFT, SALT);
const TEXT = writeScenario(FILE);

type Fields = Record<string, unknown>;

/** The file with changes at the top level. */
function changed(changes: Fields): string {
  return text({ ...(JSON.parse(TEXT) as Fields), ...changes });
}

function plainTruth(changes: Fields = {}, incident: Fields = {}): Fields {
  const own = { component: SERVICE, mechanism: "disk_full", severity: "P2", team: "sre", alerts: [FIRST], ...incident };
  return { disposition: "routed", incidents: [own], ...changes };
}

function oneAlert(changes: Fields): Fields {
  return { id: "x1", labels: [["service", "kiln"]], spans: [{ from: "2030-01-01T02:00:00Z" }], ...changes };
}

describe("a scenario file", () => {
  it("reads back to the same content and writes back to the same bytes", () => {
    const back = readScenario(TEXT, OTHER);
    expect(back.content).toEqual(FILE.content);
    expect(back.info).toEqual(FILE.info);
    expect(writeScenario(back)).toBe(TEXT);
  });

  it("is listed by its content's hash, with a size and a budget", () => {
    expect(FILE.info).toMatchObject({ world: "alerts", title: "Kiln at night", split: "imported", difficulty: "easy" });
    expect(FILE.info.id).toMatch(/^file-[0-9a-f]{16}$/);
    expect([FILE.info.maxSteps, FILE.info.maxMinutes, FILE.info.tags]).toEqual([30, 60, ["imported", "2 alerts"]]);
    expect(scenarioFrom(SET, { ...DRAFT, title: "Another" }, SALT).info.id).not.toBe(FILE.info.id);
  });

  it("has an id that tells nothing of its truth", () => {
    const other = scenarioFrom(SET, { ...DRAFT, disposition: "escalated" }, SALT);
    expect(other.info).toEqual(FILE.info);
    expect(other.content).toEqual(FILE.content);
    expect([other.truth, other.seal]).not.toEqual([FILE.truth, FILE.seal]);
  });

  it("does not show its truth at a glance, and never in what is listed", () => {
    const secret = draftOn(SET, [FIRST], { disposition: "escalated" });
    const file = scenarioFrom(SET, secret, SALT);
    for (const shown of [writeScenario(file), text(file.info), text(file.content)])
      expect(shown).not.toMatch(/escalated|disk_full/);
  });

  it("may be laid out and ordered anyhow, give times with offsets and the truth as an object: the id stays", () => {
    const fields = JSON.parse(TEXT) as Fields;
    const alerts = (fields.alerts as Fields[]).map((one) => ({
      ...one,
      labels: (one.labels as unknown[]).slice().reverse(),
    }));
    const source = { ...(fields.source as Fields), pageAt: "2030-01-01T04:00:00+02:00" };
    const { id: _, truth: __, ...rest } = fields;
    const written = JSON.stringify({ truth: plainTruth(), ...rest, alerts, source, id: "file-0" }, null, 4);
    expect(readScenario(written, SALT).info.id).toBe(FILE.info.id);
    expect(writeScenario(readScenario(written, SALT))).toBe(TEXT);
  });

  it("reads base64 of UTF-8 that another tool has packed", () => {
    const set = importAlerts(text(webhook([alert({ labels: { service: "Töpferei 🔥" } })])));
    const draft = draftOn(set, ["a01"]);
    const file = writeScenario(scenarioFrom(set, draft, SALT));
    const truth = Buffer.from(JSON.stringify({ disposition: draft.disposition, incidents: draft.incidents })).toString(
      "base64",
    );
    expect(writeScenario(readScenario(text({ ...(JSON.parse(file) as Fields), truth }), SALT))).toBe(file);
    const packed = Buffer.from((JSON.parse(file) as { truth: string }).truth, "base64").toString("utf8");
    expect(JSON.parse(packed)).toEqual({ disposition: "routed", incidents: draft.incidents, salt: SALT });
  });

  it("of 600 alerts survives the way there and back", () => {
    const set = importAlerts(text(storm(600)));
    const file = scenarioFrom(
      set,
      draftOn(
        set,
        set.alerts.slice(0, 40).map((one) => one.id),
      ),
      SALT,
    );
    expect(file.info).toMatchObject({ difficulty: "extreme", maxSteps: 240 });
    expect(readScenario(writeScenario(file), OTHER).content).toEqual(file.content);
  });

  it("is opened again for editing with its draft, and saves to the same bytes", () => {
    const { set, draft, budget, salt } = editScenario(TEXT);
    expect(draft).toEqual({ ...DRAFT, title: "Kiln at night" });
    expect(writeScenario(scenarioFrom(set, draft, salt ?? OTHER, budget))).toBe(TEXT);
  });

  it("is refused while its draft is unfinished", () => {
    const { name, message } = errorOf(() => scenarioFrom(SET, draftFrom(SET), SALT));
    expect(name).toBe("ScenarioError");
    expect(message).toContain("/disposition: Choose a way to close the triage");
  });

  it("begins as a skeleton to fill in by hand, which can be edited but not played", () => {
    const skeleton = writeSkeleton(SET, draftFrom(SET), SALT);
    expect((JSON.parse(skeleton) as Fields).truth).toEqual({ disposition: "", incidents: [], salt: SALT });
    expect(editScenario(skeleton).set).toEqual(SET);
    expect(errorOf(() => readScenario(skeleton, OTHER)).message).toContain("/truth/disposition: Choose a way");
    const filled = { ...(JSON.parse(skeleton) as Fields), title: DRAFT.title, brief: DRAFT.brief, truth: plainTruth() };
    expect(readScenario(text(filled), OTHER).info.id).toBe(FILE.info.id);
  });

  it("may hold alerts that fire after the page, services without alerts, and thresholds", () => {
    const alerts = [
      oneAlert({ value: 91, threshold: 85, spans: [{ from: "2030-01-01T02:30:00Z", to: "2030-01-01T02:40:00Z" }] }),
    ];
    const services = [{ name: "mill", team: "millers", dependsOn: ["kiln"] }];
    const truth = plainTruth({}, { component: "mill", team: "millers", alerts: ["x1"] });
    const { alerts: read, services: known } = editScenario(changed({ alerts, services, truth })).set;
    expect([read[0]?.value, read[0]?.threshold, read[0]?.state]).toEqual([91, 85, "resolved"]);
    expect(known.map((service) => service.name)).toEqual(["kiln", "mill"]);
    expect(readScenario(changed({ alerts, services, truth }), OTHER).info.tags).toEqual(["imported", "1 alert"]);
  });
});

describe("a scenario file that is not valid", () => {
  const span = (from: string, to: string | null) => ({
    from: `2030-01-01T${from}:00Z`,
    to: to && `2030-01-01T${to}:00Z`,
  });
  const withAlerts = (...alerts: Fields[]) => changed({ alerts, truth: plainTruth({}, { alerts: ["x1"] }) });

  it.each<[string, string, string]>([
    ["not JSON", "{", "The scenario file is not valid JSON at line 1, column 2"],
    ["a list", "[]", "at the top level: A scenario file is one JSON object"],
    ["alerts that were not imported", text(webhook([alert()])), "import the alerts first"],
    ["no schema", "{}", 'write "schema": "firedrill-scenario/1"'],
    [
      "a newer version",
      changed({ schema: "firedrill-scenario/2" }),
      "written by a newer Firedrill (firedrill-scenario/2; this one reads firedrill-scenario/1); update Firedrill",
    ],
    ["another format", changed({ schema: "firedrill/1" }), 'at /schema: "firedrill/1" is no known format'],
    ["another world", changed({ world: "release" }), 'at /world: This must be "alerts"'],
    ["an unknown field", changed({ tittle: "x" }), 'at the top level: There is no "tittle" in a scenario'],
    ["no alerts", changed({ alerts: [] }), "at /alerts: There is no alert; a queue needs at least one."],
    ["an empty title", changed({ title: " " }), "at /title: The title is empty"],
    ["a title that is no text", changed({ title: 5 }), "at /title: This must be text."],
    ["no truth", changed({ truth: undefined }), "at /truth: The truth is missing, so nobody could be graded"],
    ["a truth that is not base64", changed({ truth: "%%%" }), "at /truth: This is not base64 of JSON"],
    ["a truth that is base64 of something else", changed({ truth: "AAAA" }), "at /truth: This is not base64 of JSON"],
    [
      "a truth with an unknown field",
      changed({ truth: { ...plainTruth(), cause: 1 } }),
      'at /truth: There is no "cause" in the truth',
    ],
    [
      "an unknown alert",
      changed({ truth: plainTruth({}, { alerts: ["a99"] }) }),
      'at /truth/incidents/0/alerts/0: There is no alert "a99"',
    ],
    [
      "a component that is no service",
      changed({ truth: plainTruth({}, { component: "oven" }) }),
      'at /truth/incidents/0/component: "oven" is no service of this file',
    ],
    [
      "a disposition against its incidents",
      changed({ truth: plainTruth({ disposition: "no_fault" }) }),
      "at /truth/disposition: “Nothing was wrong” (no_fault) does not go with incidents",
    ],
    [
      "a budget of nothing",
      changed({ budget: { maxSteps: 0, maxMinutes: 60 } }),
      "at /budget/maxSteps: This must be at least 1.",
    ],
    [
      "half a step",
      changed({ budget: { maxSteps: 1.5, maxMinutes: 60 } }),
      "at /budget/maxSteps: This must be a whole number from 1 to 1000.",
    ],
    [
      "an id used twice",
      withAlerts(oneAlert({}), oneAlert({ labels: [["a", "b"]] })),
      'at /alerts/1/id: "x1" is already the id of /alerts/0',
    ],
    [
      "one alert listed as two",
      withAlerts(oneAlert({}), oneAlert({ id: "x2" })),
      "at /alerts/1/labels: These labels are those of /alerts/0",
    ],
    [
      "a label that is no pair",
      withAlerts(oneAlert({ labels: [["a"]] })),
      'at /alerts/0/labels/0: This must be a pair like ["service", "checkout"].',
    ],
    ["an id with spaces", withAlerts(oneAlert({ id: "a 1" })), "at /alerts/0/id: An id has 1 to 40 letters"],
    [
      "a time that is none",
      withAlerts(oneAlert({ spans: [{ from: "now" }] })),
      "at /alerts/0/spans/0/from: This is not a time; write it like",
    ],
    [
      "an end that is none",
      withAlerts(oneAlert({ spans: [{ from: "2030-01-01T02:00:00Z", to: "later" }] })),
      "at /alerts/0/spans/0/to: ",
    ],
    [
      "a value that is text",
      withAlerts(oneAlert({ value: "9" })),
      "at /alerts/0/value: This must be a number, or null where none is known.",
    ],
    [
      "an end before its start",
      withAlerts(oneAlert({ spans: [span("02:00", "01:00")] })),
      "at /alerts/0/spans/0: It ends before it begins",
    ],
    [
      "spans that overlap",
      withAlerts(oneAlert({ spans: [span("01:00", "01:30"), span("01:10", null)] })),
      "at /alerts/0/spans/1: It begins before the span above it has ended",
    ],
    [
      "a span after an open one",
      withAlerts(oneAlert({ spans: [span("01:00", null), span("01:10", null)] })),
      "at /alerts/0/spans/1: ",
    ],
    ["no firing at all", withAlerts(oneAlert({ spans: [] })), "at /alerts: No alert ever fires"],
    [
      "a firing nobody would see",
      withAlerts(oneAlert({ spans: [span("03:01", null)] })),
      "at /alerts/0/spans/0/from: It fires after the last minute of the budget",
    ],
    [
      "a service named twice",
      changed({ services: [{ name: "kiln" }, { name: "kiln" }] }),
      'at /services/1/name: "kiln" is already the name of /services/0',
    ],
    [
      "a dependency on nothing",
      changed({ services: [{ name: "kiln", dependsOn: ["oven"] }] }),
      'at /services/0/dependsOn/0: There is no service "oven"',
    ],
  ])("is refused with the place and the fix: %s", (_, file, said) => {
    const { name, message } = errorOf(() => readScenario(file, SALT));
    expect(name).toBe("ScenarioError");
    expect(message).toContain(said);
    expect(message.split("\n")).toHaveLength(1);
  });
});

describe("the published JSON Schema", () => {
  it("is the one the reader is made from", async () => {
    const path = join(__dirname, "../../../data/schemas/firedrill-scenario.schema.json");
    // After a change of the format, `npx vitest run test/unit/alerts-import -u` writes it anew.
    await expect(`${JSON.stringify(scenarioJsonSchema(), null, 2)}\n`).toMatchFileSnapshot(path);
  });

  it("offers the words the truth is written in", () => {
    const path = join(__dirname, "../../../data/schemas/firedrill-scenario.schema.json");
    const schema = readFileSync(path, "utf8");
    for (const word of ["self_recovered", "memory_leak", "P1", "dependsOn", "maxSteps"]) expect(schema).toContain(word);
  });
});
