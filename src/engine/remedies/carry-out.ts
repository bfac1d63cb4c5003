/** Carrying out an order: it becomes events of the simulation, and says what was done. */
import { clamp } from "../../core/math";
import type { SystemEvent } from "../events";
import type { Plan } from "../plan";
import { lengthOfTicks } from "../words";
import { deployableOf } from "./choices";
import type { Controls } from "./controls";
import { orderClear, orderFailover } from "./database";
import { orderFlag, orderRollback, orderStop } from "./deploy";
import { type Luck, luckOf } from "./luck";
import type { Order } from "./order";
import { riskOf } from "./preview";
import { orderDrain } from "./queue";
import { orderRestart } from "./restart";
import { orderScale } from "./scale";
import { orderShed, orderShift } from "./traffic";
import { validate } from "./validate";
import type { Remedy } from "./verbs";

export interface Outcome {
  readonly remedy: Remedy;
  /** When it was ordered. */
  readonly tick: number;
  /** How long it keeps the one who gave it; the simulation has to advance by this. */
  readonly durationTicks: number;
  /** The tick at which the last of its effects has been measured; later than tick + durationTicks where somebody stopped waiting. */
  readonly until: number;
  /** What was done, as it reads once the time is over. */
  readonly text: string;
  readonly risky: boolean;
  /** In the order in which they happen; what ends by itself has its end among them. */
  readonly events: readonly SystemEvent[];
  /** The order that takes it back; null where nothing does. */
  readonly undo: Remedy | null;
}

/** Nobody looks at a command for longer: 10 minutes. */
export const LONGEST_WAIT = 40;

/** Schedules what follows from an order. @throws RangeError with the sentence of `validate` when it makes no sense now. */
export function carryOut(sim: Controls, remedy: Remedy): Outcome {
  const problem = validate(sim.plan, sim, remedy);
  if (problem) throw new RangeError(problem.message);
  const order = orderOf(sim, remedy, luckOf(sim.seed, remedy.verb, targetOf(sim.plan, remedy), sim.tick));
  const events = [...order.events].sort((a, b) => a.tick - b.tick || order.events.indexOf(a) - order.events.indexOf(b));
  for (const event of events) sim.schedule(event);
  const takes = Math.max(1, order.until - sim.tick);
  const durationTicks = clamp(takes, 1, LONGEST_WAIT);
  const unfinished =
    takes > durationTicks ? ` It is not done after ${lengthOfTicks(durationTicks)}; it goes on by itself.` : "";
  return {
    remedy,
    tick: sim.tick,
    durationTicks,
    until: order.until,
    text: `${order.text}${unfinished}`,
    risky: riskOf(sim.plan, remedy) === "risky",
    events,
    undo: order.undo,
  };
}

/** The service, zone or deployable that an order is about, by its full name. */
export function targetOf(plan: Plan, remedy: Remedy): string {
  switch (remedy.verb) {
    case "rollback_deploy":
      return deployableOf(plan, remedy.deployable)?.id ?? remedy.deployable;
    case "set_flag":
    case "disable_feature_flag":
      return deployableOf(plan, remedy.flag, "flag")?.id ?? remedy.flag;
    case "shift_traffic":
      return remedy.zone;
    case "stop_job":
      return deployableOf(plan, remedy.job, "job")?.id ?? remedy.job;
    default:
      return remedy.service;
  }
}

function orderOf(sim: Controls, remedy: Remedy, luck: Luck): Order {
  switch (remedy.verb) {
    case "restart_service":
      return orderRestart(sim, remedy, luck);
    case "rollback_deploy":
      return orderRollback(sim, remedy, luck);
    case "scale_service":
      return orderScale(sim, remedy, luck);
    case "set_flag":
      return orderFlag(sim, remedy.flag, remedy.state, luck);
    case "disable_feature_flag":
      return orderFlag(sim, remedy.flag, "off", luck);
    case "clear_connections":
      return orderClear(sim, remedy);
    case "drain_queue":
      return orderDrain(sim, remedy, luck);
    case "failover_db":
      return orderFailover(sim, remedy, luck);
    case "shed_load":
      return orderShed(sim, remedy, luck);
    case "shift_traffic":
      return orderShift(sim, remedy, luck);
    case "stop_job":
      return orderStop(sim, remedy, luck);
  }
}
