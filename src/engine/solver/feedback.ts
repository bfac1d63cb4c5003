/**
 * The way up: from databases to users, every caller learns how its attempts fared: how many failed and why, how long they took, and
 * therefore how long its own requests hold a server and how many attempts it will make. Failure, time and attempts are carried from
 * sub-step to sub-step, damped, never iterated from zero: of several stationary states the run itself chooses. The books of all that came
 * and went are kept on the way; the solver never reads them, the balance is checked against them.
 */

import { towards } from "../mechanisms/damping";
import { acquireWait } from "../mechanisms/pool";
import { anyFails, attempts, failureAfterRetries } from "../mechanisms/retries";
import { throttleDelay, throttledShare } from "../mechanisms/throttling";
import { shareLaterThan, timeUpTo } from "../mechanisms/timeout";
import { returning } from "../mechanisms/users";
import { C, G, N } from "./fields";
import type { State } from "./state";
import type { Circuit, Wiring } from "./wiring";

/** Squared coefficient of variation of the time a request spends on its own account. */
const OWN_VARIATION = 0.5;
/** How long a rejection and a failed look-up or handshake take, s. */
const REJECTED_AFTER = 0.001;
const UNCONNECTED_AFTER = 0.05;
const NEGLIGIBLE = 1e-12;

/** What `Wiring.cohorts` says of groups cut in shards. */
const SHARDS = 2;
/** Numbers that `ofShard` has of one shard. */
const SHARD = 2;

