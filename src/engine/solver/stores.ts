/**
 * What is slow to change within a sub-step: messages in queues, warmth of caches, disks.
 */

import { warmth } from "../mechanisms/cache";
import { lastDelivery, lastPoisonDelivery } from "../mechanisms/queue";
import { C, N } from "./fields";
import type { State } from "./state";
import type { Circuit, Wiring } from "./wiring";

/** A disk counts as full from this share of the room that writes may have: the last block is never quite reached. */
const FULL = 0.9999;

export class Stores {
  private readonly fill: Float64Array;

  private get wiring(): Wiring {
    return this.circuit.wiring;
  }

  constructor(
    private readonly circuit: Circuit,
    state: State,
    private readonly filled: (node: number) => void,
  ) {
    this.fill = new Float64Array(circuit.wiring.nodes);
    this.n = state.nodes;
    this.c = state.calls;
  }

  private readonly n: Float64Array;
  private readonly c: Float64Array;

  run(seconds: number): void {
    this.warm(seconds);
    const { firstNode, queues } = this.wiring;
    for (let i = 0; i < queues.length; i++)
      this.queue(queues[i] as number, firstNode[queues[i] as number] as number, seconds);
    this.disks(seconds);
  }

  /** Misses that were read in time fill a cache. */
  private warm(seconds: number): void {
    const { n, c, fill } = this;
    const { cacheNode, from, cached } = this.wiring;
    for (let i = 0; i < cached.length; i++) fill[cacheNode[cached[i] as number] as number] = 0;
    for (let i = 0; i < cached.length; i++) {
      const call = cached[i] as number;
      const at = call * C.count;
      const cache = cacheNode[call] as number;
      const read = (n[(from[call] as number) * N.count + N.through] as number) * (c[at + C.effective] as number);
      fill[cache] = (fill[cache] as number) + read * (1 - (c[at + C.failureAll] as number));
    }
    for (let i = 0; i < cached.length; i++) {
      const cache = cacheNode[cached[i] as number] as number;
      const filled = fill[cache] as number;
      if (filled < 0) continue;
      const at = cache * N.count;
      n[at + N.warm] = warmth(
        n[at + N.warm] as number,
        filled / (n[at + N.hotKeys] as number),
        n[at + N.cacheTtl] as number,
        seconds,
      );
      fill[cache] = -1;
    }
  }

