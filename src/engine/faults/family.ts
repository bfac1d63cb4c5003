/**
 * The contract of a fault family. A family draws, from a seed, where and how a system is weak and what goes wrong with it, as data and
 * events only: what users, telemetry and remedies then do is the engine's affair. Beside it stand the scripts that the draw is
 * judged by: two that are right and those that tempt.
 */
import type { Stream } from "../../core/rng";
import type { SystemEvent } from "../events";
import type { Remedy } from "../remedies/verbs";
import type { SystemSpec } from "../spec";

export const FAMILY_IDS = [
  "bad_deploy",
  "memory_leak",
  "pool_exhaustion",
  "flag_storm",
  "poison_backlog",
  "zone_partition",
  "retry_storm",
  "hot_key",
  "certificate_expiry",
  "disk_full",
  "dns",
  "cpu_throttling",
  "slow_third_party",
  "bad_config",
  "cache_herd",
  "migration_lock",
  "two_faults",
  "no_fault",
] as const;
export type FamilyId = (typeof FAMILY_IDS)[number];

/** One order of a script, so many simulated minutes after the page. */
export interface Order {
  readonly minute: number;
  readonly remedy: Remedy;
}

export interface Script {
  /** A few words for reports: "roll auth-api back". */
  readonly name: string;
  readonly orders: readonly Order[];
}

/** How an incident is truly closed. */
export type Disposition = "fixed" | "mitigated" | "self_recovered" | "no_fault" | "escalated" | "inconclusive";

/** What a family drew. Ticks count from the start of history. */
export interface Drawn {
  /** The system as it is in this draw: weak spots set, versions added. */
  readonly system: SystemSpec;
  /** The service that the cause sits in, and the mechanism in the field's words. */
  readonly component: string;
  readonly mechanism: string;
  /** The same for a second, independent cause. */
  readonly second?: { readonly component: string; readonly mechanism: string };
  /** When it goes wrong: the tick of the first event that matters. */
  readonly onset: number;
  readonly events: readonly SystemEvent[];
  /** The closings that are true when the right thing was done. */
  readonly dispositions: readonly Disposition[];
  /** Two different ways that end the impact and hold. Empty orders where nothing is to be done. */
  readonly right: readonly [Script, Script];
  /** What tempts: each leaves users worse off than the right scripts, or relapses, or loses what nothing brings back. */
  readonly wrong: readonly Script[];
  /** Set where there is nothing to repair, or no remedy: the draw is then exempt from the rules on impact and wrong scripts. */
  readonly exempt?: "healthy" | "self_healed" | "undetermined" | "escalate_only";
}

export interface Family {
  readonly id: FamilyId;
  /**
   * Draws one fault of the family on a system; null where the system has no place for it (no queue, no cache, …).
   * `onset` is the tick at which it should go wrong; earlier events (a slow leak, a growing disk) may precede it.
   */
  draw(system: SystemSpec, onset: number, stream: Stream): Drawn | null;
}
