/**
 * What happens to replicas and connections from tick to tick: starting, leaking, being killed, scaled, breakers opening, names and
 * handshakes going bad, buffers warming. Everything that a person could notice is told through `happened`.
 */

import type { Happening } from "../events";
import { DECIDE_EVERY, desiredReplicas, SCALE_IN_AFTER } from "../mechanisms/autoscaler";
import { memoryPressure } from "../mechanisms/memory";
import { usableConnections } from "../mechanisms/pool";
import { relax } from "../mechanisms/relaxation";
import type { Plan } from "../plan";
import { TICK_SECONDS } from "../spec";
import { C, N } from "./fields";
import type { InForce } from "./in-force";
import { MOST_REPLICAS, type State } from "./state";
import type { Circuit, Wiring } from "./wiring";

const NONE = -1;
/** A connection that works again is found within a tick. */
const RECONNECT_SECONDS = 15;
/** Attempts a second below which a breaker has seen too little to decide. */
const BREAKER_LEAST = 0.5;
/** Share of attempts that a half-open breaker still rejects. */
const HALF_OPEN = 0.9;
/** Replicas of one node differ in age: the leak of replica i grows by this much faster than that of replica i − 1. */
const STAGGER = 0.12;

export class Lifecycle {
  private readonly n: Float64Array;
  private readonly c: Float64Array;
  private readonly connectionScale: Float64Array;

  private get wiring(): Wiring {
    return this.circuit.wiring;
  }

  constructor(
    private readonly plan: Plan,
    private readonly circuit: Circuit,
    private readonly state: State,
    private readonly inForce: InForce,
    private readonly happened: (what: Happening) => void,
  ) {
    this.n = state.nodes;
    this.c = state.calls;
    this.connectionScale = state.connectionScale;
  }

  /** Sets the replicas of all nodes running, as they were long ago. */
  begin(): void {
    const { n } = this;
    const { plan, state } = this;
    for (const group of plan.groups) {
      state.groupZone[group.index] = group.zoneIndex;
      state.standbyZone[group.index] = group.service.standby ? plan.zones.indexOf(group.service.standby) : NONE;
    }
    state.readyAt.fill(NONE);
    state.zoneWeight.fill(1);
    state.node("buffers").fill(1);
    state.node("pressure").fill(1);
    state.node("warm").fill(1);
    state.call("attempts").fill(1);
    for (let node = 0; node < this.wiring.nodes; node++) {
      const at = node * N.count;
      n[at + N.disk] = n[at + N.diskBase] as number;
      for (let i = 0; i < this.wanted(node); i++) state.readyAt[node * MOST_REPLICAS + i] = 0;
      this.recount(node, 0);
    }
    this.inForce.derive();
  }

  /** Replicas a node should run: canaries and the hottest shard are taken out of the group's number. */
  wanted(node: number): number {
    const { n } = this;
    const group = this.wiring.groupOf[node] as number;
    const first = this.wiring.firstNode[group] as number;
    const all = Math.min(MOST_REPLICAS, Math.floor((n[first * N.count + N.replicas] as number) + 0.5));
    const kind = this.wiring.cohorts[group];
    if (!kind) return all;
    const share = n[first * N.count + N.weight] as number;
    const second =
      kind === 2 ? Math.min(1, all) : share > 0 && all > 0 ? Math.max(1, Math.floor(share * all + 0.5)) : 0;
    return node === first ? all - second : second;
  }