export class Feedback {
  private readonly offered: Float64Array;
  private readonly pending: Float64Array;
  private readonly sumOffered: Float64Array;
  private readonly sumFailed: Float64Array;
  private readonly sumSlow: Float64Array;

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
    this.pending = state.entry("pending");
    this.sumOffered = state.entry("sumOffered");
    this.sumFailed = state.entry("sumFailed");
    this.sumSlow = state.entry("sumSlow");
  }

  run(seconds: number): void {
    const { n, g } = this;
    const { order, firstNode, nodeCount } = this.wiring;
    for (let i = order.length - 1; i >= 0; i--) {
      const group = order[i] as number;
      const first = firstNode[group] as number;
      const from = first * N.count;
      const at = group * G.count;
      this.hear(first, seconds);
      if (nodeCount[group] === 2) {
        this.hear(first + 1, seconds);
        this.mix(from, at);
      } else {
        g[at + G.errors] = n[from + N.errors] as number;
        g[at + G.variance] = n[from + N.variance] as number;
        g[at + G.doomed] = (n[from + N.full] as number) * (n[from + N.writeShare] as number);
      }
    }
    this.users(seconds);
  }

  /** What callers see of two cohorts. The variance of the sojourn is that within them and that between their means. */
  private mix(first: number, at: number): void {
    const { n, g } = this;
    const second = first + N.count;
    const share = g[at + G.second] as number;
    const apart = (n[first + N.sojourn] as number) - (n[second + N.sojourn] as number);
    const within = (1 - share) * (n[first + N.variance] as number) + share * (n[second + N.variance] as number);
    g[at + G.errors] = (1 - share) * (n[first + N.errors] as number) + share * (n[second + N.errors] as number);
    g[at + G.variance] = within + share * (1 - share) * apart * apart;
    g[at + G.doomed] =
      (1 - share) * ((n[first + N.full] as number) * (n[first + N.writeShare] as number)) +
      share * ((n[second + N.full] as number) * (n[second + N.writeShare] as number));
  }

  /** What a node hears back from all it calls, and its books. */
  private hear(node: number, seconds: number): void {
    const { n, c } = this;
    const { out, outStart } = this.wiring;
    const at = node * N.count;
    const lost = (n[at + N.errorShare] as number) + (n[at + N.full] as number) * (n[at + N.writeShare] as number);
    let well = 1 - Math.min(lost, 1);
    let waiting = 0;
    let variance = 0;
    const end = outStart[node + 1] as number;
    for (let k = outStart[node] as number; k < end; k++) {
      const call = out[k] as number;
      const from = call * C.count;
      this.attempt(call);
      const times = c[from + C.effective] as number;
      waiting += times * (c[from + C.time] as number);
      variance += times * (c[from + C.timeVariance] as number);
      const critical = c[from + C.critical] as number;
      const failed = c[from + C.failureAll] as number;
      if (critical > 0 && failed > 0) well *= 1 - critical * anyFails(failed, times);
    }
    const cores = n[at + N.cores] as number;
    const threads = n[at + N.threads] as number;
    if (threads > cores) {
      const share = throttledShare(n[at + N.utilisation] as number, cores, threads);
      const stall = throttleDelay(1, cores, threads) * 2;
      variance += share * (1 - share) * stall * stall;
    }
    const holding = n[at + N.holding] as number;
    let own = holding - (n[at + N.waiting] as number);
    if (own < 0) own = 0;
    const served = OWN_VARIATION * own * own + variance;
    let queued = (n[at + N.sojourn] as number) - (n[at + N.wait] as number) - holding;
    if (queued < 0) queued = 0;
    const errors = well > 0 ? 1 - well : 1;
    n[at + N.waiting] = waiting;
    n[at + N.errors] = errors;
    n[at + N.variance] = served + queued * queued;
    const rate = n[at + N.through] as number;
    const bad = rate * errors;
    n[at + N.totalCameIn] = (n[at + N.totalCameIn] as number) + seconds * (n[at + N.arrived] as number);
    n[at + N.totalServed] = (n[at + N.totalServed] as number) + seconds * (rate - bad);
    n[at + N.totalFailed] = (n[at + N.totalFailed] as number) + seconds * bad;
    n[at + N.totalRejected] = (n[at + N.totalRejected] as number) + seconds * (n[at + N.rejected] as number);
    n[at + N.totalDropped] = (n[at + N.totalDropped] as number) + (n[at + N.dropped] as number);
  }

  /** How the attempts of one call fared. */
  private attempt(call: number): void {
    const { c, g } = this;
    const at = call * C.count;
    const group = this.wiring.to[call] as number;
    const to = group * G.count;
    if (this.wiring.cohorts[group] === SHARDS && this.wiring.nodeCount[group] === 2) {
      this.sharded(at, to, (this.wiring.firstNode[group] as number) * N.count);
      return;
    }
    const reached = c[at + C.reached] as number;
    if (
      c[at + C.granted] !== reached ||
      c[at + C.unreached] !== 0 ||
      c[at + C.broken] !== 0 ||
      g[to + G.rejected] !== 0 ||
      g[to + G.doomed] !== 0
    ) {
      this.troubled(at, to);
      return;
    }
    // Every attempt got through to a server. `troubled` would find the same, at twice the expense.
    const sojourn = g[to + G.sojourn] as number;
    const wait = g[to + G.wait] as number;
    const limit = c[at + C.timeout] as number;
    const late = shareLaterThan(limit, sojourn, wait);
    const fails = 1 - (1 - late) * (1 - (g[to + G.errors] as number));
    let failure = towards(c, at, C.failure, C.failureGain, C.failureTrend, fails);
    if (failure < NEGLIGIBLE) failure = 0;
    const retries = c[at + C.retries] as number;
    let tries = 1;
    let all = failure;
    for (let i = 0; i < retries; i++) {
      tries += all;
      all *= failure;
    }
    const met = timeUpTo(limit, sojourn, wait, late);
    const whole = tries * met + (tries - 1) * (c[at + C.backoff] as number);
    const spread = g[to + G.variance] as number;
    const most = 0.25 * limit * limit;
    c[at + C.late] = late;
    c[at + C.unacquired] = 0;
    c[at + C.attemptTime] = met;
    c[at + C.failure] = failure;
    c[at + C.failureAll] = all;
    c[at + C.attempts] = tries;
    c[at + C.time] = towards(c, at, C.time, C.timeGain, C.timeTrend, whole);
    c[at + C.timeVariance] = tries * Math.min(spread, most);
  }

  /** The same where something stands between the caller and an answer. */
  private troubled(at: number, to: number): void {
    const { c, g } = this;
    const sojourn = g[to + G.sojourn] as number;
    const wait = g[to + G.wait] as number;
    const rejected = g[to + G.rejected] as number;
    const limit = c[at + C.timeout] as number;
    const unacquired = this.unacquired(at);
    const late = shareLaterThan(limit, sojourn, wait);
    const broken = c[at + C.broken] as number;
    const unreached = c[at + C.unreached] as number;
    const answered = (1 - unacquired) * (1 - rejected) * (1 - late) * (1 - (g[to + G.errors] as number));
    const fails = 1 - (1 - broken) * answered;
    let failure = towards(c, at, C.failure, C.failureGain, C.failureTrend, fails);
    if (failure < NEGLIGIBLE) failure = 0;
    const retries = c[at + C.retries] as number;
    const kept = timeUpTo(limit, sojourn, wait, late);
    const inside = (1 - rejected) * kept + rejected * REJECTED_AFTER;
    const patience = c[at + C.acquireTimeout] as number;
    const met = (1 - broken) * (acquireWait(unacquired, patience) + (1 - unacquired) * inside);
    const doomed = g[to + G.doomed] as number;
    const failing = doomed > 0 ? Math.max(0, (failure - doomed) / (1 - doomed + NEGLIGIBLE)) : failure;
    const lasting = doomed > 0 ? 1 - (1 - unreached) * (1 - doomed) : unreached;
    c[at + C.late] = (1 - unacquired) * (1 - rejected) * late;
    c[at + C.unacquired] = unacquired;
    c[at + C.attemptTime] = met;
    c[at + C.failure] = failure;
    c[at + C.failureAll] = failureAfterRetries(failing, retries, lasting);
    c[at + C.attempts] = attempts(failing, retries, doomed);
    this.spend(at, to);
  }

  /**
   * The same where the callee is cut in shards: a retry asks for the same key, and so the same shard, again. What fails there more than
   * elsewhere is not hidden by trying again: attempts and failures are those of each cohort by itself, weighted by its requests.
   */
  private sharded(at: number, to: number, first: number): void {
    const { c, g } = this;
    const limit = c[at + C.timeout] as number;
    const unacquired = this.unacquired(at);
    const through = (1 - (c[at + C.broken] as number)) * (1 - unacquired);
    const share = g[to + G.second] as number;
    const cool = this.shard(first, limit, 0);
    const hot = this.shard(first + N.count, limit, SHARD);
    const fails = 1 - through * (1 - (1 - share) * cool - share * hot);
    let failure = towards(c, at, C.failure, C.failureGain, C.failureTrend, fails);
    if (failure < NEGLIGIBLE) failure = 0;
    // The mean is damped; the shards keep their proportion.
    const damped = fails > NEGLIGIBLE ? failure / fails : 0;
    const coolFails = Math.min(1, (1 - through * (1 - cool)) * damped);
    const hotFails = Math.min(1, (1 - through * (1 - hot)) * damped);
    const retries = c[at + C.retries] as number;
    const unreached = c[at + C.unreached] as number;
    const tries = (1 - share) * attempts(coolFails, retries, 0) + share * attempts(hotFails, retries, 0);
    const all =
      (1 - share) * failureAfterRetries(coolFails, retries, 0) + share * failureAfterRetries(hotFails, retries, 0);
    const late = (1 - share) * (this.ofShard[0] as number) + share * (this.ofShard[SHARD] as number);
    const kept = (1 - share) * (this.ofShard[1] as number) + share * (this.ofShard[SHARD + 1] as number);
    const met =
      (1 - (c[at + C.broken] as number)) *
      (acquireWait(unacquired, c[at + C.acquireTimeout] as number) + (1 - unacquired) * kept);
    c[at + C.late] = (1 - unacquired) * late;
    c[at + C.unacquired] = unacquired;
    c[at + C.attemptTime] = met;
    c[at + C.failure] = failure;
    c[at + C.failureAll] = unreached + (1 - unreached) * all;
    c[at + C.attempts] = tries;
    this.spend(at, to);
  }

  /** Share of attempts that got no connection of the pool, 0..1. */
  private unacquired(at: number): number {
    const { c } = this;
    const reached = c[at + C.reached] as number;
    if ((c[at + C.pool] as number) <= 0 || reached <= NEGLIGIBLE) return 0;
    return Math.max(0, 1 - (c[at + C.granted] as number) / reached);
  }

  /**
   * What a call costs its caller in time, from the attempts it takes and what an attempt that gets through takes (`attemptTime`, which is
   * replaced by the mean over all attempts).
   */
  private spend(at: number, to: number): void {
    const { c, g } = this;
    const met = c[at + C.attemptTime] as number;
    const tries = c[at + C.attempts] as number;
    const limit = c[at + C.timeout] as number;
    const unreached = c[at + C.unreached] as number;
    const partition = c[at + C.partition] as number;
    const lost = unreached > 0 ? (partition * limit + (unreached - partition) * UNCONNECTED_AFTER) / unreached : 0;
    // An open breaker spares those who would get nowhere the wait for it.
    const inVain = (1 - (c[at + C.broken] as number)) * lost;
    const retries = c[at + C.retries] as number;
    const backoff = c[at + C.backoff] as number;
    const whole =
      unreached * ((retries + 1) * inVain + retries * backoff) +
      (1 - unreached) * (tries * met + (tries - 1) * backoff);
    c[at + C.attemptTime] = unreached * inVain + (1 - unreached) * met;
    c[at + C.time] = towards(c, at, C.time, C.timeGain, C.timeTrend, whole);
    c[at + C.timeVariance] = tries * Math.min(g[to + G.variance] as number, 0.25 * limit * limit);
  }

  /** Of the last two shards asked about: share of attempts too late, and seconds an attempt takes. */
  private readonly ofShard = new Float64Array(2 * SHARD);

  /** Share of attempts that one shard's node does not answer well in time; leaves lateness and time in `ofShard`. */
  private shard(node: number, limit: number, place: number): number {
    const { n } = this;
    const arrived = n[node + N.arrived] as number;
    const rejected = arrived > NEGLIGIBLE ? Math.min(1, (n[node + N.rejected] as number) / arrived) : 0;
    const sojourn = n[node + N.sojourn] as number;
    const wait = n[node + N.wait] as number;
    const late = shareLaterThan(limit, sojourn, wait);
    this.ofShard[place] = (1 - rejected) * late;
    this.ofShard[place + 1] = (1 - rejected) * timeUpTo(limit, sojourn, wait, late) + rejected * REJECTED_AFTER;
    return 1 - (1 - rejected) * (1 - late) * (1 - (n[node + N.errors] as number));
  }

  private users(seconds: number): void {
    const { n, g, offered, pending, sumOffered, sumFailed, sumSlow } = this;
    const { entryGroup, firstNode } = this.wiring;
    for (let entry = 0; entry < entryGroup.length; entry++) {
      const group = entryGroup[entry] as number;
      const at = (firstNode[group] as number) * N.count;
      const of = group * G.count;
      const sojourn = g[of + G.sojourn] as number;
      const wait = g[of + G.wait] as number;
      const late = shareLaterThan(n[at + N.userTimeout] as number, sojourn, wait);
      const well = (1 - (g[of + G.rejected] as number)) * (1 - late) * (1 - (g[of + G.errors] as number));
      const slow = Math.max(0, shareLaterThan(n[at + N.slowAfter] as number, sojourn, wait) - late);
      const rate = offered[entry] as number;
      sumOffered[entry] = (sumOffered[entry] as number) + rate * seconds;
      sumFailed[entry] = (sumFailed[entry] as number) + rate * (1 - well) * seconds;
      sumSlow[entry] = (sumSlow[entry] as number) + (late < 1 ? (rate * well * slow * seconds) / (1 - late) : 0);
      const before = pending[entry] as number;
      const again = rate * (1 - well) * (n[at + N.userRetries] as number);
      const left = before + seconds * (again - returning(before, seconds));
      pending[entry] = left > NEGLIGIBLE ? left : 0;
    }
  }
}
