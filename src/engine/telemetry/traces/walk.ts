/**
 * One trace: a request followed through the calls of the plan. What becomes of it at each node and on each attempt of a call is drawn
 * from what the run recorded for the tick: shares of failed attempts by reason, mean times, latencies. Where a request failed is settled from the root
 * downwards, how long it took from the leaves upwards. A pinned trace passes through one node and has there the very event that a log line speaks of.
 */
import type { Call, Node } from "../../plan";
import type { Run } from "../../run";
import { callsPerRequest, failedByOthers } from "../logs/expected";
import { exponential, type FactsOf, NOTICED, OVERRUN } from "../logs/facts";
import { LOG_KINDS } from "../logs/grammar";
import type { ServiceStyle } from "../logs/grammar/style";
import type { CallFailure, Layout } from "../logs/layout";
import type { SettingsOfTick } from "../logs/settings";
import { gammaAt } from "../percentiles";
import { NETWORK, nodeOfGroup, TraceDraws } from "./draws";
import { spanIdOf, type TracePlace } from "./id";
import { type Pin, type Want, wantedBy } from "./pin";
import { MOST_SPANS, type SpanLink } from "./span";
import { IN_TIME, Spans } from "./spans";

interface Visit {
  readonly duration: number;
  readonly failed: boolean;
}

/** What a pinned event says of the node at a place of its way. */
interface EventAt {
  /** Whether the event is at this node, and whether it is the node's own and not one of its calls'. */
  readonly isHere: boolean;
  readonly isNodes: boolean;
  /** How long the request took, s; 0 where that is open. */
  readonly seconds: number;
  /** Empty where nothing failed. */
  readonly errorType: string;
}
const NOWHERE: EventAt = { isHere: false, isNodes: false, seconds: 0, errorType: "" };

/** A request at a node. */
interface Stay {
  readonly n: number;
  readonly span: number;
  /** s from the start of the trace. */
  readonly at: number;
  readonly want: Want | undefined;
  /** Place on the pinned way; −1 off it. */
  readonly depth: number;
  readonly event: EventAt;
  /** The call that its failure is put down to. */
  readonly cause: Call | undefined;
}

/** One of the attempts of a call. */
interface Attempt {
  readonly call: Call;
  readonly parent: number;
  /** Which of them, from 1. */
  readonly number: number;
  readonly attempts: number;
  /** How it fails; empty for well. */
  readonly reason: CallFailure | "";
  /** Place of the callee on the pinned way; −1 off it. */
  readonly depth: number;
  /** How long it took, s; 0 where that is open. */
  readonly seconds: number;
}

/** Numbers of draws, in front of those that are counted: the replica of a node's span, its route. */
const WRITER_DRAW = 50;
const ROUTE_DRAW = 99;
/** Most calls of a kind that one request makes in a trace; the rest counts as left out. */
const MOST_CALLS = 40;
/** How the attempts of a call end: the last well, all badly, as it comes, or all well. */
type Must = "ok" | "fail" | "any" | "well";

export class Walk {
  /** Starts are µs from the start of the trace. */
  readonly book = new Spans();
  /** The span of the pinned event. */
  pinned = -1;
  private readonly draws: TraceDraws;

  constructor(
    private readonly layout: Layout,
    private readonly run: Run,
    private readonly factsOf: FactsOf,
    private readonly settings: SettingsOfTick,
    private readonly place: TracePlace,
    private readonly pin: Pin | null,
  ) {
    this.draws = new TraceDraws(layout, run, settings, place);
  }

  /** Walks from a root. Starts of the spans are µs from the start of the trace. @returns the whole duration, s */
  from(node: number): Visit {
    if (this.pin) return this.visit(node, -1, 0, this.pin.nodes.length === 1 ? wantedBy(this.pin) : undefined, 0, 0);
    const arrivals = this.run.node("arrivals", node, this.place.tick);
    const u = this.draws.unit() * arrivals;
    const failed = this.run.node("failed", node, this.place.tick);
    const rejected = this.run.node("rejected", node, this.place.tick);
    return this.visit(node, -1, 0, u < rejected ? "rejected" : u < rejected + failed ? "error" : "ok", -1, 0);
  }

