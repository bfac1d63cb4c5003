/** Plays a script on a fork of a run: orders at their minutes, or as soon as the one before is done. */
import { carryOut } from "../remedies/carry-out";
import { validate } from "../remedies/validate";
import type { Simulation } from "../simulation";
import { TICKS_PER_MINUTE } from "../spec";
import type { Script } from "./family";

export interface Played {
  readonly sim: Simulation;
  /** Orders that were refused, with the reason: a script that cannot be carried out is a fault of the draw. */
  readonly refused: readonly string[];
}

/**
 * @param page the run at the page; it is not touched
 * @param until tick at which the fork is stopped
 */
export function playScript(page: Simulation, script: Script, until: number): Played {
  const sim = page.fork();
  const start = page.tick;
  const refused: string[] = [];
  for (const { minute, remedy } of script.orders) {
    const at = Math.min(until, start + minute * TICKS_PER_MINUTE);
    if (at > sim.tick) sim.advance(at - sim.tick);
    const problem = validate(sim.plan, sim, remedy);
    if (problem) refused.push(`${script.name}: ${problem.message}`);
    else sim.advance(Math.min(carryOut(sim, remedy).durationTicks, until - sim.tick));
  }
  if (until > sim.tick) sim.advance(until - sim.tick);
  return { sim, refused };
}
