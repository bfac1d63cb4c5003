/** How the players answer the published tasks, which show everything at once and take a whole triage a step. */
import type { Action } from "../../../core/action";
import type { Stream } from "../../../core/rng";
import type { Script } from "../../../core/script";
import { SEVERITIES, type Severity, TEAMS } from "../draw";
import type { AlertsObservation } from "../observation";

/** A whole triage, as the original takes it. */
export interface Triage {
  readonly severity: Severity;
  readonly team: string;
  readonly root_cause: string;
  readonly suppressed: readonly string[];
}

function triage(answer: Triage): Action {
  return { name: "triage", args: { ...answer } };
}

/** Gives one triage, again and again until the task ends. */
export function* playPublished(answer: Triage): Script<AlertsObservation> {
  let seen = yield triage(answer);
  while (!seen.done) seen = yield triage(answer);
}

/** The owner of the first alert's service, a severity and an empty cause. */
export function publishedGuess(page: AlertsObservation, severity: Severity): Triage {
  const first = page.published?.alerts[0];
  const team = first ? (page.published?.servicesMap[first.service] ?? "sre") : "sre";
  return { severity, team, root_cause: "", suppressed: [] };
}

/** A triage at random. */
export function randomTriage(page: AlertsObservation, random: Stream): Action {
  const suppressed = page.published?.alerts.filter(() => random.chance(0.3)).map((alert) => alert.alert_id) ?? [];
  return triage({ severity: random.pick(SEVERITIES), team: random.pick(TEAMS), root_cause: "", suppressed });
}
