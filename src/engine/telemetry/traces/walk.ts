/**
 * One trace: a request followed through the calls of the plan. What becomes of it at each node and on each attempt of a call is drawn
 * from what the run recorded for the tick: shares of failed attempts by reason, mean times, latencies. Where a request failed is settled from the root
 * downwards, how long it took from the leaves upwards. A pinned trace passes through one node and has there the very event that a log line speaks of.
 */
import type { Noise } from "../../../core/rng";
import type { Call, Node } from "../../plan";
import type { Run } from "../../run";
import { callsPerRequest, failedByOthers } from "../logs/expected";
import { exponential, type FactsOf } from "../logs/facts";
import { LOG_KINDS } from "../logs/grammar";
import type { ServiceStyle } from "../logs/grammar/style";
import type { CallFailure, Cell, Layout } from "../logs/layout";
import type { SettingsOfTick } from "../logs/settings";
import { gammaAt } from "../percentiles";
import { NETWORK, TraceDraws } from "./draws";
import { spanIdOf, type TracePlace } from "./id";
import { MOST_SPANS, type Span, type SpanLink } from "./span";

type Mutable = { -readonly [K in keyof Span]: Span[K] };

/** What a pinned trace must have: a way from the root to a node, and there an event. */
export interface Pin {
  /** Nodes from the root to the one of the event, and the calls between them. */
  readonly nodes: readonly number[];
  readonly calls: readonly number[];
  /** The log cell of the event; absent where the request only makes `call`. */
  readonly cell?: Cell;
  readonly k: number;
  /** Call that is made; −1 for none. */
  readonly call: number;
}

interface Visit {
  readonly duration: number;
  readonly failed: boolean;
}

/** Most calls of a kind that one request makes in a trace; the rest counts as left out. */
const MOST_CALLS = 40;
/** How the attempts of a call end: the last well, all badly, as it comes, or all well. */
type Must = "ok" | "fail" | "any" | "well";
type Want = "ok" | "error" | "rejected" | "dropped";

export class Walk {
  readonly spans: Mutable[] = [];
  /** The span of the pinned event. */
  pinned = -1;
  left = 0;
  /** Time-outs of the spans that are attempts of calls. */
  private readonly limits: number[] = [];
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

  private get noise(): Noise {
    return this.layout.noise;
  }

  /** Walks from a root. Starts of the spans are µs from the start of the trace. @returns the whole duration, s */
  from(node: number): Visit {
    if (this.pin) return this.visit(node, -1, 0, this.pin.nodes.length === 1 ? this.wanted() : undefined, 0, 0);
    const arrivals = this.run.node("arrivals", node, this.place.tick);
    const u = this.draws.unit() * arrivals;
    const failed = this.run.node("failed", node, this.place.tick);
    const rejected = this.run.node("rejected", node, this.place.tick);
    return this.visit(node, -1, 0, u < rejected ? "rejected" : u < rejected + failed ? "error" : "ok", -1, 0);
  }

  /** A link from the root to the message that it processes. */
  link(link: SpanLink): void {
    const root = this.spans[0];
    if (root) root.links = [link];
  }

  /** What the pinned event wants of its node; undefined where it is about a call. */
  private wanted(): Want | undefined {
    const { pin } = this;
    if (!pin?.cell || pin.call >= 0) return undefined;
    const { name } = pin.cell;
    if (name === "rejected" || name === "store_rejected" || name === "connections_full") return "rejected";
    if (name === "dropped" || name === "store_dropped") return "dropped";
    return name === "request_error" ||
      name === "request_failed" ||
      name === "query_failed" ||
      name === "write_failed" ||
      name === "message_failed"
      ? "error"
      : "ok";
  }

