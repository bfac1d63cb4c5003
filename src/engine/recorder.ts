/** Writes the record of a run: a row of float32 columns a tick. */

import { C, N } from "./fields";
import type { Lifecycle } from "./lifecycle";
import { throttledShare, usableCores } from "./mechanisms/throttling";
import type { Plan } from "./plan";
import { CALL_COLUMNS, type CallColumn, NODE_COLUMNS, type NodeColumn, USER_COLUMNS, type UserColumn } from "./record";
import { type Layout, layoutOf, NOWHERE, Rows } from "./rows";
import { TICK_SECONDS } from "./spec";
import type { State } from "./state";
import type { Stores } from "./stores";
import type { Circuit, Wiring } from "./wiring";

const NODE_PLACE = places(NODE_COLUMNS);
const CALL_PLACE = places(CALL_COLUMNS);
const USER_PLACE = places(USER_COLUMNS);

export class Recorder {
  private readonly rows: Rows;
  private readonly row: Float32Array;
  /** The wiring for which `row` was last written: columns of cohorts that have gone must be zero again. */
  private written: Wiring | null = null;
  private readonly callsAt: number;
  private readonly usersAt: number;
  /** The books as they stood at the last row. */
  private readonly before: Float64Array;
  private readonly n: Float64Array;
  private readonly c: Float64Array;
  private readonly v;

  private get wiring(): Wiring {
    return this.circuit.wiring;
  }

  constructor(
    private readonly plan: Plan,
    private readonly circuit: Circuit,
    state: State,
    private readonly stores: Stores,
    private readonly lifecycle: Lifecycle,
    from?: Recorder,
  ) {
    this.callsAt = NODE_COLUMNS.length * circuit.wiring.nodes;
    this.usersAt = this.callsAt + CALL_COLUMNS.length * circuit.wiring.calls;
    this.row = new Float32Array(this.usersAt + USER_COLUMNS.length * plan.entries.length);
    this.rows = new Rows(layoutFor(plan), from?.rows);
    this.before = from ? from.before.slice() : new Float64Array(5 * circuit.wiring.nodes);
    this.n = state.nodes;
    this.c = state.calls;
    this.v = viewsOf(state);
  }

  /** Bytes held. */
  get size(): number {
    return this.rows.size;
  }

  /** All rows as 32-bit words, for a hash. */
  words(): readonly Uint32Array[] {
    return this.rows.words();
  }

  node(column: NodeColumn, node: number, tick: number): number {
    return this.rows.get(NODE_PLACE[column] * this.plan.nodes.length + node, tick);
  }

  call(column: CallColumn, call: number, tick: number): number {
    return this.rows.get(this.callsAt + CALL_PLACE[column] * this.plan.calls.length + call, tick);
  }

  user(column: UserColumn, entry: number, tick: number): number {
    return this.rows.get(this.usersAt + USER_PLACE[column] * this.plan.entries.length + entry, tick);
  }

  /** The books began anew. */
  forget(): void {
    this.before.fill(0);
    this.v.sumOffered.fill(0);
    this.v.sumFailed.fill(0);
    this.v.sumSlow.fill(0);
  }

  /** Writes the row of a tick that has just been run. */
  write(tick: number): void {
    if (this.written !== this.wiring) this.row.fill(0);
    this.written = this.wiring;
    this.writeNodes();
    this.writeCalls();
    this.writeUsers();
    this.rows.put(tick, this.row);
  }

