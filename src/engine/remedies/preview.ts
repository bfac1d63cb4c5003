/** What an order would touch, from what was last measured: for the question before a risky action. It tells no more than telemetry does. */
import type { Risk } from "../../core/action";
import { groupsOf, type Plan } from "../plan";
import { count, length, list } from "../words";
import { consumersOf, deployableOf } from "./choices";
import { groupsIn, inForce, measured, type Situation } from "./controls";
import { sessions, writesPerSecond } from "./database";
import { wantedReplicas, waveOf } from "./roll-out";
import { type Remedy, type RemedyOf, VERBS } from "./verbs";

export interface Touched {
  readonly what:
    | "requests in flight"
    | "replicas"
    | "replicas at a time"
    | "messages"
    | "connections"
    | "seconds without service"
    | "writes that may be lost"
    | "requests rejected a second"
    | "requests moved a second";
  readonly amount: number;
  /** The service or zone it is about. */
  readonly where: string;
}

export interface Preview {
  readonly risk: Risk;
  readonly touched: readonly Touched[];
  /** The same as a sentence; empty where nothing is touched. */
  readonly text: string;
}

/** The risk of an order and what it would touch now; the run is not changed. */
export function preview(run: Situation, remedy: Remedy): Preview {
  const touched = touchedBy(run, remedy).filter(({ amount }) => amount > 0);
  return { risk: riskOf(run.plan, remedy), touched, text: textOf(touched) };
}

/** How bad an order can be, now that its arguments are known. */
export function riskOf(plan: Plan, remedy: Remedy): Risk {
  switch (remedy.verb) {
    case "restart_service":
      return remedy.mode === "all_at_once" || isAlone(plan, remedy.service) ? "risky" : "change";
    case "scale_service":
      return remedy.resource === "disk" || remedy.resource === "connections" ? "change" : scaleRisk(plan, remedy);
    case "drain_queue":
      return (remedy.mode ?? "process") === "process" ? "change" : "risky";
    case "rollback_deploy": {
      const deployable = deployableOf(plan, remedy.deployable);
      return deployable?.kind === "code" && isAlone(plan, deployable.service) ? "risky" : "change";
    }
    case "shed_load":
    case "shift_traffic":
      return remedy.percent === 0 ? "change" : "risky";
    default:
      return VERBS[remedy.verb].risk;
  }
}

function scaleRisk(plan: Plan, { service, resource, amount }: RemedyOf<"scale_service">): Risk {
  if (resource === "cpu") return isAlone(plan, service) ? "risky" : "change";
  return amount === 0 ? "risky" : "change";
}

/** Stores are one node a zone: whatever restarts them takes them away. */
function isAlone(plan: Plan, service: string): boolean {
  const kind = plan.services.find(({ name }) => name === service)?.kind;
  return kind === "database" || kind === "cache" || kind === "queue";
}

function touchedBy(run: Situation, remedy: Remedy): readonly Touched[] {
  switch (remedy.verb) {
    case "restart_service":
      return restarting(run, remedy.service, remedy.mode === "all_at_once" ? "all" : "wave", remedy.zone);
    case "rollback_deploy": {
      const deployable = deployableOf(run.plan, remedy.deployable);
      return deployable?.kind === "code" ? restarting(run, deployable.service, "wave") : [];
    }
    case "scale_service":
      return scaling(run, remedy);
    case "clear_connections":
      return [
        touch("connections", sessions(run, remedy.service), remedy.service),
        touch("requests in flight", measured(run, "inFlight", remedy.service), remedy.service),
      ];
    case "drain_queue":
      return draining(run, remedy);
    case "failover_db":
      return failingOver(run, remedy.service);
    case "shed_load":
      return [
        touch(
          "requests rejected a second",
          (measured(run, "arrivals", remedy.service) * remedy.percent) / 100,
          remedy.service,
        ),
      ];
    case "shift_traffic":
      return [touch("requests moved a second", (usersOf(run, remedy.zone) * remedy.percent) / 100, remedy.zone)];
    default:
      return [];
  }
}

