/** Writes the record of a run: the row of every tick, straight into the memory it is kept in. */

import { throttledShare, usableCores } from "../mechanisms/throttling";
import type { Plan } from "../plan";
import type { CallColumn, NodeColumn, UserColumn } from "../record";
import { TICK_SECONDS } from "../spec";
import { C, N } from "./fields";
import type { Lifecycle } from "./lifecycle";
import {
  ALWAYS,
  CALL_PLACE,
  NODE_PLACE,
  OF_ALL,
  RARE,
  type RecordLayout,
  recordLayout,
  SECOND_COHORT,
  SELDOM,
  USER_PLACE,
} from "./record-layout";
import { CHUNK_TICKS, Rows } from "./rows";
import type { State } from "./state";
import type { Stores } from "./stores";
import type { Circuit, Wiring } from "./wiring";

/** Of a group in the last sub-step, as the solver leaves them: mean sojourn s, share rejected, share of errors. */
export interface GroupOutcome {
  readonly sojournOf: Float64Array;
  readonly rejectedOf: Float64Array;
  readonly errorsOf: Float64Array;
}

export class Recorder {
  private readonly rows: Rows;
  private readonly layout: RecordLayout;
  /** The books of each node as they stood at the last row: five numbers a node. */
  private readonly before: Float64Array;
  private readonly rare = new Float64Array(RARE.length);
  private readonly n: Float64Array;
  private readonly c: Float64Array;
  private readonly connectionScale: Float64Array;
  private readonly sumOffered: Float64Array;
  private readonly sumFailed: Float64Array;
  private readonly sumSlow: Float64Array;

  private get wiring(): Wiring {
    return this.circuit.wiring;
  }

  constructor(
    plan: Plan,
    private readonly circuit: Circuit,
    state: State,
    private readonly stores: Stores,
    private readonly lifecycle: Lifecycle,
    private readonly outcome: GroupOutcome,
    from?: Recorder,
  ) {
    this.layout = recordLayout(plan);
    this.rows = new Rows(this.layout.widths, from?.rows);
    this.before = from ? from.before.slice() : new Float64Array(BOOKS * plan.nodes.length);
    this.n = state.nodes;
    this.c = state.calls;
    this.connectionScale = state.connectionScale;
    this.sumOffered = state.entry("sumOffered");
    this.sumFailed = state.entry("sumFailed");
    this.sumSlow = state.entry("sumSlow");
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
    const { nodeAt, nodeSection, isStore } = this.layout;
    const place = NODE_PLACE[column];
    if (place < 0 && !isStore[node]) return 0;
    const at = (nodeAt[node] as number) + (place < 0 ? OF_ALL.length - 1 - place : place);
    return this.rows.get(nodeSection[node] as number, at, tick);
  }

  call(column: CallColumn, call: number, tick: number): number {
    const { callAt, callSection, rareAt, rareSection } = this.layout;
    const place = CALL_PLACE[column];
    if ((callAt[call] as number) < 0) return 0;
    if (place < 0) return this.rows.get(rareSection[call] as number, (rareAt[call] as number) - 1 - place, tick);
    return this.rows.get(callSection[call] as number, (callAt[call] as number) + place, tick);
  }

  user(column: UserColumn, entry: number, tick: number): number {
    return this.rows.get(ALWAYS, (this.layout.userAt[entry] as number) + USER_PLACE[column], tick);
  }

  /** The books began anew. */
  forget(): void {
    this.before.fill(0);
    this.sumOffered.fill(0);
    this.sumFailed.fill(0);
    this.sumSlow.fill(0);
  }

  /** Writes the row of a tick that has just been run. */
  write(tick: number): void {
    const line = tick % CHUNK_TICKS;
    const { widths } = this.layout;
    const common = this.rows.need(ALWAYS, tick);
    const second = this.wiring.hasSecond ? this.rows.need(SECOND_COHORT, tick) : common;
    this.writeNodes(common, line * (widths[ALWAYS] as number), second, line * (widths[SECOND_COHORT] as number));
    this.writeCalls(tick, common, second);
    this.writeUsers(common, line * (widths[ALWAYS] as number));
  }

