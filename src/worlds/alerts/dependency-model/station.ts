/**
 * State of one run and the laws of one tick. Demand goes down the graph (callers first), then latency and errors come up
 * (callees first). Feedback — retries, pools, queues — uses the tick before, so a tick has no equations to solve.
 */
import { clamp } from "../../../core/math";
import {
  afterRetries,
  anyFails,
  collectionCost,
  connectionsNeeded,
  overflow,
  packetLoss,
  pool,
  refusedWrites,
  retryLoad,
  shareSlowerThan,
  throttledShare,
  waitingGrowth,
} from "./mechanisms";
import { type EdgeSpec, NEUTRAL, type Parameter, type Quantity, type ServiceKind, type ServiceSpec } from "./system";

const TICK_SECONDS = 15;
/** Extra deliveries a message that always fails costs before it is parked. */
const REDELIVERIES = 6;
/** A job that waits longer is late for whoever awaits it. */
export const QUEUE_AGE_OBJECTIVE_S = 60;
/** A read from a replica further behind is of no use. */
export const LAG_OBJECTIVE_S = 20;
/** How much faster than normal a replica can apply writes. */
const APPLY_HEADROOM = 1.5;
const OOM_TICKS = 5;
/** Replicas reach the limit one after another: this share is down at a time. */
const KILLED_SHARE = 0.25;
const BASE_LAG_S = 0.4;
/** A backlog of so many seconds doubles the speed of applying. */
const BATCHING_S = 60;

/** Failures a well service has anyway. */
const BASE_FAIL: Record<ServiceKind, number> = {
  edge: 0.0002,
  cdn: 0.0002,
  dns: 0.0001,
  api: 0.0005,
  worker: 0.0015,
  queue: 0.0001,
  cache: 0.0002,
  database: 0.0001,
  replica: 0.0001,
  third_party: 0.002,
};

/** What calibration finds out about a service at normal load. */
export interface Calibration {
  load: number;
  latency: number;
  /** Requests a second at which the CPU is full. */
  capacity: number;
  /** Time spent in dependencies, ms. */
  dependencies: number;
  /** A user request slower than this misses the objective, ms. */
  objective: number;
}

export class Node {
  readonly effectsOn: Record<Parameter, number> = { ...NEUTRAL };
  readonly out: Link[] = [];
  inflow = 0;
  load = 0;
  admitted = 0;
  utilisation = 0;
  overflow = 0;
  latency: number;
  dependencies: number;
  errors = 0;
  failing = 0;
  inboundFailing = 0;
  inboundDelay = 0;
  leaked = 0;
  disk: number;
  memory: number;
  restarts = 0;
  oomLeft = 0;
  hit: number;
  missFactor = 1;
  depth = 0;
  age = 0;
  pulled = 0;
  arrivals = 0;
  lag = BASE_LAG_S;
  redelivered = 0;
  attempts = 1;
  poolUse = 0;
  poolPending = 0;
  offered = 0;

  constructor(
    readonly spec: ServiceSpec,
    readonly calm: Calibration,
  ) {
    this.latency = calm.latency;
    this.dependencies = calm.dependencies;
    this.memory = spec.memory;
    this.disk = spec.disk ?? 0;
    this.hit = spec.hitRatio ?? 0;
  }

  /** Takes over the state of the same service in another run; `effectsOn` is set anew each tick. */
  resume(origin: Node): void {
    const { effectsOn, out, spec, calm, ...state } = origin;
    Object.assign(this, state);
    for (const [i, link] of this.out.entries()) {
      const { amplification, poolFailing, failing } = out[i] as Link;
      Object.assign(link, { amplification, poolFailing, failing });
    }
  }
}

export class Link {
  amplification = 1;
  poolFailing = 0;
  failing = 0;

  constructor(
    readonly spec: EdgeSpec,
    readonly from: Node,
    readonly to: Node,
    readonly behind: Node | undefined,
    /** Connections of the pool; Infinity where there is none. */
    readonly limit: number,
    /** The caller gives up after this many ms. */
    readonly timeout: number,
  ) {}
}

