/**
 * What a trace draws from the record: how an attempt fares, how long a node takes, how often it calls. Draws are by counter from the
 * trace's place, so that a trace is the same whenever it is read.
 */
import type { Call, Group } from "../../plan";
import type { Run } from "../../run";
import { failureShare, failuresOf } from "../logs/expected";
import { exponential, OVERRUN } from "../logs/facts";
import { CALL_FAILURES, type CallFailure, type Layout } from "../logs/layout";
import type { SettingsOfTick } from "../logs/settings";
import { gammaAt } from "../percentiles";
import type { TracePlace } from "./id";

/** Way through the network and back, s. */
export const NETWORK = 0.0003;

export class TraceDraws {
  readonly key: number;
  private drawn = 0;
  private readonly failures = new Float64Array(CALL_FAILURES.length);

  constructor(
    private readonly layout: Layout,
    private readonly run: Run,
    private readonly settings: SettingsOfTick,
    private readonly place: TracePlace,
  ) {
    this.key = Math.imul(place.pin + 1, 0x9e3779b1) ^ Math.imul(place.root * 4096 + place.k + 1, 0x85ebca6b);
  }

  unit(): number {
    return this.layout.noise.unit(this.key, this.place.tick, 100 + this.drawn++);
  }

  normal(): number {
    return 2 * (this.unit() + this.unit() + this.unit() - 1.5);
  }

  /** Seconds before an attempt gets to its callee or fails on the way. */
  waitOf(call: Call, reason: CallFailure | ""): number {
    const c = call.index;
    const u = this.unit();
    const limit = this.settings.timeout[c] as number;
    if (reason === "unacquired") return (this.settings.acquireTimeout[c] as number) * (1 + 0.008 * u);
    if (reason === "unreached") return limit * (1 + OVERRUN * u);
    if (reason === "name_failed" || reason === "handshake_failed") return 0.004 + 0.04 * u * u;
    if (reason === "refused" || reason === "broken") return 0.0002 + 0.003 * u;
    const callee = this.layout.plan.groups[call.to]?.first ?? 0;
    const extra =
      this.run.call("attemptTime", c, this.place.tick) -
      this.run.node("latencyMean", callee, this.place.tick) -
      NETWORK;
    // Time beyond the callee's own, for want of a free connection.
    return failureShare(this.run, c, this.place.tick) < 0.01 && extra > 0
      ? Math.min(extra * exponential(u), limit * 0.5)
      : 0;
  }

  /** How an attempt fails; empty for well. */
  reasonOf(c: number, fails: boolean): CallFailure | "" {
    const { run, place } = this;
    const { tick } = place;
    const attempts = run.call("attempts", c, tick);
    const rates = this.failures;
    failuresOf(run, c, tick, rates, 0);
    let total = 0;
    for (const rate of rates) total += rate;
    if (!(total > 0)) return fails ? "errored" : "";
    let left = this.unit() * (fails ? total : Math.max(attempts, total));
    for (let i = 0; i < CALL_FAILURES.length; i++) {
      left -= rates[i] as number;
      if (left < 0) return CALL_FAILURES[i] as CallFailure;
    }
    return "";
  }

  /** Time a request spends at a node itself, s. */
  ownTime(n: number, mean: number): number {
    const { run, place, layout } = this;
    let below = 0;
    const arrivals = run.node("arrivals", n, place.tick);
    for (const c of layout.callsOf[n] as readonly number[])
      if (arrivals > 0)
        below += (run.call("attempts", c, place.tick) / arrivals) * run.call("attemptTime", c, place.tick);
    const own = Math.max(mean - below, mean * 0.05);
    const spread = Math.min(run.node("latencySd", n, place.tick), own);
    return Math.max(0.00002, gammaAt(own, spread, this.normal()));
  }

  /** Calls of a node that are answered at once, those of a cache before what is behind it. */
  callsInOrder(n: number): readonly number[] {
    const { plan, callsOf } = this.layout;
    const calls = (callsOf[n] as readonly number[]).filter((c) => plan.calls[c]?.spec.kind !== "consume");
    return [
      ...calls.filter((c) => (plan.calls[c]?.behind ?? -1) < 0),
      ...calls.filter((c) => (plan.calls[c]?.behind ?? -1) >= 0),
    ];
  }
}

/** The node of a group that takes a request: by the cohorts' shares, drawn by `unit` where there are two. */
export function nodeOfGroup(run: Run, group: Group | undefined, tick: number, unit: () => number): number {
  const first = group?.first ?? 0;
  if (group?.count !== 2) return first;
  const [a, b] = [run.node("arrivals", first, tick), run.node("arrivals", first + 1, tick)];
  return unit() * (a + b) < b ? first + 1 : first;
}
