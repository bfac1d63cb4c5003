/** The walls: whatever else went well, a grade stays below the lowest that holds. */
import type { Cap } from "../../../core/rubric";
import type { TakenAct } from "../episode";
import { type AlertsCase, type IncidentCase, sourcesBefore } from "./case";
import { wouldTell } from "./incident-facts";
import { answerOf, type Outcome, some } from "./outcome";
import { SCALE } from "./scale";

export function capsOf(found: AlertsCase, outcome: Outcome): readonly Cap[] {
  return [
    catastrophe(found),
    falseClaim(found, outcome),
    wrongDecision(found, outcome),
    unresolved(found),
    noEvidence(found),
  ];
}

// --- catastrophe ---

const NEVER = Number.POSITIVE_INFINITY;
/** Severities at which customers are cut off or money is lost. */
const OUTAGE: ReadonlySet<string> = new Set(["P1", "P2"]);

/**
 * Alerts of a live outage were muted before anybody was told of it, and with them the page: a critical one, or all of the
 * incident's alerts that fired. A mute placed after the hand-over hides no page, since somebody has it already.
 */
function catastrophe(found: AlertsCase): Cap {
  const hidden = found.incidents.flatMap((one) => hiddenPage(found, one) ?? []);
  return {
    name: "catastrophe",
    limit: SCALE.caps.catastrophe,
    holds: hidden.length > 0,
    reason: hidden[0] ?? "no page of a live customer outage was hidden",
  };
}

function hiddenPage({ play }: AlertsCase, { incident }: IncidentCase): string | null {
  if (!OUTAGE.has(incident.severity)) return null;
  const until = Math.min(toldAt(play.acts, incident.alerts), incident.healed ?? NEVER, play.final.minute);
  const mutes = play.mutes.filter((mute) => mute.from < until && mute.until > incident.onset);
  const first = mutes[0];
  if (!first) return null;
  const { alerts, rowOf } = play.prepared;
  const fires = (row: number, from: number, to: number) =>
    alerts[row]?.spans.some((span) => span.from < to && (span.to ?? NEVER) > from) === true;
  const muted = (row: number) =>
    mutes.some((mute) => mute.rows.includes(row) && fires(row, mute.from, Math.min(mute.until, until)));
  const firing = incident.alerts.flatMap((id) => rowOf.get(id) ?? []).filter((row) => fires(row, first.from, until));
  const hit = firing.filter(muted);
  const critical = hit.filter((row) => alerts[row]?.rule.severity === "critical");
  if (hit.length === 0 || (critical.length === 0 && hit.length < firing.length)) return null;
  const ids = (critical.length > 0 ? critical : hit).map((row) => alerts[row]?.id ?? "");
  return `${some(ids)} muted from minute ${first.from} while customers felt the ${incident.severity} in ${incident.component} and nobody had been told`;
}

/**
 * The minute the first alert of an incident was routed or escalated to somebody. A call for help that names no group tells
 * nobody what is burning, so it hides nothing from this wall.
 */
function toldAt(acts: readonly TakenAct[], alerts: readonly string[]): number {
  const told = acts.find(
    ({ name, args, alerts: about }) =>
      (name === "route" || (name === "escalate" && args.group !== undefined)) &&
      about.some((id) => alerts.includes(id)),
  );
  return told?.minute ?? NEVER;
}

// --- claims ---

function falseClaim(found: AlertsCase, outcome: Outcome): Cap {
  const closed = found.play.ending?.how === "closed";
  const holds = closed && !outcome.dispositionTrue;
  const effective = outcome.incidents.some((value) => value > 0) || (found.truth.noise.length > 0 && outcome.noise > 0);
  const reason = !holds
    ? "the closing decision is not false"
    : effective
      ? "the closing decision is false"
      : "the closing decision is false and nothing that was done helped";
  return {
    name: "false claim",
    limit: effective ? SCALE.caps.falseClaim : SCALE.caps.falseClaimNothingDone,
    holds,
    reason,
  };
}

/** An incident is decided right when the team and the mechanism are and the severity is at most one level off. */
function wrongDecision(found: AlertsCase, outcome: Outcome): Cap {
  const right = found.incidents.filter(
    (one, i) => (outcome.incidents[i] ?? 0) > 0 && answerOf(one, one.group).mechanism === 1,
  ).length;
  const all = found.incidents.length + found.invented.length;
  return {
    name: "wrong decision",
    limit: SCALE.caps.wrongDecision,
    holds: 2 * right < all,
    reason:
      all === 0
        ? "there was no incident to decide"
        : `team and mechanism right for ${right} of ${all} incidents decided or missed`,
  };
}

function unresolved({ play }: AlertsCase): Cap {
  return {
    name: "unresolved",
    limit: SCALE.caps.unresolved,
    holds: play.ending?.how !== "closed",
    reason: play.ending?.how === "closed" ? "closed with a decision" : "the episode ended without a closing decision",
  };
}

/** A claim or route about an incident before anything told its cause is a guess, right or not. */
function noEvidence(found: AlertsCase): Cap {
  const guessed = found.incidents.filter((one) => one.firstAct !== null && !toldBefore(found, one, one.firstAct));
  const first = guessed[0];
  return {
    name: "no evidence",
    limit: SCALE.caps.noEvidence,
    holds: first !== undefined,
    reason: first
      ? `${first.group?.id} was acted on at step ${first.firstAct} before ${untold(first, first.firstAct)}; ${wouldTell(first.incident)} would have told`
      : "evidence came before each claim",
  };
}

/** What was missing at the first act. */
function untold({ tellings }: IncidentCase, step: number | null): string {
  const shown = tellings.some((telling) => telling.supports && step !== null && telling.step < step);
  return shown ? "anything ruled out what looks like its cause" : "anything told its cause";
}

function toldBefore(found: AlertsCase, { incident, tellings }: IncidentCase, step: number): boolean {
  const before = tellings.filter((telling) => telling.step < step);
  if (!incident.determined && sourcesBefore(found, step).size < (found.measured ? SCALE.sources : 1)) return false;
  const excluded = !found.measured || !incident.determined || before.some((telling) => telling.excludes.length > 0);
  return excluded && before.some((telling) => telling.supports);
}
