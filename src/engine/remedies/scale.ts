/** Giving a service more or less: replicas, CPU, disk or connections. Nothing of it is there before it has started. */
import type { Happening, SystemEvent } from "../events";
import { builtWith, MOST_REPLICAS, type ServiceParameter } from "../parameters";
import type { Group } from "../plan";
import type { ServiceSpec } from "../spec";
import { count, lengthOfTicks, list, number, ticksOf, were } from "../words";
import { pooledCalls } from "./choices";
import { type Controls, groupsIn, inForce, measured, type Situation } from "./controls";
import { type Luck, STICKS } from "./luck";
import { happensAt, type Order } from "./order";
import { lateIn, lateText } from "./restart";
import { rollOut, wantedReplicas } from "./roll-out";
import type { RemedyOf, Resource } from "./verbs";

interface ResourceInfo {
  readonly parameter: ServiceParameter;
  /** After a number: "3 replicas a zone". */
  readonly unit: string;
}

export const RESOURCES: Readonly<Record<Resource, ResourceInfo>> = {
  replicas: { parameter: "replicas", unit: "replicas a zone" },
  cpu: { parameter: "cores", unit: "cores a replica" },
  disk: { parameter: "diskSize", unit: "GB" },
  connections: { parameter: "maxConnections", unit: "connections" },
};

/** The largest machine, disk or limit on offer, as a multiple of what the service was built with: two sizes up. */
const LARGEST = 4;

/** Least and most of a resource that a service can be given. */
export function rangeOf(service: ServiceSpec, resource: Resource): readonly [number, number] {
  if (resource === "replicas") return [0, MOST_REPLICAS];
  const built = builtWith(service, RESOURCES[resource].parameter);
  return [resource === "connections" ? 1 : built / 8, built * LARGEST];
}

/** What a service has of a resource now; of several zones the least. */
export function amountOf(run: Situation, service: string, resource: Resource, zone?: string): number {
  let least = Number.POSITIVE_INFINITY;
  for (const group of groupsIn(run.plan, service, zone))
    least = Math.min(least, inForce(run, group, RESOURCES[resource].parameter));
  return least;
}

type Scale = RemedyOf<"scale_service">;

/** Gives a service an amount of a resource once it is provisioned; a disk never shrinks again, so that has no way back. */
export function orderScale(run: Controls, remedy: Scale, luck: Luck): Order {
  const before = amountOf(run, remedy.service, remedy.resource, remedy.zone);
  const undo: Scale | null =
    remedy.resource === "disk" || before === remedy.amount ? null : { ...remedy, amount: before };
  switch (remedy.resource) {
    case "replicas":
      return { ...replicas(run, remedy, luck), undo };
    case "cpu":
      return { ...cpu(run, remedy, luck), undo };
    case "disk":
      return { ...disk(run, remedy, before, luck), undo };
    case "connections":
      return { ...connections(run, remedy, before, luck), undo };
  }
}

type Parts = Omit<Order, "undo">;

function replicas(run: Controls, { service, amount, zone }: Scale, luck: Luck): Parts {
  const groups = groupsIn(run.plan, service, zone);
  const from = run.tick + luck.integer("provisioning", 2, 4);
  const growing = groups.filter((group) => wantedReplicas(run, group) < amount);
  const short =
    growing.length > 1 && luck.chance("no machines", STICKS.noMachines)
      ? growing[luck.integer("without machines", 0, growing.length - 1)]
      : undefined;
  const wait = luck.integer("machines after", 16, 40);
  const events: SystemEvent[] = [];
  let until = run.tick + 2;
  for (const group of groups) {
    const isGrowing = growing.includes(group);
    const tick = isGrowing ? from + (group === short ? wait : 0) : run.tick + 1;
    events.push(...resize(run, group, amount, tick));
    until = Math.max(until, tick + (isGrowing ? ticksOf(inForce(run, group, "startSeconds")) : 0) + 1);
  }
  const zones = list(groups.map((group) => group.zone));
  const had = list(groups.map((group) => `${wantedReplicas(run, group)}`));
  const ready = growing.length ? `; the new ones were ready after ${lengthOfTicks(until - 1 - run.tick)}` : "";
  const stuck = short ? ` In ${short.zone} there was no machine free for ${lengthOfTicks(wait)}.` : "";
  return {
    events,
    until,
    text: `${service} has ${count(amount, "replica")} in each of ${zones} instead of ${had}${ready}.${stuck}`,
  };
}

