/**
 * What happens to a system. Everything that is not steady behaviour is an event: what was scheduled, what somebody did, and what
 * the system did by itself (a kill for memory, a breaker opening). All are kept, in order, in the journal of the simulation;
 * red herrings are events like any other.
 */
import type { Change, Cohort } from "./spec";

/** Who made it happen: the fault being practised, the ordinary life of the company, a player's remedy, or the system itself. */
export type EventOrigin = "fault" | "routine" | "action" | "system";

export type Happening =
  /** Parameters change until `reverted` names the same id. */
  | { readonly kind: "changed"; readonly id: string; readonly changes: readonly Change[] }
  | { readonly kind: "reverted"; readonly id: string }
  /**
   * A version of a deployable takes effect. `share` below 1 gives it to the second cohort with that share of the requests;
   * with `zone` only the replicas of that zone get it. The restarts of a roll-out are events of their own.
   */
  | {
      readonly kind: "deployed";
      readonly deployable: string;
      readonly version: string;
      readonly share: number;
      readonly zone?: string;
    }
  | { readonly kind: "scaled"; readonly service: string; readonly zone?: string; readonly replicas: number }
  /**
   * `share` of the replicas restart at once: their requests are dropped, their memory and caches start anew. `drained`: they took no
   * new requests before and finished those they had, so that none is dropped. `seconds`: until they are ready, where that is not
   * `startSeconds`.
   */
  | {
      readonly kind: "restarted";
      readonly service: string;
      readonly zone?: string;
      readonly share: number;
      readonly drained?: true;
      readonly seconds?: number;
    }
  | { readonly kind: "cache_flushed"; readonly service: string; readonly zone?: string; readonly share: number }
  | { readonly kind: "connections_cleared"; readonly service: string }
  /** `seconds`: until the standby takes requests, where that is not `failoverGap`. */
  | { readonly kind: "failed_over"; readonly service: string; readonly seconds?: number }
  /** All waiting messages are thrown away, or only the poison among them is set aside with the dead letters. */
  | { readonly kind: "purged"; readonly service: string; readonly only?: "poison" }
  /** Messages that can never be processed are put into a queue. */
  | { readonly kind: "poisoned"; readonly service: string; readonly messages: number }
  /** Users of a zone are sent to the others: `weight` 1 is its usual share, 0 none. */
  | { readonly kind: "traffic_shifted"; readonly zone: string; readonly weight: number }
  /** Made by the system itself. */
  | { readonly kind: "oom_killed"; readonly service: string; readonly zone: string; readonly cohort: Cohort }
  | { readonly kind: "replica_ready"; readonly service: string; readonly zone: string; readonly replicas: number }
  | {
      readonly kind: "autoscaled";
      readonly service: string;
      readonly zone: string;
      readonly from: number;
      readonly to: number;
    }
  | { readonly kind: "breaker_opened" | "breaker_closed"; readonly call: string; readonly zone: string }
  | { readonly kind: "promoted"; readonly service: string; readonly zone: string; readonly lostWrites: number }
  | { readonly kind: "disk_filled"; readonly service: string; readonly zone: string };

export type SystemEvent = Happening & {
  /** The tick before which it takes effect; tick 0 is the start of history. */
  readonly tick: number;
  readonly origin: EventOrigin;
};
