/** Restarting the replicas of a service: one after another, or all at once. */
import type { SystemEvent } from "../events";
import { TICK_SECONDS } from "../spec";
import { count, length, lengthOfTicks, list, ticksOf, were } from "../words";
import { type Controls, groupsIn, inForce, measured } from "./controls";
import { type Luck, STICKS } from "./luck";
import { happensAt, type Order } from "./order";
import { type LateReplica, rollOut, wantedReplicas } from "./roll-out";
import type { RemedyOf } from "./verbs";

/** Restarts in waves, or all at once, which drops what is in flight. */
export function orderRestart(run: Controls, remedy: RemedyOf<"restart_service">, luck: Luck): Order {
  return remedy.mode === "all_at_once" ? allAtOnce(run, remedy, luck) : rolling(run, remedy, luck);
}

function rolling(run: Controls, { service, zone }: RemedyOf<"restart_service">, luck: Luck): Order {
  const groups = groupsIn(run.plan, service, zone);
  const rolled = rollOut(run, { groups, from: run.tick + 1, late: (place, waves) => lateIn(place, waves, luck) });
  const zones = list(groups.map((group) => group.zone));
  return {
    events: rolled.events,
    until: rolled.until,
    text:
      `${service} restarted in ${zones}: ${count(rolled.replicas, "replica")} in ${count(rolled.waves, "wave")} ` +
      `within ${lengthOfTicks(rolled.until - run.tick)}.${lateText(rolled.late)}`,
    undo: null,
  };
}

function allAtOnce(run: Controls, { service, zone }: RemedyOf<"restart_service">, luck: Luck): Order {
  const from = run.tick + 1;
  const events: SystemEvent[] = [];
  const late: LateReplica[] = [];
  let [replicas, until, away] = [0, from, 0];
  const groups = groupsIn(run.plan, service, zone);
  for (const group of groups) {
    const seconds = inForce(run, group, "startSeconds");
    const extra = lateIn(group.zone, 1, luck)?.ticks ?? 0;
    if (extra) late.push({ zone: group.zone, tick: from, ticks: extra });
    events.push(
      happensAt(from, {
        kind: "restarted",
        service,
        zone: group.zone,
        share: 1,
        ...(extra ? { seconds: seconds + extra * TICK_SECONDS } : {}),
      }),
    );
    replicas += wantedReplicas(run, group);
    away = Math.max(away, seconds + extra * TICK_SECONDS);
    until = Math.max(until, from + ticksOf(seconds) + 1 + extra);
  }
  const flying = measured(run, "inFlight", service, zone);
  const zones = list(groups.map((group) => group.zone));
  return {
    events,
    until,
    text:
      `All of ${service} in ${zones} restarted at once: ${were(replicas, "replica")} away for ` +
      `${length(away)}; ${were(flying, "request")} in flight.${lateText(late)}`,
    undo: null,
  };
}

/** Whether, when and for how long a replica of a zone keeps a roll-out waiting. */
export function lateIn(zone: string, waves: number, luck: Luck): { ticks: number; wave: number } | null {
  if (!luck.chance(`late replica in ${zone}`, STICKS.lateReplica)) return null;
  return { ticks: luck.integer(`late by in ${zone}`, 8, 24), wave: luck.integer(`late wave in ${zone}`, 0, waves - 1) };
}

/** A sentence for each replica that kept a roll-out waiting, with a blank in front; empty for none. */
export function lateText(late: readonly LateReplica[]): string {
  return late
    .map(({ zone, ticks }) => ` In ${zone} it took ${lengthOfTicks(ticks)} longer than usual to become ready.`)
    .join("");
}
