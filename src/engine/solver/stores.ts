/**
 * What is slow to change within a sub-step: messages in queues, warmth of caches, disks; and the books of all that came and went, which
 * the solver never reads and the balance is checked against.
 */

import { warmth } from "../mechanisms/cache";
import { lastDelivery, lastPoisonDelivery } from "../mechanisms/queue";
import { C, N } from "./fields";
import type { State } from "./state";
import type { Circuit, Wiring } from "./wiring";

export class Stores {
  private readonly fill: Float64Array;
  /** Share of poison among what a consumer takes in this sub-step. */
  private readonly tainted: Float64Array;

  private get wiring(): Wiring {
    return this.circuit.wiring;
  }

  constructor(
    private readonly circuit: Circuit,
    state: State,
    private readonly filled: (node: number) => void,
  ) {
    this.fill = new Float64Array(circuit.wiring.nodes);
    this.tainted = new Float64Array(circuit.wiring.nodes);
    this.n = state.nodes;
    this.c = state.calls;
  }

  private readonly n: Float64Array;
  private readonly c: Float64Array;

  run(seconds: number): void {
    const { firstNode, queues } = this.wiring;
    for (let i = 0; i < queues.length; i++)
      this.queue(queues[i] as number, firstNode[queues[i] as number] as number, seconds);
    this.count(seconds);
    this.warm(seconds);
    this.disks(seconds);
  }

  /** The books of every node. */
  private count(seconds: number): void {
    const { live } = this.wiring;
    for (let i = 0; i < live.length; i++) {
      const node = live[i] as number;
      const rate = this.n[node * N.count + N.through] as number;
      const errors = this.n[node * N.count + N.errors] as number;
      // Nobody can process poison: a consumer fails all of it, and of the rest what fails anyway.
      const bad = rate * Math.min(1, errors + (1 - errors) * (this.tainted[node] as number));
      this.n[node * N.count + N.totalCameIn] =
        (this.n[node * N.count + N.totalCameIn] as number) + seconds * (this.n[node * N.count + N.arrived] as number);
      this.n[node * N.count + N.totalServed] =
        (this.n[node * N.count + N.totalServed] as number) + seconds * (rate - bad);
      this.n[node * N.count + N.totalFailed] = (this.n[node * N.count + N.totalFailed] as number) + seconds * bad;
      this.n[node * N.count + N.totalRejected] =
        (this.n[node * N.count + N.totalRejected] as number) +
        seconds * (this.n[node * N.count + N.rejected] as number);
      this.n[node * N.count + N.totalDropped] =
        (this.n[node * N.count + N.totalDropped] as number) + (this.n[node * N.count + N.dropped] as number);
    }
  }

  /** Misses that were read in time fill a cache. */
  private warm(seconds: number): void {
    const { cacheNode, from, cached } = this.wiring;
    for (let i = 0; i < cached.length; i++) this.fill[cacheNode[cached[i] as number] as number] = 0;
    for (let i = 0; i < cached.length; i++) {
      const call = cached[i] as number;
      const cache = cacheNode[call] as number;
      const read =
        (this.n[(from[call] as number) * N.count + N.through] as number) *
        (this.c[call * C.count + C.effective] as number);
      this.fill[cache] = (this.fill[cache] as number) + read * (1 - (this.c[call * C.count + C.failureAll] as number));
    }
    for (let i = 0; i < cached.length; i++) {
      const cache = cacheNode[cached[i] as number] as number;
      const fill = this.fill[cache] as number;
      if (fill < 0) continue;
      this.n[cache * N.count + N.warm] = warmth(
        this.n[cache * N.count + N.warm] as number,
        fill / (this.n[cache * N.count + N.hotKeys] as number),
        this.n[cache * N.count + N.cacheTtl] as number,
        seconds,
      );
      this.fill[cache] = -1;
    }
  }

  private queue(group: number, node: number, seconds: number): void {
    const { consumers, consumersStart } = this.wiring;
    const put =
      seconds * (this.n[node * N.count + N.through] as number) * (1 - (this.n[node * N.count + N.errors] as number));
    const bad = put * this.poisonShare(group);
    const goodBefore = (this.n[node * N.count + N.good] as number) + put - bad;
    const poisonBefore = (this.n[node * N.count + N.poison] as number) + bad;
    const depth = goodBefore + poisonBefore;
    const share = depth > 0 ? poisonBefore / depth : 0;
    const limit = this.n[node * N.count + N.deliveryLimit] as number;
    let done = 0;
    let again = 0;
    let setAside = 0;
    let takenGood = 0;
    let takenPoison = 0;
    for (let k = consumersStart[group] as number; k < (consumersStart[group + 1] as number); k++) {
      const consumer = consumers[k] as number;
      const taken = seconds * (this.n[consumer * N.count + N.arrived] as number);
      this.tainted[consumer] = share;
      // A consumer's own failures; poison is counted apart below.
      const failing = this.n[consumer * N.count + N.errors] as number;
      const ofGood = taken * (1 - share);
      const last = lastDelivery(failing, limit);
      takenGood += ofGood;
      takenPoison += taken * share;
      done += ofGood * (1 - failing);
      again += ofGood * failing * (1 - last);
      setAside += ofGood * failing * last;
    }
    takenGood = Math.min(takenGood, goodBefore);
    takenPoison = Math.min(takenPoison, poisonBefore);
    const scale = done + again + setAside > takenGood ? takenGood / (done + again + setAside) : 1;
    done *= scale;
    setAside *= scale;
    const poisonDead = takenPoison * lastPoisonDelivery(limit);
    this.n[node * N.count + N.good] = Math.max(0, goodBefore - done - setAside);
    this.n[node * N.count + N.poison] = Math.max(0, poisonBefore - poisonDead);
    this.n[node * N.count + N.dead] = (this.n[node * N.count + N.dead] as number) + setAside + poisonDead;
    this.n[node * N.count + N.redelivered] = (again * scale + takenPoison - poisonDead) / seconds;
    this.n[node * N.count + N.pulledGood] = takenGood / seconds;
    this.n[node * N.count + N.pulledPoison] = takenPoison / seconds;
    this.n[node * N.count + N.published] = (this.n[node * N.count + N.published] as number) + put;
    this.n[node * N.count + N.poisoned] = (this.n[node * N.count + N.poisoned] as number) + bad;
    this.n[node * N.count + N.processed] = (this.n[node * N.count + N.processed] as number) + done;
    this.n[node * N.count + N.deadLettered] =
      (this.n[node * N.count + N.deadLettered] as number) + setAside + poisonDead;
  }

