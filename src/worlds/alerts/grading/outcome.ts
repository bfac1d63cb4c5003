/** O: whether the incidents were told apart and handed to the right people, the noise muted, and the closing words true. */
import { f1, type GradePart, leaf, product, weighted } from "../../../core/rubric";
import type { Disposition } from "../dispositions";
import { SEVERITIES } from "../draw";
import type { AlertGroup } from "../observation";
import { type AlertsCase, closingStep, type IncidentCase, listedRow, sourcesBefore } from "./case";
import { wouldTell } from "./incident-facts";
import { SCALE } from "./scale";

export interface Outcome {
  readonly tree: GradePart;
  /** Each true incident's value, 0..1, in order. */
  readonly incidents: readonly number[];
  readonly noise: number;
  readonly dispositionTrue: boolean;
}

export function outcomeOf(found: AlertsCase): Outcome {
  const incidents = found.incidents.map((one) => incidentPart(found, one));
  const all = [...incidents, ...found.invented.map(inventedPart)];
  const noise = noisePart(found);
  const disposition = dispositionPart(found);
  const parts: GradePart[] = [];
  if (all.length > 0) {
    const reason = `${count(found.incidents.length, "true incident")}, ${count(found.invented.length, "invented one")}`;
    parts.push(
      weighted(
        "incidents",
        all.map((part) => [1 / all.length, part]),
        reason,
      ),
    );
  }
  if (noise) parts.push(noise);
  parts.push(disposition);
  if (mustLook(found)) parts.push(lookedPart(found));
  return {
    tree: product("outcome", parts, "incidents × noise × closing decision"),
    incidents: incidents.map((part) => part.value),
    noise: noise?.value ?? 1,
    dispositionTrue: disposition.value === 1,
  };
}

// --- one incident ---

function incidentPart(found: AlertsCase, one: IncidentCase): GradePart {
  const name = `incident ${one.incident.id}`;
  const { group } = one;
  if (!group) return leaf(name, 0, missedReason(found, one));
  const parts = [teamPart(one), severityPart(one, group), causePart(one, group)];
  return product(name, parts, `your ${group.id} stands for it: ${group.alerts.length} alerts`);
}

function missedReason(found: AlertsCase, { incident, seen }: IncidentCase): string {
  const what = `${incident.mechanism} in ${incident.component}`;
  if (seen.length === 0)
    return `missed: ${what}; its first alert came after you closed at minute ${found.play.final.minute}`;
  return `missed: ${what}; no group that you routed, explained or escalated consists mostly of its alerts (${some(seen)})`;
}

function inventedPart(group: AlertGroup): GradePart {
  return leaf(
    `invented ${group.id}`,
    0,
    `${group.id} (${some(group.alerts)}) is no incident of its own: less than half of it belongs to one, or another of your groups stands for that one`,
  );
}

function teamPart({ incident, group, handedOver }: IncidentCase): GradePart {
  const said = group?.route?.team ?? (handedOver?.args.team as string | undefined);
  if (said === undefined) return leaf("team", 0, `not handed over; it is ${incident.team}'s`);
  const right = said === incident.team;
  return leaf(
    "team",
    right ? 1 : 0,
    right ? `${said} owns it` : `went to ${said}; ${incident.team} owns ${incident.component}`,
  );
}

function severityPart({ incident, tellings, services }: IncidentCase, { route }: AlertGroup): GradePart {
  if (!route) return leaf("severity", SCALE.severity.wrong, `none given; it was ${incident.severity}`);
  const off = Math.abs(SEVERITIES.indexOf(route.severity) - SEVERITIES.indexOf(incident.severity));
  const value = off === 0 ? SCALE.severity.right : off === 1 ? SCALE.severity.oneOff : SCALE.severity.wrong;
  const read = tellings.flatMap(({ item }) =>
    item.kind === "impact" && services.has(item.reading.service) ? [item.id] : [],
  );
  const hint = read.length > 0 ? "" : "; the impact on its services was never read";
  const reason =
    off === 0
      ? `${route.severity}, by what customers felt`
      : `said ${route.severity}, customers felt a ${incident.severity}${hint}`;
  return leaf("severity", value, reason, read);
}

