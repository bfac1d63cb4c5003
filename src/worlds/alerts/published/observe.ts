/** What a player of a published task sees: the original's fields, and the same alerts as rows for the panel. */
import { clockText } from "../../../core/clock";
import { digest } from "../../../core/json";
import type { ScenarioInfo } from "../../../core/world";
import { TEAMS } from "../draw";
import type { AlertRow, AlertsObservation } from "../observation";
import type { Triage } from "./actions";
import type { DrawnTask } from "./draw";
import { PUBLISHED_SEVERITY_POLICY, SERVICES_MAP, TRIAGE_MINUTES } from "./scenarios";

/** What the page itself shows counts as read. */
const FIRST_ITEM = "page";

/** The observation before the first step. */
export function firstObservation(scenario: ScenarioInfo, drawn: DrawnTask): AlertsObservation {
  const rows = drawn.alerts.map((_, index) => rowOf(drawn, index));
  return {
    world: "alerts",
    scenario: scenario.id,
    title: scenario.title,
    brief: scenario.brief,
    step: 0,
    maxSteps: scenario.maxSteps,
    minute: 0,
    maxMinutes: scenario.maxMinutes,
    clock: clockText(drawn.startOfDay),
    done: false,
    lastResult: null,
    alerts: rows,
    counts: { firing: rows.length, flapping: 0, resolved: 0, quieted: 0 },
    groups: [],
    silences: [],
    items: [],
    severityPolicy: PUBLISHED_SEVERITY_POLICY,
    teams: TEAMS,
    published: { taskId: scenario.id, servicesMap: SERVICES_MAP, alerts: drawn.alerts, triage: null },
  };
}

/** The observation after one more triage. Suppressed alerts show as silenced. */
export function nextObservation(before: AlertsObservation, drawn: DrawnTask, triage: Triage): AlertsObservation {
  const step = before.step + 1;
  const minute = before.minute + TRIAGE_MINUTES;
  const quieted = triage.suppressed.length;
  return {
    ...before,
    step,
    minute,
    clock: clockText(drawn.startOfDay + minute),
    done: step >= before.maxSteps,
    lastResult: { id: `t${step}`, action: "triage", text: resultText(step, before.maxSteps, triage) },
    alerts: before.alerts.map((row) => {
      const handling = triage.suppressed.includes(row.id) ? "silenced" : "none";
      return row.handling === handling ? row : { ...row, handling };
    }),
    counts: { ...before.counts, firing: before.alerts.length - quieted, quieted },
    published: before.published ? { ...before.published, triage } : null,
  };
}

function resultText(step: number, maxSteps: number, triage: Triage): string {
  const suppressed =
    triage.suppressed.length === 0 ? "nothing suppressed" : `${triage.suppressed.join(", ")} suppressed`;
  const left = maxSteps - step;
  const ending = left === 0 ? "That was the last step." : `You may revise it ${left === 1 ? "once" : `${left} times`}.`;
  return `Triage ${step} of ${maxSteps}: ${triage.severity} to ${triage.team}, ${suppressed}. ${ending}`;
}

function rowOf(drawn: DrawnTask, index: number): AlertRow {
  const alert = drawn.alerts[index] as DrawnTask["alerts"][number];
  const labels = [["alertname", alert.metric] as const, ["service", alert.service] as const];
  return {
    id: alert.alert_id,
    name: alert.metric,
    service: alert.service,
    since: 0 - alert.duration_s / 60,
    state: "firing",
    handling: "none",
    group: null,
    known: {
      item: FIRST_ITEM,
      readAt: 0,
      severity: "none",
      metric: alert.metric,
      comparison: ">",
      value: alert.value,
      threshold: alert.threshold,
      unit: drawn.units[index] ?? "",
      forMinutes: null,
      keepFiringMinutes: null,
      labels,
      annotations: [],
      fingerprint: digest(labels),
      team: SERVICES_MAP[alert.service] ?? null,
      firings: 1,
    },
  };
}
