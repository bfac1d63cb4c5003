/**
 * A scenario file as the draw an episode plays on. Only what the file holds can be read: firings and the last value of an
 * alert; metrics, changes and customer impact were never sent, so `measured` is false and nothing invents them. What the
 * author answered becomes the truth: an alert of an incident that was looked at supports it.
 */
import { round } from "../../../core/math";
import type { OpenOptions, ScenarioFile } from "../../../core/world";
import type { Disposition } from "../dispositions";
import type { AlertRuleView, AlertsDraw, DrawnAlert, DrawnService, FiringSpan, ImpactReading, Severity } from "../draw";
import { MECHANISMS, type Mechanism } from "../mechanisms";
import { type AlertsTruth, type IncidentTruth, Sealed } from "../truth";
import { compareText, type ImportedAlert, type ImportedService, labelOf } from "./alert-set";
import { minuteOfDay } from "./rfc3339";
import { type AlertsFileContent, authorsTruth, contentOf } from "./scenario-file";
import type { FileTruth } from "./seal";
import { queueOf } from "./truth-draft";

/** Days of earlier firings a draw carries. */
const PAST_DAYS = 30;
const NO_PAST: readonly number[] = Array.from({ length: PAST_DAYS }, () => 0);
/** Stands for a metric's name where the file has none. */
const UNKNOWN_METRIC = "value";
/** History is offered this far back at least, as in every draw. */
const LEAST_HISTORY_MINUTES = 60;

/**
 * The draw of a scenario file from `readScenario`, `scenarioFrom` or `checkScenario`. The seed changes nothing: there is one
 * queue. Without the author's truth it can be played, but whoever opens the truth is told that there is none.
 */
export function importedDraw(file: ScenarioFile, options: OpenOptions = {}): AlertsDraw {
  const content = contentOf(file);
  const alerts = drawnAlerts(content);
  const firstMinute = alerts[0]?.spans[0]?.from ?? 0;
  return {
    startOfDay: minuteOfDay(content.source.pageAt),
    fromMinute: Math.floor(Math.min(0 - LEAST_HISTORY_MINUTES, firstMinute)),
    toMinute: content.budget.maxMinutes,
    services: content.services.map(drawnService),
    alerts,
    changes: [],
    metricsOf: () => [],
    history: () => [],
    impact: notMeasured,
    measured: false,
    truth: new Sealed(truthOf(authorsTruth(file), alerts, options.canary ?? "")),
    rejected: 0,
  };
}

function drawnAlerts(content: AlertsFileContent): readonly DrawnAlert[] {
  const { pageAt } = content.source;
  const alerts = queueOf(content).map((alert) => drawnAlert(alert, pageAt));
  return alerts.sort((a, b) => startOf(a) - startOf(b) || compareText(a.id, b.id));
}

function drawnAlert(alert: ImportedAlert, pageAt: number): DrawnAlert {
  const minute = (time: number) => round((time - pageAt) / 60_000, 3);
  return {
    id: alert.id,
    name: alert.name,
    service: alert.service,
    fingerprint: alert.fingerprint,
    labels: alert.labels,
    annotations: alert.annotations,
    rule: ruleOf(alert),
    spans: alert.spans.map(({ from, to }): FiringSpan => ({ from: minute(from), to: to === null ? null : minute(to) })),
    // The file knows the value at the page only; before it nothing was sent.
    valueAt: (at) => (at >= 0 ? alert.value : null),
    past: NO_PAST,
    pastCritical: 0,
  };
}

function ruleOf(alert: ImportedAlert): AlertRuleView {
  return {
    name: alert.name,
    metric: UNKNOWN_METRIC,
    comparison: ">",
    threshold: alert.threshold,
    unit: "",
    forMinutes: 0,
    keepFiringMinutes: 0,
    severity: labelOf(alert.labels, "severity") ?? labelOf(alert.labels, "Severity") ?? "none",
  };
}

function drawnService({ name, team, dependsOn }: ImportedService): DrawnService {
  return { name, kind: "service", team, dependsOn, customerFacing: false, revenue: false };
}

function notMeasured(service: string): ImpactReading {
  return { service, customerFacing: false, revenue: false, failing: null, worst: null, since: null };
}

function truthOf(answers: FileTruth | null, alerts: readonly DrawnAlert[], canary: string): AlertsTruth | null {
  if (!answers) return null;
  const { disposition, incidents } = answers;
  const byId = new Map(alerts.map((alert) => [alert.id, alert]));
  const taken = new Set(incidents.flatMap((incident) => incident.alerts));
  const noise = alerts.map((alert) => alert.id).filter((id) => !taken.has(id));
  return {
    incidents: incidents.map((incident, index) => {
      const own = incident.alerts.flatMap((id) => byId.get(id) ?? []);
      return incidentOf(incident, `i${index + 1}`, own, disposition === "self_recovered", canary);
    }),
    noise,
    noiseStories: Object.fromEntries(noise.map((id) => [id, `${canary}The author put it into no incident.`])),
    disposition: disposition as Disposition,
    alsoTrue: [],
    canary,
  };
}

function incidentOf(
  answer: FileTruth["incidents"][number],
  id: string,
  alerts: readonly DrawnAlert[],
  healed: boolean,
  canary: string,
): IncidentTruth {
  const own = new Set(answer.alerts);
  const mechanism = answer.mechanism as Mechanism;
  const ends = alerts.flatMap((alert) => alert.spans[alert.spans.length - 1]?.to ?? []);
  const read = (alert: string) => [{ action: "inspect_alert" as const, args: { alert } }];
  const first = answer.alerts[0] ?? "";
  const last = answer.alerts[answer.alerts.length - 1] ?? first;
  return {
    id,
    component: answer.component,
    mechanism,
    severity: answer.severity as Severity,
    team: answer.team,
    alerts: answer.alerts,
    onset: Math.min(...alerts.map(startOf)),
    healed: healed ? Math.max(...ends) : null,
    determined: mechanism !== "undetermined",
    supports: (fact) => fact.kind === "alert" && own.has(fact.alert),
    excludes: () => [],
    routes: [read(first), read(last)],
    story: `${canary}${answer.component}: ${MECHANISMS[mechanism]}; ${answer.severity} for ${answer.team}, as the author says.`,
  };
}

function startOf(alert: DrawnAlert): number {
  return alert.spans[0]?.from ?? 0;
}