  /**
   * A request at a node.
   * @param at s from the start of the trace
   * @param want how it ends; undefined where that follows from its calls
   * @param depth place on the pinned way; −1 off it
   * @param least s that it takes at least
   */
  private visit(n: number, parent: number, at: number, want: Want | undefined, depth: number, least: number): Visit {
    const { run, place, pin, settings } = this;
    const { tick } = place;
    const target = pin !== null && depth === pin.nodes.length - 1;
    const index = this.open(n, parent, at);
    const mean = run.node("latencyMean", n, tick);
    const wantedTime =
      target && pin?.cell && pin.call < 0 && pin.cell.name !== "request_failed"
        ? this.factsOf.of(pin.cell, pin.k, tick, settings).seconds
        : 0;
    if (want === "rejected")
      return this.close(
        index,
        wantedTime || NETWORK * (1 + this.draws.unit()),
        target && pin?.cell?.kind.errorType ? pin.cell.kind.errorType : "overloaded",
        503,
        target && pin?.call === -1,
      );
    const own = this.draws.ownTime(n, mean);
    let time = own * (0.2 + 0.3 * this.draws.unit());
    let failed = "";
    const cause = want === "error" ? this.causeOf(n, target) : undefined;
    const on = pin && depth >= 0 ? (pin.calls[depth] ?? (target ? pin.call : -1)) : -1;
    for (const c of this.draws.callsInOrder(n)) {
      const times = this.timesOf(n, c, c === on || c === cause?.index);
      for (let i = 0; i < times; i++) {
        const onPath = c === on && i === 0;
        const critical = settings.critical[c] as number;
        const must =
          c === cause?.index && i === times - 1 ? "fail" : wantedTime > 0 ? "well" : critical < 1 ? "any" : "ok";
        const done = this.callOnce(
          this.layout.plan.calls[c] as Call,
          index,
          at + time,
          must,
          onPath ? depth : -1,
          onPath && target,
        );
        time += done.duration;
        if (done.failed && (must === "fail" || (want !== "ok" && this.draws.unit() < critical)))
          failed = "dependency_failed";
        if (failed) break;
      }
      if (failed) break;
    }
    time += own * 0.5;
    const wanted = Math.max(wantedTime, least);
    if (time < wanted) {
      if (wantedTime > 0) this.stretch(index + 1, at, wanted / time);
      time = wanted;
    } else if (wantedTime > 0) {
      this.scale(index + 1, at, wantedTime / time);
      time = wantedTime;
    }
    if (!failed && want === "error")
      failed = target && pin?.cell?.kind.errorType ? pin.cell.kind.errorType : "internal";
    if (want === "dropped") failed = "aborted";
    const status = failed === "dependency_failed" || failed === "aborted" ? 503 : failed ? 500 : 200;
    return this.close(index, time, failed, status, target && pin?.call === -1);
  }

  /** A dependency is asked, as often as it takes. `must`: how it ends, off the pinned way. */
  private callOnce(call: Call, parent: number, at: number, must: Must, depth: number, event: boolean): Visit {
    const { settings, pin } = this;
    const c = call.index;
    const attempts = 1 + Math.floor(settings.retries[c] as number);
    const facts = event && pin?.cell ? this.factsOf.of(pin.cell, pin.k, this.place.tick, settings) : null;
    const [pinnedAttempt, pinnedTime] = facts ? [facts.attempt, facts.seconds] : [0, 0];
    let time = 0;
    for (let attempt = 1; attempt <= attempts; attempt++) {
      let reason: CallFailure | "" = this.draws.reasonOf(c, must === "fail" || attempt < pinnedAttempt);
      if (must === "well" && depth < 0) reason = "";
      if (must === "ok" && depth < 0 && attempt === attempts) reason = "";
      if (event && !pin?.cell) reason = "";
      const here = attempt === pinnedAttempt;
      if (here) reason = pin?.cell?.name as CallFailure;
      // The way to a node below leads through an attempt that arrives there.
      const down = depth >= 0 && !event && attempt === 1 ? depth + 1 : -1;
      const done = this.attempt(
        call,
        parent,
        at + time,
        down >= 0 ? "" : reason,
        attempt,
        attempts,
        down,
        here ? pinnedTime : 0,
      );
      if (here || (event && !pin?.cell)) this.pinned = done.span;
      time += done.duration;
      if (!done.failed) return { duration: time, failed: false };
      if (attempt < attempts) time += (settings.backoff[c] as number) * (0.5 + this.draws.unit());
    }
    return { duration: time, failed: true };
  }

  private attempt(
    call: Call,
    parent: number,
    at: number,
    reason: CallFailure | "",
    attempt: number,
    attempts: number,
    depth: number,
    wanted: number,
  ): Visit & { span: number } {
    const { settings, layout } = this;
    const c = call.index;
    const limit = settings.timeout[c] as number;
    const to = layout.plan.groups[call.to];
    const peer = layout.styles[to ? layout.plan.services.indexOf(to.service) : 0] as ServiceStyle;
    const span = this.open(call.from, parent, at);
    const opened = this.spans[span];
    if (opened) {
      this.limits[span] = limit;
      opened.kind = call.spec.kind === "publish" ? "producer" : "client";
      opened.name = `${call.spec.kind === "publish" ? "publish" : "call"} ${peer.service}`;
      opened["server.address"] = peer.address;
      if (attempts > 1) opened["http.request.resend_count"] = attempt - 1;
    }
    const waited = this.draws.waitOf(call, reason);
    let time = waited;
    let failed: string = reason;
    let status = 0;
    if (reason === "" || reason === "errored" || reason === "timed_out") {
      const visible = to !== undefined && to.service.kind !== "third_party";
      const want: Want | undefined = reason === "errored" ? "error" : depth >= 0 ? this.wantedBelow(depth) : "ok";
      const least = reason === "timed_out" ? limit * (1 + 0.25 * exponential(this.draws.unit())) : 0;
      const below = visible
        ? this.visit(this.nodeOf(call, depth), span, at + time + NETWORK / 2, want, depth, least)
        : {
            duration: gammaAt(
              this.run.node("latencyMean", to?.first ?? 0, this.place.tick),
              this.run.node("latencySd", to?.first ?? 0, this.place.tick),
              this.draws.normal(),
            ),
            failed: false,
          };
      time += below.duration + NETWORK;
      if (below.failed) failed = "errored";
      status = below.failed ? 500 : 200;
      if (reason !== "timed_out" && time > limit && depth >= 0) {
        // What a line tells of took so long that its caller had given up.
        failed = "timed_out";
        time = limit * (1 + 0.012 * this.draws.unit());
      } else if (reason !== "timed_out" && time > limit) {
        // It was answered in time, or else it would have counted as a time-out.
        this.scale(span + 1, at, (limit * 0.98) / time);
        time = limit * 0.98;
      }
    }
    if (reason === "timed_out") time = wanted || limit * (1 + 0.012 * this.draws.unit()) + 0.0005;
    else if (wanted > 0) {
      if (time > 0) this.scale(span + 1, at, wanted / time);
      time = wanted;
    }
    const kind = failed ? LOG_KINDS[failed as CallFailure] : null;
    const done = this.close(span, time, kind?.errorType ?? "", kind ? kind.status : status, false);
    return { ...done, span };
  }