  /** A link from the root to the message that it processes. */
  link(link: SpanLink): void {
    const root = this.book.list[0];
    if (root) root.links = [link];
  }

  /**
   * A request at a node.
   * @param at s from the start of the trace
   * @param want how it ends; undefined where that follows from its calls
   * @param depth place on the pinned way; −1 off it
   * @param least s that it takes at least
   */
  private visit(n: number, parent: number, at: number, want: Want | undefined, depth: number, least: number): Visit {
    const span = this.open(n, parent, at);
    const event = this.eventAt(depth);
    if (want === "rejected") {
      const seconds = event.seconds || NETWORK * (1 + this.draws.unit());
      return this.close(span, seconds, event.errorType || "overloaded", 503, event.isNodes);
    }
    const own = this.draws.ownTime(n, this.run.node("latencyMean", n, this.place.tick));
    const before = own * (0.2 + 0.3 * this.draws.unit());
    const cause = want === "error" ? this.causeOf(n, event.isHere) : undefined;
    const asked = this.callAll({ n, span, at, want, depth, event, cause }, before);
    const time = this.fitted(span + 1, at, asked.duration + own * 0.5, event.seconds, least);
    if (want === "dropped") return this.close(span, time, "aborted", 503, event.isNodes);
    if (asked.failed) return this.close(span, time, "dependency_failed", 503, event.isNodes);
    if (want === "error") return this.close(span, time, event.errorType || "internal", 500, event.isNodes);
    return this.close(span, time, "", 200, event.isNodes);
  }

  /** What the pinned event says of the node at a place of the way. */
  private eventAt(depth: number): EventAt {
    const { pin } = this;
    if (!pin || depth !== pin.nodes.length - 1) return NOWHERE;
    const { cell, call, k } = pin;
    const isTimed = cell !== undefined && call < 0 && cell.name !== "request_failed";
    return {
      isHere: true,
      isNodes: call === -1,
      seconds: isTimed ? this.factsOf.of(cell, k, this.place.tick, this.settings).seconds : 0,
      errorType: cell?.kind.errorType ?? "",
    };
  }

  /** All calls of a request, one after another until one fails it. @returns the time until then, s, `before` included */
  private callAll({ n, span, at, want, depth, event, cause }: Stay, before: number): Visit {
    const { pin, settings } = this;
    const on = pin && depth >= 0 ? (pin.calls[depth] ?? (event.isHere ? pin.call : -1)) : -1;
    let time = before;
    for (const c of this.draws.callsInOrder(n)) {
      const call = this.layout.plan.calls[c] as Call;
      const critical = settings.critical[c] as number;
      const times = this.timesOf(n, c, c === on || c === cause?.index);
      for (let i = 0; i < times; i++) {
        const isOnWay = c === on && i === 0;
        const isCause = c === cause?.index && i === times - 1;
        const must = isCause ? "fail" : event.seconds > 0 ? "well" : critical < 1 ? "any" : "ok";
        const done = this.callOnce(call, span, at + time, must, isOnWay ? depth : -1, isOnWay && event.isHere);
        time += done.duration;
        if (done.failed && (isCause || (want !== "ok" && this.draws.unit() < critical)))
          return { duration: time, failed: true };
      }
    }
    return { duration: time, failed: false };
  }

  /** The time of a node, so that it is what its event says where one does, else at least `least`; what it called is drawn along. */
  private fitted(first: number, at: number, time: number, wanted: number, least: number): number {
    const shortest = Math.max(wanted, least);
    if (time < shortest) {
      if (wanted > 0) this.book.stretch(first, at, shortest / time);
      return shortest;
    }
    if (wanted <= 0) return time;
    this.book.scale(first, at, wanted / time);
    return wanted;
  }

