/** How far the readings of metrics can stray from what is recorded: where a threshold is farther, none needs to be drawn. */

import { TICK_SECONDS } from "../spec";
import { CPU_DEVIATION, MEMORY_DEVIATION } from "../telemetry/metrics/compute";
import { SERVER_PARTS } from "../telemetry/metrics/parts";
import type { Samples } from "../telemetry/metrics/samples";
import { FARTHEST } from "../telemetry/noise";
import type { AlertRule } from "./rule";
import { highest, lowest } from "./windows";

export interface Bound {
  readonly comparison: AlertRule["comparison"];
  /** Whether no noise could bring the reading of a place across the threshold. */
  harmless(samples: Samples, place: number, tick: number, threshold: number): boolean;
  /** Whether there is certainly a value where a place reports; yes, unless said otherwise. */
  sure?(samples: Samples, place: number, tick: number): boolean;
}

/** Ratios of a node's failures: a sum over nodes of which none is above the threshold is not above it either. */
const FAILURES: Bound = {
  comparison: ">",
  harmless(samples, node, tick, threshold) {
    const failed = (samples.node("failed", node, tick) + samples.node("rejected", node, tick)) * TICK_SECONDS;
    const parts = SERVER_PARTS[samples.run.plan.nodes[node]?.service.kind ?? "api"].length - 1;
    const well = lowest(samples.node("served", node, tick) * TICK_SECONDS, 1);
    return highest(failed, parts) * (1 - threshold) <= threshold * well;
  },
  sure: (samples, node, tick) =>
    samples.reports(node, tick) && lowest(samples.node("served", node, tick) * TICK_SECONDS, 1) > 0,
};

/** By metric; all are of instants. */
export const BOUNDS: Readonly<Record<string, Bound>> = {
  "k8s.container.cpu_limit_utilization": {
    comparison: ">",
    harmless: (samples, node, tick, threshold) =>
      samples.node("cpu", node, tick) * (1 + FARTHEST * CPU_DEVIATION) <= threshold,
  },
  "k8s.container.memory_limit_utilization": {
    comparison: ">",
    harmless: (samples, node, tick, threshold) =>
      samples.node("memory", node, tick) * (1 + FARTHEST * MEMORY_DEVIATION) <= threshold,
  },
  "container.cpu.throttled_ratio": {
    comparison: ">",
    harmless: (samples, node, tick) => samples.node("throttled", node, tick) <= 0,
  },
  "system.filesystem.utilization": {
    comparison: ">",
    harmless: (samples, node, tick, threshold) => samples.node("disk", node, tick) <= threshold,
  },
  "messaging.queue.lag": {
    comparison: ">",
    harmless: (samples, node, tick, threshold) => samples.node("delay", node, tick) <= threshold,
  },
  "health.probe.success_ratio": {
    comparison: "<",
    harmless: (samples, node, tick) =>
      samples.node("rejected", node, tick) <= 0 &&
      samples.probeFailures.at(node, tick) <= 0 &&
      (samples.run.plan.nodes[node]?.cohort === 1 || samples.node("ready", node, tick) > 0),
  },
  up: {
    comparison: "<",
    harmless: (samples, node, tick) => samples.reports(node, tick) && samples.scraped(node, tick),
  },
  "http.server.request.error_ratio": FAILURES,
  "messaging.process.error_ratio": FAILURES,
  "db.server.operation.error_ratio": FAILURES,
  "messaging.broker.operation.error_ratio": FAILURES,
};
