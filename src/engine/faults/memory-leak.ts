/**
 * A memory leak: a new version of a worker or API loses memory with every request or all the time. It collects garbage ever longer, is
 * killed at its limit, comes back empty and starts again, while the others carry its load.
 *
 * Facts: AWS, 22 October 2012: an agent leaked memory while it retried an unreachable collector, and the alarm for it failed
 * (https://aws.amazon.com/message/680342/). Google Docs, September 2011: servers ran out of memory, restarted and pushed their load
 * onto the rest (Google's own account of that outage).
 */
import { round } from "../../core/math";
import { builtWith } from "../parameters";
import type { Change } from "../spec";
import { serviceAtRest } from "./at-rest";
import type { Drawn, Family } from "./family";
import { innocentCode, isOwnCode, queueOf, replicasOf, weightOf } from "./places";
import { deployableIn, rollOutOf, withNextVersion, withService } from "./releases";
import { at, rollBack, scaleOut, script } from "./scripts";

const LEAST_REACH = 0.12;
/** Memory in use before anything leaks, as a share of the limit. */
const BASE = [0.66, 0.78] as const;
/** Minutes from the start of a replica to its end. */
const LIFE = [2.5, 6] as const;
/** How busy the service is before, in CPU: the less room, the sooner its collections are felt. */
const BUSY = [0.52, 0.63] as const;
const START_SECONDS = [60, 120] as const;

export const memoryLeak: Family = {
  id: "memory_leak",
  draw(system, onset, stream): Drawn | null {
    const places = system.services.filter((each) => isOwnCode(each) && weightOf(system, each) >= LEAST_REACH);
    if (!places.length) return null;
    const service = stream.pick(places);
    const { name } = service;
    const limit = builtWith(service, "memoryLimit");
    const base = round(limit * stream.between(...BASE));
    const busier = stream.between(...BUSY) / serviceAtRest(system, name).cpu;
    const weak = withService(system, name, {
      memoryBase: base,
      cpuTime: builtWith(service, "cpuTime") * Math.max(1, busier),
      startSeconds: round(stream.between(...START_SECONDS)),
    });
    const seconds = 60 * stream.between(...LIFE);
    const isTimed = stream.chance(0.4);
    const replicas = replicasOf(service);
    const perSecond = (limit - base) / seconds;
    const leak: Change = isTimed
      ? { service: name, parameter: "leakPerSecond", op: "set", value: perSecond }
      : {
          service: name,
          parameter: "leakPerRequest",
          op: "set",
          value: (perSecond * replicas) / serviceAtRest(system, name).rate,
        };
    const { system: leaking, version } = withNextVersion(weak, name, [leak], stream);
    const { current, versions } = deployableIn(system, name);
    const older = versions[versions.length - 2]?.version ?? current;
    const back = { verb: "rollback_deploy", deployable: name, version: current } as const;
    const restart = { verb: "restart_service", service: name } as const;
    const other = innocentCode(system, [name], stream);
    const queue = queueOf(system, name);
    return {
      system: leaking,
      component: name,
      mechanism: isTimed ? "leak_per_time" : "leak_per_request",
      onset,
      events: rollOutOf(leaking, name, version, onset, "fault"),
      dispositions: ["fixed"],
      right: [
        script(`roll ${name} back`, at(2, back)),
        queue
          ? script(
              `roll ${name} back, then work ${queue} off`,
              at(3, back),
              at(4, { verb: "drain_queue", service: queue }),
            )
          : script(`roll ${name} back to ${older}`, at(3, { ...back, version: older })),
      ],
      wrong: [
        script(`restart ${name}`, at(2, restart)),
        rollBack(other),
        ...(queue ? [script(`purge ${queue}`, at(2, { verb: "drain_queue", service: queue, mode: "purge" }))] : []),
        // Per request, more replicas each leak less: that would only be slower.
        ...(isTimed ? [scaleOut(service, 1.5)] : []),
      ],
    };
  },
};
