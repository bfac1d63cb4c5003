/**
 * The way down: in a sub-step, from users to databases, every group takes what its callers ask for, as far as connections and
 * servers allow. Callers come before callees; queues between their producers and their consumers.
 */

import { contention } from "../mechanisms/contention";
import { flowControl } from "../mechanisms/queue";
import { CONTENT, SOJOURN, solveStation, THROUGHPUT, UTILISATION, WAIT } from "../mechanisms/station";
import { throttleDelay, throttledShare } from "../mechanisms/throttling";
import { C, N } from "./fields";
import type { State } from "./state";
import type { Circuit, Wiring } from "./wiring";

const BISECTIONS = 12;
const LEAST_TIME = 1e-4;

export class Flow {
  /** Of a group in this sub-step: mean sojourn s, wait s, share rejected. */
  readonly sojournOf: Float64Array;
  readonly waitOf: Float64Array;
  readonly rejectedOf: Float64Array;
  /** Share of a group's requests that go to its second cohort now. */
  readonly second: Float64Array;

  private readonly station = new Float64Array(5);
  private over = 0;

  private readonly connectionScale;
  private readonly offered;

  private readonly n: Float64Array;
  private readonly c: Float64Array;

  private get wiring(): Wiring {
    return this.circuit.wiring;
  }

  constructor(
    private readonly circuit: Circuit,
    state: State,
    from?: Flow,
  ) {
    this.n = state.nodes;
    this.c = state.calls;
    this.sojournOf = from ? from.sojournOf.slice() : new Float64Array(circuit.wiring.groups);
    this.waitOf = from ? from.waitOf.slice() : new Float64Array(circuit.wiring.groups);
    this.rejectedOf = from ? from.rejectedOf.slice() : new Float64Array(circuit.wiring.groups);
    this.second = from ? from.second.slice() : new Float64Array(circuit.wiring.groups);
    this.connectionScale = state.connectionScale;
    this.offered = state.entry("offered");
  }

  /** One sub-step of `seconds`. Users' `offered` must be set. */
  run(seconds: number): void {
    const { order, source, firstNode, nodeCount, isQueue } = this.wiring;
    for (let i = 0; i < order.length; i++) {
      const group = order[i] as number;
      const first = firstNode[group] as number;
      const last = first + (nodeCount[group] as number);
      if ((source[group] as number) >= 0) this.take(group);
      else this.serve(group, seconds);
      if (isQueue[group]) this.deliver(group, seconds);
      for (let node = first; node < last; node++) this.ask(node);
    }
  }

  /** What a node holds a server for, and how many servers and requests a second that makes. */
  private prepare(node: number): void {
    const { n } = this;
    const at = node * N.count;
    const ready = n[at + N.ready] as number;
    const places = ready * (n[at + N.slots] as number);
    const admitted = Math.min(n[at + N.content] as number, places);
    let slow =
      contention(admitted, n[at + N.knee] as number) * (n[at + N.pressure] as number) * (n[at + N.buffers] as number);
    if (this.wiring.isQueue[this.wiring.groupOf[node] as number])
      slow *= flowControl((n[at + N.good] as number) + (n[at + N.poison] as number), n[at + N.highWater] as number);
    const cores = n[at + N.cores] as number;
    const threads = n[at + N.threads] as number;
    let holding =
      ((n[at + N.ownTime] as number) + (n[at + N.cpuTime] as number)) * slow + (n[at + N.waiting] as number);
    if (threads > cores)
      holding += throttleDelay(throttledShare(n[at + N.utilisation] as number, cores, threads), cores, threads);
    if (holding < LEAST_TIME) holding = LEAST_TIME;
    let capacity = (n[at + N.cpuRate] as number) * ready;
    if (slow !== 1) capacity /= slow;
    let servers = capacity * holding;
    if (servers > places) {
      servers = places;
      capacity = places / holding;
    }
    n[at + N.holding] = holding;
    n[at + N.capacity] = capacity;
    n[at + N.servers] = servers;
  }

