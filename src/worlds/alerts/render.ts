/**
 * The observation as text, for models and terminals: everything it holds, bounded, with what was cut said. Names, labels and
 * annotations come from outside; they are put on one line and clipped, so that they cannot pass for the page's own words.
 */
import { clockMinutes } from "../../core/clock";
import { subjectOf } from "./choices";
import { equalMatcher } from "./matchers";
import type {
  AlertGroup,
  AlertRow,
  AlertsObservation,
  EvidenceItem,
  KnownAlert,
  PublishedView,
  Silence,
} from "./observation";
import { shown } from "./reads";

/** The most lines and characters of each part. */
export const RENDER_LIMITS = {
  alerts: 150,
  items: 40,
  silences: 20,
  groups: 40,
  points: 30,
  labels: 40,
  text: 200,
  result: 4000,
} as const;

export function renderObservation(seen: AlertsObservation): string {
  const start = startOfDay(seen);
  const parts = [
    head(seen),
    lastResult(seen, start),
    alertTable(seen, start),
    section("Groups", seen.groups.map(groupLine), RENDER_LIMITS.groups),
    section("Silences, snoozes and maintenance windows", silenceLines(seen, start), RENDER_LIMITS.silences),
    section(
      "Read so far, newest last",
      seen.items.map((item) => itemLine(item, start)),
      RENDER_LIMITS.items,
      "newest",
    ),
    seen.published ? publishedPart(seen.published) : "",
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function head(seen: AlertsObservation): string {
  const state = seen.done ? "The episode is over." : `Step ${seen.step} of ${seen.maxSteps} taken.`;
  return [
    `${seen.title} (${seen.scenario})`,
    seen.brief,
    `Clock ${seen.clock}, minute ${seen.minute} of ${seen.maxMinutes}. ${state}`,
    `Severity policy: ${seen.severityPolicy.join(" ")}`,
    `Teams: ${seen.teams.map(plain).join(", ")}`,
  ].join("\n");
}

function lastResult({ lastResult: result, items, alerts }: AlertsObservation, start: number): string {
  if (!result) return "";
  const head = `Result of ${result.action}${result.id ? ` [${result.id}]` : ""}: ${clip(oneLine(result.text), RENDER_LIMITS.result)}`;
  const item = result.id === null ? undefined : items.find((each) => each.id === result.id);
  if (!item) return head;
  const row = item.kind === "alert" ? alerts.find(({ id }) => id === item.alert) : undefined;
  return [head, ...(row?.known ? labelLines(row.known) : detailLines(item, start))].join("\n");
}

// --- alerts ---

function alertTable(seen: AlertsObservation, start: number): string {
  const { firing, flapping, resolved, quieted } = seen.counts;
  const title = `Alerts: ${seen.alerts.length} listed; ${firing} firing, ${flapping} flapping, ${resolved} resolved; ${quieted} muted.`;
  const lines = seen.alerts.map((row) => alertLine(row, start));
  const table = section(
    `${title}\nid | alert | service | since | state | handling | group | details`,
    lines,
    RENDER_LIMITS.alerts,
  );
  return table === "" ? title : table;
}

function alertLine(row: AlertRow, start: number): string {
  const known = row.known;
  const details = known
    ? `[${known.item}] ${plain(known.severity)}, ${plain(known.metric)} ${shown(known.value, known.unit)}${known.threshold === null ? "" : ` against ${known.comparison} ${shown(known.threshold, "")}`}`
    : "not looked at";
  const { id, name, service, since, state, handling, group } = row;
  return [id, plain(name), plain(service), clockMinutes(start + since), state, handling, group ?? "-", details].join(
    " | ",
  );
}

// --- the player's own record ---

function groupLine(group: AlertGroup): string {
  const route = group.route ? `${group.route.severity} to ${group.route.team}` : "not routed";
  const cause = group.cause
    ? `${group.cause.mechanism} in ${plain(group.cause.component)}, confidence ${group.cause.confidence}, citing ${group.cause.evidence.join(" ") || "nothing"}`
    : "no cause declared";
  const escalated = group.escalated ? "; escalated" : "";
  return `${group.id}: ${route}; ${cause}${escalated}; ${group.alerts.length} in it: ${clip(group.alerts.join(" "), RENDER_LIMITS.text)}`;
}

function silenceLines({ silences, minute }: AlertsObservation, start: number): string[] {
  return silences.map((s: Silence) => {
    const state = s.expiresAt > minute ? `until ${clockMinutes(start + s.expiresAt)}` : "ended";
    return `${s.id}: ${s.kind} ${state}, ${s.hits} hit: ${clip(plain(s.matchers.join(", ")), RENDER_LIMITS.text)}`;
  });
}

function itemLine(item: EvidenceItem, start: number): string {
  return `${item.id} ${clockMinutes(start + item.minute)} ${plain(subjectOf(item))}`;
}

// --- one item in full ---

function labelLines({ labels, annotations, team }: KnownAlert): string[] {
  const pairs = labels.slice(0, RENDER_LIMITS.labels).map(([label, value]) => equalMatcher(label, plain(value)).text);
  const cut = labels.length > pairs.length ? ` and ${labels.length - pairs.length} more` : "";
  const notes = annotations.slice(0, RENDER_LIMITS.labels).map(([name, text]) => `  ${plain(name)}: ${plain(text)}`);
  return [
    `  owner ${team === null ? "not known" : plain(team)}; labels ${pairs.map(oneLine).join(", ")}${cut}`,
    ...notes,
  ];
}

function detailLines(item: EvidenceItem, start: number): string[] {
  if (item.kind === "history")
    return item.series.map(({ facet, minutes, values }) => {
      const step = Math.max(1, Math.ceil(values.length / RENDER_LIMITS.points));
      const points: string[] = [];
      for (let i = (values.length - 1) % step; i < values.length; i += step)
        points.push(`${clockMinutes(start + (minutes[i] ?? 0))} ${shown(values[i] ?? null, "")}`);
      const thinned = step > 1 ? ` (one point in ${step})` : "";
      return `  ${plain(facet) || "all"}${thinned}: ${points.join(", ")}`;
    });
  if (item.kind === "graph")
    return item.services.map((s) => {
      const who = [
        s.kind,
        s.team ?? "no owner known",
        s.revenue ? "takes money" : s.customerFacing ? "users reach it" : "",
      ];
      const links = `needs ${s.dependsOn.join(" ") || "nothing"}; used by ${s.usedBy.join(" ") || "nothing"}`;
      return `  ${plain(s.name)} (${who
        .filter((word) => word !== "")
        .map(plain)
        .join(", ")}): ${plain(links)}; metrics ${plain(s.metrics.join(" ")) || "none"}`;
    });
  return [];
}

function publishedPart({ servicesMap, triage, alerts }: PublishedView): string {
  // The noise rule counts seconds, which the table's clock does not show.
  const durations = alerts.map(({ alert_id, duration_s }) => `${alert_id} ${duration_s} s`);
  const owners = Object.entries(servicesMap).map(([service, team]) => `${service} ${team}`);
  const last = triage
    ? `Your triage: ${triage.severity}, ${triage.team}, suppressed ${triage.suppressed.join(" ") || "none"}, root cause: ${plain(triage.root_cause)}`
    : "No triage given yet.";
  return `Fired before the page for: ${durations.join(", ")}\nOwners: ${owners.join(", ")}\n${last}`;
}

// --- words ---

function section(title: string, lines: readonly string[], most: number, keep: "oldest" | "newest" = "oldest"): string {
  if (lines.length === 0) return "";
  if (lines.length <= most) return [title, ...lines].join("\n");
  const cut = `… ${lines.length - most} more not shown`;
  return keep === "newest"
    ? [title, cut, ...lines.slice(-most)].join("\n")
    : [title, ...lines.slice(0, most), cut].join("\n");
}

/** Minutes after midnight at minute 0, from the clock that is shown. */
function startOfDay({ clock, minute }: AlertsObservation): number {
  const [hours, minutes, seconds] = clock.split(":").map(Number);
  return (hours ?? 0) * 60 + (minutes ?? 0) + (seconds ?? 0) / 60 - minute;
}

/** One line without column marks, clipped. */
function plain(text: string): string {
  return clip(oneLine(text).replace(/\|/g, "/"), RENDER_LIMITS.text);
}

/** Line breaks and control characters become blanks. */
function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out.
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ");
}

function clip(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