  /** A dependency is asked, as often as it takes. `must`: how it ends, off the pinned way. */
  private callOnce(call: Call, parent: number, at: number, must: Must, depth: number, isEvents: boolean): Visit {
    const { settings, pin } = this;
    const c = call.index;
    const attempts = 1 + Math.floor(settings.retries[c] as number);
    const facts = isEvents && pin?.cell ? this.factsOf.of(pin.cell, pin.k, this.place.tick, settings) : null;
    const [pinnedAttempt, pinnedTime] = facts ? [facts.attempt, facts.seconds] : [0, 0];
    let time = 0;
    for (let number = 1; number <= attempts; number++) {
      let reason = this.draws.reasonOf(c, must === "fail" || number < pinnedAttempt);
      if (must === "well" && depth < 0) reason = "";
      if (must === "ok" && depth < 0 && number === attempts) reason = "";
      if (isEvents && !pin?.cell) reason = "";
      const isHere = number === pinnedAttempt;
      if (isHere) reason = pin?.cell?.name as CallFailure;
      // The way to a node below leads through an attempt that arrives there.
      const down = depth >= 0 && !isEvents && number === 1 ? depth + 1 : -1;
      if (down >= 0) reason = "";
      const seconds = isHere ? pinnedTime : 0;
      const done = this.attempt(at + time, { call, parent, number, attempts, reason, depth: down, seconds });
      if (isHere || (isEvents && !pin?.cell)) this.pinned = done.span;
      time += done.duration;
      if (!done.failed) return { duration: time, failed: false };
      if (number < attempts) time += (settings.backoff[c] as number) * (0.5 + this.draws.unit());
    }
    return { duration: time, failed: true };
  }

  private attempt(at: number, attempt: Attempt): Visit & { readonly span: number } {
    const { call, reason, depth, seconds } = attempt;
    const limit = this.settings.timeout[call.index] as number;
    const span = this.openAttempt(at, attempt, limit);
    let time = this.draws.waitOf(call, reason);
    let failed = reason;
    let status = 0;
    if (reason === "" || reason === "errored" || reason === "timed_out") {
      const below = this.answer(span, at + time, attempt, limit);
      time += below.duration + NETWORK;
      if (below.failed) failed = "errored";
      status = below.failed ? 500 : 200;
      if (reason !== "timed_out" && time > limit && depth >= 0) {
        // What a line tells of took so long that its caller had given up.
        failed = "timed_out";
        time = limit * (1 + OVERRUN * this.draws.unit());
      } else if (reason !== "timed_out" && time > limit) {
        // It was answered in time, or else it would have counted as a time-out.
        this.book.scale(span + 1, at, (limit * IN_TIME) / time);
        time = limit * IN_TIME;
      }
    }
    if (reason === "timed_out") time = seconds || limit * (1 + OVERRUN * this.draws.unit()) + NOTICED;
    else if (seconds > 0) {
      if (time > 0) this.book.scale(span + 1, at, seconds / time);
      time = seconds;
    }
    const kind = failed ? LOG_KINDS[failed] : null;
    return { ...this.close(span, time, kind?.errorType ?? "", kind ? kind.status : status, false), span };
  }

  /** The span of an attempt, at its caller. */
  private openAttempt(at: number, { call, parent, number, attempts }: Attempt, limit: number): number {
    const { layout } = this;
    const to = layout.plan.groups[call.to];
    const peer = layout.styles[to ? layout.plan.services.indexOf(to.service) : 0] as ServiceStyle;
    const index = this.open(call.from, parent, at);
    const span = this.book.list[index];
    if (span) {
      const isPublish = call.spec.kind === "publish";
      this.book.limit(index, limit);
      span.kind = isPublish ? "producer" : "client";
      span.name = `${isPublish ? "publish" : "call"} ${peer.service}`;
      span["server.address"] = peer.address;
      if (attempts > 1) span["http.request.resend_count"] = number - 1;
    }
    return index;
  }