  /** Starts and stops replicas until each node has as many as it should; new ones are ready after `startSeconds`. */
  reconcile(now: number): void {
    const { n } = this;
    const { readyAt, leaks } = this.state;
    let changed = false;
    for (let node = 0; node < this.wiring.nodes; node++) {
      const base = node * MOST_REPLICAS;
      const wanted = this.wanted(node);
      let have = 0;
      for (let i = 0; i < MOST_REPLICAS; i++) if ((readyAt[base + i] as number) !== NONE) have++;
      if (have === wanted) continue;
      changed = true;
      if (have === 0) this.reconnect(node, 1);
      for (let i = 0; i < MOST_REPLICAS && have < wanted; i++)
        if ((readyAt[base + i] as number) === NONE) {
          readyAt[base + i] = now + (n[node * N.count + N.startSeconds] as number);
          leaks[base + i] = 0;
          have++;
        }
      for (let i = MOST_REPLICAS - 1; i >= 0 && have > wanted; i--)
        if ((readyAt[base + i] as number) !== NONE) {
          readyAt[base + i] = NONE;
          have--;
        }
      this.recount(node, now);
    }
    if (changed) this.inForce.derive();
  }

  /**
   * Restarts `count` replicas of a node, those that were ready longest first, so that one wave of a roll-out after another reaches all of
   * them, and those that do not come up last. What they were working on is dropped unless it was drained first.
   * @param seconds until they are ready
   */
  restart(node: number, count: number, now: number, seconds: number, drained: boolean): void {
    const { n, c } = this;
    const at = node * N.count;
    const { readyAt, leaks } = this.state;
    const before = n[at + N.ready] as number;
    const places = this.byAge(node).slice(0, Math.max(0, count));
    if (!places.length) return;
    let gone = 0;
    for (const place of places) {
      if ((readyAt[place] as number) <= now) gone++;
      readyAt[place] = now + seconds;
      leaks[place] = 0;
    }
    n[at + N.restarts] = (n[at + N.restarts] as number) + places.length;
    const share = before > 0 ? Math.min(1, gone / before) : 0;
    const group = this.wiring.groupOf[node] as number;
    if (!drained && (this.wiring.source[group] as number) < 0) {
      const dropped = (n[at + N.content] as number) * share;
      n[at + N.content] = (n[at + N.content] as number) - dropped;
      n[at + N.totalDropped] = (n[at + N.totalDropped] as number) + dropped;
    }
    if (this.wiring.isCache[group]) n[at + N.warm] = (n[at + N.warm] as number) * (1 - share);
    if (this.wiring.isDatabase[group]) {
      const cold = n[at + N.coldFactor] as number;
      n[at + N.buffers] = (n[at + N.buffers] as number) * (1 - share) + cold * share;
      for (let k = this.wiring.intoStart[group] as number; k < (this.wiring.intoStart[group + 1] as number); k++)
        c[(this.wiring.into[k] as number) * C.count + C.stale] = 0;
    }
    this.reconnect(node, share);
    this.dropConnections(group, share * this.partOf(node, before));
    this.recount(node, now);
    this.inForce.derive();
  }

  /** Ready replicas of a node, `ready` of them, as a share of those of its group. */
  private partOf(node: number, ready: number): number {
    const group = this.wiring.groupOf[node] as number;
    const first = this.wiring.firstNode[group] as number;
    let all = 0;
    for (let each = first; each < first + (this.wiring.nodeCount[group] as number); each++)
      all += each === node ? ready : (this.n[each * N.count + N.ready] as number);
    return all > 0 ? ready / all : 0;
  }

  /** A share of the connections to a group end: their callers open new ones, with the handshakes that there are now. */
  dropConnections(group: number, share: number): void {
    const { c } = this;
    const { into, intoStart } = this.wiring;
    for (let k = intoStart[group] as number; k < (intoStart[group + 1] as number); k++) {
      const at = (into[k] as number) * C.count;
      const [kept, anew] = [c[at + C.badConnections] as number, c[at + C.handshakeFailure] as number];
      if (kept !== anew) c[at + C.badConnections] = kept * (1 - share) + anew * share;
    }
  }

  /** Places of a node's replicas in memory, longest ready first. */
  private byAge(node: number): number[] {
    const { readyAt } = this.state;
    const places: number[] = [];
    for (let i = 0; i < MOST_REPLICAS; i++)
      if ((readyAt[node * MOST_REPLICAS + i] as number) !== NONE) places.push(node * MOST_REPLICAS + i);
    return places.sort((a, b) => (readyAt[a] as number) - (readyAt[b] as number) || a - b);
  }

