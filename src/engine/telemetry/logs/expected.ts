/**
 * How many lines of each kind a tick is expected to have, from the rates that the run recorded for it. Nothing here draws: counts
 * are drawn around these means where they are needed. What happens a known number of times (a restart, a dead letter) is whole.
 */
import { decay } from "../../../core/math";
import { contention } from "../../mechanisms/contention";
import { PRESSURE_FROM } from "../../mechanisms/memory";
import { anyFails, attempts, failureAfterRetries } from "../../mechanisms/retries";
import type { Node } from "../../plan";
import { IN_CALL_ROW as C, IN_NODE_ROW as N } from "../../record";
import type { Row, Run } from "../../run";
import { TICK_SECONDS as T } from "../../spec";
import { CALL_FAILURES, type CellsOfNode, type Layout, SESSION_LEAK_AT } from "./layout";
import type { SettingsOfTick } from "./settings";

/** Later than this an application calls a request slow, a database a query, s. The second is usual for PostgreSQL set-ups. */
export const SLOW_REQUEST = 1;
export const SLOW_QUERY = 0.5;
/** A lock wait is logged from here on, s. */
export const LOCK_WAIT = 0.2;
/** Above this use of the disk stores warn. */
const DISK_LOW = 0.85;

/** The record is kept in single precision: smaller differences of two columns are rounding and no event. */
const ROUNDING = 1e-5;

/** Long pauses a second and replica of a runtime at its memory limit. */
const PAUSES = 0.5;
/** Lines a second and replica while all scheduler periods are throttled. */
const THROTTLE_LINES = 0.1;
const PROBES = 1 / 10;
/** A session that nobody uses is reported about once in so many seconds. */
const LEAK_REPORT = 120;
/** Lines a second and replica on any day. */
const ROUTINE_INFO = 1 / 60;
const ROUTINE_WARN = 1 / 500;
const ROUTINE_ERROR = 1 / 1800;
const PROGRESS = 1 / 30;
const REPORTS = 1 / 30;
/** Refused connection attempts a second once a server's limit is reached. */
const REFUSED_CONNECTIONS = 0.5;

/** The rows of the node that is looked at, of the tick and of the one before it (zeros before the first), and those of a call. */
const now: Row = { values: new Float32Array(), at: 0 };
const before: Row = { values: new Float32Array(), at: 0 };
const common: Row = { values: new Float32Array(), at: 0 };
const rare: Row = { values: new Float32Array(), at: 0 };

/** Writes the expected lines of service `s` at a tick into `out`, by cell; cells of other services are left alone. */
export function expectedLines(
  layout: Layout,
  run: Run,
  settings: SettingsOfTick,
  s: number,
  tick: number,
  out: Float64Array,
): void {
  out.fill(0, layout.start[s], layout.start[s + 1]);
  const { plan } = layout;
  for (const n of layout.writers[s] as readonly number[]) {
    const node = plan.nodes[n] as Node;
    run.nodeRow(n, tick, now);
    run.nodeRow(n, tick - 1, before);
    if (!inUse(now) && !inUse(before)) continue;
    const cells = layout.ofNode[n] as CellsOfNode;
    for (const call of layout.callsOf[n] as readonly number[]) ofCall(layout, run, call, tick, out);
    ofReplicas(cells, settings, n, tick, out);
    if (node.service.kind === "worker") ofWorker(layout, cells, run, n, tick, out);
    else if (node.service.kind === "edge" || node.service.kind === "api")
      ofServer(layout, cells, run, settings, n, tick, out);
    else ofStore(cells, settings, node, tick, out);
  }
}

function read(row: Row, place: number): number {
  return row.values[row.at + place] as number;
}

/** Whether a node had replicas or requests in a tick: without, it may still write of how they went. */
function inUse(row: Row): boolean {
  return read(row, N.arrivals) > 0 || read(row, N.ready) > 0 || read(row, N.starting) > 0;
}

