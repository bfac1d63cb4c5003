/**
 * The plan as integer arrays, which is what the solver's loops walk over. Cohorts that nobody uses (most canaries, most of the time)
 * are left out; there is one wiring for every set of cohorts in use, built when first needed and shared by all runs of the plan. The arrays
 * are of 16 bits not to save memory but because it tells an optimising compiler that no sum or product of places can overflow.
 */
import type { Plan } from "../plan";

export interface Wiring {
  readonly nodes: number;
  readonly calls: number;
  /** Nodes in use. */
  readonly live: Uint16Array;
  /** Whether any second cohort is in use. */
  readonly hasSecond: boolean;
  /** Calls in use, other than `consume`. */
  readonly liveCalls: Uint16Array;
  readonly groups: number;
  /** Groups, callers first. */
  readonly order: Uint16Array;
  readonly firstNode: Uint16Array;
  /** Cohorts in use of a group, 1 or 2. */
  readonly nodeCount: Uint16Array;
  readonly groupOf: Uint16Array;
  /** 1 where the second cohort is a canary, 2 where it is the hottest shard, 0 where there is one cohort. */
  readonly cohorts: Uint16Array;
  /** Calls into group g by requests: `into[intoStart[g] .. intoStart[g + 1])`. */
  readonly into: Uint16Array;
  readonly intoStart: Uint16Array;
  /** Calls of node n that are not `consume`: `out[outStart[n] .. outStart[n + 1])`. */
  readonly out: Uint16Array;
  readonly outStart: Uint16Array;
  /** Nodes that consume from queue group g. */
  readonly consumers: Uint16Array;
  readonly consumersStart: Uint16Array;
  /** Queue group that a group consumes from; −1 for none. */
  readonly source: Int16Array;
  readonly from: Uint16Array;
  readonly to: Uint16Array;
  readonly publishes: Uint8Array;
  readonly behind: Int16Array;
  /** First node of the cache that is asked before the call; −1 for none. */
  readonly cacheNode: Int16Array;
  /** Entries of group g. */
  readonly entries: Uint16Array;
  readonly entriesStart: Uint16Array;
  readonly entryGroup: Uint16Array;
  /** Groups that are queues. */
  readonly queues: Uint16Array;
  /** Calls in use behind a cache. */
  readonly cached: Uint16Array;
  readonly isQueue: Uint8Array;
  readonly isDatabase: Uint8Array;
  readonly isCache: Uint8Array;
}

/** Where a run keeps what fits its cohorts in use and its parameters in force now. */
export interface Circuit {
  wiring: Wiring;
  /** Nodes whose disks can change. */
  disks: Uint16Array;
}

/** The circuit of a run before any parameters are in force, or a copy of another's. */
export function circuitOf(plan: Plan, from?: Circuit): Circuit {
  return from ? { ...from } : { wiring: wiringOf(plan, ""), disks: new Uint16Array() };
}

const known = new WeakMap<Plan, Map<string, Wiring>>();

/** @param second of each group: "1" where its second cohort is in use, else "0" */
export function wiringOf(plan: Plan, second: string): Wiring {
  const patterns = known.get(plan) ?? new Map<string, Wiring>();
  known.set(plan, patterns);
  const before = patterns.get(second);
  if (before) return before;
  const wiring = build(plan, second);
  patterns.set(second, wiring);
  return wiring;
}

function build(plan: Plan, second: string): Wiring {
  const { groups, nodes, calls, entries } = plan;
  const used = (node: number) => nodes[node]?.cohort === 0 || second[nodes[node]?.group ?? 0] === "1";
  const live = nodes.filter((node) => used(node.index)).map((node) => node.index);
  const asks = calls.filter((call) => call.spec.kind !== "consume" && used(call.from));
  const takes = calls.filter((call) => call.spec.kind === "consume" && used(call.from));
  const into = lists(
    groups.length,
    asks,
    (call) => call.to,
    (call) => call.index,
  );
  const out = lists(
    nodes.length,
    asks,
    (call) => call.from,
    (call) => call.index,
  );
  const consumers = lists(
    groups.length,
    takes,
    (call) => call.to,
    (call) => call.from,
  );
  const users = lists(
    groups.length,
    entries,
    (entry) => entry.group,
    (entry) => entry.index,
  );
  const source = new Int16Array(groups.length).fill(-1);
  for (const call of takes) source[nodes[call.from]?.group ?? 0] = call.to;
  const ofKind = (kind: string) => Uint8Array.from(groups, (group) => (group.service.kind === kind ? 1 : 0));
  return {
    nodes: nodes.length,
    calls: calls.length,
    live: Uint16Array.from(live),
    hasSecond: second.includes("1"),
    liveCalls: Uint16Array.from(asks, (call) => call.index),
    groups: groups.length,
    order: Uint16Array.from(plan.order),
    firstNode: Uint16Array.from(groups, (group) => group.first),
    nodeCount: Uint16Array.from(groups, (group) => (group.count === 2 && second[group.index] === "1" ? 2 : 1)),
    groupOf: Uint16Array.from(nodes, (node) => node.group),
    cohorts: Uint16Array.from(groups, ({ service }) =>
      service.cohorts ? (service.cohorts.kind === "canary" ? 1 : 2) : 0,
    ),
    into: into.items,
    intoStart: into.start,
    out: out.items,
    outStart: out.start,
    consumers: consumers.items,
    consumersStart: consumers.start,
    source,
    from: Uint16Array.from(calls, (call) => call.from),
    to: Uint16Array.from(calls, (call) => call.to),
    publishes: Uint8Array.from(calls, (call) => (call.spec.kind === "publish" ? 1 : 0)),
    behind: Int16Array.from(calls, (call) => call.behind),
    cacheNode: Int16Array.from(calls, (call) => groups[calls[call.behind]?.to ?? -1]?.first ?? -1),
    entries: users.items,
    entriesStart: users.start,
    entryGroup: Uint16Array.from(entries, (entry) => entry.group),
    queues: Uint16Array.from(
      groups.filter((group) => group.service.kind === "queue"),
      (group) => group.index,
    ),
    cached: Uint16Array.from(
      asks.filter((call) => call.behind >= 0),
      (call) => call.index,
    ),
    isQueue: ofKind("queue"),
    isDatabase: ofKind("database"),
    isCache: ofKind("cache"),
  };
}

/** Items by key in one array: those of key k are `items[start[k] .. start[k + 1])`, in their own order. */
function lists<T>(
  keys: number,
  all: readonly T[],
  key: (item: T) => number,
  value: (item: T) => number,
): { items: Uint16Array; start: Uint16Array } {
  const start = new Uint16Array(keys + 1);
  const items = new Uint16Array(all.length);
  let at = 0;
  for (let k = 0; k < keys; k++) {
    start[k] = at;
    for (const item of all) if (key(item) === k) items[at++] = value(item);
  }
  start[keys] = at;
  return { items, start };
}
