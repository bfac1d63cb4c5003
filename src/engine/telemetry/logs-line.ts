/** A line of a log as it is read, with OpenTelemetry's names, and how one is made from its slot. */
import { TICK_SECONDS } from "../spec";
import type { Facts } from "./grammar/facts";
import { type LogKind, SEVERITIES, type Severity } from "./grammar/kind";
import { drawNames } from "./grammar/slots";
import { bodyOf } from "./grammar/style";
import { type Draw, expand } from "./grammar/template";
import { type FactsOf, slotKey, TEXT_DRAW, TRACE_DRAW } from "./logs-facts";
import type { EventLine } from "./logs-journal";
import { type Cell, type Layout, TICK_MICROS } from "./logs-layout";
import type { Settings } from "./logs-settings";
import { traceIdOf } from "./traces-id";

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

/** Share of request lines with the id of their trace, in services that write it. */
const TRACED = 0.8;

/** @param start time of day at the start of history, s after midnight */
export function cellLine(
  layout: Layout,
  factsOf: FactsOf,
  cell: Cell,
  k: number,
  tick: number,
  settings: Settings,
  suppressed: number,
  time: number,
  start: number,
): LogLine {
  const facts = factsOf.of(cell, k, tick, settings);
  const key = slotKey(cell, k);
  const traced = facts.style.traced && cell.kind.request && layout.noise.unit(key, tick, TRACE_DRAW) < TRACED;
  const trace = traced ? traceIdOf(layout.noise, { tick, pin: cell.index + 1, root: 0, k }) : "";
  return lineOf(facts, factsOf.draw, cell.kind, SEVERITIES[cell.severity] as Severity, time, start, trace, suppressed);
}

export function eventLine(
  layout: Layout,
  factsOf: FactsOf,
  event: EventLine,
  slot: number,
  tick: number,
  settings: Settings,
  time: number,
  start: number,
): LogLine {
  const facts = factsOf.writer(event.node, tick, layout.noise.unit(slot, tick, TEXT_DRAW), settings);
  const call = layout.plan.calls[event.call];
  if (call) facts.peer = factsOf.peerOf(call);
  if (event.version) facts.version = event.version;
  facts.before = event.before;
  facts.name = event.about;
  facts.count = event.count;
  facts.used = event.used;
  facts.share = event.share;
  facts.capacity = settings.memoryLimit[event.node] as number;
  facts.memory = facts.capacity;
  facts.status = 0;
  factsOf.draw.start(layout.noise.unit(slot, tick, TRACE_DRAW));
  drawNames(facts, factsOf.draw);
  return lineOf(facts, factsOf.draw, event.kind, event.kind.severity, time, start, "", 0);
}

function lineOf(
  facts: Facts,
  draw: Draw,
  kind: LogKind,
  severity: Severity,
  time: number,
  start: number,
  trace: string,
  suppressed: number,
): LogLine {
  const body = bodyOf(expand(kind.message, facts, draw), kind.fields, facts, draw);
  const line: { -readonly [K in keyof LogLine]: LogLine[K] } = {
    time,
    timestamp: timeText(time, start),
    severity_text: severity,
    "service.name": facts.style.service,
    "service.version": facts.version,
    "service.instance.id": facts.pod,
    "cloud.availability_zone": facts.zone,
    body: suppressed > 0 ? `${body} [${suppressed} similar suppressed]` : body,
  };
  if (kind.errorType) line["error.type"] = kind.errorType;
  if (facts.peer !== facts.style) line["server.address"] = facts.peer.address;
  if (facts.status > 0) line["http.response.status_code"] = facts.status;
  if (trace) line.trace_id = trace;
  if (suppressed > 0) line.suppressed = suppressed;
  return line;
}

const TWO = Array.from({ length: 100 }, (_, i) => (i < 10 ? `0${i}` : `${i}`));

/** `HH:MM:SS.mmm` of a time in µs since the start of history. */
export function timeText(micros: number, start: number): string {
  const ms = Math.floor(micros / 1000) + start * 1000;
  const seconds = Math.floor(ms / 1000);
  const rest = ms - seconds * 1000;
  const day = seconds % 86400;
  const h = Math.floor(day / 3600);
  const m = Math.floor((day % 3600) / 60);
  return `${TWO[h]}:${TWO[m]}:${TWO[day % 60]}.${rest < 100 ? "0" : ""}${TWO[rest] ?? rest}`;
}

/** Seconds of a time in µs. */
export function tickOf(micros: number): number {
  return Math.floor(micros / TICK_MICROS);
}

/** Microseconds of a time in s. */
export function microsOf(seconds: number): number {
  return Math.floor((seconds / TICK_SECONDS) * TICK_MICROS + 0.5);
}
