/**
 * What a risky or final action would touch, from the player's own record: what it hits now and hit in the past, and what
 * has not been looked at. Never from the truth.
 */
import type { Action } from "../../core/action";
import { durationText } from "../../core/clock";
import type { Preview } from "../../core/world";
import type { Disposition } from "./dispositions";
import { equalMatcher, type Matcher, MatcherError, matchesAll, matchesEverything, parseMatchers } from "./matchers";
import type { AlertQueue } from "./queue";
import { DISPOSITION_WORDS } from "./words";

/** The most ids a line lists. */
const MOST_LISTED = 8;
const SNOOZES = "Snoozes";

/** Null when the action needs no preview. */
export function previewOf(queue: AlertQueue, action: Action): Preview | null {
  const { args } = action;
  switch (action.name) {
    case "silence":
      return silencePreview(queue, args.matchers as readonly string[], args.minutes as number);
    case "snooze":
      return mutePreview(queue, listedRows(queue, args.alerts as readonly string[]), SNOOZES, args.minutes as number);
    case "maintenance": {
      const rows = visible(queue, [equalMatcher("service", args.service as string)]);
      return mutePreview(queue, rows, `Declares ${args.service} under maintenance and mutes`, args.minutes as number);
    }
    case "route":
      return routePreview(queue, args as { group: string; severity: string; team: string });
    case "close_triage":
      return closePreview(queue, args.disposition as Disposition);
    default:
      return null;
  }
}

function silencePreview(queue: AlertQueue, texts: readonly string[], minutes: number): Preview {
  try {
    const matchers = parseMatchers(texts);
    if (!matchesEverything(matchers)) return mutePreview(queue, visible(queue, matchers), "Silences", minutes);
    return nothing("These matchers hold for alerts without any label too; name at least one label value.");
  } catch (error) {
    if (error instanceof MatcherError) return nothing(error.message);
    throw error;
  }
}

function mutePreview(queue: AlertQueue, rows: readonly number[], verb: string, minutes: number): Preview {
  if (rows.length === 0) return nothing("No listed alert matches.");
  let past = 0;
  let critical = 0;
  let firing = 0;
  for (const row of rows) {
    const alert = queue.prepared.alerts[row];
    for (const count of alert?.past ?? []) past += count;
    critical += alert?.pastCritical ?? 0;
    if (queue.row(row).state !== "resolved") firing++;
  }
  const ids = rows.map((row) => queue.row(row).id);
  const later = verb === SNOOZES ? "" : " and every later one that matches";
  return {
    summary: `${verb} ${rows.length} of ${queue.rows.length} listed alerts (${firing} firing)${later} for ${durationText(minutes)}.`,
    touches: [
      { label: "Would hit now", count: rows.length, detail: some(ids) },
      { label: "Last 30 days", count: past },
      { label: "Critical in the last 30 days", count: critical },
    ],
    reversible: true,
    unread: unreadAbout(queue, rows),
    dangerous: true,
  };
}

function routePreview(queue: AlertQueue, { group, severity, team }: { group: string; severity: string; team: string }) {
  const found = queue.group(group);
  if (!found) return nothing(`There is no group "${group}".`);
  const rows = listedRows(queue, found.alerts);
  const unread = unreadAbout(queue, rows);
  if (!found.cause) unread.push(`no cause is declared for ${group}`);
  const before = found.route ? ` It replaces ${found.route.severity} to ${found.route.team}.` : "";
  return {
    summary: `Hands ${group} with ${found.alerts.length} alerts to ${team} as ${severity}.${before}`,
    touches: [{ label: "Alerts", count: rows.length, detail: some(found.alerts) }],
    reversible: true,
    unread,
    dangerous: false,
  };
}

function closePreview(queue: AlertQueue, disposition: Disposition): Preview {
  const open = queue.rows.filter((row) => row.state !== "resolved" && row.handling === "none" && row.group === null);
  const unrouted = queue.groups.filter((group) => !group.route && !group.escalated);
  const firing = queue.rows.filter((row) => row.state !== "resolved");
  const never = queue.rows.flatMap((row, index) => (row.known ? [] : [index]));
  return {
    summary: `Ends the episode as “${DISPOSITION_WORDS[disposition]}”. This cannot be undone.`,
    touches: [
      { label: "Still firing", count: firing.length },
      { label: "Firing, not handled and in no group", count: open.length, detail: some(open.map(({ id }) => id)) },
      { label: "Groups routed", count: queue.groups.length - unrouted.length },
      {
        label: "Groups neither routed nor escalated",
        count: unrouted.length,
        detail: some(unrouted.map(({ id }) => id)),
      },
    ],
    reversible: false,
    unread:
      never.length > 0 ? [`${never.length} alerts not inspected: ${some(never.map((row) => queue.row(row).id))}`] : [],
    dangerous: true,
  };
}

/** What has not been looked at of these alerts: their details, the impact on their services. */
function unreadAbout(queue: AlertQueue, rows: readonly number[]): string[] {
  const unread: string[] = [];
  const closed = rows.filter((row) => queue.row(row).known === null).map((row) => queue.row(row).id);
  if (closed.length > 0) unread.push(`${closed.length} not inspected: ${some(closed)}`);
  const read = new Set(queue.items.flatMap((item) => (item.kind === "impact" ? [item.reading.service] : [])));
  const services = [...new Set(rows.map((row) => queue.row(row).service))].filter((service) => !read.has(service));
  if (services.length > 0) unread.push(`customer impact not looked at: ${some(services)}`);
  return unread;
}

function visible(queue: AlertQueue, matchers: readonly Matcher[]): number[] {
  const found: number[] = [];
  for (let row = 0; row < queue.rows.length; row++) {
    const labels = queue.prepared.labels[row];
    if (labels && matchesAll(matchers, labels)) found.push(row);
  }
  return found;
}

function listedRows(queue: AlertQueue, ids: readonly string[]): number[] {
  return [...new Set(ids)].flatMap((id) => queue.listed(id) ?? []);
}

function nothing(summary: string): Preview {
  return { summary, touches: [], reversible: true, unread: [], dangerous: false };
}

function some(ids: readonly string[]): string {
  if (ids.length <= MOST_LISTED) return ids.join(", ");
  return `${ids.slice(0, MOST_LISTED).join(", ")} and ${ids.length - MOST_LISTED} more`;
}
