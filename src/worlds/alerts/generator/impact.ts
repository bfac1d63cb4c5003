/** Severity from measured impact, and the draws where it would be a matter of taste. */
import type { Run, ServiceSpec } from "../../../engine/system";
import type { ImpactReading, Severity } from "../draw";
import { CUSTOMER_OBJECTIVE, nearThreshold, objectiveOf, severityOf } from "../severity";
import type { Outcome, Plan } from "./attempt";
import { ImpactMeter } from "./measure";
import { Rejection } from "./rejection";

/** A player may judge at any of these minutes and must come to the same answer. */
const JUDGED_AT = [0, 4, 8, 12, 20];

export interface Judgement {
  readonly severity: Severity;
  /** The service whose reading decides. */
  readonly top: string;
}

/** The severity of each incident. @throws Rejection where it changes with time, lies near a threshold, or does not show. */
export function judgeImpact(plan: Plan, outcome: Outcome): readonly Judgement[] {
  const { services } = plan.system.spec;
  const quiet = readingsOf(services, outcome.none, plan, 8);
  if (severityOf(quiet) !== "P4" || nearThreshold(quiet)) throw new Rejection("noise alone is felt by customers");
  const whole = new ImpactMeter(outcome.gauge.run, plan.noise);
  return plan.struck.map(({ healed }, i) => {
    const own = new ImpactMeter(outcome.alone[i] as Run, plan.noise);
    const at = JUDGED_AT.map((minute) => services.map((service) => own.reading(service, minute)));
    const first = severityOf(at[0] as ImpactReading[]);
    if (first === "P4") throw new Rejection("no customer effect");
    if (at.some((readings) => severityOf(readings) !== first)) throw new Rejection("severity changes with time");
    // Of a fault that goes on and is felt no more, "it healed by itself" would be as true.
    if (healed === null && !at.every((readings) => readings.some(isFelt))) throw new Rejection("felt no more");
    if (at.some((readings) => nearThreshold(readings))) throw new Rejection("severity near a threshold");
    const touched = services.filter((_, k) => at.some((readings) => isTouched(readings[k] as ImpactReading)));
    if (JUDGED_AT.some((minute) => severityOf(touched.map((service) => whole.reading(service, minute))) !== first)) {
      throw new Rejection("another incident hides the severity");
    }
    return { severity: first, top: deciding(touched, whole, first) };
  });
}

function readingsOf(services: readonly ServiceSpec[], run: Run, plan: Plan, minute: number): readonly ImpactReading[] {
  const meter = new ImpactMeter(run, plan.noise);
  return services.map((service) => meter.reading(service, minute));
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