  private writeNodes(): void {
    const { nodes, live, groupOf, isQueue, isDatabase, isCache } = this.wiring;
    const { row: rows, before } = this;
    for (let i = 0; i < live.length; i++) {
      const node = live[i] as number;
      const came = this.n[node * N.count + N.totalCameIn] as number;
      const served = this.n[node * N.count + N.totalServed] as number;
      const failed = this.n[node * N.count + N.totalFailed] as number;
      const rejected = this.n[node * N.count + N.totalRejected] as number;
      const dropped = this.n[node * N.count + N.totalDropped] as number;
      const cores = this.n[node * N.count + N.cores] as number;
      const threads = this.n[node * N.count + N.threads] as number;
      const cpu = this.lifecycle.cpuUse(node);
      let place = node;
      rows[place] = (came - (before[node] as number)) / TICK_SECONDS;
      place += nodes;
      rows[place] = (served - (before[nodes + node] as number)) / TICK_SECONDS;
      place += nodes;
      rows[place] = (failed - (before[2 * nodes + node] as number)) / TICK_SECONDS;
      place += nodes;
      rows[place] = (rejected - (before[3 * nodes + node] as number)) / TICK_SECONDS;
      place += nodes;
      rows[place] = (dropped - (before[4 * nodes + node] as number)) / TICK_SECONDS;
      before[node] = came;
      before[nodes + node] = served;
      before[2 * nodes + node] = failed;
      before[3 * nodes + node] = rejected;
      before[4 * nodes + node] = dropped;
      place += nodes;
      rows[place] = this.n[node * N.count + N.sojourn] as number;
      place += nodes;
      rows[place] = Math.sqrt(this.n[node * N.count + N.variance] as number);
      place += nodes;
      rows[place] = cpu;
      const usable = usableCores(cores, threads);
      place += nodes;
      rows[place] =
        threads > cores && usable > 0 ? throttledShare(Math.min(1, (cpu * cores) / usable), cores, threads) : 0;
      place += nodes;
      rows[place] = this.n[node * N.count + N.content] as number;
      place += nodes;
      rows[place] = this.memoryOf(node);
      place += nodes;
      rows[place] = this.n[node * N.count + N.ready] as number;
      place += nodes;
      rows[place] = this.n[node * N.count + N.starting] as number;
      place += nodes;
      rows[place] = this.n[node * N.count + N.restarts] as number;
      const group = groupOf[node] as number;
      const queue = isQueue[group] === 1;
      place += nodes;
      rows[place] = queue
        ? (this.n[node * N.count + N.good] as number)
        : isCache[group]
          ? (this.n[node * N.count + N.hitMax] as number) * (this.n[node * N.count + N.warm] as number)
          : isDatabase[group]
            ? this.connectionsOf(group)
            : 0;
      place += nodes;
      rows[place] = queue ? (this.n[node * N.count + N.poison] as number) : isDatabase[group] ? this.staleOf(group) : 0;
      place += nodes;
      rows[place] = this.n[node * N.count + N.dead] as number;
      place += nodes;
      rows[place] = this.n[node * N.count + N.redelivered] as number;
      place += nodes;
      rows[place] = queue ? this.delayOf(node) : 0;
      rows[place + nodes] = this.stores.usedDisk(node) / (this.n[node * N.count + N.diskSize] as number);
    }
  }

  private memoryOf(node: number): number {
    const ready = this.n[node * N.count + N.ready] as number;
    const inside =
      ready > 0
        ? ((this.n[node * N.count + N.memoryPerRequest] as number) * (this.n[node * N.count + N.content] as number)) /
          ready
        : 0;
    const used =
      (this.n[node * N.count + N.memoryBase] as number) + inside + (this.n[node * N.count + N.mostLeak] as number);
    return Math.min(1, used / (this.n[node * N.count + N.memoryLimit] as number));
  }

  /** How long the newest message will wait at the present pace, s; capped at a day. */
  private delayOf(node: number): number {
    const depth = (this.n[node * N.count + N.good] as number) + (this.n[node * N.count + N.poison] as number);
    const pace =
      (this.n[node * N.count + N.pulledGood] as number) +
      (this.n[node * N.count + N.pulledPoison] as number) -
      (this.n[node * N.count + N.redelivered] as number);
    if (depth < 1e-6) return 0;
    return pace > depth / MOST_DELAY ? depth / pace : MOST_DELAY;
  }

  private connectionsOf(group: number): number {
    const { wiring } = this;
    let open = 0;
    for (let k = wiring.intoStart[group] as number; k < (wiring.intoStart[group + 1] as number); k++) {
      const call = wiring.into[k] as number;
      open +=
        (this.c[call * C.count + C.pool] as number) *
        (this.n[(wiring.from[call] as number) * N.count + N.ready] as number);
    }
    return open * (this.v.connectionScale[group] as number);
  }

  private staleOf(group: number): number {
    const { wiring } = this;
    let stale = 0;
    for (let k = wiring.intoStart[group] as number; k < (wiring.intoStart[group + 1] as number); k++)
      stale += this.c[(wiring.into[k] as number) * C.count + C.stale] as number;
    return stale;
  }

