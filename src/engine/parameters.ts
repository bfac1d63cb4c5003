/**
 * Every number of a service and of a call that an equation reads: unit, range, default and meaning. The tables are the one
 * source for `--set`, for the checks of a system's data and for the layout in memory. Faults, deploys and remedies act by
 * changing these and nothing else.
 */
import type { ServiceKind, ServiceSpec } from "./spec";

export interface ParameterInfo {
  readonly unit: string;
  readonly low: number;
  readonly high: number;
  readonly initial: number;
  readonly meaning: string;
}

function parameter(unit: string, low: number, high: number, initial: number, meaning: string): ParameterInfo {
  return { unit, low, high, initial, meaning };
}

const MANY = 1e9;
/** Replicas that a zone has room for. */
export const MOST_REPLICAS = 16;

export const SERVICE_PARAMETERS = {
  load: parameter("requests/s", 0, 1e6, 0, "what users ask of this service, over all zones, before the time of day"),
  userTimeout: parameter("s", 0, 600, 10, "how long a user waits"),
  userRetries: parameter("share", 0, 1, 0.3, "users who try again some seconds after a failure"),
  slowAfter: parameter("s", 0.01, 600, 2, "an answer later than this counts as slow for a user"),
  replicas: parameter("count", 0, MOST_REPLICAS, 2, "replicas a zone that should run"),
  cores: parameter("cores", 0, 256, 2, "CPU a replica may use"),
  cpuTime: parameter("s", 0, 60, 0.005, "CPU a request costs"),
  ownTime: parameter("s", 0, 600, 0.005, "time a request spends on its own account without CPU"),
  slots: parameter("count", 0, MANY, 64, "requests a replica works on at once"),
  backlog: parameter("count", 0, MANY, 256, "requests that may wait at a replica before more are rejected"),
  cancels: parameter("0 or 1", 0, 1, 0, "whether work that its caller gave up is dropped"),
  errorShare: parameter("share", 0, 1, 0.0005, "requests that fail for reasons of its own"),
  writeShare: parameter("share", 0, 1, 0.2, "requests that write"),
  shed: parameter("share", 0, 1, 0, "requests rejected at the door on purpose"),
  weight: parameter("share", 0, 1, 0, "share of the group's requests that go to the second cohort"),
  startSeconds: parameter("s", 0, 3600, 30, "from start to ready of a replica"),
  memoryLimit: parameter("MB", 1, MANY, 1024, "memory a replica may use"),
  memoryBase: parameter("MB", 0, MANY, 400, "memory in use without requests"),
  memoryPerRequest: parameter("MB", 0, 1e4, 0.5, "memory of a request in the system"),
  leakPerRequest: parameter("MB", 0, 1e4, 0, "memory a request leaves behind"),
  leakPerSecond: parameter("MB/s", 0, 1e4, 0, "memory lost a second"),
  threads: parameter("count", 1, 1024, 4, "runnable threads a replica puts on CPUs at once"),
  knee: parameter("count", 0, MANY, 0, "admitted requests beyond which they slow each other down; 0 is never"),
  maxConnections: parameter("count", 0, MANY, 0, "connections the server accepts; 0 is no limit"),
  cacheTtl: parameter("s", 1, MANY, 900, "life of a cached entry"),
  hitMax: parameter("share", 0, 1, 0, "hit ratio of a warm cache"),
  hotKeys: parameter("count", 1, MANY, 20000, "keys that make up the warm set"),
  deliveryLimit: parameter(
    "count",
    0,
    1000,
    5,
    "deliveries after which a message is set aside as a dead letter; 0 is never",
  ),
  highWater: parameter("messages", 1, MANY, 200000, "depth beyond which the broker slows publishers"),
  messageSize: parameter("GB", 0, 1, 2e-6, "disk a waiting message takes"),
  staleAfter: parameter("s", 1, MANY, 120, "a message that waits longer counts as late for a user"),
  diskSize: parameter("GB", 0.001, MANY, 200, "size of the disk"),
  diskBase: parameter("GB", 0, MANY, 80, "disk in use at the start of history"),
  diskGrowth: parameter("GB/s", 0, 1e4, 0, "growth of disk use without requests"),
  diskReclaim: parameter("GB/s", 0, 1e4, 0, "disk that retention and clean-up give back, down to diskBase"),
  diskPerWrite: parameter("GB", 0, 1e4, 0, "disk a write takes for good"),
  diskReserved: parameter("share", 0, 0.5, 0.05, "share of the disk that writes cannot have"),
  failoverGap: parameter("s", 0, 3600, 45, "from the start of a failover to the new primary taking requests"),
  replicationLag: parameter("s", 0, 3600, 1, "how far the standby is behind; what is lost when it is promoted"),
  coldFactor: parameter("×", 1, 100, 3, "service time with cold buffers ÷ with warm ones"),
  warmSeconds: parameter("s", 1, MANY, 300, "time constant of buffers warming at normal load"),
  scaleMin: parameter(
    "count",
    0,
    MOST_REPLICAS,
    0,
    "fewest replicas a zone of the autoscaler; 0 with scaleMax 0 is none",
  ),
  scaleMax: parameter("count", 0, MOST_REPLICAS, 0, "most replicas a zone of the autoscaler"),
  scaleTarget: parameter("share", 0.05, 1, 0.6, "CPU utilisation the autoscaler aims at"),
  scrapeLoss: parameter("share", 0, 1, 0.004, "measurements that go missing"),
  probeFailure: parameter("share", 0, 1, 0, "health probes that fail though the service is well"),
} as const satisfies Record<string, ParameterInfo>;
export type ServiceParameter = keyof typeof SERVICE_PARAMETERS;