  /** What becomes of an attempt that arrives. A third party shows no spans. */
  private answer(span: number, at: number, { call, reason, depth }: Attempt, limit: number): Visit {
    const { run, place } = this;
    const to = this.layout.plan.groups[call.to];
    const want = reason === "errored" ? "error" : depth >= 0 ? this.wantedBelow(depth) : "ok";
    // Work that its caller gave up goes on.
    const least = reason === "timed_out" ? limit * (1 + 0.25 * exponential(this.draws.unit())) : 0;
    if (to && to.service.kind !== "third_party")
      return this.visit(this.nodeOf(call, depth), span, at + NETWORK / 2, want, depth, least);
    const first = to?.first ?? 0;
    const [mean, spread] = [run.node("latencyMean", first, place.tick), run.node("latencySd", first, place.tick)];
    return { duration: gammaAt(mean, spread, this.draws.normal()), failed: false };
  }

  /** How often a request of a node makes a call, retries not counted. */
  private timesOf(n: number, c: number, needed: boolean): number {
    const times = callsPerRequest(this.run, this.settings, n, c, this.place.tick);
    const whole = Math.floor(times) + (this.draws.unit() < times - Math.floor(times) ? 1 : 0);
    if (whole > MOST_CALLS) this.book.left += whole - MOST_CALLS;
    return Math.max(needed ? 1 : 0, Math.min(whole, MOST_CALLS));
  }

  /** The call that a failure is put down to; undefined where the node itself fails. */
  private causeOf(n: number, target: boolean): Call | undefined {
    const { run, place, layout, settings, pin } = this;
    const { tick } = place;
    if (target && pin?.cell) {
      if (pin.cell.name !== "request_failed") return undefined;
      return this.factsOf.causeOf(pin.cell, pin.k, tick, settings);
    }
    const failed = run.node("failed", n, tick);
    const byOthers = failedByOthers(layout, run, settings, n, tick);
    if (!(failed > 0) || this.draws.unit() * failed >= byOthers) return undefined;
    return this.factsOf.failingCall(n, tick, settings, this.draws.unit());
  }

  private wantedBelow(depth: number): Want | undefined {
    return this.pin && depth === this.pin.nodes.length - 1 ? wantedBy(this.pin) : undefined;
  }

  /** The node that takes an attempt: by cohorts' shares, or the pinned one. */
  private nodeOf(call: Call, depth: number): number {
    const pinned = depth >= 0 ? this.pin?.nodes[depth] : undefined;
    if (pinned !== undefined) return pinned;
    return nodeOfGroup(this.run, this.layout.plan.groups[call.to], this.place.tick, () => this.draws.unit());
  }

  /** A span at a node, on its replica and version. */
  private open(n: number, parent: number, at: number): number {
    const { book, layout, place, settings, pin, draws } = this;
    if (book.full) {
      book.left++;
      return MOST_SPANS;
    }
    const { noise } = layout;
    const cell = pin?.cell?.node === n ? pin.cell : undefined;
    const facts = cell
      ? this.factsOf.of(cell, pin?.k ?? 0, place.tick, settings)
      : this.factsOf.writer(n, place.tick, noise.unit(draws.key, place.tick, WRITER_DRAW + (n % 50)), settings);
    const { routes } = facts.style;
    const route = cell
      ? facts.route
      : (routes[Math.floor(noise.unit(draws.key ^ n, place.tick, ROUTE_DRAW) * routes.length)] as string);
    return book.open(spanIdOf(noise, place, book.list.length), parent, at, layout.plan.nodes[n] as Node, facts, route);
  }

  private close(span: number, duration: number, failed: string, status: number, isPinned: boolean): Visit {
    this.book.close(span, duration, failed, status);
    if (isPinned && span < this.book.list.length) this.pinned = span;
    return { duration, failed: failed !== "" };
  }
}
