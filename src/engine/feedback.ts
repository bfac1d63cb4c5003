/**
 * The way up: from databases to users, every caller learns how its attempts fared: how many failed and why, how long they took, and
 * therefore how long its own requests hold a server and how many attempts it will make. Failure, time and attempts are carried from
 * sub-step to sub-step, damped, never iterated from zero: of several stationary states the run itself chooses.
 */

import type { Flow } from "./flow";
import { towards } from "./mechanisms/damping";
import { acquireWait } from "./mechanisms/pool";
import { anyFails, attempts, failureAfterRetries } from "./mechanisms/retries";
import { throttleDelay, throttledShare } from "./mechanisms/throttling";
import { shareLaterThan, timeUpTo } from "./mechanisms/timeout";
import { returning } from "./mechanisms/users";
import type { State } from "./state";
import type { Circuit, Wiring } from "./wiring";

/** Squared coefficient of variation of the time a request spends on its own account. */
const OWN_VARIATION = 0.5;
/** How long a rejection and a failed look-up or handshake take, s. */
const REJECTED_AFTER = 0.001;
const UNCONNECTED_AFTER = 0.05;
const NEGLIGIBLE = 1e-12;

export class Feedback {
  /** Share of a group's answers that are errors, in this sub-step. */
  readonly errorsOf: Float64Array;
  private readonly varianceOf: Float64Array;

  private readonly errors;
  private readonly waiting;
  private readonly serviceVariance;
  private readonly variance;
  private readonly holding;
  private readonly sojourn;
  private readonly wait;
  private readonly utilisation;
  private readonly full;
  private readonly errorShare;
  private readonly writeShare;
  private readonly cores;
  private readonly threads;
  private readonly reached;
  private readonly granted;
  private readonly unreached;
  private readonly partition;
  private readonly broken;
  private readonly effective;
  private readonly attempts;
  private readonly failure;
  private readonly failureAll;
  private readonly failureGain;
  private readonly failureTrend;
  private readonly time;
  private readonly timeGain;
  private readonly timeTrend;
  private readonly timeVariance;
  private readonly late;
  private readonly unacquired;
  private readonly attemptTime;
  private readonly timeout;
  private readonly retries;
  private readonly backoff;
  private readonly critical;
  private readonly pool;
  private readonly acquireTimeout;
  private readonly offered;
  private readonly pending;
  private readonly failedShare;
  private readonly sumOffered;
  private readonly sumFailed;
  private readonly sumSlow;
  private readonly userTimeout;
  private readonly userRetries;
  private readonly slowAfter;

  private get wiring(): Wiring {
    return this.circuit.wiring;
  }

  constructor(
    private readonly circuit: Circuit,
    state: State,
    private readonly flow: Flow,
    from?: Feedback,
  ) {
    this.errorsOf = from ? from.errorsOf.slice() : new Float64Array(circuit.wiring.groups);
    this.varianceOf = from ? from.varianceOf.slice() : new Float64Array(circuit.wiring.groups);
    this.errors = state.node("errors");
    this.waiting = state.node("waiting");
    this.serviceVariance = state.node("serviceVariance");
    this.variance = state.node("variance");
    this.holding = state.node("holding");
    this.sojourn = state.node("sojourn");
    this.wait = state.node("wait");
    this.utilisation = state.node("utilisation");
    this.full = state.node("full");
    this.errorShare = state.parameter("errorShare");
    this.writeShare = state.parameter("writeShare");
    this.cores = state.parameter("cores");
    this.threads = state.parameter("threads");
    this.reached = state.call("reached");
    this.granted = state.call("granted");
    this.unreached = state.call("unreached");
    this.partition = state.call("partition");
    this.broken = state.call("broken");
    this.effective = state.call("effective");
    this.attempts = state.call("attempts");
    this.failure = state.call("failure");
    this.failureAll = state.call("failureAll");
    this.failureGain = state.call("failureGain");
    this.failureTrend = state.call("failureTrend");
    this.time = state.call("time");
    this.timeGain = state.call("timeGain");
    this.timeTrend = state.call("timeTrend");
    this.timeVariance = state.call("timeVariance");
    this.late = state.call("late");
    this.unacquired = state.call("unacquired");
    this.attemptTime = state.call("attemptTime");
    this.timeout = state.callParameter("timeout");
    this.retries = state.callParameter("retries");
    this.backoff = state.callParameter("backoff");
    this.critical = state.callParameter("critical");
    this.pool = state.callParameter("pool");
    this.acquireTimeout = state.callParameter("acquireTimeout");
    this.offered = state.entry("offered");
    this.pending = state.entry("pending");
    this.failedShare = state.entry("failedShare");
    this.sumOffered = state.entry("sumOffered");
    this.sumFailed = state.entry("sumFailed");
    this.sumSlow = state.entry("sumSlow");
    this.userTimeout = state.parameter("userTimeout");
    this.userRetries = state.parameter("userRetries");
    this.slowAfter = state.parameter("slowAfter");
  }

  run(seconds: number): void {
    const { order, firstNode, nodeCount } = this.wiring;
    for (let i = order.length - 1; i >= 0; i--) {
      const group = order[i] as number;
      const first = firstNode[group] as number;
      const share = nodeCount[group] === 2 ? (this.flow.second[group] as number) : 0;
      this.hear(first);
      if (nodeCount[group] === 2) {
        this.hear(first + 1);
        this.errorsOf[group] =
          (1 - share) * (this.errors[first] as number) + share * (this.errors[first + 1] as number);
        this.varianceOf[group] = this.mixture(first, share);
      } else {
        this.errorsOf[group] = this.errors[first] as number;
        this.varianceOf[group] = this.variance[first] as number;
      }
    }
    this.users(seconds);
  }

