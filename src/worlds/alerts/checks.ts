/**
 * Checks on arguments against the queue, and the sentences that say what is wrong and what there is instead. They change
 * nothing.
 */
import type { Problem } from "../../core/action";
import { type Matcher, MatcherError, parseMatchers } from "./matchers";
import type { AlertQueue } from "./queue";

export function refuse(field: string, message: string): Problem {
  return { code: "invalid_arguments", message, ...(field ? { field } : {}) };
}

export function rowsOf(queue: AlertQueue, ids: readonly string[]): number[] | Problem {
  const rows: number[] = [];
  const unknown: string[] = [];
  for (const id of ids) {
    const row = queue.listed(id);
    if (row === undefined) unknown.push(id);
    else if (!rows.includes(row)) rows.push(row);
  }
  return unknown.length > 0 ? unknownAlerts(queue, "alerts", unknown) : rows;
}

export function idsOf(queue: AlertQueue, rows: readonly number[]): string[] {
  return rows.map((row) => queue.row(row).id);
}

export function unknownAlerts(queue: AlertQueue, field: string, ids: readonly string[]): Problem {
  const [first, last] = [queue.rows[0], queue.rows[queue.rows.length - 1]];
  const range = first && last ? `The queue lists ${first.id} to ${last.id}.` : "The queue is empty.";
  return refuse(field, `No alert ${listed(ids.map((id) => `"${id}"`))} is in the queue. ${range}`);
}

export function unknownService(queue: AlertQueue, name: string, field = "service"): Problem | null {
  if (queue.prepared.graph.has(name)) return null;
  return refuse(field, `There is no service "${name}". There are: ${listed(queue.prepared.serviceNames)}.`);
}

export function unknownTeam(queue: AlertQueue, team: string): Problem | null {
  if (queue.prepared.teams.includes(team)) return null;
  return refuse("team", `There is no team "${team}". There are: ${listed(queue.prepared.teams)}.`);
}

export function knownGroup(queue: AlertQueue, id: string): Problem | null {
  return queue.group(id) ? null : unknownGroup(queue, id);
}

export function unknownGroup(queue: AlertQueue, id: string): Problem {
  const ids = queue.groups.map((group) => group.id);
  const what = ids.length === 0 ? "Group alerts first." : `There are: ${listed(ids)}.`;
  return refuse("group", `There is no group "${id}". ${what}`);
}

export function unread(queue: AlertQueue, evidence: readonly string[]): Problem | null {
  const ids = new Set(queue.items.map((item) => item.id));
  const unknown = evidence.filter((id) => !ids.has(id));
  if (unknown.length === 0) return null;
  const what = ids.size === 0 ? "Nothing has been read yet." : `Read so far: ${listed([...ids])}.`;
  return refuse("evidence", `No read has the id ${listed(unknown.map((id) => `"${id}"`))}. ${what}`);
}

export function readMatchers(texts: readonly string[]): Matcher[] | Problem {
  try {
    return [...parseMatchers(texts)];
  } catch (error) {
    if (error instanceof MatcherError) return refuse("matchers", error.message);
    throw error;
  }
}

export function textsOf(matchers: readonly Matcher[]): string[] {
  return matchers.map((matcher) => matcher.text);
}

export function matchesNone(queue: AlertQueue, matchers: readonly Matcher[]): Problem {
  const text = textsOf(matchers).join(", ");
  return refuse("matchers", `${text} matches none of the ${count(queue.rows.length, "listed alert")}.`);
}

// --- words ---

/** The most names a message lists. */
const MOST_LISTED = 24;

export function listed(names: readonly string[]): string {
  if (names.length <= MOST_LISTED) return names.join(", ");
  return `${names.slice(0, MOST_LISTED).join(", ")} and ${names.length - MOST_LISTED} more`;
}

export function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? "" : "s"}`;
}
