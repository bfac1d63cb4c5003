/** Accepted incidents of a family on the six services, and what was measured while they ran. */
import { judge } from "../../../src/engine/faults/accept";
import type { FamilyId, Script } from "../../../src/engine/faults/family";
import { errorRate } from "../../../src/engine/faults/impact";
import { drawIncident, type Incident, runToPage } from "../../../src/engine/faults/incident";
import { playScript } from "../../../src/engine/faults/play-script";
import { at, script } from "../../../src/engine/faults/scripts";
import type { NodeColumn } from "../../../src/engine/record";
import type { Remedy } from "../../../src/engine/remedies/verbs";
import type { Simulation } from "../../../src/engine/simulation";
import { TICKS_PER_MINUTE } from "../../../src/engine/spec";
import { sixServices } from "../../../src/engine/topologies/six";

export interface Accepted {
  readonly seed: number;
  readonly incident: Incident;
  /** Stands at the page. */
  readonly page: Simulation;
  readonly onset: number;
}

const SEEDS = 120;

/** The first `count` accepted seeds of a family that fit. @throws Error when there are too few among the first 120. */
export function accepted(
  family: FamilyId,
  count: number,
  fits: (incident: Incident) => boolean = () => true,
): readonly Accepted[] {
  const found: Accepted[] = [];
  for (let seed = 0; seed < SEEDS && found.length < count; seed++) {
    const incident = drawIncident(sixServices, family, seed);
    if (!incident || !fits(incident) || !judge(incident).accepted) continue;
    const page = runToPage(incident);
    if (page) found.push({ seed, incident, page, onset: incident.drawn.onset });
  }
  if (found.length < count) throw new Error(`Only ${found.length} of the first ${SEEDS} seeds of ${family} fit.`);
  return found;
}

/** A fork of the page, so many minutes on, in which these orders were given two minutes after the page, one after the other. */
export function ordered(page: Simulation, minutes: number, ...remedies: readonly Remedy[]): Simulation {
  return played(page, minutes, script("orders", ...remedies.map((remedy) => at(2, remedy))));
}

/** A fork of the page, so many minutes on, in which a script was played. @throws Error when an order was refused. */
export function played(page: Simulation, minutes: number, orders: Script): Simulation {
  const { sim, refused } = playScript(page, orders, page.tick + minutes * TICKS_PER_MINUTE);
  if (refused.length) throw new Error(refused.join(" "));
  return sim;
}

/** Share of users' requests that failed in the last minutes of a run, 0..1. */
export function failing(sim: Simulation, minutes = 5, until = sim.tick): number {
  const ticks = minutes * TICKS_PER_MINUTE;
  let sum = 0;
  for (let tick = until - ticks; tick < until; tick++) sum += errorRate(sim, tick);
  return sum / ticks;
}

/** The same of one service that users ask. */
export function failingOf(sim: Simulation, service: string, minutes = 5, zone?: string): number {
  let [failed, offered] = [0, 0];
  for (const entry of sim.plan.entries) {
    if (entry.service.name !== service || (zone && entry.zone !== zone)) continue;
    for (let tick = sim.tick - minutes * TICKS_PER_MINUTE; tick < sim.tick; tick++) {
      failed += sim.user("failed", entry.index, tick);
      offered += sim.user("offered", entry.index, tick);
    }
  }
  return failed / offered;
}

/** Mean of a column over a service's nodes that have requests, in the ticks from..until. */
export function mean(
  sim: Simulation,
  column: NodeColumn,
  service: string,
  from: number,
  until: number,
  cohort?: number,
) {
  let [sum, count] = [0, 0];
  for (const node of sim.plan.nodes) {
    if (node.service.name !== service || (cohort !== undefined && node.cohort !== cohort)) continue;
    for (let tick = from; tick < until; tick++) {
      if (sim.node("arrivals", node.index, tick) === 0 && cohort === undefined) continue;
      sum += sim.node(column, node.index, tick);
      count++;
    }
  }
  return count ? sum / count : 0;
}

/** Sum of a column over a service's nodes at a tick. */
export function total(sim: Simulation, column: NodeColumn, service: string, tick = sim.tick - 1): number {
  let sum = 0;
  for (const node of sim.plan.nodes) if (node.service.name === service) sum += sim.node(column, node.index, tick);
  return sum;
}

/** Attempts a second of a call at a tick, over all callers. */
export function attempts(sim: Simulation, name: string, tick: number): number {
  let sum = 0;
  for (const call of sim.plan.calls) if (call.name === name) sum += sim.call("attempts", call.index, tick);
  return sum;
}

/** Requests a second that users make at a tick, tries again included. */
export function offered(sim: Simulation, tick: number): number {
  return sim.plan.entries.reduce((sum, { index }) => sum + sim.user("offered", index, tick), 0);
}

/** Whether a service restarted since a tick: it holds no older connections, names or sessions. */
export function restartedSince(sim: Simulation, service: string, tick: number): boolean {
  return sim.journal.some((event) => event.kind === "restarted" && event.service === service && event.tick >= tick);
}

/** Share of attempts that are lost when `share` of the requests cannot get through and are tried to the last, the others once. */
export function lostAttempts(share: number, retries: number): number {
  return (share * (retries + 1)) / (share * (retries + 1) + 1 - share);
}
