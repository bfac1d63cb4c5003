/**
 * Traces, made when they are read. Of the requests of users and of the messages of workers one in a hundred is kept, and of every kind of
 * error at every place a few a tick, namely those that the log lines of that tick name. A trace's id says where it is, so that
 * any id that a line carries can be opened.
 */
import type { Run } from "../../run";
import { TICK_SECONDS } from "../../spec";
import { quoted } from "../../words";
import { SLOW_REQUEST } from "../logs/expected";
import { FactsOf } from "../logs/facts";
import { SEVERITIES } from "../logs/grammar/kind";
import { type Cell, JOURNAL_SLOTS, type Layout, LINES_PER_CELL, layoutOf, TICK_MICROS } from "../logs/layout";
import { microsOf, type ReaderOptions, tickOf, timeText } from "../logs/line";
import { SettingsByTick } from "../logs/settings";
import { TickLines } from "../logs/tick";
import { MeasurementNoise } from "../noise";
import { nodeOfGroup } from "./draws";
import { placeOfTrace, spanIdOf, type TracePlace, traceIdOf } from "./id";
import { pinKey, pinOf } from "./pin";
import type { SpanLink, Trace } from "./span";
import { Walk } from "./walk";

export type { Span, Trace } from "./span";

export type TraceStatus = "error" | "slow" | "any";

export interface TraceQuery {
  /** Traces with a span of this service; for errors, one that failed. */
  readonly service?: string;
  /** `slow`: the root, or the service's span, took more than a second. */
  readonly status?: TraceStatus;
  /** Seconds since the start of history; from included, to not. */
  readonly from?: number;
  readonly to?: number;
  /** 1..50; 10 by default. */
  readonly limit?: number;
}

export interface TracePage {
  /** Newest last. */
  readonly traces: readonly Trace[];
  /** Kept traces that were looked at. */
  readonly searched: number;
  /** Kept traces of the time that was looked at, and requests they were taken from. */
  readonly kept: number;
  readonly requests: number;
  readonly note: string;
}

/** Share of requests that are kept whatever becomes of them. */
const HEAD_SHARE = 0.01;
/** Most of them of a root and tick. */
const HEAD_PER_TICK = 8;
/** Traces of errors that are kept of a place, kind and tick. */
const ERRORS_PER_CELL = 2;
/** Kept traces that a read looks at before it stops. */
export const SEARCH_BOUND = 400;
const MOST_TRACES = 50;
const USUAL_TRACES = 10;

/** Numbers of draws: who put a message into its queue, and which of their requests. */
const PUBLISHER_DRAW = 330;
const PUBLISHED_DRAW = 331;

interface Candidate {
  readonly place: TracePlace;
  /** µs since the start of history. */
  readonly time: number;
}

export class Traces {
  private readonly layout: Layout;
  private readonly start: number;
  private readonly settings: SettingsByTick;
  private readonly factsOf: FactsOf;
  private readonly tickLines: TickLines;
  private readonly counts: MeasurementNoise;
  private readonly everywhere: readonly number[];
  /** Groups where requests begin: those of users, then those of workers. */
  private readonly roots: readonly { readonly group: number; readonly entry: number; readonly series: number }[];

  constructor(
    private readonly run: Run,
    options: ReaderOptions = {},
  ) {
    const { plan } = run;
    this.start = options.start ?? 0;
    this.layout = layoutOf(plan, run.seed);
    this.settings = new SettingsByTick(run);
    this.factsOf = new FactsOf(this.layout, run);
    this.counts = new MeasurementNoise(run.seed);
    this.tickLines = new TickLines(this.layout, run, this.counts);
    this.everywhere = plan.services.map((_, s) => s);
    const users = plan.entries.map((entry) => ({ group: entry.group, entry: entry.index }));
    const workers = plan.groups
      .filter((group) => group.service.kind === "worker")
      .map((group) => ({ group: group.index, entry: -1 }));
    this.roots = [...users, ...workers].map((root, index) => ({ ...root, series: 0x5eed + index * 7919 }));
  }

  /** The trace of an id, as a log line or a link has it; null when it is no id of this run. */
  open(id: string): Trace | null {
    const place = placeOfTrace(this.layout.noise, id);
    if (!place || place.tick >= this.run.tick) return null;
    if (place.pin > this.layout.cells.length + this.layout.plan.calls.length || place.root >= this.roots.length)
      return null;
    return this.trace(place, this.timeOf(place));
  }

