/** Ending sessions on a server, and promoting the standby of a database. */
import { round } from "../../core/math";
import { count, length, list, ticksOf, were } from "../words";
import { pooledCalls } from "./choices";
import { type Controls, groupsIn, inForce, measured, type Situation } from "./controls";
import { type Luck, STICKS } from "./luck";
import { happensAt, type Order } from "./order";
import type { RemedyOf } from "./verbs";

/** Ends all sessions on a service a tick after the order. */
export function orderClear(run: Controls, { service }: RemedyOf<"clear_connections">): Order {
  const tick = run.tick + 1;
  const callers = pooledCalls(run.plan, service).map((call) => call.slice(0, call.indexOf(">")));
  return {
    events: [happensAt(tick, { kind: "connections_cleared", service })],
    until: tick + 1,
    text:
      `All sessions of ${list(callers)} on ${service} were ended: ${were(sessions(run, service), "connection")} open, ` +
      `with ${count(measured(run, "inFlight", service), "request")} in flight.`,
    undo: null,
  };
}

/** Connections in use and held idle by the callers of a service, as last measured. */
export function sessions(run: Situation, service: string): number {
  if (run.tick === 0) return 0;
  let sum = 0;
  for (const call of run.plan.calls)
    if (call.spec.to === service)
      sum += run.call("inUse", call.index, run.tick - 1) + run.call("stale", call.index, run.tick - 1);
  return sum;
}

/** Promotes the standby; some promotions take several times as long as usual. @throws RangeError when there is no such database. */
export function orderFailover(run: Controls, { service }: RemedyOf<"failover_db">, luck: Luck): Order {
  const [group] = groupsIn(run.plan, service);
  if (!group) throw new RangeError(`There is no database ${service}.`);
  const usual = inForce(run, group, "failoverGap");
  const isSlow = luck.chance("slow promotion", STICKS.slowPromotion);
  const seconds = round(usual * (isSlow ? luck.between("gap", 2, 4) : luck.between("gap", 0.8, 1.2)));
  const from = run.tick + 1;
  const until = from + ticksOf(seconds) + 1;
  const replay = isSlow ? "; it had to replay its log first" : "";
  return {
    events: [happensAt(from, { kind: "failed_over", service, seconds })],
    until,
    text:
      `${service} failed over to its standby in ${standbyOf(run, service) ?? "another zone"}: it served nothing for ` +
      `${length(seconds)}${replay}. The standby was ${length(inForce(run, group, "replicationLag"))} behind and its buffers are cold.`,
    undo: null,
  };
}

/** Zone of a database's standby now; null where there is none. After a promotion it is where the primary was. */
export function standbyOf(run: Situation, service: string): string | null {
  const spec = run.plan.services.find((each) => each.name === service);
  if (!spec?.standby) return null;
  let [primary, standby] = [spec.zones[0] ?? "", spec.standby];
  for (const event of run.journal)
    if (event.kind === "promoted" && event.service === service) [primary, standby] = [event.zone, primary];
  return standby;
}

/** Whether a promotion is ordered or under way. */
export function isFailingOver(run: Situation, service: string): boolean {
  return run.pending.some(
    (event) => (event.kind === "failed_over" || event.kind === "promoted") && event.service === service,
  );
}

/** Writes a second that the database acknowledges, as last measured. */
export function writesPerSecond(run: Situation, service: string): number {
  let sum = 0;
  for (const group of groupsIn(run.plan, service))
    sum += measured(run, "served", service, group.zone) * inForce(run, group, "writeShare");
  return sum;
}
