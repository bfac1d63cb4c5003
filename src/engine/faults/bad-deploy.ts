/**
 * A bad deploy: a new version of an API or worker costs several times the CPU, fails on one route, or asks its database many times over. It
 * goes to all replicas, or to a canary first.
 *
 * Facts: Cloudflare, 2 July 2019: one regular expression in a firewall rule, deployed everywhere at once, took all CPU
 * (https://blog.cloudflare.com/details-of-the-cloudflare-outage-on-july-2-2019/). Knight Capital, 1 August 2012: one server kept old code
 * that a reused flag woke (SEC release 34-70694).
 */
import type { Stream } from "../../core/rng";
import type { Change, ServiceSpec, SystemSpec } from "../spec";
import { callName } from "../spec";
import { callAtRest, serviceAtRest } from "./at-rest";
import type { Drawn, Family, Script } from "./family";
import { databaseOf, innocentCode, isOwnCode, weightOf } from "./places";
import { deployableIn, rollOutOf, withNextVersion } from "./releases";
import { at, restart, rollBack, scaleOut, script } from "./scripts";

/** Least share of users that hang on the place, so that somebody is woken; likewise of messages to users. */
const LEAST_REACH = 0.12;
/** Share of all users' requests that the failing route has. */
const HURT = [0.1, 0.45] as const;
/** Work that the version asks for, as a multiple of what there is. */
const OVERLOAD = [1.15, 1.7] as const;
const CANARY_SHARE = [0.1, 0.25, 0.5] as const;

type Mechanism = "error_regression" | "cpu_regression" | "query_regression";

export const badDeploy: Family = {
  id: "bad_deploy",
  draw(system, onset, stream): Drawn | null {
    const places = system.services.filter((each) => isOwnCode(each) && weightOf(system, each) >= LEAST_REACH);
    if (!places.length) return null;
    const service = stream.pick(places);
    const { mechanism, changes, share } = regression(system, service, stream);
    const { name } = service;
    const { system: weak, version } = withNextVersion(system, name, changes, stream);
    const before = deployableIn(system, name);
    const older = before.versions[before.versions.length - 2]?.version ?? before.current;
    const other = innocentCode(system, [name], stream);
    const wrong = [restart(name), rollBack(other)];
    // More replicas of a version that fails fail as often.
    if (mechanism === "error_regression") wrong.push(scaleOut(service, 2));
    return {
      system: weak,
      component: name,
      mechanism,
      onset,
      events: rollOutOf(weak, name, version, onset, "fault", share),
      dispositions: ["fixed"],
      right: [back(name, before.current, 2), back(name, older, 3)],
      wrong,
    };
  },
};

function regression(system: SystemSpec, service: ServiceSpec, stream: Stream) {
  const { name } = service;
  const { reach, cpu } = serviceAtRest(system, name);
  const database = databaseOf(system, name);
  const isWorker = service.kind === "worker";
  const mechanism: Mechanism = stream.weighted([
    ["error_regression", isWorker ? 0 : 2],
    ["cpu_regression", 2],
    ["query_regression", database ? 1.5 : 0],
  ]);
  const isCanary = service.cohorts?.kind === "canary" && mechanism === "error_regression" && stream.chance(0.5);
  const share = isCanary ? stream.pick(CANARY_SHARE) : 1;
  let change: Change;
  if (mechanism === "error_regression") {
    const value = Math.min(0.9, stream.between(...HURT) / (reach * share));
    change = { service: name, parameter: "errorShare", op: "plus", value };
  } else if (mechanism === "cpu_regression" || !database) {
    const value = stream.between(...OVERLOAD) / cpu;
    change = { service: name, parameter: "cpuTime", op: "times", value };
  } else
    change = {
      call: callName(name, database),
      parameter: "calls",
      op: "times",
      value: queries(system, name, database, stream),
    };
  return { mechanism, changes: [change], share };
}

/** So many times the queries that either the service's connections or the database are too few. */
function queries(system: SystemSpec, service: string, database: string, stream: Stream): number {
  const { inUse, pool, rate } = callAtRest(system, service, database);
  const store = serviceAtRest(system, database);
  const byPool = inUse > 0 && pool > 0 ? pool / inUse : 1e9;
  const byServer = rate > 0 ? 1 + ((1 / store.cpu - 1) * store.rate) / rate : 1e9;
  return stream.between(...OVERLOAD) * Math.min(byPool, byServer, 20);
}

function back(service: string, version: string, minute: number): Script {
  return script(
    `roll ${service} back to ${version}`,
    at(minute, { verb: "rollback_deploy", deployable: service, version }),
  );
}
