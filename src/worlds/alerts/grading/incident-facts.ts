/** What the grader works out of a true incident once for all runs of its draw: its alerts, and what items tell about it. */
import type { EvidenceItem } from "../observation";
import { readsText } from "../reads-text";
import type { DisplayedFact, IncidentTruth } from "../truth";

/** What an item tells about an incident, by its values. */
export interface Judgement {
  readonly supports: boolean;
  /** Other mechanisms that it rules out. */
  readonly excludes: readonly string[];
}

interface IncidentFacts {
  readonly alerts: ReadonlySet<string>;
  readonly wouldTell: string;
  /** By what reads of one draw share: the values displayed. */
  readonly judged: WeakMap<object, Judgement & { readonly minute: number }>;
}

const FACTS = new WeakMap<IncidentTruth, IncidentFacts>();

function factsAbout(incident: IncidentTruth): IncidentFacts {
  let facts = FACTS.get(incident);
  if (!facts) {
    facts = { alerts: new Set(incident.alerts), wouldTell: readsText(incident.routes[0] ?? []), judged: new WeakMap() };
    FACTS.set(incident, facts);
  }
  return facts;
}

/** The incident's alerts, those that have not fired included. */
export function alertsOf(incident: IncidentTruth): ReadonlySet<string> {
  return factsAbout(incident).alerts;
}

/** How the first evidence route reads, for reasons: `db.lock.wait_time of orders-db over 60 minutes; the changes of all services`. */
export function wouldTell(incident: IncidentTruth): string {
  return factsAbout(incident).wouldTell;
}

export function judge(incident: IncidentTruth, item: EvidenceItem): Judgement {
  const values = sharedValues(item);
  if (!values) return judgeAnew(incident, item);
  const { judged } = factsAbout(incident);
  const known = judged.get(values);
  // One impact reading may stand for several minutes.
  if (known?.minute === item.minute) return known;
  const made = { ...judgeAnew(incident, item), minute: item.minute };
  judged.set(values, made);
  return made;
}

/** The object by which an item is known again: a read makes it once for its key, service and minutes asked for included. */
function sharedValues(item: EvidenceItem): object | null {
  switch (item.kind) {
    case "history":
      return item.series;
    case "changes":
      return item.events;
    case "impact":
      return item.reading;
    default:
      return null;
  }
}

function judgeAnew(incident: IncidentTruth, item: EvidenceItem): Judgement {
  let supports = false;
  const excludes = new Set<string>();
  for (const fact of factsOf(item)) {
    supports ||= incident.supports(fact);
    for (const mechanism of incident.excludes(fact)) if (mechanism !== incident.mechanism) excludes.add(mechanism);
  }
  return { supports, excludes: [...excludes] };
}

/** The displayed values of an item, as the evidence predicates take them. */
export function factsOf(item: EvidenceItem): readonly DisplayedFact[] {
  const { id, minute } = item;
  switch (item.kind) {
    case "history":
      return item.series.map((series) => ({ kind: "history", id, minute, series, siblings: item.series }));
    case "changes":
      return [{ kind: "changes", id, minute, events: item.events, from: item.from, service: item.service }];
    case "impact":
      return [{ kind: "impact", id, minute, reading: item.reading }];
    case "alert":
      return [{ kind: "alert", id, minute, alert: item.alert, value: item.value }];
    case "graph":
      return [];
  }
}
