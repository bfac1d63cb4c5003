/** Writes the record of a run: the row of every tick, straight into the memory it is kept in. */

import { lastPoisonDelivery } from "../mechanisms/queue";
import { throttledShare, usableCores } from "../mechanisms/throttling";
import type { Plan } from "../plan";
import { type CallColumn, type NodeColumn, OF_ALL, type UserColumn } from "../record";
import type { Row } from "../run";
import { TICK_SECONDS } from "../spec";
import { C, G, N } from "./fields";
import type { Lifecycle } from "./lifecycle";
import {
  ALWAYS,
  CALL_PLACE,
  NODE_PLACE,
  type RecordLayout,
  recordLayout,
  SECOND_COHORT,
  USER_PLACE,
} from "./record-layout";
import { CHUNK_TICKS, Rows } from "./rows";
import type { State } from "./state";
import type { Stores } from "./stores";
import type { Circuit, Wiring } from "./wiring";

const MOST_DELAY = 86_400;
const PER_SECOND = 1 / TICK_SECONDS;

export class Recorder {
  private readonly rows: Rows;
  private readonly layout: RecordLayout;
  private readonly n: Float64Array;
  private readonly c: Float64Array;
  private readonly g: Float64Array;
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
    from?: Recorder,
  ) {
    this.layout = recordLayout(plan);
    this.rows = new Rows(this.layout.widths, from?.rows);
    this.n = state.nodes;
    this.c = state.calls;
    this.g = state.groups;
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

  nodeRow(node: number, tick: number, row: Row): void {
    this.rows.find(this.layout.nodeSection[node] as number, this.layout.nodeAt[node] as number, tick, row);
  }

  callRow(call: number, tick: number, common: Row, rare: Row): boolean {
    const { callAt, callSection, rareAt, rareSection } = this.layout;
    if ((callAt[call] as number) < 0) return false;
    this.rows.find(callSection[call] as number, callAt[call] as number, tick, common);
    this.rows.find(rareSection[call] as number, rareAt[call] as number, tick, rare);
    return true;
  }

  /** The books began anew. */
  forget(): void {
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
    const { n } = this;
    const b = node * N.count;
    const came = n[b + N.totalCameIn] as number;
    const served = n[b + N.totalServed] as number;
    const failed = n[b + N.totalFailed] as number;
    const rejected = n[b + N.totalRejected] as number;
    const dropped = n[b + N.totalDropped] as number;
    rows[at] = (came - (n[b + N.recordedCameIn] as number)) * PER_SECOND;
    // Where a consumer took nothing but poison, what it served is a difference of equal sums, give or take a rounding.
    rows[at + 1] = Math.max(0, served - (n[b + N.recordedServed] as number)) * PER_SECOND;
    rows[at + 2] = (failed - (n[b + N.recordedFailed] as number)) * PER_SECOND;
    rows[at + 3] = (rejected - (n[b + N.recordedRejected] as number)) * PER_SECOND;
    rows[at + 4] = (dropped - (n[b + N.recordedDropped] as number)) * PER_SECOND;
    n[b + N.recordedCameIn] = came;
    n[b + N.recordedServed] = served;
    n[b + N.recordedFailed] = failed;
    n[b + N.recordedRejected] = rejected;
    n[b + N.recordedDropped] = dropped;
    const cpu = this.lifecycle.cpuUse(node);
    rows[at + 5] = n[b + N.sojourn] as number;
    rows[at + 6] = Math.sqrt(n[b + N.variance] as number);
    rows[at + 7] = cpu;
    rows[at + 8] = (n[b + N.threads] as number) > (n[b + N.cores] as number) ? this.throttledOf(b, cpu) : 0;
    rows[at + 9] = n[b + N.content] as number;
    rows[at + 10] = this.memoryOf(b);
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

  private throttledOf(b: number, cpu: number): number {
    const cores = this.n[b + N.cores] as number;
    const threads = this.n[b + N.threads] as number;
    const usable = usableCores(cores, threads);
    return usable > 0 ? throttledShare(Math.min(1, (cpu * cores) / usable), cores, threads) : 0;
  }

  private memoryOf(b: number): number {
    const { n } = this;
    const ready = n[b + N.ready] as number;
    const inside = ready > 0 ? ((n[b + N.memoryPerRequest] as number) * (n[b + N.content] as number)) / ready : 0;
    const used = (n[b + N.memoryBase] as number) + inside + (n[b + N.mostLeak] as number);
    return Math.min(1, used / (n[b + N.memoryLimit] as number));
  }

  /**
   * How long a good message waits at the present pace, s: by Little's law the good ones ÷ those of them that leave for good. Where there are
   * none, all that wait ÷ all that are taken. Capped at a day.
   */
  private delayOf(node: number): number {
    const b = node * N.count;
    const good = this.n[b + N.good] as number;
    const depth = good + (this.n[b + N.poison] as number);
    if (depth < 1e-6) return 0;
    const takenGood = this.n[b + N.pulledGood] as number;
    const takenPoison = this.n[b + N.pulledPoison] as number;
    const poisonAgain = takenPoison * (1 - lastPoisonDelivery(this.n[b + N.deliveryLimit] as number));
    const leaving = takenGood - Math.max(0, (this.n[b + N.redelivered] as number) - poisonAgain);
    const [waiting, pace] = good > 1e-6 ? [good, leaving] : [depth, takenGood + takenPoison];
    return pace > waiting / MOST_DELAY ? waiting / pace : MOST_DELAY;
  }

  private connectionsOf(group: number): number {
    const { n, c } = this;
    const { into, intoStart, from } = this.wiring;
    let open = 0;
    for (let k = intoStart[group] as number; k < (intoStart[group + 1] as number); k++) {
      const call = into[k] as number;
      open += (c[call * C.count + C.pool] as number) * (n[(from[call] as number) * N.count + N.ready] as number);
    }
    return open * (this.connectionScale[group] as number);
  }

  private staleOf(group: number): number {
    const { c } = this;
    const { into, intoStart } = this.wiring;
    let stale = 0;
    for (let k = intoStart[group] as number; k < (intoStart[group + 1] as number); k++)
      stale += c[(into[k] as number) * C.count + C.stale] as number;
    return stale;
  }

  /** The columns of `COMMON`, then those of `RARE`, in their order. */
  private writeCalls(tick: number, common: Float32Array, second: Float32Array): void {
    const { c, g } = this;
    const { liveCalls, to } = this.wiring;
    const { callAt, callSection, rareAt, rareSection, widths } = this.layout;
    const line = tick % CHUNK_TICKS;
    for (let i = 0; i < liveCalls.length; i++) {
      const call = liveCalls[i] as number;
      const b = call * C.count;
      const group = (to[call] as number) * G.count;
      const asked = c[b + C.asked] as number;
      const reached = c[b + C.reached] as number;
      const granted = c[b + C.granted] as number;
      const timeout = c[b + C.timeout] as number;
      const sojourn = g[group + G.sojourn] as number;
      const late = reached * (c[b + C.late] as number);
      const rejected = granted * (g[group + G.rejected] as number);
      const answered = granted - rejected - late;
      const section = callSection[call] as number;
      const rows = section === ALWAYS ? common : second;
      const at = line * (widths[section] as number) + (callAt[call] as number);
      rows[at] = asked;
      rows[at + 1] = answered > 0 ? answered * (g[group + G.errors] as number) : 0;
      rows[at + 2] = c[b + C.attemptTime] as number;
      rows[at + 3] = granted * Math.min(timeout, sojourn);
      const unacquired = reached * (c[b + C.unacquired] as number);
      const unreached = c[b + C.unreached] as number;
      const names = c[b + C.badNames] as number;
      const shakes = c[b + C.badConnections] as number;
      const stale = c[b + C.stale] as number;
      const broken = c[b + C.broken] as number;
      // What is zero while nothing is wrong takes neither memory nor time until it is not: rows begin as zeros.
      if (late + rejected + unacquired + unreached + names + shakes + stale + broken === 0) continue;
      const part = rareSection[call] as number;
      const seldom = this.rows.need(part, tick);
      const place = line * (widths[part] as number) + (rareAt[call] as number);
      seldom[place] = late;
      seldom[place + 1] = rejected;
      seldom[place + 2] = unacquired;
      const lost = unreached > 0 ? asked * this.lostShare(b) * (1 - broken) : 0;
      seldom[place + 3] = lost * unreached;
      seldom[place + 4] = lost * names;
      seldom[place + 5] = lost * (1 - names) * shakes;
      seldom[place + 6] = stale;
      seldom[place + 7] = broken;
    }
  }

  /** Attempts lost of all attempts, ÷ requests that cannot get through of all requests: the former are tried to the last. */
  private lostShare(b: number): number {
    const { c } = this;
    const unreached = c[b + C.unreached] as number;
    const each = 1 + Math.ceil(c[b + C.retries] as number);
    return each / (unreached * each + (1 - unreached) * (c[b + C.attempts] as number));
  }

  private writeUsers(rows: Float32Array, start: number): void {
    const { n, g, sumOffered, sumFailed, sumSlow } = this;
    const { entryGroup, firstNode } = this.wiring;
    for (let entry = 0; entry < entryGroup.length; entry++) {
      const group = entryGroup[entry] as number;
      const at = start + (this.layout.userAt[entry] as number);
      rows[at] = (sumOffered[entry] as number) * PER_SECOND;
      rows[at + 1] = (sumFailed[entry] as number) * PER_SECOND;
      rows[at + 2] = (sumSlow[entry] as number) * PER_SECOND;
      rows[at + 3] = g[group * G.count + G.sojourn] as number;
      rows[at + 4] = Math.sqrt(n[(firstNode[group] as number) * N.count + N.variance] as number);
      sumOffered[entry] = 0;
      sumFailed[entry] = 0;
      sumSlow[entry] = 0;
    }
  }
}
