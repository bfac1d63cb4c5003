/** Where the columns of a record stand: all of a node side by side, likewise of a call and of an entry; in sections by how often they say something. */
import type { Plan } from "../plan";
import {
  CALL_COLUMNS,
  type CallColumn,
  COMMON,
  isOfStores,
  NODE_COLUMNS,
  type NodeColumn,
  OF_ALL,
  OF_STORES,
  RARE,
  USER_COLUMNS,
} from "../record";

/** Kept always. */
export const ALWAYS = 0;
/** What is zero while nothing is wrong. */
export const SELDOM = 1;
/** Everything of second cohorts. */
export const SECOND_COHORT = 2;

export interface RecordLayout {
  /** Columns of each section. */
  readonly widths: readonly number[];
  readonly nodeSection: Uint8Array;
  /** First place of a node within its section. */
  readonly nodeAt: Int32Array;
  /** 1 for nodes with the columns of stores. */
  readonly isStore: Uint8Array;
  readonly callSection: Uint8Array;
  /** First place of a call's common columns within its section; −1 for calls that carry no requests. */
  readonly callAt: Int32Array;
  readonly rareSection: Uint8Array;
  readonly rareAt: Int32Array;
  /** First place of an entry, in section ALWAYS. */
  readonly userAt: Int32Array;
}

const known = new WeakMap<Plan, RecordLayout>();

export function recordLayout(plan: Plan): RecordLayout {
  const before = known.get(plan);
  if (before) return before;
  const layout = build(plan);
  known.set(plan, layout);
  return layout;
}

function build({ nodes, calls, entries }: Plan): RecordLayout {
  const widths = [0, 0, 0];
  const take = (section: number, count: number) => {
    const at = widths[section] as number;
    widths[section] = at + count;
    return at;
  };
  const store = (kind: string) => kind === "queue" || kind === "database" || kind === "cache";
  const isStore = Uint8Array.from(nodes, ({ service }) => (store(service.kind) ? 1 : 0));
  const nodeSection = Uint8Array.from(nodes, ({ cohort }) => (cohort ? SECOND_COHORT : ALWAYS));
  const nodeAt = Int32Array.from(nodes, ({ index }) =>
    take(nodeSection[index] as number, OF_ALL.length + (isStore[index] ? OF_STORES.length : 0)),
  );
  const cohortOf = (call: Plan["calls"][number]) => nodes[call.from]?.cohort ?? 0;
  const callSection = Uint8Array.from(calls, (call) => (cohortOf(call) ? SECOND_COHORT : ALWAYS));
  const rareSection = Uint8Array.from(calls, (call) => (cohortOf(call) ? SECOND_COHORT : SELDOM));
  const carries = (call: Plan["calls"][number]) => call.spec.kind !== "consume";
  const callAt = Int32Array.from(calls, (call) =>
    carries(call) ? take(callSection[call.index] as number, COMMON.length) : -1,
  );
  const rareAt = Int32Array.from(calls, (call) =>
    carries(call) ? take(rareSection[call.index] as number, RARE.length) : -1,
  );
  const userAt = Int32Array.from(entries, () => take(ALWAYS, USER_COLUMNS.length));
  return { widths, nodeSection, nodeAt, isStore, callSection, callAt, rareSection, rareAt, userAt };
}

/** Place of a column among those of its node, or −1 − place among those of stores. */
export const NODE_PLACE = Object.fromEntries(
  NODE_COLUMNS.map((column) => [
    column,
    isOfStores(column) ? -1 - (OF_STORES as readonly NodeColumn[]).indexOf(column) : OF_ALL.indexOf(column),
  ]),
) as Readonly<Record<NodeColumn, number>>;

/** Place of a column among the common ones of its call, or −1 − place among the rare ones. */
export const CALL_PLACE = Object.fromEntries(
  CALL_COLUMNS.map((column) => {
    const rare = (RARE as readonly CallColumn[]).indexOf(column);
    return [column, rare >= 0 ? -1 - rare : (COMMON as readonly CallColumn[]).indexOf(column)];
  }),
) as Readonly<Record<CallColumn, number>>;

export const USER_PLACE = Object.fromEntries(USER_COLUMNS.map((column, index) => [column, index])) as Readonly<
  Record<(typeof USER_COLUMNS)[number], number>
>;
