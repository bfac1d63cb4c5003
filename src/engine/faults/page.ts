/** When somebody is woken: the first tick in which a page rule fires over what is measured. */

import { pageRules } from "../alert-rules-default";
import { AlertEvaluation } from "../alert-rules-evaluation";
import type { Simulation } from "../simulation";

/**
 * Advances a run until a page rule fires or `limit` ticks are over; answers the tick of the page, after which the run stands. Null when
 * none fires in time, or when one had fired in what was run before.
 */
export function pageAt(sim: Simulation, limit: number): number | null {
  const evaluation = new AlertEvaluation(sim, pageRules(sim.plan));
  evaluation.advance();
  if (evaluation.pageAt !== null) return null;
  while (sim.tick < limit) {
    sim.advance(1);
    evaluation.advance();
    if (evaluation.pageAt !== null) return evaluation.pageAt;
  }
  return null;
}
