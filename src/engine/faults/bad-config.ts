/**
 * A bad configuration push: the code is unchanged, but a new file makes a path fail that nobody guarded, lets too few requests in at once,
 * gives up too soon, or makes a database plan badly. Processes read it while they run, so a restart reads the same file again.
 *
 * Facts: Google Cloud, 12 June 2025: blank fields in a policy, replicated within seconds, crashed a path without a guard
 * (https://status.cloud.google.com/incidents/ow5i3PPK96RduMcb1SsW). Cloudflare, 18 November 2025: a generated file beyond a limit; errors
 * came and went as good and bad files took turns (https://blog.cloudflare.com/18-november-2025-outage/).
 */
import { decay, round } from "../../core/math";
import type { Stream } from "../../core/rng";
import type { SystemEvent } from "../events";
import { anyFails, failureAfterRetries } from "../mechanisms/retries";
import { type Change, callName, type ServiceSpec, type SystemSpec } from "../spec";
import { callAtRest, serviceAtRest, shareToHurt } from "./at-rest";
import type { Drawn, Family } from "./family";
import { callIn, databaseOf, innocentCode, isOwnCode, replicasOf, weightOf } from "./places";
import { deployableIn, withNextVersion } from "./releases";
import { at, restart, rollBack, scaleOut, script } from "./scripts";

const LEAST_REACH = 0.12;
/** Share of all users' requests, or messages, that the unguarded path has. */
const HURT = [0.12, 0.45] as const;
/** Requests as a multiple of what is let in, or of what the database can then do. */
const OVERLOAD = [1.1, 1.5] as const;
/** The longest time-out that is too short, and the steps in which it is looked for, as multiples of how long an answer usually takes. */
const TOO_SOON = 2;
const STEP = 0.05;
/** Ticks between the zones of a staged push, and of a turn of good and bad files. */
const STAGE = [4, 12] as const;
const TURN = 4;

type Key = "unguarded_path" | "concurrency_limit" | "time_out" | "query_planner";

export const badConfig: Family = {
  id: "bad_config",
  draw(system, onset, stream): Drawn | null {
    const places = system.services.filter(
      (each) =>
        (isOwnCode(each) || each.kind === "edge" || each.kind === "database") &&
        weightOf(system, each) >= LEAST_REACH &&
        system.deployables.some(({ id }) => id === `${each.name}/config`),
    );
    if (!places.length) return null;
    const service = stream.pick(places);
    const { name } = service;
    const id = `${name}/config`;
    const key = keyOf(system, service, stream);
    const { system: whole, version } = withNextVersion(system, id, [changeOf(system, service, key, stream)], stream);
    const { current, versions } = deployableIn(system, id);
    const older = versions[versions.length - 2]?.version ?? current;
    const other = innocentCode(system, [name], stream);
    const back = (to: string, minute: number) =>
      script(`roll ${id} back to ${to}`, at(minute, { verb: "rollback_deploy", deployable: id, version: to }));
    return {
      system: whole,
      component: name,
      mechanism: key,
      onset,
      events: pushOf(service, id, version, current, onset, stream),
      dispositions: ["fixed"],
      right: [back(current, 2), back(older, 3)],
      wrong: [
        restart(name),
        rollBack(name),
        rollBack(other),
        // More replicas read the same file.
        ...(key === "unguarded_path" && service.kind !== "database" ? [scaleOut(service, 2)] : []),
      ],
    };
  },
};

function keyOf(system: SystemSpec, service: ServiceSpec, stream: Stream): Key {
  if (service.kind === "database") return "query_planner";
  const isServer = service.kind === "api" || service.kind === "edge";
  return stream.weighted<Key>([
    ["unguarded_path", 2],
    ["concurrency_limit", isServer ? 1 : 0],
    ["time_out", isServer && databaseOf(system, service.name) ? 1.5 : 0],
  ]);
}

function changeOf(system: SystemSpec, service: ServiceSpec, key: Key, stream: Stream): Change {
  const { name } = service;
  const { rate, cpu, time } = serviceAtRest(system, name);
  switch (key) {
    case "unguarded_path": {
      const hurt = stream.between(...HURT);
      const share = service.kind === "worker" ? hurt / weightOf(system, service) : shareToHurt(system, name, hurt);
      const value = Math.min(0.9, share);
      return { service: name, parameter: "errorShare", op: "plus", value };
    }
    case "concurrency_limit": {
      // By Little's law a replica holds rate × time requests; so many are let in as are needed ÷ overload.
      const replicas = replicasOf(service);
      const value = Math.max(1, Math.floor((rate * time) / replicas / stream.between(...OVERLOAD) + 0.5));
      return { service: name, parameter: "slots", op: "set", value };
    }
    case "time_out": {
      const database = databaseOf(system, name) ?? name;
      const value = tooSoon(system, name, database, stream.between(...HURT));
      return { call: callName(name, database), parameter: "timeout", op: "set", value };
    }
    case "query_planner":
      return { service: name, parameter: "cpuTime", op: "times", value: stream.between(...OVERLOAD) / cpu };
  }
}

/** The time-out of a call with which `hurt` of all users' requests fail: answers' times are taken as exponential. */
function tooSoon(system: SystemSpec, from: string, to: string, hurt: number): number {
  const call = callIn(system, from, to)?.parameters;
  const { each } = callAtRest(system, from, to);
  const users = serviceAtRest(system, from).reach * (call?.critical ?? 1);
  let times = TOO_SOON;
  while (times > STEP) {
    const failing = failureAfterRetries(decay(times), call?.retries ?? 0, 0);
    if (users * anyFails(failing, each) >= hurt) break;
    times -= STEP;
  }
  return round(serviceAtRest(system, to).time * times, 3);
}

/** To all zones at once, zone after zone, or in turns with the file before. */
function pushOf(
  service: ServiceSpec,
  id: string,
  version: string,
  before: string,
  onset: number,
  stream: Stream,
): SystemEvent[] {
  const push = (tick: number, to: string, zone?: string): SystemEvent => ({
    kind: "deployed",
    deployable: id,
    version: to,
    share: 1,
    ...(zone === undefined ? {} : { zone }),
    tick,
    origin: "fault",
  });
  const way = stream.weighted([
    ["at once", 2],
    ["staged", service.zones.length > 1 ? 1.5 : 0],
    ["in turns", 0.7],
  ]);
  if (way === "at once") return [push(onset, version)];
  if (way === "in turns") return [push(onset, version), push(onset + TURN, before), push(onset + 2 * TURN, version)];
  const apart = stream.integer(...STAGE);
  return [...service.zones].sort().map((zone, i) => push(onset + i * apart, version, zone));
}
