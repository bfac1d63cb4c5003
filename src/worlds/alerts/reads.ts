/**
 * What the reads display. A read is bounded and says what it cut; the same read at the same minute gives the same content,
 * whatever was read before.
 */
import { clockMinutes } from "../../core/clock";
import { round } from "../../core/math";
import type { ChangeEvent, DrawnAlert, HistorySeries } from "./draw";
import type { EvidenceItem, GraphService, KnownAlert } from "./observation";
import { type PreparedDraw, remembered } from "./prepared-draw";

/** The most a single read displays: an hour at a point a minute, both ends included. */
export const READ_LIMITS = { points: 61, series: 6, changes: 40, services: 60, labels: 40 } as const;

type Content<T> = T extends EvidenceItem ? Omit<T, "id"> : never;
/** An item before it has an id, and the sentence that tells of it. */
export interface Displayed {
  readonly content: Content<EvidenceItem>;
  readonly text: string;
}

/** First letter of an item's id by its kind; `e` for the graph, since groups are `g1`, `g2` … */
export const ITEM_LETTER: Readonly<Record<EvidenceItem["kind"], string>> = {
  alert: "i",
  history: "h",
  graph: "e",
  changes: "c",
  impact: "y",
};

export function withId({ content }: Displayed, id: string): EvidenceItem {
  return { id, ...content } as EvidenceItem;
}

// --- inspect_alert ---

export function readAlert(p: PreparedDraw, row: number, minute: number): Displayed {
  return remembered(p, `alert ${row} ${minute}`, () => {
    const alert = p.alerts[row] as DrawnAlert;
    const value = alert.valueAt(minute);
    const content = { kind: "alert", minute, alert: alert.id, value } as const;
    const { comparison, threshold, unit, forMinutes, severity, metric } = alert.rule;
    const limit = threshold === null ? "" : `, threshold ${comparison} ${shown(threshold, unit)}`;
    const held = forMinutes > 0 ? ` for ${forMinutes} min` : "";
    const text = `${alert.id} ${alert.name} on ${alert.service}: ${metric} is ${shown(value, unit)}${limit}${held}, rule severity ${severity}, ${firings(alert, minute)}.`;
    return { content, text };
  });
}

/** What a row shows of an alert from then on. */
export function knownAlert(p: PreparedDraw, row: number, minute: number, item: string): KnownAlert {
  const alert = p.alerts[row] as DrawnAlert;
  const { rule } = alert;
  return {
    item,
    readAt: minute,
    severity: rule.severity,
    metric: rule.metric,
    comparison: rule.comparison,
    value: alert.valueAt(minute),
    threshold: rule.threshold,
    unit: rule.unit,
    forMinutes: rule.forMinutes,
    keepFiringMinutes: rule.keepFiringMinutes,
    labels: alert.labels,
    annotations: alert.annotations,
    fingerprint: alert.fingerprint,
    team: p.labels[row]?.get("team") || (p.graph.get(alert.service)?.team ?? null),
    firings: firingsUntil(alert, minute),
  };
}

function firingsUntil(alert: DrawnAlert, minute: number): number {
  let count = 0;
  for (const { from } of alert.spans) if (from <= minute) count++;
  return count;
}

function firings(alert: DrawnAlert, minute: number): string {
  const count = firingsUntil(alert, minute);
  return count === 1 ? "fired once" : `fired ${count} times`;
}

// --- query_history ---

export function readHistory(
  p: PreparedDraw,
  service: string,
  metric: string,
  minutes: number,
  minute: number,
): Displayed {
  return remembered(p, `history ${minute} ${minutes} ${metric.length} ${metric} ${service}`, () => {
    const from = Math.max(minute - minutes, p.draw.fromMinute);
    const all = p.draw.history(service, metric, from, minute, READ_LIMITS.points);
    const series = all.slice(0, READ_LIMITS.series);
    const cut = cutText([
      all.length > series.length && `${all.length - series.length} more series`,
      from > minute - minutes && `nothing is kept from before ${clockMinutes(p.draw.startOfDay + from)}`,
    ]);
    const content = { kind: "history", minute, service, metric, series, cut } as const;
    const lines = series.map((one) => seriesText(one));
    return {
      content,
      text: `${metric} of ${service}, last ${minute - from} min: ${lines.join("; ")}.${inBrackets(cut)}`,
    };
  });
}

