/**
 * Where log lines can come from: a cell is a kind of line of one node, and of one of its calls where the kind is about a
 * dependency. Every line has a slot of its own, (cell, k), from which its time, text and trace follow.
 */
import { type Noise, Stream, seriesKey } from "../../../core/rng";
import type { Plan } from "../../plan";
import { type ServiceKind, TICK_SECONDS } from "../../spec";
import { LOG_KINDS, type LogKindName } from "./grammar";
import { type LogKind, SEVERITIES } from "./grammar/kind";
import { type ServiceStyle, styleOf } from "./grammar/style";

/** Most lines of a cell that are shown of a tick; the others are counted as suppressed. */
export const LINES_PER_CELL = 5;
/** Slots of a tick for lines about events of the journal. */
export const JOURNAL_SLOTS = 128;
/** Microseconds in a tick. */
export const TICK_MICROS = TICK_SECONDS * 1e6;

const EVERYWHERE = ["throttled", "probe_failed", "replica_started", "replica_ready", "replica_stopped"] as const;
const APPLICATION = [...EVERYWHERE, "gc_pause", "routine_info", "routine_warn", "routine_error", "dropped"] as const;
const STORE = [...EVERYWHERE, "memory_pressure", "store_rejected", "store_dropped"] as const;
const SERVED = [...APPLICATION, "request", "request_slow", "request_error", "request_failed", "rejected"] as const;

/** A vendor's log cannot be read. */
const NODE_KINDS: Readonly<Record<ServiceKind, readonly LogKindName[]>> = {
  edge: SERVED,
  api: SERVED,
  worker: [...APPLICATION, "messages_processed", "message_failed"],
  database: [
    ...STORE,
    "slow_query",
    "lock_wait",
    "query_failed",
    "connections_full",
    "write_failed",
    "disk_low",
    "database_routine",
  ],
  cache: [...STORE, "cache_routine"],
  queue: [...STORE, "redelivered", "dead_letter", "flow_control", "write_failed", "disk_low", "queue_routine"],
  third_party: [],
};

/** Ways in which an attempt of a call fails. */
export const CALL_FAILURES = [
  "timed_out",
  "refused",
  "unacquired",
  "name_failed",
  "handshake_failed",
  "unreached",
  "errored",
  "broken",
] as const satisfies readonly LogKindName[];
export type CallFailure = (typeof CALL_FAILURES)[number];

/** The kinds of a call's cells, in their order. */
const CALL_KINDS = [...CALL_FAILURES, "session_leak"] as const satisfies readonly LogKindName[];
/** Place of a call's cell about sessions that nobody uses, behind its first. */
export const SESSION_LEAK_AT = CALL_KINDS.indexOf("session_leak");

export interface Cell {
  readonly index: number;
  readonly name: LogKindName;
  readonly kind: LogKind;
  /** Node that writes. */
  readonly node: number;
  /** The dependency it is about; −1 for none. */
  readonly call: number;
  readonly series: number;
}

const EVERY_KIND = [...new Set(Object.values(NODE_KINDS).flat())];
export type CellsOfNode = Readonly<Partial<Record<LogKindName, number>>>;

/** What does not depend on the seed. */
interface Cells {
  readonly plan: Plan;
  /** Index of a node's service in `plan.services`. */
  readonly serviceOf: Int32Array;
  readonly cells: readonly Cell[];
  /** Cells of service s: `start[s] .. start[s + 1]`. */
  readonly start: Int32Array;
  /** Cell of a kind of a node: `ofNode[node][kind]`; −1 where it has none. */
  readonly ofNode: readonly CellsOfNode[];
  /** First of a call's cells: those of `CALL_FAILURES`, then of sessions left behind; −1 where nobody writes. */
  readonly ofCall: Int32Array;
  readonly callsOf: readonly (readonly number[])[];
  /** Nodes of a service that write. */
  readonly writers: readonly (readonly number[])[];
  /** Slots of a tick. */
  readonly slots: number;
}

export interface Layout extends Cells {
  readonly noise: Noise;
  readonly styles: readonly ServiceStyle[];
  /** Severity of a cell's lines, by index in `SEVERITIES`. */
  readonly severity: Uint8Array;
}

const known = new WeakMap<Plan, { cells: Cells; seed: number; layout: Layout }>();

/** The layout of a plan under a seed; the last one of a plan is kept, as forks share it. */
export function layoutOf(plan: Plan, seed: number): Layout {
  const before = known.get(plan);
  if (before?.seed === seed) return before.layout;
  const cells = before?.cells ?? cellsOf(plan);
  const layout = underSeed(cells, seed);
  known.set(plan, { cells, seed, layout });
  return layout;
}

function underSeed(cells: Cells, seed: number): Layout {
  const noise = Stream.of(seed).fork("logs").noise();
  const styles = cells.plan.services.map((service) => styleOf(service.name, service.kind, noise));
  const severity = Uint8Array.from(cells.cells, ({ kind, node, call }) => {
    const strict = call >= 0 && kind.request && styles[cells.serviceOf[node] as number]?.strict;
    return SEVERITIES.indexOf(strict ? "ERROR" : kind.severity);
  });
  return { ...cells, noise, styles, severity };
}

function cellsOf(plan: Plan): Cells {
  const serviceOf = Int32Array.from(plan.nodes, (node) => plan.services.indexOf(node.service));
  const cells: Cell[] = [];
  const start = new Int32Array(plan.services.length + 1);
  // All of one shape, which is what makes looking into them quick.
  const ofNode = plan.nodes.map(
    () => Object.fromEntries(EVERY_KIND.map((kind) => [kind, -1])) as Partial<Record<LogKindName, number>>,
  );
  const ofCall = new Int32Array(plan.calls.length).fill(-1);
  const callsOf = plan.nodes.map((node) =>
    plan.calls.filter((call) => call.from === node.index).map((call) => call.index),
  );
  const add = (name: LogKindName, node: number, call: number, place: string) => {
    const series = seriesKey(`${place}|${name}`);
    cells.push({ index: cells.length, name, kind: LOG_KINDS[name], node, call, series });
  };
  plan.services.forEach((service, s) => {
    start[s] = cells.length;
    for (const node of plan.nodes) {
      if (node.service !== service) continue;
      const place = `${service.name}|${node.zone}|${node.cohort}`;
      for (const name of NODE_KINDS[service.kind]) {
        (ofNode[node.index] as Partial<Record<LogKindName, number>>)[name] = cells.length;
        add(name, node.index, -1, place);
      }
      if (service.kind === "third_party") continue;
      for (const index of callsOf[node.index] as number[]) {
        const call = plan.calls[index];
        if (!call || call.spec.kind === "consume") continue;
        ofCall[index] = cells.length;
        for (const name of CALL_KINDS) add(name, node.index, index, `${place}|${call.name}`);
      }
    }
  });
  start[plan.services.length] = cells.length;
  const slots = cells.length * LINES_PER_CELL + JOURNAL_SLOTS;
  const writers = plan.services.map((service) =>
    plan.nodes.filter((node) => node.service === service && service.kind !== "third_party").map((node) => node.index),
  );
  return { plan, serviceOf, cells, start, ofNode, ofCall, callsOf, writers, slots };
}
