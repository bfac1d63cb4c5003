/**
 * A fair, competent triager that uses observations only. It acknowledges what rings, looks where customers hurt, follows the
 * dependency graph to what explains the alerts, reads the metrics that would tell, and says so when they do not.
 */
import type { PlayerFactory } from "../../../../core/player";
import { type Script, scripted } from "../../../../core/script";
import type { ImpactReading } from "../../draw";
import type { AlertRow, AlertsObservation } from "../../observation";
import { acts } from "../acts";
import { alertsOf, answer, answerFromAlerts, answerWithoutCause } from "./answers";
import { type Cause, type Desk, isHurt, isOfBurst, newest, type Part } from "./desk";
import { networkOf, type ServiceNetwork } from "./network";
import { findCause } from "./search";

/** Customer-facing services whose impact is read, those with alerts first. */
const IMPACT_READS = 5;
/** How far back changes are read, minutes. */
const CHANGES_MINUTES = 240;
/** Internal services whose impact is read where customers feel nothing. */
const INNER_READS = 3;
/** Causes looked for at most, and alerts that have to be left over before a second one is looked for. */
const MOST_CAUSES = 2;
const MORE = 3;
/** And as a share of all that began together. */
const MORE_SHARE = 0.3;
/** When what was felt is over, how long ago it may have begun, minutes. */
const HEALED_LOOKBACK = 25;

export const rules: PlayerFactory = scripted<AlertsObservation>(
  {
    name: "rules",
    title: "Rules",
    summary: "Reads impact, graph, changes and the telling metrics, groups by topology, and answers what they support.",
    knowsTruth: false,
  },
  ({ first }) => triage(first),
);

function* triage(first: AlertsObservation): Script<AlertsObservation> {
  const ringing = first.alerts.filter((row) => row.state !== "resolved").map((row) => row.id);
  if (ringing.length > 0) yield acts.acknowledge(ringing);
  const desk = yield* orient(first);
  if (desk.network.services.every((service) => service.metrics.length === 0)) {
    yield* answerFromAlerts(desk);
    return;
  }
  const causes: Cause[] = [];
  let whole = 0;
  while (desk.felt !== null && causes.length < MOST_CAUSES) {
    const burst = unexplained(desk, causes);
    if (causes.length === 0) whole = burst.length;
    if (burst.length < (causes.length === 0 ? 1 : Math.max(MORE, MORE_SHARE * whole))) break;
    const cause = yield* findCause(desk, burst, causes.length);
    if (!cause || (causes.length > 0 && alertsOf(desk, cause, burst).length < MORE)) break;
    causes.push(cause);
  }
  if (causes.length > 0) yield* answer(desk, causes);
  else yield* answerWithoutCause(desk);
}

/** The graph, what changed, and where customers feel it. */
function* orient(first: AlertsObservation): Part<Desk> {
  let seen = yield acts.graph();
  const graph = newest(seen);
  const network = networkOf(graph?.kind === "graph" ? graph.services : []);
  seen = yield acts.changes(CHANGES_MINUTES);
  const changed = newest(seen);
  const readings: ImpactReading[] = [];
  const loud = new Set(seen.alerts.map((row) => row.service));
  const facing = network.services.filter((service) => service.customerFacing);
  const order = [...facing.filter((s) => loud.has(s.name)), ...facing.filter((s) => !loud.has(s.name))];
  for (const { name } of order.slice(0, IMPACT_READS)) {
    seen = yield acts.impact(name);
    const item = newest(seen);
    if (item?.kind === "impact") readings.push(item.reading);
  }
  for (const { name } of readings.some(isHurt) ? [] : inner(network, first)) {
    seen = yield acts.impact(name);
    const item = newest(seen);
    if (item?.kind === "impact") readings.push(item.reading);
  }
  const changes = changed?.kind === "changes" ? changed.events : [];
  return { seen, network, readings, changes, felt: feltSince(readings), flapping: flappingOn(first), read: new Set() };
}

/** Internal services with alerts that began lately, where customers feel nothing; the loudest first. */
function inner(network: ServiceNetwork, page: AlertsObservation) {
  const recent = page.alerts.filter((row) => row.state === "firing" && row.since > 0 - HEALED_LOOKBACK);
  const loudness = (name: string) => recent.filter((row) => row.service === name).length;
  return network.services
    .map((service, place) => ({ service, place, count: service.customerFacing ? 0 : loudness(service.name) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || a.place - b.place)
    .slice(0, INNER_READS)
    .map(({ service }) => service);
}

function flappingOn(page: AlertsObservation): ReadonlySet<string> {
  return new Set(page.alerts.filter((row) => row.state === "flapping").map((row) => row.id));
}

function feltSince(readings: readonly ImpactReading[]): number | null {
  let first: number | null = null;
  for (const reading of readings)
    if (isHurt(reading) && reading.since !== null && (first === null || reading.since < first)) first = reading.since;
  return first ?? (readings.some(isHurt) ? 0 - HEALED_LOOKBACK : null);
}

/** Alerts of the burst that no cause found so far explains. */
function unexplained(desk: Desk, causes: readonly Cause[]): AlertRow[] {
  return desk.seen.alerts.filter(
    (row) => isOfBurst(desk, row) && !causes.some((cause) => desk.network.needs(row.service).has(cause.component)),
  );
}
