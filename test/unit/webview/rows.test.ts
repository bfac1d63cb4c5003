import { expect, test } from "vitest";
import type { AlertRow } from "../../../src/worlds/alerts/observation";
import { arrange, excess, type Line, type QueueRow, queueRows, tally } from "../../../webview/alerts/rows";
import { flood, publishedTask } from "../../webview/fixtures/episodes";

const NONE: ReadonlySet<string> = new Set();

function row(id: string, rest: Partial<QueueRow> = {}): QueueRow {
  return {
    id,
    name: "LatencyHigh",
    service: "api",
    since: -3,
    state: "firing",
    handling: "none",
    group: null,
    read: true,
    severity: null,
    team: null,
    value: 2,
    threshold: 1,
    comparison: ">",
    unit: "s",
    haystack: `${id}\n${rest.name ?? "latencyhigh"}\n${rest.service ?? "api"}`.toLowerCase(),
    ...rest,
  };
}
const ids = (lines: readonly Line[]) => lines.map((line) => (line.kind === "alert" ? line.row.id : `#${line.label}`));
const how = { filter: "", groupBy: "none", sortBy: "oldest", collapsed: NONE };

test("alerts of the same minute are ordered by id, whatever order they come in", () => {
  const rows = ["a3", "a1", "a2"].map((id) => row(id));
  expect(ids(arrange(rows, how).lines)).toEqual(["a1", "a2", "a3"]);
  expect(ids(arrange([...rows].reverse(), { ...how, sortBy: "value" }).lines)).toEqual(["a1", "a2", "a3"]);
});

test("every word of the filter must occur, and a word after a minus must not", () => {
  const rows = [
    row("a1", { service: "orders-db" }),
    row("a2", { service: "orders-api" }),
    row("a3", { service: "edge" }),
  ];
  expect(ids(arrange(rows, { ...how, filter: "orders -db" }).lines)).toEqual(["a2"]);
  expect(arrange(rows, { ...how, filter: "orders" }).shown).toBe(2);
  // A minus whose word is still to come hides nothing.
  expect(arrange(rows, { ...how, filter: "  -  " }).shown).toBe(3);
});

test("a folded group keeps its heading and counts, and hides its alerts", () => {
  const rows = [row("a1", { service: "x" }), row("a2", { service: "y" }), row("a3", { service: "x" })];
  const { lines, shown } = arrange(rows, { ...how, groupBy: "service", collapsed: new Set(["service:x"]) });
  expect(ids(lines)).toEqual(["#x", "#y", "a2"]);
  expect(shown).toBe(3);
});

test("how far a value is beyond its threshold turns round for rules that fire below one", () => {
  expect(excess(row("a", { value: 3, threshold: 2 }))).toBe(1.5);
  expect(excess(row("a", { value: 50, threshold: 80, comparison: "<" }))).toBe(1.6);
  expect(excess(row("a", { value: 0, threshold: 80, comparison: "<" }))).toBe(2);
  expect(excess(row("a", { value: null }))).toBe(-1);
});

test("the tally counts states, handling and what was not looked at", () => {
  const rows = [row("a1"), row("a2", { state: "resolved", read: false }), row("a3", { handling: "silenced" })];
  expect(tally(rows)).toBe("2 firing, 1 resolved, 1 silenced, 1 not looked at");
  expect(tally([row("a1", { read: false })])).toBe("1 firing, none looked at");
});

test("an alert that was not inspected shows no severity, owner or value", () => {
  const { observation } = flood(20);
  const unread = queueRows(observation as Parameters<typeof queueRows>[0]).filter((r) => !r.read);
  expect(unread.length).toBeGreaterThan(0);
  for (const r of unread) expect([r.severity, r.team, r.value, r.threshold]).toEqual([null, null, null, null]);
});

test("rows of alerts that have not changed are the same objects, so that drawing can skip them", () => {
  const observation = flood(5).observation as Parameters<typeof queueRows>[0];
  const touched = {
    ...observation,
    alerts: observation.alerts.map((a: AlertRow, i) => (i === 2 ? { ...a, state: "resolved" as const } : a)),
  };
  const [before, after] = [queueRows(observation), queueRows(touched)];
  expect(before.map((r, i) => r === after[i])).toEqual([true, true, false, true, true]);
});

test("a published task lists what the original shows, with what the triage suppressed", () => {
  const rows = queueRows(publishedTask().observation as Parameters<typeof queueRows>[0]);
  expect(rows.map((r) => r.handling)).toEqual(["none", "none", "none", "none", "suppressed"]);
  expect(rows[0]).toMatchObject({ id: "al-1", team: "database", value: 42, threshold: 10, read: true });
});