/** Slow state and what reaches the service: run before demand. */
export function prepare(node: Node): void {
  const on = node.effectsOn;
  const network = packetLoss(clamp(on.loss));
  // Lost packets break some handshakes too, so a few handshake errors alone prove no bad certificate.
  node.inboundFailing = anyFails(network.failing, clamp(on.handshake), clamp(on.names));
  node.inboundDelay = network.delay;
  growMemory(node);
  if (node.spec.disk !== undefined) node.disk = clamp(node.disk + on.fill / 4);
  if (node.spec.kind === "cache") {
    const base = node.spec.hitRatio ?? 0.9;
    node.hit = clamp(base * clamp(on.hit) * (1 - anyFails(node.inboundFailing, node.errors)), 0, 0.995);
    node.missFactor = (1 - node.hit) / (1 - base);
  }
}

function growMemory(node: Node): void {
  const on = node.effectsOn;
  node.leaked += on.leak / 4;
  const crowded = 0.06 * clamp((node.utilisation - 0.85) / 0.12);
  node.memory = clamp(node.spec.memory + node.leaked + on.memory + crowded);
  if (node.oomLeft > 0) node.oomLeft--;
  if (node.memory >= 0.995 && node.leaked > 0) {
    node.leaked = 0;
    node.restarts++;
    node.oomLeft = OOM_TICKS;
  }
}

/** Demand: what arrives, how much of it is served, and what that asks of the services below. */
export function demand(node: Node, weather: number): void {
  const on = node.effectsOn;
  const killed = node.oomLeft > 0 ? KILLED_SHARE : 0;
  const running = Math.max(
    0.02,
    (1 - clamp(on.down + killed)) * Math.max(0.02, Math.min(1.3, on.quota)) * (1 - clamp(on.busy, 0, 0.98)),
  );
  const cost = Math.max(0.05, on.cost) * collectionCost(node.memory);
  const wanted = (node.spec.load * weather + node.inflow) * Math.max(0, on.demand) + on.burst;
  const served = node.spec.kind === "worker" ? wanted + pull(node, running, cost) : wanted;
  node.load = served * (1 - node.inboundFailing);
  const work = node.spec.kind === "worker" ? 1 + REDELIVERIES * clamp(on.poison) : 1;
  node.offered = (node.load * cost * work) / node.calm.capacity;
  node.utilisation = node.offered / running;
  node.overflow = node.spec.kind === "worker" ? 0 : overflow(node.utilisation);
  node.admitted = node.load * (1 - node.overflow) * (1 - clamp(on.fail + killed));
  for (const link of node.out) {
    if (link.spec.kind === "call" || link.spec.kind === "publish")
      link.to.inflow += calls(link) * link.amplification * (1 - link.poolFailing);
  }
}

/** Calls a second over a link, without retries. */
function calls(link: Link): number {
  return link.from.admitted * link.spec.calls * (link.behind?.missFactor ?? 1);
}

/** Messages a second a worker takes: as many as wait, at most what its CPU and its slots allow. */
function pull(node: Node, running: number, cost: number): number {
  let taken = 0;
  for (const link of node.out) {
    if (link.spec.kind !== "consume") continue;
    const queue = link.to;
    const poison = clamp(node.effectsOn.poison);
    const byCpu = (node.calm.capacity * running * 0.97) / cost;
    const normal = node.spec.ownMs + node.calm.dependencies;
    const now = node.spec.ownMs * cost + node.dependencies + Math.max(0, node.effectsOn.delay);
    const bySlots = (2.2 * node.calm.load * normal) / Math.max(now, 0.01);
    const most = (Math.min(byCpu, bySlots) / (1 + REDELIVERIES * poison)) * (1 - queue.inboundFailing);
    const amount = Math.min(queue.depth / TICK_SECONDS + queue.arrivals, most);
    queue.pulled = amount * (1 - clamp(node.errors));
    node.redelivered = clamp((REDELIVERIES * poison + node.errors) / (1 + REDELIVERIES * poison + node.errors));
    queue.redelivered = node.redelivered;
    queue.attempts = 1 + Math.floor(REDELIVERIES * clamp(poison * 12) + 3 * clamp(node.errors));
    taken += amount;
  }
  return taken;
}