  private writeCalls(): void {
    const { calls, liveCalls, to } = this.wiring;
    const { row: rows } = this;
    for (let i = 0; i < liveCalls.length; i++) {
      const call = liveCalls[i] as number;
      const asked = this.c[call * C.count + C.asked] as number;
      const reached = this.c[call * C.count + C.reached] as number;
      const granted = this.c[call * C.count + C.granted] as number;
      const rejected = granted * (this.rejectedOf[to[call] as number] as number);
      const unacquired = reached * (this.c[call * C.count + C.unacquired] as number);
      const late = reached * (this.c[call * C.count + C.late] as number);
      const names = asked * (this.c[call * C.count + C.badNames] as number);
      const shakes =
        asked *
        (1 - (this.c[call * C.count + C.badNames] as number)) *
        (this.c[call * C.count + C.badConnections] as number);
      const held = Math.min(this.c[call * C.count + C.timeout] as number, this.sojournOf[to[call] as number] as number);
      let place = this.callsAt + call;
      rows[place] = asked;
      place += calls;
      rows[place] = late;
      place += calls;
      rows[place] = rejected;
      place += calls;
      rows[place] = unacquired;
      place += calls;
      rows[place] = asked * (this.c[call * C.count + C.unreached] as number);
      place += calls;
      rows[place] = names;
      place += calls;
      rows[place] = shakes;
      place += calls;
      rows[place] = Math.max(0, granted - rejected - late) * (this.errorsOf[to[call] as number] as number);
      place += calls;
      rows[place] = this.c[call * C.count + C.attemptTime] as number;
      place += calls;
      rows[place] = granted * held;
      place += calls;
      rows[place] = this.c[call * C.count + C.stale] as number;
      rows[place + calls] = this.c[call * C.count + C.broken] as number;
    }
  }

  private writeUsers(): void {
    const { entryGroup, firstNode } = this.wiring;
    const { row: rows, v } = this;
    const entries = entryGroup.length;
    const at = this.usersAt;
    for (let entry = 0; entry < entries; entry++) {
      const node = firstNode[entryGroup[entry] as number] as number;
      rows[at + entry] = (v.sumOffered[entry] as number) / TICK_SECONDS;
      rows[at + entries + entry] = (v.sumFailed[entry] as number) / TICK_SECONDS;
      rows[at + 2 * entries + entry] = (v.sumSlow[entry] as number) / TICK_SECONDS;
      rows[at + 3 * entries + entry] = this.sojournOf[entryGroup[entry] as number] as number;
      rows[at + 4 * entries + entry] = Math.sqrt(this.n[node * N.count + N.variance] as number);
    }
    v.sumOffered.fill(0);
    v.sumFailed.fill(0);
    v.sumSlow.fill(0);
  }

  /** Of a group in the last sub-step; set by the simulation, which owns the solver. */
  sojournOf: Float64Array = new Float64Array();
  rejectedOf: Float64Array = new Float64Array();
  errorsOf: Float64Array = new Float64Array();
}

const MOST_DELAY = 86_400;

/** Columns that only stores (queues, databases, caches) have. */
const OF_STORES: readonly NodeColumn[] = ["level", "poison", "deadLetters", "redelivered", "delay"];
/** Columns of calls that are zero while nothing is wrong. */
const RARE: readonly CallColumn[] = [
  "timedOut",
  "refused",
  "unacquired",
  "unreached",
  "nameFailed",
  "handshakeFailed",
  "stale",
  "broken",
];
const ALWAYS = 0;
const SELDOM = 1;
const SECOND_COHORT = 2;
const layouts = new WeakMap<Plan, Layout>();

function layoutFor(plan: Plan): Layout {
  const before = layouts.get(plan);
  if (before) return before;
  const { nodes, calls, entries } = plan;
  const section: number[] = [];
  for (const column of NODE_COLUMNS)
    for (const { service, cohort } of nodes) {
      const store = service.kind === "queue" || service.kind === "database" || service.kind === "cache";
      section.push(!store && OF_STORES.includes(column) ? NOWHERE : cohort ? SECOND_COHORT : ALWAYS);
    }
  for (const column of CALL_COLUMNS)
    for (const { spec, from } of calls) {
      if (spec.kind === "consume") section.push(NOWHERE);
      else section.push(nodes[from]?.cohort ? SECOND_COHORT : RARE.includes(column) ? SELDOM : ALWAYS);
    }
  for (let i = USER_COLUMNS.length * entries.length; i > 0; i--) section.push(ALWAYS);
  const layout = layoutOf(Uint8Array.from(section));
  layouts.set(plan, layout);
  return layout;
}

function places<Name extends string>(columns: readonly Name[]): Readonly<Record<Name, number>> {
  return Object.fromEntries(columns.map((column, index) => [column, index])) as Record<Name, number>;
}

function viewsOf(state: State) {
  return {
    connectionScale: state.connectionScale,
    sumOffered: state.entry("sumOffered"),
    sumFailed: state.entry("sumFailed"),
    sumSlow: state.entry("sumSlow"),
  };
}