function causePart(one: IncidentCase, group: AlertGroup): GradePart {
  const { incident } = one;
  const { component, mechanism } = answerOf(one, group);
  if (!incident.determined)
    return leaf(
      "cause",
      mechanism,
      mechanism === 1
        ? "rightly left open: what can be read does not tell"
        : `what can be read does not tell the mechanism; say undetermined, or escalate without a cause`,
    );
  const { cause } = group;
  const wrong = (said: string | undefined, was: string) =>
    `said ${said ?? "nothing"}, it was ${was}; ${wouldTell(incident)} would have told`;
  const componentReason = component ? incident.component : wrong(cause?.component, incident.component);
  const mechanismReason = mechanism ? incident.mechanism : wrong(cause?.mechanism, incident.mechanism);
  return weighted(
    "cause",
    [
      [SCALE.cause.component, leaf("component", component, componentReason)],
      [SCALE.cause.mechanism, leaf("mechanism", mechanism, mechanismReason)],
    ],
    incident.story,
  );
}

/** Whether component and mechanism were answered as the evidence supports. 1 or 0 each. */
export function answerOf(
  { incident }: IncidentCase,
  group: AlertGroup | null,
): { component: number; mechanism: number } {
  const cause = group?.cause ?? null;
  if (!incident.determined) {
    const open = cause ? cause.mechanism === "undetermined" : group?.escalated === true;
    return { component: open ? 1 : 0, mechanism: open ? 1 : 0 };
  }
  return {
    component: cause?.component === incident.component ? 1 : 0,
    mechanism: cause?.mechanism === incident.mechanism ? 1 : 0,
  };
}

// --- noise ---

function noisePart({ truth, play }: AlertsCase): GradePart | null {
  const wanted = new Set(truth.noise.filter((id) => listedRow(play, id)));
  const muted = new Set<string>();
  for (const { id, handling } of play.final.alerts)
    if (handling !== "none" && handling !== "acknowledged") muted.add(id);
  if (wanted.size === 0 && muted.size === 0) return null;
  const wrong = [...muted].filter((id) => !wanted.has(id));
  const missed = [...wanted].filter((id) => !muted.has(id));
  const reason = [
    `${wanted.size - missed.length} of ${count(wanted.size, "noise alert")} muted at the close`,
    ...(missed.length > 0 ? [`left loud: ${some(missed)}`] : []),
    ...(wrong.length > 0 ? [`muted though they belong to an incident: ${some(wrong)}`] : []),
  ].join("; ");
  return leaf("noise", f1(muted, wanted), reason);
}

// --- the closing decision ---

function dispositionPart({ truth, play }: AlertsCase): GradePart {
  const { ending } = play;
  const right = [truth.disposition, ...truth.alsoTrue].join(" or ");
  if (ending === null) return leaf("closing decision", 0, `none: the budget ran out; right was ${right}`);
  if (ending.how === "gave_up") return leaf("closing decision", 0, `none: given up; right was ${right}`);
  const { disposition } = ending;
  if (disposition !== truth.disposition && !truth.alsoTrue.includes(disposition))
    return leaf("closing decision", 0, `said ${disposition}; right was ${right}`);
  const missing = unbacked(
    disposition,
    play.acts.map((act) => act.name),
  );
  return leaf("closing decision", missing ? 0 : 1, missing ?? `${disposition} is true`);
}

/** A word that names an act counts only when the act was done. */
function unbacked(disposition: Disposition, done: readonly string[]): string | null {
  if (disposition === "routed" && !done.includes("route")) return "said routed, but nothing was routed";
  if (disposition === "escalated" && !done.includes("escalate")) return "said escalated, but nobody was called in";
  return null;
}

/** "Nothing was wrong" and "cannot tell" are conclusions: they count after looking. */
function mustLook({ truth, incidents }: AlertsCase): boolean {
  return truth.incidents.length === 0 || incidents.some(({ incident }) => !incident.determined);
}

function lookedPart(found: AlertsCase): GradePart {
  const kinds = [...sourcesBefore(found, closingStep(found))];
  const needed = found.measured ? SCALE.sources : 1;
  const enough = kinds.length >= needed;
  const reason = enough
    ? `looked at ${kinds.join(" and ")} before concluding`
    : `concluded after looking at ${kinds.join(" and ") || "nothing"}; it takes at least ${needed} kinds of sources (alert, history, changes, impact)`;
  return leaf("looked first", enough ? 1 : 0, reason);
}

// --- words ---

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? "" : "s"}`;
}

/** Ids for reading, bounded. */
export function some(ids: readonly string[]): string {
  const most = 8;
  return ids.length <= most ? ids.join(", ") : `${ids.slice(0, most).join(", ")} and ${ids.length - most} more`;
}
