/** A line of a log as it is read, with OpenTelemetry's names, and how one is made from its slot. */
import { TICK_SECONDS } from "../../spec";
import { traceIdOf } from "../traces/id";
import { type FactsOf, slotKey, TEXT_DRAW, TRACE_DRAW } from "./facts";
import type { Facts } from "./grammar/facts";
import { type LogKind, SEVERITIES, type Severity } from "./grammar/kind";
import { drawNames } from "./grammar/slots";
import { bodyOf as writtenBy } from "./grammar/style";
import type { Draw } from "./grammar/template";
import type { EventLine } from "./journal";
import { type Cell, type Layout, TICK_MICROS } from "./layout";
import type { SettingsOfTick } from "./settings";

export interface LogLine {
  /** Microseconds since the start of history; no two lines of a run share it. */
  readonly time: number;
  /** Time of day, `HH:MM:SS.mmm`. */
  readonly timestamp: string;
  readonly severity_text: Severity;
  readonly "service.name": string;
  /** Empty where no code is deployed on the service. */
  readonly "service.version": string;
  readonly "service.instance.id": string;
  readonly "cloud.availability_zone": string;
  readonly body: string;
  readonly "error.type"?: string;
  /** The other end of a call. */
  readonly "server.address"?: string;
  readonly "http.response.status_code"?: number;
  readonly trace_id?: string;
  /** So many further lines of the same kind, place and tick are left out. */
  readonly suppressed?: number;
}

/** What whoever reads logs or traces may say about the run. */
export interface ReaderOptions {
  /** Time of day at the start of history, s after midnight; 0 unless said otherwise. */
  readonly start?: number;
}

/** Share of request lines with the id of their trace, in services that write it. */
const TRACED = 0.8;

/** When a line is written, and what held then. */
export interface Moment {
  readonly tick: number;
  readonly settings: SettingsOfTick;
  /** Microseconds since the start of history. */
  readonly time: number;
  /** Time of day at the start of history, s after midnight. */
  readonly start: number;
}

/** The line of a slot. @param suppressed how many similar ones it stands for besides itself */
export function cellLine(
  { noise, severity }: Layout,
  factsOf: FactsOf,
  cell: Cell,
  k: number,
  moment: Moment,
  suppressed: number,
): LogLine {
  const { tick } = moment;
  const facts = factsOf.of(cell, k, tick, moment.settings);
  const isTraced = facts.style.traced && cell.kind.request && noise.unit(slotKey(cell, k), tick, TRACE_DRAW) < TRACED;
  const trace = isTraced ? traceIdOf(noise, { tick, pin: cell.index + 1, root: 0, k }) : "";
  const text = SEVERITIES[severity[cell.index] as number] as Severity;
  return new Line(
    facts,
    cell.kind,
    text,
    moment,
    bodyOf(facts, cell.kind, factsOf.draw, suppressed),
    trace,
    suppressed,
  );
}

/** A line about something that happened. @param slot which of the lines about events of its tick */
export function eventLine(layout: Layout, factsOf: FactsOf, event: EventLine, slot: number, moment: Moment): LogLine {
  const { noise } = layout;
  const { tick, settings } = moment;
  const facts = factsOf.writer(event.node, tick, noise.unit(slot, tick, TEXT_DRAW), settings);
  const call = layout.plan.calls[event.call];
  if (call) facts.peer = factsOf.peerOf(call);
  facts.after = event.version;
  facts.before = event.before;
  facts.name = event.about;
  facts.count = event.count;
  facts.used = event.used;
  facts.share = event.share;
  facts.capacity = settings.memoryLimit[event.node] as number;
  facts.memory = facts.capacity;
  facts.status = 0;
  factsOf.draw.start(noise.unit(slot, tick, TRACE_DRAW));
  drawNames(facts, factsOf.draw);
  return new Line(facts, event.kind, event.kind.severity, moment, bodyOf(facts, event.kind, factsOf.draw, 0), "", 0);
}

function bodyOf(facts: Facts, kind: LogKind, draw: Draw, suppressed: number): string {
  const body = writtenBy(facts.style.capital ? kind.capital : kind.message, kind.fields, facts, draw);
  return suppressed > 0 ? `${body} [${suppressed} similar suppressed]` : body;
}

/** A class only because engines then lay out the fields that may be absent at once. */
class Line implements LogLine {
  readonly time: number;
  readonly timestamp: string;
  readonly severity_text: Severity;
  readonly "service.name": string;
  readonly "service.version": string;
  readonly "service.instance.id": string;
  readonly "cloud.availability_zone": string;
  readonly body: string;
  declare readonly "error.type"?: string;
  declare readonly "server.address"?: string;
  declare readonly "http.response.status_code"?: number;
  declare readonly trace_id?: string;
  declare readonly suppressed?: number;

  constructor(
    facts: Facts,
    kind: LogKind,
    severity: Severity,
    moment: Moment,
    body: string,
    trace: string,
    suppressed: number,
  ) {
    this.time = moment.time;
    this.timestamp = timeText(moment.time, moment.start);
    this.severity_text = severity;
    this["service.name"] = facts.style.service;
    this["service.version"] = facts.version;
    this["service.instance.id"] = facts.pod;
    this["cloud.availability_zone"] = facts.zone;
    this.body = body;
    if (kind.errorType !== undefined) this["error.type"] = kind.errorType;
    if (facts.peer !== facts.style) this["server.address"] = facts.peer.address;
    if (facts.status > 0) this["http.response.status_code"] = facts.status;
    if (trace) this.trace_id = trace;
    if (suppressed > 0) this.suppressed = suppressed;
  }
}

const TWO = Array.from({ length: 100 }, (_, i) => (i < 10 ? `0${i}` : `${i}`));

const THREE = Array.from({ length: 1000 }, (_, i) => `${i < 100 ? "0" : ""}${TWO[i] ?? i}`);

/** The last minute that was written, as lines of one follow each other. */
let lastMinute = -1;
let lastText = "";

/** `HH:MM:SS.mmm` of a time in µs since the start of history. */
export function timeText(micros: number, start: number): string {
  const ms = Math.floor(micros / 1000) + start * 1000;
  const minute = Math.floor(ms / 60_000);
  const rest = Math.floor(ms - minute * 60_000);
  if (minute !== lastMinute) {
    const day = minute % 1440;
    lastMinute = minute;
    lastText = `${TWO[Math.floor(day / 60)]}:${TWO[day % 60]}:`;
  }
  const second = (rest / 1000) | 0;
  return `${lastText + (TWO[second] as string)}.${THREE[rest - second * 1000]}`;
}

/** Tick of a time in µs. */
export function tickOf(micros: number): number {
  return Math.floor(micros / TICK_MICROS);
}

/** Microseconds of a time in s. */
export function microsOf(seconds: number): number {
  return Math.floor((seconds / TICK_SECONDS) * TICK_MICROS + 0.5);
}