/**
 * The number of replicas of a zone. An autoscaler would take it back, so its bounds move too. Another node of a cache takes over keys that
 * it does not hold: consistent hashing moves the share of the nodes that came or went.
 */
function resize(run: Controls, group: Group, amount: number, tick: number): SystemEvent[] {
  const { service, zone } = group;
  const happenings: Happening[] = [{ kind: "scaled", service: service.name, zone, replicas: amount }];
  const most = inForce(run, group, "scaleMax");
  if (most > 0)
    happenings.push({
      kind: "changed",
      id: `bounds/${service.name}/${zone}@${run.tick}`,
      changes: [
        { service: service.name, zone, parameter: "scaleMin", op: "set", value: amount },
        { service: service.name, zone, parameter: "scaleMax", op: "set", value: Math.max(amount, most) },
      ],
    });
  const before = wantedReplicas(run, group);
  if (service.kind === "cache" && amount !== before)
    happenings.push({
      kind: "cache_flushed",
      service: service.name,
      zone,
      share: Math.abs(amount - before) / Math.max(amount, before),
    });
  return happenings.map((happening) => happensAt(tick, happening));
}

/** Other machines: a rolling restart onto them; a database, broker or cache node is away meanwhile. */
function cpu(run: Controls, { service, amount, zone }: Scale, luck: Luck): Parts {
  const groups = groupsIn(run.plan, service, zone);
  const isDatabase = groups.some((group) => group.service.kind === "database");
  // A database's new machine is set up first, from a copy.
  const from = run.tick + (isDatabase ? luck.integer("copy", 6, 12) : luck.integer("provisioning", 2, 4));
  const rolled = rollOut(run, {
    groups,
    from,
    takesEffect: (place) => {
      const only = place ?? groups[groups.length - 1]?.zone;
      return {
        kind: "changed",
        id: `cores/${service}/${only}@${run.tick}`,
        changes: [
          {
            service,
            ...(only === undefined ? {} : { zone: only }),
            parameter: "cores",
            op: "set",
            value: amount,
          },
        ],
      };
    },
    late: (place, waves) => lateIn(place, waves, luck),
  });
  return {
    events: rolled.events,
    until: rolled.until,
    text:
      `${service} has ${number(amount)} cores a replica: ${count(rolled.replicas, "replica")} restarted on other machines ` +
      `in ${count(rolled.waves, "wave")}, from ${lengthOfTicks(from - run.tick)} to ${lengthOfTicks(rolled.until - run.tick)} ` +
      `after the order.${lateText(rolled.late)}`,
  };
}

/** Disks grow while they are in use. */
function disk(run: Controls, { service, amount, zone }: Scale, before: number, luck: Luck): Parts {
  const ticks = luck.integer("disk", 4, 12);
  const change = {
    service,
    ...(zone === undefined ? {} : { zone }),
    parameter: "diskSize",
    op: "set",
    value: amount,
  } as const;
  return {
    events: [happensAt(run.tick + ticks, { kind: "changed", id: `disk/${service}@${run.tick}`, changes: [change] })],
    until: run.tick + ticks + 1,
    text: `The disk of ${service} grew from ${number(before)} to ${number(amount)} GB after ${lengthOfTicks(ticks)}.`,
  };
}

/** The server's limit and, in proportion, its callers' pools. Sessions that are open stay as they are. */
function connections(run: Controls, { service, amount }: Scale, before: number, luck: Luck): Parts {
  const ticks = luck.integer("limit", 1, 2);
  const factor = before > 0 ? amount / before : 1;
  const pools = pooledCalls(run.plan, service);
  return {
    events: [
      happensAt(run.tick + ticks, {
        kind: "changed",
        id: `connections/${service}@${run.tick}`,
        changes: [
          { service, parameter: "maxConnections", op: "set", value: amount },
          ...pools.map((call) => ({ call, parameter: "pool", op: "times", value: factor }) as const),
        ],
      }),
    ],
    until: run.tick + ticks + 1,
    text:
      `${service} accepts ${number(amount)} connections instead of ${number(before)} after ${lengthOfTicks(ticks)}, and its callers' ` +
      `pools are ${number(factor)} times as large; ${were(measured(run, "level", service), "connection")} open.`,
  };
}
