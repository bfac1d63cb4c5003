/**
 * Single measurements: one place, one tick. Counts are whole numbers of a tick of 15 s; shares 0..1; durations seconds. Everything a
 * metric is made of is drawn here once, so that two metrics over the same requests agree: the request rate is the sum of the counts
 * by status, the error ratio is their quotient.
 */
import { seriesKey } from "../../../core/rng";
import { SERVICE_PARAMETERS } from "../../parameters";
import type { Plan } from "../../plan";
import type { CallColumn, NodeColumn, UserColumn } from "../../record";
import type { Run } from "../../run";
import { TICK_SECONDS } from "../../spec";
import { combineKeys, MeasurementNoise } from "../noise";
import { type ParameterOfPlaces, Settings } from "../settings";

/** Measurements from outside the system, and of the platform about it, go missing this often, whatever befalls a service. */
const OUTSIDE_LOSS = SERVICE_PARAMETERS.scrapeLoss.initial;

/** Noise keys of the places of a plan. */
interface PlaceKeys {
  readonly nodes: readonly number[];
  readonly calls: readonly number[];
  readonly entries: readonly number[];
}

const keysOfPlans = new WeakMap<Plan, PlaceKeys>();

/** The noise keys of a plan's places; they depend on names only. */
function placeKeys(plan: Plan): PlaceKeys {
  const known = keysOfPlans.get(plan);
  if (known) return known;
  const nodeName = (index: number) => {
    const node = plan.nodes[index];
    return node ? `${node.service.name}/${node.zone}/${node.cohort}` : "";
  };
  const keys = {
    nodes: plan.nodes.map((node) => seriesKey(nodeName(node.index))),
    calls: plan.calls.map((call) => seriesKey(`${nodeName(call.from)}>${call.spec.to}`)),
    entries: plan.entries.map((entry) => seriesKey(`users/${entry.service.name}/${entry.zone}`)),
  };
  keysOfPlans.set(plan, keys);
  return keys;
}

const callsOfPlans = new WeakMap<Plan, readonly (readonly number[])[]>();

function callsByNode(plan: Plan): readonly (readonly number[])[] {
  const known = callsOfPlans.get(plan);
  if (known) return known;
  const calls: number[][] = plan.nodes.map(() => []);
  for (const call of plan.calls) calls[call.from]?.push(call.index);
  callsOfPlans.set(plan, calls);
  return calls;
}

const SCRAPE = seriesKey("scrape");
const OUTSIDE = seriesKey("outside");
const CLUSTER = seriesKey("cluster scrape");

/** Measures a run. Holds no measurement: the same read gives the same number. */
export class Samples {
  readonly noise: MeasurementNoise;
  readonly settings: Settings;
  readonly keys: PlaceKeys;
  /** The calls that each node makes. */
  readonly callsFrom: readonly (readonly number[])[];
  readonly probeFailures: ParameterOfPlaces;
  private readonly losses: ParameterOfPlaces;

  constructor(readonly run: Run) {
    this.noise = new MeasurementNoise(run.seed);
    this.settings = new Settings(run);
    this.keys = placeKeys(run.plan);
    this.callsFrom = callsByNode(run.plan);
    this.probeFailures = this.settings.ofNodes("probeFailure");
    this.losses = this.settings.ofNodes("scrapeLoss");
  }

  node(column: NodeColumn, node: number, tick: number): number {
    return this.run.node(column, node, tick);
  }

  call(column: CallColumn, call: number, tick: number): number {
    return this.run.call(column, call, tick);
  }

  user(column: UserColumn, entry: number, tick: number): number {
    return this.run.user(column, entry, tick);
  }

  /** Whether there is a replica to be asked for its metrics. */
  reports(node: number, tick: number): boolean {
    return this.run.node("ready", node, tick) > 0;
  }

  /** Whether the metrics of a node were collected at a tick: all of them or none. */
  scraped(node: number, tick: number): boolean {
    const loss = this.losses.at(node, tick);
    return !this.noise.missing(combineKeys(SCRAPE, this.keys.nodes[node] as number), tick, loss);
  }

  /** Whether what users' browsers or the synthetic checks of a zone sent has arrived. */
  arrived(entry: number, tick: number): boolean {
    return !this.noise.missing(combineKeys(OUTSIDE, this.keys.entries[entry] as number), tick, OUTSIDE_LOSS);
  }

  /** Whether the platform's own metrics (replicas, restarts, disks) were collected. */
  clusterScraped(tick: number): boolean {
    return !this.noise.missing(CLUSTER, tick, OUTSIDE_LOSS);
  }

  /** A count of a tick whose mean is `rate` a second. */
  count(metric: number, place: number, tick: number, rate: number): number {
    return this.noise.count(combineKeys(metric, place), tick, rate * TICK_SECONDS);
  }
}