  /** New replicas hold no old connections, names or sessions: what was bad for new ones is bad for all of them. */
  private reconnect(node: number, share: number): void {
    const { c } = this;
    const { from, calls } = this.wiring;
    for (let call = 0; call < calls; call++) {
      if (from[call] !== node) continue;
      const at = call * C.count;
      c[at + C.badNames] = (c[at + C.badNames] as number) * (1 - share) + (c[at + C.nameFailure] as number) * share;
      c[at + C.badConnections] =
        (c[at + C.badConnections] as number) * (1 - share) + (c[at + C.handshakeFailure] as number) * share;
      c[at + C.stale] = (c[at + C.stale] as number) * (1 - share);
    }
  }

  /** Everything that moves once a tick; `now` is the second at which the tick begins. */
  tick(tick: number): void {
    const { n } = this;
    const { live } = this.wiring;
    const now = tick * TICK_SECONDS;
    const decides = tick % DECIDE_EVERY === 0;
    let changed = false;
    for (let i = 0; i < live.length; i++) {
      const node = live[i] as number;
      const at = node * N.count;
      if ((n[at + N.starting] as number) > 0 && this.recount(node, now)) {
        changed = true;
        this.tellReady(node);
      }
      this.memory(node, now);
      const buffers = n[at + N.buffers] as number;
      if (buffers > 1) {
        const warmed = relax(buffers, 1, n[at + N.warmSeconds] as number, TICK_SECONDS);
        n[at + N.buffers] = warmed < 1.001 ? 1 : warmed;
      }
      if (decides && (n[at + N.scaleMax] as number) > 0) this.autoscale(node, now);
    }
    if (changed) this.inForce.derive();
    const { liveCalls } = this.wiring;
    for (let i = 0; i < liveCalls.length; i++) this.connections(liveCalls[i] as number, now);
  }

  private tellReady(node: number): void {
    const { n } = this;
    const at = node * N.count;
    const place = this.plan.nodes[node];
    if (place)
      this.happened({
        kind: "replica_ready",
        service: place.service.name,
        zone: place.zone,
        replicas: n[at + N.ready] as number,
      });
  }

  /** Counts ready and starting replicas; answers whether more are ready than before. */
  private recount(node: number, now: number): boolean {
    const { n } = this;
    const at = node * N.count;
    const { readyAt } = this.state;
    const base = node * MOST_REPLICAS;
    let ready = 0;
    let starting = 0;
    // A replica that needs its disk cannot come up while the disk is full.
    const stuck = (n[at + N.full] as number) > 0 && this.wiring.isDatabase[this.wiring.groupOf[node] as number];
    for (let i = 0; i < MOST_REPLICAS; i++) {
      const since = readyAt[base + i] as number;
      if (since === NONE) continue;
      if (since > now) starting++;
      else if (stuck && since > now - TICK_SECONDS && since > 0) {
        starting++;
        readyAt[base + i] = now + TICK_SECONDS;
      } else ready++;
    }
    const before = n[at + N.ready] as number;
    n[at + N.ready] = ready;
    n[at + N.starting] = starting;
    return ready > before;
  }

  private memory(node: number, now: number): void {
    const { n } = this;
    const at = node * N.count;
    const ready = n[at + N.ready] as number;
    const through = n[at + N.through] as number;
    const grown =
      ready > 0
        ? TICK_SECONDS *
          ((n[at + N.leakPerSecond] as number) + ((n[at + N.leakPerRequest] as number) * through) / ready)
        : 0;
    const limit = n[at + N.memoryLimit] as number;
    const used =
      (n[at + N.memoryBase] as number) +
      (ready > 0 ? ((n[at + N.memoryPerRequest] as number) * (n[at + N.content] as number)) / ready : 0);
    if (grown > 0 || (n[at + N.mostLeak] as number) > 0) this.leaking(node, grown, limit - used, now);
    const share = (used + (n[at + N.leak] as number)) / limit;
    n[at + N.pressure] = memoryPressure(share);
  }

