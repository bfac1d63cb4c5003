/**
 * The memory of a run: one buffer, so that a fork is one copy, and named views into it. `parameter` views hold the values in
 * force; all others are what the solver carries from one sub-step to the next.
 */
import { CALL_PARAMETERS, type CallParameter, SERVICE_PARAMETERS, type ServiceParameter } from "./parameters";
import type { Plan } from "./plan";

/** Most replicas of a node; each has its own age and its own leak. */
export const MOST_REPLICAS = 16;

export const SERVICE_NAMES = Object.keys(SERVICE_PARAMETERS) as readonly ServiceParameter[];
export const CALL_NAMES = Object.keys(CALL_PARAMETERS) as readonly CallParameter[];

/** Per node, carried by the solver. */
const NODE_STATE = [
  "content",
  "through",
  "sojourn",
  "wait",
  "utilisation",
  "arrived",
  "rejected",
  "dropped",
  "errors",
  "holding",
  "serviceVariance",
  "variance",
  "waiting",
  "capacity",
  "servers",
  "ready",
  "starting",
  "restarts",
  "leak",
  "mostLeak",
  "pressure",
  "warm",
  "buffers",
  "good",
  "poison",
  "dead",
  "disk",
  "full",
  "pulledGood",
  "pulledPoison",
  "redelivered",
  "calmTicks",
  "cpuRate",
  "stranded",
] as const;
export type NodeState = (typeof NODE_STATE)[number];

/** Per call, carried by the solver. */
const CALL_STATE = [
  "attempts",
  "failure",
  "failureAll",
  "time",
  "timeVariance",
  "asked",
  "reached",
  "granted",
  "late",
  "unacquired",
  "unreached",
  "attemptTime",
  "stale",
  "badNames",
  "badConnections",
  "brokenUntil",
  "broken",
  "partition",
  "effective",
  "usable",
  "failureGain",
  "failureTrend",
  "timeGain",
  "timeTrend",
] as const;
export type CallState = (typeof CALL_STATE)[number];

/** Per entry. */
const ENTRY_STATE = ["pending", "noise", "offered", "failedShare", "sumOffered", "sumFailed", "sumSlow"] as const;
export type EntryState = (typeof ENTRY_STATE)[number];

/** Per node, accumulated from the start of history and never read by the solver: the books that the balance is checked against. */
const NODE_TOTALS = ["cameIn", "served", "failed", "rejected", "dropped"] as const;
export type NodeTotal = (typeof NODE_TOTALS)[number];
/** Per node of a queue or database, likewise. */
const STORE_TOTALS = ["published", "processed", "deadLettered", "purged", "poisoned", "lostWrites"] as const;
export type StoreTotal = (typeof STORE_TOTALS)[number];

export class State {
  private readonly buffer: ArrayBuffer;
  private readonly views = new Map<string, Float64Array>();

  /** A fresh memory, all zeros, or a copy of another's. */
  constructor(plan: Plan, from?: State) {
    const nodes = plan.nodes.length;
    const calls = plan.calls.length;
    const sizes: [string, number][] = [];
    for (const name of SERVICE_NAMES) sizes.push([`parameter:${name}`, nodes]);
    for (const name of CALL_NAMES) sizes.push([`call-parameter:${name}`, calls]);
    for (const name of NODE_STATE) sizes.push([`node:${name}`, nodes]);
    for (const name of CALL_STATE) sizes.push([`call:${name}`, calls]);
    for (const name of ENTRY_STATE) sizes.push([`entry:${name}`, plan.entries.length]);
    for (const name of NODE_TOTALS) sizes.push([`total:${name}`, nodes]);
    for (const name of STORE_TOTALS) sizes.push([`store:${name}`, nodes]);
    sizes.push(["readyAt", nodes * MOST_REPLICAS], ["leaks", nodes * MOST_REPLICAS]);
    sizes.push(
      ["groupZone", plan.groups.length],
      ["standbyZone", plan.groups.length],
      ["connectionScale", plan.groups.length],
    );
    sizes.push(["zoneWeight", plan.zones.length]);
    const length = sizes.reduce((sum, [, size]) => sum + size, 0);
    this.buffer = from ? from.buffer.slice(0) : new ArrayBuffer(length * 8);
    const parameters = SERVICE_NAMES.length * nodes + CALL_NAMES.length * calls;
    this.parameters = new Float64Array(this.buffer, 0, parameters);
    let at = 0;
    for (const [name, size] of sizes) {
      this.views.set(name, new Float64Array(this.buffer, at * 8, size));
      at += size;
    }
  }

  /** Bytes held. */
  get size(): number {
    return this.buffer.byteLength;
  }

  /** The values of all parameters, in force: of services, then of calls. */
  readonly parameters: Float64Array;

  /** All of it as 32-bit words, for a hash. */
  words(): Uint32Array {
    return new Uint32Array(this.buffer);
  }

  /** The books begin anew. */
  forgetTotals(): void {
    for (const name of NODE_TOTALS) this.total(name).fill(0);
    for (const name of STORE_TOTALS) this.store(name).fill(0);
    this.node("restarts").fill(0);
  }

  parameter(name: ServiceParameter): Float64Array {
    return this.view(`parameter:${name}`);
  }

  callParameter(name: CallParameter): Float64Array {
    return this.view(`call-parameter:${name}`);
  }

  node(name: NodeState): Float64Array {
    return this.view(`node:${name}`);
  }

  call(name: CallState): Float64Array {
    return this.view(`call:${name}`);
  }

  entry(name: EntryState): Float64Array {
    return this.view(`entry:${name}`);
  }

  total(name: NodeTotal): Float64Array {
    return this.view(`total:${name}`);
  }

  store(name: StoreTotal): Float64Array {
    return this.view(`store:${name}`);
  }

  /** Simulated second from which a replica is ready; −1 where there is none. Index node × MOST_REPLICAS + replica. */
  get readyAt(): Float64Array {
    return this.view("readyAt");
  }

  /** Leaked megabytes of each replica. */
  get leaks(): Float64Array {
    return this.view("leaks");
  }

  /** Index of the zone a group answers from. */
  get groupZone(): Float64Array {
    return this.view("groupZone");
  }

  /** Index of the zone its standby is in; −1 for none. */
  get standbyZone(): Float64Array {
    return this.view("standbyZone");
  }

  /** Share of wanted connections that a group's server grants. */
  get connectionScale(): Float64Array {
    return this.view("connectionScale");
  }

  /** Users' weight of each zone; 1 is its usual share. */
  get zoneWeight(): Float64Array {
    return this.view("zoneWeight");
  }

  private view(name: string): Float64Array {
    const view = this.views.get(name);
    if (!view) throw new Error(`The engine's memory has no view ${name}.`);
    return view;
  }
}