/** A series in words: first, last, lowest and highest measured value, and missing scrapes. */
export function seriesText({ values, unit, facet }: HistorySeries): string {
  let first: number | null = null;
  let last: number | null = null;
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  let gaps = 0;
  for (const value of values) {
    if (value === null) {
      gaps++;
      continue;
    }
    if (first === null) first = value;
    last = value;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const name = facet ? `${facet} ` : "";
  if (first === null) return `${name}no measured point`;
  const missing = gaps > 0 ? `, ${gaps} points missing` : "";
  return `${name}${shown(first, "")} to ${shown(last, unit)} (lowest ${shown(low, "")}, highest ${shown(high, "")}${missing})`;
}

// --- service_graph ---

export function readGraph(p: PreparedDraw, service: string | undefined, minute: number): Displayed {
  return remembered(p, `graph ${minute} ${service ?? ""}`, () => {
    const all = service === undefined ? [...p.graph.values()] : neighbourhood(p, service);
    const services = all.slice(0, READ_LIMITS.services);
    const cut = all.length > services.length ? `${all.length - services.length} more services` : null;
    const content = { kind: "graph", minute, service: service ?? null, services, cut } as const;
    const what = service === undefined ? `${all.length} services` : `${service} and its neighbours`;
    return { content, text: `The graph of ${what}.${inBrackets(cut)}` };
  });
}

function neighbourhood(p: PreparedDraw, name: string): GraphService[] {
  const centre = p.graph.get(name);
  if (!centre) return [];
  const around = new Set([...centre.dependsOn, ...centre.usedBy]);
  around.delete(name);
  return [centre, ...[...around].flatMap((other) => p.graph.get(other) ?? [])];
}

// --- recent_changes ---

export function readChanges(p: PreparedDraw, service: string | undefined, minutes: number, minute: number): Displayed {
  return remembered(p, `changes ${minute} ${minutes} ${service ?? ""}`, () => {
    const from = minute - minutes;
    const all = p.draw.changes.filter((c) => isIn(c, from, minute) && (service === undefined || c.service === service));
    all.sort((a, b) => a.minute - b.minute);
    const events = all.slice(-READ_LIMITS.changes);
    const cut = all.length > events.length ? `${all.length - events.length} older changes` : null;
    const content = { kind: "changes", minute, service: service ?? null, from, events, cut } as const;
    const where = service === undefined ? "all services" : service;
    const found =
      events.length === 0
        ? "none"
        : events
            .map((c) => `${clockMinutes(p.draw.startOfDay + c.minute)} ${c.service} ${c.kind}: ${c.text}`)
            .join("; ");
    return { content, text: `Changes of ${where} in the last ${minutes} min: ${found}.${inBrackets(cut)}` };
  });
}

function isIn(change: ChangeEvent, from: number, to: number): boolean {
  return change.minute >= from && change.minute <= to;
}

// --- impact ---

export function readImpact(p: PreparedDraw, service: string, minute: number): Displayed {
  return remembered(p, `impact ${minute} ${service}`, () => {
    const reading = p.draw.impact(service, minute);
    const who = `${service} (${reading.revenue ? "takes money" : reading.customerFacing ? "users reach it" : "no user reaches it directly"})`;
    const since =
      reading.since === null
        ? "objective met"
        : `objective missed since ${clockMinutes(p.draw.startOfDay + reading.since)}`;
    const text =
      reading.failing === null
        ? `${who}: user requests are not measured.`
        : `${who}: ${share(reading.failing)} of user requests fail or are too slow now, ${share(reading.worst)} at worst in the last 30 min; ${since}.`;
    return { content: { kind: "impact", minute, reading } as const, text };
  });
}

// --- words ---

function share(part: number | null): string {
  return part === null ? "?" : `${round(part * 100, 2)} %`;
}

/** A number for reading: at most four significant places, its unit behind it. */
export function shown(value: number | null, unit: string): string {
  if (value === null) return "not measured";
  const size = Math.abs(value);
  const digits = size >= 1000 ? 0 : size >= 100 ? 1 : size >= 1 ? 2 : 4;
  return unit ? `${round(value, digits)} ${unit}` : `${round(value, digits)}`;
}

function cutText(parts: readonly (string | false)[]): string | null {
  const said = parts.filter((part) => part !== false);
  return said.length === 0 ? null : said.join("; ");
}

function inBrackets(cut: string | null): string {
  return cut === null ? "" : ` (Not shown: ${cut}.)`;
}
