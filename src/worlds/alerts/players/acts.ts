/** The actions of this world as players write them, so that scripts read like what a person does. */
import type { Action } from "../../../core/action";
import type { Disposition } from "../dispositions";
import type { Severity } from "../draw";
import type { Mechanism } from "../mechanisms";

export const acts = {
  inspect: (alert: string): Action => ({ name: "inspect_alert", args: { alert } }),
  history: (service: string, metric: string, minutes = 60): Action => ({
    name: "query_history",
    args: { service, metric, minutes },
  }),
  graph: (): Action => ({ name: "service_graph", args: {} }),
  changes: (minutes = 180): Action => ({ name: "recent_changes", args: { minutes } }),
  impact: (service: string): Action => ({ name: "impact", args: { service } }),
  acknowledge: (alerts: readonly string[]): Action => ({ name: "acknowledge", args: { alerts } }),
  group: (alerts: readonly string[], group?: string): Action => ({
    name: "group",
    args: group === undefined ? { alerts } : { alerts, group },
  }),
  ungroup: (alerts: readonly string[]): Action => ({ name: "ungroup", args: { alerts } }),
  silence: (matchers: readonly string[], minutes: number, reason: string): Action => ({
    name: "silence",
    args: { matchers, minutes, reason },
  }),
  snooze: (alerts: readonly string[], minutes = 120): Action => ({ name: "snooze", args: { alerts, minutes } }),
  maintenance: (service: string, minutes: number, reason: string): Action => ({
    name: "maintenance",
    args: { service, minutes, reason },
  }),
  expire: (silence: string): Action => ({ name: "expire_silence", args: { silence } }),
  route: (group: string, severity: Severity, team: string): Action => ({
    name: "route",
    args: { group, severity, team },
  }),
  declare: (group: string, cause: DeclaredCause): Action => ({
    name: "declare_cause",
    args: { group, summary: "", evidence: [], ...cause },
  }),
  escalate: (team: string, reason: string, group?: string): Action => ({
    name: "escalate",
    args: group === undefined ? { team, reason } : { group, team, reason },
  }),
  wait: (minutes: number): Action => ({ name: "wait", args: { minutes } }),
  close: (disposition: Disposition): Action => ({ name: "close_triage", args: { disposition } }),
};

export interface DeclaredCause {
  readonly component: string;
  readonly mechanism: Mechanism;
  readonly confidence: number;
  readonly evidence?: readonly string[];
  readonly summary?: string;
}
