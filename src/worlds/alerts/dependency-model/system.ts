/**
 * The interface of a causal system: a service graph on which faults are changes of parameters over time and place, and from
 * which everything else is measured. `model.ts` is the small, pointwise-steady implementation; a fuller engine fills the
 * same interface. Minutes are counted from the page (minute 0); a tick is 15 simulated seconds.
 */
import type { Noise } from "../../../core/rng";

export const TICKS_PER_MINUTE = 4;

export type ServiceKind =
  | "edge"
  | "cdn"
  | "dns"
  | "api"
  | "worker"
  | "queue"
  | "cache"
  | "database"
  | "replica"
  | "third_party";

export interface ServiceSpec {
  readonly name: string;
  readonly kind: ServiceKind;
  readonly team: string;
  readonly customerFacing: boolean;
  readonly revenue: boolean;
  /** Requests a second that arrive from outside the graph. */
  readonly load: number;
  /** 95th percentile of the service's own time for a request when idle, milliseconds. */
  readonly ownMs: number;
  /** Share of the CPU in use at normal load, 0..1. */
  readonly utilisation: number;
  /** Share of memory in use normally, 0..1. */
  readonly memory: number;
  /** Share of the disk in use normally, 0..1; absent where disks play no part. */
  readonly disk?: number;
  /** Share of reads a cache answers normally, 0..1. */
  readonly hitRatio?: number;
}

/**
 * `call`: request and answer. `publish`: a message is put into a queue. `consume`: a worker takes messages from a queue.
 * `await`: the caller's answer waits for work done behind a queue. `replicate`: a replica follows its primary.
 */
export type EdgeKind = "call" | "publish" | "consume" | "await" | "replicate";

export interface EdgeSpec {
  readonly from: string;
  readonly to: string;
  readonly kind: EdgeKind;
  /** Calls per request of the caller. */
  readonly calls: number;
  /** Share of the caller's requests that cannot be answered when this call fails, 0..1; 0 is an optional call. */
  readonly critical: number;
  readonly retries: number;
  /** The cache that is asked first; only its misses come here. */
  readonly behind?: string;
  /** Connections are taken from a limited pool. */
  readonly pooled?: boolean;
}

export interface SystemSpec {
  readonly services: readonly ServiceSpec[];
  readonly edges: readonly EdgeSpec[];
  /** Every service runs in all zones, with equal shares of the traffic. */
  readonly zones: readonly string[];
}

/**
 * What a fault can change. Each parameter has a neutral value (`NEUTRAL`) to which the effects add.
 * - `demand` × requests wanted · `cost` × CPU time a request · `quota` × CPU the service may use · `busy` share of the CPU taken by other work
 * - `delay` + ms · `fail` + share of requests rejected · `down` share of replicas that are down
 * - `held` share of each connection pool that idle sessions hold · `lockWait` + ms a query waits for locks · `oldestTransaction` + s
 * - `hit` × hit ratio · `leak` share of memory a minute · `memory` + share · `fill` share of the disk a minute · `disk` + share
 * - `loss` + share of packets · `handshake` + share of TLS handshakes failing · `certificate` + h left · `names` + share of lookups failing
 * - `apply` × speed at which a replica applies writes · `poison` share of messages that always fail · `burst` messages a second from a batch
 * - `probe` share of health probes that fail though the service is well · `backup` + h since the last backup
 */
export const NEUTRAL = {
  demand: 1,
  cost: 1,
  quota: 1,
  busy: 0,
  delay: 0,
  fail: 0,
  down: 0,
  held: 0,
  lockWait: 0,
  oldestTransaction: 0,
  hit: 1,
  leak: 0,
  memory: 0,
  fill: 0,
  disk: 0,
  loss: 0,
  handshake: 0,
  certificate: 0,
  names: 0,
  apply: 1,
  poison: 0,
  burst: 0,
  probe: 0,
  backup: 0,
} as const;
export type Parameter = keyof typeof NEUTRAL;

/** A part of a service that a fault can be confined to, e.g. version 2.4.1 with 40 % of the requests. */
export interface Facet {
  readonly key: string;
  readonly value: string;
  readonly share: number;
}

/** [minute, amount] points, minutes ascending; linear between them, constant outside. */
export type Profile = readonly (readonly [number, number])[];

/** One change of a parameter: `amount` is added to the neutral value (a `demand` of +1 doubles it). */
export interface Effect {
  readonly service: string;
  readonly parameter: Parameter;
  readonly profile: Profile;
  readonly facet?: Facet;
}

export const QUANTITIES = [
  "load",
  "latency",
  "errors",
  "failing",
  "cpu",
  "throttled",
  "cpuLimit",
  "memory",
  "restarts",
  "disk",
  "writeErrors",
  "poolUse",
  "poolPending",
  "lockWait",
  "oldestTransaction",
  "hit",
  "keys",
  "depth",
  "age",
  "redelivered",
  "attempts",
  "lag",
  "backlog",
  "loss",
  "retransmits",
  "handshake",
  "certificate",
  "lookupErrors",
  "nxdomain",
  "clients",
  "up",
  "backup",
] as const;
/** What is recorded of a service each tick; units stand in `metrics.ts`. */
export type Quantity = (typeof QUANTITIES)[number];

/** A finished simulation. Nothing in it changes any more. */
export interface Run {
  readonly fromMinute: number;
  readonly toMinute: number;
  readonly ticks: number;
  /** The true values of each tick, without measurement noise; undefined where the kind of service lacks the quantity. */
  column(service: string, quantity: Quantity): Float32Array | undefined;
}

export interface CausalSystem {
  readonly spec: SystemSpec;
  /** Callers come before what they call. */
  readonly order: readonly string[];
  /** The quiet state: every quantity without effects and with average load. */
  calm(service: string, quantity: Quantity): number;
  /** Runs the system from `fromMinute` to `toMinute`. `weather` drives the normal swing of the load; `only` records just these quantities. */
  simulate(
    effects: readonly Effect[],
    fromMinute: number,
    toMinute: number,
    weather: Noise,
    only?: readonly Quantity[],
  ): Run;
  /** The same run to be worked out in parts. */
  begin(
    effects: readonly Effect[],
    fromMinute: number,
    toMinute: number,
    weather: Noise,
    only?: readonly Quantity[],
  ): Simulation;
}

/** A run that is under way. Its columns hold zeros where it has not come yet. */
export interface Simulation {
  readonly run: Run;
  /** The last minute worked out so far; before the first one, one tick earlier than the run begins. */
  readonly minute: number;
  /** Goes on to a minute, at most to the end. */
  advance(toMinute: number): void;
  /** Another simulation that shares the past and goes on with other effects; those must not have differed before now. */
  branch(effects: readonly Effect[]): Simulation;
}

/** The amount of a profile at a minute. */
export function amountAt(profile: Profile, minute: number): number {
  let before: readonly [number, number] | undefined;
  for (const point of profile) {
    if (minute < point[0]) {
      if (before === undefined) return point[1];
      return before[1] + ((point[1] - before[1]) * (minute - before[0])) / (point[0] - before[0]);
    }
    before = point;
  }
  return before === undefined ? 0 : before[1];
}