  /** Each replica leaks at its own pace; one that passes the limit is killed. */
  private leaking(node: number, grown: number, room: number, now: number): void {
    const { n } = this;
    const at = node * N.count;
    const { leaks, readyAt } = this.state;
    const base = node * MOST_REPLICAS;
    let sum = 0;
    let most = 0;
    let count = 0;
    let killed = 0;
    for (let i = 0; i < MOST_REPLICAS; i++) {
      const since = readyAt[base + i] as number;
      if (since === NONE || since > now) continue;
      const leaked = (leaks[base + i] as number) + grown * (1 + STAGGER * i);
      leaks[base + i] = leaked;
      if (leaked >= room) killed += this.kill(node, i, now);
      else {
        sum += leaked;
        count++;
        if (leaked > most) most = leaked;
      }
    }
    n[at + N.leak] = count ? sum / count : 0;
    n[at + N.mostLeak] = most;
    if (!killed) return;
    this.recount(node, now);
    this.inForce.derive();
    const place = this.plan.nodes[node];
    if (place)
      this.happened({ kind: "oom_killed", service: place.service.name, zone: place.zone, cohort: place.cohort });
  }

  private kill(node: number, replica: number, now: number): number {
    const { n } = this;
    const at = node * N.count;
    const ready = n[at + N.ready] as number;
    this.state.readyAt[node * MOST_REPLICAS + replica] = now + (n[at + N.startSeconds] as number);
    this.state.leaks[node * MOST_REPLICAS + replica] = 0;
    n[at + N.restarts] = (n[at + N.restarts] as number) + 1;
    const group = this.wiring.groupOf[node] as number;
    if ((this.wiring.source[group] as number) < 0 && ready > 0) {
      const dropped = (n[at + N.content] as number) / ready;
      n[at + N.content] = (n[at + N.content] as number) - dropped;
      n[at + N.totalDropped] = (n[at + N.totalDropped] as number) + dropped;
    }
    this.reconnect(node, ready > 0 ? 1 / ready : 1);
    this.dropConnections(group, (ready > 0 ? 1 / ready : 1) * this.partOf(node, ready));
    return 1;
  }

  private autoscale(node: number, now: number): void {
    const { n } = this;
    const at = node * N.count;
    const place = this.plan.nodes[node];
    if (place?.cohort !== 0) return;
    const have = Math.floor((n[at + N.replicas] as number) + 0.5);
    const busy = this.cpuUse(node);
    const wanted = desiredReplicas(
      have,
      busy,
      n[at + N.scaleTarget] as number,
      n[at + N.scaleMin] as number,
      n[at + N.scaleMax] as number,
    );
    const calm = wanted < have ? (n[at + N.calmTicks] as number) + DECIDE_EVERY : 0;
    const most = calm > DECIDE_EVERY ? Math.max(wanted, n[at + N.calmMost] as number) : wanted;
    n[at + N.calmTicks] = calm;
    n[at + N.calmMost] = most;
    if (wanted === have || (calm > 0 && calm < SCALE_IN_AFTER)) return;
    n[at + N.calmTicks] = 0;
    const { name } = place.service;
    this.inForce.put(`autoscaler:${name}@${place.zone}`, [
      { service: name, zone: place.zone, parameter: "replicas", op: "set", value: most },
    ]);
    this.happened({ kind: "autoscaled", service: name, zone: place.zone, from: have, to: most });
    this.inForce.apply();
    this.reconcile(now);
  }

