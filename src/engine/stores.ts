/**
 * What is slow to change within a sub-step: messages in queues, warmth of caches, disks; and the books of all that came and went, which
 * the solver never reads and the balance is checked against.
 */
import { warmth } from "./mechanisms/cache";
import { lastDelivery, lastPoisonDelivery } from "./mechanisms/queue";
import type { State } from "./state";
import type { Circuit, Wiring } from "./wiring";

export class Stores {
  private readonly fill: Float64Array;

  private get wiring(): Wiring {
    return this.circuit.wiring;
  }

  constructor(
    private readonly circuit: Circuit,
    state: State,
  ) {
    this.fill = new Float64Array(circuit.wiring.nodes);
    this.keep = viewsOf(state);
  }

  private readonly keep: ReturnType<typeof viewsOf>;

  run(seconds: number): void {
    this.count(seconds);
    this.warm(seconds);
    const { firstNode, queues } = this.wiring;
    for (let i = 0; i < queues.length; i++)
      this.queue(queues[i] as number, firstNode[queues[i] as number] as number, seconds);
    this.disks(seconds);
  }

  /** The books of every node. */
  private count(seconds: number): void {
    const { arrived, through, errors, rejected, dropped, cameIn, served, failed, turnedAway, lost } = this.keep;
    const { live } = this.wiring;
    for (let i = 0; i < live.length; i++) {
      const node = live[i] as number;
      const rate = through[node] as number;
      const bad = rate * (errors[node] as number);
      cameIn[node] = (cameIn[node] as number) + seconds * (arrived[node] as number);
      served[node] = (served[node] as number) + seconds * (rate - bad);
      failed[node] = (failed[node] as number) + seconds * bad;
      turnedAway[node] = (turnedAway[node] as number) + seconds * (rejected[node] as number);
      lost[node] = (lost[node] as number) + (dropped[node] as number);
    }
  }

  /** Misses that were read in time fill a cache. */
  private warm(seconds: number): void {
    const { cacheNode, from, cached } = this.wiring;
    const { through, effective, failureAll, warm, hotKeys, cacheTtl } = this.keep;
    for (let i = 0; i < cached.length; i++) this.fill[cacheNode[cached[i] as number] as number] = 0;
    for (let i = 0; i < cached.length; i++) {
      const call = cached[i] as number;
      const cache = cacheNode[call] as number;
      const read = (through[from[call] as number] as number) * (effective[call] as number);
      this.fill[cache] = (this.fill[cache] as number) + read * (1 - (failureAll[call] as number));
    }
    for (let i = 0; i < cached.length; i++) {
      const cache = cacheNode[cached[i] as number] as number;
      const fill = this.fill[cache] as number;
      if (fill < 0) continue;
      warm[cache] = warmth(
        warm[cache] as number,
        fill / (hotKeys[cache] as number),
        cacheTtl[cache] as number,
        seconds,
      );
      this.fill[cache] = -1;
    }
  }

