/** The draw as the world plays on it: everything a player may read, worked out when it is read, and the sealed truth. */
import type { Noise, Stream } from "../../../core/rng";
import { type Gauge, metricFor, metricsOfKind } from "../dependency-model/metrics";
import { type CausalSystem, type Facet, TICKS_PER_MINUTE } from "../dependency-model/system";
import { dependenciesOf } from "../dependency-model/topology";
import type {
  AlertRuleView,
  AlertsDraw,
  ChangeEvent,
  DrawnAlert,
  DrawnService,
  HistorySeries,
  ImpactReading,
} from "../draw";
import type { ShownFacet } from "../families/family";
import type { WatchRule } from "../rules";
import type { Sealed } from "../truth";
import type { FiredRule } from "./firings";
import { fingerprintOf, labelsOf, type Targets } from "./labels";
import { facetsOf, ImpactMeter } from "./measure";

export interface DrawnParts {
  readonly system: CausalSystem;
  readonly gauge: Gauge;
  readonly noise: Noise;
  readonly alerts: readonly DrawnAlert[];
  readonly changes: readonly ChangeEvent[];
  readonly facets: readonly ShownFacet[];
  readonly startOfDay: number;
  readonly rejected: number;
  readonly truth: Sealed;
}

export class GeneratedDraw implements AlertsDraw {
  readonly startOfDay: number;
  readonly fromMinute: number;
  readonly toMinute: number;
  readonly services: readonly DrawnService[];
  readonly alerts: readonly DrawnAlert[];
  readonly changes: readonly ChangeEvent[];
  readonly truth: Sealed;
  readonly rejected: number;
  readonly #parts: DrawnParts;
  readonly #meter: ImpactMeter;

  constructor(parts: DrawnParts) {
    this.#parts = parts;
    this.startOfDay = parts.startOfDay;
    this.fromMinute = parts.gauge.run.fromMinute;
    this.toMinute = parts.gauge.run.toMinute;
    this.services = servicesOf(parts.system);
    this.alerts = parts.alerts;
    this.changes = parts.changes;
    this.truth = parts.truth;
    this.rejected = parts.rejected;
    this.#meter = new ImpactMeter(parts.gauge.run, parts.noise);
  }

  metricsOf(service: string): readonly { readonly metric: string; readonly unit: string; readonly help: string }[] {
    const found = this.#parts.system.spec.services.find((candidate) => candidate.name === service);
    return found === undefined
      ? []
      : metricsOfKind(found.kind).map(({ metric, unit, help }) => ({ metric, unit, help }));
  }

  history(service: string, metric: string, from: number, to: number, maxPoints: number): readonly HistorySeries[] {
    const { system, gauge, facets } = this.#parts;
    const found = system.spec.services.find((candidate) => candidate.name === service);
    const spec = found && metricsOfKind(found.kind).find((candidate) => candidate.metric === metric);
    if (found === undefined || spec === undefined) return [];
    const minutes = thinned(
      Math.max(Math.ceil(from), this.fromMinute),
      Math.min(Math.floor(to), this.toMinute),
      maxPoints,
    );
    const parts: readonly { readonly facet: Facet | null; readonly since: number }[] = [
      { facet: null, since: Number.NEGATIVE_INFINITY },
      ...(spec.faceted ? facetsOf(system, service, spec.quantity, facets) : []),
    ];
    return parts.map(({ facet, since }) => {
      const series = gauge.series(service, found.kind, spec, facet);
      const values = minutes.map((minute) => (minute < since || series === undefined ? null : series.atMinute(minute)));
      return {
        service,
        metric,
        unit: spec.unit,
        facet: facet === null ? "" : `${facet.key}=${facet.value}`,
        minutes,
        values,
      };
    });
  }

  impact(service: string, minute: number): ImpactReading {
    const found = this.#parts.system.spec.services.find((candidate) => candidate.name === service);
    if (found === undefined)
      return { service, customerFacing: false, revenue: false, failing: null, worst: null, since: null };
    return this.#meter.reading(found, minute);
  }
}

const catalogues = new WeakMap<CausalSystem, readonly DrawnService[]>();

function servicesOf(system: CausalSystem): readonly DrawnService[] {
  let services = catalogues.get(system);
  if (services === undefined) {
    services = system.spec.services.map(({ name, kind, team, customerFacing, revenue }) => ({
      name,
      kind,
      team,
      customerFacing,
      revenue,
      dependsOn: dependenciesOf(system.spec, name),
    }));
    catalogues.set(system, services);
  }
  return services;
}

/** The whole minutes of [from, to], thinned evenly to at most `most`; the newest stays. */
function thinned(from: number, to: number, most: number): readonly number[] {
  const count = Math.max(0, to - from + 1);
  const stride = Math.max(1, Math.ceil(count / Math.max(1, most)));
  const minutes: number[] = [];
  for (let minute = to; minute >= from; minute -= stride) minutes.push(minute);
  return minutes.reverse();
}

/** An alert of a fired rule. `past` is what the alert log of the last 30 days says. */
export function drawnAlert(
  id: string,
  fired: FiredRule,
  gauge: Gauge,
  targets: Targets,
  past: PastFirings,
): DrawnAlert {
  const { rule, spans } = fired;
  const labels = labelsOf(rule, targets);
  const metric = metricFor(rule.service.kind, rule.quantity);
  const series = metric && gauge.series(rule.service.name, rule.service.kind, metric, rule.facet);
  const { fromMinute } = gauge.run;
  return {
    id,
    name: rule.name,
    service: rule.service.name,
    fingerprint: fingerprintOf(labels),
    labels,
    annotations: [
      ["runbook_url", `https://runbooks.example/${rule.name}`],
      ["summary", rule.summary],
    ],
    rule: viewOf(rule, metric?.metric ?? "", metric?.unit ?? ""),
    spans,
    valueAt: (minute) => series?.atTick(Math.floor((minute - fromMinute) * TICKS_PER_MINUTE + 0.5)) ?? null,
    past: past.days,
    pastCritical: past.critical,
  };
}

function viewOf({ name, condition, severity }: WatchRule, metric: string, unit: string): AlertRuleView {
  const { comparison, threshold, forMinutes, keepFiringMinutes } = condition;
  return { name, metric, comparison, threshold, unit, forMinutes, keepFiringMinutes, severity };
}

export interface PastFirings {
  readonly days: readonly number[];
  readonly critical: number;
}

const DAYS = 30;

/** The log of the last 30 days: many noisy alerts are old acquaintances, some are new; some real ones have fired before. */
export function pastFirings(noisy: boolean, stream: Stream): PastFirings {
  const habit = stream.unit();
  const usual = noisy
    ? habit < 0.6
      ? stream.between(0.4, 5)
      : habit < 0.8
        ? 0.1
        : 0
    : habit < 0.55
      ? 0
      : habit < 0.85
        ? 0.15
        : stream.between(0.3, 2);
  const days: number[] = [];
  for (let day = 0; day < DAYS; day++) days.push(Math.floor(usual * stream.between(0, 2) + stream.between(0, 0.6)));
  const total = days.reduce((sum, count) => sum + count, 0);
  const critical = Math.floor(total * (noisy ? (stream.chance(0.15) ? 0.08 : 0) : stream.between(0, 0.5)));
  return { days, critical };
}