  /** Poison among what the producers of a queue put into it now. */
  private poisonShare(group: number): number {
    const { into, intoStart } = this.wiring;
    let all = 0;
    let bad = 0;
    for (let k = intoStart[group] as number; k < (intoStart[group + 1] as number); k++) {
      const rate = this.c[(into[k] as number) * C.count + C.granted] as number;
      all += rate;
      bad += rate * (this.c[(into[k] as number) * C.count + C.poison] as number);
    }
    return all > 0 ? bad / all : 0;
  }

  private disks(seconds: number): void {
    const { isQueue, groupOf, live } = this.wiring;
    for (let i = 0; i < live.length; i++) {
      const node = live[i] as number;
      const queue = isQueue[groupOf[node] as number] === 1;
      if (
        this.n[node * N.count + N.diskPerWrite] === 0 &&
        this.n[node * N.count + N.diskGrowth] === 0 &&
        this.n[node * N.count + N.diskReclaim] === 0 &&
        this.n[node * N.count + N.full] === 0 &&
        !queue
      )
        continue;
      const writes =
        (this.n[node * N.count + N.through] as number) *
        (1 - (this.n[node * N.count + N.errors] as number)) *
        (this.n[node * N.count + N.writeShare] as number);
      const grown =
        seconds *
        ((this.n[node * N.count + N.diskGrowth] as number) -
          (this.n[node * N.count + N.diskReclaim] as number) +
          writes * (this.n[node * N.count + N.diskPerWrite] as number));
      const size = this.n[node * N.count + N.diskSize] as number;
      const room = size * (1 - (this.n[node * N.count + N.diskReserved] as number));
      let used = this.n[node * N.count + N.disk] as number;
      const base = this.n[node * N.count + N.diskBase] as number;
      if (grown > 0 && used < room) used = Math.min(room, used + grown);
      else if (grown < 0 && used > base) used = Math.max(base, used + grown);
      this.n[node * N.count + N.disk] = used;
      const waiting = queue
        ? ((this.n[node * N.count + N.good] as number) +
            (this.n[node * N.count + N.poison] as number) +
            (this.n[node * N.count + N.dead] as number)) *
          (this.n[node * N.count + N.messageSize] as number)
        : 0;
      const full = used + waiting >= room * FULL;
      if (full && (this.n[node * N.count + N.full] as number) === 0) this.filled(node);
      this.n[node * N.count + N.full] = full ? 1 : 0;
    }
  }

  /** Disk a node uses, GB, messages included. */
  usedDisk(node: number): number {
    const messages =
      (this.n[node * N.count + N.good] as number) +
      (this.n[node * N.count + N.poison] as number) +
      (this.n[node * N.count + N.dead] as number);
    return (this.n[node * N.count + N.disk] as number) + messages * (this.n[node * N.count + N.messageSize] as number);
  }

  /** Throws all waiting messages away. */
  purge(node: number): void {
    this.n[node * N.count + N.purged] =
      (this.n[node * N.count + N.purged] as number) +
      (this.n[node * N.count + N.good] as number) +
      (this.n[node * N.count + N.poison] as number);
    this.n[node * N.count + N.good] = 0;
    this.n[node * N.count + N.poison] = 0;
  }

  /** Puts the poison among the waiting messages with the dead letters, where it can be looked at later. */
  setAside(node: number): void {
    this.n[node * N.count + N.dead] =
      (this.n[node * N.count + N.dead] as number) + (this.n[node * N.count + N.poison] as number);
    this.n[node * N.count + N.deadLettered] =
      (this.n[node * N.count + N.deadLettered] as number) + (this.n[node * N.count + N.poison] as number);
    this.n[node * N.count + N.poison] = 0;
  }

  /** Poison put into a queue from outside. */
  addPoison(node: number, messages: number): void {
    this.n[node * N.count + N.poison] = (this.n[node * N.count + N.poison] as number) + messages;
    this.n[node * N.count + N.published] = (this.n[node * N.count + N.published] as number) + messages;
    this.n[node * N.count + N.poisoned] = (this.n[node * N.count + N.poisoned] as number) + messages;
  }
}

/** A disk counts as full from this share of the room that writes may have: the last block is never quite reached. */
const FULL = 0.9999;
