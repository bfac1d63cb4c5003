/** Rules over a run, looked at tick by tick as the run goes on. */

import type { Run } from "../run";
import { Metrics } from "../telemetry/metrics/metrics";
import { defaultRules } from "./default";
import { type AlertRule, fill } from "./rule";
import { type Watch, watch } from "./watch";
import type { CustomerWindow } from "./windows";

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
    private readonly metrics = new Metrics(run),
  ) {
    const windows = new Map<string, CustomerWindow>();
    const watches = rules.map((rule) => watch(rule, run, metrics, windows));
    const intervals = [...new Set(rules.map((rule) => rule.every))];
    this.groups = intervals.map((every) => [every, watches.filter((each) => each.rule.every === every)]);
  }

  /** Evaluates the ticks that have been run since. */
  advance(): void {
    this.metrics.refresh();
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
    else if (tick - each.looked >= each.stride && !each.passes(tick))
      for (let missed = each.looked + rule.every; missed <= tick; missed += rule.every) this.step(each, missed);
    else if (tick - each.looked < each.stride) return;
    each.looked = tick;
  }

  private step(each: Watch, tick: number): void {
    const before = each.life.state;
    const state = each.life.step(tick, each.value(tick));
    if (state === "firing" && before !== "firing") this.begin(each);
    else if (state === "firing") this.goOn(each);
    else if (before === "firing") this.resolve(each);
  }

  private begin(watch: Watch): void {
    const { activeAt, firedAt, value } = watch.life;
    watch.shown = this.fired.length;
    this.fired.push({ watch, activeAt, firedAt, resolvedAt: -1, value });
    if (watch.rule.severity === "page" && this.page === null) this.page = firedAt;
  }

  private goOn(watch: Watch): void {
    const shown = this.fired[watch.shown];
    if (shown) shown.value = watch.life.value;
  }

  private resolve(watch: Watch): void {
    const shown = this.fired[watch.shown];
    if (shown) shown.resolvedAt = watch.life.resolvedAt;
  }
}