  private writeNodes(common: Float32Array, commonAt: number, second: Float32Array, secondAt: number): void {
    const { live } = this.wiring;
    const { nodeAt, nodeSection, isStore } = this.layout;
    for (let i = 0; i < live.length; i++) {
      const node = live[i] as number;
      const stable = nodeSection[node] === ALWAYS;
      const at = (stable ? commonAt : secondAt) + (nodeAt[node] as number);
      const rows = stable ? common : second;
      this.writeNode(node, rows, at);
      if (isStore[node]) this.writeStore(node, rows, at + OF_ALL.length);
    }
  }

  /** The columns of `OF_ALL`, in their order. */
  private writeNode(node: number, rows: Float32Array, at: number): void {
    const { n, before } = this;
    const b = node * N.count;
    const came = n[b + N.totalCameIn] as number;
    const served = n[b + N.totalServed] as number;
    const failed = n[b + N.totalFailed] as number;
    const rejected = n[b + N.totalRejected] as number;
    const dropped = n[b + N.totalDropped] as number;
    const last = node * BOOKS;
    rows[at] = (came - (before[last] as number)) * PER_SECOND;
    rows[at + 1] = (served - (before[last + 1] as number)) * PER_SECOND;
    rows[at + 2] = (failed - (before[last + 2] as number)) * PER_SECOND;
    rows[at + 3] = (rejected - (before[last + 3] as number)) * PER_SECOND;
    rows[at + 4] = (dropped - (before[last + 4] as number)) * PER_SECOND;
    before[last] = came;
    before[last + 1] = served;
    before[last + 2] = failed;
    before[last + 3] = rejected;
    before[last + 4] = dropped;
    const cpu = this.lifecycle.cpuUse(node);
    rows[at + 5] = n[b + N.sojourn] as number;
    rows[at + 6] = Math.sqrt(n[b + N.variance] as number);
    rows[at + 7] = cpu;
    rows[at + 8] = this.throttledOf(node, cpu);
    rows[at + 9] = n[b + N.content] as number;
    rows[at + 10] = this.memoryOf(node);
    rows[at + 11] = n[b + N.ready] as number;
    rows[at + 12] = n[b + N.starting] as number;
    rows[at + 13] = n[b + N.restarts] as number;
    rows[at + 14] = this.stores.usedDisk(node) / (n[b + N.diskSize] as number);
  }

  /** The columns of `OF_STORES`, in their order. */
  private writeStore(node: number, rows: Float32Array, at: number): void {
    const { n } = this;
    const { groupOf, isQueue, isDatabase } = this.wiring;
    const b = node * N.count;
    const group = groupOf[node] as number;
    if (isQueue[group]) {
      rows[at] = n[b + N.good] as number;
      rows[at + 1] = n[b + N.poison] as number;
      rows[at + 2] = n[b + N.dead] as number;
      rows[at + 3] = n[b + N.redelivered] as number;
      rows[at + 4] = this.delayOf(node);
    } else if (isDatabase[group]) {
      rows[at] = this.connectionsOf(group);
      rows[at + 1] = this.staleOf(group);
    } else rows[at] = (n[b + N.hitMax] as number) * (n[b + N.warm] as number);
  }

  private throttledOf(node: number, cpu: number): number {
    const cores = this.n[node * N.count + N.cores] as number;
    const threads = this.n[node * N.count + N.threads] as number;
    const usable = usableCores(cores, threads);
    if (threads <= cores || usable <= 0) return 0;
    return throttledShare(Math.min(1, (cpu * cores) / usable), cores, threads);
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
    return open * (this.connectionScale[group] as number);
  }

  private staleOf(group: number): number {
    const { wiring } = this;
    let stale = 0;
    for (let k = wiring.intoStart[group] as number; k < (wiring.intoStart[group + 1] as number); k++)
      stale += this.c[(wiring.into[k] as number) * C.count + C.stale] as number;
    return stale;
  }

