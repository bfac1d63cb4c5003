/**
 * The plan as integer arrays, which is what the solver's loops walk over. Cohorts that nobody uses (most canaries, most of the time)
 * are left out; there is one wiring for every set of cohorts in use, built when first needed and shared by all runs of the plan.
 */
import type { Plan } from "../plan";

export interface Wiring {
  readonly nodes: number;
  readonly calls: number;
  /** Nodes in use. */
  readonly live: Int32Array;
  /** Whether any second cohort is in use. */
  readonly hasSecond: boolean;
  /** Calls in use, other than `consume`. */
  readonly liveCalls: Int32Array;
  readonly groups: number;
  /** Groups, callers first. */
  readonly order: Int32Array;
  readonly firstNode: Int32Array;
  /** Cohorts in use of a group, 1 or 2. */
  readonly nodeCount: Int32Array;
  readonly groupOf: Int32Array;
  /** 1 where the second cohort is a canary, 2 where it is the hottest shard, 0 where there is one cohort. */
  readonly cohorts: Int32Array;
  /** Calls into group g by requests: `into[intoStart[g] .. intoStart[g + 1])`. */
  readonly into: Int32Array;
  readonly intoStart: Int32Array;
  /** Calls of node n that are not `consume`: `out[outStart[n] .. outStart[n + 1])`. */
  readonly out: Int32Array;
  readonly outStart: Int32Array;
  /** Nodes that consume from queue group g. */
  readonly consumers: Int32Array;
  readonly consumersStart: Int32Array;
  /** Queue group that a group consumes from; −1 for none. */
  readonly source: Int32Array;
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly publishes: Uint8Array;
  readonly behind: Int32Array;
  /** First node of the cache that is asked before the call; −1 for none. */
  readonly cacheNode: Int32Array;
  /** Entries of group g. */
  readonly entries: Int32Array;
  readonly entriesStart: Int32Array;
  readonly entryGroup: Int32Array;
  /** Groups that are queues. */
  readonly queues: Int32Array;
  /** Calls in use behind a cache. */
  readonly cached: Int32Array;
  readonly isQueue: Uint8Array;
  readonly isDatabase: Uint8Array;
  readonly isCache: Uint8Array;
}

/** Where a run keeps the wiring that fits its cohorts in use now. */
export interface Circuit {
  wiring: Wiring;
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
  const source = new Int32Array(groups.length).fill(-1);
  for (const call of takes) source[nodes[call.from]?.group ?? 0] = call.to;
  const ofKind = (kind: string) => Uint8Array.from(groups, (group) => (group.service.kind === kind ? 1 : 0));
  return {
    nodes: nodes.length,
    calls: calls.length,
    live: Int32Array.from(live),
    hasSecond: second.includes("1"),
    liveCalls: Int32Array.from(asks, (call) => call.index),
    groups: groups.length,
    order: Int32Array.from(plan.order),
    firstNode: Int32Array.from(groups, (group) => group.first),
    nodeCount: Int32Array.from(groups, (group) => (group.count === 2 && second[group.index] === "1" ? 2 : 1)),
    groupOf: Int32Array.from(nodes, (node) => node.group),
    cohorts: Int32Array.from(groups, ({ service }) =>
      service.cohorts ? (service.cohorts.kind === "canary" ? 1 : 2) : 0,
    ),
    into: into.items,
    intoStart: into.start,
    out: out.items,
    outStart: out.start,
    consumers: consumers.items,
    consumersStart: consumers.start,
    source,
    from: Int32Array.from(calls, (call) => call.from),
    to: Int32Array.from(calls, (call) => call.to),
    publishes: Uint8Array.from(calls, (call) => (call.spec.kind === "publish" ? 1 : 0)),
    behind: Int32Array.from(calls, (call) => call.behind),
    cacheNode: Int32Array.from(calls, (call) => groups[calls[call.behind]?.to ?? -1]?.first ?? -1),
    entries: users.items,
    entriesStart: users.start,
    entryGroup: Int32Array.from(entries, (entry) => entry.group),
    queues: Int32Array.from(
      groups.filter((group) => group.service.kind === "queue"),
      (group) => group.index,
    ),
    cached: Int32Array.from(
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
): { items: Int32Array; start: Int32Array } {
  const start = new Int32Array(keys + 1);
  const items = new Int32Array(all.length);
  let at = 0;
  for (let k = 0; k < keys; k++) {
    start[k] = at;
    for (const item of all) if (key(item) === k) items[at++] = value(item);
  }
  start[keys] = at;
  return { items, start };
}
