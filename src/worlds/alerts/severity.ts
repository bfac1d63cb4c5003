/**
 * The severity policy: severity follows from what customers feel, never from a rule's own label. The generator, the
 * players and the grader all use this one table; the observation shows it in words.
 */
import type { ImpactReading, Severity } from "./draw";

/**
 * Shares of user requests (0..1) failing or too slow, at their worst. Five per cent is what a common incident policy
 * calls a major outage of a journey; one per cent burns a 99.9 % monthly objective about ten times too fast.
 */
export const SEVERITY_POLICY = { major: 0.05, noticeable: 0.01 } as const;

/** The severity of an incident from the worst impact on each service it touches. Null shares count as none. */
export function severityOf(readings: readonly Pick<ImpactReading, "customerFacing" | "revenue" | "worst">[]): Severity {
  let revenue = 0;
  let users = 0;
  for (const reading of readings) {
    const worst = reading.worst ?? 0;
    if (reading.revenue && worst > revenue) revenue = worst;
    if ((reading.customerFacing || reading.revenue) && worst > users) users = worst;
  }
  if (revenue >= SEVERITY_POLICY.major) return "P1";
  if (users >= SEVERITY_POLICY.major || revenue >= SEVERITY_POLICY.noticeable) return "P2";
  if (users >= SEVERITY_POLICY.noticeable) return "P3";
  return "P4";
}

/** The policy as players read it: the same lines in every episode. */
export const SEVERITY_TEXT: readonly string[] = [
  "P1: on a service that takes money, 5 % or more of user requests fail or are too slow.",
  "P2: on a service users reach, 5 % or more; or 1 % or more on one that takes money.",
  "P3: on a service users reach, 1 % or more.",
  "P4: less than that, or users feel nothing.",
  "What counts is the worst share an incident caused, as the objectives measured it, even if it has healed since.",
];
