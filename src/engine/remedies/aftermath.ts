/** What an order has done so far, measured on the run after it: dropped requests, lost messages and writes, replicas that are back. */
import { round } from "../../core/math";
import { TICK_SECONDS } from "../spec";
import { count, number, were } from "../words";
import type { Outcome } from "./carry-out";
import { deployableOf } from "./choices";
import { groupsIn, inForce, measured, nodesIn, type Situation } from "./controls";
import { wantedReplicas } from "./roll-out";

/** Sentences in the run's own numbers; empty as long as there is nothing to measure. */
export function aftermath(run: Situation, { remedy, tick, events }: Outcome): string {
  if (run.tick <= tick) return "";
  switch (remedy.verb) {
    case "restart_service":
      return [droppedText(run, remedy.service, tick, remedy.zone), readyText(run, remedy.service, remedy.zone)].join(
        " ",
      );
    case "rollback_deploy": {
      const deployable = deployableOf(run.plan, remedy.deployable);
      if (deployable?.kind !== "code") return "";
      return [droppedText(run, deployable.service, tick), readyText(run, deployable.service)].join(" ");
    }
    case "scale_service":
      return remedy.resource === "replicas" || remedy.resource === "cpu"
        ? readyText(run, remedy.service, remedy.zone)
        : "";
    case "clear_connections":
      return droppedText(run, remedy.service, tick);
    case "drain_queue":
      return drainText(run, remedy.service, events);
    case "failover_db":
      return [droppedText(run, remedy.service, tick), lostText(run, remedy.service, tick)].join(" ").trim();
    case "shed_load":
      return shedText(run, remedy.service);
    default:
      return "";
  }
}

/** Requests that were given up half-way since a tick. */
export function droppedSince(run: Situation, service: string, tick: number, zone?: string): number {
  let sum = 0;
  for (const node of nodesIn(run.plan, service, zone))
    for (let t = tick; t < run.tick; t++) sum += run.node("dropped", node.index, t) * TICK_SECONDS;
  return sum;
}

function droppedText(run: Situation, service: string, tick: number, zone?: string): string {
  return `${were(droppedSince(run, service, tick, zone), "request")} dropped at ${service}.`;
}

function readyText(run: Situation, service: string, zone?: string): string {
  let wanted = 0;
  for (const group of groupsIn(run.plan, service, zone)) wanted += wantedReplicas(run, group);
  const ready = measured(run, "ready", service, zone);
  return `${ready} of ${wanted} replicas are ready.`;
}

function drainText(run: Situation, queue: string, events: Outcome["events"]): string {
  const purge = events.find((event) => event.kind === "purged");
  const now = measured(run, "level", queue) + measured(run, "poison", queue);
  const left = `${were(now, "message")} waiting then.`;
  if (purge?.kind !== "purged" || purge.tick > run.tick - 1) return left;
  const before = (column: "level" | "poison" | "deadLetters", at: number) =>
    nodesIn(run.plan, queue).reduce((sum, node) => sum + (at < 0 ? 0 : run.node(column, node.index, at)), 0);
  if (purge.only === "poison") return `${were(before("poison", purge.tick - 1), "message")} set aside; ${left}`;
  const gone = before("level", purge.tick - 1) + before("poison", purge.tick - 1);
  return `${were(gone, "message")} thrown away; ${left}`;
}

function lostText(run: Situation, service: string, tick: number): string {
  for (const event of run.journal)
    if (event.kind === "promoted" && event.service === service && event.tick >= tick)
      return `${were(event.lostWrites, "acknowledged write")} lost.`;
  return "";
}

function shedText(run: Situation, service: string): string {
  const [group] = groupsIn(run.plan, service);
  if (!group) return "";
  const share = inForce(run, group, "shed");
  const [came, rejected] = [measured(run, "arrivals", service), measured(run, "rejected", service)];
  if (share === 0) return `${service} rejects nothing on purpose.`;
  return `${count(rejected, "request")} a second of ${number(round(came))} are rejected.`;
}
