/**
 * A bad deploy: a new version of an API costs several times the CPU, fails on one route, or asks its database many times over.
 *
 * Facts: Cloudflare, 2 July 2019: one regular expression in a firewall rule, deployed everywhere at once, took all CPU
 * (https://blog.cloudflare.com/details-of-the-cloudflare-outage-on-july-2-2019/). Knight Capital, 1 August 2012: one server kept old code
 * that a reused flag woke (SEC release 34-70694).
 */
import type { Stream } from "../../core/rng";
import type { Change, SystemSpec } from "../spec";
import { callName } from "../spec";
import type { Drawn, Family, Script } from "./family";
import { deployableIn, rollOutOf, withNextVersion } from "./releases";

/** Share of requests that the failing route has, and the factors of the other two regressions. */
const ROUTE_SHARE = [0.12, 0.5] as const;
const CPU_FACTOR = [3.2, 6] as const;
const QUERIES_FACTOR = [4, 9] as const;

export const badDeploy: Family = {
  id: "bad_deploy",
  draw(system, onset, stream): Drawn | null {
    const places = system.services.filter((each) => each.kind === "api" && (each.parameters?.load ?? 0) > 0);
    if (!places.length) return null;
    const service = stream.pick(places).name;
    const { mechanism, changes } = regression(system, service, stream);
    const { system: weak, version } = withNextVersion(system, service, changes, stream);
    const before = deployableIn(system, service);
    const older = before.versions[before.versions.length - 2]?.version ?? before.current;
    const other = stream.pick(
      system.services.filter((each) => each.kind === "api" && each.name !== service).concat(system.services),
    ).name;
    return {
      system: weak,
      component: service,
      mechanism,
      onset,
      events: rollOutOf(weak, service, version, onset, "fault"),
      dispositions: ["fixed"],
      right: [back(service, before.current, 2), back(service, older, 3)],
      wrong: [
        script(`restart ${service}`, [{ minute: 2, remedy: { verb: "restart_service", service } }]),
        script(`roll ${other} back`, [{ minute: 2, remedy: { verb: "rollback_deploy", deployable: other } }]),
      ],
    };
  },
};

function regression(system: SystemSpec, service: string, stream: Stream): { mechanism: string; changes: Change[] } {
  const database = system.calls.find(
    (call) =>
      call.from === service && system.services.some((each) => each.name === call.to && each.kind === "database"),
  );
  const kind = stream.integer(0, database ? 2 : 1);
  if (kind === 0)
    return {
      mechanism: "error_regression",
      changes: [{ service, parameter: "errorShare", op: "plus", value: stream.between(...ROUTE_SHARE) }],
    };
  if (kind === 1 || !database)
    return {
      mechanism: "cpu_regression",
      changes: [{ service, parameter: "cpuTime", op: "times", value: stream.between(...CPU_FACTOR) }],
    };
  return {
    mechanism: "query_regression",
    changes: [
      {
        call: callName(service, database.to),
        parameter: "calls",
        op: "times",
        value: stream.between(...QUERIES_FACTOR),
      },
    ],
  };
}

function back(service: string, version: string, minute: number): Script {
  return script(`roll ${service} back to ${version}`, [
    { minute, remedy: { verb: "rollback_deploy", deployable: service, version } },
  ]);
}

function script(name: string, orders: Script["orders"]): Script {
  return { name, orders };
}