  /** How often a request of a node makes a call, retries not counted. */
  private timesOf(n: number, c: number, needed: boolean): number {
    const times = callsPerRequest(this.run, this.settings, n, c, this.place.tick);
    const whole = Math.floor(times) + (this.draws.unit() < times - Math.floor(times) ? 1 : 0);
    if (whole > MOST_CALLS) this.left += whole - MOST_CALLS;
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
    return this.pin && depth === this.pin.nodes.length - 1 ? this.wanted() : undefined;
  }

  /** The node that takes an attempt: by cohorts' shares, or the pinned one. */
  private nodeOf(call: Call, depth: number): number {
    const pinned = depth >= 0 ? this.pin?.nodes[depth] : undefined;
    if (pinned !== undefined) return pinned;
    const group = this.layout.plan.groups[call.to];
    const first = group?.first ?? 0;
    if (group?.count !== 2) return first;
    const [a, b] = [
      this.run.node("arrivals", first, this.place.tick),
      this.run.node("arrivals", first + 1, this.place.tick),
    ];
    return this.draws.unit() * (a + b) < b ? first + 1 : first;
  }

  private open(n: number, parent: number, at: number): number {
    if (this.spans.length >= MOST_SPANS) {
      this.left++;
      return MOST_SPANS;
    }
    const { layout, place, settings, pin } = this;
    const number = this.spans.length;
    const node = layout.plan.nodes[n] as Node;
    const onPin = pin?.cell && pin.cell.node === n;
    const facts = onPin
      ? this.factsOf.of(pin.cell as Cell, pin.k, place.tick, settings)
      : this.factsOf.writer(n, place.tick, this.noise.unit(this.draws.key, place.tick, 50 + (n % 50)), settings);
    const { style } = facts;
    const route = onPin
      ? facts.route
      : (style.routes[Math.floor(this.noise.unit(this.draws.key ^ n, place.tick, 99) * style.routes.length)] as string);
    const worker = node.service.kind === "worker";
    this.spans.push({
      span_id: spanIdOf(this.noise, place, number),
      parent_span_id: parent >= 0 ? (this.spans[parent]?.span_id ?? "") : "",
      name: worker
        ? "process message"
        : node.service.kind === "edge" || node.service.kind === "api"
          ? route
          : `${node.service.kind} request`,
      kind: worker ? "consumer" : "server",
      "service.name": style.service,
      "service.version": facts.version,
      "service.instance.id": facts.pod,
      "cloud.availability_zone": facts.zone,
      start: at * 1e6,
      duration: 0,
      status: "ok",
    });
    return number;
  }

  private close(index: number, duration: number, failed: string, status: number, pinned: boolean): Visit {
    const span = this.spans[index];
    if (span) {
      span.duration = duration;
      if (failed) {
        span.status = "error";
        span["error.type"] = failed;
      }
      if (status > 0) span["http.response.status_code"] = status;
      if (pinned) this.pinned = index;
    }
    return { duration, failed: failed !== "" };
  }

  /** Spreads a longer time over all calls, as far as their time-outs allow; the rest is the node's own. */
  private stretch(first: number, at: number, factor: number): void {
    let most = factor;
    for (let i = first; i < this.spans.length; i++) {
      const limit = this.limits[i];
      if (limit !== undefined) most = Math.min(most, (limit * 0.98) / (this.spans[i] as Mutable).duration);
    }
    if (most > 1) this.scale(first, at, most);
  }

  /** Draws spans from `first` on together around a time. */
  private scale(first: number, at: number, factor: number): void {
    for (let i = first; i < this.spans.length; i++) {
      const span = this.spans[i] as Mutable;
      span.start = at * 1e6 + (span.start - at * 1e6) * factor;
      span.duration *= factor;
    }
  }
}
