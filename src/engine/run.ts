/** What telemetry may read of a run: the record and the journal, never the state of the solver. */
import type { SystemEvent } from "./events";
import type { Plan } from "./plan";
import type { CallColumn, NodeColumn, UserColumn } from "./record";

/** Where a row of the record stands in memory, for those who read most of it: a column is `values[at + its place]`. */
export interface Row {
  values: Float32Array;
  at: number;
}

export interface Run {
  readonly plan: Plan;
  readonly seed: number;
  /** Ticks completed; rows 0..tick−1 of the record are there. */
  readonly tick: number;
  /** What happened, in order, up to now. */
  readonly journal: readonly SystemEvent[];
  node(column: NodeColumn, node: number, tick: number): number;
  call(column: CallColumn, call: number, tick: number): number;
  user(column: UserColumn, entry: number, tick: number): number;
  /** Points at the row of a node, whose places are `IN_NODE_ROW`; the columns of stores are there for stores only. */
  nodeRow(node: number, tick: number, row: Row): void;
  /** Points at the rows of a call, whose places are `IN_CALL_ROW`; false for calls that carry no requests, which have none. */
  callRow(call: number, tick: number, common: Row, rare: Row): boolean;
  /** Version of a deployable in force at a tick; with a partial roll-out that of the cohort, or of the zone. */
  versionAt(deployable: string, tick: number, cohort?: 0 | 1, zone?: string): string;
}
