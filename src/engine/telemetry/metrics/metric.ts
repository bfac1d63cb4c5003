/** What a metric is: its name and unit, where it is read, and how the readings of places and ticks become one number. */
import { seriesKey } from "../../../core/rng";
import type { Plan } from "../../plan";
import type { NodeColumn } from "../../record";
import { combineKeys, type Quantile } from "../noise";
import { LatencyMixture } from "../percentiles";
import type { Attribute, Attributes } from "./parts";
import type { Samples } from "./samples";

/**
 * How readings are put together over places and over the ticks of a step.
 * `rate`: counts ÷ time. `ratio`: sum of numerators ÷ sum of denominators. `quantile`: of the mixture of latencies.
 * `sum`: sum over places, mean over ticks. `max`: largest place, mean over ticks. `last`: sum over places at the last tick.
 */
export type Fold = "rate" | "ratio" | "quantile" | "sum" | "max" | "last";

/**
 * Who sees it, and so when it is missing. `pod`: the replicas themselves, nothing without a ready one. `platform`: the orchestrator
 * and the hosts. `outside`: users' browsers and synthetic checks. `collector`: whoever collects; never missing.
 */
export type Observer = "pod" | "platform" | "outside" | "collector";

/** A sub-count that can be grouped and filtered by its attributes. */
export interface Portion {
  readonly attributes: Attributes;
}

/** Where the readings of one tick, or of the ticks of one step, are added up. */
export class Reading {
  numerator = 0;
  denominator = 0;
  /** Latency beyond this cannot be: the caller has given up; s. */
  cap = 0;
  readonly mixture = new LatencyMixture();

  /** Keeps the largest reading. */
  raise(value: number): void {
    if (value > this.numerator) this.numerator = value;
  }

  /** Adds a part and its whole, or a weighted value and its weight. */
  add(part: number, whole: number): void {
    this.numerator += part;
    this.denominator += whole;
  }

  clear(): void {
    this.numerator = 0;
    this.denominator = 0;
    this.cap = 0;
    this.mixture.clear();
  }
}

export interface Metric {
  readonly name: string;
  /** UCUM, with annotations in braces as OpenTelemetry writes them. */
  readonly unit: string;
  /** The instrument it is computed from, where that has another name. */
  readonly instrument?: string;
  readonly meaning: string;
  /** Page of the convention the name is from; absent where there is none. */
  readonly source?: string;
  readonly fold: Fold;
  readonly quantile?: Quantile;
  readonly observer: Observer;
  readonly place: "node" | "call" | "entry";
  /** What its series can be grouped and filtered by. */
  readonly attributes: readonly Attribute[];
  /** Where a service has it: indices of nodes, calls or entries; none where it has not. */
  places(plan: Plan, service: string): readonly number[];
  /** The portions of a place, where it has any. */
  portions?(plan: Plan, place: number): readonly Portion[];
  /** Adds the reading of a place at a tick; `portions` are the wanted ones, undefined for all. */
  read(samples: Samples, place: number, tick: number, into: Reading, portions?: readonly Portion[]): void;
}

export const CONVENTIONS = {
  http: "https://opentelemetry.io/docs/specs/semconv/http/http-metrics/",
  database: "https://opentelemetry.io/docs/specs/semconv/database/database-metrics/",
  messaging: "https://opentelemetry.io/docs/specs/semconv/messaging/messaging-metrics/",
  system: "https://opentelemetry.io/docs/specs/semconv/system/system-metrics/",
  kubernetes: "https://opentelemetry.io/docs/specs/semconv/system/k8s-metrics/",
  kubelet:
    "https://github.com/open-telemetry/opentelemetry-collector-contrib/blob/main/receiver/kubeletstatsreceiver/documentation.md",
  docker:
    "https://github.com/open-telemetry/opentelemetry-collector-contrib/blob/main/receiver/dockerstatsreceiver/documentation.md",
  httpcheck:
    "https://github.com/open-telemetry/opentelemetry-collector-contrib/blob/main/receiver/httpcheckreceiver/documentation.md",
  prometheus: "https://prometheus.io/docs/concepts/jobs_instances/",
} as const;

/** Nodes of a service whose kind is one of `kinds`. */
export function nodesOfKinds(...kinds: readonly string[]) {
  return (plan: Plan, service: string): readonly number[] =>
    plan.nodes
      .filter((node) => node.service.name === service && kinds.includes(node.service.kind))
      .map((node) => node.index);
}

/** Entries of a service. */
export function entriesOf(plan: Plan, service: string): readonly number[] {
  return plan.entries.filter((entry) => entry.service.name === service).map((entry) => entry.index);
}

/** Services whose insides are ours to measure: all but third parties. */
export const OURS = ["edge", "api", "worker", "database", "cache", "queue"] as const;

/** What the series of a node can be grouped by. */
export const BY_NODE: readonly Attribute[] = ["cloud.availability_zone", "service.version", "shard"];

type OnNode = Pick<Metric, "name" | "unit" | "meaning" | "fold" | "observer" | "places"> &
  Partial<Pick<Metric, "source" | "instrument" | "attributes">>;

/** Reads a node: `key` is the noise of the metric there; the reading goes into `into`, the largest one of `max` metrics, else the sum. */
type NodeRead = (samples: Samples, node: number, tick: number, key: number, into: Reading) => void;

/** A metric of nodes. */
export function onNode(about: OnNode, read: NodeRead): Metric {
  const own = seriesKey(about.name);
  return {
    attributes: BY_NODE,
    ...about,
    place: "node",
    read: (samples, node, tick, into) =>
      read(samples, node, tick, combineKeys(own, samples.keys.nodes[node] as number), into),
  };
}

/** A column as it stands: what is counted exactly. */
export function exact(column: NodeColumn): NodeRead {
  return (samples, node, tick, _key, into) => {
    into.numerator += Math.floor(samples.node(column, node, tick) + 1e-6);
  };
}
