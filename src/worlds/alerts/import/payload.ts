/**
 * Reads an Alertmanager webhook (version 4: one payload or a list of them) or a Prometheus `/api/v1/alerts` answer.
 * Nothing in a text is interpreted. Sources: the webhook section of Alertmanager's configuration reference and the alerts
 * section of Prometheus' HTTP API reference.
 */
import { ScenarioError } from "../../../core/world";
import { bounded, MAX_ANNOTATION, type Pairs, sortedPairs } from "./alert-set";
import { pointer, quoted } from "./json-text";
import { parseTime, TIME_EXAMPLE } from "./rfc3339";

/** One mention of an alert. */
export interface Sighting {
  readonly labels: Pairs;
  readonly annotations: Pairs;
  readonly from: number;
  /** Null while it fires. */
  readonly to: number | null;
  /** It was reported as resolved without a usable end. */
  readonly endUnknown: boolean;
  readonly pending: boolean;
  readonly value: number | null;
}

export interface Reading {
  readonly kind: "alertmanager-webhook" | "prometheus-alerts";
  readonly payloads: number;
  readonly groupKeys: ReadonlySet<string>;
  readonly truncatedAlerts: number;
  readonly sightings: readonly Sighting[];
  /** Annotations cut to `MAX_ANNOTATION`. */
  readonly cuts: number;
}

/** More alerts than this in one file are refused. */
export const MAX_ALERTS = 20_000;
/** Alertmanager writes the year 1 where an alert has not ended. */
const NEVER_BEFORE = parseTime("1970-01-01T00:00:00Z") ?? 0;
const WEBHOOK_VERSION = "4";

type Fields = Readonly<Record<string, unknown>>;
type Path = readonly (string | number)[];

/** @throws ScenarioError naming the place (a JSON pointer) and the fix. */
export function readPayloads(json: unknown): Reading {
  const reader = new PayloadReader();
  if (Array.isArray(json)) reader.webhooks(json);
  else if (isFields(json) && "data" in json && !("alerts" in json)) reader.prometheus(json);
  else if (isFields(json) && json.status === "error") throw refusedAnswer(json);
  else if (isFields(json) && typeof json.schema === "string" && json.schema.startsWith("firedrill"))
    throw new ScenarioError(
      "This is a Firedrill file, not alerts from a monitoring system; open it instead of importing it.",
    );
  else reader.webhook(json, []);
  return reader.reading();
}

class PayloadReader {
  private kind: Reading["kind"] = "alertmanager-webhook";
  private payloads = 0;
  private truncatedAlerts = 0;
  private cuts = 0;
  private readonly groupKeys = new Set<string>();
  private readonly sightings: Sighting[] = [];

  webhooks(list: readonly unknown[]): void {
    if (list.length === 0) throw wrong([], "this list holds no payload", "put at least one webhook payload into it");
    for (const [index, payload] of list.entries()) this.webhook(payload, [index]);
  }

  webhook(payload: unknown, path: Path): void {
    if (!isFields(payload)) throw wrong(path, "this is not a webhook payload", 'it should be an object with "alerts"');
    if (payload.version !== undefined && String(payload.version) !== WEBHOOK_VERSION)
      throw wrong(
        [...path, "version"],
        `webhook version ${quoted(payload.version)} is not known`,
        `send version "${WEBHOOK_VERSION}"`,
      );
    const alerts = payload.alerts;
    if (!Array.isArray(alerts)) {
      const place = "alerts" in payload ? [...path, "alerts"] : path;
      throw wrong(
        place,
        'a list of "alerts" is missing',
        "choose an Alertmanager webhook payload or a Prometheus /api/v1/alerts answer",
      );
    }
    this.payloads++;
    this.groupKeys.add(typeof payload.groupKey === "string" ? payload.groupKey : "");
    this.truncatedAlerts += count(payload.truncatedAlerts, [...path, "truncatedAlerts"]);
    for (const [index, alert] of alerts.entries()) this.webhookAlert(alert, [...path, "alerts", index]);
  }

  prometheus(answer: Fields): void {
    if (answer.status === "error") throw refusedAnswer(answer);
    const data = answer.data;
    const alerts = isFields(data) ? data.alerts : undefined;
    if (!Array.isArray(alerts))
      throw wrong(
        ["data", "alerts"],
        "a list of alerts is missing",
        "ask Prometheus for /api/v1/alerts and save the whole answer",
      );
    this.kind = "prometheus-alerts";
    this.payloads = 1;
    for (const [index, alert] of alerts.entries()) this.prometheusAlert(alert, ["data", "alerts", index]);
  }

  reading(): Reading {
    const { kind, payloads, groupKeys, truncatedAlerts, sightings, cuts } = this;
    if (sightings.length === 0)
      throw new ScenarioError(
        "The file is valid but holds no alert; choose one that was saved while alerts were firing.",
      );
    return { kind, payloads, groupKeys, truncatedAlerts, sightings, cuts };
  }