export const CALL_PARAMETERS = {
  calls: parameter("count", 0, 1000, 1, "calls a request of the caller makes"),
  enabled: parameter("×", 0, 100, 1, "multiplies the calls; 0 switches an optional call off"),
  critical: parameter("share", 0, 1, 1, "callers' requests that fail when the call fails"),
  timeout: parameter("s", 0, 600, 1, "how long an attempt may take"),
  retries: parameter("count", 0, 10, 0, "further attempts after a failed one"),
  backoff: parameter("s", 0, 60, 0.05, "wait before a further attempt"),
  pool: parameter("count", 0, MANY, 0, "connections a replica of the caller may have open; 0 is not pooled"),
  acquireTimeout: parameter("s", 0, 600, 1, "how long a request waits for a connection"),
  sessionLeak: parameter("count", 0, 1, 0, "sessions that stay open unused after a time-out while waiting for one"),
  partitioned: parameter("share", 0, 1, 0, "packets' share that no attempt gets through, however often"),
  nameFailure: parameter("share", 0, 1, 0, "new look-ups of the callee's name that fail"),
  nameTtl: parameter("s", 1, 1e6, 60, "life of a looked-up name"),
  handshakeFailure: parameter("share", 0, 1, 0, "new connections whose handshake fails"),
  connectionLife: parameter("s", 1, 1e6, 300, "mean life of a connection"),
  poison: parameter("share", 0, 1, 0, "published messages that can never be processed"),
  breakerThreshold: parameter("share", 0, 1, 0, "failed attempts at which the breaker opens; 0 is no breaker"),
  breakerSeconds: parameter(
    "s",
    15,
    3600,
    30,
    "how long an open breaker rejects before it lets attempts through again",
  ),
} as const satisfies Record<string, ParameterInfo>;
export type CallParameter = keyof typeof CALL_PARAMETERS;

/** Where a kind of service differs from the defaults above. */
export const KIND_DEFAULTS: Readonly<Record<ServiceKind, Partial<Record<ServiceParameter, number>>>> = {
  edge: { cpuTime: 0.0008, ownTime: 0.001, slots: 2048, backlog: 2048, startSeconds: 15, writeShare: 0 },
  api: {},
  worker: { slots: 16, backlog: 0, cpuTime: 0.02, ownTime: 0.03, writeShare: 0.8 },
  database: {
    replicas: 1,
    cores: 16,
    cpuTime: 0.002,
    ownTime: 0.002,
    slots: 400,
    backlog: 0,
    knee: 60,
    maxConnections: 400,
    memoryLimit: 32768,
    memoryBase: 20000,
    memoryPerRequest: 4,
    startSeconds: 45,
    diskPerWrite: 2e-7,
    threads: 64,
  },
  cache: {
    replicas: 1,
    cores: 4,
    cpuTime: 0.00005,
    ownTime: 0.0003,
    slots: 10000,
    backlog: 0,
    hitMax: 0.92,
    errorShare: 0.00002,
    memoryLimit: 8192,
    memoryBase: 5000,
    memoryPerRequest: 0.01,
    startSeconds: 15,
  },
  queue: {
    replicas: 1,
    cores: 8,
    cpuTime: 0.0002,
    ownTime: 0.002,
    slots: 4000,
    backlog: 4000,
    memoryLimit: 16384,
    memoryBase: 6000,
    startSeconds: 45,
    writeShare: 1,
  },
  third_party: { replicas: 4, cores: 64, cpuTime: 0.0005, ownTime: 0.08, slots: 10000, backlog: 0, errorShare: 0.001 },
};

/** The value of a parameter that a service is built with: its own, else that of its kind, else the default of all. */
export function builtWith(service: ServiceSpec, name: ServiceParameter): number {
  if (name === "weight" && service.cohorts?.kind === "shard") return service.cohorts.share;
  return service.parameters?.[name] ?? KIND_DEFAULTS[service.kind][name] ?? SERVICE_PARAMETERS[name].initial;
}
