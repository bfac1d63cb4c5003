/**
 * How a service writes its log, as if each team had made its own choices: format, names of the fields, how durations are written,
 * names of routes, operations and tables. A function of (seed, service).
 */
import type { Noise } from "../../../core/rng";
import { seriesKey } from "../../../core/rng";
import type { ServiceKind } from "../../spec";
import type { Facts } from "./facts";
import { FIELD_KEYS, type FieldName, NUMERIC, SPACED } from "./fields";
import { SLOTS } from "./slots";
import type { Draw } from "./template";
import { domainOf, operationNames, routesOf, tableNames } from "./words";

export type LineFormat = "json" | "logfmt" | "plain" | "bracketed";

export interface ServiceStyle {
  readonly service: string;
  readonly kind: ServiceKind;
  readonly format: LineFormat;
  /** The key of the message and of each field. */
  readonly messageKey: string;
  /** The key of each field with what stands around it, up to the value. */
  readonly written: Readonly<Record<FieldName, string>>;
  /** 0: `1204ms`, 1: `1.204s`, 2: `1204 ms`, 3: `1.2 s`. */
  readonly durations: 0 | 1 | 2 | 3;
  /** Whether durations have a space in them. */
  readonly spaced: boolean;
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
  readonly loggers: readonly string[];
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
  const written = {} as Record<FieldName, string>;
  for (const field of Object.keys(FIELD_KEYS) as FieldName[]) {
    const names = FIELD_KEYS[field];
    const key = names[below(names.length)] as string;
    written[field] = format === "json" ? `,"${key}":` : format === "logfmt" ? ` ${key}=` : `${key}=`;
  }
  const durations = below(4) as 0 | 1 | 2 | 3;
  const words = domainOf(service, kind, below);
  const operations = operationNames(words, below);
  return {
    service,
    kind,
    format,
    messageKey: ["msg", "message", "event"][below(3)] as string,
    written,
    durations,
    spaced: durations > 1,
    capital: below(2) === 1,
    strict: below(2) === 1,
    accessShare: [0.01, 0.02, 0.05][below(3)] as number,
    traced: !vendor || below(2) === 1,
    routes: routesOf(words, below),
    operations,
    tables: tableNames(words),
    loggers: operations.slice(0, 6).map((name) => loggerName(service, name, format)),
    address: `${service}.${["svc.cluster.local", "internal", "prod.svc"][below(3)]}:${portOf(kind)}`,
  };
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
export function bodyOf(message: string, fields: readonly FieldName[], facts: Facts, draw: Draw): string {
  const { style } = facts;
  const { format } = style;
  const said = style.capital ? (message[0] as string).toUpperCase() + message.slice(1) : message;
  let rest = "";
  const count = draw.below(fields.length < MOST_FIELDS ? fields.length + 1 : MOST_FIELDS + 1);
  let at = draw.below(fields.length);
  for (let i = 0; i < count; i++) {
    const field = fields[at] as FieldName;
    if (++at === fields.length) at = 0;
    const key = style.written[field];
    const value = SLOTS[field](facts, draw);
    if (format === "json") rest += NUMERIC.has(field) ? key + value : `${key}"${value}"`;
    else if (format === "logfmt") rest += style.spaced && SPACED.has(field) ? `${key}"${value}"` : key + value;
    else rest += i > 0 ? `, ${key}${value}` : key + value;
  }
  if (format === "json") return `{"${style.messageKey}":"${said}"${rest}}`;
  if (format === "logfmt") return `${style.messageKey}="${said}"${rest}`;
  const logger = draw.pick(style.loggers);
  if (format === "plain") return rest ? `${logger} - ${said} (${rest})` : `${logger} - ${said}`;
  return rest ? `[${logger}] ${said} | ${rest}` : `[${logger}] ${said}`;
}

/** Text that may stand in any format: letters, digits and plain signs other than quotes and backslashes. */
export function safe(text: string): string {
  return text.replace(/[^ !#-[\]-~\p{L}\p{N}]/gu, "_");
}