  private webhookAlert(alert: unknown, path: Path): void {
    const fields = this.alertFields(alert, path);
    const from = time(fields.startsAt, [...path, "startsAt"]);
    const end = optionalTime(fields.endsAt, [...path, "endsAt"]);
    const { status } = fields;
    if (status !== "firing" && status !== "resolved" && status !== undefined)
      throw wrong([...path, "status"], `status ${quoted(status)} is not known`, 'write "firing" or "resolved"');
    const resolved = status === "resolved" || (status === undefined && end !== null);
    this.add(fields, path, {
      from,
      // The end of a firing alert is when it would be given up, not when it ended.
      to: resolved && end !== null ? Math.max(end, from) : null,
      endUnknown: resolved && (end === null || end < from),
      pending: false,
      value: null,
    });
  }

  private prometheusAlert(alert: unknown, path: Path): void {
    const fields = this.alertFields(alert, path);
    const { state } = fields;
    if (state !== "firing" && state !== "pending")
      throw wrong([...path, "state"], `state ${quoted(state)} is not known`, 'write "firing" or "pending"');
    this.add(fields, path, {
      from: time(fields.activeAt, [...path, "activeAt"]),
      to: null,
      endUnknown: false,
      pending: state === "pending",
      value: numberFrom(fields.value, [...path, "value"]),
    });
    const name = isFields(fields.labels) && typeof fields.labels.alertname === "string" ? fields.labels.alertname : "";
    this.groupKeys.add(name);
  }

  private alertFields(alert: unknown, path: Path): Fields {
    if (!isFields(alert))
      throw wrong(path, "this is not an alert", "it should be an object with labels and a start time");
    if (this.sightings.length >= MAX_ALERTS)
      throw wrong(path, `the file holds more than ${MAX_ALERTS} alerts`, "split it into smaller ones");
    return alert;
  }

  private add(fields: Fields, path: Path, rest: Omit<Sighting, "labels" | "annotations">): void {
    const annotations = pairsOf(fields.annotations, [...path, "annotations"]).map(([name, value]) => {
      const kept = bounded(value, MAX_ANNOTATION);
      if (kept.cut) this.cuts++;
      return [name, kept.text] as const;
    });
    const labels = sortedPairs(pairsOf(fields.labels, [...path, "labels"]));
    this.sightings.push({ labels, annotations: sortedPairs(annotations), ...rest });
  }
}

function pairsOf(value: unknown, path: Path): Pairs {
  if (value === undefined || value === null) return [];
  if (!isFields(value))
    throw wrong(path, "this is not an object of names and texts", 'write it like {"service": "checkout"}');
  return Object.entries(value).map(([name, text]) => {
    if (typeof text !== "string") throw wrong([...path, name], "this is not text", "put it in double quotes");
    return [name, text] as const;
  });
}

function time(value: unknown, path: Path): number {
  const found = optionalTime(value, path);
  if (found !== null) return found;
  throw wrong(path, "the start time is missing", `write it like ${TIME_EXAMPLE}`);
}

/** Null when it is missing, empty or in the years before 1970, which stand for "not set". */
function optionalTime(value: unknown, path: Path): number | null {
  if (value === undefined || value === null || value === "") return null;
  const found = typeof value === "string" ? parseTime(value) : null;
  if (found === null) throw wrong(path, `${quoted(value)} is not a time`, `write it like ${TIME_EXAMPLE}`);
  return found < NEVER_BEFORE ? null : found;
}

/** Prometheus writes values as text, `9.132e+00`; NaN and infinities count as no value. */
function numberFrom(value: unknown, path: Path): number | null {
  if (value === undefined || value === null || value === "") return null;
  if (typeof value === "number") return value;
  const text = typeof value === "string" ? value : "";
  if (/^[+-]?(?:NaN|Inf(?:inity)?)$/i.test(text)) return null;
  if (!/^[+-]?(?:\d{1,400}\.?\d{0,400}|\.\d{1,400})(?:[eE][+-]?\d{1,5})?$/.test(text))
    throw wrong(path, `${quoted(value)} is not a number`, 'write it like "9.132e+00"');
  const number = Number(text);
  return Number.isFinite(number) ? number : null;
}

function count(value: unknown, path: Path): number {
  if (value === undefined || value === null) return 0;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  throw wrong(path, `${quoted(value)} is not a count`, "write a whole number");
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refusedAnswer(answer: Fields): ScenarioError {
  const says = typeof answer.error === "string" ? ` (${quoted(answer.error)})` : "";
  return new ScenarioError(
    `The file holds an error answer of Prometheus${says}, not alerts; ask it again and save the new answer.`,
  );
}

function wrong(path: Path, what: string, fix: string): ScenarioError {
  const place = path.length === 0 ? "the top level" : quotedPointer(path);
  return new ScenarioError(`The alerts file is not valid at ${place}: ${what}; ${fix}.`);
}

/** A pointer through long names keeps its beginning and its end. */
function quotedPointer(path: Path): string {
  const text = pointer(path).replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, "�");
  return text.length > 160 ? `${text.slice(0, 120)}…${text.slice(-30)}` : text;
}
