/** A small imported queue with answers, and its runs, for tests of what recordings hold of them. */
import type { Action } from "../../../src/core/action";
import type { RecordStore } from "../../../src/core/recorder";
import { type OpenRun, type RunContext, startRun } from "../../../src/core/runs";
import type { ScenarioFile, World } from "../../../src/core/world";
import { importAlerts, scenarioFrom, type TruthDraft } from "../../../src/worlds/alerts/import";
import { alertsWorld } from "../../../src/worlds/alerts/world";
import { alert, draftOn, SALT, text, webhook } from "./payloads";

export const world = alertsWorld as unknown as World;
export const find = (): World => world;

const SET = importAlerts(
  text(webhook([alert(), alert({ labels: { alertname: "GlazeLow", service: "store", severity: "critical" } })])),
);
export const IDS = SET.alerts.map((one) => one.id);

/** The scenario, with changed answers or another salt. */
export function kiln(changes: Partial<TruthDraft> = {}, salt = SALT): ScenarioFile {
  return scenarioFrom(SET, draftOn(SET, IDS.slice(0, 1), changes), salt);
}

export const LOOK: Action = { name: "inspect_alert", args: { alert: "a01" } };
export const GROUP: Action = { name: "group", args: { alerts: ["a01"] } };
export const GIVE_UP: Action = { name: "give_up", args: {} };

let ids = 0;

export function context(store: RecordStore | null, more: Partial<RunContext> = {}): RunContext {
  return { store, openedBy: "human", now: "2026-03-04T05:06:07.000Z", id: `kiln${ids++}`, ...more };
}

/** Starts a run of the scenario and takes actions in it; the recording is let go of unless the last one ends it. */
export async function played(store: RecordStore, file: ScenarioFile, ...actions: readonly Action[]): Promise<OpenRun> {
  const run = await startRun(world, file, 0, context(store));
  for (const action of actions) {
    const { problem } = await run.session.act(action, "human");
    if (problem) throw new Error(problem.message);
  }
  await run.session.suspend();
  return run;
}
