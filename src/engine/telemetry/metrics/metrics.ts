/**
 * Reading the metrics of a run: which series there are, and their points. Nothing is stored; every number is computed when it is read,
 * as a pure function of the run's seed, the series and the tick. Every answer is bounded and says what was left out.
 */
import type { Run } from "../../run";
import { quoted } from "../../words";
import { metricNamed, metricsOfService } from "./catalogue";
import type { Metric } from "./metric";
import { ATTRIBUTES, type Attribute, type Attributes } from "./parts";
import { Samples } from "./samples";
import { type Selection, SeriesReader, select } from "./selection";

/** Most series an answer has. */
export const MOST_SERIES = 24;
/** Most points of a series. */
export const MOST_POINTS = 240;
/** Most metrics a listing has. */
const MOST_METRICS = 200;

export interface SeriesQuery {
  /** A name of the catalogue. */
  readonly metric: string;
  readonly service: string;
  /** Only series, or parts of them, with these attributes. */
  readonly where?: Attributes;
  /** One series for each combination of these attributes; one in all without. */
  readonly by?: readonly Attribute[];
  /** First tick. */
  readonly from: number;
  /** Tick after the last. */
  readonly to: number;
  /** Ticks a point covers; 1 unless said otherwise. */
  readonly step?: number;
}

export interface Series {
  readonly attributes: Attributes;
  /** One a step: the value over its ticks, null where there is none. */
  readonly points: readonly (number | null)[];
}

export interface SeriesAnswer {
  readonly metric: string;
  readonly unit: string;
  readonly service: string;
  readonly from: number;
  readonly to: number;
  readonly step: number;
  readonly series: readonly Series[];
  /** What was left out or changed, and how to ask for it; empty when nothing was. */
  readonly cut: readonly string[];
}

export interface ListedMetric {
  readonly metric: string;
  readonly service: string;
  readonly unit: string;
  readonly meaning: string;
  /** The OpenTelemetry instrument it is computed from, where the name differs. */
  readonly instrument?: string;
  /** Page of the convention. */
  readonly source?: string;
  /** What it can be grouped and filtered by, with the values there are. */
  readonly attributes: { readonly [A in Attribute]?: readonly string[] };
}

export interface Catalogue {
  readonly metrics: readonly ListedMetric[];
  readonly total: number;
  readonly cut: readonly string[];
}

/** A query that cannot be answered; the message says why and what can be asked. */
export class QueryError extends Error {
  override readonly name = "QueryError";
}

/** A series to be read again and again. */
export interface FollowedSeries {
  /** Its value over the `ticks` up to and with `tick`; null when there is none. */
  value(tick: number, ticks: number): number | null;
}

export class Metrics {
  readonly samples: Samples;
  private readonly reader: SeriesReader;
  private readonly followed = new Map<string, FollowedSeries>();

  constructor(private readonly run: Run) {
    this.samples = new Samples(run);
    this.reader = new SeriesReader(this.samples);
  }

  /** Takes in what has happened since; `catalogue`, `query` and `value` do so by themselves. */
  refresh(): void {
    this.samples.settings.refresh();
  }

  /** The metrics of the run, of one service or of those whose name contains a text. */
  catalogue(filter: { readonly service?: string; readonly contains?: string } = {}): Catalogue {
    this.refresh();
    const services = this.run.plan.services.filter(({ name }) => !filter.service || name === filter.service);
    if (services.length === 0) throw new QueryError(this.unknownService(filter.service ?? ""));
    const found = services.flatMap(({ name }) =>
      metricsOfService(this.run.plan, name)
        .filter((metric) => !filter.contains || metric.name.includes(filter.contains))
        .map((metric) => [name, metric] as const),
    );
    const shown = found.slice(0, MOST_METRICS).map(([service, metric]) => this.listed(service, metric));
    const left = found.length - shown.length;
    const cut = left
      ? [`${left} of ${found.length} metrics are left out; name a service, or a part of the metric's name.`]
      : [];
    return { metrics: shown, total: found.length, cut };
  }

  /** Points of the series asked for. @throws QueryError when there is no such metric, service, attribute or time. */
  query(query: SeriesQuery): SeriesAnswer {
    this.refresh();
    const { service, where = {}, by = [] } = query;
    const metric = this.find(query.metric, service);
    this.check(metric, [...by, ...Object.keys(where)]);
    const { from, to, step, cut } = this.range(query);
    const all = select(this.samples, metric, service, where, by, [from, to]);
    if (all.length === 0)
      throw new QueryError(
        `No series of ${metric.name} of ${service} has ${describe(where)}; list the metric to see the values there are.`,
      );
    const chosen = all.slice(0, MOST_SERIES);
    if (chosen.length < all.length)
      cut.push(
        `${all.length - chosen.length} of ${all.length} series are left out; filter by ${by.join(" or ")}, or group by less.`,
      );
    const series = chosen.map((each) => ({
      attributes: each.attributes,
      points: this.points(metric, each, from, to, step),
    }));
    return { metric: metric.name, unit: metric.unit, service, from, to, step, series, cut };
  }

