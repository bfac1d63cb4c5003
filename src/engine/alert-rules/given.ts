/** How the rules of a company are written down: what is usual is left out. */

import { type ServiceSpec, TICKS_PER_MINUTE } from "../spec";
import type { AlertRule, Severity } from "./rule";

/** Ticks. */
export function minutes(count: number): number {
  return count * TICKS_PER_MINUTE;
}

/** Unless said otherwise a rule looks at the instant, every minute, and keeps firing for five. */
export type Given = Pick<AlertRule, "name" | "metric" | "comparison" | "threshold"> & {
  readonly summary: string;
  readonly description: string;
  readonly forMinutes: number;
} & Partial<Pick<AlertRule, "of" | "range" | "every" | "keepFiringFor" | "where">>;

/** The rule of a service. */
export function rule(severity: Severity, service: ServiceSpec, given: Given): AlertRule {
  const { name, metric, comparison, threshold, summary, description, forMinutes, where } = given;
  return {
    name,
    severity,
    service: service.name,
    metric,
    ...(where ? { where } : {}),
    of: given.of ?? "value",
    range: given.range ?? 1,
    comparison,
    threshold,
    for: minutes(forMinutes),
    keepFiringFor: given.keepFiringFor ?? minutes(5),
    every: given.every ?? minutes(1),
    labels: {
      alertname: name,
      severity,
      service: service.name,
      team: service.team,
      ...(where?.["server.address"] ? { callee: where["server.address"] } : {}),
    },
    annotations: { summary, description },
  };
}
