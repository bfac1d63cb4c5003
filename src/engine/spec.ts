/**
 * What a system is made of, as data: services in zones, the calls between them, and what can be deployed on them.
 * `plan.ts` compiles it; `simulation.ts` runs it. Times are seconds, sizes megabytes or gigabytes as named, rates per second.
 */
import type { CallParameter, ServiceParameter } from "./parameters";

/** Simulated seconds in a tick. */
export const TICK_SECONDS = 15;
export const TICKS_PER_MINUTE = 4;

export type ServiceKind = "edge" | "api" | "worker" | "database" | "cache" | "queue" | "third_party";

export interface ServiceSpec {
  /** Lower-case letters, digits and hyphens; unique in the system. */
  readonly name: string;
  readonly kind: ServiceKind;
  readonly team: string;
  /**
   * Where it runs: one group of replicas a zone; callers use the group of their own zone where there is one, else the first.
   * `replicas` counts the replicas of one zone.
   */
  readonly zones: readonly string[];
  /** Zone of the standby that a failover promotes; absent where there is none. */
  readonly standby?: string;
  /**
   * Splits each group in two cohorts with their own parameters. `canary`: the second cohort takes the share of a partial
   * roll-out (none at first). `shard`: the second cohort is the hottest of `shards` equal shards and takes `share` of the requests.
   */
  readonly cohorts?:
    | { readonly kind: "canary" }
    | { readonly kind: "shard"; readonly shards: number; readonly share: number };
  /** Where it differs from its kind (`parameters.ts` has the defaults). `load` makes it an entry for users. */
  readonly parameters?: Partial<Record<ServiceParameter, number>>;
}

/**
 * `call`: request and answer. `publish`: a message is put into a queue. `consume`: the worker `from` takes messages of the
 * queue `to`.
 */
export type CallKind = "call" | "publish" | "consume";

export interface CallSpec {
  readonly from: string;
  readonly to: string;
  readonly kind: CallKind;
  /** The cache that is asked first by the same caller: only its misses come here. */
  readonly behind?: string;
  readonly parameters?: Partial<Record<CallParameter, number>>;
}

/**
 * One change of parameters. `service` changes a service, `call` ("from>to") a dependency, `link` ("zone-a>zone-b") the network
 * between two zones. With `zone` or `cohort` only that part of the service.
 */
export type Change = (
  | { readonly service: string; readonly zone?: string; readonly cohort?: Cohort; readonly parameter: ServiceParameter }
  | { readonly call: string; readonly zone?: string; readonly cohort?: Cohort; readonly parameter: CallParameter }
  | { readonly link: string; readonly parameter: "partitioned" }
) & { readonly op: "set" | "times" | "plus"; readonly value: number };

/** 0: stable, or the cool shards. 1: canary, or the hottest shard. */
export type Cohort = 0 | 1;

export type DeployableKind = "code" | "config" | "flag" | "certificate" | "dns_zone" | "limit" | "job";

/** Something with versions that can be rolled back and forward. A flag's versions are `off` and `on`; a job's `stopped` and `running`. */
export interface Deployable {
  /** Unique in the system, e.g. "auth-api", "auth-api/config", "flag/shadow-reads", "cert/payments". */
  readonly id: string;
  readonly kind: DeployableKind;
  /** The service that owns it. */
  readonly service: string;
  readonly versions: readonly {
    readonly version: string;
    readonly changes: readonly Change[];
    /**
     * Certificates: when it ends, in seconds from the start of history; negative where it has ended before. Shown to whoever looks;
     * that handshakes fail from then on is an event of its own.
     */
    readonly expiresAt?: number;
  }[];
  /** The version at the start of history. */
  readonly current: string;
}

export interface SystemSpec {
  readonly id: string;
  readonly zones: readonly string[];
  readonly services: readonly ServiceSpec[];
  readonly calls: readonly CallSpec[];
  readonly deployables: readonly Deployable[];
}

/** The name of a call in changes, logs and settings. */
export function callName(from: string, to: string): string {
  return `${from}>${to}`;
}
