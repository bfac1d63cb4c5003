/** Severity from measured impact, and the draws where it would be a matter of taste. */
import type { Run, ServiceSpec } from "../dependency-model/system";
import type { ImpactReading, Severity } from "../draw";
import { CUSTOMER_OBJECTIVE, nearThreshold, objectiveOf, severityOf } from "../severity";
import type { Plan, Struck } from "./attempt";
import { ImpactMeter } from "./measure";
import { Rejection } from "./rejection";

/** A player may judge at any of these minutes and must come to the same answer. */
const JUDGED_AT = [0, 4, 8, 12, 20];
export const LAST_JUDGED = 20;

export interface Judgement {
  readonly severity: Severity;
  /** The service whose reading decides. */
  readonly top: string;
}

/** What one incident does by itself: its severity, and the services it touches. */
export interface Alone {
  readonly severity: Severity;
  readonly touched: readonly ServiceSpec[];
}

/** @throws Rejection where the noise alone is felt. The run must have come to `LAST_JUDGED`. */
export function judgeQuiet(plan: Plan, none: Run): void {
  const quiet = readingsOf(plan, none, 8);
  if (severityOf(quiet) !== "P4" || nearThreshold(quiet)) throw new Rejection("noise alone is felt by customers");
}

/**
 * The severity of an incident in a run without the others. The run must have come to `LAST_JUDGED`.
 * @throws Rejection where the severity changes with time, lies near a threshold, or is none.
 */
export function judgeAlone(plan: Plan, run: Run, { healed }: Pick<Struck, "healed">): Alone {
  const { services } = plan.system.spec;
  const own = new ImpactMeter(run, plan.noise);
  const at = JUDGED_AT.map((minute) => services.map((service) => own.reading(service, minute)));
  const severity = severityOf(at[0] as ImpactReading[]);
  if (severity === "P4") throw new Rejection("no customer effect");
  if (at.some((readings) => severityOf(readings) !== severity)) throw new Rejection("severity changes with time");
  // Of a fault that goes on and is felt no more, "it healed by itself" would be as true.
  if (healed === null && !at.every((readings) => readings.some(isFelt))) throw new Rejection("felt no more");
  if (at.some((readings) => nearThreshold(readings))) throw new Rejection("severity near a threshold");
  return {
    severity,
    touched: services.filter((_, k) => at.some((readings) => isTouched(readings[k] as ImpactReading))),
  };
}

/** The severity of each incident in the run with all of them. @throws Rejection where one does not show beside the others. */
export function judgeTogether(plan: Plan, run: Run, incidents: readonly Alone[]): readonly Judgement[] {
  const whole = new ImpactMeter(run, plan.noise);
  return incidents.map(({ severity, touched }) => {
    if (JUDGED_AT.some((minute) => severityOf(touched.map((service) => whole.reading(service, minute))) !== severity)) {
      throw new Rejection("another incident hides the severity");
    }
    return { severity, top: deciding(touched, whole, severity) };
  });
}

function readingsOf(plan: Plan, run: Run, minute: number): readonly ImpactReading[] {
  const meter = new ImpactMeter(run, plan.noise);
  return plan.system.spec.services.map((service) => meter.reading(service, minute));
}

function isTouched(reading: ImpactReading): boolean {
  return (reading.worst ?? 0) > CUSTOMER_OBJECTIVE;
}

function isFelt(reading: ImpactReading): boolean {
  return (reading.failing ?? 0) > objectiveOf(reading);
}

/** The touched service with the worst share among those that can decide this severity. */
function deciding(touched: readonly ServiceSpec[], meter: ImpactMeter, severity: Severity): string {
  const counts = (service: ServiceSpec) => severityOf([meter.reading(service, 0)]) === severity;
  const worst = touched
    .filter(counts)
    .map((service) => ({ name: service.name, share: meter.reading(service, 0).worst ?? 0 }))
    .sort((a, b) => b.share - a.share || (a.name < b.name ? -1 : 1));
  const top = worst[0];
  if (top === undefined) throw new Rejection("no single service shows the severity");
  return top.name;
}
