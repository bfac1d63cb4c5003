/** Which places, and which portions of them, a series is made of; and its value at a tick or over several. */
import { seriesKey } from "../../../core/rng";
import { TICK_SECONDS } from "../../spec";
import { type Metric, type Portion, Reading } from "./metric";
import type { Attribute, Attributes } from "./parts";
import { MISSING, PRESENT, type Presence, type Samples } from "./samples";

interface Member {
  readonly place: number;
  /** The node whose replicas report it. */
  readonly node: number;
  /** Undefined for all. */
  readonly portions: readonly Portion[] | undefined;
}

/** A series: what it is called, and what it adds up. */
export interface Selection {
  readonly attributes: Attributes;
  readonly members: readonly Member[];
  /** Only while a member runs this version of its service's code, and while it is in this zone; undefined for any. */
  readonly version: string | undefined;
  readonly zone: string | undefined;
}

interface Growing extends Selection {
  readonly members: Member[];
}

/** The node that a place of a metric belongs to. */
function nodeOf(samples: Samples, metric: Metric, place: number): number {
  const { plan } = samples.run;
  if (metric.place === "node") return place;
  if (metric.place === "call") return plan.calls[place]?.from ?? 0;
  return plan.groups[plan.entries[place]?.group ?? 0]?.first ?? 0;
}

/** Attributes of a place that do not change with time. */
function fixedAttributes(samples: Samples, metric: Metric, place: number): Attributes {
  const { plan } = samples.run;
  const node = plan.nodes[nodeOf(samples, metric, place)];
  if (!node) return {};
  const zone = metric.place === "entry" ? plan.entries[place]?.zone : node.zone;
  const { cohorts } = node.service;
  return {
    ...(zone ? { "cloud.availability_zone": zone } : {}),
    ...(metric.place === "call" ? { "server.address": plan.calls[place]?.spec.to ?? "" } : {}),
    ...(cohorts?.kind === "shard" ? { shard: shardName(node.service.name, node.cohort, cohorts.shards) } : {}),
  };
}

/** The hottest shard has a number like any other; the rest are measured together. */
function shardName(service: string, cohort: number, shards: number): string {
  const hottest = Math.abs(seriesKey(`hottest shard of ${service}`) % shards);
  return cohort === 1 ? `${hottest}` : `all but ${hottest}`;
}

/** The series of a metric of a service, grouped and filtered, sorted by their attributes; versions are those run at the ticks given. */
export function select(
  samples: Samples,
  metric: Metric,
  service: string,
  where: Attributes,
  by: readonly Attribute[],
  [from, to]: readonly [number, number],
): readonly Selection[] {
  const found = new Map<string, Growing>();
  const varies = (key: Attribute) => by.includes(key) || where[key] !== undefined;
  for (const place of metric.places(samples.run.plan, service)) {
    const node = nodeOf(samples, metric, place);
    const fixed = fixedAttributes(samples, metric, place);
    const versions = varies("service.version")
      ? samples.settings.ofVersions("code")[node]?.within(from, to)
      : undefined;
    const moves = varies("cloud.availability_zone") && movable(samples, metric, place);
    const zones = moves ? samples.settings.ofZones()[node]?.within(from, to) : undefined;
    for (const version of versions ?? [undefined])
      for (const zone of zones ?? [undefined])
        for (const [portions, attributes] of portionsBy(samples, metric, place, where, by)) {
          const all = {
            ...fixed,
            ...attributes,
            ...(version === undefined ? {} : { "service.version": version }),
            ...(zone === undefined ? {} : { "cloud.availability_zone": zone }),
          };
          if (!matches(all, where)) continue;
          const shown = Object.fromEntries(by.flatMap((key) => (all[key] === undefined ? [] : [[key, all[key]]])));
          const key = by.map((each) => all[each] ?? "").join("\u0000");
          const series: Growing = found.get(key) ?? { attributes: shown, members: [], version, zone };
          series.members.push({ place, node, portions });
          found.set(key, series);
        }
  }
  return [...found.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, series]) => series);
}

/** Whether a place may come to be in another zone. */
function movable(samples: Samples, metric: Metric, place: number): boolean {
  return (
    metric.place !== "entry" && samples.run.plan.nodes[nodeOf(samples, metric, place)]?.service.standby !== undefined
  );
}