  private serve(group: number, seconds: number): void {
    const { into, intoStart, firstNode, nodeCount } = this.wiring;
    const { c } = this;
    const first = firstNode[group] as number;
    const two = nodeCount[group] === 2;
    this.prepare(first);
    if (two) this.prepare(first + 1);
    const share = two ? this.shareOfSecond(group, first) : 0;
    this.second[group] = share;
    const users = this.usersOf(group);
    const start = intoStart[group] as number;
    const end = intoStart[group + 1] as number;
    let wanted = users;
    for (let k = start; k < end; k++) wanted += c[(into[k] as number) * C.count + C.reached] as number;
    const sojourn = this.trial(first, two, share, wanted, seconds);
    if (this.limited(start, end, sojourn)) {
      wanted = users + this.withinLimits(group, first, two, share, users, sojourn, seconds);
      this.settle(group, first, two, share, wanted, seconds);
      return;
    }
    for (let k = start; k < end; k++) {
      const at = (into[k] as number) * C.count;
      c[at + C.granted] = c[at + C.reached] as number;
    }
    if (two) this.settle(group, first, two, share, wanted, seconds);
    else this.settleOne(group, first, wanted, seconds);
  }

  /**
   * What the callers of a group can ask of it with the connections they have, requests a second. The longer it takes, the fewer; the fewer, the
   * shorter it takes: one sojourn fits both, found by bisection.
   * @param most sojourn if all that is wanted came
   */
  private withinLimits(
    group: number,
    first: number,
    two: boolean,
    share: number,
    users: number,
    most: number,
    seconds: number,
  ): number {
    const { into, intoStart } = this.wiring;
    const start = intoStart[group] as number;
    const end = intoStart[group + 1] as number;
    let low = 0;
    let high = most;
    for (let i = 0; i < BISECTIONS; i++) {
      const middle = 0.5 * (low + high);
      const found = this.trial(first, two, share, users + this.admittedAt(start, end, middle), seconds);
      if (found > middle) low = middle;
      else high = middle;
    }
    let sum = 0;
    for (let k = start; k < end; k++) {
      const call = into[k] as number;
      const granted = this.grant(call, high);
      this.c[call * C.count + C.granted] = granted;
      sum += granted;
    }
    return sum;
  }

  private usersOf(group: number): number {
    const { entries, entriesStart } = this.wiring;
    let rate = 0;
    for (let k = entriesStart[group] as number; k < (entriesStart[group + 1] as number); k++)
      rate += this.offered[entries[k] as number] as number;
    return rate;
  }

  /** A canary that nobody answers for is left out by the balancer; a shard's keys cannot go elsewhere. */
  private shareOfSecond(group: number, first: number): number {
    const share = this.n[first * N.count + N.weight] as number;
    if (this.wiring.cohorts[group] === 2) return share;
    if (!this.n[(first + 1) * N.count + N.ready]) return 0;
    return this.n[first * N.count + N.ready] ? share : 1;
  }

  private limited(start: number, end: number, sojourn: number): boolean {
    const { into } = this.wiring;
    for (let k = start; k < end; k++) {
      const call = into[k] as number;
      const limit = this.c[call * C.count + C.timeout] as number;
      const held = Math.min(sojourn, limit);
      if ((this.c[call * C.count + C.reached] as number) * held > (this.c[call * C.count + C.usable] as number))
        return true;
    }
    return false;
  }

  private admittedAt(start: number, end: number, sojourn: number): number {
    const { into } = this.wiring;
    let sum = 0;
    for (let k = start; k < end; k++) sum += this.grant(into[k] as number, sojourn);
    return sum;
  }

  private grant(call: number, sojourn: number): number {
    const limit = this.c[call * C.count + C.timeout] as number;
    let held = Math.min(sojourn, limit);
    if (held < LEAST_TIME) held = LEAST_TIME;
    const most = (this.c[call * C.count + C.usable] as number) / held;
    const reached = this.c[call * C.count + C.reached] as number;
    return Math.min(reached, most);
  }

  /** Mean sojourn of a group if `rate` requests a second came; commits nothing. */
  private trial(first: number, two: boolean, share: number, rate: number, seconds: number): number {
    if (!two) return this.solve(first, rate, seconds);
    const cool = share < 1 ? this.solve(first, rate * (1 - share), seconds) : 0;
    const hot = share > 0 ? this.solve(first + 1, rate * share, seconds) : 0;
    return cool * (1 - share) + hot * share;
  }

