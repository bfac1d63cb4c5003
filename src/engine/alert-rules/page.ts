/** When somebody is woken: the first tick in which a page rule fires over what is measured. */
import type { Run } from "../run";
import { pageRules } from "./default";
import { AlertEvaluation } from "./evaluation";

/**
 * Advances a run until a page rule fires or `limit` ticks are over; answers the tick of the page, after which the run stands. Null when
 * none fires in time, or when one had fired in what was run before.
 */
export function advanceToPage(run: Run & { advance(ticks: number): void }, limit: number): number | null {
  const evaluation = new AlertEvaluation(run, pageRules(run.plan));
  evaluation.advance();
  if (evaluation.pageAt !== null) return null;
  while (run.tick < limit) {
    run.advance(1);
    evaluation.advance();
    if (evaluation.pageAt !== null) return evaluation.pageAt;
  }
  return null;
}
