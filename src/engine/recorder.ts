/** Writes the record of a run: a row of float32 columns a tick. */
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
    const { row: rows, v, before } = this;
    for (let i = 0; i < live.length; i++) {
      const node = live[i] as number;
      const came = v.cameIn[node] as number;
      const served = v.served[node] as number;
      const failed = v.failed[node] as number;
      const rejected = v.rejected[node] as number;
      const dropped = v.dropped[node] as number;
      const cores = v.cores[node] as number;
      const threads = v.threads[node] as number;
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
      rows[place] = v.sojourn[node] as number;
      place += nodes;
      rows[place] = Math.sqrt(v.variance[node] as number);
      place += nodes;
      rows[place] = cpu;
      const usable = usableCores(cores, threads);
      place += nodes;
      rows[place] =
        threads > cores && usable > 0 ? throttledShare(Math.min(1, (cpu * cores) / usable), cores, threads) : 0;
      place += nodes;
      rows[place] = v.content[node] as number;
      place += nodes;
      rows[place] = this.memoryOf(node);
      place += nodes;
      rows[place] = v.ready[node] as number;
      place += nodes;
      rows[place] = v.starting[node] as number;
      place += nodes;
      rows[place] = v.restarts[node] as number;
      const group = groupOf[node] as number;
      const queue = isQueue[group] === 1;
      place += nodes;
      rows[place] = queue
        ? (v.good[node] as number)
        : isCache[group]
          ? (v.hitMax[node] as number) * (v.warm[node] as number)
          : isDatabase[group]
            ? this.connectionsOf(group)
            : 0;
      place += nodes;
      rows[place] = queue ? (v.poison[node] as number) : isDatabase[group] ? this.staleOf(group) : 0;
      place += nodes;
      rows[place] = v.dead[node] as number;
      place += nodes;
      rows[place] = v.redelivered[node] as number;
      place += nodes;
      rows[place] = queue ? this.delayOf(node) : 0;
      rows[place + nodes] = this.stores.usedDisk(node) / (v.diskSize[node] as number);
    }
  }

  private memoryOf(node: number): number {
    const { v } = this;
    const ready = v.ready[node] as number;
    const inside = ready > 0 ? ((v.memoryPerRequest[node] as number) * (v.content[node] as number)) / ready : 0;
    const used = (v.memoryBase[node] as number) + inside + (v.mostLeak[node] as number);
    return Math.min(1, used / (v.memoryLimit[node] as number));
  }

  /** How long the newest message will wait at the present pace, s; capped at a day. */
  private delayOf(node: number): number {
    const { v } = this;
    const depth = (v.good[node] as number) + (v.poison[node] as number);
    const pace = (v.pulledGood[node] as number) + (v.pulledPoison[node] as number) - (v.redelivered[node] as number);
    if (depth < 1e-6) return 0;
    return pace > depth / MOST_DELAY ? depth / pace : MOST_DELAY;
  }

  private connectionsOf(group: number): number {
    const { v, wiring } = this;
    let open = 0;
    for (let k = wiring.intoStart[group] as number; k < (wiring.intoStart[group + 1] as number); k++) {
      const call = wiring.into[k] as number;
      open += (v.pool[call] as number) * (v.ready[wiring.from[call] as number] as number);
    }
    return open * (v.connectionScale[group] as number);
  }

  private staleOf(group: number): number {
    const { v, wiring } = this;
    let stale = 0;
    for (let k = wiring.intoStart[group] as number; k < (wiring.intoStart[group + 1] as number); k++)
      stale += v.stale[wiring.into[k] as number] as number;
    return stale;
  }

  private writeCalls(): void {
    const { calls, liveCalls, to } = this.wiring;
    const { row: rows, v } = this;
    for (let i = 0; i < liveCalls.length; i++) {
      const call = liveCalls[i] as number;
      const asked = v.asked[call] as number;
      const reached = v.reached[call] as number;
      const granted = v.granted[call] as number;
      const rejected = granted * (this.rejectedOf[to[call] as number] as number);
      const unacquired = reached * (v.unacquired[call] as number);
      const late = reached * (v.late[call] as number);
      const names = asked * (v.badNames[call] as number);
      const shakes = asked * (1 - (v.badNames[call] as number)) * (v.badConnections[call] as number);
      const held = Math.min(v.timeout[call] as number, this.sojournOf[to[call] as number] as number);
      let place = this.callsAt + call;
      rows[place] = asked;
      place += calls;
      rows[place] = late;
      place += calls;
      rows[place] = rejected;
      place += calls;
      rows[place] = unacquired;
      place += calls;
      rows[place] = asked * (v.unreached[call] as number);
      place += calls;
      rows[place] = names;
      place += calls;
      rows[place] = shakes;
      place += calls;
      rows[place] = Math.max(0, granted - rejected - late) * (this.errorsOf[to[call] as number] as number);
      place += calls;
      rows[place] = v.attemptTime[call] as number;
      place += calls;
      rows[place] = granted * held;
      place += calls;
      rows[place] = v.stale[call] as number;
      rows[place + calls] = v.broken[call] as number;
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
      rows[at + 4 * entries + entry] = Math.sqrt(v.variance[node] as number);
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
    cameIn: state.total("cameIn"),
    served: state.total("served"),
    failed: state.total("failed"),
    rejected: state.total("rejected"),
    dropped: state.total("dropped"),
    content: state.node("content"),
    sojourn: state.node("sojourn"),
    variance: state.node("variance"),
    ready: state.node("ready"),
    starting: state.node("starting"),
    restarts: state.node("restarts"),
    mostLeak: state.node("mostLeak"),
    good: state.node("good"),
    poison: state.node("poison"),
    dead: state.node("dead"),
    redelivered: state.node("redelivered"),
    pulledGood: state.node("pulledGood"),
    pulledPoison: state.node("pulledPoison"),
    warm: state.node("warm"),
    cores: state.parameter("cores"),
    threads: state.parameter("threads"),
    hitMax: state.parameter("hitMax"),
    memoryLimit: state.parameter("memoryLimit"),
    memoryBase: state.parameter("memoryBase"),
    memoryPerRequest: state.parameter("memoryPerRequest"),
    diskSize: state.parameter("diskSize"),
    asked: state.call("asked"),
    reached: state.call("reached"),
    granted: state.call("granted"),
    unacquired: state.call("unacquired"),
    unreached: state.call("unreached"),
    late: state.call("late"),
    badNames: state.call("badNames"),
    badConnections: state.call("badConnections"),
    attemptTime: state.call("attemptTime"),
    stale: state.call("stale"),
    broken: state.call("broken"),
    timeout: state.callParameter("timeout"),
    pool: state.callParameter("pool"),
    connectionScale: state.connectionScale,
    sumOffered: state.entry("sumOffered"),
    sumFailed: state.entry("sumFailed"),
    sumSlow: state.entry("sumSlow"),
  };
}