/** The portions of a place that belong together under a grouping, those that a filter drops left out. */
function portionsBy(
  samples: Samples,
  metric: Metric,
  place: number,
  where: Attributes,
  by: readonly Attribute[],
): [readonly Portion[] | undefined, Attributes][] {
  const all = metric.portions?.(samples.run.plan, place);
  if (!all) return [[undefined, {}]];
  const own = new Set(all.flatMap((portion) => Object.keys(portion.attributes)));
  const wanted = Object.entries(where).filter(([key]) => own.has(key));
  const kept = all.filter(({ attributes }) => wanted.every(([key, value]) => attributes[key as Attribute] === value));
  const keys = by.filter((key) => own.has(key));
  if (keys.length === 0)
    return kept.length ? [[kept.length === all.length ? undefined : kept, Object.fromEntries(wanted)]] : [];
  const groups = new Map<string, [Portion[], Attributes]>();
  for (const portion of kept) {
    const key = keys.map((each) => portion.attributes[each] ?? "").join("\u0000");
    const group = groups.get(key) ?? [[], { ...Object.fromEntries(wanted), ...portion.attributes }];
    group[0].push(portion);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function matches(attributes: Attributes, where: Attributes): boolean {
  return Object.entries(where).every(([key, value]) => attributes[key as Attribute] === value);
}

/** What reading a metric takes; all of one shape, which metrics are not, so that reading is quick. */
interface How {
  readonly fold: Metric["fold"];
  readonly observer: Metric["observer"];
  readonly quantile: Metric["quantile"];
  readonly read: Metric["read"];
}

const hows = new Map<Metric, How>();

function howOf(metric: Metric): How {
  let how = hows.get(metric);
  if (!how) {
    how = { fold: metric.fold, observer: metric.observer, quantile: metric.quantile, read: metric.read.bind(metric) };
    hows.set(metric, how);
  }
  return how;
}

/** Whether a place has a reading at a tick, has nothing to report, or was not collected. */
function presence(samples: Samples, observer: Metric["observer"], place: number, node: number, tick: number): Presence {
  if (observer === "pod") return samples.heard(node, tick);
  if (observer === "collector") return PRESENT;
  if (observer === "platform") return samples.clusterScraped(tick) ? PRESENT : MISSING;
  return samples.arrived(place, tick) ? PRESENT : MISSING;
}

/** Whether a metric has a reading at a tick: somewhere it reports, and nowhere was it not collected. */
export function wasMeasured(samples: Samples, metric: Metric, places: readonly number[], tick: number): boolean {
  let present = false;
  for (const place of places) {
    const state = presence(samples, metric.observer, place, nodeOf(samples, metric, place), tick);
    if (state === MISSING) return false;
    if (state === PRESENT) present = true;
    // The platform's and the collector's own readings are there or missing as a whole.
    if (metric.observer === "platform" || metric.observer === "collector") break;
  }
  return present;
}

/**
 * Reads series. A tick counts only when every place that has something to report was collected: a sum that lacks a part is no
 * smaller sum but a gap.
 */
export class SeriesReader {
  private readonly reading = new Reading();
  private readonly active: Member[] = [];
  private present = 0;

  constructor(private readonly samples: Samples) {}

  /** The value over the ticks `from` (included) to `to` (excluded); null when none of them has one. */
  value(metric: Metric, series: Selection, from: number, to: number): number | null {
    const { reading } = this;
    const { fold, quantile, observer, read } = howOf(metric);
    reading.clear();
    let ticks = 0;
    let sum = 0;
    for (let tick = from; tick < to; tick++) {
      if (!this.gather(observer, series, tick)) continue;
      if (fold === "sum" || fold === "max" || fold === "last") reading.clear();
      for (let i = 0; i < this.present; i++) {
        const { place, portions } = this.active[i] as Member;
        read(this.samples, place, tick, reading, portions);
      }
      ticks++;
      sum = fold === "last" ? reading.numerator : sum + reading.numerator;
    }
    if (ticks === 0) return null;
    switch (fold) {
      case "rate":
        return reading.numerator / (ticks * TICK_SECONDS);
      case "ratio":
        return reading.denominator > 0 ? reading.numerator / reading.denominator : null;
      case "quantile": {
        const value = quantile ? reading.mixture.quantile(quantile) : null;
        return value !== null && reading.cap > 0 ? Math.min(value, reading.cap) : value;
      }
      case "last":
        return sum;
      default:
        return sum / ticks;
    }
  }

  /** The members that report at a tick into `active`; false when none does or one of them was not collected. */
  private gather(observer: Metric["observer"], { members, version, zone }: Selection, tick: number): boolean {
    const { active, samples } = this;
    let present = 0;
    for (const member of members) {
      if (version !== undefined || zone !== undefined) {
        const { node } = member;
        if (version !== undefined && samples.settings.ofVersions("code")[node]?.at(tick) !== version) continue;
        if (zone !== undefined && samples.settings.ofZones()[node]?.at(tick) !== zone) continue;
      }
      const state = presence(samples, observer, member.place, member.node, tick);
      if (state === MISSING) return false;
      if (state === PRESENT) active[present++] = member;
    }
    this.present = present;
    return present > 0;
  }
}
