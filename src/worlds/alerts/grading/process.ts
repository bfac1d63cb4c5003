/** P: whether the answer was found rather than guessed, checked, told in time, and not at any length. */
import { clamp, mean } from "../../../core/math";
import { brier, type GradePart, leaf, weighted } from "../../../core/rubric";
import { type AlertsCase, closingStep, type IncidentCase, listedRow, shows, sourcesBefore, type Telling } from "./case";
import { alertsOf, wouldTell } from "./incident-facts";
import { answerOf } from "./outcome";
import { SCALE } from "./scale";

export function processOf(found: AlertsCase): GradePart {
  const { evidence, diagnosis, verification, communication, efficiency } = SCALE.process;
  const each = (name: string, part: (one: IncidentCase) => GradePart, reason: string) =>
    weighted(
      name,
      found.incidents.map((one) => [1 / found.incidents.length, part(one)]),
      reason,
    );
  const parts: (readonly [number, GradePart])[] =
    found.incidents.length > 0
      ? [
          [evidence, each("evidence", (one) => evidencePart(found, one), "what was displayed before each claim")],
          [diagnosis, each("diagnosis", diagnosisPart, "component and mechanism, and how sure you were")],
          [verification, each("verification", verifiedPart, "looked again after handing over")],
          [communication, each("communication", (one) => toldPart(found, one), "told in time, and of all of it")],
        ]
      : [
          [evidence, { ...sourcesPart(found, closingStep(found)), name: "evidence" }],
          [verification, mutedCheckPart(found)],
        ];
  return weighted("process", [...parts, [efficiency, efficiencyPart(found)]], "how it was found", "renormalise");
}

// --- evidence ---

function evidencePart(found: AlertsCase, one: IncidentCase): GradePart {
  const { incident, group, tellings } = one;
  const name = incident.id;
  if (!group) return leaf(name, 0, "never claimed");
  if (!incident.determined) return openEvidencePart(found, one);
  const before = tellings.filter(({ step }) => step < claimStep(found, one));
  const supporting = before.filter((telling) => telling.supports).map(({ item }) => item.id);
  const excluding = before.filter((telling) => telling.excludes.length > 0).map(({ item }) => item.id);
  const { supports, excludes, cited } = SCALE.evidence;
  const reason = (ids: readonly string[], found: () => string) =>
    ids.length > 0 ? found() : `nothing; ${wouldTell(incident)} would have told`;
  const parts: (readonly [number, GradePart])[] = [
    [
      supports,
      shown(
        "supports",
        supporting,
        reason(supporting, () => "shows the mechanism"),
      ),
    ],
  ];
  if (found.measured)
    parts.push([
      excludes,
      shown(
        "excludes",
        excluding,
        reason(excluding, () => excludedText(before)),
      ),
    ]);
  parts.push([cited, citedPart(group.cause?.evidence ?? [], before)]);
  return weighted(name, parts, "seen before the claim", "renormalise");
}

function shown(name: string, ids: readonly string[], reason: string): GradePart {
  return leaf(name, ids.length > 0 ? 1 : 0, reason, ids);
}

/** That something cannot be told is shown by looking at several sources, the one with the hole in it included. */
function openEvidencePart(found: AlertsCase, one: IncidentCase): GradePart {
  const step = claimStep(found, one);
  const gaps = one.tellings.filter((telling) => telling.step < step && telling.supports).map(({ item }) => item.id);
  const missing = () => `what is missing was not looked at; ${wouldTell(one.incident)} would have shown it`;
  const gap = shown("gap", gaps, gaps.length > 0 ? "saw what is missing" : missing());
  const parts: (readonly [number, GradePart])[] = [
    [SCALE.openEvidence.sources, sourcesPart(found, step)],
    [SCALE.openEvidence.gap, gap],
  ];
  return weighted(one.incident.id, parts, "seen before it was left open");
}

function excludedText(tellings: readonly Telling[]): string {
  const mechanisms = new Set<string>();
  for (const { excludes } of tellings) for (const mechanism of excludes) mechanisms.add(mechanism);
  return `rules out ${[...mechanisms].join(", ")}`;
}

/** How much of what was cited tells something about this incident. */
function citedPart(cited: readonly string[], before: readonly Telling[]): GradePart {
  if (cited.length === 0) return leaf("cited", 0, "no read was cited in the cause");
  const telling = new Set(before.filter((t) => t.supports || t.excludes.length > 0).map(({ item }) => item.id));
  const good = [...new Set(cited)].filter((id) => telling.has(id));
  const all = new Set(cited).size;
  return leaf("cited", good.length / all, `${good.length} of ${all} cited reads tell something about it`, good);
}

