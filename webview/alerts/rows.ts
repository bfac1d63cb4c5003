/** The queue as rows: filtered, grouped and sorted. Pure, so that 5,000 alerts can be tested without a browser. */
import type { AlertRow, AlertsObservation, Handling, PublishedView } from "../../src/worlds/alerts/observation";

/** One alert as the table shows it. What is null has not been read, or is not known. */
export interface QueueRow {
  readonly id: string;
  readonly name: string;
  readonly service: string;
  readonly since: number;
  readonly state: AlertRow["state"];
  readonly handling: Handling | "suppressed";
  readonly group: string | null;
  /** False until the alert has been inspected. */
  readonly read: boolean;
  readonly severity: string | null;
  readonly team: string | null;
  readonly value: number | null;
  readonly threshold: number | null;
  readonly comparison: ">" | "<";
  readonly unit: string;
  /** Name, service and everything read, in lower case, for the filter. */
  readonly haystack: string;
}

export const GROUPINGS = ["none", "service", "name", "state", "handling", "incident", "team"] as const;
export type Grouping = (typeof GROUPINGS)[number];
export const SORTINGS = ["oldest", "newest", "name", "service", "state", "severity", "value"] as const;

/** A line of the table: a heading of a group, or an alert. */
export type Line =
  | {
      readonly kind: "heading";
      readonly key: string;
      readonly label: string;
      readonly rows: readonly QueueRow[];
      readonly open: boolean;
    }
  | { readonly kind: "alert"; readonly row: QueueRow };

/** A line's name: an alert's id, or `#` and the key of a group. */
export function keyOf(line: Line): string {
  return line.kind === "heading" ? `#${line.key}` : line.row.id;
}

export function queueRows(observation: AlertsObservation): readonly QueueRow[] {
  return observation.published ? publishedRows(observation.published, observation) : observation.alerts.map(rowOf);
}

const ROWS = new WeakMap<AlertRow, QueueRow>();

function rowOf(alert: AlertRow): QueueRow {
  const cached = ROWS.get(alert);
  if (cached) return cached;
  const { known } = alert;
  const labels = known ? known.labels.map(([k, v]) => `${k}=${v}`).join(" ") : "";
  const row: QueueRow = {
    id: alert.id,
    name: alert.name,
    service: alert.service,
    since: alert.since,
    state: alert.state,
    handling: alert.handling,
    group: alert.group,
    read: known !== null,
    severity: known?.severity ?? null,
    team: known?.team ?? null,
    value: known?.value ?? null,
    threshold: known?.threshold ?? null,
    comparison: known?.comparison ?? ">",
    unit: known?.unit ?? "",
    haystack: [
      alert.id,
      alert.name,
      alert.service,
      alert.state,
      alert.handling,
      alert.group ?? "no-incident",
      known ? `read ${known.severity} ${known.team ?? ""} ${known.metric}` : "unread",
      labels.slice(0, 4000),
    ]
      .join("\n")
      .toLowerCase(),
  };
  ROWS.set(alert, row);
  return row;
}

function publishedRows(view: PublishedView, observation: AlertsObservation): readonly QueueRow[] {
  const suppressed = new Set(view.triage?.suppressed ?? []);
  const listed = new Map(observation.alerts.map((alert) => [alert.id, alert]));
  return view.alerts.map((alert) => {
    const row = listed.get(alert.alert_id);
    const team = Object.hasOwn(view.servicesMap, alert.service) ? (view.servicesMap[alert.service] ?? null) : null;
    return {
      id: alert.alert_id,
      name: alert.metric,
      service: alert.service,
      since: row?.since ?? observation.minute - alert.duration_s / 60,
      state: "firing",
      handling: suppressed.has(alert.alert_id) ? "suppressed" : "none",
      group: null,
      read: true,
      severity: null,
      team,
      value: alert.value,
      threshold: alert.threshold,
      comparison: row?.known?.comparison ?? ">",
      unit: row?.known?.unit ?? "",
      haystack: [alert.alert_id, alert.metric, alert.service, team ?? ""].join("\n").toLowerCase(),
    };
  });
}

export interface Arrangement {
  readonly filter: string;
  readonly groupBy: string;
  readonly sortBy: string;
  readonly collapsed: ReadonlySet<string>;
}

