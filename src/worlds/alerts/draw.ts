/**
 * What an alerts episode plays on: one drawn system with its alerts, readable through measured values only.
 * The generator fills it from a simulated run; an imported file fills it from what the file holds. Minutes are counted
 * from the page (minute 0 = the episode begins); history is negative. Every read is a pure function: reading in another
 * order changes nothing.
 */
import type { Sealed } from "./truth";

export const TEAMS = ["sre", "database", "app", "network"] as const;
export type Team = (typeof TEAMS)[number];
export const SEVERITIES = ["P1", "P2", "P3", "P4"] as const;
export type Severity = (typeof SEVERITIES)[number];

export interface DrawnService {
  readonly name: string;
  /** `edge`, `api`, `worker`, `cache`, `database`, `replica`, `queue`, `dns`, `third_party` … */
  readonly kind: string;
  /** The owner; null where an imported file does not say. */
  readonly team: string | null;
  readonly dependsOn: readonly string[];
  /** Users reach it directly. */
  readonly customerFacing: boolean;
  /** Money is taken on it. */
  readonly revenue: boolean;
}

export interface AlertRuleView {
  readonly name: string;
  /** Metric name, OpenTelemetry style where one exists. */
  readonly metric: string;
  readonly comparison: ">" | "<";
  readonly threshold: number | null;
  readonly unit: string;
  /** Minutes the condition must hold before it fires. */
  readonly forMinutes: number;
  /** Minutes it keeps firing after the condition has cleared. */
  readonly keepFiringMinutes: number;
  /** The rule's severity label as its author wrote it: `critical`, `warning`, `info`. Not the truth about impact. */
  readonly severity: string;
}

/** A time in which an alert fires; `to` is null while it goes on to the end of the run. */
export interface FiringSpan {
  readonly from: number;
  readonly to: number | null;
}

export interface DrawnAlert {
  /** `a01` …, ordered by first firing. */
  readonly id: string;
  readonly name: string;
  readonly service: string;
  /** 16 hexadecimal digits of the label set; equal labels are the same alert. */
  readonly fingerprint: string;
  /** Sorted by name; includes `alertname`, `service`, `severity`. Pairs, since imported names may be anything. */
  readonly labels: readonly (readonly [string, string])[];
  readonly annotations: readonly (readonly [string, string])[];
  readonly rule: AlertRuleView;
  /** At least one; ordered; the first may begin before minute 0. An alert is not seen before its first firing. */
  readonly spans: readonly FiringSpan[];
  /** The measured value at a minute; null in a gap or where the file has none. */
  valueAt(minute: number): number | null;
  /** Firings of the same labels in the last 30 days before the page, per day, oldest first (30 numbers). */
  readonly past: readonly number[];
  /** How many of those were critical for customers, as the incident log has it. */
  readonly pastCritical: number;
}

export interface HistorySeries {
  readonly service: string;
  readonly metric: string;
  readonly unit: string;
  /** E.g. `version=2.4.1` or `zone=b`; empty for the whole. */
  readonly facet: string;
  /** Minute of each point. */
  readonly minutes: readonly number[];
  /** One value a minute point; null is a missing scrape, never 0. */
  readonly values: readonly (number | null)[];
}

export interface ChangeEvent {
  readonly minute: number;
  readonly service: string;
  /** `deploy`, `config`, `flag`, `restart`, `scale`, `migration`, `job`, `certificate`, `maintenance` … */
  readonly kind: string;
  readonly text: string;
}

/** Customer impact of one service as its objectives measure it. */
export interface ImpactReading {
  readonly service: string;
  readonly customerFacing: boolean;
  readonly revenue: boolean;
  /** Share of user requests failing or too slow now and at its worst in the last 30 minutes, 0..1; null when not measured. */
  readonly failing: number | null;
  readonly worst: number | null;
  /** Minute the objective was first missed; null when it is met. */
  readonly since: number | null;
}

export interface AlertsDraw {
  /** Minutes after midnight at minute 0. */
  readonly startOfDay: number;
  /** The first minute history can be read from (≤ −60), and the last minute simulated. */
  readonly fromMinute: number;
  readonly toMinute: number;
  readonly services: readonly DrawnService[];
  /** All alerts that fire in the run, those after minute 0 included, ordered by first firing. */
  readonly alerts: readonly DrawnAlert[];
  readonly changes: readonly ChangeEvent[];
  metricsOf(service: string): readonly { readonly metric: string; readonly unit: string; readonly help: string }[];
  /** Measured points in [from, to], at most `maxPoints` a series (evenly thinned). Empty when the service lacks the metric. */
  history(service: string, metric: string, from: number, to: number, maxPoints: number): readonly HistorySeries[];
  impact(service: string, minute: number): ImpactReading;
  /**
   * False where only alerts are known, as in an imported file: metrics, changes and customer impact were never measured, so
   * nothing that is read can exclude another cause, and grades leave out what rests on that. Absent means measured.
   */
  readonly measured?: boolean;
  readonly truth: Sealed;
  /** Draws refused before this one was accepted for the seed. */
  readonly rejected: number;
}
