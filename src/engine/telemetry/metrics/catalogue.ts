/** All metrics there are. Which of them a service has follows from its kind and its calls. */
import type { Plan } from "../../plan";
import { COMPUTE_METRICS } from "./compute";
import type { Metric } from "./metric";
import { POOL_METRICS } from "./pools";
import { PROBE_METRICS } from "./probes";
import { REQUEST_METRICS } from "./requests";
import { STORE_METRICS } from "./stores";

export const METRICS: readonly Metric[] = [
  ...REQUEST_METRICS,
  ...COMPUTE_METRICS,
  ...STORE_METRICS,
  ...POOL_METRICS,
  ...PROBE_METRICS,
];

const byName = new Map(METRICS.map((metric) => [metric.name, metric]));

/** The metric of a name; undefined where there is none. */
export function metricNamed(name: string): Metric | undefined {
  return byName.get(name);
}

/** The metrics that a service has. */
export function metricsOfService(plan: Plan, service: string): readonly Metric[] {
  return METRICS.filter((metric) => metric.places(plan, service).length > 0);
}
