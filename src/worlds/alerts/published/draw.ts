/** Draws one published task: the seed picks the variant, the values, the durations and the order. */
import { round } from "../../../core/math";
import { type Seed, Stream } from "../../../core/rng";
import type { PublishedView } from "../observation";
import { isNoise } from "./noise";
import type { TaskId } from "./scenarios";
import type { PublishedTruth } from "./truth";
import { type AlertTemplate, EASY, HARD, MEDIUM, NOISE, type Variant } from "./variants";

export const NOISE_ALERTS = 5;

export interface DrawnTask {
  readonly alerts: PublishedView["alerts"];
  /** Unit of each alert's value, in the order of `alerts`. */
  readonly units: readonly string[];
  /** Minutes after midnight when the alerts arrive. */
  readonly startOfDay: number;
  readonly truth: PublishedTruth;
}

/** @throws RangeError when the seed is not a whole number ≥ 0. */
export function drawTask(task: TaskId, seed: Seed, canary = ""): DrawnTask {
  const stream = Stream.of(seed, `alerts:${task}`);
  const variant = variantOf(task, stream.fork("variant"));
  const noise = task === "task_hard" ? stream.fork("noise").shuffle(NOISE).slice(0, NOISE_ALERTS) : [];
  const templates = stream.fork("order").shuffle([...variant.alerts, ...noise]);
  const values = stream.fork("values");
  const alerts = templates.map((template, index) => drawAlert(template, index, values));
  const noiseIds = alerts.filter(isNoise).map((alert) => alert.alert_id);
  return {
    alerts,
    units: templates.map((template) => template.unit),
    startOfDay: stream.fork("clock").integer(0, 1439),
    truth: {
      family: variant.family,
      severity: variant.severity,
      team: variant.team,
      rootCause: canary + variant.rootCause,
      keywords: variant.keywords,
      noise: noiseIds,
      real: alerts.map((alert) => alert.alert_id).filter((id) => !noiseIds.includes(id)),
      canary,
    },
  };
}

function variantOf(task: TaskId, stream: Stream): Variant {
  if (task === "task_easy") return stream.pick(EASY);
  if (task === "task_medium") return stream.pick(MEDIUM);
  return HARD;
}

function drawAlert(template: AlertTemplate, index: number, stream: Stream): PublishedView["alerts"][number] {
  return {
    alert_id: `a${String(index + 1).padStart(2, "0")}`,
    service: stream.pick(template.services),
    metric: template.metric,
    value: round(template.threshold * stream.between(...template.over), 2),
    threshold: template.threshold,
    duration_s: stream.integer(...template.seconds),
  };
}