  /** @throws RangeError naming the field of the query that is wrong. */
  find(query: TraceQuery = {}): TracePage {
    const { run } = this;
    const limit = query.limit ?? USUAL_TRACES;
    if (!(Number.isInteger(limit) && limit >= 1 && limit <= MOST_TRACES))
      throw new RangeError(`The limit is ${limit}; it must be a whole number from 1 to ${MOST_TRACES}.`);
    if (query.service !== undefined && !run.plan.services.some((each) => each.name === query.service))
      throw new RangeError(`There is no service ${quoted(query.service)}.`);
    for (const name of ["from", "to"] as const)
      if (query[name] !== undefined && !Number.isFinite(query[name]))
        throw new RangeError(`The ${name} is ${query[name]}; it must be a number.`);
    const status = query.status ?? "any";
    const from = microsOf(Math.max(0, query.from ?? 0));
    const until = microsOf(Math.max(0, Math.min(run.tick * TICK_SECONDS, query.to ?? run.tick * TICK_SECONDS)));
    const found: Trace[] = [];
    const seen = { searched: 0, kept: 0, requests: 0, back: until };
    for (
      let tick = tickOf(until - 1);
      tick >= tickOf(from) && found.length < limit && seen.searched < SEARCH_BOUND;
      tick--
    ) {
      const candidates = this.candidates(tick, status).filter(({ time }) => time >= from && time < until);
      seen.kept += candidates.length;
      seen.requests += this.requests(tick);
      for (const { place, time } of candidates) {
        if (found.length >= limit || seen.searched >= SEARCH_BOUND) break;
        seen.searched++;
        seen.back = time;
        const trace = this.trace(place, time);
        if (fits(trace, query.service, status)) found.push(trace);
      }
      if (found.length < limit && seen.searched < SEARCH_BOUND) seen.back = Math.max(from, tick * TICK_MICROS);
    }
    return {
      traces: found.reverse(),
      searched: seen.searched,
      kept: seen.kept,
      requests: seen.requests,
      note: this.noteOf(found.length, seen, seen.back > from),
    };
  }

  private noteOf(
    found: number,
    seen: { searched: number; requests: number; back: number; kept: number },
    more: boolean,
  ): string {
    const since = timeText(seen.back, this.start);
    const rule = `one request in a hundred is kept, at most ${HEAD_PER_TICK} of an entry in ${TICK_SECONDS} s, and up to ${ERRORS_PER_CELL} of each kind of error at each place`;
    const looked = `Showing ${found} of the ${seen.searched} traces looked at back to ${since}, kept of about ${Math.floor(seen.requests + 0.5)} requests (${rule})`;
    return more
      ? `${looked}; for older ones end the time at ${since}, or narrow by service or status.`
      : `${looked}; that is all.`;
  }

  /** Requests of users and messages of workers in a tick. */
  private requests(tick: number): number {
    let sum = 0;
    for (const root of this.roots) sum += this.rateOf(root, tick) * TICK_SECONDS;
    return sum;
  }

  private rateOf(root: Traces["roots"][number], tick: number): number {
    if (root.entry >= 0) return this.run.user("offered", root.entry, tick);
    const group = this.run.plan.groups[root.group];
    let sum = 0;
    for (let n = group?.first ?? 0; n < (group?.first ?? 0) + (group?.count ?? 0); n++)
      sum += this.run.node("arrivals", n, tick);
    return sum;
  }

  /** The kept traces of a tick that may have a status, newest first. */
  private candidates(tick: number, status: TraceStatus): Candidate[] {
    const { layout, tickLines } = this;
    const list: Candidate[] = [];
    this.roots.forEach((root, index) => {
      const drawn = this.counts.count(root.series, tick, this.rateOf(root, tick) * TICK_SECONDS * HEAD_SHARE);
      for (let k = 0; k < Math.min(drawn, HEAD_PER_TICK); k++) {
        const place = { tick, pin: 0, root: index, k };
        list.push({ place, time: this.headTime(place) });
      }
    });
    tickLines.fill(tick, this.everywhere, WARN, this.settings.at(tick), 0, 0);
    for (let i = 0; i < tickLines.shown; i++) {
      const time = tickLines.times[i] as number;
      const cell = layout.cells[tickLines.cellAt(time)];
      const k = tickLines.placeAt(time);
      if (!cell?.kind.request || k >= ERRORS_PER_CELL) continue;
      const slow = SLOW_KINDS.has(cell.name);
      if (status === "any" || (status === "slow") === slow)
        list.push({ place: { tick, pin: cell.index + 1, root: 0, k }, time: tick * TICK_MICROS + time });
    }
    return list.sort(
      (a, b) => b.time - a.time || b.place.pin - a.place.pin || b.place.root - a.place.root || b.place.k - a.place.k,
    );
  }

  /** When a request that head sampling kept came, µs since the start of history. */
  private headTime(place: TracePlace): number {
    const unit = this.layout.noise.unit(0x7ead + place.root, place.tick, place.k);
    return place.tick * TICK_MICROS + Math.floor(unit * TICK_MICROS);
  }

