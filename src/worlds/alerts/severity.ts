/**
 * How severity follows from customer impact. The same numbers stand in the text every player sees and in the truth.
 * A share is the worst failing share (failed or too slow) of the last 30 minutes, as the impact read shows it.
 */
import type { ImpactReading, Severity } from "./draw";

/** P1: a service that takes money fails more than this. */
export const REVENUE_SHARE = 0.05;
/** P2: a service users reach directly fails more than this. */
export const CUSTOMER_SHARE = 0.02;
/** The objective of services users reach directly: P3 when it is missed by less than P2. */
export const CUSTOMER_OBJECTIVE = 0.005;
/** P3: an internal service fails more than this, so that users are next. */
export const INTERNAL_SHARE = 0.05;
/** Readings closer to a threshold than this share of it are not drawn: they would be a matter of taste. */
const NEAR = 0.25;

export const SEVERITY_POLICY: readonly string[] = [
  "Severity follows customer impact: the worst share of requests that failed or were too slow in the last 30 minutes (read it with impact).",
  "P1: a revenue service fails more than 5 % of its requests.",
  "P2: a customer-facing service fails more than 2 % (and P1 does not apply).",
  "P3: a customer-facing service fails more than 0.5 %, or an internal service more than 5 %.",
  "P4: none of these; no customer notices.",
];

type Judged = Pick<ImpactReading, "customerFacing" | "revenue" | "worst">;

/** The severity of an incident from the readings of the services it touches; services without a reading count as well. */
export function severityOf(readings: readonly Judged[]): Severity {
  const over = (limit: number, concerns: (reading: Judged) => boolean) =>
    readings.some((reading) => concerns(reading) && (reading.worst ?? 0) > limit);
  if (over(REVENUE_SHARE, (reading) => reading.revenue)) return "P1";
  if (over(CUSTOMER_SHARE, (reading) => reading.customerFacing)) return "P2";
  if (
    over(CUSTOMER_OBJECTIVE, (reading) => reading.customerFacing) ||
    over(INTERNAL_SHARE, (reading) => !reading.customerFacing)
  )
    return "P3";
  return "P4";
}

/** Whether the severity would be another with every reading a quarter higher or lower. */
export function nearThreshold(readings: readonly Judged[]): boolean {
  const scaled = (factor: number) =>
    severityOf(readings.map((reading) => ({ ...reading, worst: (reading.worst ?? 0) * factor })));
  return scaled(1 + NEAR) !== scaled(1 - NEAR);
}

/** The failing share above which a service misses its objective. */
export function objectiveOf(service: { readonly customerFacing: boolean }): number {
  return service.customerFacing ? CUSTOMER_OBJECTIVE : INTERNAL_SHARE;
}