  /** CPU in use as a share of the limit of all ready replicas, 0..1. */
  cpuUse(node: number): number {
    const { n } = this;
    const at = node * N.count;
    const cores = (n[at + N.cores] as number) * (n[at + N.ready] as number);
    return cores > 0 ? Math.min(1, ((n[at + N.through] as number) * (n[at + N.cpuTime] as number)) / cores) : 0;
  }

  /** Names, handshakes, idle sessions, connections at hand and the breaker of one call. */
  private connections(call: number, now: number): void {
    const { n, c } = this;
    const { from, to } = this.wiring;
    const at = call * C.count;
    const caller = (from[call] as number) * N.count;
    const ready = n[caller + N.ready] as number;
    const names = c[at + C.badNames] as number;
    const wantNames = c[at + C.nameFailure] as number;
    if (names !== wantNames)
      c[at + C.badNames] = settled(relax(names, wantNames, c[at + C.nameTtl] as number, TICK_SECONDS), wantNames);
    const shakes = c[at + C.badConnections] as number;
    const wantShakes = c[at + C.handshakeFailure] as number;
    if (shakes !== wantShakes) {
      const life = wantShakes > shakes ? (c[at + C.connectionLife] as number) : RECONNECT_SECONDS;
      c[at + C.badConnections] = settled(relax(shakes, wantShakes, life, TICK_SECONDS), wantShakes);
    }
    c[at + C.unreached] =
      1 -
      (1 - (c[at + C.partition] as number)) *
        (1 - (c[at + C.badNames] as number)) *
        (1 - (c[at + C.badConnections] as number));
    const pool = c[at + C.pool] as number;
    const leak = c[at + C.sessionLeak] as number;
    const unacquired = c[at + C.unacquired] as number;
    if (leak > 0 && unacquired > 0) {
      const lost = leak * unacquired * (c[at + C.reached] as number) * TICK_SECONDS;
      c[at + C.stale] = Math.min(pool * ready, (c[at + C.stale] as number) + lost);
    }
    // Without a pool every server of the caller may hold a connection.
    c[at + C.usable] =
      pool > 0
        ? usableConnections(pool, ready, this.connectionScale[to[call] as number] as number, c[at + C.stale] as number)
        : Math.max(ready * (n[caller + N.slots] as number), 1);
    if ((c[at + C.breakerThreshold] as number) > 0 || (c[at + C.broken] as number) > 0) this.breaker(call, now);
  }

  private breaker(call: number, now: number): void {
    const { c } = this;
    const at = call * C.count;
    const threshold = c[at + C.breakerThreshold] as number;
    const open = c[at + C.broken] as number;
    const place = this.plan.calls[call];
    if (!place) return;
    const tell = (kind: "breaker_opened" | "breaker_closed") =>
      this.happened({ kind, call: place.name, zone: this.plan.nodes[place.from]?.zone ?? "" });
    // It counts what failed, not where: attempts that never got there, too.
    const failure = 1 - (1 - (c[at + C.failure] as number)) * (1 - (c[at + C.unreached] as number));
    const failing = failure > threshold && (c[at + C.asked] as number) > BREAKER_LEAST;
    if (open === 0 && threshold > 0 && failing) {
      c[at + C.broken] = 1;
      c[at + C.brokenUntil] = now + (c[at + C.breakerSeconds] as number);
      tell("breaker_opened");
    } else if (open === 1 && now >= (c[at + C.brokenUntil] as number)) c[at + C.broken] = threshold > 0 ? HALF_OPEN : 0;
    else if (open > 0 && open < 1) {
      const still = threshold > 0 && (failure - HALF_OPEN) / (1 - HALF_OPEN) > threshold;
      c[at + C.broken] = still ? 1 : 0;
      if (still) c[at + C.brokenUntil] = now + (c[at + C.breakerSeconds] as number);
      else tell("breaker_closed");
    }
  }
}

/** Within a millionth of the target it is the target: what never arrives would be computed for ever. */
function settled(value: number, target: number): number {
  return Math.abs(value - target) < 1e-6 ? target : value;
}