  private queue(group: number, node: number, seconds: number): void {
    const { consumers, consumersStart } = this.wiring;
    const { good, poison, dead, redelivered, deliveryLimit, errors, arrived, through } = this.keep;
    const { published, processed, deadLettered, poisoned, pulledGood, pulledPoison } = this.keep;
    const put = seconds * (through[node] as number) * (1 - (errors[node] as number));
    const bad = put * this.poisonShare(group);
    const goodBefore = (good[node] as number) + put - bad;
    const poisonBefore = (poison[node] as number) + bad;
    const depth = goodBefore + poisonBefore;
    const share = depth > 0 ? poisonBefore / depth : 0;
    const limit = deliveryLimit[node] as number;
    let done = 0;
    let again = 0;
    let setAside = 0;
    let takenGood = 0;
    let takenPoison = 0;
    for (let k = consumersStart[group] as number; k < (consumersStart[group + 1] as number); k++) {
      const consumer = consumers[k] as number;
      const taken = seconds * (arrived[consumer] as number);
      // A consumer's own failures; poison is counted apart below.
      const failing = errors[consumer] as number;
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
    good[node] = Math.max(0, goodBefore - done - setAside);
    poison[node] = Math.max(0, poisonBefore - poisonDead);
    dead[node] = (dead[node] as number) + setAside + poisonDead;
    redelivered[node] = (again * scale + takenPoison - poisonDead) / seconds;
    pulledGood[node] = takenGood / seconds;
    pulledPoison[node] = takenPoison / seconds;
    published[node] = (published[node] as number) + put;
    poisoned[node] = (poisoned[node] as number) + bad;
    processed[node] = (processed[node] as number) + done;
    deadLettered[node] = (deadLettered[node] as number) + setAside + poisonDead;
  }

  /** Poison among what the producers of a queue put into it now. */
  private poisonShare(group: number): number {
    const { into, intoStart } = this.wiring;
    const { granted, poisonOf } = this.keep;
    let all = 0;
    let bad = 0;
    for (let k = intoStart[group] as number; k < (intoStart[group + 1] as number); k++) {
      const rate = granted[into[k] as number] as number;
      all += rate;
      bad += rate * (poisonOf[into[k] as number] as number);
    }
    return all > 0 ? bad / all : 0;
  }

  private disks(seconds: number): void {
    const { isQueue, groupOf, live } = this.wiring;
    const { disk, full, diskSize, diskGrowth, diskPerWrite, diskReserved, writeShare, through, errors } = this.keep;
    const { good, poison, dead, messageSize } = this.keep;
    for (let i = 0; i < live.length; i++) {
      const node = live[i] as number;
      const queue = isQueue[groupOf[node] as number] === 1;
      if (diskPerWrite[node] === 0 && diskGrowth[node] === 0 && full[node] === 0 && !queue) continue;
      const writes = (through[node] as number) * (1 - (errors[node] as number)) * (writeShare[node] as number);
      const grown = seconds * ((diskGrowth[node] as number) + writes * (diskPerWrite[node] as number));
      const size = diskSize[node] as number;
      const room = size * (1 - (diskReserved[node] as number));
      let used = disk[node] as number;
      if (grown > 0 && used < room) used = Math.min(room, used + grown);
      disk[node] = used;
      const waiting = queue
        ? ((good[node] as number) + (poison[node] as number) + (dead[node] as number)) * (messageSize[node] as number)
        : 0;
      full[node] = used + waiting >= room * FULL ? 1 : 0;
    }
  }

  /** Disk a node uses, GB, messages included. */
  usedDisk(node: number): number {
    const { disk, good, poison, dead, messageSize } = this.keep;
    const messages = (good[node] as number) + (poison[node] as number) + (dead[node] as number);
    return (disk[node] as number) + messages * (messageSize[node] as number);
  }

  /** Throws all waiting messages away. */
  purge(node: number): void {
    const { good, poison, purged } = this.keep;
    purged[node] = (purged[node] as number) + (good[node] as number) + (poison[node] as number);
    good[node] = 0;
    poison[node] = 0;
  }

  /** Puts the poison among the waiting messages with the dead letters, where it can be looked at later. */
  setAside(node: number): void {
    const { poison, dead, deadLettered } = this.keep;
    dead[node] = (dead[node] as number) + (poison[node] as number);
    deadLettered[node] = (deadLettered[node] as number) + (poison[node] as number);
    poison[node] = 0;
  }

  /** Poison put into a queue from outside. */
  addPoison(node: number, messages: number): void {
    const { poison, published, poisoned } = this.keep;
    poison[node] = (poison[node] as number) + messages;
    published[node] = (published[node] as number) + messages;
    poisoned[node] = (poisoned[node] as number) + messages;
  }
}

/** A disk counts as full from this share of the room that writes may have: the last block is never quite reached. */
const FULL = 0.9999;

function viewsOf(state: State) {
  return {
    arrived: state.node("arrived"),
    through: state.node("through"),
    errors: state.node("errors"),
    rejected: state.node("rejected"),
    dropped: state.node("dropped"),
    warm: state.node("warm"),
    good: state.node("good"),
    poison: state.node("poison"),
    dead: state.node("dead"),
    redelivered: state.node("redelivered"),
    pulledGood: state.node("pulledGood"),
    pulledPoison: state.node("pulledPoison"),
    disk: state.node("disk"),
    full: state.node("full"),
    hotKeys: state.parameter("hotKeys"),
    cacheTtl: state.parameter("cacheTtl"),
    deliveryLimit: state.parameter("deliveryLimit"),
    diskSize: state.parameter("diskSize"),
    diskGrowth: state.parameter("diskGrowth"),
    diskPerWrite: state.parameter("diskPerWrite"),
    diskReserved: state.parameter("diskReserved"),
    writeShare: state.parameter("writeShare"),
    messageSize: state.parameter("messageSize"),
    granted: state.call("granted"),
    effective: state.call("effective"),
    failureAll: state.call("failureAll"),
    poisonOf: state.callParameter("poison"),
    cameIn: state.total("cameIn"),
    served: state.total("served"),
    failed: state.total("failed"),
    turnedAway: state.total("rejected"),
    lost: state.total("dropped"),
    published: state.store("published"),
    processed: state.store("processed"),
    deadLettered: state.store("deadLettered"),
    purged: state.store("purged"),
    poisoned: state.store("poisoned"),
  };
}
