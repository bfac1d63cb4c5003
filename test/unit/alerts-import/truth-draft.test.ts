import { describe, expect, it } from "vitest";
import type { TruthFormPanelState } from "../../../src/panel-protocol";
import { draftFrom, importAlerts, problemsOf, type TruthDraft, truthForm } from "../../../src/worlds/alerts/import";
import { alert, draftOn, text, webhook } from "./payloads";

const SET = importAlerts(
  text(
    webhook([
      alert({ labels: { alertname: "KilnHot", service: "kiln", team: "potters" } }),
      alert({ labels: { alertname: "GlazeLow", service: "store" }, startsAt: "2030-01-01T02:05:00Z" }),
      alert({
        labels: { alertname: "DoorOpen", service: "kiln" },
        startsAt: "2030-01-01T02:06:00Z",
        status: "resolved",
        endsAt: "2030-01-01T02:09:00Z",
      }),
    ]),
  ),
);
// a01 KilnHot firing, a02 GlazeLow firing, a03 DoorOpen resolved.

function places(draft: TruthDraft): string[] {
  return problemsOf(draft, SET).map((problem) => problem.place);
}

function withIncident(changes: Record<string, unknown>): TruthDraft {
  const draft = draftOn(SET, ["a01"]);
  return { ...draft, incidents: draft.incidents.map((incident) => ({ ...incident, ...changes })) };
}

describe("a draft of the truth", () => {
  it("begins with a title and a brief from the file and leaves the answers to the author", () => {
    const draft = draftFrom(SET);
    expect(draft.title).toBe("3 alerts on 2 services, 2030-01-01");
    expect([draft.disposition, draft.incidents]).toEqual(["", []]);
    expect(problemsOf(draft, SET)).toEqual([
      {
        place: "/disposition",
        message:
          "Choose a way to close the triage: Routed to the teams, Recovered by itself, Nothing was wrong, Escalated, Inconclusive.",
      },
    ]);
  });

  it("has nothing wrong when every answer fits", () => {
    expect(places(draftOn(SET, ["a01", "a03"]))).toEqual([]);
    expect(places(draftOn(SET, ["a03"], { disposition: "self_recovered" }))).toEqual([]);
    expect(places({ ...draftOn(SET, []), disposition: "no_fault", incidents: [] })).toEqual([]);
    expect(places({ ...withIncident({ mechanism: "undetermined" }), disposition: "inconclusive" })).toEqual([]);
    expect(places(withIncident({ team: "potters" }))).toEqual([]);
  });

  it.each<[string, TruthDraft, string]>([
    ["an empty title", draftOn(SET, ["a01"], { title: "  " }), "/title"],
    ["a title that is too long", draftOn(SET, ["a01"], { title: "x".repeat(201) }), "/title"],
    ["an empty brief", draftOn(SET, ["a01"], { brief: "" }), "/brief"],
    ["an unknown disposition", draftOn(SET, ["a01"], { disposition: "fixed" }), "/disposition"],
    ["no fault with an incident", draftOn(SET, ["a01"], { disposition: "no_fault" }), "/disposition"],
    ["routed without an incident", draftOn(SET, ["a01"], { incidents: [] }), "/incidents"],
    ["escalated without an incident", draftOn(SET, [], { disposition: "escalated", incidents: [] }), "/incidents"],
    ["inconclusive with every mechanism named", draftOn(SET, ["a01"], { disposition: "inconclusive" }), "/disposition"],
    [
      "self-recovered with a firing alert",
      draftOn(SET, ["a03", "a01"], { disposition: "self_recovered" }),
      "/incidents/0/alerts",
    ],
    ["a component that is no service", withIncident({ component: "oven" }), "/incidents/0/component"],
    ["no component", withIncident({ component: "" }), "/incidents/0/component"],
    ["an unknown mechanism", withIncident({ mechanism: "gremlins" }), "/incidents/0/mechanism"],
    ["a name every object has", withIncident({ mechanism: "constructor" }), "/incidents/0/mechanism"],
    ["an unknown severity", withIncident({ severity: "P5" }), "/incidents/0/severity"],
    ["an unknown team", withIncident({ team: "bakers" }), "/incidents/0/team"],
    ["an incident without alerts", withIncident({ alerts: [] }), "/incidents/0/alerts"],
    ["an unknown alert", withIncident({ alerts: ["a01", "a77"] }), "/incidents/0/alerts/1"],
    ["an alert named twice", withIncident({ alerts: ["a01", "a01"] }), "/incidents/0/alerts/1"],
  ])("is told the place of %s", (_, draft, place) => {
    expect(places(draft)).toEqual([place]);
  });

  it("may put an alert into one incident only, and says into which it was put", () => {
    const first = draftOn(SET, ["a01"]).incidents[0];
    const second = { ...draftOn(SET, ["a02"]).incidents[0], alerts: ["a02", "a01"] } as TruthDraft["incidents"][number];
    const draft = draftOn(SET, ["a01"], { incidents: first ? [first, second] : [] });
    expect(problemsOf(draft, SET)).toEqual([
      { place: "/incidents/1/alerts/1", message: "a01 already belongs to incident 1; an alert has one incident." },
    ]);
  });

  it("cannot claim an alert that never fired, and needs one that has", () => {
    const pending = importAlerts(
      text({
        status: "success",
        data: { alerts: [{ labels: { service: "kiln" }, state: "pending", activeAt: "2030-01-01T00:00:00Z" }] },
      }),
    );
    expect(problemsOf(draftOn(pending, ["a01"]), pending)).toEqual([
      { place: "", message: "None of the alerts has fired, so there is nothing to triage; import others." },
      { place: "/incidents/0/alerts/0", message: "a01 never fired, so it is not in the queue; take it out." },
    ]);
  });
});

describe("the truth form", () => {
  it("gets everything its panel shows, in the panel's shape", () => {
    const draft = draftFrom(SET);
    const state: TruthFormPanelState = truthForm(SET, draft);
    expect(state.alerts[0]).toEqual({
      id: "a01",
      name: "KilnHot",
      service: "kiln",
      labels: 'service="kiln", team="potters"',
    });
    expect(state.teams).toEqual(["sre", "database", "app", "network", "potters"]);
    expect(state.components).toEqual(["kiln", "store"]);
    expect(state.mechanisms).toContainEqual({
      value: "disk_full",
      label: "Full disk",
      detail: "a disk is full or about to be",
    });
    expect(state.dispositions.find(({ value }) => value === "inconclusive")?.label).toBe("Inconclusive");
    expect([state.draft, state.problems.length]).toEqual([draft, 1]);
  });

  it("hands its draft back in a shape that can be checked and saved", () => {
    const state: TruthFormPanelState = truthForm(SET, draftOn(SET, ["a01"]));
    expect(problemsOf(state.draft, SET)).toEqual([]);
  });

  it("bounds what it shows of labels", () => {
    const set = importAlerts(text(webhook([alert({ labels: { note: "x".repeat(5000) } })])));
    const [one] = truthForm(set, draftFrom(set)).alerts;
    expect(one?.labels.length).toBeLessThan(460);
    expect(one?.labels).toContain("[cut: 400 of 5007 characters kept]");
  });
});
