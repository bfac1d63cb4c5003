/**
 * What each action does. A verb first checks its arguments against the queue, while nothing has moved; only then the clock
 * moves and the act it returned is carried out. So a refused action costs nothing.
 */
import type { Problem } from "../../core/action";
import { clockMinutes } from "../../core/clock";
import {
  count,
  idsOf,
  knownGroup,
  listed,
  matchesNone,
  readMatchers,
  refuse,
  rowsOf,
  textsOf,
  unknownAlerts,
  unknownGroup,
  unknownService,
  unknownTeam,
  unread,
} from "./checks";
import type { Disposition } from "./dispositions";
import type { Severity } from "./draw";
import { equalMatcher, matchesEverything } from "./matchers";
import type { Mechanism } from "./mechanisms";
import type { AlertGroup, Silence } from "./observation";
import type { AlertQueue } from "./queue";
import { type Displayed, readAlert, readChanges, readGraph, readHistory, readImpact } from "./reads";

/** What came of an act. */
export interface Done {
  /** Id that a claim may cite; null when nothing was read. */
  readonly item: string | null;
  readonly text: string;
  /** Alerts it concerned: of the group at that time, or covered by a mute. */
  readonly alerts: readonly string[];
  readonly ends?: Ending;
}

export type Ending = { readonly how: "closed"; readonly disposition: Disposition } | { readonly how: "gave_up" };

/** Carried out once the clock has moved. */
export type Act = () => Done;

type Args = Readonly<Record<string, unknown>>;
type Verb = (queue: AlertQueue, args: Args) => Act | Problem;

/** Checks an action whose form is valid and returns the act, or why it cannot be carried out. */
export function planAct(queue: AlertQueue, name: string, args: Args): Act | Problem {
  const verb = VERBS[name];
  return verb ? verb(queue, args) : refuse("", `There is no action "${name}".`);
}

const VERBS: Readonly<Record<string, Verb>> = {
  inspect_alert: inspectAlert,
  query_history: queryHistory,
  service_graph: serviceGraph,
  recent_changes: recentChanges,
  impact,
  acknowledge,
  group: groupAlerts,
  ungroup,
  silence,
  snooze,
  maintenance,
  expire_silence: expireSilence,
  route,
  declare_cause: declareCause,
  escalate,
  wait: (queue) => () => done(`It is ${clock(queue)}.`),
  close_triage: (_queue, args) => () => {
    const disposition = args.disposition as Disposition;
    return { ...done(`Triage closed: ${disposition}.`), ends: { how: "closed", disposition } };
  },
  give_up: () => () => ({ ...done("Given up."), ends: { how: "gave_up" } }),
};

// --- reads ---

function inspectAlert(queue: AlertQueue, args: Args): Act | Problem {
  const id = args.alert as string;
  const row = queue.listed(id);
  if (row === undefined) return unknownAlerts(queue, "alert", [id]);
  return () => {
    const shown = display(queue, readAlert(queue.prepared, row, queue.minute), [id]);
    queue.learn(row, shown.item as string);
    return shown;
  };
}

function queryHistory(queue: AlertQueue, args: Args): Act | Problem {
  const { service, metric, minutes } = args as { service: string; metric: string; minutes: number };
  const missing = unknownService(queue, service);
  if (missing) return missing;
  const metrics = queue.prepared.graph.get(service)?.metrics ?? [];
  if (!metrics.includes(metric)) {
    const what = metrics.length === 0 ? "No metric of it was recorded." : `It has: ${listed(metrics)}.`;
    return refuse("metric", `${service} has no metric "${metric}". ${what}`);
  }
  return () => display(queue, readHistory(queue.prepared, service, metric, minutes, queue.minute));
}

function serviceGraph(queue: AlertQueue, args: Args): Act | Problem {
  const service = args.service as string | undefined;
  const missing = service === undefined ? null : unknownService(queue, service);
  return missing ?? (() => display(queue, readGraph(queue.prepared, service, queue.minute)));
}

function recentChanges(queue: AlertQueue, args: Args): Act | Problem {
  const { service, minutes } = args as { service?: string; minutes: number };
  const missing = service === undefined ? null : unknownService(queue, service);
  return missing ?? (() => display(queue, readChanges(queue.prepared, service, minutes, queue.minute)));
}

function impact(queue: AlertQueue, args: Args): Act | Problem {
  const service = args.service as string;
  return unknownService(queue, service) ?? (() => display(queue, readImpact(queue.prepared, service, queue.minute)));
}

function display(queue: AlertQueue, displayed: Displayed, alerts: readonly string[] = []): Done {
  return { item: queue.display(displayed), text: displayed.text, alerts };
}

// --- handling alerts ---

function acknowledge(queue: AlertQueue, args: Args): Act | Problem {
  const rows = rowsOf(queue, args.alerts as readonly string[]);
  if (!Array.isArray(rows)) return rows;
  return () => {
    queue.acknowledge(rows);
    return done(`${count(rows.length, "alert")} acknowledged.`, idsOf(queue, rows));
  };
}

function silence(queue: AlertQueue, args: Args): Act | Problem {
  const { minutes, reason } = args as { minutes: number; reason: string };
  const matchers = readMatchers(args.matchers as readonly string[]);
  if (!Array.isArray(matchers)) return matchers;
  if (matchesEverything(matchers))
    return refuse("matchers", "These matchers hold for alerts without any label too; name at least one label value.");
  const rows = queue.matching(matchers);
  if (!rows.some((row) => row < queue.rows.length)) return matchesNone(queue, matchers);
  return () => muted(queue, queue.mute("silence", rows, textsOf(matchers), minutes, reason), rows);
}

