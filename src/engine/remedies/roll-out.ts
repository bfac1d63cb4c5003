/**
 * A rolling restart: zone after zone, in each a quarter of the replicas at a time, as orchestrators do with a quarter allowed to
 * be away. A replica takes no new requests before it restarts, so nothing is dropped while others of its zone are left; capacity is
 * what is missing meanwhile. What is rolled out takes effect in a zone once half of its replicas have it.
 */
import type { EventOrigin, Happening, SystemEvent } from "../events";
import type { Group } from "../plan";
import { TICK_SECONDS } from "../spec";
import { ticksOf } from "../words";
import { inForce, type Situation } from "./controls";
import { happensAt } from "./order";

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

/** How the replicas of a zone restart. */
export interface Waves {
  /** Replicas in each wave; none where none should run. */
  readonly sizes: readonly number[];
  /** The wave with which half of the replicas have what is rolled out. */
  readonly half: number;
  /** Ticks from the restart of a wave to that of the next: the start, and one more until the readiness probe has seen it. */
  readonly ticks: number;
}

/** The waves of a zone with so many replicas, each of which takes `startSeconds` to start. */
export function wavesOf(replicas: number, startSeconds: number): Waves {
  const size = waveOf(replicas);
  const sizes: number[] = [];
  for (let left = replicas; left > 0; left -= size) sizes.push(Math.min(size, left));
  return { sizes, half: Math.floor(sizes.length / 2), ticks: ticksOf(startSeconds) + 1 };
}

/** The restart of some of a zone's replicas; `extra` ticks later ready than usual, after a start of `seconds`. */
export function restartOf(
  service: string,
  zone: string,
  size: number,
  replicas: number,
  late?: { readonly seconds: number; readonly extra: number },
): Happening {
  return {
    kind: "restarted",
    service,
    zone,
    share: size / replicas,
    // The only replica of a zone has none to hand its requests to.
    ...(size < replicas ? { drained: true as const } : {}),
    ...(late ? { seconds: late.seconds + late.extra * TICK_SECONDS } : {}),
  };
}

/** The events of a rolling restart from a tick on, in the order of zones and waves. */
export function rollOut(run: Situation, options: RollOutOptions): RollOut {
  const { groups, origin = "action", takesEffect } = options;
  const events: SystemEvent[] = [];
  const late: LateReplica[] = [];
  let tick = options.from;
  let replicas = 0;
  let waves = 0;
  groups.forEach((group, index) => {
    const { zone } = group;
    const wanted = wantedReplicas(run, group);
    const seconds = inForce(run, group, "startSeconds");
    const { sizes, half, ticks } = wavesOf(wanted, seconds);
    const sticks = sizes.length > 0 ? (options.late?.(zone, sizes.length) ?? null) : null;
    const effect = takesEffect?.(index === groups.length - 1 ? undefined : zone);
    if (effect && sizes.length === 0) events.push(happensAt(tick, effect, origin));
    sizes.forEach((size, wave) => {
      if (effect && wave === half) events.push(happensAt(tick, effect, origin));
      const extra = sticks?.wave === wave ? sticks.ticks : 0;
      if (extra) late.push({ zone, tick, ticks: extra });
      const restart = restartOf(group.service.name, zone, size, wanted, extra ? { seconds, extra } : undefined);
      events.push(happensAt(tick, restart, origin));
      tick += ticks + extra;
    });
    replicas += wanted;
    waves += sizes.length;
  });
  return { events, until: tick, replicas, waves, late };
}
