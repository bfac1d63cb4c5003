/**
 * The way down: in a sub-step, from users to databases, every group takes what its callers ask for, as far as connections and
 * servers allow. Callers come before callees; queues between their producers and their consumers.
 */
import { contention } from "./mechanisms/contention";
import { flowControl } from "./mechanisms/queue";
import { CONTENT, SOJOURN, solveStation, THROUGHPUT, UTILISATION, WAIT } from "./mechanisms/station";
import { throttleDelay, throttledShare } from "./mechanisms/throttling";
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

  private readonly content;
  private readonly through;
  private readonly sojourn;
  private readonly wait;
  private readonly utilisation;
  private readonly arrived;
  private readonly rejected;
  private readonly dropped;
  private readonly holding;
  private readonly servers;
  private readonly capacity;
  private readonly ready;
  private readonly pressure;
  private readonly buffers;
  private readonly waiting;
  private readonly cpuRate;
  private readonly good;
  private readonly poison;
  private readonly warm;
  private readonly slots;
  private readonly backlog;
  private readonly shed;
  private readonly cancels;
  private readonly cores;
  private readonly threads;
  private readonly cpuTime;
  private readonly ownTime;
  private readonly knee;
  private readonly hitMax;
  private readonly highWater;
  private readonly weight;
  private readonly asked;
  private readonly reached;
  private readonly granted;
  private readonly usable;
  private readonly unreached;
  private readonly broken;
  private readonly effective;
  private readonly attempts;
  private readonly failureAll;
  private readonly stale;
  private readonly timeout;
  private readonly calls;
  private readonly enabled;
  private readonly pool;
  private readonly connectionScale;
  private readonly offered;

  private get wiring(): Wiring {
    return this.circuit.wiring;
  }

  constructor(
    private readonly circuit: Circuit,
    state: State,
    from?: Flow,
  ) {
    this.sojournOf = from ? from.sojournOf.slice() : new Float64Array(circuit.wiring.groups);
    this.waitOf = from ? from.waitOf.slice() : new Float64Array(circuit.wiring.groups);
    this.rejectedOf = from ? from.rejectedOf.slice() : new Float64Array(circuit.wiring.groups);
    this.second = from ? from.second.slice() : new Float64Array(circuit.wiring.groups);
    this.content = state.node("content");
    this.through = state.node("through");
    this.sojourn = state.node("sojourn");
    this.wait = state.node("wait");
    this.utilisation = state.node("utilisation");
    this.arrived = state.node("arrived");
    this.rejected = state.node("rejected");
    this.dropped = state.node("dropped");
    this.holding = state.node("holding");
    this.servers = state.node("servers");
    this.capacity = state.node("capacity");
    this.ready = state.node("ready");
    this.pressure = state.node("pressure");
    this.buffers = state.node("buffers");
    this.waiting = state.node("waiting");
    this.cpuRate = state.node("cpuRate");
    this.good = state.node("good");
    this.poison = state.node("poison");
    this.warm = state.node("warm");
    this.slots = state.parameter("slots");
    this.backlog = state.parameter("backlog");
    this.shed = state.parameter("shed");
    this.cancels = state.parameter("cancels");
    this.cores = state.parameter("cores");
    this.threads = state.parameter("threads");
    this.cpuTime = state.parameter("cpuTime");
    this.ownTime = state.parameter("ownTime");
    this.knee = state.parameter("knee");
    this.hitMax = state.parameter("hitMax");
    this.highWater = state.parameter("highWater");
    this.weight = state.parameter("weight");
    this.asked = state.call("asked");
    this.reached = state.call("reached");
    this.granted = state.call("granted");
    this.usable = state.call("usable");
    this.unreached = state.call("unreached");
    this.broken = state.call("broken");
    this.effective = state.call("effective");
    this.attempts = state.call("attempts");
    this.failureAll = state.call("failureAll");
    this.stale = state.call("stale");
    this.timeout = state.callParameter("timeout");
    this.calls = state.callParameter("calls");
    this.enabled = state.callParameter("enabled");
    this.pool = state.callParameter("pool");
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

  /** What the nodes of a group hold a server for, and how many servers and requests a second that makes. */
  private prepare(node: number): void {
    const ready = this.ready[node] as number;
    const places = ready * (this.slots[node] as number);
    const inside = this.content[node] as number;
    const admitted = Math.min(inside, places);
    const cores = this.cores[node] as number;
    const threads = this.threads[node] as number;
    let slow =
      contention(admitted, this.knee[node] as number) *
      (this.pressure[node] as number) *
      (this.buffers[node] as number);
    if (this.wiring.isQueue[this.wiring.groupOf[node] as number])
      slow *= flowControl((this.good[node] as number) + (this.poison[node] as number), this.highWater[node] as number);
    const delay =
      threads > cores
        ? throttleDelay(throttledShare(this.utilisation[node] as number, cores, threads), cores, threads)
        : 0;
    const own = ((this.ownTime[node] as number) + (this.cpuTime[node] as number)) * slow + delay;
    let holding = own + (this.waiting[node] as number);
    if (holding < LEAST_TIME) holding = LEAST_TIME;
    const byCpu = ((this.cpuRate[node] as number) * ready) / slow;
    const bySlots = places / holding;
    const capacity = Math.min(byCpu, bySlots);
    this.holding[node] = holding;
    this.capacity[node] = capacity;
    this.servers[node] = capacity * holding;
  }

  private serve(group: number, seconds: number): void {
    const { into, intoStart, firstNode, nodeCount } = this.wiring;
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
    for (let k = start; k < end; k++) wanted += this.reached[into[k] as number] as number;
    let sojourn = this.trial(first, two, share, wanted, seconds);
    let solved = !two;
    if (this.limited(start, end, sojourn)) {
      solved = false;
      let low = 0;
      let high = sojourn;
      for (let i = 0; i < BISECTIONS; i++) {
        const middle = 0.5 * (low + high);
        const found = this.trial(first, two, share, users + this.admittedAt(start, end, middle), seconds);
        if (found > middle) low = middle;
        else high = middle;
      }
      sojourn = high;
      wanted = users + this.admittedAt(start, end, sojourn);
    }
    for (let k = start; k < end; k++) {
      const call = into[k] as number;
      this.granted[call] = this.grant(call, sojourn);
    }
    if (!solved) this.settle(group, first, two, share, wanted, seconds);
    else this.settleOne(group, first, wanted, seconds);
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
    const share = this.weight[first] as number;
    if (this.wiring.cohorts[group] === 2) return share;
    if (!this.ready[first + 1]) return 0;
    return this.ready[first] ? share : 1;
  }

  private limited(start: number, end: number, sojourn: number): boolean {
    const { into } = this.wiring;
    for (let k = start; k < end; k++) {
      const call = into[k] as number;
      const limit = this.timeout[call] as number;
      const held = Math.min(sojourn, limit);
      if ((this.reached[call] as number) * held > (this.usable[call] as number)) return true;
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
    const limit = this.timeout[call] as number;
    let held = Math.min(sojourn, limit);
    if (held < LEAST_TIME) held = LEAST_TIME;
    const most = (this.usable[call] as number) / held;
    const reached = this.reached[call] as number;
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
    const ready = this.ready[node] as number;
    if (ready <= 0) {
      out[THROUGHPUT] = 0;
      out[SOJOURN] = LEAST_TIME;
      out[WAIT] = 0;
      out[CONTENT] = 0;
      out[UTILISATION] = 0;
      return LEAST_TIME;
    }
    const capacity = this.capacity[node] as number;
    const accepted = rate * (1 - (this.shed[node] as number));
    const content = this.content[node] as number;
    const holding = this.holding[node] as number;
    solveStation(content, accepted, seconds, capacity, holding, this.utilisation[node] as number, out);
    let room = ready * ((this.slots[node] as number) + (this.backlog[node] as number));
    if (this.cancels[node]) room = Math.min(room, (this.servers[node] as number) + capacity * this.patience(node));
    const left = out[CONTENT] as number;
    if (left > room) {
      this.over = (left - room) / seconds;
      out[CONTENT] = room;
      const through = out[THROUGHPUT] as number;
      const sojourn = through > 1e-12 ? room / through : holding;
      out[SOJOURN] = Math.max(sojourn, holding);
      const queued = room - (this.servers[node] as number);
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
      const limit = this.timeout[into[k] as number] as number;
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
      sojourn += part * (this.sojourn[node] as number);
      wait += part * (this.wait[node] as number);
    }
    this.sojournOf[group] = sojourn;
    this.waitOf[group] = wait;
    this.rejectedOf[group] = rate > 1e-12 ? turnedAway / rate : this.ready[first] ? 0 : 1;
  }

  /** The same for a group of one cohort whose station is solved. */
  private settleOne(group: number, node: number, rate: number, seconds: number): void {
    const turnedAway = this.commit(node, rate, seconds);
    this.sojournOf[group] = this.sojourn[node] as number;
    this.waitOf[group] = this.wait[node] as number;
    this.rejectedOf[group] = rate > 1e-12 ? turnedAway / rate : this.ready[node] ? 0 : 1;
  }

  /** Takes over what `solve` found; answers the requests a second that were rejected. */
  private commit(node: number, came: number, seconds: number): number {
    const out = this.station;
    const before = this.content[node] as number;
    let refused = this.ready[node] ? came * (this.shed[node] as number) : came;
    const room = came - refused;
    const over = Math.min(this.over, room);
    refused += over;
    const gone = (this.over - over) * seconds;
    this.dropped[node] = gone + (this.ready[node] ? 0 : before);
    this.arrived[node] = came;
    this.rejected[node] = refused;
    this.through[node] = out[THROUGHPUT] as number;
    this.content[node] = out[CONTENT] as number;
    this.utilisation[node] = out[UTILISATION] as number;
    this.sojourn[node] = out[SOJOURN] as number;
    this.wait[node] = out[WAIT] as number;
    return refused;
  }

  /** Messages of a queue are dealt to its consumers by their capacity, good and poison in proportion. */
  private deliver(group: number, seconds: number): void {
    const { consumers, consumersStart, firstNode } = this.wiring;
    const queue = firstNode[group] as number;
    const good = this.good[queue] as number;
    const poison = this.poison[queue] as number;
    const depth = good + poison + seconds * (this.through[queue] as number);
    let total = 0;
    for (let k = consumersStart[group] as number; k < (consumersStart[group + 1] as number); k++) {
      this.prepare(consumers[k] as number);
      total += this.capacity[consumers[k] as number] as number;
    }
    const rate = Math.min(depth / seconds, total);
    for (let k = consumersStart[group] as number; k < (consumersStart[group + 1] as number); k++) {
      const node = consumers[k] as number;
      this.arrived[node] = total > 0 && this.ready[queue] ? (rate * (this.capacity[node] as number)) / total : 0;
    }
  }

  /** A consumer works on what it was dealt; what it has no capacity for stays in the queue. */
  private take(group: number): void {
    const { firstNode, nodeCount } = this.wiring;
    const first = firstNode[group] as number;
    for (let node = first; node < first + (nodeCount[group] as number); node++) {
      const rate = this.arrived[node] as number;
      const capacity = this.capacity[node] as number;
      this.through[node] = rate;
      this.utilisation[node] = capacity > 1e-9 ? Math.min(1, rate / capacity) : 0;
      this.sojourn[node] = this.holding[node] as number;
      this.wait[node] = 0;
      this.content[node] = rate * (this.holding[node] as number);
      this.rejected[node] = 0;
      this.dropped[node] = 0;
    }
    this.sojournOf[group] = this.sojourn[first] as number;
    this.waitOf[group] = 0;
    this.rejectedOf[group] = 0;
  }

  /** What a node asks of others, retries included, and how many connections it has for it. */
  private ask(node: number): void {
    const { out, outStart, to, behind, cacheNode } = this.wiring;
    const through = this.through[node] as number;
    const ready = this.ready[node] as number;
    for (let k = outStart[node] as number; k < (outStart[node + 1] as number); k++) {
      const call = out[k] as number;
      let times = (this.calls[call] as number) * (this.enabled[call] as number);
      const cache = cacheNode[call] as number;
      if (cache >= 0) {
        const found = 1 - (this.failureAll[behind[call] as number] as number);
        times *= 1 - (this.hitMax[cache] as number) * (this.warm[cache] as number) * found;
      }
      this.effective[call] = times;
      const asked = through * times * (this.attempts[call] as number);
      this.asked[call] = asked;
      this.reached[call] = asked * (1 - (this.unreached[call] as number)) * (1 - (this.broken[call] as number));
      const pool = this.pool[call] as number;
      const open =
        pool > 0
          ? pool * ready * (this.connectionScale[to[call] as number] as number) - (this.stale[call] as number)
          : 1e12;
      const inside = ready * (this.slots[node] as number);
      this.usable[call] = pool > 0 ? Math.max(open, 0) : Math.max(inside, 1);
    }
  }
}