  private queue(group: number, node: number, seconds: number): void {
    const { n } = this;
    const { consumers, consumersStart } = this.wiring;
    const at = node * N.count;
    const put = seconds * (n[at + N.through] as number) * (1 - (n[at + N.errors] as number));
    const bad = put * this.poisonShare(group);
    const goodBefore = (n[at + N.good] as number) + put - bad;
    const poisonBefore = (n[at + N.poison] as number) + bad;
    const depth = goodBefore + poisonBefore;
    const share = depth > 0 ? poisonBefore / depth : 0;
    const limit = n[at + N.deliveryLimit] as number;
    let done = 0;
    let again = 0;
    let setAside = 0;
    let takenGood = 0;
    let takenPoison = 0;
    const end = consumersStart[group + 1] as number;
    for (let k = consumersStart[group] as number; k < end; k++) {
      const consumer = (consumers[k] as number) * N.count;
      const taken = seconds * (n[consumer + N.arrived] as number);
      // A consumer's own failures; poison is counted apart below.
      const failing = n[consumer + N.errors] as number;
      const ofGood = taken * (1 - share);
      const last = lastDelivery(failing, limit);
      takenGood += ofGood;
      takenPoison += taken * share;
      if (share > 0) this.spoil(consumer, taken * share * (1 - failing));
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
    n[at + N.good] = Math.max(0, goodBefore - done - setAside);
    n[at + N.poison] = Math.max(0, poisonBefore - poisonDead);
    n[at + N.dead] = (n[at + N.dead] as number) + setAside + poisonDead;
    n[at + N.redelivered] = (again * scale + takenPoison - poisonDead) / seconds;
    n[at + N.pulledGood] = takenGood / seconds;
    n[at + N.pulledPoison] = takenPoison / seconds;
    n[at + N.published] = (n[at + N.published] as number) + put;
    n[at + N.poisoned] = (n[at + N.poisoned] as number) + bad;
    n[at + N.processed] = (n[at + N.processed] as number) + done;
    n[at + N.deadLettered] = (n[at + N.deadLettered] as number) + setAside + poisonDead;
  }

  /** Nobody can process poison: a consumer fails what it would have served of it. */
  private spoil(consumer: number, messages: number): void {
    const { n } = this;
    const served = (n[consumer + N.totalServed] as number) - messages;
    // Where all is poison what is left is nothing but rounding, which must not make a rate negative.
    n[consumer + N.totalServed] = Math.max(served, n[consumer + N.recordedServed] as number);
    n[consumer + N.totalFailed] = (n[consumer + N.totalFailed] as number) + messages;
  }

  /** Poison among what the producers of a queue put into it now. */
  private poisonShare(group: number): number {
    const { c } = this;
    const { into, intoStart } = this.wiring;
    let all = 0;
    let bad = 0;
    const end = intoStart[group + 1] as number;
    for (let k = intoStart[group] as number; k < end; k++) {
      const at = (into[k] as number) * C.count;
      const rate = c[at + C.granted] as number;
      all += rate;
      bad += rate * (c[at + C.poison] as number);
    }
    return bad > 0 ? bad / all : 0;
  }

  private disks(seconds: number): void {
    const { n } = this;
    const { disks } = this.circuit;
    const { isQueue, groupOf } = this.wiring;
    for (let i = 0; i < disks.length; i++) {
      const node = disks[i] as number;
      const at = node * N.count;
      const writes =
        (n[at + N.through] as number) * (1 - (n[at + N.errors] as number)) * (n[at + N.writeShare] as number);
      const grown =
        seconds *
        ((n[at + N.diskGrowth] as number) -
          (n[at + N.diskReclaim] as number) +
          writes * (n[at + N.diskPerWrite] as number));
      const room = (n[at + N.diskSize] as number) * (1 - (n[at + N.diskReserved] as number));
      let used = n[at + N.disk] as number;
      const base = n[at + N.diskBase] as number;
      if (grown > 0 && used < room) used = Math.min(room, used + grown);
      else if (grown < 0 && used > base) used = Math.max(base, used + grown);
      n[at + N.disk] = used;
      const waiting = isQueue[groupOf[node] as number]
        ? ((n[at + N.good] as number) + (n[at + N.poison] as number) + (n[at + N.dead] as number)) *
          (n[at + N.messageSize] as number)
        : 0;
      const full = used + waiting >= room * FULL;
      if (full && (n[at + N.full] as number) === 0) this.filled(node);
      n[at + N.full] = full ? 1 : 0;
    }
  }

  /** Disk a node uses, GB, messages included. */
  usedDisk(node: number): number {
    const { n } = this;
    const at = node * N.count;
    const messages = (n[at + N.good] as number) + (n[at + N.poison] as number) + (n[at + N.dead] as number);
    return (n[at + N.disk] as number) + messages * (n[at + N.messageSize] as number);
  }

  /** Throws all waiting messages away. */
  purge(node: number): void {
    const { n } = this;
    const at = node * N.count;
    n[at + N.purged] = (n[at + N.purged] as number) + (n[at + N.good] as number) + (n[at + N.poison] as number);
    n[at + N.good] = 0;
    n[at + N.poison] = 0;
  }

  /** Puts the poison among the waiting messages with the dead letters, where it can be looked at later. */
  setAside(node: number): void {
    const { n } = this;
    const at = node * N.count;
    n[at + N.dead] = (n[at + N.dead] as number) + (n[at + N.poison] as number);
    n[at + N.deadLettered] = (n[at + N.deadLettered] as number) + (n[at + N.poison] as number);
    n[at + N.poison] = 0;
  }

  /** Poison put into a queue from outside. */
  addPoison(node: number, messages: number): void {
    const { n } = this;
    const at = node * N.count;
    n[at + N.poison] = (n[at + N.poison] as number) + messages;
    n[at + N.published] = (n[at + N.published] as number) + messages;
    n[at + N.poisoned] = (n[at + N.poisoned] as number) + messages;
  }
}