/** The table's lines. Words of the filter must all occur; a word that begins with `-` must not. */
export function arrange(
  rows: readonly QueueRow[],
  how: Arrangement,
): { readonly lines: readonly Line[]; readonly shown: number } {
  const kept = filtered(rows, how.filter);
  const sorted = [...kept].sort(orderOf(how.sortBy));
  if (how.groupBy === "none" || !(GROUPINGS as readonly string[]).includes(how.groupBy))
    return { lines: sorted.map((row) => ({ kind: "alert", row })), shown: kept.length };
  const groups = new Map<string, QueueRow[]>();
  for (const row of sorted) {
    const label = labelOf(row, how.groupBy as Grouping);
    const list = groups.get(label);
    if (list) list.push(row);
    else groups.set(label, [row]);
  }
  const lines: Line[] = [];
  for (const [label, members] of groups) {
    const key = `${how.groupBy}:${label}`;
    const open = !how.collapsed.has(key);
    lines.push({ kind: "heading", key, label, rows: members, open });
    if (open) for (const row of members) lines.push({ kind: "alert", row });
  }
  return { lines, shown: kept.length };
}

function filtered(rows: readonly QueueRow[], filter: string): readonly QueueRow[] {
  const words = filter
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  if (words.length === 0) return rows;
  const wanted = words.filter((word) => !word.startsWith("-"));
  const refused = words.filter((word) => word.length > 1 && word.startsWith("-")).map((word) => word.slice(1));
  return rows.filter(
    (row) =>
      wanted.every((word) => row.haystack.includes(word)) && !refused.some((word) => row.haystack.includes(word)),
  );
}

/** The label a grouping gives an alert. */
export function labelOf(row: QueueRow, grouping: Grouping): string {
  switch (grouping) {
    case "service":
      return row.service;
    case "name":
      return row.name;
    case "state":
      return row.state;
    case "handling":
      return row.handling === "none" ? "not handled" : row.handling;
    case "incident":
      return row.group ?? "no incident yet";
    case "team":
      return row.team ?? (row.read ? "owner unknown" : "owner not looked at");
    case "none":
      return "";
  }
}

const STATE_ORDER = ["firing", "flapping", "resolved"];
const SEVERITY_ORDER = ["critical", "page", "error", "warning", "info", "none"];

type Order = (a: QueueRow, b: QueueRow) => number;

/** Every order ends with the id, so that equal alerts keep their places whatever else changes. */
function orderOf(sorting: string): Order {
  const first = firstOrder(sorting);
  return (a, b) => first(a, b) || compare(a.id, b.id);
}

function firstOrder(sorting: string): Order {
  switch (sorting) {
    case "newest":
      return (a, b) => b.since - a.since;
    case "name":
      return (a, b) => compare(a.name, b.name);
    case "service":
      return (a, b) => compare(a.service, b.service) || a.since - b.since;
    case "state":
      return (a, b) => STATE_ORDER.indexOf(a.state) - STATE_ORDER.indexOf(b.state) || a.since - b.since;
    case "severity":
      return (a, b) => severityRank(a) - severityRank(b) || a.since - b.since;
    case "value":
      return (a, b) => excess(b) - excess(a);
    default:
      return (a, b) => a.since - b.since;
  }
}

function severityRank(row: QueueRow): number {
  const rank = row.severity === null ? -1 : SEVERITY_ORDER.indexOf(row.severity);
  return rank < 0 ? SEVERITY_ORDER.length : rank;
}

/** How far a value is beyond its threshold: 1 at the threshold, more beyond it; unread alerts come last. */
export function excess(row: QueueRow): number {
  if (row.value === null || row.threshold === null) return -1;
  if (row.comparison === ">") return row.threshold > 0 ? row.value / row.threshold : row.value > row.threshold ? 2 : 0;
  return row.value > 0 ? row.threshold / row.value : row.threshold > 0 ? 2 : 0;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** What a group's heading says about its members, e.g. `4 firing, 14 flapping`. */
export function tally(rows: readonly QueueRow[]): string {
  const counts = new Map<string, number>();
  let unread = 0;
  for (const row of rows) {
    counts.set(row.state, (counts.get(row.state) ?? 0) + 1);
    if (row.handling !== "none") counts.set(row.handling, (counts.get(row.handling) ?? 0) + 1);
    if (!row.read) unread++;
  }
  const parts = [...counts].map(([word, count]) => `${count} ${word}`);
  if (unread > 0) parts.push(unread === rows.length ? "none looked at" : `${unread} not looked at`);
  return parts.join(", ");
}
