/**
 * What a run leaves behind: one number per column, tick and place, from which all telemetry is computed on read. Rates are means
 * over the tick, per second; durations are seconds; shares are 0..1. Columns of a node are of one service, zone and cohort.
 */
export const NODE_COLUMNS = [
  /** Requests that came (for a worker: messages taken). */
  "arrivals",
  /** Answered well. */
  "served",
  /** Answered with an error. */
  "failed",
  /** Turned away at once: shed, backlog full, nobody there. */
  "rejected",
  /** Given up half-way by a restart or a kill. */
  "dropped",
  "latencyMean",
  "latencySd",
  /** Of the limit `cores`. */
  "cpu",
  /** Share of scheduler periods in which the limit stopped the replica. */
  "throttled",
  "inFlight",
  /** Of the fullest replica, as a share of the limit. */
  "memory",
  "ready",
  "starting",
  /** Replicas restarted, killed ones included, since the start. */
  "restarts",
  /** Databases: connections open on the server. Caches: hit ratio. Queues: good messages waiting. */
  "level",
  /** Queues: poison messages waiting. Databases: idle sessions that nobody uses. */
  "poison",
  /** Queues: messages set aside since the start. */
  "deadLetters",
  /** Queues: redeliveries a second. */
  "redelivered",
  /** Queues: how long a good message waits at the present pace, s. */
  "delay",
  /** Of the disk's size. */
  "disk",
] as const;
export type NodeColumn = (typeof NODE_COLUMNS)[number];

/** Columns of a call from one caller node to the callee's group. */
export const CALL_COLUMNS = [
  /** Attempts a second, retries included. */
  "attempts",
  /** Attempts a second that ran into the time-out. */
  "timedOut",
  /** Attempts a second that the callee rejected or that found nobody. */
  "refused",
  /** Attempts a second that failed for want of a connection of the pool. */
  "unacquired",
  /** Attempts a second lost to the network, names or handshakes. */
  "unreached",
  "nameFailed",
  "handshakeFailed",
  /** Attempts a second that the callee answered with an error. */
  "errored",
  /** Mean time an attempt takes, s. */
  "attemptTime",
  "inUse",
  /** Sessions held open that nobody uses. */
  "stale",
  /** Share of attempts that an open breaker rejected. */
  "broken",
] as const;
export type CallColumn = (typeof CALL_COLUMNS)[number];

/** Columns of the users of one entry and zone. */
export const USER_COLUMNS = [
  /** Requests a second that users make, tries again included. */
  "offered",
  "failed",
  /** Answered well, but later than `slowAfter`. */
  "slow",
  "latencyMean",
  "latencySd",
] as const;
export type UserColumn = (typeof USER_COLUMNS)[number];

/** Columns that only stores (queues, databases, caches) have, in the order in which they stand, behind the others. */
export const OF_STORES = [
  "level",
  "poison",
  "deadLetters",
  "redelivered",
  "delay",
] as const satisfies readonly NodeColumn[];
/** Columns of calls that are zero while nothing is wrong, in the order in which they stand. */
export const RARE = [
  "timedOut",
  "refused",
  "unacquired",
  "unreached",
  "nameFailed",
  "handshakeFailed",
  "stale",
  "broken",
] as const satisfies readonly CallColumn[];
/** The other columns of calls, in the order in which they stand. */
export const COMMON = ["attempts", "errored", "attemptTime", "inUse"] as const satisfies readonly CallColumn[];

export const isOfStores = (column: NodeColumn) => (OF_STORES as readonly NodeColumn[]).includes(column);
/** The columns of every node, in the order in which they stand. */
export const OF_ALL: readonly NodeColumn[] = NODE_COLUMNS.filter((column) => !isOfStores(column));

/** Place of a column in a node's row, those of stores included. */
export const IN_NODE_ROW = Object.fromEntries(
  [...OF_ALL, ...OF_STORES].map((column, place) => [column, place]),
) as Readonly<Record<NodeColumn, number>>;

/** Place of a column in a call's row of common columns, or in that of rare ones. */
export const IN_CALL_ROW = Object.fromEntries([
  ...COMMON.map((column, place) => [column, place]),
  ...RARE.map((column, place) => [column, place]),
]) as Readonly<Record<CallColumn, number>>;
