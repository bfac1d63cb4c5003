/**
 * How a service writes its log, as if each team had made its own choices: format, names of the fields, how durations are written,
 * names of routes, operations and tables. A function of (seed, service).
 */
import type { Noise } from "../../../../core/rng";
import { seriesKey } from "../../../../core/rng";
import type { ServiceKind } from "../../../spec";
import type { Facts } from "./facts";
import { FIELD_KEYS, type FieldName, NUMERIC, SPACED } from "./fields";
import type { Field } from "./slots";
import { type Draw, expand, type Template } from "./template";
import { domainOf, operationNames, routesOf, tableNames } from "./words";

export type LineFormat = "json" | "logfmt" | "plain" | "bracketed";

interface Written {
  readonly first: string;
  readonly next: string;
  readonly after: string;
}

export interface ServiceStyle {
  readonly service: string;
  readonly kind: ServiceKind;
  readonly format: LineFormat;
  /** What stands before the message (one of them, with the name of a logger where there is one) and after it. */
  readonly openings: readonly string[];
  readonly shut: string;
  /** What ends a line without fields and one with them. */
  readonly end: string;
  readonly endAfterFields: string;
  /** What stands around the value of each field, by its index: before the first of a line, before another, after it. */
  readonly written: readonly Written[];
  /** 0: `1204ms`, 1: `1.204s`, 2: `1204 ms`, 3: `1.2 s`. */
  readonly durations: 0 | 1 | 2 | 3;
  readonly capital: boolean;
  /** Whether attempts that failed are logged as errors rather than warnings. */
  readonly strict: boolean;
  /** Share of ordinary requests that are logged. */
  readonly accessShare: number;
  /** Whether most lines carry their trace's id. */
  readonly traced: boolean;
  readonly routes: readonly string[];
  readonly operations: readonly string[];
  readonly tables: readonly string[];
  readonly address: string;
}

const FORMATS: readonly LineFormat[] = ["json", "logfmt", "plain", "bracketed"];

/** The style of a service. Stores and brokers write plain lines, as their vendors do. */
export function styleOf(service: string, kind: ServiceKind, noise: Noise): ServiceStyle {
  const series = seriesKey(`style:${service}`);
  let draw = 0;
  const below = (n: number) => Math.floor(noise.unit(series, 0, draw++) * n);
  const vendor = kind === "database" || kind === "cache" || kind === "queue";
  const format = vendor ? (below(2) ? "plain" : "bracketed") : (FORMATS[below(FORMATS.length)] as LineFormat);
  const durations = below(4) as 0 | 1 | 2 | 3;
  const written = (Object.keys(FIELD_KEYS) as FieldName[]).map((field) => {
    const names = FIELD_KEYS[field];
    return writtenIn(format, field, names[below(names.length)] as string, durations > 1);
  });
  const words = domainOf(service, kind, below);
  const operations = operationNames(words, below);
  const loggers = operations.slice(0, 6).map((name) => loggerName(service, name, format));
  return {
    service,
    kind,
    format,
    ...framesOf(format, ["msg", "message", "event"][below(3)] as string, loggers),
    written,
    durations,
    capital: below(2) === 1,
    strict: below(2) === 1,
    accessShare: [0.01, 0.02, 0.05][below(3)] as number,
    traced: !vendor || below(2) === 1,
    routes: routesOf(words, below),
    operations,
    tables: tableNames(words),
    address: `${service}.${["svc.cluster.local", "internal", "prod.svc"][below(3)]}:${portOf(kind)}`,
  };
}

function writtenIn(format: LineFormat, field: FieldName, key: string, spaced: boolean): Written {
  if (format === "json") {
    const quote = NUMERIC.has(field) ? "" : '"';
    const before = `,"${key}":${quote}`;
    return { first: before, next: before, after: quote };
  }
  if (format === "logfmt") {
    const quote = spaced && SPACED.has(field) ? '"' : "";
    const before = ` ${key}=${quote}`;
    return { first: before, next: before, after: quote };
  }
  return { first: `${format === "plain" ? " (" : " | "}${key}=`, next: `, ${key}=`, after: "" };
}

type Frames = Pick<ServiceStyle, "openings" | "shut" | "end" | "endAfterFields">;

function framesOf(format: LineFormat, messageKey: string, loggers: readonly string[]): Frames {
  if (format === "json") return { openings: [`{"${messageKey}":"`], shut: '"', end: "}", endAfterFields: "}" };
  if (format === "logfmt") return { openings: [`${messageKey}="`], shut: '"', end: "", endAfterFields: "" };
  const plain = format === "plain";
  const openings = loggers.map((logger) => (plain ? `${logger} - ` : `[${logger}] `));
  return { openings, shut: "", end: "", endAfterFields: plain ? ")" : "" };
}

function portOf(kind: ServiceKind): number {
  return kind === "database"
    ? 5432
    : kind === "cache"
      ? 6379
      : kind === "queue"
        ? 5672
        : kind === "third_party"
          ? 443
          : 8080;
}

function loggerName(service: string, operation: string, format: LineFormat): string {
  const stem = service.replace(/-/g, "_");
  return format === "plain"
    ? `${stem}.${operation.replace(/[^A-Za-z].*/, "")}`
    : `${stem}/${operation.toLowerCase().replace(/[^a-z]+/g, "_")}`;
}

/** Most structured fields of a line. */
const MOST_FIELDS = 4;

/** The body of a line: its message and up to four of its fields in the service's format. */
export function bodyOf(message: Template, fields: readonly Field[], facts: Facts, draw: Draw): string {
  const { style } = facts;
  let text = expand(style.openings[draw.below(style.openings.length)] as string, message, facts, draw) + style.shut;
  const count = draw.below(fields.length < MOST_FIELDS ? fields.length + 1 : MOST_FIELDS + 1);
  if (count === 0) return text + style.end;
  let at = draw.below(fields.length);
  for (let i = 0; i < count; i++) {
    const field = fields[at] as Field;
    if (++at === fields.length) at = 0;
    const written = style.written[field.index] as Written;
    text += (i === 0 ? written.first : written.next) + field.fill(facts, draw) + written.after;
  }
  return text + style.endAfterFields;
}

/** Text that may stand in any format: letters, digits and plain signs other than quotes and backslashes. */
export function safe(text: string): string {
  return text.replace(/[^ !#-[\]-~\p{L}\p{N}]/gu, "_");
}
