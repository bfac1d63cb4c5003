/**
 * The way up: from databases to users, every caller learns how its attempts fared: how many failed and why, how long they took, and
 * therefore how long its own requests hold a server and how many attempts it will make. Failure, time and attempts are carried from
 * sub-step to sub-step, damped, never iterated from zero: of several stationary states the run itself chooses.
 */

import { towards } from "../mechanisms/damping";
import { acquireWait } from "../mechanisms/pool";
import { anyFails, attempts, failureAfterRetries } from "../mechanisms/retries";
import { throttleDelay, throttledShare } from "../mechanisms/throttling";
import { shareLaterThan, timeUpTo } from "../mechanisms/timeout";
import { returning } from "../mechanisms/users";
import { C, N } from "./fields";
import type { Flow } from "./flow";
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
  /** Share of a group's requests that fail however often they are tried: writes to a full disk. */
  private readonly doomedOf: Float64Array;

  private readonly offered;
  private readonly pending;
  private readonly failedShare;
  private readonly sumOffered;
  private readonly sumFailed;
  private readonly sumSlow;

  private readonly n: Float64Array;
  private readonly c: Float64Array;

  private get wiring(): Wiring {
    return this.circuit.wiring;
  }

  constructor(
    private readonly circuit: Circuit,
    state: State,
    private readonly flow: Flow,
    from?: Feedback,
  ) {
    this.n = state.nodes;
    this.c = state.calls;
    this.errorsOf = from ? from.errorsOf.slice() : new Float64Array(circuit.wiring.groups);
    this.doomedOf = new Float64Array(circuit.wiring.groups);
    this.varianceOf = from ? from.varianceOf.slice() : new Float64Array(circuit.wiring.groups);
    this.offered = state.entry("offered");
    this.pending = state.entry("pending");
    this.failedShare = state.entry("failedShare");
    this.sumOffered = state.entry("sumOffered");
    this.sumFailed = state.entry("sumFailed");
    this.sumSlow = state.entry("sumSlow");
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
          (1 - share) * (this.n[first * N.count + N.errors] as number) +
          share * (this.n[(first + 1) * N.count + N.errors] as number);
        this.varianceOf[group] = this.mixture(first, share);
        this.doomedOf[group] = (1 - share) * this.doomed(first) + share * this.doomed(first + 1);
      } else {
        this.errorsOf[group] = this.n[first * N.count + N.errors] as number;
        this.varianceOf[group] = this.n[first * N.count + N.variance] as number;
        this.doomedOf[group] = this.doomed(first);
      }
    }
    this.users(seconds);
  }

  /** Variance of the sojourn over both cohorts: within them and between their means. */
  private mixture(first: number, share: number): number {
    const apart =
      (this.n[first * N.count + N.sojourn] as number) - (this.n[(first + 1) * N.count + N.sojourn] as number);
    const within =
      (1 - share) * (this.n[first * N.count + N.variance] as number) +
      share * (this.n[(first + 1) * N.count + N.variance] as number);
    return within + share * (1 - share) * apart * apart;
  }

  private doomed(node: number): number {
    return (this.n[node * N.count + N.full] as number) * (this.n[node * N.count + N.writeShare] as number);
  }

  /** What a node hears back from all it calls. */
  private hear(node: number): void {
    const { out, outStart } = this.wiring;
    let well = 1 - Math.min(1, (this.n[node * N.count + N.errorShare] as number) + this.doomed(node));
    let waiting = 0;
    let variance = 0;
    for (let k = outStart[node] as number; k < (outStart[node + 1] as number); k++) {
      const call = out[k] as number;
      const times = this.c[call * C.count + C.effective] as number;
      this.attempt(call);
      waiting += times * (this.c[call * C.count + C.time] as number);
      variance += times * (this.c[call * C.count + C.timeVariance] as number);
      const critical = this.c[call * C.count + C.critical] as number;
      const failed = this.c[call * C.count + C.failureAll] as number;
      if (critical > 0 && failed > 0) well *= 1 - critical * anyFails(failed, times);
    }
    const cores = this.n[node * N.count + N.cores] as number;
    const threads = this.n[node * N.count + N.threads] as number;
    if (threads > cores) {
      const share = throttledShare(this.n[node * N.count + N.utilisation] as number, cores, threads);
      const stall = throttleDelay(1, cores, threads) * 2;
      variance += share * (1 - share) * stall * stall;
    }
    const own = Math.max(
      0,
      (this.n[node * N.count + N.holding] as number) - (this.n[node * N.count + N.waiting] as number),
    );
    this.n[node * N.count + N.waiting] = waiting;
    this.n[node * N.count + N.errors] = well > 0 ? 1 - well : 1;
    const served = OWN_VARIATION * own * own + variance;
    const queued = Math.max(
      0,
      (this.n[node * N.count + N.sojourn] as number) -
        (this.n[node * N.count + N.wait] as number) -
        (this.n[node * N.count + N.holding] as number),
    );
    this.n[node * N.count + N.serviceVariance] = served;
    this.n[node * N.count + N.variance] = served + queued * queued;
  }

  /** How the attempts of one call fared. */
  private attempt(call: number): void {
    const group = this.wiring.to[call] as number;
    const sojourn = this.flow.sojournOf[group] as number;
    const wait = this.flow.waitOf[group] as number;
    const rejected = this.flow.rejectedOf[group] as number;
    const limit = this.c[call * C.count + C.timeout] as number;
    const reached = this.c[call * C.count + C.reached] as number;
    const pooled = (this.c[call * C.count + C.pool] as number) > 0;
    const unacquired =
      pooled && reached > NEGLIGIBLE ? Math.max(0, 1 - (this.c[call * C.count + C.granted] as number) / reached) : 0;
    const late = shareLaterThan(limit, sojourn, wait);
    const broken = this.c[call * C.count + C.broken] as number;
    const unreached = this.c[call * C.count + C.unreached] as number;
    const answered = (1 - unacquired) * (1 - rejected) * (1 - late) * (1 - (this.errorsOf[group] as number));
    const fails = 1 - (1 - broken) * answered;
    let failure = towards(this.c, call * C.count, C.failure, C.failureGain, C.failureTrend, fails);
    if (failure < NEGLIGIBLE) failure = 0;
    const retries = this.c[call * C.count + C.retries] as number;
    const kept = timeUpTo(limit, sojourn, wait, late);
    const inside = (1 - rejected) * kept + rejected * REJECTED_AFTER;
    const patience = this.c[call * C.count + C.acquireTimeout] as number;
    const met = (1 - broken) * (acquireWait(unacquired, patience) + (1 - unacquired) * inside);
    const partition = this.c[call * C.count + C.partition] as number;
    const lost = unreached > 0 ? (partition * limit + (unreached - partition) * UNCONNECTED_AFTER) / unreached : 0;
    const doomed = this.doomedOf[group] as number;
    const failing = doomed > 0 ? Math.max(0, (failure - doomed) / (1 - doomed + NEGLIGIBLE)) : failure;
    const lasting = doomed > 0 ? 1 - (1 - unreached) * (1 - doomed) : unreached;
    const tries = attempts(failing, retries, doomed);
    const backoff = this.c[call * C.count + C.backoff] as number;
    // An open breaker spares those who would get nowhere the wait for it.
    const inVain = (1 - broken) * lost;
    const whole =
      unreached * ((retries + 1) * inVain + retries * backoff) +
      (1 - unreached) * (tries * met + (tries - 1) * backoff);
    this.c[call * C.count + C.late] = (1 - unacquired) * (1 - rejected) * late;
    this.c[call * C.count + C.unacquired] = unacquired;
    this.c[call * C.count + C.attemptTime] = unreached * inVain + (1 - unreached) * met;
    this.c[call * C.count + C.failure] = failure;
    this.c[call * C.count + C.failureAll] = failureAfterRetries(failing, retries, lasting);
    this.c[call * C.count + C.attempts] = tries;
    this.c[call * C.count + C.time] = towards(this.c, call * C.count, C.time, C.timeGain, C.timeTrend, whole);
    const spread = this.varianceOf[group] as number;
    const most = 0.25 * limit * limit;
    this.c[call * C.count + C.timeVariance] = tries * Math.min(spread, most);
  }

  private users(seconds: number): void {
    const { entryGroup, firstNode } = this.wiring;
    for (let entry = 0; entry < entryGroup.length; entry++) {
      const group = entryGroup[entry] as number;
      const node = firstNode[group] as number;
      const sojourn = this.flow.sojournOf[group] as number;
      const wait = this.flow.waitOf[group] as number;
      const late = shareLaterThan(this.n[node * N.count + N.userTimeout] as number, sojourn, wait);
      const well = (1 - (this.flow.rejectedOf[group] as number)) * (1 - late) * (1 - (this.errorsOf[group] as number));
      const slow = Math.max(0, shareLaterThan(this.n[node * N.count + N.slowAfter] as number, sojourn, wait) - late);
      const offered = this.offered[entry] as number;
      this.failedShare[entry] = 1 - well;
      this.sumOffered[entry] = (this.sumOffered[entry] as number) + offered * seconds;
      this.sumFailed[entry] = (this.sumFailed[entry] as number) + offered * (1 - well) * seconds;
      this.sumSlow[entry] =
        (this.sumSlow[entry] as number) + (late < 1 ? (offered * well * slow * seconds) / (1 - late) : 0);
      const pending = this.pending[entry] as number;
      const again = offered * (1 - well) * (this.n[node * N.count + N.userRetries] as number);
      const left = pending + seconds * (again - returning(pending, seconds));
      this.pending[entry] = left > NEGLIGIBLE ? left : 0;
    }
  }
}
