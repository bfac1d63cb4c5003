/**
 * A migration that locks: a job on a database holds locks that everybody else's queries wait behind. They hold their connections
 * meanwhile, callers' pools run out, and the database has less to do than usual. More connections are only more waiters.
 *
 * Facts: GitHub, 27 November 2021: the last step of a migration, a rename, deadlocked read replicas, and the load of those broke the
 * others (https://github.blog/2021-12-01-github-availability-report-november-2021/). Joyent, 27 July 2015: a maintenance lock and a query
 * for an exclusive one blocked all others behind them (https://www.joyent.com/blog/manta-postmortem-7-27-2015).
 */
import type { Stream } from "../../core/rng";
import { CONTENTION_SLOPE } from "../mechanisms/contention";
import { builtWith } from "../parameters";
import type { Change, Deployable, ServiceSpec, SystemSpec } from "../spec";
import { callAtRest, serviceAtRest } from "./at-rest";
import type { Drawn, Family } from "./family";
import { callsTo, databasesOfUsers, innocentCode } from "./places";
import { rollOutOf, serviceIn, withVersion } from "./releases";
import { at, failOver, restart, rollBack, scaleOut, script } from "./scripts";

const LEAST_REACH = 0.12;
/** Queries there are, as a multiple of those that get past the locks. */
const OVERLOAD = [1.15, 1.7] as const;
/** How many times as long a query takes that meets no other. */
const HELD = [1.3, 2] as const;

export const migrationLock: Family = {
  id: "migration_lock",
  draw(system, onset, stream): Drawn | null {
    const places = databasesOfUsers(system, LEAST_REACH).flatMap((database) =>
      jobsOf(system, database.name).map((job) => ({ database, job })),
    );
    if (!places.length) return null;
    const { database, job } = stream.pick(places);
    const { name } = database;
    const weak = withVersion(system, job, "running", locks(system, database, stream));
    const stop = { verb: "stop_job", job: job.id } as const;
    const callers = callsTo(system, name).map(({ from }) => serviceIn(system, from));
    const caller = stream.pick(callers.filter(({ kind }) => kind === "api"));
    const other = innocentCode(system, [], stream);
    const amount = 3 * builtWith(database, "maxConnections");
    return {
      system: weak,
      component: name,
      mechanism: "migration_lock",
      onset,
      events: rollOutOf(weak, job.id, "running", onset, "fault"),
      dispositions: ["fixed"],
      right: [
        script(`stop ${job.id}`, at(2, stop)),
        script(
          `shed, then stop ${job.id}`,
          at(1, { verb: "shed_load", service: caller.name, percent: 40, minutes: 4 }),
          at(3, stop),
        ),
      ],
      wrong: [
        script(`more connections`, at(2, { verb: "scale_service", service: name, resource: "connections", amount })),
        script(`clear ${name}`, at(2, { verb: "clear_connections", service: name })),
        restart(name),
        ...(database.standby ? [failOver(name)] : []),
        scaleOut(caller, 2),
        rollBack(other),
      ],
    };
  },
};

function jobsOf(system: SystemSpec, database: string): readonly Deployable[] {
  return system.deployables.filter(
    ({ id, kind, service, current }) =>
      kind === "job" && service === database && current === "stopped" && id.includes("migration"),
  );
}

/**
 * With n queries inside, each takes `held` × its own time × (1 + slope (n/knee − 1)). The knee is so low that with all connections of all
 * callers in use no more than the usual rate ÷ overload gets through.
 */
function locks(system: SystemSpec, database: ServiceSpec, stream: Stream): Change[] {
  const { name } = database;
  const shards = database.cohorts?.kind === "shard" ? builtWith(database, "replicas") : 1;
  const held = stream.between(...HELD);
  const own = builtWith(database, "ownTime") * held + builtWith(database, "cpuTime");
  const { rate } = serviceAtRest(system, name);
  let inside = 0;
  for (const { from, to } of callsTo(system, name)) inside += callAtRest(system, from, to).pool;
  const slower = (inside * stream.between(...OVERLOAD)) / (rate * own);
  const knee = Math.max(0.5, inside / shards / (1 + Math.max(0, slower - 1) / CONTENTION_SLOPE));
  return [
    { service: name, parameter: "ownTime", op: "times", value: held },
    { service: name, parameter: "knee", op: "set", value: knee },
  ];
}
