/** What a remedy needs of a simulation: the run so far, the values in force, and a way to make things happen. */
import type { SystemEvent } from "../events";
import type { ServiceParameter } from "../parameters";
import { type Group, groupsOf, type Node, type Plan } from "../plan";
import type { NodeColumn } from "../record";
import type { Run } from "../run";
import type { Cohort } from "../spec";

/** A run and what holds in it now; enough to check an order and to say what it would touch. */
export interface Situation extends Run {
  /** The value in force. */
  parameter(service: string, zone: string, cohort: Cohort, name: ServiceParameter): number;
  /** What is scheduled and has not happened yet. */
  readonly pending: readonly SystemEvent[];
}

export interface Controls extends Situation {
  /** Lets something happen before tick `event.tick`, which is not in the past. */
  schedule(event: SystemEvent): void;
}

/** The groups of a service that an order is about: those of one zone, or all. */
export function groupsIn(plan: Plan, service: string, zone?: string): readonly Group[] {
  const groups = groupsOf(plan, service);
  return zone === undefined ? groups : groups.filter((group) => group.zone === zone);
}

/** The value in force for a group's first cohort. */
export function inForce(run: Situation, group: Group, name: ServiceParameter): number {
  return run.parameter(group.service.name, group.zone, 0, name);
}

/** Sum of a column over the nodes of a service, as last measured; 0 before the first tick. */
export function measured(run: Run, column: NodeColumn, service: string, zone?: string): number {
  if (run.tick === 0) return 0;
  let sum = 0;
  for (const node of nodesIn(run.plan, service, zone)) sum += run.node(column, node.index, run.tick - 1);
  return sum;
}

/** The nodes of a service, over cohorts: those of one zone, or all. */
export function nodesIn(plan: Plan, service: string, zone?: string): readonly Node[] {
  return plan.nodes.filter((node) => node.service.name === service && (zone === undefined || node.zone === zone));
}

/** What happened and what will, in order. */
function eventsOf(run: Situation): readonly SystemEvent[] {
  return run.pending.length ? [...run.journal, ...run.pending] : run.journal;
}

/** Weight of a zone's users in force: 1 is its usual share. */
export function weightOf(run: Situation, zone: string): number {
  let weight = 1;
  for (const event of eventsOf(run)) if (event.kind === "traffic_shifted" && event.zone === zone) weight = event.weight;
  return weight;
}

/** Id of the last standing change whose id begins with `prefix`, or null. */
export function standing(run: Situation, prefix: string): string | null {
  let id: string | null = null;
  for (const event of run.journal)
    if (event.kind === "changed" && event.id.startsWith(prefix)) id = event.id;
    else if (event.kind === "reverted" && event.id === id) id = null;
  return id;
}
