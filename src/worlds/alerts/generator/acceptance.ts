/** The last rule a draw must keep: both evidence routes work by the displayed values, at the page and whenever they may be read in the next ten minutes. */
import type { AlertsDraw } from "../draw";
import { READ_LIMITS } from "../reads";
import { type AlertsTruth, type DisplayedFact, type IncidentTruth, type OracleRead, Sealed } from "../truth";
import type { Plan } from "./attempt";
import { Rejection } from "./rejection";

const TRIED_AT = [0, 2, 4, 7, 10];
/** Minutes a history read goes back when it does not say. */
const USUAL_MINUTES = 60;

/** @throws Rejection when a route does not show what it should, or the whole mechanism shows although it must not. */
export function* accept(plan: Plan, draw: AlertsDraw): Generator<void, void> {
  const truth: AlertsTruth = Sealed.open(draw.truth);
  for (const incident of truth.incidents) {
    for (const minute of TRIED_AT) {
      yield;
      for (const [i, route] of incident.routes.entries()) {
        const facts = route.flatMap((read) => factsOfRead(draw, read, minute));
        if (!facts.some((fact) => incident.supports(fact))) throw new Rejection(`route ${i + 1} does not support`);
        if (!facts.some((fact) => incident.excludes(fact).length > 0))
          throw new Rejection(`route ${i + 1} excludes nothing`);
      }
    }
    if (plan.kind === "self_recovered") checkHealed(draw, incident);
  }
}

/** The facts that a read displays at a minute; the same values the world shows. */
export function factsOfRead(draw: AlertsDraw, read: OracleRead, minute: number): readonly DisplayedFact[] {
  const service = typeof read.args.service === "string" ? read.args.service : null;
  const minutes = typeof read.args.minutes === "number" ? read.args.minutes : USUAL_MINUTES;
  if (read.action === "recent_changes") {
    const from = minute - minutes;
    const events = draw.changes.filter(
      (event) => event.minute >= from && event.minute <= minute && (service === null || event.service === service),
    );
    return [{ kind: "changes", id: "c", minute, events, from, service }];
  }
  if (read.action === "query_history" && service !== null && typeof read.args.metric === "string") {
    const from = Math.max(minute - minutes, draw.fromMinute);
    const siblings = draw
      .history(service, read.args.metric, from, minute, READ_LIMITS.points)
      .slice(0, READ_LIMITS.series);
    return siblings.map((series) => ({ kind: "history", id: "h", minute, series, siblings }));
  }
  if (read.action === "impact" && service !== null)
    return [{ kind: "impact", id: "i", minute, reading: draw.impact(service, minute) }];
  return [];
}

/** Minutes after the page by which customers must be well again. */
const HEALED_BY = 6;

function checkHealed(draw: AlertsDraw, incident: IncidentTruth): void {
  const missed = draw.services.some(
    (service) => service.customerFacing && draw.impact(service.name, HEALED_BY).since !== null,
  );
  if (missed) throw new Rejection(`${incident.id} is still felt`);
}
