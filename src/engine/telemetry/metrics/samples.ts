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

/** Who calls whom. */
interface Neighbours {
  /** The calls that each node makes, and those made of each group. */
  readonly callsFrom: readonly (readonly number[])[];
  readonly callsInto: readonly (readonly number[])[];
  /** Whether users come to a group. */
  readonly isEntered: readonly boolean[];
}

const neighboursOfPlans = new WeakMap<Plan, Neighbours>();

function neighboursOf(plan: Plan): Neighbours {
  const known = neighboursOfPlans.get(plan);
  if (known) return known;
  const callsFrom: number[][] = plan.nodes.map(() => []);
  const callsInto: number[][] = plan.groups.map(() => []);
  for (const call of plan.calls) {
    callsFrom[call.from]?.push(call.index);
    callsInto[call.to]?.push(call.index);
  }
  const isEntered = plan.groups.map((group) => plan.entries.some((entry) => entry.group === group.index));
  const neighbours = { callsFrom, callsInto, isEntered };
  neighboursOfPlans.set(plan, neighbours);
  return neighbours;
}

const SCRAPE = seriesKey("scrape");
const OUTSIDE = seriesKey("outside");
const CLUSTER = seriesKey("cluster scrape");

/** No tick. */
const NEVER = -2147483648;

export const PRESENT = 1;
export const SILENT = 0;
export const MISSING = -1;
/** A reading is there, there is nothing to report, or it was not collected. */
export type Presence = typeof PRESENT | typeof SILENT | typeof MISSING;

/** Measures a run. Holds no measurement: the same read gives the same number. */
export class Samples {
  readonly noise: MeasurementNoise;
  readonly settings: Settings;
  readonly keys: PlaceKeys;
  /** The calls that each node makes, and those made of each group. */
  readonly callsFrom: readonly (readonly number[])[];
  readonly callsInto: readonly (readonly number[])[];
  /** Whether users come to a group. */
  readonly isEntered: readonly boolean[];
  readonly cancels: ParameterOfPlaces;
  readonly userTimeouts: ParameterOfPlaces;
  readonly timeouts: ParameterOfPlaces;
  readonly probeFailures: ParameterOfPlaces;
  private readonly losses: ParameterOfPlaces;
  /** Of every node the tick it was last asked about, with what came of it: a look at a service asks several times. */
  private readonly heardAt: Int32Array;
  private readonly heardAs: Presence[];
  private heardSince = -1;

  constructor(readonly run: Run) {
    this.noise = new MeasurementNoise(run.seed);
    this.settings = new Settings(run);
    this.keys = placeKeys(run.plan);
    const { callsFrom, callsInto, isEntered } = neighboursOf(run.plan);
    this.callsFrom = callsFrom;
    this.callsInto = callsInto;
    this.isEntered = isEntered;
    this.cancels = this.settings.ofNodes("cancels");
    this.userTimeouts = this.settings.ofNodes("userTimeout");
    this.timeouts = this.settings.ofCalls("timeout");
    this.probeFailures = this.settings.ofNodes("probeFailure");
    this.losses = this.settings.ofNodes("scrapeLoss");
    this.heardAt = new Int32Array(run.plan.nodes.length).fill(NEVER);
    this.heardAs = run.plan.nodes.map(() => SILENT);
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

  /** Whether the metrics of a node are there at a tick. */
  heard(node: number, tick: number): Presence {
    if (this.heardSince !== this.settings.taken) {
      this.heardAt.fill(NEVER);
      this.heardSince = this.settings.taken;
    }
    if (this.heardAt[node] === tick) return this.heardAs[node] as Presence;
    const found = !this.reports(node, tick) ? SILENT : this.scraped(node, tick) ? PRESENT : MISSING;
    // What has not happened yet may turn out otherwise.
    if (tick < this.run.tick) {
      this.heardAt[node] = tick;
      this.heardAs[node] = found;
    }
    return found;
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