  private writeCalls(tick: number, common: Float32Array, second: Float32Array): void {
    const { liveCalls, to } = this.wiring;
    const { c, rare } = this;
    const { callAt, callSection, widths } = this.layout;
    const { sojournOf, errorsOf, rejectedOf } = this.outcome;
    const line = tick % CHUNK_TICKS;
    for (let i = 0; i < liveCalls.length; i++) {
      const call = liveCalls[i] as number;
      const b = call * C.count;
      const group = to[call] as number;
      const asked = c[b + C.asked] as number;
      const reached = c[b + C.reached] as number;
      const granted = c[b + C.granted] as number;
      const late = reached * (c[b + C.late] as number);
      const rejected = granted * (rejectedOf[group] as number);
      const names = c[b + C.badNames] as number;
      const section = callSection[call] as number;
      const rows = section === ALWAYS ? common : second;
      const at = line * (widths[section] as number) + (callAt[call] as number);
      rows[at] = asked;
      rows[at + 1] = Math.max(0, granted - rejected - late) * (errorsOf[group] as number);
      rows[at + 2] = c[b + C.attemptTime] as number;
      rows[at + 3] = granted * Math.min(c[b + C.timeout] as number, sojournOf[group] as number);
      rare[0] = late;
      rare[1] = rejected;
      rare[2] = reached * (c[b + C.unacquired] as number);
      const lost = asked * this.lostShare(b) * (1 - (c[b + C.broken] as number));
      rare[3] = lost * (c[b + C.unreached] as number);
      rare[4] = lost * names;
      rare[5] = lost * (1 - names) * (c[b + C.badConnections] as number);
      rare[6] = c[b + C.stale] as number;
      rare[7] = c[b + C.broken] as number;
      this.writeRare(call, tick, line);
    }
  }

  /** Attempts lost of all attempts, ÷ requests that cannot get through of all requests: the former are tried to the last. */
  private lostShare(b: number): number {
    const { c } = this;
    const unreached = c[b + C.unreached] as number;
    if (unreached <= 0) return 1;
    const each = 1 + Math.ceil(c[b + C.retries] as number);
    return each / (unreached * each + (1 - unreached) * (c[b + C.attempts] as number));
  }

  /** What is zero while nothing is wrong takes memory only once it is not. */
  private writeRare(call: number, tick: number, line: number): void {
    const { rare } = this;
    const section = this.layout.rareSection[call] as number;
    let rows = this.rows.part(section, tick);
    if (!rows) {
      let sum = 0;
      for (let k = 0; k < RARE.length; k++) sum += rare[k] as number;
      if (section === SELDOM && sum === 0) return;
      rows = this.rows.need(section, tick);
    }
    const at = line * (this.layout.widths[section] as number) + (this.layout.rareAt[call] as number);
    for (let k = 0; k < RARE.length; k++) rows[at + k] = rare[k] as number;
  }

  private writeUsers(rows: Float32Array, start: number): void {
    const { entryGroup, firstNode } = this.wiring;
    const { sumOffered, sumFailed, sumSlow } = this;
    for (let entry = 0; entry < entryGroup.length; entry++) {
      const group = entryGroup[entry] as number;
      const node = firstNode[group] as number;
      const at = start + (this.layout.userAt[entry] as number);
      rows[at] = (sumOffered[entry] as number) * PER_SECOND;
      rows[at + 1] = (sumFailed[entry] as number) * PER_SECOND;
      rows[at + 2] = (sumSlow[entry] as number) * PER_SECOND;
      rows[at + 3] = this.outcome.sojournOf[group] as number;
      rows[at + 4] = Math.sqrt(this.n[node * N.count + N.variance] as number);
      sumOffered[entry] = 0;
      sumFailed[entry] = 0;
      sumSlow[entry] = 0;
    }
  }
}

const MOST_DELAY = 86_400;
const PER_SECOND = 1 / TICK_SECONDS;
/** Numbers of a node that are kept from the row before. */
const BOOKS = 5;
