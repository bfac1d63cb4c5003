/** Rules over a run, looked at tick by tick as the run goes on. */
import { AlertLife, type AlertRule, fill } from "./alert-rules";
import { defaultRules, pageRules } from "./alert-rules-default";
import { CustomerWindow, highest, lowest } from "./alert-rules-windows";
import type { Run } from "./run";
import { TICK_SECONDS } from "./spec";
import { metricNamed } from "./telemetry/metrics-catalogue";
import { CPU_DEVIATION, MEMORY_DEVIATION } from "./telemetry/metrics-compute";
import { SERVER_PARTS } from "./telemetry/metrics-parts";
import type { Samples } from "./telemetry/metrics-samples";
import { FARTHEST } from "./telemetry/noise";
import { type FollowedSeries, Telemetry } from "./telemetry/series";
import { wasMeasured } from "./telemetry/series-selection";

/** An alert that fires or has fired. */
export interface Alert {
  readonly name: string;
  readonly severity: AlertRule["severity"];
  readonly service: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Filled with the value at which it last held. */
  readonly annotations: Readonly<Record<string, string>>;
  /** Ticks: since when its condition held, from when it fired, when it was resolved (null while it fires). */
  readonly activeAt: number;
  readonly firedAt: number;
  readonly resolvedAt: number | null;
  readonly value: number;
}

interface Watch {
  readonly rule: AlertRule;
  readonly life: AlertLife;
  /** The value at a tick; null where it is missing. */
  value(tick: number): number | null;
  /** Whether a value was measured at a tick, and no noise could have made the condition hold. */
  harmless(tick: number): boolean;
  /** Ticks between looks while nothing is the matter: an alert that fires must have held at one of them. */
  readonly stride: number;
  /** The last tick looked at. */
  looked: number;
  /** Index of its present alert in the list of those fired; −1 for none. */
  shown: number;
}

/** Evaluates rules over a run. Ask `advance` after the run has moved on. */
export class AlertEvaluation {
  /** By the ticks between evaluations. */
  private readonly groups: readonly (readonly [number, readonly Watch[]])[];
  private readonly fired: { watch: Watch; activeAt: number; firedAt: number; resolvedAt: number; value: number }[] = [];
  private next = 0;
  private page: number | null = null;

  constructor(
    private readonly run: Run,
    rules: readonly AlertRule[] = defaultRules(run.plan),
    private readonly telemetry = new Telemetry(run),
  ) {
    const windows = new Map<string, CustomerWindow>();
    const watches = rules.map((rule) => watch(rule, run, telemetry, windows));
    const intervals = [...new Set(rules.map((rule) => rule.every))];
    this.groups = intervals.map((every) => [every, watches.filter((each) => each.rule.every === every)]);
  }

  /** Evaluates the ticks that have been run since. */
  advance(): void {
    this.telemetry.samples.settings.refresh();
    for (; this.next < this.run.tick; this.next++) this.evaluate(this.next);
  }

  /** The first tick at which a page fired; null while none has. */
  get pageAt(): number | null {
    return this.page;
  }

  /** All that fire or have fired, in the order in which they began to. */
  alerts(): readonly Alert[] {
    return this.fired.map(({ watch, activeAt, firedAt, resolvedAt, value }) => {
      const { rule } = watch;
      const annotations = Object.entries(rule.annotations).map(([key, text]) => [key, fill(text, value, rule.labels)]);
      return {
        name: rule.name,
        severity: rule.severity,
        service: rule.service,
        labels: rule.labels,
        annotations: Object.fromEntries(annotations),
        activeAt,
        firedAt,
        resolvedAt: resolvedAt < 0 ? null : resolvedAt,
        value,
      };
    });
  }

  /** Those that fire now. */
  firing(): readonly Alert[] {
    return this.alerts().filter((alert) => alert.resolvedAt === null);
  }

  private evaluate(tick: number): void {
    for (const [every, watches] of this.groups) {
      if (tick % every !== 0) continue;
      for (let i = 0; i < watches.length; i++) this.look(watches[i] as Watch, tick);
    }
  }

  /**
   * While an alert is idle it is looked at only so often that no spell of `for` could be missed; when the condition may hold, the
   * evaluations since the last look are made up for. None of them can have fired: they are too few.
   */
  private look(each: Watch, tick: number): void {
    const { life, rule } = each;
    if (!life.idle) this.step(each, tick);
    else if (tick - each.looked >= each.stride && !passes(each, tick))
      for (let missed = each.looked + rule.every; missed <= tick; missed += rule.every) this.step(each, missed);
    else if (tick - each.looked < each.stride) return;
    each.looked = tick;
  }