/** Latency and errors, from what the services below just answered. */
export function answer(node: Node): void {
  const on = node.effectsOn;
  if (node.spec.kind === "queue") fillQueue(node);
  if (node.spec.kind === "replica") follow(node);
  const own = node.spec.ownMs * Math.max(0.05, on.cost) * collectionCost(node.memory) * waitingGrowth(node.utilisation);
  const throttling = on.quota < 0.95 ? 150 * throttledShare(node.utilisation, on.quota) : 0;
  let below = 0;
  let fine = 1;
  node.poolUse = 0;
  node.poolPending = 0;
  for (const link of node.out) {
    below += meet(link);
    const needed = link.spec.critical * Math.min(1, link.spec.calls * Math.min(3, link.behind?.missFactor ?? 1));
    fine *= 1 - clamp(needed) * link.failing;
  }
  const killed = node.oomLeft > 0 ? 0.6 * KILLED_SHARE : 0;
  const poisoned = node.spec.kind === "worker" ? 0.8 * clamp(on.poison) : 0;
  const refused = node.spec.disk === undefined ? 0 : refusedWrites(node.disk);
  node.dependencies = below;
  node.latency = own + throttling + Math.max(0, on.delay) + Math.max(0, on.lockWait) + below;
  node.errors = anyFails(BASE_FAIL[node.spec.kind], on.fail, node.overflow, killed, poisoned, refused, 1 - fine);
  const late =
    node.spec.kind === "worker"
      ? lateWork(node)
      : shareSlowerThan(node.calm.objective, node.latency + node.inboundDelay);
  node.failing = anyFails(node.errors, node.inboundFailing, late);
  node.inflow = 0;
}

function lateWork(node: Node): number {
  const link = node.out.find((edge) => edge.spec.kind === "consume");
  return link === undefined ? 0 : shareSlowerThan(QUEUE_AGE_OBJECTIVE_S, link.to.age);
}

/** What one dependency does to its caller: sets the link's failing share and amplification, returns the time it adds, ms. */
function meet(link: Link): number {
  const { spec, to } = link;
  if (spec.kind === "consume") {
    link.failing = anyFails(to.inboundFailing);
    return to.inboundDelay;
  }
  if (spec.kind === "replicate") return 0;
  if (spec.kind === "await") {
    link.failing = shareSlowerThan(QUEUE_AGE_OBJECTIVE_S, to.age);
    return 0;
  }
  const took = to.latency + to.inboundDelay;
  const rate = calls(link);
  let wait = 0;
  if (spec.pooled === true) {
    const state = pool(
      connectionsNeeded(rate * link.amplification, Math.min(took, link.timeout)),
      link.limit,
      link.from.effectsOn.held,
    );
    link.poolFailing = state.failing;
    wait = state.wait;
    if (state.use > link.from.poolUse) link.from.poolUse = state.use;
    // Little's law again: callers waiting = rate × wait.
    link.from.poolPending += (rate * wait) / 1000;
  }
  const stale = to.spec.kind === "replica" ? shareSlowerThan(LAG_OBJECTIVE_S, to.lag) : 0;
  const p = anyFails(to.errors, to.inboundFailing, shareSlowerThan(link.timeout, took), link.poolFailing);
  link.amplification = 1 + retryLoad(p, spec.retries);
  link.failing = anyFails(afterRetries(p, spec.retries), stale);
  const missed = Math.min(1, spec.calls * Math.min(3, link.behind?.missFactor ?? 1));
  // An optional call is made beside the others and is dropped after a short time.
  const patience = spec.critical < 0.2 ? 0.25 * link.timeout : link.timeout;
  return missed * Math.min(took + wait, patience + wait);
}

function fillQueue(queue: Node): void {
  const accepted = queue.load * (1 - clamp(queue.errors));
  queue.depth = Math.max(0, queue.depth + TICK_SECONDS * (accepted - queue.pulled));
  queue.arrivals = accepted;
  queue.age = queue.depth / Math.max(queue.pulled, 0.05 * queue.calm.load, 0.01);
}

