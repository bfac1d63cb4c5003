/**
 * How many lines of each kind a tick is expected to have, from the rates that the run recorded for it. Nothing here draws: counts
 * are drawn around these means where they are needed. What happens a known number of times (a restart, a dead letter) is whole.
 */
import { decay } from "../../../core/math";
import { contention } from "../../mechanisms/contention";
import { PRESSURE_FROM } from "../../mechanisms/memory";
import { anyFails, attempts, failureAfterRetries } from "../../mechanisms/retries";
import type { Node } from "../../plan";
import type { Run } from "../../run";
import { TICK_SECONDS as T } from "../../spec";
import type { LogKindName } from "./grammar";
import { CALL_FAILURES, type Layout, SESSION_LEAK_AT } from "./layout";
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
  for (let n = 0; n < plan.nodes.length; n++) {
    if (layout.serviceOf[n] !== s) continue;
    const node = plan.nodes[n] as Node;
    if (node.service.kind === "third_party" || !inUse(run, n, tick)) continue;
    for (const call of layout.callsOf[n] as readonly number[]) ofCall(layout, run, call, tick, out);
    ofReplicas(layout, run, settings, n, tick, out);
    if (node.service.kind === "worker") ofWorker(layout, run, n, tick, out);
    else if (node.service.kind === "edge" || node.service.kind === "api") ofServer(layout, run, settings, n, tick, out);
    else ofStore(layout, run, settings, node, tick, out);
  }
}

/** Whether a node had replicas or requests in the tick or, before they went, in the one before it. */
function inUse(run: Run, n: number, tick: number): boolean {
  for (let t = tick; t >= 0 && t >= tick - 1; t--)
    if (run.node("arrivals", n, t) > 0 || run.node("ready", n, t) > 0 || run.node("starting", n, t) > 0) return true;
  return false;
}

function put(layout: Layout, n: number, kind: LogKindName, lines: number, out: Float64Array): void {
  const cell = layout.ofNode[n]?.[kind];
  if (cell !== undefined && lines > 0) out[cell] = lines;
}

function ofCall(layout: Layout, run: Run, call: number, tick: number, out: Float64Array): void {
  const cell = layout.ofCall[call] as number;
  if (cell < 0) return;
  const stale = run.call("stale", call, tick);
  if (stale >= 0.5) out[cell + SESSION_LEAK_AT] = (stale * T) / LEAK_REPORT;
  if (!(run.call("attempts", call, tick) > 0)) return;
  failuresOf(run, call, tick, out, cell);
  for (let i = 0; i < CALL_FAILURES.length; i++) out[cell + i] = (out[cell + i] as number) * T;
}

/** Replicas that start, stop, collect garbage, are throttled or fail their probes. */
function ofReplicas(
  layout: Layout,
  run: Run,
  settings: SettingsOfTick,
  n: number,
  tick: number,
  out: Float64Array,
): void {
  const ready = run.node("ready", n, tick);
  const starting = run.node("starting", n, tick);
  const memory = run.node("memory", n, tick);
  const throttled = run.node("throttled", n, tick);
  if (memory > PRESSURE_FROM && ready > 0) {
    const z = (Math.min(1, memory) - PRESSURE_FROM) / (1 - PRESSURE_FROM);
    put(layout, n, "gc_pause", ready * T * PAUSES * z, out);
    put(layout, n, "memory_pressure", ready * T * PAUSES * z * 0.2, out);
  }
  if (throttled > 0.01) put(layout, n, "throttled", ready * T * THROTTLE_LINES * throttled, out);
  const failing = ready * (settings.probeFailure[n] as number) + starting;
  if (failing > 0) put(layout, n, "probe_failed", failing * T * PROBES, out);
  put(layout, n, "routine_info", ready * T * ROUTINE_INFO, out);
  put(layout, n, "routine_warn", ready * T * ROUTINE_WARN, out);
  put(layout, n, "routine_error", ready * T * ROUTINE_ERROR, out);
  if (tick === 0) return;
  const readyBefore = run.node("ready", n, tick - 1);
  const all = ready + starting - readyBefore - run.node("starting", n, tick - 1);
  const restarted = run.node("restarts", n, tick) - run.node("restarts", n, tick - 1);
  if (restarted > 0 || all > 0)
    put(layout, n, "replica_started", whole(Math.max(0, restarted) + Math.max(0, all)), out);
  if (ready > readyBefore) put(layout, n, "replica_ready", whole(ready - readyBefore), out);
  if (restarted > 0 || all < 0)
    put(layout, n, "replica_stopped", whole(Math.max(0, restarted) + Math.max(0, -all)), out);
}

function ofServer(
  layout: Layout,
  run: Run,
  settings: SettingsOfTick,
  n: number,
  tick: number,
  out: Float64Array,
): void {
  const served = run.node("served", n, tick);
  const failed = run.node("failed", n, tick);
  const share = layout.styles[layout.serviceOf[n] as number]?.accessShare ?? 0;
  put(layout, n, "request", served * T * share, out);
  put(layout, n, "request_slow", served * T * laterThan(run, n, tick, SLOW_REQUEST), out);
  if (failed > 0) {
    const dependent = Math.min(failed, failedByOthers(layout, run, settings, n, tick));
    // Requests whose dependencies did well fail for reasons of their own as often as ever.
    const own = (settings.errorShare[n] as number) * (served + failed - dependent);
    const byOthers = Math.min(dependent, Math.max(0, failed - own));
    put(layout, n, "request_failed", byOthers * T, out);
    put(layout, n, "request_error", failed - byOthers > failed * ROUNDING ? (failed - byOthers) * T : 0, out);
  }
  put(layout, n, "rejected", run.node("rejected", n, tick) * T, out);
  put(layout, n, "dropped", run.node("dropped", n, tick) * T, out);
}

