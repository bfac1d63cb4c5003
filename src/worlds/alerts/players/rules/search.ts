/** The search for a cause: one telling metric after another, then a look at what could be mistaken for it. */
import type { AlertRow } from "../../observation";
import { acts } from "../acts";
import { type Cause, type Desk, newest, type Part, stepsLeft } from "./desk";
import { mistakenAbove, mistakenFor, type Sign, signOf } from "./signs";
import { leads } from "./suspects";

/** Steps kept back for the answer: group, declare, route, mute, look again, close; twice where there are two. */
const RESERVE = 7;
/** More of them for each cause found before. */
const RESERVE_EACH = 3;
/** Metrics read in search of one cause. */
const SEARCH_READS = 22;
/** How far back histories are read, minutes: a quarter of it lies before most faults. */
const HISTORY_MINUTES = 60;
/** A sign this strong is the thing itself. */
const STRONG = 0.9;

/** Reads until something shows a cause of these alerts; null when nothing does. */
export function* findCause(desk: Desk, burst: readonly AlertRow[], found: number): Part<Cause | null> {
  let best: Sign | null = null;
  let reads = 0;
  for (const { service, metric } of leads(burst, desk)) {
    if (stepsLeft(desk) <= RESERVE + found * RESERVE_EACH || reads >= SEARCH_READS) break;
    if (desk.read.has(`${service} ${metric}`)) continue;
    const sign = yield* look(desk, service, metric);
    reads++;
    if (sign && (!best || sign.strength > best.strength)) best = sign;
    if (best && best.strength >= STRONG) break;
  }
  return best ? yield* confirm(desk, best) : null;
}

/** Reads a history and says what it shows. */
function* look(desk: Desk, service: string, metric: string): Part<Sign | null> {
  desk.read.add(`${service} ${metric}`);
  desk.seen = yield acts.history(service, metric, HISTORY_MINUTES);
  const item = newest(desk.seen);
  return item?.kind === "history" ? signOf(item) : null;
}

/** Makes sure of a sign: what it could be mistaken for, and what it may be an effect of. */
function* confirm(desk: Desk, first: Sign): Part<Cause> {
  let sign = first;
  const evidence = [first.item];
  if (sign.mechanism === "pool_exhaustion") sign = yield* descend(desk, sign, evidence);
  for (const metric of mistakenFor(sign.mechanism, desk.network.get(sign.service)?.metrics ?? [])) {
    if (!canRead(desk, sign.service, metric)) continue;
    const other = yield* look(desk, sign.service, metric);
    evidence.push(newest(desk.seen)?.id ?? "");
    if (other && other.strength >= STRONG) sign = other;
  }
  for (const metric of mistakenAbove(sign.mechanism)) {
    const caller = desk.network.get(sign.service)?.usedBy.find((name) => canRead(desk, name, metric));
    if (caller === undefined) continue;
    yield* look(desk, caller, metric);
    evidence.push(newest(desk.seen)?.id ?? "");
  }
  const load = loadOf(desk, sign.service);
  if (sign.mechanism !== "traffic_surge" && load !== undefined && canRead(desk, load, LOAD)) {
    const more = yield* look(desk, load, LOAD);
    evidence.push(newest(desk.seen)?.id ?? "");
    if (more && sign.strength < 1) sign = more;
  }
  const { service: component, mechanism, strength: confidence, since } = sign;
  return { component, mechanism, confidence, since, evidence: evidence.filter((id) => id !== "") };
}

/** Retries raise rates as well; only more clients are more traffic. */
const LOAD = "http.server.distinct_clients";

/** Whose load tells whether it is just more traffic: the service's own, else that of the first that calls it. */
function loadOf({ network }: Desk, name: string): string | undefined {
  const service = network.get(name);
  if (service?.metrics.includes(LOAD)) return name;
  return service?.usedBy.find((caller) => network.get(caller)?.metrics.includes(LOAD));
}

function canRead(desk: Desk, service: string, metric: string): boolean {
  const known = desk.network.get(service)?.metrics.includes(metric) === true;
  return known && !desk.read.has(`${service} ${metric}`) && stepsLeft(desk) > RESERVE - 2;
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
