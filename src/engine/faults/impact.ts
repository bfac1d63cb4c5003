/** What an incident costs its users: requests that failed or came late, and messages that waited too long. */
import { groupsOf, type Plan } from "../plan";
import type { Simulation } from "../simulation";
import { TICK_SECONDS } from "../spec";

export interface Impact {
  /** User requests that failed. */
  readonly failed: number;
  /** User requests answered well, but later than the service's `slowAfter`. */
  readonly slow: number;
  /** Messages processed later than the queue's `staleAfter`. */
  readonly late: number;
  /** Messages thrown away or set aside, and acknowledged writes lost, over the whole run. */
  readonly lost: number;
}

/** Failed, slow and late together: what the grade compares. */
export function total(impact: Impact): number {
  return impact.failed + impact.slow + impact.late;
}

/** The impact from tick `from` (included) to `to` (excluded). */
export function impactOf(sim: Simulation, from: number, to: number): Impact {
  let [failed, slow, late] = [0, 0, 0];
  for (let tick = from; tick < to; tick++) {
    for (const entry of sim.plan.entries) {
      failed += sim.user("failed", entry.index, tick) * TICK_SECONDS;
      slow += sim.user("slow", entry.index, tick) * TICK_SECONDS;
    }
    for (const node of queueNodes(sim.plan)) {
      const staleAfter = sim.state.node("staleAfter").get(node);
      if (sim.node("delay", node, tick) > staleAfter) late += sim.node("served", node, tick) * TICK_SECONDS;
    }
  }
  return { failed, slow, late, lost: lost(sim) };
}

/** User requests made from tick `from` (included) to `to` (excluded), tries again included. */
export function offeredIn(sim: Simulation, from: number, to: number): number {
  let offered = 0;
  for (let tick = from; tick < to; tick++)
    for (const { index } of sim.plan.entries) offered += sim.user("offered", index, tick) * TICK_SECONDS;
  return offered;
}

/** Share of user requests that failed in a tick, over all entries, 0..1. */
export function errorRate(sim: Simulation, tick: number): number {
  let [failed, offered] = [0, 0];
  for (const entry of sim.plan.entries) {
    failed += sim.user("failed", entry.index, tick);
    offered += sim.user("offered", entry.index, tick);
  }
  return offered > 0 ? failed / offered : 0;
}

function lost(sim: Simulation): number {
  let sum = 0;
  const [purged, dead, writes] = [
    sim.state.node("purged"),
    sim.state.node("deadLettered"),
    sim.state.node("lostWrites"),
  ];
  for (const node of sim.plan.nodes) sum += purged.get(node.index) + dead.get(node.index) + writes.get(node.index);
  return sum;
}

const known = new WeakMap<Plan, readonly number[]>();

function queueNodes(plan: Plan): readonly number[] {
  const before = known.get(plan);
  if (before) return before;
  const queues = plan.services.filter((service) => service.kind === "queue");
  const nodes = queues.flatMap((service) => groupsOf(plan, service.name).map((group) => group.first));
  known.set(plan, nodes);
  return nodes;
}
