/**
 * A rolling restart: zone after zone, in each a quarter of the replicas at a time, as orchestrators do with a quarter allowed to
 * be away. A replica takes no new requests before it restarts, so nothing is dropped while others of its zone are left; capacity is
 * what is missing meanwhile. What is rolled out takes effect in a zone once half of its replicas have it.
 */
import type { EventOrigin, Happening, SystemEvent } from "../events";
import type { Group } from "../plan";
import { TICK_SECONDS } from "../spec";
import { inForce, type Situation } from "./controls";
import { happensAt } from "./order";
import { ticksOf } from "./words";

export interface RollOut {
  readonly events: readonly SystemEvent[];
  /** The tick at which the last replica is ready. */
  readonly until: number;
  readonly replicas: number;
  readonly waves: number;
  readonly late: readonly LateReplica[];
}

/** A replica that did not become ready in time; the roll-out waits for it. */
export interface LateReplica {
  readonly zone: string;
  /** The tick at which it restarts, and how many ticks later than usual it is ready. */
  readonly tick: number;
  readonly ticks: number;
}

export interface RollOutOptions {
  readonly groups: readonly Group[];
  /** The tick of the first restart. */
  readonly from: number;
  readonly origin?: EventOrigin;
  /** What takes effect with the restart of a zone, if anything; `zone` is undefined in the last one, for all of the service. */
  readonly takesEffect?: (zone: string | undefined) => Happening;
  /** Ticks for which a replica of a zone keeps the roll-out waiting, and in which of the zone's waves; null for none. */
  readonly late?: (zone: string, waves: number) => { readonly ticks: number; readonly wave: number } | null;
}

/** Replicas of a group that should run. */
export function wantedReplicas(run: Situation, group: Group): number {
  return Math.floor(inForce(run, group, "replicas") + 0.5);
}

/** Replicas of a zone that restart together. */
export function waveOf(replicas: number): number {
  return Math.ceil(replicas / 4);
}

export function rollOut(run: Situation, options: RollOutOptions): RollOut {
  const { groups, origin = "action", takesEffect } = options;
  const events: SystemEvent[] = [];
  const late: LateReplica[] = [];
  let tick = options.from;
  let replicas = 0;
  let waves = 0;
  groups.forEach((group, index) => {
    const wanted = wantedReplicas(run, group);
    const seconds = inForce(run, group, "startSeconds");
    const size = waveOf(wanted);
    const count = wanted > 0 ? Math.ceil(wanted / size) : 0;
    const sticks = count > 0 ? (options.late?.(group.zone, count) ?? null) : null;
    const isLast = index === groups.length - 1;
    const effect = takesEffect?.(isLast ? undefined : group.zone);
    if (effect && count === 0) events.push(happensAt(tick, effect, origin));
    for (let wave = 0; wave < count; wave++) {
      if (effect && wave === Math.floor(count / 2)) events.push(happensAt(tick, effect, origin));
      const extra = sticks?.wave === wave ? sticks.ticks : 0;
      if (extra) late.push({ zone: group.zone, tick, ticks: extra });
      events.push(
        happensAt(tick, restart(group, Math.min(size, wanted - wave * size), wanted, seconds, extra), origin),
      );
      // One tick more until the readiness probe has seen it.
      tick += ticksOf(seconds) + 1 + extra;
    }
    replicas += wanted;
    waves += count;
  });
  return { events, until: tick, replicas, waves, late };
}

function restart(group: Group, size: number, wanted: number, seconds: number, extra: number): Happening {
  return {
    kind: "restarted",
    service: group.service.name,
    zone: group.zone,
    share: size / wanted,
    // The only replica of a zone has none to hand its requests to.
    ...(size < wanted ? { drained: true as const } : {}),
    ...(extra ? { seconds: seconds + extra * TICK_SECONDS } : {}),
  };
}
