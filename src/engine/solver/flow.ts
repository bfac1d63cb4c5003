/**
 * The way down: in a sub-step, from users to databases, every group takes what its callers ask for, as far as connections and
 * servers allow. Callers come before callees; queues between their producers and their consumers.
 */

import { contention } from "../mechanisms/contention";
import { flowControl } from "../mechanisms/queue";
import { closeStation, prepareStation, S, stepStation } from "../mechanisms/station";
import { throttleDelay, throttledShare } from "../mechanisms/throttling";
import { C, G, N } from "./fields";
import type { State } from "./state";
import type { Circuit, Wiring } from "./wiring";

const BISECTIONS = 12;
/** Just above the last trial of a bisection that finds nothing but too little, as a share of its upper end. */
const LAST_PART = 1 - 0.999 / 4096;
const LEAST_TIME = 1e-4;
const NEGLIGIBLE = 1e-12;

export class Flow {
  /** The stations of the group at hand, of its first and of its second cohort. */
  private readonly station = new Float64Array(S.count);
  private readonly other = new Float64Array(S.count);

  private readonly offered: Float64Array;
  private readonly n: Float64Array;
  private readonly c: Float64Array;
  private readonly g: Float64Array;

  private get wiring(): Wiring {
    return this.circuit.wiring;
  }

  constructor(
    private readonly circuit: Circuit,
    state: State,
  ) {
    this.n = state.nodes;
    this.c = state.calls;
    this.g = state.groups;
    this.offered = state.entry("offered");
  }

  /** One sub-step of `seconds`. Users' `offered` must be set. */
  run(seconds: number): void {
    const { order, source, firstNode, nodeCount, isQueue } = this.wiring;
    for (let i = 0; i < order.length; i++) {
      const group = order[i] as number;
      const first = firstNode[group] as number;
      const two = nodeCount[group] === 2;
      if ((source[group] as number) >= 0) this.take(group);
      else if (two) this.serveTwo(group, first, seconds);
      else this.serve(group, first, seconds);
      if (isQueue[group]) this.deliver(group, seconds);
      this.ask(first);
      if (two) this.ask(first + 1);
    }
  }

