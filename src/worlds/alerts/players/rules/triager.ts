/**
 * A fair, competent triager that uses observations only. It looks where customers hurt, follows the dependency graph down to
 * what explains the alerts, reads the metrics that would tell, and says so when they do not.
 */
import type { PlayerFactory } from "../../../../core/player";
import { type Script, scripted } from "../../../../core/script";
import type { ChangeEvent, ImpactReading } from "../../draw";
import type { Mechanism } from "../../mechanisms";
import type { AlertRow, AlertsObservation, EvidenceItem } from "../../observation";
import { CUSTOMER_OBJECTIVE, severityOf } from "../../severity";
import { acts } from "../acts";
import { loudestService, mechanismByName, teamByName } from "../page-guesses";
import { networkOf, type ServiceNetwork } from "./network";
import { confirming, type Sign, signOf } from "./signs";
import { suspects } from "./suspects";

/** Steps kept back for the answer: acknowledge, group, declare, route, mute, verify, close; twice where there are two. */
const RESERVE = 10;
/** Customer-facing services whose impact is read, those with alerts first. */
const IMPACT_READS = 6;
/** Metrics read in search of one cause. */
const SEARCH_READS = 9;
/** How far back histories and changes are read, minutes. */
const HISTORY_MINUTES = 120;
const CHANGES_MINUTES = 360;
/** A sign this strong is the thing itself. */
const STRONG = 0.9;
/** Causes looked for at most. */
const MOST_CAUSES = 2;

/** What has been understood so far. */
interface Case {
  readonly network: ServiceNetwork;
  readonly readings: readonly ImpactReading[];
  readonly changes: readonly ChangeEvent[];
  /** Ids of the reads that every answer may cite. */
  readonly ground: readonly string[];
}

interface Cause {
  readonly component: string;
  readonly mechanism: Mechanism;
  readonly confidence: number;
  readonly evidence: readonly string[];
}

type Part<T> = Generator<ReturnType<typeof acts.graph>, T, AlertsObservation>;

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
  const found = yield* orient(first);
  let { seen } = found;
  if (found.network.services.every((service) => service.metrics.length === 0)) {
    yield* answerFromAlerts(seen);
    return;
  }
  const causes: Cause[] = [];
  while (causes.length < MOST_CAUSES) {
    const open = unexplained(seen.alerts, causes, found.network);
    if (open.length === 0 || (causes.length > 0 && !hurtsElsewhere(found, causes))) break;
    const search = yield* findCause(seen, found, open);
    seen = search.seen;
    if (!search.cause) break;
    causes.push(search.cause);
  }
  yield* answer(seen, found, causes);
}

/** The graph, what changed, and where customers feel it. */
function* orient(first: AlertsObservation): Part<Case & { readonly seen: AlertsObservation }> {
  let seen = yield acts.graph();
  const graph = newest(seen);
  const network = networkOf(graph?.kind === "graph" ? graph.services : []);
  seen = yield acts.changes(CHANGES_MINUTES);
  const changed = newest(seen);
  const loud = new Set(first.alerts.map((row) => row.service));
  const facing = network.services.filter((service) => service.customerFacing);
  const order = [...facing.filter((s) => loud.has(s.name)), ...facing.filter((s) => !loud.has(s.name))];
  const readings: ImpactReading[] = [];
  const ground = [changed?.id ?? ""];
  for (const { name } of order.slice(0, IMPACT_READS)) {
    seen = yield acts.impact(name);
    const item = newest(seen);
    if (item?.kind !== "impact") continue;
    readings.push(item.reading);
    ground.push(item.id);
  }
  return { seen, network, readings, ground, changes: changed?.kind === "changes" ? changed.events : [] };
}

function newest(seen: AlertsObservation): EvidenceItem | undefined {
  return seen.items[seen.items.length - 1];
}

/** Alerts that matter and no cause found so far explains. */
function unexplained(rows: readonly AlertRow[], causes: readonly Cause[], network: ServiceNetwork): AlertRow[] {
  return rows.filter((row) => !causes.some((cause) => network.needs(row.service).has(cause.component)));
}

/** Whether customers are hurt by something that the causes found do not explain. */
function hurtsElsewhere({ readings, network }: Case, causes: readonly Cause[]): boolean {
  return readings.some(
    (reading) => isHurt(reading) && !causes.some((cause) => network.needs(reading.service).has(cause.component)),
  );
}

function isHurt(reading: ImpactReading): boolean {
  return (reading.worst ?? 0) > CUSTOMER_OBJECTIVE;
}