  /** Variance of the sojourn over both cohorts: within them and between their means. */
  private mixture(first: number, share: number): number {
    const apart = (this.sojourn[first] as number) - (this.sojourn[first + 1] as number);
    const within = (1 - share) * (this.variance[first] as number) + share * (this.variance[first + 1] as number);
    return within + share * (1 - share) * apart * apart;
  }

  /** What a node hears back from all it calls. */
  private hear(node: number): void {
    const { out, outStart } = this.wiring;
    let well =
      1 -
      Math.min(1, (this.errorShare[node] as number) + (this.full[node] as number) * (this.writeShare[node] as number));
    let waiting = 0;
    let variance = 0;
    for (let k = outStart[node] as number; k < (outStart[node + 1] as number); k++) {
      const call = out[k] as number;
      const times = this.effective[call] as number;
      this.attempt(call);
      waiting += times * (this.time[call] as number);
      variance += times * (this.timeVariance[call] as number);
      const critical = this.critical[call] as number;
      const failed = this.failureAll[call] as number;
      if (critical > 0 && failed > 0) well *= 1 - critical * anyFails(failed, times);
    }
    const cores = this.cores[node] as number;
    const threads = this.threads[node] as number;
    if (threads > cores) {
      const share = throttledShare(this.utilisation[node] as number, cores, threads);
      const stall = throttleDelay(1, cores, threads) * 2;
      variance += share * (1 - share) * stall * stall;
    }
    const own = Math.max(0, (this.holding[node] as number) - (this.waiting[node] as number));
    this.waiting[node] = waiting;
    this.errors[node] = 1 - well;
    const served = OWN_VARIATION * own * own + variance;
    const queued = Math.max(
      0,
      (this.sojourn[node] as number) - (this.wait[node] as number) - (this.holding[node] as number),
    );
    this.serviceVariance[node] = served;
    this.variance[node] = served + queued * queued;
  }

  /** How the attempts of one call fared. */
  private attempt(call: number): void {
    const group = this.wiring.to[call] as number;
    const sojourn = this.flow.sojournOf[group] as number;
    const wait = this.flow.waitOf[group] as number;
    const rejected = this.flow.rejectedOf[group] as number;
    const limit = this.timeout[call] as number;
    const reached = this.reached[call] as number;
    const pooled = (this.pool[call] as number) > 0;
    const unacquired = pooled && reached > NEGLIGIBLE ? Math.max(0, 1 - (this.granted[call] as number) / reached) : 0;
    const late = shareLaterThan(limit, sojourn, wait);
    const broken = this.broken[call] as number;
    const unreached = this.unreached[call] as number;
    const answered = (1 - unacquired) * (1 - rejected) * (1 - late) * (1 - (this.errorsOf[group] as number));
    const fails = 1 - (1 - broken) * answered;
    let failure = towards(this.failure, fails, this.failureGain, this.failureTrend, call);
    if (failure < NEGLIGIBLE) failure = 0;
    const retries = this.retries[call] as number;
    const kept = timeUpTo(limit, sojourn, wait, late);
    const inside = (1 - rejected) * kept + rejected * REJECTED_AFTER;
    const patience = this.acquireTimeout[call] as number;
    const met = (1 - broken) * (acquireWait(unacquired, patience) + (1 - unacquired) * inside);
    const partition = this.partition[call] as number;
    const lost = unreached > 0 ? (partition * limit + (unreached - partition) * UNCONNECTED_AFTER) / unreached : 0;
    const tries = attempts(failure, retries, 0);
    const backoff = this.backoff[call] as number;
    const whole =
      unreached * ((retries + 1) * lost + retries * backoff) + (1 - unreached) * (tries * met + (tries - 1) * backoff);
    this.late[call] = (1 - unacquired) * (1 - rejected) * late;
    this.unacquired[call] = unacquired;
    this.attemptTime[call] = unreached * lost + (1 - unreached) * met;
    this.failure[call] = failure;
    this.failureAll[call] = failureAfterRetries(failure, retries, unreached);
    this.attempts[call] = attempts(failure, retries, unreached);
    this.time[call] = towards(this.time, whole, this.timeGain, this.timeTrend, call);
    const spread = this.varianceOf[group] as number;
    const most = 0.25 * limit * limit;
    this.timeVariance[call] = tries * Math.min(spread, most);
  }

  private users(seconds: number): void {
    const { entryGroup, firstNode } = this.wiring;
    for (let entry = 0; entry < entryGroup.length; entry++) {
      const group = entryGroup[entry] as number;
      const node = firstNode[group] as number;
      const sojourn = this.flow.sojournOf[group] as number;
      const wait = this.flow.waitOf[group] as number;
      const late = shareLaterThan(this.userTimeout[node] as number, sojourn, wait);
      const well = (1 - (this.flow.rejectedOf[group] as number)) * (1 - late) * (1 - (this.errorsOf[group] as number));
      const slow = Math.max(0, shareLaterThan(this.slowAfter[node] as number, sojourn, wait) - late);
      const offered = this.offered[entry] as number;
      this.failedShare[entry] = 1 - well;
      this.sumOffered[entry] = (this.sumOffered[entry] as number) + offered * seconds;
      this.sumFailed[entry] = (this.sumFailed[entry] as number) + offered * (1 - well) * seconds;
      this.sumSlow[entry] =
        (this.sumSlow[entry] as number) + (late < 1 ? (offered * well * slow * seconds) / (1 - late) : 0);
      const pending = this.pending[entry] as number;
      const again = offered * (1 - well) * (this.userRetries[node] as number);
      const left = pending + seconds * (again - returning(pending, seconds));
      this.pending[entry] = left > NEGLIGIBLE ? left : 0;
    }
  }
}
