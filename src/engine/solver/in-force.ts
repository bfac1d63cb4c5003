/**
 * Which values of the parameters are in force. Base values come from the data; over them lie layers, in the order in which they came:
 * versions of deployables, faults, remedies, the autoscaler. Taking a layer out uncovers what is below, so everything can be undone
 * without a memory of what it replaced.
 */

import { grantedShare } from "../mechanisms/pool";
import { usableCores } from "../mechanisms/throttling";
import { CALL_PARAMETERS, KIND_DEFAULTS, SERVICE_PARAMETERS } from "../parameters";
import { callsOf, groupsOf, type Plan } from "../plan";
import type { Change, Cohort } from "../spec";
import { C, N } from "./fields";
import { CALL_NAMES, SERVICE_NAMES, type State } from "./state";
import { type Circuit, type Wiring, wiringOf } from "./wiring";

/** A layer's changes, resolved to places in memory. */
interface Resolved {
  readonly of: "service" | "call" | "link";
  /** Where the values stand in the memory of nodes, calls or links. */
  readonly places: readonly number[];
  readonly op: Change["op"];
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

interface Layer {
  readonly id: string;
  readonly changes: readonly Resolved[];
}

/** Which version each part of a deployable runs: by zone, then by cohort. */
type Versions = ReadonlyMap<string, string>;

const LEAST_CPU_TIME = 1e-5;
/** A node in which all of these are 0 never has more or less on its disk. */
const CHANGES_DISKS = [N.diskPerWrite, N.diskGrowth, N.diskReclaim, N.full];

export class InForce {
  private layers: readonly Layer[] = [];
  private versions: Versions = new Map();
  private readonly links: Float64Array;

  private get wiring(): Wiring {
    return this.circuit.wiring;
  }

  constructor(
    private readonly plan: Plan,
    private readonly circuit: Circuit,
    private readonly state: State,
    from?: InForce,
  ) {
    this.links = new Float64Array(plan.zones.length * plan.zones.length);
    if (from) {
      this.layers = from.layers;
      this.versions = from.versions;
      this.links.set(from.links);
      return;
    }
    const start = starts.get(plan);
    if (start) [this.layers, this.versions] = start;
    else {
      for (const { id, current } of plan.deployables) this.deploy(id, current, undefined, 1);
      starts.set(plan, [this.layers, this.versions]);
    }
  }

  /** Puts a layer on top; one of the same id moves there. */
  put(id: string, changes: readonly Change[]): void {
    this.layers = [
      ...this.layers.filter((layer) => layer.id !== id),
      { id, changes: changes.flatMap((change) => this.resolve(change)) },
    ];
  }

  /** Takes a layer out; one that is not there is no error. */
  take(id: string): void {
    if (this.has(id)) this.layers = this.layers.filter((layer) => layer.id !== id);
  }

  has(id: string): boolean {
    return this.layers.some((layer) => layer.id === id);
  }

  /**
   * A version of a deployable, in one zone or all. With a share below 1 only the second cohort gets it, with that share of the requests; the
   * first keeps what it has.
   */
  deploy(id: string, version: string, zone: string | undefined, share: number): void {
    const deployable = this.plan.deployables.find((each) => each.id === id);
    const found = deployable?.versions.find((each) => each.version === version);
    if (!deployable || !found) throw new RangeError(`There is no version ${version} of ${id}.`);
    const groups = groupsOf(this.plan, deployable.service).filter((group) => !zone || group.zone === zone);
    const versions = new Map(this.versions);
    for (const group of groups) {
      const cohorts: readonly Cohort[] = share < 1 && group.count === 2 ? [1] : [0, 1];
      for (const cohort of cohorts) {
        const key = `${id}@${group.zone}/${cohort}`;
        versions.set(key, version);
        const main = cohort === 0 && group === groupsOf(this.plan, deployable.service)[0];
        const changes = found.changes
          .filter((change) => main || ownerOf(change) === deployable.service)
          .map((change) => narrow(change, deployable.service, group.zone, group.count === 2 ? cohort : undefined));
        this.take(key);
        if (cohort < group.count && changes.length) this.put(key, changes);
      }
      if (group.count === 2 && group.service.cohorts?.kind === "canary") {
        const id = `canary:${deployable.service}@${group.zone}`;
        if (share < 1)
          this.put(id, [
            { service: deployable.service, zone: group.zone, parameter: "weight", op: "set", value: share },
          ]);
        else this.take(id);
      }
    }
    this.versions = versions;
  }

  versionOf(id: string, zone: string, cohort: Cohort): string | undefined {
    return this.versions.get(`${id}@${zone}/${cohort}`);
  }

  /** Works all values out anew, and what follows from them until the next event. */
  apply(): void {
    const { plan, state } = this;
    setBase(plan, state);
    this.links.fill(0);
    for (const layer of this.layers) for (const change of layer.changes) this.change(change);
    this.derive();
  }