function restarting(run: Situation, service: string, together: "all" | "wave", zone?: string): Touched[] {
  const groups = groupsIn(run.plan, service, zone);
  const out = [
    touch(
      "replicas",
      groups.reduce((sum, group) => sum + wantedReplicas(run, group), 0),
      service,
    ),
  ];
  let [away, flying] = [0, 0];
  for (const group of groups) {
    const wanted = wantedReplicas(run, group);
    const size = together === "all" ? wanted : waveOf(wanted);
    if (together === "wave") away = Math.max(away, size);
    // A replica that others of its zone can stand in for finishes its requests first.
    if (size >= wanted) flying += measured(run, "inFlight", service, group.zone);
  }
  out.push(touch("replicas at a time", away, service), touch("requests in flight", flying, service));
  const [first] = groups;
  if (
    first &&
    groups.every((group) => together === "all" || waveOf(wantedReplicas(run, group)) >= wantedReplicas(run, group))
  )
    out.push(touch("seconds without service", inForce(run, first, "startSeconds"), service));
  return out;
}

function scaling(run: Situation, { service, resource, amount, zone }: RemedyOf<"scale_service">): readonly Touched[] {
  if (resource === "cpu") return restarting(run, service, "wave", zone);
  if (resource !== "replicas") return [];
  const fewer = groupsIn(run.plan, service, zone).reduce(
    (sum, group) => sum + Math.max(0, wantedReplicas(run, group) - amount),
    0,
  );
  return [touch("replicas", fewer, service)];
}

function draining(run: Situation, { service, mode = "process" }: RemedyOf<"drain_queue">): readonly Touched[] {
  const messages = touch("messages", measured(run, "level", service) + measured(run, "poison", service), service);
  if (mode !== "process") return [messages];
  const consumers = consumersOf(run.plan, service);
  const replicas = consumers
    .flatMap((consumer) => groupsOf(run.plan, consumer))
    .reduce((sum, group) => sum + wantedReplicas(run, group), 0);
  return [messages, touch("replicas", replicas, list(consumers))];
}

function failingOver(run: Situation, service: string): readonly Touched[] {
  const [group] = groupsOf(run.plan, service);
  if (!group) return [];
  const lag = inForce(run, group, "replicationLag");
  return [
    touch("requests in flight", measured(run, "inFlight", service), service),
    touch("seconds without service", inForce(run, group, "failoverGap"), service),
    touch("writes that may be lost", writesPerSecond(run, service) * lag, service),
  ];
}

/** Requests a second that users of a zone make, as last measured. */
function usersOf(run: Situation, zone: string): number {
  if (run.tick === 0) return 0;
  let sum = 0;
  for (const entry of run.plan.entries) if (entry.zone === zone) sum += run.user("offered", entry.index, run.tick - 1);
  return sum;
}

function touch(what: Touched["what"], amount: number, where: string): Touched {
  return { what, amount, where };
}

function textOf(touched: readonly Touched[]): string {
  return touched.length ? `${list(touched.map(phrase))}.` : "";
}

function phrase({ what, amount, where }: Touched): string {
  switch (what) {
    case "requests in flight":
      return `${count(amount, "request")} in flight at ${where}`;
    case "replicas":
      return `${count(amount, "replica")} of ${where}`;
    case "replicas at a time":
      return `${count(amount, "replica")} of a zone at a time`;
    case "messages":
      return `${count(amount, "message")} waiting in ${where}`;
    case "connections":
      return `${count(amount, "open connection")} to ${where}`;
    case "seconds without service":
      return `${length(amount)} without ${where}`;
    case "writes that may be lost":
      return `${count(amount, "write")} to ${where} that may be lost`;
    case "requests rejected a second":
      return `${count(amount, "request")} a second rejected by ${where}`;
    case "requests moved a second":
      return `${count(amount, "request")} a second moved out of ${where}`;
  }
}
