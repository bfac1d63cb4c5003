/** The search for a cause: one telling metric after another, then a look at what could be mistaken for it. */
import type { Mechanism } from "../../mechanisms";
import type { AlertRow } from "../../observation";
import { acts } from "../acts";
import { type Cause, type Desk, newest, type Part, stepsLeft } from "./desk";
import { confirming, type Sign, signOf } from "./signs";
import { suspects } from "./suspects";

/** Steps kept back for the answer: group, declare, route, mute, look again, close; twice where there are two. */
const RESERVE = 9;
/** Metrics read in search of one cause. */
const SEARCH_READS = 9;
/** How far back histories are read, minutes: a quarter of it lies before most faults. */
const HISTORY_MINUTES = 60;
/** A sign this strong is the thing itself. */
const STRONG = 0.9;

/** What a symptom may come from: read these before blaming the symptom itself. */
const MISTAKEN: Partial<Record<Mechanism, readonly string[]>> = {
  third_party_slow: ["network.packet.loss_ratio", "tls.handshake.error_ratio"],
};

/** Reads until something shows a cause of these alerts; null when nothing does. */
export function* findCause(desk: Desk, rows: readonly AlertRow[]): Part<Cause | null> {
  let best: Sign | null = null;
  let reads = 0;
  for (const { service, metric } of searchOrder(rows, desk)) {
    if (stepsLeft(desk) <= RESERVE || reads >= SEARCH_READS) break;
    if (desk.read.has(`${service} ${metric}`)) continue;
    const sign = yield* look(desk, service, metric);
    reads++;
    if (sign && (!best || sign.strength > best.strength)) best = sign;
    if (best && best.strength >= STRONG) break;
  }
  return best ? yield* confirm(desk, best) : null;
}

/** The likeliest service's most telling metric first; a service's next metric waits behind the next services' first. */
function searchOrder(rows: readonly AlertRow[], { network, changes }: Desk): { service: string; metric: string }[] {
  return suspects(rows, changes, network)
    .flatMap(({ service, metrics }, place) =>
      metrics.map((metric, i) => ({ service, metric, rank: place + 1.5 * i, place })),
    )
    .sort((a, b) => a.rank - b.rank || a.place - b.place);
}

/** Reads a history and says what it shows. */
function* look(desk: Desk, service: string, metric: string): Part<Sign | null> {
  desk.read.add(`${service} ${metric}`);
  desk.seen = yield acts.history(service, metric, HISTORY_MINUTES);
  const item = newest(desk.seen);
  return item?.kind === "history" ? signOf(item) : null;
}

/** Makes sure of a sign: what it could be mistaken for, where it comes from, and a second metric that bears it out. */
function* confirm(desk: Desk, first: Sign): Part<Cause> {
  let sign = first;
  const evidence = [first.item];
  for (const metric of MISTAKEN[sign.mechanism] ?? []) {
    if (!canRead(desk, sign.service, metric)) continue;
    const other = yield* look(desk, sign.service, metric);
    evidence.push(newest(desk.seen)?.id ?? "");
    if (other && other.strength >= STRONG) sign = other;
  }
  if (sign.mechanism === "traffic_surge") sign = yield* climb(desk, sign, evidence);
  if (sign.mechanism === "pool_exhaustion") sign = yield* descend(desk, sign, evidence);
  const metrics = desk.network.get(sign.service)?.metrics ?? [];
  const metric = confirming(
    sign.mechanism,
    metrics,
    new Set(metrics.filter((m) => desk.read.has(`${sign.service} ${m}`))),
  );
  if (metric !== null && stepsLeft(desk) > RESERVE - 1) {
    yield* look(desk, sign.service, metric);
    evidence.push(newest(desk.seen)?.id ?? "");
  }
  const { service: component, mechanism, strength: confidence } = sign;
  return { component, mechanism, confidence, evidence: evidence.filter((id) => id !== "") };
}

function canRead(desk: Desk, service: string, metric: string): boolean {
  const known = desk.network.get(service)?.metrics.includes(metric) === true;
  return known && !desk.read.has(`${service} ${metric}`) && stepsLeft(desk) > RESERVE - 2;
}

/** More requests come from somewhere: the cause sits with the outermost service that gets more than usual. */
function* climb(desk: Desk, start: Sign, evidence: string[]): Part<Sign> {
  let sign = start;
  for (;;) {
    const callers = desk.network.get(sign.service)?.usedBy ?? [];
    let above: Sign | null = null;
    for (const caller of callers) {
      const metric = desk.network.get(caller)?.metrics.find((name) => name === "http.server.rate");
      if (metric === undefined || !canRead(desk, caller, metric)) continue;
      const found = yield* look(desk, caller, metric);
      if (found?.mechanism !== "traffic_surge") continue;
      above = found;
      evidence.push(found.item);
      break;
    }
    if (!above) return sign;
    sign = above;
  }
}

/** A full pool is often a slow database's doing: look at the locks of what is behind it. */
function* descend(desk: Desk, sign: Sign, evidence: string[]): Part<Sign> {
  for (const needed of desk.network.get(sign.service)?.dependsOn ?? []) {
    if (!canRead(desk, needed, "db.lock.wait_time.p95")) continue;
    const found = yield* look(desk, needed, "db.lock.wait_time.p95");
    evidence.push(newest(desk.seen)?.id ?? "");
    if (found && found.strength >= STRONG) return found;
  }
  return sign;
}
