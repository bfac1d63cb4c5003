/**
 * CPU throttling: a limit is lowered, or a configuration starts as many threads as the host has CPUs. Threads use the quota of a period up
 * early, or strand it in slices, and stand still for the rest of the period: a service that is slow below its limit.
 *
 * Facts: Linux until 5.4: programs with many threads were throttled without having used their quota, because slices of it expired
 * (kernel commit de53fd7aedb1; https://lkml.iu.edu/hypermail/linux/kernel/1712.0/07072.html). Stripe, 10 July 2019: a database that was
 * rolled back met a newer setting and starved of CPU (https://stripe.com/rcas/2019-07-10).
 */
import { round } from "../../core/math";
import type { Stream } from "../../core/rng";
import { STRANDED_PER_THREAD } from "../mechanisms/throttling";
import { builtWith } from "../parameters";
import type { Change, ServiceSpec, SystemSpec } from "../spec";
import { serviceAtRest } from "./at-rest";
import type { Drawn, Family } from "./family";
import { innocentCode, moreCpu, weightOf } from "./places";
import { deployableIn, rollOutOf, withNextVersion, withService } from "./releases";
import { at, restart, rollBack, script } from "./scripts";

const LEAST_REACH = 0.12;
/** Work there is, as a multiple of what the threads can do with the quota. */
const OVERLOAD = [1.08, 1.6] as const;
/** Threads for each core, before. */
const THREADS = [1.8, 2.4] as const;
/** CPU in use before, where threads and not the quota are changed: what they can strand is bounded. */
const BUSY = [0.55, 0.64] as const;
const MILD_OVERLOAD = [1.2, 1.37] as const;

export const cpuThrottling: Family = {
  id: "cpu_throttling",
  draw(system, onset, stream): Drawn | null {
    const places = system.services.filter(
      (each) =>
        ["edge", "api", "worker"].includes(each.kind) &&
        weightOf(system, each) >= LEAST_REACH &&
        has(system, `${each.name}/cpu-quota`) &&
        has(system, `${each.name}/config`),
    );
    if (!places.length) return null;
    const service = stream.pick(places);
    const { name } = service;
    const isQuota = stream.chance(0.6);
    const { system: weak, change } = isQuota ? lowQuota(system, service, stream) : manyThreads(system, service, stream);
    const cause = isQuota ? `${name}/cpu-quota` : `${name}/config`;
    const { system: changed, version } = withNextVersion(weak, cause, [change], stream);
    // Who sees requests wait wants to have more of them worked on at once.
    const factor = stream.pick([1.5, 2]);
    const more: Change = isQuota
      ? { service: name, parameter: "threads", op: "times", value: factor }
      : { ...change, value: change.value * factor };
    const { system: whole, version: larger } = withNextVersion(changed, `${name}/config`, [more], stream);
    const { current } = deployableIn(system, cause);
    const other = innocentCode(system, [name], stream);
    return {
      system: whole,
      component: name,
      mechanism: isQuota ? "cpu_quota" : "too_many_threads",
      onset,
      events: rollOutOf(whole, cause, version, onset, "fault"),
      dispositions: ["fixed"],
      right: [
        script(`roll ${cause} back`, at(2, { verb: "rollback_deploy", deployable: cause, version: current })),
        script(`more CPU for ${name}`, at(2, moreCpu(service, 2))),
      ],
      wrong: [
        restart(name),
        script(
          `put ${name}/config ${larger} in force`,
          at(2, { verb: "rollback_deploy", deployable: `${name}/config`, version: larger }),
        ),
        rollBack(name),
        rollBack(other),
      ],
    };
  },
};

function has(system: SystemSpec, id: string): boolean {
  return system.deployables.some((each) => each.id === id);
}

interface Weak {
  readonly system: SystemSpec;
  readonly change: Change;
}

/** A quota q with which `threads` can do what there is ÷ overload: q − stranded × (threads − q). */
function lowQuota(system: SystemSpec, service: ServiceSpec, stream: Stream): Weak {
  const cores = builtWith(service, "cores");
  const threads = Math.ceil(cores * stream.between(...THREADS));
  const work = serviceAtRest(system, service.name).cpu * cores;
  const value = round(
    (work / stream.between(...OVERLOAD) + STRANDED_PER_THREAD * threads) / (1 + STRANDED_PER_THREAD),
    2,
  );
  return {
    system: withService(system, service.name, { threads }),
    change: { service: service.name, parameter: "cores", op: "set", value },
  };
}

/** So many threads that what they strand leaves what there is ÷ overload. */
function manyThreads(system: SystemSpec, service: ServiceSpec, stream: Stream): Weak {
  const cores = builtWith(service, "cores");
  const busy = stream.between(...BUSY);
  const busier = busy / serviceAtRest(system, service.name).cpu;
  const left = busy / stream.between(...MILD_OVERLOAD);
  const value = Math.ceil(cores + (cores * (1 - left)) / STRANDED_PER_THREAD);
  return {
    system: withService(system, service.name, { cpuTime: builtWith(service, "cpuTime") * Math.max(1, busier) }),
    change: { service: service.name, parameter: "threads", op: "set", value },
  };
}