function ofWorker(layout: Layout, run: Run, n: number, tick: number, out: Float64Array): void {
  if (run.node("served", n, tick) > 0)
    put(layout, n, "messages_processed", Math.max(1, run.node("ready", n, tick)) * T * PROGRESS, out);
  put(layout, n, "message_failed", Math.max(run.node("failed", n, tick), returned(layout, run, n, tick)) * T, out);
  put(layout, n, "dropped", run.node("dropped", n, tick) * T, out);
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

function ofStore(
  layout: Layout,
  run: Run,
  settings: SettingsOfTick,
  node: Node,
  tick: number,
  out: Float64Array,
): void {
  const n = node.index;
  const kind = node.service.kind;
  const arrivals = run.node("arrivals", n, tick);
  const failed = run.node("failed", n, tick);
  const ready = run.node("ready", n, tick);
  const rejected = run.node("rejected", n, tick);
  put(layout, n, "store_rejected", rejected * T, out);
  put(layout, n, "store_dropped", run.node("dropped", n, tick) * T, out);
  const own = Math.min(failed, arrivals * (settings.errorShare[n] as number));
  if (failed > 0) {
    put(layout, n, "query_failed", own * T, out);
    if (run.node("disk", n, tick) >= DISK_LOW && failed - own > failed * ROUNDING)
      put(layout, n, "write_failed", (failed - own) * T, out);
  }
  if (run.node("disk", n, tick) > DISK_LOW) put(layout, n, "disk_low", (T / 60) * ready, out);
  if (kind === "database") ofDatabase(layout, run, settings, n, tick, out);
  if (kind === "cache") put(layout, n, "cache_routine", ready * T * REPORTS, out);
  if (kind === "queue") {
    put(layout, n, "queue_routine", ready * T * REPORTS, out);
    put(layout, n, "redelivered", run.node("redelivered", n, tick) * T, out);
    if (tick > 0) {
      const dead = Math.floor(run.node("deadLetters", n, tick)) - Math.floor(run.node("deadLetters", n, tick - 1));
      if (dead > 0) put(layout, n, "dead_letter", dead, out);
    }
    if (run.node("level", n, tick) > (settings.highWater[n] as number)) put(layout, n, "flow_control", 1, out);
  }
}

function ofDatabase(
  layout: Layout,
  run: Run,
  settings: SettingsOfTick,
  n: number,
  tick: number,
  out: Float64Array,
): void {
  const served = run.node("served", n, tick);
  const ready = run.node("ready", n, tick);
  const limit = (settings.maxConnections[n] as number) * Math.max(1, ready);
  put(layout, n, "database_routine", ready * T * REPORTS, out);
  put(layout, n, "slow_query", served * T * laterThan(run, n, tick, SLOW_QUERY), out);
  const slowed = contention(run.node("inFlight", n, tick) / Math.max(1, ready), settings.knee[n] as number);
  const locked = Math.max(settings.locked[n] as number, 1 - 1 / slowed);
  if (locked > 0) put(layout, n, "lock_wait", served * T * locked * laterThan(run, n, tick, LOCK_WAIT), out);
  if (limit > 0 && run.node("level", n, tick) >= limit * 0.999)
    put(layout, n, "connections_full", REFUSED_CONNECTIONS * T, out);
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
    const asked = run.call("attempts", call, tick);
    const lost = run.call("unreached", call, tick) / asked;
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
  out[at] = run.call("timedOut", call, tick);
  out[at + 1] = run.call("refused", call, tick);
  out[at + 2] = run.call("unacquired", call, tick);
  const unreached = run.call("unreached", call, tick);
  const names = unreached > 0 ? run.call("nameFailed", call, tick) : 0;
  const handshakes = unreached > 0 ? run.call("handshakeFailed", call, tick) : 0;
  const rest = unreached - names - handshakes;
  out[at + 3] = names;
  out[at + 4] = handshakes;
  out[at + 5] = rest > unreached * ROUNDING ? rest : 0;
  out[at + 6] = run.call("errored", call, tick);
  out[at + 7] = run.call("attempts", call, tick) * run.call("broken", call, tick);
}

/** Share of a call's attempts that failed in whatever way, 0..1. */
export function failureShare(run: Run, call: number, tick: number): number {
  const attempts = run.call("attempts", call, tick);
  if (!(attempts > 0)) return 0;
  const failed =
    run.call("timedOut", call, tick) +
    run.call("refused", call, tick) +
    run.call("unacquired", call, tick) +
    run.call("unreached", call, tick) +
    run.call("errored", call, tick) +
    attempts * run.call("broken", call, tick);
  return failed < attempts ? failed / attempts : 1;
}

/** Share of a node's answers later than `limit` s; the tail beyond mean − sd is taken as exponential. */
function laterThan(run: Run, n: number, tick: number, limit: number): number {
  const mean = run.node("latencyMean", n, tick);
  const spread = run.node("latencySd", n, tick);
  const from = mean > spread ? mean - spread : 0;
  if (limit <= from) return 1;
  const x = (limit - from) / Math.max(spread, 1e-9);
  return x > 40 ? 0 : decay(x);
}

/** A change of a number of replicas, which is whole but for rounding. */
function whole(x: number): number {
  return Math.floor(x + 0.5);
}
