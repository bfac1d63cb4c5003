/** One rule over one run: the life of its alert, and how its values are come by. */

import type { Plan } from "../plan";
import type { Run } from "../run";
import { metricNamed } from "../telemetry/metrics/catalogue";
import type { Metric } from "../telemetry/metrics/metric";
import type { FollowedSeries, Metrics } from "../telemetry/metrics/metrics";
import { wasMeasured } from "../telemetry/metrics/selection";
import { BOUNDS, type Bound } from "./bounds";
import { AlertLife, type AlertRule } from "./rule";
import { CustomerWindow, type Minded, type Outcome } from "./windows";

/** A rule being watched. */
export abstract class Watch {
  readonly life: AlertLife;
  /** Ticks between looks while nothing is the matter: an alert that fires must have held at one of them. */
  readonly stride: number;
  /** The last tick looked at. */
  looked: number;
  /** Index of its present alert in the list of those fired; −1 for none. */
  shown = -1;

  constructor(readonly rule: AlertRule) {
    this.life = new AlertLife(rule);
    this.stride = strideOf(rule);
    this.looked = -rule.every;
  }

  /** The value at a tick; null where it is missing. */
  abstract value(tick: number): number | null;

  /** Whether a value was measured at a tick, and no noise could have made the condition hold. */
  protected abstract harmless(tick: number): boolean;

  /** Whether the condition did not hold at a tick, and not for want of a value either. */
  passes(tick: number): boolean {
    const { life, rule } = this;
    if (!this.harmless(tick)) {
      const measured = this.value(tick);
      if (measured === null ? rule.of === "increase" || rule.range === 1 : life.holds(measured)) return false;
    }
    life.passed(tick);
    return true;
  }
}

function strideOf(rule: AlertRule): number {
  return Math.max(1, Math.floor(rule.for / rule.every)) * rule.every;
}

/** Watches a rule; rules about the same customers over the same range share a window. */
export function watch(rule: AlertRule, run: Run, metrics: Metrics, windows: Map<string, CustomerWindow>): Watch {
  const which = CUSTOMER_RATIOS[rule.metric];
  if (!which || rule.of !== "value" || rule.where) return new MetricWatch(rule, run, metrics);
  const stride = strideOf(rule);
  const key = `${rule.service}/${rule.range}/${stride}`;
  let customers = windows.get(key);
  if (!customers) {
    customers = new CustomerWindow(metrics.samples, run.plan, rule.service, rule.range, stride);
    windows.set(key, customers);
  }
  return new CustomerWatch(rule, customers, which);
}

/** A rule about what customers see, over a window that it may share. */
class CustomerWatch extends Watch {
  private readonly minded: Minded;

  constructor(
    rule: AlertRule,
    private readonly customers: CustomerWindow,
    private readonly which: Outcome,
  ) {
    super(rule);
    this.minded = customers.mind(rule.threshold, which);
  }

  value(tick: number): number | null {
    this.customers.advance(tick);
    return this.customers.ratio(this.which, tick);
  }

  protected harmless(tick: number): boolean {
    this.customers.advance(tick);
    return this.rule.comparison === ">" && this.customers.staysBelow(this.minded);
  }
}

/** A rule about any metric. */
class MetricWatch extends Watch {
  private readonly metric: Metric | undefined;
  private readonly places: readonly number[];
  private readonly bound: Bound | undefined;
  private series: FollowedSeries | undefined;

  constructor(
    rule: AlertRule,
    run: Run,
    private readonly metrics: Metrics,
  ) {
    super(rule);
    this.metric = metricNamed(rule.metric);
    this.places = placesOf(run.plan, rule, this.metric);
    const bound = rule.of === "value" && rule.range === 1 && !rule.where ? BOUNDS[rule.metric] : undefined;
    this.bound = bound?.comparison === rule.comparison ? bound : undefined;
  }

  value(tick: number): number | null {
    const { rule } = this;
    if (rule.of === "value") return this.read(tick, rule.range);
    const now = this.read(tick, 1);
    const then = this.read(Math.max(0, tick - rule.range), 1);
    return now === null || then === null ? null : now - then;
  }

  protected harmless(tick: number): boolean {
    const { bound, places, metric, rule } = this;
    if (!bound || !metric) return false;
    const { samples } = this.metrics;
    let sure = bound.sure === undefined;
    for (let i = 0; i < places.length; i++) {
      const place = places[i] as number;
      if (!bound.harmless(samples, place, tick, rule.threshold)) return false;
      if (!sure && bound.sure) sure = bound.sure(samples, place, tick);
    }
    return sure && wasMeasured(samples, metric, places, tick);
  }

  private read(tick: number, ticks: number): number | null {
    this.series ??= this.metrics.follow(this.rule.metric, this.rule.service, this.rule.where);
    return this.series.value(tick, ticks);
  }
}

const placesOfPlans = new WeakMap<Plan, Map<AlertRule, readonly number[]>>();

/** Where a rule's metric is read; worked out once for a plan. */
function placesOf(plan: Plan, rule: AlertRule, metric: Metric | undefined): readonly number[] {
  const ofPlan = placesOfPlans.get(plan) ?? new Map<AlertRule, readonly number[]>();
  placesOfPlans.set(plan, ofPlan);
  const known = ofPlan.get(rule) ?? metric?.places(plan, rule.service) ?? [];
  ofPlan.set(rule, known);
  return known;
}

const CUSTOMER_RATIOS: Readonly<Record<string, Outcome>> = {
  "rum.request.error_ratio": "failed",
  "rum.request.slow_ratio": "slow",
};