function sourcesPart(found: AlertsCase, step: number): GradePart {
  const kinds = [...sourcesBefore(found, step)];
  const read = found.items
    .filter(({ item, step: at }) => at < step && item.kind !== "graph")
    .map(({ item }) => item.id);
  const reason = `looked at ${kinds.join(", ") || "nothing"} before concluding`;
  return leaf("sources", clamp(kinds.length / (found.measured ? SCALE.sources : 1)), reason, read);
}

/** The step of the standing claim about an incident: its cause, else its hand-over, else the close. */
export function claimStep(found: AlertsCase, { declared, handedOver }: IncidentCase): number {
  return declared?.step ?? handedOver?.step ?? closingStep(found);
}

// --- diagnosis ---

function diagnosisPart(one: IncidentCase): GradePart {
  const { incident, group } = one;
  if (!group) return leaf(incident.id, 0, "never claimed");
  const { component, mechanism } = answerOf(one, group);
  const answer = mean([component, mechanism]);
  const said = `${group.cause?.mechanism ?? "no mechanism"} in ${group.cause?.component ?? "no component"}`;
  const parts: (readonly [number, GradePart])[] = [[SCALE.diagnosis.answer, leaf("answer", answer, `said ${said}`)]];
  if (group.cause) {
    const right = answer === 1;
    const merit = brier(group.cause.confidence, right);
    const reason = `${group.cause.confidence} sure and ${right ? "right" : "wrong"}: 1 - (${group.cause.confidence} - ${right ? 1 : 0})²`;
    parts.push([SCALE.diagnosis.confidence, leaf("confidence", merit, reason)]);
  }
  return weighted(incident.id, parts, "answer, and Brier score of the confidence", "renormalise");
}

// --- verification ---

function verifiedPart({ incident, group, handedOver, services, tellings }: IncidentCase): GradePart {
  if (!group || !handedOver) return leaf(incident.id, 0, "never handed over, so nothing to verify");
  const alerts = alertsOf(incident);
  const again = tellings.filter(({ item, step }) => step > handedOver.step && shows(item, services, alerts));
  const ids = again.map(({ item }) => item.id);
  const reason =
    ids.length > 0
      ? "looked at it again before closing"
      : `closed without another look at ${incident.component} or what it touches (impact, query_history or inspect_alert)`;
  return leaf(incident.id, ids.length > 0 ? 1 : 0, reason, ids);
}

function mutedCheckPart({ play, items }: AlertsCase): GradePart {
  const last =
    play.mutes.length === 0 ? 0 : Math.max(...play.acts.filter((act) => MUTING.has(act.name)).map((act) => act.step));
  if (last === 0) return leaf("verification", 0, "nothing was muted, so nothing to verify");
  const again = items.filter(({ item, step }) => step > last && item.kind !== "graph").map(({ item }) => item.id);
  const reason = again.length > 0 ? "looked again after muting" : "closed without another look after muting";
  return leaf("verification", again.length > 0 ? 1 : 0, reason, again);
}

const MUTING = new Set(["silence", "snooze", "maintenance"]);

// --- communication ---

function toldPart({ play, par }: AlertsCase, { incident, seen, group }: IncidentCase): GradePart {
  const own = alertsOf(incident);
  const told = play.acts.find(({ name, alerts }) => TELLING.has(name) && alerts.some((id) => own.has(id)));
  if (!told || seen.length === 0) return leaf(incident.id, 0, "nobody was told: not acknowledged, routed or escalated");
  const first = Math.max(0, firstFiring(play.prepared, incident.alerts));
  const late = told.minute - first;
  const timely = fade(late, par);
  const known = new Set(group?.alerts ?? []);
  for (const { name, alerts } of play.acts) if (name === "acknowledge") for (const id of alerts) known.add(id);
  const handed = seen.filter((id) => (listedRow(play, id)?.since ?? told.minute) <= told.minute);
  const covered = handed.filter((id) => known.has(id)).length;
  const share = handed.length > 0 ? covered / handed.length : 1;
  const reason = `first told ${late} min after it was listed (par ${par}); ${covered} of ${handed.length} alerts acknowledged or handed over`;
  return leaf(incident.id, timely * share, reason);
}

const TELLING = new Set(["acknowledge", "route", "escalate"]);

function firstFiring({ alerts, rowOf }: AlertsCase["play"]["prepared"], own: readonly string[]): number {
  // In order of first firing, so that the first row tells.
  const row = Math.min(...own.map((id) => rowOf.get(id) ?? alerts.length));
  return alerts[row]?.spans[0]?.from ?? 0;
}

// --- efficiency ---

function efficiencyPart({ play, par }: AlertsCase): GradePart {
  const steps = play.acts.length;
  return leaf("efficiency", fade(steps, par), `${steps} steps; this seed's own answer takes about ${par}`);
}

/** 1 up to `full` times par, 0 from `none` times par on, straight in between. */
function fade(taken: number, par: number): number {
  const { full, none } = SCALE.par;
  return clamp((none * par - taken) / ((none - full) * par));
}
