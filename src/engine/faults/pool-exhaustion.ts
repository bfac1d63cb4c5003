/**
 * Pool exhaustion: a limit on connections is set a little below what the load needs. Requests that wait too long for a connection leave
 * sessions behind that nobody uses, so that there are ever fewer.
 *
 * Facts: AWS Kinesis, 25 November 2020: more front-end servers pushed all of them over a limit on threads
 * (https://aws.amazon.com/message/11201/). Buildkite, 22 August 2016: a database made smaller to save money collapsed at the next peak
 * (https://building.buildkite.com/outage-post-mortem-for-august-23rd-82b619a3679b).
 */
import { round } from "../../core/math";
import type { Stream } from "../../core/rng";
import { builtWith } from "../parameters";
import { type CallSpec, type Change, callName, type Deployable, type ServiceSpec, type SystemSpec } from "../spec";
import { callAtRest, serviceAtRest } from "./at-rest";
import type { Drawn, Family } from "./family";
import { callsTo, databasesOfUsers, innocentCode } from "./places";
import { rollOutOf, serviceIn, withCall, withNextVersion } from "./releases";
import { at, restart, rollBack, scaleOut, script } from "./scripts";

const LEAST_REACH = 0.14;
/** Where nearly everybody hangs on one caller, its limit alone is an outage. */
const MOST_REACH = 0.6;
/** Connections granted, as a multiple of those in use at the mean load of the day. */
const GRANTED = [0.82, 1] as const;
/** Minutes in which all connections would be left behind if every request waited in vain. */
const MINUTES_TO_NONE = [1.5, 6] as const;
const PATIENCE = [0.1, 0.4] as const;
/** So many times the connections it was built with is enough. */
const ENOUGH = 3;

export const poolExhaustion: Family = {
  id: "pool_exhaustion",
  draw(system, onset, stream): Drawn | null {
    const places = databasesOfUsers(system, LEAST_REACH).flatMap((database) => limitsOf(system, database));
    if (!places.length) return null;
    const place = stream.pick(places);
    const { database, limit, change } = place;
    const { name } = database;
    let weak = system;
    for (const call of pooled(system, name))
      weak = withCall(weak, call.from, name, {
        sessionLeak: leftBehind(system, call, stream.between(...MINUTES_TO_NONE)),
        acquireTimeout: round(stream.between(...PATIENCE), 2),
      });
    const made = withNextVersion(weak, limit.id, [change(stream)], stream);
    const amount = ENOUGH * builtWith(database, "maxConnections");
    const clear = { verb: "clear_connections", service: name } as const;
    const other = innocentCode(system, [], stream);
    const busiest = stream.pick(pooled(system, name)).from;
    return {
      system: made.system,
      component: limit.service,
      mechanism: "connection_limit",
      onset,
      events: rollOutOf(made.system, limit.id, made.version, onset, "fault"),
      dispositions: ["fixed"],
      right: [
        script(
          `roll ${limit.id} back, then clear`,
          at(2, { verb: "rollback_deploy", deployable: limit.id, version: limit.current }),
          at(3, clear),
        ),
        script(
          `more connections, then clear`,
          at(2, { verb: "scale_service", service: name, resource: "connections", amount }),
          at(3, clear),
        ),
      ],
      wrong: [
        script(`clear ${name}`, at(2, clear)),
        restart(name),
        rollBack(other),
        // The server's limit is shared: whoever has more replicas takes from the others.
        ...(limit.service === name ? [scaleOut(serviceIn(system, busiest), 2)] : []),
      ],
    };
  },
};

/** Sessions left behind for each request that waits in vain. */
function leftBehind(system: SystemSpec, { from, to }: CallSpec, minutes: number): number {
  const { pool, rate } = callAtRest(system, from, to);
  return Math.min(1, pool / (60 * minutes * Math.max(rate, 1)));
}

interface Place {
  readonly database: ServiceSpec;
  readonly limit: Deployable;
  readonly change: (stream: Stream) => Change;
}

function pooled(system: SystemSpec, database: string): readonly CallSpec[] {
  return callsTo(system, database).filter((call) => (call.parameters?.pool ?? 0) > 0);
}

/** The limits that decide how many connections a database has: its own, and those of its callers that many users hang on. */
function limitsOf(system: SystemSpec, database: ServiceSpec): Place[] {
  const { name } = database;
  const calls = pooled(system, name);
  const use = calls.map(({ from }) => callAtRest(system, from, name));
  const places: Place[] = [];
  for (const limit of system.deployables) {
    if (limit.kind !== "limit") continue;
    const changed = limit.versions.flatMap((version) => version.changes)[0];
    if (!changed || "link" in changed) continue;
    if ("service" in changed && changed.service === name && changed.parameter === "maxConnections") {
      const fullest = Math.max(...use.map(({ inUse, pool }) => inUse / pool));
      const all = use.reduce((sum, { pool }) => sum + pool, 0);
      const value = (stream: Stream) => Math.floor(stream.between(...GRANTED) * fullest * all);
      places.push({
        database,
        limit,
        change: (stream) => ({ service: name, parameter: "maxConnections", op: "set", value: value(stream) }),
      });
    }
    const call = calls.find(({ from }) => "call" in changed && changed.call === callName(from, name));
    const reach = call ? serviceAtRest(system, call.from).reach : 0;
    if (!call || reach < LEAST_REACH || reach > MOST_REACH) continue;
    const { inUse, pool } = callAtRest(system, call.from, name);
    const each = (inUse * (call.parameters?.pool ?? 0)) / pool;
    // A replica cannot have less than one connection.
    if (GRANTED[1] * each < 1) continue;
    places.push({
      database,
      limit,
      change: (stream) => ({
        call: callName(call.from, name),
        parameter: "pool",
        op: "set",
        value: Math.max(1, Math.floor(stream.between(...GRANTED) * each)),
      }),
    });
  }
  return places;
}
