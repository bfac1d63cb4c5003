/**
 * A full disk: a job, or a configuration that logs far more, writes faster than clean-up frees. Once the disk is full writes fail while reads
 * work; a database that restarts does not come up; its standby is as full.
 *
 * Facts: Toyota, 28 August 2023: maintenance filled the disks of the order servers and of those that stood by for them, and 14 plants
 * stopped (https://www.tomshardware.com/news/toyota-shut-down-14-factories-due-to-insufficient-disk-space). Google, 14 December 2020: a
 * storage quota cut by mistake stopped writes, reads went stale, sign-in failed
 * (https://status.cloud.google.com/incident/zall/20013).
 */
import type { Stream } from "../../core/rng";
import { builtWith } from "../parameters";
import type { Change, Deployable, ServiceSpec, SystemSpec } from "../spec";
import { serviceAtRest, shareToHurt } from "./at-rest";
import type { Drawn, Family, Script } from "./family";
import { innocentCode } from "./places";
import { rollOutOf, withNextVersion, withService, withVersion } from "./releases";
import { at, failOver, restart, rollBack, script } from "./scripts";

const LEAST_REACH = 0.12;
/** Share of all users' requests that fail once writes do; from it follows how many of the queries write. */
const HURT = [0.14, 0.45] as const;
const MOST_WRITES = 0.7;
/** Free space before, as a share of what writes may have, and the minutes in which it is gone. */
const FREE = [0.03, 0.09] as const;
const MINUTES = [2, 9] as const;
/** What clean-up frees, as a share of what the writer adds. */
const RECLAIMED = [0.1, 0.3] as const;
/** The larger disk, as a multiple; what is written then lasts beyond the soak. */
const LARGER = 4;

export const diskFull: Family = {
  id: "disk_full",
  draw(system, onset, stream): Drawn | null {
    const places = system.services.flatMap((service) =>
      writersOf(system, service).map((writer) => ({ service, writer })),
    );
    if (!places.length) return null;
    const { service, writer } = stream.pick(places);
    const { name } = service;
    const { weak, changes } = nearlyFull(system, service, stream);
    const { system: whole, version } = writing(weak, writer, changes, stream);
    const stop =
      writer.kind === "job"
        ? ({ verb: "stop_job", job: writer.id } as const)
        : ({ verb: "rollback_deploy", deployable: writer.id, version: writer.current } as const);
    const size = builtWith(service, "diskSize");
    const grow = { verb: "scale_service", service: name, resource: "disk", amount: LARGER * size } as const;
    const other = innocentCode(system, [], stream);
    const wrong: Script[] = [restart(name), rollBack(name), rollBack(other)];
    if (service.kind === "database") {
      const amount = 2 * builtWith(service, "maxConnections");
      wrong.push(
        script("more connections", at(2, { verb: "scale_service", service: name, resource: "connections", amount })),
      );
      if (service.standby) wrong.push(failOver(name));
    }
    return {
      system: whole,
      component: name,
      mechanism: "disk_full",
      onset,
      events: rollOutOf(whole, writer.id, version, onset, "fault"),
      dispositions: ["fixed"],
      right: [
        script(`stop ${writer.id}`, at(2, stop)),
        script(`more disk, then stop ${writer.id}`, at(2, grow), at(6, stop)),
      ],
      wrong,
    };
  },
};

/** Jobs and configurations of a store that could write to its disk. */
function writersOf(system: SystemSpec, service: ServiceSpec): readonly Deployable[] {
  if (service.kind !== "database" && service.kind !== "queue") return [];
  if (serviceAtRest(system, service.name).reach < LEAST_REACH) return [];
  return system.deployables.filter(
    (each) =>
      each.service === service.name && (each.kind === "config" || (each.kind === "job" && each.current === "stopped")),
  );
}

/** A store with little free space, and what fills it. */
function nearlyFull(system: SystemSpec, service: ServiceSpec, stream: Stream) {
  const { name, kind } = service;
  const room = builtWith(service, "diskSize") * (1 - builtWith(service, "diskReserved"));
  const free = room * stream.between(...FREE);
  const rate = free / (60 * stream.between(...MINUTES));
  const diskReclaim = (rate * stream.between(...RECLAIMED)) / (1 - RECLAIMED[1]);
  // A broker writes all it is given.
  const hurt = stream.between(...HURT);
  const writes = kind === "queue" ? {} : { writeShare: Math.min(MOST_WRITES, shareToHurt(system, name, hurt)) };
  const weak = withService(system, name, { diskBase: room - free, diskReclaim, ...writes });
  const changes: Change[] = [{ service: name, parameter: "diskGrowth", op: "plus", value: rate + diskReclaim }];
  return { weak, changes };
}

function writing(system: SystemSpec, writer: Deployable, changes: readonly Change[], stream: Stream) {
  if (writer.kind !== "job") return withNextVersion(system, writer.id, changes, stream);
  return { system: withVersion(system, writer, "running", changes), version: "running" };
}
