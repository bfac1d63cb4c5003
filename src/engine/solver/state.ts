/**
 * The memory of a run: one buffer, so that a fork is one copy. The solver works on `nodes` and `calls` (`fields.ts` says what stands
 * where); everybody else asks for a column by its name.
 */

import { CALL_PARAMETERS, type CallParameter, SERVICE_PARAMETERS, type ServiceParameter } from "../parameters";
import type { Plan } from "../plan";
import { C, G, N } from "./fields";

/** Most replicas of a node; each has its own age and its own leak. */
export const MOST_REPLICAS = 16;

export const SERVICE_NAMES = Object.keys(SERVICE_PARAMETERS) as readonly ServiceParameter[];
export const CALL_NAMES = Object.keys(CALL_PARAMETERS) as readonly CallParameter[];

/** The name of a field of a node or a call. */
export type NodeField = Exclude<keyof typeof N, "count">;
export type CallField = Exclude<keyof typeof C, "count">;

/** Per entry: users about to try again, wandering of the load, requests a second now, and sums over the tick. */
const ENTRY_FIELDS = ["pending", "noise", "offered", "sumOffered", "sumFailed", "sumSlow"] as const;
export type EntryField = (typeof ENTRY_FIELDS)[number];

/** One number of every node, or of every call. */
export class Column {
  constructor(
    private readonly memory: Float64Array,
    private readonly field: number,
    private readonly stride: number,
    readonly length: number,
  ) {}

  get(place: number): number {
    return this.memory[place * this.stride + this.field] as number;
  }

  set(place: number, value: number): void {
    this.memory[place * this.stride + this.field] = value;
  }

  add(place: number, value: number): void {
    this.set(place, this.get(place) + value);
  }

  fill(value: number): void {
    for (let place = 0; place < this.length; place++) this.set(place, value);
  }

  /** A copy of all its numbers, in order. */
  values(): Float64Array {
    return Float64Array.from({ length: this.length }, (_, place) => this.get(place));
  }
}

export class State {
  readonly nodes: Float64Array;
  readonly calls: Float64Array;
  readonly groups: Float64Array;
  /** Simulated second from which a replica is ready; −1 where there is none. Index node × MOST_REPLICAS + replica. */
  readonly readyAt: Float64Array;
  /** Leaked megabytes of each replica. */
  readonly leaks: Float64Array;
  /** Index of the zone a group answers from. */
  readonly groupZone: Float64Array;
  /** Index of the zone its standby is in; −1 for none. */
  readonly standbyZone: Float64Array;
  /** Share of wanted connections that a group's server grants. */
  readonly connectionScale: Float64Array;
  /** Users' weight of each zone; 1 is its usual share. */
  readonly zoneWeight: Float64Array;

  private readonly buffer: ArrayBuffer;
  private readonly entries: Float64Array;
  private readonly entryCount: number;

  /** A fresh memory, all zeros, or a copy of another's. */
  constructor(plan: Plan, from?: State) {
    const nodes = plan.nodes.length;
    const groups = plan.groups.length;
    const sizes = [
      N.count * nodes,
      C.count * plan.calls.length,
      G.count * groups,
      ENTRY_FIELDS.length * plan.entries.length,
      nodes * MOST_REPLICAS,
      nodes * MOST_REPLICAS,
      groups,
      groups,
      groups,
      plan.zones.length,
    ];
    const length = sizes.reduce((sum, size) => sum + size, 0);
    this.buffer = from ? from.buffer.slice(0) : new ArrayBuffer(length * 8);
    let at = 0;
    const next = (size: number) => {
      const view = new Float64Array(this.buffer, at * 8, size);
      at += size;
      return view;
    };
    const parts = sizes.map(next) as [
      Float64Array,
      Float64Array,
      Float64Array,
      Float64Array,
      Float64Array,
      Float64Array,
      Float64Array,
      Float64Array,
      Float64Array,
      Float64Array,
    ];
    [this.nodes, this.calls, this.groups, this.entries, this.readyAt, this.leaks] = parts;
    [, , , , , , this.groupZone, this.standbyZone, this.connectionScale, this.zoneWeight] = parts;
    this.entryCount = plan.entries.length;
  }

  /** Bytes held. */
  get size(): number {
    return this.buffer.byteLength;
  }

  /** All of it as 32-bit words, for a hash. */
  words(): Uint32Array {
    return new Uint32Array(this.buffer);
  }

  node(field: NodeField): Column {
    return new Column(this.nodes, N[field], N.count, this.nodes.length / N.count);
  }

  call(field: CallField): Column {
    return new Column(this.calls, C[field], C.count, this.calls.length / C.count);
  }

  entry(field: EntryField): Float64Array {
    const from = ENTRY_FIELDS.indexOf(field) * this.entryCount;
    return this.entries.subarray(from, from + this.entryCount);
  }

  /** The books begin anew. */
  forgetTotals(): void {
    for (const field of BOOKS) this.node(field).fill(0);
  }
}

const BOOKS: readonly NodeField[] = [
  "totalCameIn",
  "totalServed",
  "totalFailed",
  "totalRejected",
  "totalDropped",
  "published",
  "processed",
  "deadLettered",
  "purged",
  "poisoned",
  "lostWrites",
  "restarts",
  "recordedCameIn",
  "recordedServed",
  "recordedFailed",
  "recordedRejected",
  "recordedDropped",
];

// The first fields are the parameters in the order of their tables: layers are applied by the index of a parameter.
SERVICE_NAMES.forEach((name, index) => {
  if (N[name] !== index) throw new Error(`Field ${index} of a node must be ${name}.`);
});
CALL_NAMES.forEach((name, index) => {
  if (C[name] !== index) throw new Error(`Field ${index} of a call must be ${name}.`);
});
