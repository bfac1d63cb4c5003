/**
 * Where an overload keeps itself up once it is there (metastable failures: Bronson, Aghayev, Charapko and Zhu, HotOS 2021): what waits
 * inside a full database takes longer than its callers wait, so that it works for nobody; and their slots and connections let more
 * attempts through than it can do.
 */
import { round } from "../../core/math";
import type { Stream } from "../../core/rng";
import { contention } from "../mechanisms/contention";
import { builtWith } from "../parameters";
import type { ServiceSpec, SystemSpec } from "../spec";
import { callAtRest, serviceAtRest } from "./at-rest";
import { callsTo, replicasOf } from "./places";
import { serviceIn, withCall, withService } from "./releases";

/** Wait inside a full database against the time-out, and connections against those that fill it. */
const BACKLOG = [1.5, 2.6] as const;
const LET_THROUGH = [1.4, 2] as const;
/** Requests inside a full database against those at which they begin to slow each other down. */
const CROWD = 3;
/** How long a query waits for a connection, s. */
const PATIENCE = 0.05;

export interface Congestion {
  /** Time-out of a query against its usual time, from and to. */
  readonly timeout: readonly [number, number];
  /** Further attempts, one of these for all callers. */
  readonly retries: readonly number[];
}

/** A copy of a system in which callers and database are in that region. */
export function congested(
  system: SystemSpec,
  database: ServiceSpec,
  { timeout: [least, most], retries: tries }: Congestion,
  stream: Stream,
): SystemSpec {
  const { name } = database;
  const calls = callsTo(system, name);
  const { rate, cpu, time } = serviceAtRest(system, name);
  const timeout = round(time * stream.between(least, most), 2);
  // So many requests that the database takes `backlog` time-outs for each of them.
  const degraded = rate / cpu / contention(CROWD, 1);
  const inside = stream.between(...BACKLOG) * timeout * degraded;
  const connections = stream.between(...LET_THROUGH) * timeout * degraded;
  const inUse = calls.reduce((sum, { from }) => sum + callAtRest(system, from, name).inUse, 0);
  const retries = stream.pick(tries);
  let weak = withService(system, name, {
    slots: Math.ceil(inside),
    knee: Math.ceil(inside / CROWD),
    maxConnections: Math.ceil(2 * connections),
  });
  for (const { from } of calls) {
    const caller = serviceIn(weak, from);
    const replicas = replicasOf(caller);
    const own = (connections * callAtRest(system, from, name).inUse) / inUse;
    const pool = Math.ceil(own / replicas);
    weak = withCall(weak, from, name, { timeout, retries, pool, acquireTimeout: PATIENCE });
    weak = withService(weak, from, { slots: 3 * builtWith(caller, "slots") });
  }
  return weak;
}