  /** What a node holds a server for, and how many servers and requests a second that makes. */
  private prepare(node: number): void {
    const { n } = this;
    const at = node * N.count;
    const ready = n[at + N.ready] as number;
    const places = ready * (n[at + N.slots] as number);
    const content = n[at + N.content] as number;
    let slow =
      contention(Math.min(content, places), n[at + N.knee] as number) *
      (n[at + N.pressure] as number) *
      (n[at + N.buffers] as number);
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

  /** Makes the station of a node ready for a sub-step. */
  private open(station: Float64Array, node: number, seconds: number): void {
    this.prepare(node);
    const { n } = this;
    const at = node * N.count;
    const ready = n[at + N.ready] as number;
    if (ready <= 0) {
      closeStation(station);
      return;
    }
    const capacity = n[at + N.capacity] as number;
    let room = ready * ((n[at + N.slots] as number) + (n[at + N.backlog] as number));
    if (n[at + N.cancels]) room = Math.min(room, (n[at + N.servers] as number) + capacity * this.patience(node));
    station[S.before] = n[at + N.content] as number;
    station[S.seconds] = seconds;
    station[S.capacity] = capacity;
    station[S.holding] = n[at + N.holding] as number;
    station[S.utilisation] = n[at + N.utilisation] as number;
    station[S.room] = room;
    prepareStation(station);
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

  /** A group of one cohort. Its callers are gone through here, not in functions: it is where most of the way down is spent. */
  private serve(group: number, node: number, seconds: number): void {
    const { station, n, c, g } = this;
    const { into, intoStart } = this.wiring;
    const start = intoStart[group] as number;
    const end = intoStart[group + 1] as number;
    const at = node * N.count;
    const to = group * G.count;
    this.open(station, node, seconds);
    const accepted = 1 - (n[at + N.shed] as number);
    const users = this.usersOf(group);
    let came = users;
    for (let k = start; k < end; k++) came += c[(into[k] as number) * C.count + C.reached] as number;
    station[S.arrivals] = came * accepted;
    stepStation(station);
    const sojourn = station[S.sojourn] as number;
    let limited = false;
    for (let k = start; k < end; k++) {
      const from = (into[k] as number) * C.count;
      const reached = c[from + C.reached] as number;
      c[from + C.granted] = reached;
      if (reached * Math.min(sojourn, c[from + C.timeout] as number) > (c[from + C.usable] as number)) limited = true;
    }
    if (limited) {
      came = users + this.grantAt(group, this.fitting(group, node, users, sojourn));
      station[S.arrivals] = came * accepted;
      stepStation(station);
    }
    n[at + N.arrived] = came;
    this.commit(station, node, seconds);
    g[to + G.sojourn] = station[S.sojourn] as number;
    g[to + G.wait] = station[S.wait] as number;
    g[to + G.rejected] =
      came > NEGLIGIBLE ? Math.min(1, (n[at + N.rejected] as number) / came) : n[at + N.ready] ? 0 : 1;
  }

  /** A group of two cohorts, which share its callers' connections. */
  private serveTwo(group: number, first: number, seconds: number): void {
    const { station, other, n, g } = this;
    this.open(station, first, seconds);
    this.open(other, first + 1, seconds);
    const to = group * G.count;
    const at = first * N.count;
    const share = this.shareOfSecond(group, first);
    g[to + G.second] = share;
    const users = this.usersOf(group);
    let came = users + this.reaching(group);
    this.stepBoth(first, share, came);
    const sojourn = this.meanSojourn(share);
    if (this.limits(group, sojourn)) {
      came = users + this.grantAt(group, this.fitting(group, first, users, sojourn));
      this.stepBoth(first, share, came);
    }
    n[at + N.arrived] = came * (1 - share);
    n[at + N.count + N.arrived] = came * share;
    this.commit(station, first, seconds);
    this.commit(other, first + 1, seconds);
    const turnedAway = (n[at + N.rejected] as number) + (n[at + N.count + N.rejected] as number);
    g[to + G.sojourn] = this.meanSojourn(share);
    g[to + G.wait] = (1 - share) * (station[S.wait] as number) + share * (other[S.wait] as number);
    g[to + G.rejected] = came > NEGLIGIBLE ? Math.min(1, turnedAway / came) : n[at + N.ready] ? 0 : 1;
  }

  /** Steps both stations with their parts of `rate`. */
  private stepBoth(first: number, share: number, rate: number): void {
    const { n, station, other } = this;
    const at = first * N.count;
    station[S.arrivals] = rate * (1 - share) * (1 - (n[at + N.shed] as number));
    other[S.arrivals] = rate * share * (1 - (n[at + N.count + N.shed] as number));
    stepStation(station);
    stepStation(other);
  }

  private meanSojourn(share: number): number {
    return (1 - share) * (this.station[S.sojourn] as number) + share * (this.other[S.sojourn] as number);
  }

  /**
   * The sojourn that fits the connections of a group's callers. The longer it takes, the less they can ask; the less they ask, the
   * shorter it takes: there is one sojourn, found by bisection between 0 and `most`, what it is if they ask all they want. Bounds close
   * around it, found first, spare most trials of the bisection and change nothing of what it finds.
   */
  private fitting(group: number, first: number, users: number, most: number): number {
    // Often the limits are only just reached: one trial above all those of the bisection decides them all.
    let above = most * LAST_PART;
    let excess = this.excess(group, first, users, above);
    if (excess > 0) return most;
    // What comes of too long a sojourn is too short; between the two, false position comes close in two steps.
    let below = 0;
    let lack = 0;
    let trial = above + excess;
    for (let i = 0; i < 3; i++) {
      const found = this.excess(group, first, users, trial);
      if (found > 0) {
        below = trial;
        lack = found;
      } else {
        above = trial;
        excess = found;
      }
      if (lack === 0) break;
      trial = above - (excess * (above - below)) / (excess - lack);
    }
    let low = 0;
    let high = most;
    for (let i = 0; i < BISECTIONS; i++) {
      const middle = 0.5 * (low + high);
      if (middle <= below || (middle < above && this.excess(group, first, users, middle) > 0)) low = middle;
      else high = middle;
    }
    return high;
  }

  /** How much longer a group takes than `sojourn` with what its callers can ask if that is what it takes, s. */
  private excess(group: number, first: number, users: number, sojourn: number): number {
    const { station } = this;
    const rate = users + this.admittedAt(group, sojourn);
    if (this.wiring.nodeCount[group] === 2) {
      const share = this.g[group * G.count + G.second] as number;
      this.stepBoth(first, share, rate);
      return this.meanSojourn(share) - sojourn;
    }
    station[S.arrivals] = rate * (1 - (this.n[first * N.count + N.shed] as number));
    stepStation(station);
    return (station[S.sojourn] as number) - sojourn;
  }

  /** A canary that nobody answers for is left out by the balancer; a shard's keys cannot go elsewhere. */
  private shareOfSecond(group: number, first: number): number {
    const { n } = this;
    const share = n[first * N.count + N.weight] as number;
    if (this.wiring.cohorts[group] === 2) return share;
    if (!n[(first + 1) * N.count + N.ready]) return 0;
    return n[first * N.count + N.ready] ? share : 1;
  }

  /** What users ask of a group, requests a second. */
  private usersOf(group: number): number {
    const { entries, entriesStart } = this.wiring;
    const end = entriesStart[group + 1] as number;
    let rate = 0;
    for (let k = entriesStart[group] as number; k < end; k++) rate += this.offered[entries[k] as number] as number;
    return rate;
  }

  /** What reaches a group of its callers' attempts, requests a second, if connections do not limit it. */
  private reaching(group: number): number {
    const { c } = this;
    const { into, intoStart } = this.wiring;
    const end = intoStart[group + 1] as number;
    let sum = 0;
    for (let k = intoStart[group] as number; k < end; k++)
      sum += c[(into[k] as number) * C.count + C.reached] as number;
    return sum;
  }

  /** Grants every caller of a group what it wants; answers whether that takes more connections than one of them has. */
  private limits(group: number, sojourn: number): boolean {
    const { c } = this;
    const { into, intoStart } = this.wiring;
    const end = intoStart[group + 1] as number;
    let limited = false;
    for (let k = intoStart[group] as number; k < end; k++) {
      const at = (into[k] as number) * C.count;
      const limit = c[at + C.timeout] as number;
      const reached = c[at + C.reached] as number;
      c[at + C.granted] = reached;
      if (reached * Math.min(sojourn, limit) > (c[at + C.usable] as number)) limited = true;
    }
    return limited;
  }

  /** What the callers of a group can ask of it with the connections they have, requests a second, if it takes `sojourn` seconds. */
  private admittedAt(group: number, sojourn: number): number {
    const { c } = this;
    const { into, intoStart } = this.wiring;
    const end = intoStart[group + 1] as number;
    let sum = 0;
    for (let k = intoStart[group] as number; k < end; k++) sum += granted(c, (into[k] as number) * C.count, sojourn);
    return sum;
  }

  /** The same, and grants it. */
  private grantAt(group: number, sojourn: number): number {
    const { c } = this;
    const { into, intoStart } = this.wiring;
    const end = intoStart[group + 1] as number;
    let sum = 0;
    for (let k = intoStart[group] as number; k < end; k++) {
      const at = (into[k] as number) * C.count;
      const rate = granted(c, at, sojourn);
      c[at + C.granted] = rate;
      sum += rate;
    }
    return sum;
  }

  /** Takes over what a step of a node's station found; what came stands in `arrived`. */
  private commit(station: Float64Array, node: number, seconds: number): void {
    const { n } = this;
    const at = node * N.count;
    const came = n[at + N.arrived] as number;
    const ready = (n[at + N.ready] as number) > 0;
    let refused = ready ? came * (n[at + N.shed] as number) : came;
    const found = station[S.over] as number;
    let over = came - refused;
    if (found < over) over = found;
    refused += over;
    n[at + N.dropped] = (found - over) * seconds + (ready ? 0 : (n[at + N.content] as number));
    n[at + N.rejected] = refused;
    n[at + N.through] = station[S.through] as number;
    n[at + N.content] = station[S.content] as number;
    n[at + N.utilisation] = station[S.utilisation] as number;
    n[at + N.sojourn] = station[S.sojourn] as number;
    n[at + N.wait] = station[S.wait] as number;
  }

  /** Messages of a queue are dealt to its consumers by their capacity, good and poison in proportion. */
  private deliver(group: number, seconds: number): void {
    const { n } = this;
    const { consumers, consumersStart, firstNode } = this.wiring;
    const queue = (firstNode[group] as number) * N.count;
    const start = consumersStart[group] as number;
    const end = consumersStart[group + 1] as number;
    // What the broker could not take (its disk is full) is nothing to work on.
    const taken = (n[queue + N.through] as number) * (1 - (n[queue + N.errors] as number));
    const depth = (n[queue + N.good] as number) + (n[queue + N.poison] as number) + seconds * taken;
    let total = 0;
    for (let k = start; k < end; k++) {
      const node = consumers[k] as number;
      this.prepare(node);
      total += n[node * N.count + N.capacity] as number;
    }
    const rate = Math.min(depth / seconds, total);
    const dealt = total > 0 && (n[queue + N.ready] as number) > 0;
    for (let k = start; k < end; k++) {
      const at = (consumers[k] as number) * N.count;
      n[at + N.arrived] = dealt ? (rate * (n[at + N.capacity] as number)) / total : 0;
    }
  }

  /** A consumer works on what it was dealt; what it has no capacity for stays in the queue. */
  private take(group: number): void {
    const { n, g } = this;
    const { firstNode, nodeCount } = this.wiring;
    const first = firstNode[group] as number;
    const end = first + (nodeCount[group] as number);
    for (let node = first; node < end; node++) {
      const at = node * N.count;
      const rate = n[at + N.arrived] as number;
      const capacity = n[at + N.capacity] as number;
      const holding = n[at + N.holding] as number;
      n[at + N.through] = rate;
      n[at + N.utilisation] = capacity > 1e-9 ? Math.min(1, rate / capacity) : 0;
      n[at + N.sojourn] = holding;
      n[at + N.wait] = 0;
      n[at + N.content] = rate * holding;
      n[at + N.rejected] = 0;
      n[at + N.dropped] = 0;
    }
    const at = group * G.count;
    g[at + G.sojourn] = n[first * N.count + N.sojourn] as number;
    g[at + G.wait] = 0;
    g[at + G.rejected] = 0;
  }

  /** What a node asks of others, retries included. */
  private ask(node: number): void {
    const { n, c } = this;
    const { out, outStart, behind, cacheNode } = this.wiring;
    const through = n[node * N.count + N.through] as number;
    const end = outStart[node + 1] as number;
    for (let k = outStart[node] as number; k < end; k++) {
      const call = out[k] as number;
      const at = call * C.count;
      let times = (c[at + C.calls] as number) * (c[at + C.enabled] as number);
      const cache = (cacheNode[call] as number) * N.count;
      if (cache >= 0) {
        const found = 1 - (c[(behind[call] as number) * C.count + C.failureAll] as number);
        times *= 1 - (n[cache + N.hitMax] as number) * (n[cache + N.warm] as number) * found;
      }
      // Of those that cannot get through every attempt is lost; the others make as many as they need.
      const unreached = c[at + C.unreached] as number;
      const rate = through * times;
      const getting = rate * (1 - unreached) * (c[at + C.attempts] as number);
      const lost = unreached > 0 ? rate * unreached * (1 + Math.ceil(c[at + C.retries] as number)) : 0;
      c[at + C.effective] = times;
      c[at + C.asked] = getting + lost;
      c[at + C.reached] = getting * (1 - (c[at + C.broken] as number));
    }
  }
}

/** What a caller can ask with the connections it has while an attempt holds one for `sojourn` seconds, requests a second. */
function granted(c: Float64Array, at: number, sojourn: number): number {
  const limit = c[at + C.timeout] as number;
  let held = Math.min(sojourn, limit);
  if (held < LEAST_TIME) held = LEAST_TIME;
  const most = (c[at + C.usable] as number) / held;
  const reached = c[at + C.reached] as number;
  return Math.min(reached, most);
}
