import { expect, test } from "vitest";
import type { ActionForm } from "../../../src/core/action";
import { ALERT_ACTIONS } from "../../../src/worlds/alerts/actions";
import type { AlertsObservation } from "../../../src/worlds/alerts/observation";
import {
  actionOf,
  actionToPreview,
  freshDraft,
  problemsOf,
  type Target,
  unavailable,
} from "../../../webview/alerts/drafts";
import { type QueueRow, queueRows } from "../../../webview/alerts/rows";
import { publishedTask, storm } from "../../webview/fixtures/episodes";

const form = (name: string): ActionForm => {
  const found = [...ALERT_ACTIONS.forms(), ...publishedTask().actions].find((f) => f.name === name);
  if (!found) throw new Error(`There is no ${name}.`);
  return found;
};
const observation = storm().observation as AlertsObservation;
const rows = queueRows(observation);
const at = (id: string): QueueRow => {
  const row = rows.find((r) => r.id === id);
  if (!row) throw new Error(`There is no ${id}.`);
  return row;
};
const pointing = (id: string, rest: Partial<Target> = {}): Target => ({
  row: at(id),
  rows: [at(id)],
  chosen: false,
  cited: [],
  observation,
  ...rest,
});

test("reads are complete from the cursor alone, except a metric that nobody has read of yet", () => {
  const complete = (name: string, id: string) =>
    problemsOf(form(name), freshDraft(form(name), pointing(id), undefined)).length === 0;
  for (const name of ["inspect_alert", "service_graph", "recent_changes", "impact"])
    expect(complete(name, "a01")).toBe(true);
  expect(complete("query_history", "a01")).toBe(false);
  expect(complete("query_history", "a03")).toBe(true);
});

test("a silence matches what the selected alerts have in common", () => {
  const two = [at("a03"), { ...at("a03"), id: "a99", service: 'odd"name' }];
  const draft = freshDraft(form("silence"), pointing("a03", { rows: two, chosen: true }), undefined);
  expect(draft.matchers).toEqual(['alertname="PoolNearlyFull"']);
  const one = freshDraft(form("silence"), pointing("a03", { rows: two.slice(1), chosen: true }), undefined);
  expect(one.matchers).toEqual(['alertname="PoolNearlyFull"', 'service="odd\\"name"']);
});

test("what was typed stays when a form is opened again elsewhere, what is pointed at follows", () => {
  const stored = { alerts: ["a03"], matchers: ["x=1"], minutes: "90", reason: "typed" };
  const draft = freshDraft(form("silence"), pointing("a06"), stored);
  expect(draft).toMatchObject({ minutes: "90", reason: "typed" });
  expect(draft.matchers).not.toEqual(["x=1"]);
});

test("an answer already begun keeps its component when the cursor moves", () => {
  const draft = freshDraft(form("declare_cause"), pointing("a01"), { component: "tariff-cache" });
  expect(draft.component).toBe("tariff-cache");
});

test("grouping starts a new incident; routing takes the one the alert is in", () => {
  expect(freshDraft(form("group"), pointing("a03"), undefined).group).toBeUndefined();
  expect(freshDraft(form("route"), pointing("a03"), undefined).group).toBe("g1");
});

test("the row at the cursor is not suppressed as noise, a selected one is", () => {
  const task = publishedTask().observation as AlertsObservation;
  const row = queueRows(task)[0] as QueueRow;
  const target: Target = {
    row,
    rows: [row],
    chosen: false,
    cited: [],
    observation: { ...task, published: task.published && { ...task.published, triage: null } },
  };
  expect(freshDraft(form("triage"), target, undefined).suppressed).toBeUndefined();
  expect(freshDraft(form("triage"), { ...target, chosen: true }, undefined).suppressed).toEqual(["al-1"]);
});

test("an action carries numbers as numbers, lists as lists, and leaves out what is empty", () => {
  const action = actionOf(form("silence"), { matchers: 'a="b"\n\n c=~"d.*" ', minutes: " 45 ", reason: "" });
  expect(action).toEqual({ name: "silence", args: { matchers: ['a="b"', 'c=~"d.*"'], minutes: 45 } });
});

test("missing and impossible values are named in the order of the fields", () => {
  expect(problemsOf(form("silence"), { matchers: "", minutes: "4.5" }).map((p) => p.message)).toEqual([
    "Matchers is missing.",
    "Minutes must be a whole number from 5 to 1440.",
    "Reason is missing.",
  ]);
});

test("an action that needs a list says so while the list is empty", () => {
  expect(unavailable(form("route"), { groups: [], teams: [{ value: "sre", label: "sre" }] })).toContain(
    "needs an incident",
  );
  expect(unavailable(form("expire_silence"), { silences: [] })).toContain("nothing is silenced");
  expect(unavailable(form("wait"), {})).toBeNull();
});

test("a silence is previewed before its reason is written, and sent only with one", () => {
  const draft = { matchers: 'a="b"', minutes: 45, reason: "" };
  const { args } = actionToPreview(form("silence"), draft);
  expect(args).toEqual({ matchers: ['a="b"'], minutes: 45, reason: "–" });
  expect(ALERT_ACTIONS.parse({ name: "silence", args })).not.toHaveProperty("problem");
  expect(problemsOf(form("silence"), draft).map((p) => p.field)).toEqual(["reason"]);
  const written = { ...draft, reason: "flaps" };
  expect(actionToPreview(form("silence"), written)).toEqual(actionOf(form("silence"), written));
});