/** A replica falls behind when writes come faster than it applies them; a long backlog is applied in larger, cheaper batches, so the lag settles. */
function follow(replica: Node): void {
  const link = replica.out.find((edge) => edge.spec.kind === "replicate");
  if (link === undefined) return;
  const writes = link.to.load / Math.max(link.to.calm.load, 0.01);
  const speed =
    APPLY_HEADROOM * Math.max(0.02, replica.effectsOn.apply) * Math.max(0.05, 1 - 3 * clamp(replica.effectsOn.loss));
  replica.lag = Math.max(
    BASE_LAG_S,
    replica.lag + TICK_SECONDS * (writes / (speed * (1 + replica.lag / BATCHING_S)) - 1),
  );
}

/** Quantities that stay as they are while none of the named parameters changes; they need no recording tick by tick. */
export const STILL_WITHOUT: Partial<Record<Quantity, readonly Parameter[]>> = {
  cpuLimit: ["quota"],
  lockWait: ["lockWait"],
  oldestTransaction: ["oldestTransaction"],
  loss: ["loss"],
  retransmits: ["loss"],
  handshake: ["handshake", "loss"],
  lookupErrors: ["names"],
  nxdomain: ["names"],
  clients: ["demand"],
};

/** The value of a recorded quantity after a tick. `minute` counts from the page. */
export function recorded(node: Node, quantity: Quantity, minute: number): number {
  const on = node.effectsOn;
  switch (quantity) {
    case "load":
      return node.load;
    case "latency":
      return node.latency;
    case "errors":
      return node.errors;
    case "failing":
      return node.failing;
    case "cpu":
      return cpuShown(node);
    case "throttled":
      return throttledShare(node.utilisation, on.quota);
    case "cpuLimit":
      return 4 * Math.max(0.05, Math.min(1, on.quota));
    case "memory":
      return node.memory;
    case "restarts":
      return node.restarts;
    case "disk":
      return clamp(node.disk + on.disk);
    case "writeErrors":
      return refusedWrites(node.disk);
    case "poolUse":
      return node.poolUse;
    case "poolPending":
      return node.poolPending;
    case "lockWait":
      return 1.5 + Math.max(0, on.lockWait);
    case "oldestTransaction":
      return 2 + Math.max(0, on.oldestTransaction);
    case "hit":
      return node.hit;
    case "keys":
      return 800 * clamp(1 - 2.5 * (1 - node.hit / Math.max(node.spec.hitRatio ?? 1, 0.01)), 0.02);
    case "depth":
      return node.depth + 3;
    case "age":
      return node.age + 0.5;
    case "redelivered":
      return node.redelivered;
    case "attempts":
      return node.attempts;
    case "lag":
      return node.lag;
    case "backlog":
      return 0.5 + node.lag * 1.8;
    case "loss":
      return 0.0005 + clamp(on.loss);
    case "retransmits":
      return 0.0015 + 1.5 * clamp(on.loss);
    case "handshake":
      return 0.0008 + clamp(on.handshake + 0.2 * clamp(on.loss));
    case "certificate":
      return Math.max(0, 912 + on.certificate - minute / 60);
    case "lookupErrors":
      return 0.0006 + clamp(on.names);
    case "nxdomain":
      return 1.5 + clamp(on.names) * node.calm.load;
    case "clients":
      return 12 * node.calm.load * Math.max(0, on.demand);
    case "up":
      return 1 - clamp(on.down + on.probe + (node.oomLeft > 0 ? KILLED_SHARE : 0));
    case "backup":
      return Math.max(0, 9.5 + on.backup + minute / 60);
  }
}

function cpuShown(node: Node): number {
  const on = node.effectsOn;
  const left = Math.max(0.02, Math.min(1, on.quota)) * (1 - clamp(on.busy, 0, 0.98));
  return Math.min(left, node.offered / Math.max(0.1, 1 - clamp(on.down))) + clamp(on.busy, 0, 0.98);
}
