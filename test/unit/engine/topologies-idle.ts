/** An hour in which nothing happens to a system, and what would be wrong with it. */
import { compile } from "../../../src/engine/plan";
import { Simulation } from "../../../src/engine/simulation";
import type { SystemSpec } from "../../../src/engine/spec";

const HOUR = 240;

export interface IdleHour {
  /** Share of users' requests that failed, in the worst tick. */
  readonly errorRate: number;
  /** Highest CPU utilisation of any node. */
  readonly cpu: number;
  /** Highest steady swing from tick to tick of any node's arrivals, against its mean; the load's own wandering hardly counts. */
  readonly alternation: number;
  /** Highest share of attempts that ran into a time-out or found no connection. */
  readonly strained: number;
  /** Longest that a message waits, s. */
  readonly delay: number;
  /** Lowest hit ratio of a cache. */
  readonly hits: number;
  /** Things that the system did by itself. */
  readonly happened: number;
}

export function idleHour(spec: SystemSpec, seed: number): IdleHour {
  const plan = compile(spec);
  const run = new Simulation(plan, seed);
  run.advance(HOUR);
  const ticks = Array.from({ length: HOUR }, (_, tick) => tick);
  const most = (values: readonly number[]) => values.reduce((best, value) => Math.max(best, value), 0);
  const errors = ticks.map((tick) => {
    const sum = (column: "offered" | "failed") =>
      plan.entries.reduce((total, entry) => total + run.user(column, entry.index, tick), 0);
    return sum("failed") / sum("offered");
  });
  const strained = plan.calls.map((call) => {
    const sum = (column: "attempts" | "timedOut" | "unacquired") =>
      ticks.reduce((total, tick) => total + run.call(column, call.index, tick), 0);
    return sum("attempts") > 0 ? (sum("timedOut") + sum("unacquired")) / sum("attempts") : 0;
  });
  const caches = plan.nodes.filter((node) => node.service.kind === "cache");
  const queues = plan.nodes.filter((node) => node.service.kind === "queue");
  return {
    errorRate: most(errors),
    cpu: most(plan.nodes.map((node) => most(ticks.map((tick) => run.node("cpu", node.index, tick))))),
    alternation: most(plan.nodes.map((node) => swing(ticks.map((tick) => run.node("arrivals", node.index, tick))))),
    strained: most(strained),
    delay: most(queues.map((node) => most(ticks.map((tick) => run.node("delay", node.index, tick))))),
    hits: Math.min(1, ...caches.map((node) => run.node("level", node.index, HOUR - 1))),
    happened: run.journal.length,
  };
}

/**
 * Amplitude of a swing with a period of two ticks, relative to the mean: the mean of (−1)^t · (x_t − (x_{t−1} + x_{t+1})/2) ÷ 2.
 * An alternation ±a gives a; chance variation averages out.
 */
export function swing(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  if (!(mean > 0)) return 0;
  let sum = 0;
  for (let i = 1; i < values.length - 1; i++) {
    const apart = (values[i] as number) - ((values[i - 1] as number) + (values[i + 1] as number)) / 2;
    sum += i % 2 ? -apart : apart;
  }
  return Math.abs(sum) / (2 * (values.length - 2) * mean);
}