function put(cell: number | undefined, lines: number, out: Float64Array): void {
  if (lines > 0 && cell !== undefined && cell >= 0) out[cell] = lines;
}

function ofCall(layout: Layout, run: Run, call: number, tick: number, out: Float64Array): void {
  const cell = layout.ofCall[call] as number;
  if (cell < 0) return;
  run.callRow(call, tick, common, rare);
  const stale = read(rare, C.stale);
  if (stale >= 0.5) out[cell + SESSION_LEAK_AT] = (stale * T) / LEAK_REPORT;
  if (!(read(common, C.attempts) > 0)) return;
  writeFailures(out, cell);
  for (let i = 0; i < CALL_FAILURES.length; i++) out[cell + i] = (out[cell + i] as number) * T;
}

/** Replicas that start, stop, collect garbage, are throttled or fail their probes. */
function ofReplicas(cells: CellsOfNode, settings: SettingsOfTick, n: number, tick: number, out: Float64Array): void {
  const ready = read(now, N.ready);
  const starting = read(now, N.starting);
  const memory = read(now, N.memory);
  const throttled = read(now, N.throttled);
  if (memory > PRESSURE_FROM && ready > 0) {
    const z = (Math.min(1, memory) - PRESSURE_FROM) / (1 - PRESSURE_FROM);
    put(cells.gc_pause, ready * T * PAUSES * z, out);
    put(cells.memory_pressure, ready * T * PAUSES * z * 0.2, out);
  }
  if (throttled > 0.01) put(cells.throttled, ready * T * THROTTLE_LINES * throttled, out);
  const failing = ready * (settings.probeFailure[n] as number) + starting;
  if (failing > 0) put(cells.probe_failed, failing * T * PROBES, out);
  put(cells.routine_info, ready * T * ROUTINE_INFO, out);
  put(cells.routine_warn, ready * T * ROUTINE_WARN, out);
  put(cells.routine_error, ready * T * ROUTINE_ERROR, out);
  if (tick === 0) return;
  const readyBefore = read(before, N.ready);
  const all = ready + starting - readyBefore - read(before, N.starting);
  const restarted = read(now, N.restarts) - read(before, N.restarts);
  if (restarted > 0 || all > 0) put(cells.replica_started, whole(Math.max(0, restarted) + Math.max(0, all)), out);
  if (ready > readyBefore) put(cells.replica_ready, whole(ready - readyBefore), out);
  if (restarted > 0 || all < 0) put(cells.replica_stopped, whole(Math.max(0, restarted) + Math.max(0, -all)), out);
}

function ofServer(
  layout: Layout,
  cells: CellsOfNode,
  run: Run,
  settings: SettingsOfTick,
  n: number,
  tick: number,
  out: Float64Array,
): void {
  const served = read(now, N.served);
  const failed = read(now, N.failed);
  const share = layout.styles[layout.serviceOf[n] as number]?.accessShare ?? 0;
  put(cells.request, served * T * share, out);
  put(cells.request_slow, served * T * laterThan(SLOW_REQUEST), out);
  if (failed > 0) {
    const dependent = Math.min(failed, failedByOthers(layout, run, settings, n, tick));
    // Requests whose dependencies did well fail for reasons of their own as often as ever.
    const own = (settings.errorShare[n] as number) * (served + failed - dependent);
    const byOthers = Math.min(dependent, Math.max(0, failed - own));
    put(cells.request_failed, byOthers * T, out);
    put(cells.request_error, failed - byOthers > failed * ROUNDING ? (failed - byOthers) * T : 0, out);
  }
  put(cells.rejected, read(now, N.rejected) * T, out);
  put(cells.dropped, read(now, N.dropped) * T, out);
}