  /** The station of a node into `station`; answers its sojourn. `over` is what its backlog had no room for, requests a second. */
  private solve(node: number, rate: number, seconds: number): number {
    const out = this.station;
    this.over = 0;
    const ready = this.n[node * N.count + N.ready] as number;
    if (ready <= 0) {
      out[THROUGHPUT] = 0;
      out[SOJOURN] = LEAST_TIME;
      out[WAIT] = 0;
      out[CONTENT] = 0;
      out[UTILISATION] = 0;
      return LEAST_TIME;
    }
    const capacity = this.n[node * N.count + N.capacity] as number;
    const accepted = rate * (1 - (this.n[node * N.count + N.shed] as number));
    const content = this.n[node * N.count + N.content] as number;
    const holding = this.n[node * N.count + N.holding] as number;
    solveStation(content, accepted, seconds, capacity, holding, this.n[node * N.count + N.utilisation] as number, out);
    let room = ready * ((this.n[node * N.count + N.slots] as number) + (this.n[node * N.count + N.backlog] as number));
    if (this.n[node * N.count + N.cancels])
      room = Math.min(room, (this.n[node * N.count + N.servers] as number) + capacity * this.patience(node));
    const left = out[CONTENT] as number;
    if (left > room) {
      this.over = (left - room) / seconds;
      out[CONTENT] = room;
      const through = out[THROUGHPUT] as number;
      const sojourn = through > 1e-12 ? room / through : holding;
      out[SOJOURN] = Math.max(sojourn, holding);
      const queued = room - (this.n[node * N.count + N.servers] as number);
      out[WAIT] = queued > 0 && capacity > 0 ? queued / capacity : 0;
    }
    return out[SOJOURN] as number;
  }

  /** The longest that any caller of a node waits, s. */
  private patience(node: number): number {
    const { into, intoStart, groupOf } = this.wiring;
    const group = groupOf[node] as number;
    let most = 0;
    for (let k = intoStart[group] as number; k < (intoStart[group + 1] as number); k++) {
      const limit = this.c[(into[k] as number) * C.count + C.timeout] as number;
      if (limit > most) most = limit;
    }
    return most > 0 ? most : 1e9;
  }

  private settle(group: number, first: number, two: boolean, share: number, rate: number, seconds: number): void {
    let sojourn = 0;
    let wait = 0;
    let turnedAway = 0;
    for (let node = first; node < first + (two ? 2 : 1); node++) {
      const part = two ? (node === first ? 1 - share : share) : 1;
      const came = rate * part;
      this.solve(node, came, seconds);
      turnedAway += this.commit(node, came, seconds);
      sojourn += part * (this.n[node * N.count + N.sojourn] as number);
      wait += part * (this.n[node * N.count + N.wait] as number);
    }
    this.sojournOf[group] = sojourn;
    this.waitOf[group] = wait;
    this.rejectedOf[group] = rate > 1e-12 ? Math.min(1, turnedAway / rate) : this.n[first * N.count + N.ready] ? 0 : 1;
  }

  /** The same for a group of one cohort whose station is solved. */
  private settleOne(group: number, node: number, rate: number, seconds: number): void {
    const turnedAway = this.commit(node, rate, seconds);
    this.sojournOf[group] = this.n[node * N.count + N.sojourn] as number;
    this.waitOf[group] = this.n[node * N.count + N.wait] as number;
    this.rejectedOf[group] = rate > 1e-12 ? Math.min(1, turnedAway / rate) : this.n[node * N.count + N.ready] ? 0 : 1;
  }

  /** Takes over what `solve` found; answers the requests a second that were rejected. */
  private commit(node: number, came: number, seconds: number): number {
    const out = this.station;
    const before = this.n[node * N.count + N.content] as number;
    let refused = this.n[node * N.count + N.ready] ? came * (this.n[node * N.count + N.shed] as number) : came;
    const room = came - refused;
    const over = Math.min(this.over, room);
    refused += over;
    const gone = (this.over - over) * seconds;
    this.n[node * N.count + N.dropped] = gone + (this.n[node * N.count + N.ready] ? 0 : before);
    this.n[node * N.count + N.arrived] = came;
    this.n[node * N.count + N.rejected] = refused;
    this.n[node * N.count + N.through] = out[THROUGHPUT] as number;
    this.n[node * N.count + N.content] = out[CONTENT] as number;
    this.n[node * N.count + N.utilisation] = out[UTILISATION] as number;
    this.n[node * N.count + N.sojourn] = out[SOJOURN] as number;
    this.n[node * N.count + N.wait] = out[WAIT] as number;
    return refused;
  }

