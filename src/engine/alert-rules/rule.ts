/**
 * Alert rules with Prometheus's meanings. A rule's condition is looked at every `every` ticks. While it holds, the alert is pending,
 * and once it has held for `for` it fires. When a pending alert's condition does not hold, the alert is gone; a firing one goes on for
 * `keepFiringFor` after the condition was last met and is then resolved.
 *
 * A missing measurement: an instant value is the last one known, up to five minutes old (the look-back of instant queries), so a gap
 * interrupts neither pending nor firing; after five minutes there is no value and the condition does not hold. A condition over a range
 * uses the measurements there are in the range.
 * @see https://prometheus.io/docs/prometheus/latest/configuration/alerting_rules/
 * @see https://prometheus.io/docs/prometheus/latest/querying/basics/#staleness
 */
import { round } from "../../core/math";
import { TICK_SECONDS } from "../spec";
import type { Attributes } from "../telemetry/metrics/parts";

/** `page` wakes somebody; `ticket` can wait for the morning. */
export type Severity = "page" | "ticket";

export interface AlertRule {
  /** CamelCase, as alert names are. */
  readonly name: string;
  readonly severity: Severity;
  readonly service: string;
  /** Of the catalogue of metrics. */
  readonly metric: string;
  readonly where?: Attributes;
  /** `value` compares the metric over the last `range` ticks (1: the instant); `increase` how much it has grown since `range` ticks ago. */
  readonly of: "value" | "increase";
  readonly range: number;
  readonly comparison: ">" | "<";
  readonly threshold: number;
  /** Ticks. */
  readonly for: number;
  /** Ticks. */
  readonly keepFiringFor: number;
  /** Ticks between evaluations. */
  readonly every: number;
  readonly labels: Readonly<Record<string, string>>;
  /** Templates: see `fill`. */
  readonly annotations: Readonly<Record<string, string>>;
}

export type AlertState = "inactive" | "pending" | "firing";

/** Age at which the last known value is no longer used, ticks: five minutes. */
export const LOOK_BACK = 300 / TICK_SECONDS;

/** The life of one alert. Fed with the value at each evaluation, in order. */
export class AlertLife {
  state: AlertState = "inactive";
  /** Tick since which the condition has held. */
  activeAt = -1;
  /** Tick at which it last began to fire. */
  firedAt = -1;
  /** Tick at which it last was resolved. */
  resolvedAt = -1;
  /** The last value for which the condition held. */
  value = 0;
  private keepFiringSince = -1;
  private known: number | null = null;
  private knownAt = -1;

  constructor(
    private readonly rule: Pick<AlertRule, "comparison" | "threshold" | "for" | "keepFiringFor" | "range" | "of">,
  ) {}

  /** Takes in the value at a tick, null where it is missing; answers the new state. */
  step(tick: number, measured: number | null): AlertState {
    const value = this.bridged(tick, measured);
    if (value !== null && this.holds(value)) this.met(tick, value);
    else this.unmet(tick);
    return this.state;
  }

  /** Whether the condition holds for a value. */
  holds(value: number): boolean {
    const { comparison, threshold } = this.rule;
    return comparison === ">" ? value > threshold : value < threshold;
  }

  /** Notes that a value was measured at a tick for which the condition did not hold, without looking at the ticks before. */
  passed(tick: number): void {
    this.known = this.rule.threshold;
    this.knownAt = tick;
  }

  /** Neither pending nor firing. */
  get idle(): boolean {
    return this.state === "inactive";
  }

  private met(tick: number, value: number): void {
    this.value = value;
    this.keepFiringSince = -1;
    if (this.state === "inactive") {
      this.state = "pending";
      this.activeAt = tick;
    }
    if (this.state === "pending" && tick - this.activeAt >= this.rule.for) {
      this.state = "firing";
      this.firedAt = tick;
    }
  }

  private unmet(tick: number): void {
    if (this.state === "firing" && this.rule.keepFiringFor > 0) {
      if (this.keepFiringSince < 0) this.keepFiringSince = tick;
      if (tick - this.keepFiringSince < this.rule.keepFiringFor) return;
    }
    if (this.state === "firing") this.resolvedAt = tick;
    this.state = "inactive";
    this.keepFiringSince = -1;
  }

  /** The measured value, or for instants the last known one while it is young enough. */
  private bridged(tick: number, measured: number | null): number | null {
    if (this.rule.of === "value" && this.rule.range > 1) return measured;
    if (measured === null) return this.known !== null && tick - this.knownAt < LOOK_BACK ? this.known : null;
    this.known = measured;
    this.knownAt = tick;
    return measured;
  }
}

/**
 * Fills a template: `{{ $value }}` and `{{ $labels.name }}`, the value also with `| humanizePercentage`, `| humanizeDuration` (of seconds)
 * or `| humanize`. Anything else stays as it is.
 * @see https://prometheus.io/docs/prometheus/latest/configuration/template_reference/
 */
export function fill(template: string, value: number, labels: Readonly<Record<string, string>>): string {
  return template.replace(
    /\{\{ *(\$value|\$labels\.([\w.]+))(?: *\| *(\w+))? *\}\}/g,
    (all, what: string, label, how) => {
      if (what !== "$value") return labels[label as string] ?? "";
      const shown = how === undefined ? plain : FORMATS[how as string];
      return shown ? shown(value) : all;
    },
  );
}

const FORMATS: Readonly<Record<string, (value: number) => string>> = {
  humanize: si,
  humanizePercentage: (value) => `${short(value * 100)}%`,
  humanizeDuration: duration,
};

function plain(value: number): string {
  return `${round(value, 4)}`;
}

/** About four significant digits. */
function short(value: number): string {
  const size = Math.abs(value);
  return `${round(value, size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3)}`;
}

function si(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e9) return `${short(value / 1e9)}G`;
  if (size >= 1e6) return `${short(value / 1e6)}M`;
  return size >= 1000 ? `${short(value / 1000)}k` : short(value);
}

function duration(seconds: number): string {
  if (Math.abs(seconds) < 1) return `${round(seconds * 1000)}ms`;
  const whole = Math.floor(Math.abs(seconds));
  const parts = [
    [Math.floor(whole / 86400), "d"],
    [Math.floor(whole / 3600) % 24, "h"],
    [Math.floor(whole / 60) % 60, "m"],
    [whole % 60, "s"],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  return `${seconds < 0 ? "-" : ""}${parts
    .slice(first)
    .map(([count, unit]) => `${count}${unit}`)
    .join(" ")}`;
}