function ofWorker(layout: Layout, cells: CellsOfNode, run: Run, n: number, tick: number, out: Float64Array): void {
  if (read(now, N.served) > 0) put(cells.messages_processed, Math.max(1, read(now, N.ready)) * T * PROGRESS, out);
  put(cells.message_failed, Math.max(read(now, N.failed), returned(layout, run, n, tick)) * T, out);
  put(cells.dropped, read(now, N.dropped) * T, out);
}

/** Messages a second that a worker gave back to its queue, poison included: its part of redeliveries and dead letters. */
function returned(layout: Layout, run: Run, n: number, tick: number): number {
  const { plan } = layout;
  const own = run.node("arrivals", n, tick);
  for (const c of layout.callsOf[n] as readonly number[]) {
    const call = plan.calls[c];
    if (call?.spec.kind !== "consume" || !(own > 0)) continue;
    const queue = plan.groups[call.to]?.first ?? 0;
    let all = 0;
    for (const each of plan.calls)
      if (each.to === call.to && each.spec.kind === "consume") all += run.node("arrivals", each.from, tick);
    const dead = tick > 0 ? run.node("deadLetters", queue, tick) - run.node("deadLetters", queue, tick - 1) : 0;
    return ((run.node("redelivered", queue, tick) + Math.max(0, dead) / T) * own) / all;
  }
  return 0;
}

function ofStore(cells: CellsOfNode, settings: SettingsOfTick, node: Node, tick: number, out: Float64Array): void {
  const n = node.index;
  const kind = node.service.kind;
  const arrivals = read(now, N.arrivals);
  const failed = read(now, N.failed);
  const ready = read(now, N.ready);
  const rejected = read(now, N.rejected);
  put(cells.store_rejected, rejected * T, out);
  put(cells.store_dropped, read(now, N.dropped) * T, out);
  const own = Math.min(failed, arrivals * (settings.errorShare[n] as number));
  if (failed > 0) {
    put(cells.query_failed, own * T, out);
    if (read(now, N.disk) >= DISK_LOW && failed - own > failed * ROUNDING)
      put(cells.write_failed, (failed - own) * T, out);
  }
  if (read(now, N.disk) > DISK_LOW) put(cells.disk_low, (T / 60) * ready, out);
  if (kind === "database") ofDatabase(cells, settings, n, out);
  if (kind === "cache") put(cells.cache_routine, ready * T * REPORTS, out);
  if (kind === "queue") {
    put(cells.queue_routine, ready * T * REPORTS, out);
    put(cells.redelivered, read(now, N.redelivered) * T, out);
    if (tick > 0) {
      const dead = Math.floor(read(now, N.deadLetters)) - Math.floor(read(before, N.deadLetters));
      if (dead > 0) put(cells.dead_letter, dead, out);
    }
    if (read(now, N.level) > (settings.highWater[n] as number)) put(cells.flow_control, 1, out);
  }
}

function ofDatabase(cells: CellsOfNode, settings: SettingsOfTick, n: number, out: Float64Array): void {
  const served = read(now, N.served);
  const ready = read(now, N.ready);
  const limit = (settings.maxConnections[n] as number) * Math.max(1, ready);
  put(cells.database_routine, ready * T * REPORTS, out);
  put(cells.slow_query, served * T * laterThan(SLOW_QUERY), out);
  const slowed = contention(read(now, N.inFlight) / Math.max(1, ready), settings.knee[n] as number);
  const locked = Math.max(settings.locked[n] as number, 1 - 1 / slowed);
  if (locked > 0) put(cells.lock_wait, served * T * locked * laterThan(LOCK_WAIT), out);
  if (limit > 0 && read(now, N.level) >= limit * 0.999) put(cells.connections_full, REFUSED_CONNECTIONS * T, out);
}

/**
 * Requests a second of a node that failed because a dependency did, after all attempts: the solver's own relation between the share of
 * attempts that fail and the share of requests that do.
 */
