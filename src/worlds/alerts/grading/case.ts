/**
 * The case to be graded: what was true, what the player did, and which of the player's groups stands for which incident.
 * Worked out once; every part of the grade reads it.
 */
import type { Play, TakenAct } from "../episode";
import type { AlertGroup, AlertRow, EvidenceItem } from "../observation";
import type { AlertsTruth, IncidentTruth } from "../truth";
import { alertsOf, type Judgement, judge } from "./incident-facts";
import { SCALE } from "./scale";

/** What a displayed item tells about an incident. */
export interface Telling extends Judgement {
  readonly item: EvidenceItem;
  readonly step: number;
  readonly minute: number;
}

/** A true incident with the player's group for it, if there is one. */
export interface IncidentCase {
  readonly incident: IncidentTruth;
  readonly group: AlertGroup | null;
  /** Its alerts listed by the close. */
  readonly seen: readonly string[];
  /** Services it shows on: the component and those of its alerts. */
  readonly services: ReadonlySet<string>;
  /** Every item read, oldest first, as this incident's predicates see it. */
  readonly tellings: readonly Telling[];
  /** Step of the first route or declaration of its group; null when there was none. */
  readonly firstAct: number | null;
  /** The standing declaration, and the last route or escalation. */
  readonly declared: TakenAct | null;
  readonly handedOver: TakenAct | null;
}

export interface AlertsCase {
  readonly play: Play;
  readonly truth: AlertsTruth;
  readonly incidents: readonly IncidentCase[];
  /** Claimed groups that stand for no incident. */
  readonly invented: readonly AlertGroup[];
  readonly items: readonly { readonly item: EvidenceItem; readonly step: number; readonly minute: number }[];
  /** Steps the seed's own answer takes. */
  readonly par: number;
  /** Whether metrics, changes and impact were measured, so that evidence can exclude a cause. */
  readonly measured: boolean;
}

export function caseOf(play: Play, truth: AlertsTruth): AlertsCase {
  const byId = new Map(play.final.items.map((item) => [item.id, item]));
  const items = play.acts.flatMap(({ item: id, step, minute }) => {
    const item = id === null ? undefined : byId.get(id);
    return item ? [{ item, step, minute }] : [];
  });
  const claimed = play.final.groups.filter((group) => group.route || group.cause || group.escalated);
  const matched = match(truth.incidents, claimed);
  const incidents = truth.incidents.map((incident, i) => incidentCase(play, incident, matched[i] ?? null, items));
  return {
    play,
    truth,
    incidents,
    invented: claimed.filter((group) => !matched.includes(group)),
    items,
    par: parOf(truth),
    measured: play.prepared.draw.measured !== false,
  };
}

/** One group to one incident, by largest overlap, where at least half of the group belongs to the incident. */
function match(incidents: readonly IncidentTruth[], groups: readonly AlertGroup[]): (AlertGroup | undefined)[] {
  const pairs: { incident: number; group: number; overlap: number }[] = [];
  incidents.forEach((each, incident) => {
    const own = alertsOf(each);
    groups.forEach((group, place) => {
      const overlap = group.alerts.filter((id) => own.has(id)).length;
      if (overlap > 0 && overlap >= SCALE.overlap * group.alerts.length)
        pairs.push({ incident, group: place, overlap });
    });
  });
  pairs.sort((a, b) => b.overlap - a.overlap || a.incident - b.incident || a.group - b.group);
  const found: (AlertGroup | undefined)[] = incidents.map(() => undefined);
  const taken = new Set<number>();
  for (const { incident, group } of pairs)
    if (!found[incident] && !taken.has(group)) {
      found[incident] = groups[group];
      taken.add(group);
    }
  return found;
}

function incidentCase(
  play: Play,
  incident: IncidentTruth,
  group: AlertGroup | null,
  items: AlertsCase["items"],
): IncidentCase {
  const seen = incident.alerts.filter((id) => listedRow(play, id) !== null);
  const services = new Set([incident.component]);
  for (const id of seen) services.add(listedRow(play, id)?.service ?? "");
  const acts = group ? play.acts.filter((act) => isAbout(act, group.id)) : [];
  const declarations = acts.filter((act) => act.name === "declare_cause");
  const handovers = acts.filter((act) => act.name !== "declare_cause");
  return {
    incident,
    group,
    seen,
    services,
    tellings: items.map(({ item, step, minute }) => {
      const { supports, excludes } = judge(incident, item);
      return { item, step, minute, supports, excludes };
    }),
    firstAct: acts.find((act) => act.name !== "escalate")?.step ?? null,
    declared: declarations[declarations.length - 1] ?? null,
    handedOver: handovers[handovers.length - 1] ?? null,
  };
}

/** The row of an alert in the last observation; null when it had not fired. */
export function listedRow({ prepared, final }: Play, id: string): AlertRow | null {
  const row = prepared.rowOf.get(id);
  return row === undefined ? null : (final.alerts[row] ?? null);
}

function isAbout({ name, args }: TakenAct, group: string): boolean {
  if (name === "escalate") return args.group === undefined || args.group === group;
  return (name === "route" || name === "declare_cause") && args.group === group;
}

/** Kinds of sources read before a step. The graph tells how things hang together, not how they are. */
export function sourcesBefore(found: AlertsCase, step: number): ReadonlySet<string> {
  const kinds = new Set<string>();
  for (const { item, step: at } of found.items) if (at < step && item.kind !== "graph") kinds.add(item.kind);
  return kinds;
}

/** The step that made the final claim; one beyond the last when nothing was claimed. */
export function closingStep({ play }: AlertsCase): number {
  return play.ending ? play.acts.length : play.acts.length + 1;
}

/** Whether an item shows how one of these services, or an alert on one, is doing. */
export function shows(item: EvidenceItem, services: ReadonlySet<string>, alerts: ReadonlySet<string>): boolean {
  if (item.kind === "history") return services.has(item.service);
  if (item.kind === "impact") return services.has(item.reading.service);
  return item.kind === "alert" && alerts.has(item.alert);
}

function parOf({ incidents, noise }: AlertsTruth): number {
  let par = SCALE.stepsOnce - (noise.length > 0 ? 0 : 1);
  for (const { routes } of incidents)
    par += SCALE.stepsPerIncident + Math.max(1, ...routes.map((route) => route.length));
  return incidents.length > 0 ? par : par + SCALE.sources;
}
