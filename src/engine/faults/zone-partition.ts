/**
 * A partition between two zones: a share of what one zone sends to the other is lost, whoever sends it and however often. What answers
 * from the other zone is well, and less busy than usual.
 *
 * Facts: GitHub, 21 October 2018: 43 seconds of partition left writes behind a failover that nobody had replicated, and a day of repair
 * (https://github.blog/2018-10-30-oct21-post-incident-analysis/). Cloudflare, 2 November 2020: a switch that failed by half cost more than
 * six hours of control plane (https://blog.cloudflare.com/a-byzantine-failure-in-the-real-world/).
 */

import { builtWith, MOST_REPLICAS } from "../parameters";
import type { Change, ServiceSpec, SystemSpec } from "../spec";
import { serviceAtRest } from "./at-rest";
import type { Drawn, Family, Script } from "./family";
import { callsTo, databasesOfUsers, innocentCode } from "./places";
import { serviceIn, withService } from "./releases";
import { at, restart, rollBack, scaleOut, script } from "./scripts";

const LEAST_REACH = 0.2;
/** Share of packets lost. */
const LOST = [0.3, 0.65] as const;
/** Replicas of a zone against those that it needs when another is lost. */
const SPARE = 0.9;
/** Service time of a standby that has just taken over. */
const COLD = [1.3, 2] as const;

export const zonePartition: Family = {
  id: "zone_partition",
  draw(system, onset, stream): Drawn | null {
    const places = placesIn(system);
    if (!places.length) return null;
    const { database, zone, far } = stream.pick(places);
    const value = stream.between(...LOST);
    const isOneWay = stream.chance(0.6);
    const links = isOneWay ? [`${zone}>${far}`] : [`${zone}>${far}`, `${far}>${zone}`];
    const standbyHelps = database.standby === zone && isOneWay && isOnlyOneThere(system, database.name, zone, far);
    const weak = withService(withSpareZones(system), database.name, { coldFactor: stream.between(...COLD) });
    const changes = links.map((link): Change => ({ link, parameter: "partitioned", op: "set", value }));
    const caller = stream.pick(callsTo(system, database.name)).from;
    const otherZone = stream.pick(zonesOfUsers(system).filter((each) => each !== zone));
    const other = innocentCode(system, [], stream);
    return {
      system: weak,
      component: database.name,
      mechanism: "partition",
      onset,
      events: [{ kind: "changed", id: `network ${links.join(" ")}`, changes, tick: onset, origin: "fault" }],
      dispositions: ["mitigated"],
      right: [out(zone, 100, 2), standbyHelps ? over(database, 3) : inSteps(zone, 3)],
      wrong: [
        restart(database.name),
        restart(caller),
        scaleOut(serviceIn(system, caller), 1.5),
        rollBack(other),
        out(otherZone, 100, 2),
      ],
    };
  },
};

interface Place {
  readonly database: ServiceSpec;
  /** Users' zone that loses what it sends, and the zone of the database. */
  readonly zone: string;
  readonly far: string;
}

function placesIn(system: SystemSpec): Place[] {
  const users = zonesOfUsers(system);
  if (users.length < 2) return [];
  return databasesOfUsers(system, LEAST_REACH).flatMap((database) => {
    const far = database.zones[0] ?? "";
    return users.filter((zone) => zone !== far).map((zone) => ({ database, zone, far }));
  });
}

function zonesOfUsers(system: SystemSpec): readonly string[] {
  return system.zones.filter((zone) =>
    system.services.some((each) => (each.parameters?.load ?? 0) > 0 && each.zones.includes(zone)),
  );
}

function out(zone: string, percent: number, minute: number): Script {
  return script(`send users away from ${zone}`, at(minute, { verb: "shift_traffic", zone, percent }));
}

/** A failover into the zone that cannot reach the database where it is. */
function over({ name, standby }: ServiceSpec, minute: number): Script {
  return script(`fail ${name} over to ${standby}`, at(minute, { verb: "failover_db", service: name }));
}

function inSteps(zone: string, minute: number): Script {
  return script(
    `send users away from ${zone} in two steps`,
    at(minute, { verb: "shift_traffic", zone, percent: 50 }),
    at(minute + 2, { verb: "shift_traffic", zone, percent: 100 }),
  );
}

/** Whether nothing else that users need is asked over the same link. */
function isOnlyOneThere(system: SystemSpec, database: string, zone: string, far: string): boolean {
  return system.services.every(
    ({ name, zones }) =>
      name === database || zones.includes(zone) || zones[0] !== far || serviceAtRest(system, name).reach < 0.01,
  );
}

/** Zones that can carry the users of one that is lost: with one more replica for each that goes. */
function withSpareZones(system: SystemSpec): SystemSpec {
  let roomy = system;
  for (const service of system.services) {
    const count = service.zones.length;
    if (count < 2) continue;
    const replicas = Math.min(MOST_REPLICAS, Math.ceil((SPARE * builtWith(service, "replicas") * count) / (count - 1)));
    roomy = withService(roomy, service.name, { replicas });
  }
  for (const { name } of system.services)
    if (builtWith(serviceIn(system, name), "maxConnections") > 0)
      roomy = withService(roomy, name, { maxConnections: 2 * builtWith(serviceIn(system, name), "maxConnections") });
  return roomy;
}