export function failedByOthers(layout: Layout, run: Run, settings: SettingsOfTick, n: number, tick: number): number {
  const taken = run.node("arrivals", n, tick) - run.node("rejected", n, tick);
  let well = 1;
  for (const call of layout.callsOf[n] as readonly number[]) {
    const critical = settings.critical[call] as number;
    if (!(critical > 0 && taken > 0) || layout.ofCall[call] === -1) continue;
    const p = failureShare(run, call, tick);
    if (!(p > 0)) continue;
    const retries = settings.retries[call] as number;
    const asked = read(common, C.attempts);
    const lost = read(rare, C.unreached) / asked;
    const met = metAndFailed(p, lost);
    const times = asked / attempts(met, retries, lost) / taken;
    well *= 1 - critical * anyFails(failureAfterRetries(met, retries, lost), times);
  }
  return well < 1 ? (1 - well) * (run.node("served", n, tick) + run.node("failed", n, tick)) : 0;
}

/** How often a request of a node makes a call, retries not counted. */
export function callsPerRequest(run: Run, settings: SettingsOfTick, n: number, call: number, tick: number): number {
  const asked = run.call("attempts", call, tick);
  const taken = run.node("arrivals", n, tick) - run.node("rejected", n, tick);
  if (!(asked > 0 && taken > 0)) return 0;
  const lost = run.call("unreached", call, tick) / asked;
  const met = metAndFailed(failureShare(run, call, tick), lost);
  return asked / attempts(met, settings.retries[call] as number, lost) / taken;
}

/** Share of the attempts that got to their callee's door and failed, of those that got there. */
function metAndFailed(failed: number, lost: number): number {
  return lost < 1 && failed > lost ? (failed - lost) / (1 - lost) : 0;
}

/** Attempts of a call that failed, a second, written from `out[at]` on in the order of `CALL_FAILURES`. */
export function failuresOf(run: Run, call: number, tick: number, out: Float64Array, at: number): void {
  if (run.callRow(call, tick, common, rare)) writeFailures(out, at);
  else out.fill(0, at, at + CALL_FAILURES.length);
}

function writeFailures(out: Float64Array, at: number): void {
  out[at] = read(rare, C.timedOut);
  out[at + 1] = read(rare, C.refused);
  out[at + 2] = read(rare, C.unacquired);
  const unreached = read(rare, C.unreached);
  const names = unreached > 0 ? read(rare, C.nameFailed) : 0;
  const handshakes = unreached > 0 ? read(rare, C.handshakeFailed) : 0;
  const rest = unreached - names - handshakes;
  out[at + 3] = names;
  out[at + 4] = handshakes;
  out[at + 5] = rest > unreached * ROUNDING ? rest : 0;
  out[at + 6] = read(common, C.errored);
  out[at + 7] = read(common, C.attempts) * read(rare, C.broken);
}

/** Share of a call's attempts that failed in whatever way, 0..1. */
export function failureShare(run: Run, call: number, tick: number): number {
  return run.callRow(call, tick, common, rare) ? failing() : 0;
}

function failing(): number {
  const attempts = read(common, C.attempts);
  if (!(attempts > 0)) return 0;
  const failed =
    read(rare, C.timedOut) +
    read(rare, C.refused) +
    read(rare, C.unacquired) +
    read(rare, C.unreached) +
    read(common, C.errored) +
    attempts * read(rare, C.broken);
  return failed < attempts ? failed / attempts : 1;
}

/** Share of the node's answers later than `limit` s; the tail beyond mean − sd is taken as exponential. */
function laterThan(limit: number): number {
  const mean = read(now, N.latencyMean);
  const spread = read(now, N.latencySd);
  const from = mean > spread ? mean - spread : 0;
  if (limit <= from) return 1;
  const x = (limit - from) / Math.max(spread, 1e-9);
  return x > 40 ? 0 : decay(x);
}

/** A change of a number of replicas, which is whole but for rounding. */
function whole(x: number): number {
  return Math.floor(x + 0.5);
}