  private step(each: Watch, tick: number): void {
    const before = each.life.state;
    const state = each.life.step(tick, each.value(tick));
    if (state === "firing") this.note(each, before !== "firing");
    else if (before === "firing") this.resolve(each);
  }

  private note(watch: Watch, begins: boolean): void {
    const { life, rule } = watch;
    if (begins) {
      watch.shown = this.fired.length;
      this.fired.push({ watch, activeAt: life.activeAt, firedAt: life.firedAt, resolvedAt: -1, value: life.value });
      if (rule.severity === "page" && this.page === null) this.page = life.firedAt;
    } else {
      const shown = this.fired[watch.shown];
      if (shown) shown.value = life.value;
    }
  }

  private resolve(watch: Watch): void {
    const shown = this.fired[watch.shown];
    if (shown) shown.resolvedAt = watch.life.resolvedAt;
  }
}

/** Whether the condition did not hold at a tick, and not for want of a value either. */
function passes({ life, rule, harmless, value }: Watch, tick: number): boolean {
  if (harmless(tick)) {
    life.passed(tick);
    return true;
  }
  const measured = value(tick);
  if (measured === null ? rule.of === "increase" || rule.range === 1 : life.holds(measured)) return false;
  life.passed(tick);
  return true;
}

/**
 * The first tick at which a page fires in what has been run; null when none does. For a run that goes on, keep an `AlertEvaluation` over
 * `pageRules` and ask that.
 */
export function pageAt(run: Run, rules: readonly AlertRule[] = pageRules(run.plan)): number | null {
  const evaluation = new AlertEvaluation(
    run,
    rules.filter((rule) => rule.severity === "page"),
  );
  evaluation.advance();
  return evaluation.pageAt;
}

function watch(rule: AlertRule, run: Run, telemetry: Telemetry, windows: Map<string, CustomerWindow>): Watch {
  const life = new AlertLife(rule);
  const stride = Math.max(1, Math.floor(rule.for / rule.every)) * rule.every;
  const common = { rule, life, stride, looked: -rule.every, shown: -1 };
  const which = CUSTOMER_RATIOS[rule.metric];
  if (which && rule.of === "value" && !rule.where) {
    const key = `${rule.service}/${rule.range}/${stride}`;
    const customers =
      windows.get(key) ?? new CustomerWindow(telemetry.samples, run.plan, rule.service, rule.range, stride);
    windows.set(key, customers);
    const minded = customers.mind(rule.threshold, which);
    return {
      ...common,
      value(tick) {
        customers.advance(tick);
        return customers.ratio(which, tick);
      },
      harmless(tick) {
        customers.advance(tick);
        return rule.comparison === ">" && customers.staysBelow(minded);
      },
    };
  }
  const metric = metricNamed(rule.metric);
  const places = metric?.places(run.plan, rule.service) ?? [];
  const bound = rule.of === "value" && rule.range === 1 && !rule.where ? BOUNDS[rule.metric] : undefined;
  let series: FollowedSeries | undefined;
  const read = (tick: number, ticks: number) => {
    series ??= telemetry.follow(rule.metric, rule.service, rule.where);
    return series.value(tick, ticks);
  };
  return {
    ...common,
    value(tick) {
      if (rule.of === "value") return read(tick, rule.range);
      const now = read(tick, 1);
      const then = read(Math.max(0, tick - rule.range), 1);
      return now === null || then === null ? null : now - then;
    },
    harmless(tick) {
      if (!bound || bound.comparison !== rule.comparison) return false;
      const { samples } = telemetry;
      let sure = bound.sure === undefined;
      for (const place of places) {
        if (!bound.harmless(samples, place, tick, rule.threshold)) return false;
        sure ||= bound.sure?.(samples, place, tick) === true;
      }
      return sure && metric !== undefined && wasMeasured(samples, metric, places, tick);
    },
  };
}

const CUSTOMER_RATIOS: Readonly<Record<string, "failed" | "slow">> = {
  "rum.request.error_ratio": "failed",
  "rum.request.slow_ratio": "slow",
};

interface Bound {
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

/** How far the readings of a metric can stray from what is recorded. */
const BOUNDS: Readonly<Record<string, Bound>> = {
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