  /** What follows from parameters, ready replicas and zones; called again whenever replicas come or go. */
  derive(): void {
    this.circuit.wiring = wiringOf(this.plan, this.inUse());
    const { plan, state, wiring } = this;
    const { nodes, calls } = state;
    for (let node = 0; node < wiring.nodes; node++) {
      const at = node * N.count;
      const cost = Math.max(LEAST_CPU_TIME, nodes[at + N.cpuTime] as number);
      nodes[at + N.cpuRate] = usableCores(nodes[at + N.cores] as number, nodes[at + N.threads] as number) / cost;
    }
    this.circuit.disks = wiring.live.filter(
      (node) =>
        wiring.isQueue[wiring.groupOf[node] as number] ||
        CHANGES_DISKS.some((field) => nodes[node * N.count + field] !== 0),
    );
    for (const group of plan.groups) {
      let wanted = 0;
      for (let k = wiring.intoStart[group.index] as number; k < (wiring.intoStart[group.index + 1] as number); k++) {
        const call = wiring.into[k] as number;
        const caller = wiring.from[call] as number;
        wanted += (calls[call * C.count + C.pool] as number) * (nodes[caller * N.count + N.ready] as number);
      }
      const limit =
        (nodes[group.first * N.count + N.maxConnections] as number) *
        Math.max(1, nodes[group.first * N.count + N.ready] as number);
      state.connectionScale[group.index] = grantedShare(limit, wanted);
    }
    const zones = plan.zones.length;
    for (let call = 0; call < wiring.calls; call++) {
      const from = state.groupZone[wiring.groupOf[wiring.from[call] as number] as number] as number;
      const to = state.groupZone[wiring.to[call] as number] as number;
      calls[call * C.count + C.partition] =
        1 - (1 - (calls[call * C.count + C.partitioned] as number)) * (1 - (this.links[from * zones + to] as number));
    }
  }

  /** Of each group, whether its second cohort has requests, replicas, or will have some. */
  private inUse(): string {
    const { state } = this;
    const [ready, starting, content] = [state.node("ready"), state.node("starting"), state.node("content")];
    const weight = state.node("weight");
    let pattern = "";
    for (const { first, count } of this.plan.groups) {
      const second = first + 1;
      const has = count === 2 && (ready.get(second) > 0 || starting.get(second) > 0 || content.get(second) > 0);
      pattern += count === 2 && (has || weight.get(first) > 0) ? "1" : "0";
    }
    return pattern;
  }

  private change({ of, places, op, value, low, high }: Resolved): void {
    const values = of === "link" ? this.links : of === "call" ? this.state.calls : this.state.nodes;
    for (const place of places) {
      const before = values[place] as number;
      const after = op === "set" ? value : op === "times" ? before * value : before + value;
      values[place] = after > low ? (after < high ? after : high) : low;
    }
  }

  /** @throws RangeError naming what the system has not got. */
  private resolve(change: Change): Resolved[] {
    const { op, value } = change;
    if ("link" in change) {
      const [from, to] = change.link.split(">").map((zone) => this.plan.zones.indexOf(zone));
      if (from === undefined || to === undefined || from < 0 || to < 0)
        throw new RangeError(`There is no link ${change.link}; the zones are ${this.plan.zones.join(", ")}.`);
      return [{ of: "link", places: [from * this.plan.zones.length + to], op, value, low: 0, high: 1 }];
    }
    const fits = (zone: string, cohort: Cohort) =>
      (!change.zone || change.zone === zone) && (change.cohort === undefined || change.cohort === cohort);
    if ("call" in change) {
      const info = CALL_PARAMETERS[change.parameter];
      const all = callsOf(this.plan, change.call);
      if (!all.length) throw new RangeError(`There is no call ${change.call}.`);
      const places = all
        .filter((call) => {
          const node = this.plan.nodes[call.from];
          return node && fits(node.zone, node.cohort);
        })
        .map((call) => call.index * C.count + C[change.parameter]);
      return [{ of: "call", places, op, value, low: info.low, high: info.high }];
    }
    const info = SERVICE_PARAMETERS[change.parameter];
    const all = this.plan.nodes.filter((node) => node.service.name === change.service);
    if (!all.length) throw new RangeError(`There is no service ${change.service}.`);
    const places = all
      .filter((node) => fits(node.zone, node.cohort))
      .map((node) => node.index * N.count + N[change.parameter]);
    return [{ of: "service", places, op, value, low: info.low, high: info.high }];
  }
}

/** Layers and versions at the start of history, by plan. */
const starts = new WeakMap<Plan, readonly [readonly Layer[], Versions]>();
const bases = new WeakMap<Plan, Float64Array>();

/** Puts the values in force that the data of a system gives, before any layer. */
function setBase(plan: Plan, state: State): void {
  const base = bases.get(plan) ?? baseOf(plan);
  bases.set(plan, base);
  let at = 0;
  for (let node = 0; node < plan.nodes.length; node++)
    for (let field = 0; field < SERVICE_NAMES.length; field++)
      state.nodes[node * N.count + field] = base[at++] as number;
  for (let call = 0; call < plan.calls.length; call++)
    for (let field = 0; field < CALL_NAMES.length; field++) state.calls[call * C.count + field] = base[at++] as number;
}

/** The parameters of all nodes, then of all calls, in the order of their tables. */
function baseOf(plan: Plan): Float64Array {
  const values: number[] = [];
  for (const { service } of plan.nodes)
    for (const name of SERVICE_NAMES) {
      const own = service.parameters?.[name] ?? KIND_DEFAULTS[service.kind][name] ?? SERVICE_PARAMETERS[name].initial;
      values.push(name === "weight" && service.cohorts?.kind === "shard" ? service.cohorts.share : own);
    }
  for (const call of plan.calls)
    for (const name of CALL_NAMES) values.push(call.spec.parameters?.[name] ?? CALL_PARAMETERS[name].initial);
  return Float64Array.from(values);
}

/** A version's change as it applies to one zone and cohort of the service that owns it; changes of others hold everywhere. */
function narrow(change: Change, service: string, zone: string, cohort: Cohort | undefined): Change {
  if ("link" in change || ownerOf(change) !== service) return change;
  return { zone, ...(cohort === undefined ? {} : { cohort }), ...change };
}

/** The service whose behaviour a change alters; none for the network between zones. */
function ownerOf(change: Change): string | undefined {
  if ("link" in change) return undefined;
  return "call" in change ? change.call.slice(0, change.call.indexOf(">")) : change.service;
}