  /** @param time of the pinned event's end, or of the begin of an unpinned trace, µs since the start of history */
  private trace(place: TracePlace, time: number): Trace {
    const settings = this.settings.at(place.tick);
    const pin = place.pin > 0 ? pinOf(this.layout, this.run, place) : null;
    const walk = new Walk(this.layout, this.run, this.factsOf, settings, place, pin);
    const root = pin?.nodes[0] ?? this.headRoot(place);
    const whole = walk.from(root);
    const event = walk.book.list[walk.pinned];
    const begin = Math.floor(time - (event && pin ? event.start + event.duration * 1e6 : 0) + 0.5);
    for (const span of walk.book.list) span.start = Math.floor(span.start + begin + 0.5);
    const link = this.linkOf(place, root);
    if (link) walk.link(link);
    const service = this.layout.plan.nodes[root]?.service.name ?? "";
    return {
      trace_id: traceIdOf(this.layout.noise, place),
      tick: place.tick,
      service,
      start: begin,
      duration: whole.duration,
      status: whole.failed ? "error" : "ok",
      spans: walk.book.list,
      left: walk.book.left,
    };
  }

  private timeOf(place: TracePlace): number {
    if (place.pin === 0) return this.headTime(place);
    const cell = this.layout.cells[place.pin - 1];
    return cell ? this.lineTime(cell, place) : this.headTime(place);
  }

  /** Time of the log line in a slot, µs since the start of history. */
  private lineTime(cell: Cell, place: TracePlace): number {
    const { tickLines, layout } = this;
    const service = layout.serviceOf[cell.node] as number;
    tickLines.fill(place.tick, [service], 0, this.settings.at(place.tick), 0, 0);
    const slot = JOURNAL_SLOTS + cell.index * LINES_PER_CELL + place.k;
    for (let i = 0; i < tickLines.shown; i++) {
      const time = tickLines.times[i] as number;
      if (time % layout.slots === slot) return place.tick * TICK_MICROS + time;
    }
    return place.tick * TICK_MICROS;
  }

  private headRoot(place: TracePlace): number {
    const group = this.layout.plan.groups[this.roots[place.root]?.group ?? 0];
    const unit = () => this.layout.noise.unit(0xc0 + place.root, place.tick, place.k);
    return nodeOfGroup(this.run, group, place.tick, unit);
  }

  /** For a message that is processed: the request that put it into the queue, so long ago as messages wait. */
  private linkOf(place: TracePlace, root: number): SpanLink | null {
    const { layout, run } = this;
    const { plan } = layout;
    const taken = (layout.callsOf[root] as readonly number[]).find((c) => plan.calls[c]?.spec.kind === "consume");
    if (taken === undefined || plan.nodes[root]?.service.kind !== "worker") return null;
    const queue = plan.calls[taken]?.to ?? 0;
    const waited = run.node("delay", plan.groups[queue]?.first ?? 0, place.tick);
    const tick = Math.max(0, place.tick - Math.floor(waited / TICK_SECONDS + 0.5));
    const into = plan.calls.filter((call) => call.to === queue && call.spec.kind === "publish");
    let total = 0;
    for (const call of into) total += run.call("attempts", call.index, tick);
    let left = layout.noise.unit(pinKey(place), place.tick, PUBLISHER_DRAW) * total;
    const from = into.find((call) => {
      left -= run.call("attempts", call.index, tick);
      return left < 0;
    });
    if (!from) return null;
    const k = Math.floor(layout.noise.unit(pinKey(place), place.tick, PUBLISHED_DRAW) * 65536);
    const published = { tick, pin: 1 + layout.cells.length + from.index, root: 0, k };
    const pin = pinOf(layout, run, published);
    const walk = new Walk(layout, run, this.factsOf, this.settings.at(tick), published, pin);
    walk.from(pin.nodes[0] as number);
    if (walk.pinned < 0) return null;
    return { trace_id: traceIdOf(layout.noise, published), span_id: spanIdOf(layout.noise, published, walk.pinned) };
  }
}

const WARN = SEVERITIES.indexOf("WARN");
const SLOW_KINDS: ReadonlySet<string> = new Set(["request_slow", "slow_query", "lock_wait"]);

function fits(trace: Trace, service: string | undefined, status: TraceStatus): boolean {
  if (service === undefined)
    return (
      status === "any" ||
      (status === "error" ? trace.spans.some((span) => span.status === "error") : trace.duration > SLOW_REQUEST)
    );
  return trace.spans.some(
    (span) =>
      span["service.name"] === service &&
      (status === "any" || (status === "error" ? span.status === "error" : span.duration > SLOW_REQUEST)),
  );
}
