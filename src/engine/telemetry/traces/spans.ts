/** The spans of a trace while it is walked: opened in order, closed when their time is known, drawn together or apart around a time. */
import type { Node } from "../../plan";
import type { Facts } from "../logs/grammar/facts";
import { MOST_SPANS, type Span } from "./span";

/** A span whose time is not settled yet. */
export type OpenSpan = { -readonly [K in keyof Span]: Span[K] };

/** Share of its time-out that an answer which was in time takes at most. */
export const IN_TIME = 0.98;

export class Spans {
  readonly list: OpenSpan[] = [];
  /** Spans and calls left out. */
  left = 0;
  /** Time-outs of the spans that are attempts of calls, s. */
  private readonly limits: number[] = [];

  /** Whether there is no place for another. */
  get full(): boolean {
    return this.list.length >= MOST_SPANS;
  }

  /** A span of a node from `at` s after the start of the trace on; how it ends is said when it is closed. @returns its index */
  open(id: string, parent: number, at: number, node: Node, facts: Facts, route: string): number {
    const { kind } = node.service;
    const isWorker = kind === "worker";
    const isServer = kind === "edge" || kind === "api";
    return (
      this.list.push({
        span_id: id,
        parent_span_id: parent >= 0 ? (this.list[parent]?.span_id ?? "") : "",
        name: isWorker ? "process message" : isServer ? route : `${kind} request`,
        kind: isWorker ? "consumer" : "server",
        "service.name": facts.style.service,
        "service.version": facts.version,
        "service.instance.id": facts.pod,
        "cloud.availability_zone": facts.zone,
        start: at * 1e6,
        duration: 0,
        status: "ok",
      }) - 1
    );
  }

  /** @param limit time-out, s, where it is an attempt of a call */
  limit(span: number, limit: number): void {
    this.limits[span] = limit;
  }

  /** @param failed `error.type`; empty for well */
  close(index: number, duration: number, failed: string, status: number): void {
    const span = this.list[index];
    if (!span) return;
    span.duration = duration;
    if (failed) {
      span.status = "error";
      span["error.type"] = failed;
    }
    if (status > 0) span["http.response.status_code"] = status;
  }

  /** Spreads a longer time over the spans from `first` on, as far as their time-outs allow; the rest is their parent's own. */
  stretch(first: number, at: number, factor: number): void {
    let most = factor;
    for (let i = first; i < this.list.length; i++) {
      const limit = this.limits[i];
      if (limit !== undefined) most = Math.min(most, (limit * IN_TIME) / (this.list[i] as OpenSpan).duration);
    }
    if (most > 1) this.scale(first, at, most);
  }

  /** Draws the spans from `first` on together, or apart, around a time, s from the start of the trace. */
  scale(first: number, at: number, factor: number): void {
    for (let i = first; i < this.list.length; i++) {
      const span = this.list[i] as OpenSpan;
      span.start = at * 1e6 + (span.start - at * 1e6) * factor;
      span.duration *= factor;
    }
  }
}