/** Reads metric after metric of the likeliest services until one shows a cause, then one more that bears it out. */
function* findCause(
  start: AlertsObservation,
  known: Case,
  rows: readonly AlertRow[],
): Part<{ readonly seen: AlertsObservation; readonly cause: Cause | null }> {
  let seen = start;
  const signs: Sign[] = [];
  const read: string[] = [];
  for (const { service, metric } of searchOrder(rows, known)) {
    if (seen.maxSteps - seen.step <= RESERVE || read.length >= SEARCH_READS) break;
    seen = yield acts.history(service, metric, HISTORY_MINUTES);
    const item = newest(seen);
    read.push(`${service} ${metric}`);
    const sign = item?.kind === "history" ? signOf(item) : null;
    if (sign) signs.push(sign);
    if (sign && sign.strength >= STRONG) break;
  }
  const best = signs.reduce<Sign | null>((a, b) => (a && a.strength >= b.strength ? a : b), null);
  if (!best) return { seen, cause: null };
  const evidence = [...known.ground, best.item];
  const metric = confirming(
    best.mechanism,
    known.network.get(best.service)?.metrics ?? [],
    new Set(read.filter((key) => key.startsWith(`${best.service} `)).map((key) => key.slice(best.service.length + 1))),
  );
  if (metric !== null) {
    seen = yield acts.history(best.service, metric, HISTORY_MINUTES);
    evidence.push(newest(seen)?.id ?? "");
  }
  const { service: component, mechanism, strength } = best;
  return { seen, cause: { component, mechanism, confidence: strength, evidence: evidence.filter((id) => id !== "") } };
}

/** The likeliest service's most telling metric first; a service's next metric waits behind the next services' first. */
function searchOrder(rows: readonly AlertRow[], { network }: Case): { service: string; metric: string }[] {
  return suspects(rows, network)
    .flatMap(({ service, metrics }, place) =>
      metrics.map((metric, i) => ({ service, metric, rank: place + 1.5 * i, place })),
    )
    .sort((a, b) => a.rank - b.rank || a.place - b.place);
}

/** Groups, declares and routes each cause, mutes what belongs to none, looks once more and closes. */
function* answer(start: AlertsObservation, known: Case, causes: readonly Cause[]): Script<AlertsObservation> {
  let seen = start;
  const hurt = known.readings.filter(isHurt);
  if (causes.length === 0) {
    yield* answerWithoutCause(seen, known, hurt);
    return;
  }
  const taken = new Set<string>();
  for (const cause of causes) {
    const own = seen.alerts.filter(
      (row) => !taken.has(row.id) && known.network.needs(row.service).has(cause.component),
    );
    for (const row of own) taken.add(row.id);
    if (own.length === 0) continue;
    const ids = own.map((row) => row.id);
    yield acts.acknowledge(ids);
    seen = yield acts.group(ids);
    const group = seen.groups[seen.groups.length - 1]?.id ?? "g1";
    yield acts.declare(group, cause);
    const touched = hurt.filter((reading) => known.network.needs(reading.service).has(cause.component));
    const team = known.network.get(cause.component)?.team ?? "app";
    seen = yield acts.route(group, severityOf(touched), team);
  }
  const noise = seen.alerts.filter((row) => !taken.has(row.id)).map((row) => row.id);
  if (noise.length > 0) seen = yield acts.snooze(noise, 120);
  const worst = hurt[0];
  if (worst) seen = yield acts.impact(worst.service);
  const last = newest(seen);
  const over =
    last?.kind === "impact" && (last.reading.failing ?? 1) < CUSTOMER_OBJECTIVE && seen.counts.firing === 0;
  yield acts.close(over ? "self_recovered" : "routed");
}

/** Nothing shows a cause: either nothing is wrong, or what can be read does not tell. */
function* answerWithoutCause(
  start: AlertsObservation,
  known: Case,
  hurt: readonly ImpactReading[],
): Script<AlertsObservation> {
  if (hurt.length === 0) {
    yield acts.snooze(
      start.alerts.map((row) => row.id),
      120,
    );
    yield acts.close("no_fault");
    return;
  }
  const ids = start.alerts.map((row) => row.id);
  yield acts.acknowledge(ids);
  const seen = yield acts.group(ids);
  const group = seen.groups[0]?.id ?? "g1";
  const component = hurt[0]?.service ?? "";
  const team = known.network.get(component)?.team ?? "app";
  yield acts.declare(group, { component, mechanism: "undetermined", confidence: 0.7, evidence: known.ground });
  yield acts.route(group, severityOf(hurt), team);
  yield acts.escalate(team, "customers are hurt and nothing that can be read tells why", group);
  yield acts.close("escalated");
}

/** Where only alerts are known, they are all there is to go by: what still fires is the incident, what is over is noise. */
function* answerFromAlerts(start: AlertsObservation): Script<AlertsObservation> {
  let seen = start;
  const component = loudestService(seen.alerts.filter((row) => row.state === "firing"));
  const own = seen.alerts.filter((row) => row.state !== "resolved").map((row) => row.id);
  if (component === "" || own.length === 0) {
    yield acts.close("self_recovered");
    return;
  }
  const alert = seen.alerts.find((row) => row.service === component)?.id ?? "";
  seen = yield acts.inspect(alert);
  const known = seen.alerts.find((row) => row.id === alert)?.known;
  const evidence = [newest(seen)?.id ?? ""];
  yield acts.acknowledge(own);
  seen = yield acts.group(own);
  const group = seen.groups[0]?.id ?? "g1";
  const mechanism = mechanismByName(seen.alerts, component);
  yield acts.declare(group, { component, mechanism, confidence: 0.4, evidence });
  seen = yield acts.route(group, known?.severity === "critical" ? "P2" : "P3", known?.team ?? teamByName(component));
  const noise = seen.alerts.filter((row) => row.state === "resolved").map((row) => row.id);
  if (noise.length > 0) yield acts.snooze(noise, 120);
  yield acts.inspect(alert);
  yield acts.close("routed");
}
