/** When somebody is woken: the first tick in which a page rule fires. */
import type { Simulation } from "../simulation";
import { TICK_SECONDS } from "../spec";

const FAILING = 0.02;
const SLOW = 0.1;
const FOR_SECONDS = 240;

/** Advances a run until a page rule fires or `limit` ticks are over; answers the tick of the page, or null. */
export function pageAt(sim: Simulation, limit: number): number | null {
  const needed = FOR_SECONDS / TICK_SECONDS;
  let held = 0;
  while (sim.tick < limit) {
    sim.advance(1);
    held = hurting(sim, sim.tick - 1) ? held + 1 : 0;
    if (held >= needed) return sim.tick - 1;
  }
  return null;
}

function hurting(sim: Simulation, tick: number): boolean {
  for (const { index } of sim.plan.entries) {
    const offered = sim.user("offered", index, tick);
    if (offered > 0 && sim.user("failed", index, tick) > FAILING * offered) return true;
    if (offered > 0 && sim.user("slow", index, tick) > SLOW * offered) return true;
  }
  return sim.plan.nodes.some(
    ({ index, service }) =>
      service.kind === "queue" && sim.node("delay", index, tick) > sim.state.node("staleAfter").get(index),
  );
}