function snooze(queue: AlertQueue, args: Args): Act | Problem {
  const rows = rowsOf(queue, args.alerts as readonly string[]);
  if (!Array.isArray(rows)) return rows;
  const matchers = idsOf(queue, rows).map((id) => equalMatcher("alert", id).text);
  return () => muted(queue, queue.mute("snooze", rows, matchers, args.minutes as number, ""), rows);
}

function maintenance(queue: AlertQueue, args: Args): Act | Problem {
  const { service, minutes, reason } = args as { service: string; minutes: number; reason: string };
  const missing = unknownService(queue, service);
  if (missing) return missing;
  const matchers = [equalMatcher("service", service)];
  const rows = queue.matching(matchers);
  return () => muted(queue, queue.mute("maintenance", rows, textsOf(matchers), minutes, reason), rows);
}

function muted(queue: AlertQueue, view: Silence, rows: readonly number[]): Done {
  const until = clockMinutes(queue.prepared.draw.startOfDay + view.expiresAt);
  const what = { silence: "Silence", snooze: "Snooze", maintenance: "Maintenance window" }[view.kind];
  const ids = rows.map((row) => queue.prepared.alerts[row]?.id ?? "");
  return done(`${what} ${view.id} mutes ${count(view.hits, "listed alert")} until ${until}.`, ids);
}

function expireSilence(queue: AlertQueue, args: Args): Act | Problem {
  const id = args.silence as string;
  if (!queue.activeMute(id)) {
    const active = queue.mutes.filter((mute) => !mute.ended).map((mute) => mute.id);
    const what = active.length === 0 ? "None is active." : `Active: ${listed(active)}.`;
    return refuse("silence", `No silence, snooze or window "${id}" is active. ${what}`);
  }
  return () => {
    // It may have run out in the minute this takes.
    const mute = queue.activeMute(id);
    if (mute) queue.endMute(mute);
    return done(`${id} has ended; its alerts are heard again.`);
  };
}

// --- incidents ---

function groupAlerts(queue: AlertQueue, args: Args): Act | Problem {
  const into = args.group as string | undefined;
  if (into !== undefined && !queue.group(into)) return unknownGroup(queue, into);
  const named = rowsOf(queue, args.alerts as readonly string[]);
  if (!Array.isArray(named)) return named;
  const texts = args.matchers as readonly string[];
  const rows = new Set<number>(named);
  if (texts.length > 0) {
    const matchers = readMatchers(texts);
    if (!Array.isArray(matchers)) return matchers;
    const hits = queue.matching(matchers).filter((row) => row < queue.rows.length);
    if (hits.length === 0) return matchesNone(queue, matchers);
    for (const row of hits) rows.add(row);
  }
  if (rows.size === 0) return refuse("alerts", "Name the alerts to group, by id or by matchers.");
  const sorted = [...rows].sort((a, b) => a - b);
  return () => {
    const id = queue.putInGroup(sorted, into);
    const held = queue.group(id)?.alerts.length ?? 0;
    return done(`${count(sorted.length, "alert")} put into ${id}, which holds ${held}.`, idsOf(queue, sorted));
  };
}

function ungroup(queue: AlertQueue, args: Args): Act | Problem {
  const rows = rowsOf(queue, args.alerts as readonly string[]);
  if (!Array.isArray(rows)) return rows;
  if (!rows.some((row) => queue.row(row).group)) return refuse("alerts", "None of these alerts is in a group.");
  return () => {
    queue.takeOutOfGroups(rows);
    return done(`${count(rows.length, "alert")} taken out of groups.`, idsOf(queue, rows));
  };
}

function route(queue: AlertQueue, args: Args): Act | Problem {
  const { group, severity, team } = args as { group: string; severity: Severity; team: string };
  const refused = knownGroup(queue, group) ?? unknownTeam(queue, team);
  if (refused) return refused;
  return () => {
    queue.changeGroup(group, { route: { severity, team, minute: queue.minute } });
    return done(`${group} is routed to ${team} as ${severity}.`, queue.group(group)?.alerts);
  };
}

function declareCause(queue: AlertQueue, args: Args): Act | Problem {
  const { group, component, mechanism, summary, confidence, evidence } = args as {
    group: string;
    component: string;
    mechanism: Mechanism;
  } & Pick<NonNullable<AlertGroup["cause"]>, "summary" | "confidence" | "evidence">;
  const refused = knownGroup(queue, group) ?? unknownService(queue, component, "component") ?? unread(queue, evidence);
  if (refused) return refused;
  return () => {
    const cause = { component, mechanism, summary, confidence, evidence, minute: queue.minute };
    queue.changeGroup(group, { cause });
    return done(`Cause of ${group}: ${mechanism} in ${component}.`, queue.group(group)?.alerts);
  };
}

function escalate(queue: AlertQueue, args: Args): Act | Problem {
  const { group, team } = args as { group?: string; team: string };
  const refused = (group === undefined ? null : knownGroup(queue, group)) ?? unknownTeam(queue, team);
  if (refused) return refused;
  return () => {
    const groups = group === undefined ? queue.groups.map(({ id }) => id) : [group];
    for (const id of groups) queue.changeGroup(id, { escalated: true });
    const alerts = group === undefined ? queue.rows.map(({ id }) => id) : queue.group(group)?.alerts;
    return done(`${team} is called in${group === undefined ? "" : ` on ${group}`}.`, alerts);
  };
}

// --- words ---

function clock(queue: AlertQueue): string {
  return clockMinutes(queue.prepared.draw.startOfDay + queue.minute);
}

function done(text: string, alerts: readonly string[] = []): Done {
  return { item: null, text, alerts };
}
