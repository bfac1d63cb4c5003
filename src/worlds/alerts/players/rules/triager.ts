/**
 * A fair, competent triager that uses observations only. It acknowledges what rings, looks where customers hurt, follows the
 * dependency graph to what explains the alerts, reads the metrics that would tell, and says so when they do not.
 */
import type { PlayerFactory } from "../../../../core/player";
import { type Script, scripted } from "../../../../core/script";
import type { ImpactReading } from "../../draw";
import type { AlertRow, AlertsObservation } from "../../observation";
import { CUSTOMER_OBJECTIVE } from "../../severity";
import { acts } from "../acts";
import { answer, answerFromAlerts, answerWithoutCause } from "./answers";
import { type Cause, type Desk, newest, type Part } from "./desk";
import { networkOf } from "./network";
import { findCause } from "./search";

/** Customer-facing services whose impact is read, those with alerts first. */
const IMPACT_READS = 6;
/** How far back changes are read, minutes. */
const CHANGES_MINUTES = 240;
/** Causes looked for at most. */
const MOST_CAUSES = 2;

export const rules: PlayerFactory = scripted<AlertsObservation>(
  {
    name: "rules",
    title: "Rules",
    summary: "Reads impact, graph, changes and the telling metrics, groups by topology, and answers what they support.",
    knowsTruth: false,
  },
  ({ first }) => triage(first),
);

function* triage(first: AlertsObservation): Script<AlertsObservation> {
  const ringing = first.alerts.filter((row) => row.state !== "resolved").map((row) => row.id);
  if (ringing.length > 0) yield acts.acknowledge(ringing);
  const desk = yield* orient();
  if (desk.network.services.every((service) => service.metrics.length === 0)) {
    yield* answerFromAlerts(desk);
    return;
  }
  const causes: Cause[] = [];
  while (causes.length < MOST_CAUSES) {
    const open = unexplained(desk, causes);
    if (open.length === 0 || (causes.length > 0 && !hurtsElsewhere(desk, causes))) break;
    const cause = yield* findCause(desk, open);
    if (!cause) break;
    causes.push(cause);
  }
  if (causes.length > 0) yield* answer(desk, causes);
  else yield* answerWithoutCause(desk);
}

/** The graph, what changed, and where customers feel it. */
function* orient(): Part<Desk> {
  let seen = yield acts.graph();
  const graph = newest(seen);
  const network = networkOf(graph?.kind === "graph" ? graph.services : []);
  seen = yield acts.changes(CHANGES_MINUTES);
  const changed = newest(seen);
  const readings: ImpactReading[] = [];
  const loud = new Set(seen.alerts.map((row) => row.service));
  const facing = network.services.filter((service) => service.customerFacing);
  const order = [...facing.filter((s) => loud.has(s.name)), ...facing.filter((s) => !loud.has(s.name))];
  for (const { name } of order.slice(0, IMPACT_READS)) {
    seen = yield acts.impact(name);
    const item = newest(seen);
    if (item?.kind === "impact") readings.push(item.reading);
  }
  return { seen, network, readings, changes: changed?.kind === "changes" ? changed.events : [], read: new Set() };
}

/** Alerts that no cause found so far explains. */
function unexplained({ seen, network }: Desk, causes: readonly Cause[]): AlertRow[] {
  return seen.alerts.filter((row) => !causes.some((cause) => network.needs(row.service).has(cause.component)));
}

/** Whether customers are hurt by something that the causes found do not explain. */
function hurtsElsewhere({ readings, network }: Desk, causes: readonly Cause[]): boolean {
  return readings.some(
    ({ service, worst }) =>
      (worst ?? 0) > CUSTOMER_OBJECTIVE && !causes.some((cause) => network.needs(service).has(cause.component)),
  );
}