  /**
   * One number: a metric of a service over the `ticks` up to and with `tick`; null when there is none.
   * @throws QueryError as `query` does
   */
  value(name: string, service: string, tick: number, ticks = 1, where?: Attributes): number | null {
    this.refresh();
    return this.follow(name, service, where).value(tick, ticks);
  }

  /**
   * One series, resolved once and read often; `refresh` is to be called when the run has moved on. Not for filters by
   * version, whose members change.
   * @throws QueryError as `query` does
   */
  follow(name: string, service: string, where?: Attributes): FollowedSeries {
    const key = where ? `${name} of ${service} with ${describe(where)}` : `${name} of ${service}`;
    const known = this.followed.get(key);
    if (known) return known;
    const metric = this.find(name, service);
    this.check(metric, Object.keys(where ?? {}));
    const found = select(this.samples, metric, service, where ?? {}, [], [0, Math.max(1, this.run.tick)])[0];
    if (!found) throw new QueryError(`No series of ${name} of ${service} has ${describe(where ?? {})}.`);
    const { reader, run } = this;
    const followed: FollowedSeries = {
      value: (tick, ticks) =>
        tick < 0 || tick >= run.tick ? null : reader.value(metric, found, Math.max(0, tick + 1 - ticks), tick + 1),
    };
    if (where?.["service.version"] === undefined) this.followed.set(key, followed);
    return followed;
  }

  private points(metric: Metric, series: Selection, from: number, to: number, step: number): (number | null)[] {
    const points: (number | null)[] = [];
    for (let tick = from; tick < to; tick += step)
      points.push(this.reader.value(metric, series, tick, Math.min(to, tick + step)));
    return points;
  }

  private find(name: string, service: string): Metric {
    const { plan } = this.run;
    const metric = metricNamed(name);
    if (!plan.services.some((each) => each.name === service)) throw new QueryError(this.unknownService(service));
    if (metric && metric.places(plan, service).length > 0) return metric;
    const near = metricsOfService(plan, service).map((each) => each.name);
    if (near.length === 0)
      throw new QueryError(`${service} is run by others and shows no metrics; look at those of its callers.`);
    throw new QueryError(`${service} has no metric ${quoted(name)}; it has ${near.join(", ")}.`);
  }

  private check(metric: Metric, attributes: readonly string[]): void {
    for (const key of attributes)
      if (!metric.attributes.includes(key as Attribute))
        throw new QueryError(
          metric.attributes.length
            ? `${metric.name} has no attribute ${quoted(key)}; it has ${metric.attributes.join(", ")}.`
            : `${metric.name} has no attributes to group or filter by.`,
        );
  }

  /** The ticks to read, as whole numbers within what has happened, and the step that keeps the points within bounds. */
  private range(query: SeriesQuery): { from: number; to: number; step: number; cut: string[] } {
    const cut: string[] = [];
    const whole = (x: number) => (x > 0 ? Math.floor(x) : 0);
    const from = whole(query.from);
    const to = Math.min(whole(query.to), this.run.tick);
    if (!(from < to))
      throw new QueryError(
        `There is nothing from tick ${query.from} to ${query.to}; ${this.run.tick} ticks have happened, the first is 0.`,
      );
    if (whole(query.to) > this.run.tick) cut.push(`Ticks from ${this.run.tick} on have not happened yet.`);
    const asked = Math.max(1, whole(query.step ?? 1));
    const step = Math.max(asked, Math.ceil((to - from) / MOST_POINTS));
    if (step > asked)
      cut.push(
        `A point covers ${step} ticks instead of ${asked}, since a series has at most ${MOST_POINTS} points; ask for a shorter time to see more.`,
      );
    return { from, to, step, cut };
  }

  private listed(service: string, metric: Metric): ListedMetric {
    const { name, unit, meaning, instrument, source } = metric;
    const attributes: { [A in Attribute]?: readonly string[] } = {};
    for (const key of metric.attributes) {
      const series = select(this.samples, metric, service, {}, [key], [0, Math.max(1, this.run.tick)]);
      const values = series.flatMap((each) => each.attributes[key] ?? []);
      if (values.length) attributes[key] = values;
    }
    const named = instrument && instrument !== name ? { instrument } : {};
    return { metric: name, service, unit, meaning, ...named, ...(source ? { source } : {}), attributes };
  }

  private unknownService(name: string): string {
    return `There is no service ${quoted(name)}; the services are ${this.run.plan.services.map((each) => each.name).join(", ")}.`;
  }
}

function describe(where: Attributes): string {
  const pairs = ATTRIBUTES.flatMap((key) => (where[key] === undefined ? [] : [`${key} ${quoted(where[key])}`]));
  return pairs.join(", ") || "any value";
}
