/** What the rules answer once they have looked. */
import type { Script } from "../../../../core/script";
import type { ImpactReading } from "../../draw";
import type { AlertRow, AlertsObservation } from "../../observation";
import { CUSTOMER_OBJECTIVE, severityOf } from "../../severity";
import { acts } from "../acts";
import { loudestService, mechanismByName, teamByName } from "../page-guesses";
import { type Cause, type Desk, isHurt, isOfBurst, newest } from "./desk";

/** How long noise is muted, minutes. */
const MUTE_MINUTES = 120;
/** How sure the rules are that nobody can tell, after a search that found nothing. */
const NOTHING_FOUND = 0.7;

const CANNOT_TELL = "customers are hurt and nothing that can be read tells why";

/** Alerts on what an affected service calls that a fault above it explains: less comes through, or more is tried again. */
const RATE_ALERTS = /Rate(Drop|High)/;

/** Alerts by which a service shows that it is unwell; certificates, backups and the like ring for reasons of their own. */
const SYMPTOMS = /Latency|Error|Budget|Rate(Drop|High)|Saturation|Queue|Job|Outbound|Down/;
/** Mechanisms whose load spills over onto stores that other services share. */
const SPILLING: ReadonlySet<string> = new Set(["cache_loss", "traffic_surge"]);

/**
 * Those of some alerts that a cause explains: of the component itself, symptoms of services that need it, and what is said
 * about the rate of what these call.
 */
export function alertsOf({ network }: Desk, cause: Cause, rows: readonly AlertRow[]): AlertRow[] {
  const affected = (service: string) => network.needs(service).has(cause.component);
  const called = new Set<string>();
  for (const service of network.services)
    if (affected(service.name)) for (const needed of service.dependsOn) called.add(needed);
  return rows.filter(
    (row) =>
      row.service === cause.component ||
      (affected(row.service) && SYMPTOMS.test(row.name)) ||
      (called.has(row.service) && RATE_ALERTS.test(row.name)),
  );
}

/** Minutes by which an alert may come before the sign of its cause is half grown. */
const BEFORE_SIGN = 6;

function burstOf(desk: Desk, causes: readonly Cause[], cause: Cause): AlertRow[] {
  const burst = desk.seen.alerts.filter((row) => isOfBurst(desk, row) && row.since >= cause.since - BEFORE_SIGN);
  const own = alertsOf(desk, cause, burst);
  if (causes.length > 1 || !SPILLING.has(cause.mechanism)) return own;
  return burst.filter((row) => own.includes(row) || SYMPTOMS.test(row.name));
}

/** Groups, declares and routes each cause, mutes what belongs to none, looks once more and closes. */
export function* answer(desk: Desk, causes: readonly Cause[]): Script<AlertsObservation> {
  const { network } = desk;
  const taken = new Set<string>();
  for (const cause of causes) {
    const own = burstOf(desk, causes, cause).filter((row) => !taken.has(row.id));
    for (const row of own) taken.add(row.id);
    if (own.length === 0) continue;
    desk.seen = yield acts.group(own.map((row) => row.id));
    const group = desk.seen.groups[desk.seen.groups.length - 1]?.id ?? "g1";
    const { component, mechanism, confidence, evidence } = cause;
    yield acts.declare(group, { component, mechanism, confidence, evidence });
    const touched = desk.readings.filter((reading) => network.needs(reading.service).has(cause.component));
    const team = network.get(cause.component)?.team ?? "app";
    desk.seen = yield acts.route(group, severityOf(touched), team);
    if (cause.mechanism === "undetermined") desk.seen = yield acts.escalate(team, CANNOT_TELL, group);
  }
  for (const cause of causes) for (const row of burstOf(desk, causes, cause)) taken.add(row.id);
  const noise = desk.seen.alerts.filter((row) => !taken.has(row.id)).map((row) => row.id);
  if (noise.length > 0) desk.seen = yield acts.snooze(noise, MUTE_MINUTES);
  const worst = worstOf(desk, causes);
  desk.seen = yield acts.impact(worst?.service ?? causes[0]?.component ?? "");
  const last = newest(desk.seen);
  const healed = worst !== undefined && last?.kind === "impact" && (last.reading.failing ?? 1) <= CUSTOMER_OBJECTIVE;
  const open = causes.some((cause) => cause.mechanism === "undetermined");
  yield acts.close(open ? "escalated" : healed ? "self_recovered" : "routed");
}

/** The hurt service that needs a found component and fails most. */
function worstOf({ readings, network }: Desk, causes: readonly Cause[]) {
  return readings
    .filter((reading) => isHurt(reading) && causes.some((cause) => network.needs(reading.service).has(cause.component)))
    .reduce<ImpactReading | undefined>((a, b) => (a && (a.worst ?? 0) >= (b.worst ?? 0) ? a : b), undefined);
}

/** Nothing shows a cause: either nothing is wrong, or what can be read does not tell. */
export function* answerWithoutCause(desk: Desk): Script<AlertsObservation> {
  const { network, readings, seen } = desk;
  const hurt = readings.filter(isHurt);
  const ids = seen.alerts.map((row) => row.id);
  if (hurt.length === 0) {
    desk.seen = yield acts.snooze(ids, MUTE_MINUTES);
    const service = readings[0]?.service;
    if (service !== undefined) yield acts.impact(service);
    yield acts.close("no_fault");
    return;
  }
  desk.seen = yield acts.group(ids);
  const group = desk.seen.groups[0]?.id ?? "g1";
  const component = hurt[0]?.service ?? "";
  const team = network.get(component)?.team ?? "app";
  yield acts.declare(group, { component, mechanism: "undetermined", confidence: NOTHING_FOUND });
  yield acts.route(group, severityOf(hurt), team);
  yield acts.escalate(team, CANNOT_TELL, group);
  yield acts.impact(component);
  yield acts.close("escalated");
}

/** Where only alerts are known, they are all there is to go by: what still fires is the incident, what is over is noise. */
export function* answerFromAlerts(desk: Desk): Script<AlertsObservation> {
  const component = loudestService(desk.seen.alerts.filter((row) => row.state === "firing"));
  const own = desk.seen.alerts.filter((row) => row.state !== "resolved").map((row) => row.id);
  const alert = desk.seen.alerts.find((row) => row.service === component)?.id;
  if (alert === undefined || own.length === 0) {
    yield acts.close("self_recovered");
    return;
  }
  desk.seen = yield acts.inspect(alert);
  const known = desk.seen.alerts.find((row) => row.id === alert)?.known;
  const evidence = [newest(desk.seen)?.id ?? ""];
  desk.seen = yield acts.group(own);
  const group = desk.seen.groups[0]?.id ?? "g1";
  const mechanism = mechanismByName(desk.seen.alerts, component);
  yield acts.declare(group, { component, mechanism, confidence: 0.4, evidence });
  yield acts.route(group, known?.severity === "critical" ? "P2" : "P3", known?.team ?? teamByName(component));
  const noise = desk.seen.alerts.filter((row) => row.state === "resolved").map((row) => row.id);
  if (noise.length > 0) yield acts.snooze(noise, MUTE_MINUTES);
  yield acts.inspect(alert);
  yield acts.close("routed");
}