  /** Messages of a queue are dealt to its consumers by their capacity, good and poison in proportion. */
  private deliver(group: number, seconds: number): void {
    const { consumers, consumersStart, firstNode } = this.wiring;
    const queue = firstNode[group] as number;
    const good = this.n[queue * N.count + N.good] as number;
    const poison = this.n[queue * N.count + N.poison] as number;
    // What the broker could not take (its disk is full) is nothing to work on.
    const taken =
      (this.n[queue * N.count + N.through] as number) * (1 - (this.n[queue * N.count + N.errors] as number));
    const depth = good + poison + seconds * taken;
    let total = 0;
    for (let k = consumersStart[group] as number; k < (consumersStart[group + 1] as number); k++) {
      this.prepare(consumers[k] as number);
      total += this.n[(consumers[k] as number) * N.count + N.capacity] as number;
    }
    const rate = Math.min(depth / seconds, total);
    for (let k = consumersStart[group] as number; k < (consumersStart[group + 1] as number); k++) {
      const node = consumers[k] as number;
      this.n[node * N.count + N.arrived] =
        total > 0 && this.n[queue * N.count + N.ready]
          ? (rate * (this.n[node * N.count + N.capacity] as number)) / total
          : 0;
    }
  }

  /** A consumer works on what it was dealt; what it has no capacity for stays in the queue. */
  private take(group: number): void {
    const { firstNode, nodeCount } = this.wiring;
    const first = firstNode[group] as number;
    for (let node = first; node < first + (nodeCount[group] as number); node++) {
      const rate = this.n[node * N.count + N.arrived] as number;
      const capacity = this.n[node * N.count + N.capacity] as number;
      this.n[node * N.count + N.through] = rate;
      this.n[node * N.count + N.utilisation] = capacity > 1e-9 ? Math.min(1, rate / capacity) : 0;
      this.n[node * N.count + N.sojourn] = this.n[node * N.count + N.holding] as number;
      this.n[node * N.count + N.wait] = 0;
      this.n[node * N.count + N.content] = rate * (this.n[node * N.count + N.holding] as number);
      this.n[node * N.count + N.rejected] = 0;
      this.n[node * N.count + N.dropped] = 0;
    }
    this.sojournOf[group] = this.n[first * N.count + N.sojourn] as number;
    this.waitOf[group] = 0;
    this.rejectedOf[group] = 0;
  }

  /** What a node asks of others, retries included, and how many connections it has for it. */
  private ask(node: number): void {
    const { out, outStart, to, behind, cacheNode } = this.wiring;
    const through = this.n[node * N.count + N.through] as number;
    const ready = this.n[node * N.count + N.ready] as number;
    for (let k = outStart[node] as number; k < (outStart[node + 1] as number); k++) {
      const call = out[k] as number;
      let times = (this.c[call * C.count + C.calls] as number) * (this.c[call * C.count + C.enabled] as number);
      const cache = cacheNode[call] as number;
      if (cache >= 0) {
        const found = 1 - (this.c[(behind[call] as number) * C.count + C.failureAll] as number);
        times *=
          1 - (this.n[cache * N.count + N.hitMax] as number) * (this.n[cache * N.count + N.warm] as number) * found;
      }
      this.c[call * C.count + C.effective] = times;
      // Of those that cannot get through every attempt is lost; the others make as many as they need.
      const unreached = this.c[call * C.count + C.unreached] as number;
      const rate = through * times;
      const getting = rate * (1 - unreached) * (this.c[call * C.count + C.attempts] as number);
      const lost = unreached > 0 ? rate * unreached * (1 + Math.ceil(this.c[call * C.count + C.retries] as number)) : 0;
      this.c[call * C.count + C.asked] = getting + lost;
      this.c[call * C.count + C.reached] = getting * (1 - (this.c[call * C.count + C.broken] as number));
      const pool = this.c[call * C.count + C.pool] as number;
      const open =
        pool > 0
          ? pool * ready * (this.connectionScale[to[call] as number] as number) -
            (this.c[call * C.count + C.stale] as number)
          : 1e12;
      const inside = ready * (this.n[node * N.count + N.slots] as number);
      this.c[call * C.count + C.usable] = pool > 0 ? Math.max(open, 0) : Math.max(inside, 1);
    }
  }
}
