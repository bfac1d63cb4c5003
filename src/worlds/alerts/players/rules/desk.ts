/** What lies before the rules: the present observation and what has been understood of the system so far. */
import type { Action } from "../../../../core/action";
import type { ChangeEvent, ImpactReading } from "../../draw";
import type { Mechanism } from "../../mechanisms";
import type { AlertRow, AlertsObservation, EvidenceItem } from "../../observation";
import { objectiveOf } from "../../severity";
import type { ServiceNetwork } from "./network";

/** A part of the script: yields actions, is resumed with what came of them, and gives a result. */
export type Part<T> = Generator<Action, T, AlertsObservation>;

export interface Desk {
  seen: AlertsObservation;
  readonly network: ServiceNetwork;
  readonly changes: readonly ChangeEvent[];
  readonly readings: readonly ImpactReading[];
  /** Minute at which the first service began to miss its objective; null when none does. */
  readonly felt: number | null;
  /** Alerts that flapped when the page came. */
  readonly flapping: ReadonlySet<string>;
  /** `service metric` of every history read. */
  readonly read: Set<string>;
}

/** A cause that was found, with the ids of what shows it. */
export interface Cause {
  readonly component: string;
  readonly mechanism: Mechanism;
  readonly confidence: number;
  readonly evidence: readonly string[];
  /** Minute from which its sign shows. */
  readonly since: number;
}

/** What the last read showed. */
export function newest(seen: AlertsObservation): EvidenceItem | undefined {
  return seen.items[seen.items.length - 1];
}

export function stepsLeft({ seen }: Desk): number {
  return seen.maxSteps - seen.step;
}

/** Minutes before customers feel a fault in which its first alerts may fire. */
export const EARLY = 8;

/** Whether an alert belongs to what customers began to feel, and not to what rang long before or flaps. */
export function isOfBurst({ felt, flapping }: Desk, row: AlertRow): boolean {
  return row.state !== "flapping" && !flapping.has(row.id) && (felt === null || row.since >= felt - EARLY);
}

/** Whether a service has missed its objective in the last half hour. */
export function isHurt(reading: ImpactReading): boolean {
  return (reading.worst ?? 0) > objectiveOf(reading);
}
