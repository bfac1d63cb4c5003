/**
 * A retry storm: a job slows a database for a few minutes. Its callers time out and try again, which is more work than the database can do in
 * time, and what it finishes is finished for nobody: the job is long over, and they keep it down.
 *
 * It takes all three: attempts with all retries are more than the degraded database can do; what waits inside it takes longer than the
 * time-out; and the callers' slots and connections let that many attempts through (metastable failures: Bronson, Aghayev, Charapko and
 * Zhu, HotOS 2021).
 *
 * Facts: Amazon DynamoDB, 20 September 2015: requests for metadata timed out and were tried again, until requests had to be paused before
 * capacity could be added (https://aws.amazon.com/message/5467D2/). Square, 16 March 2017: retries without
 * backoff kept the store of the authentication service saturated
 * (https://medium.com/square-corner-blog/incident-summary-2017-03-16-2f65be39297).
 */
import { callName, type Deployable, type SystemSpec, TICKS_PER_MINUTE } from "../spec";
import { callChange, flag, serviceChange } from "../topologies/deployables";
import { serviceAtRest } from "./at-rest";
import { congested } from "./congestion";
import type { Drawn, Family } from "./family";
import { callsOnTheWayTo, callsTo, databasesOfUsers, entriesOf, innocentCode } from "./places";
import { serviceIn, withVersion } from "./releases";
import { at, failOver, restart, rollBack, scaleOut, script } from "./scripts";

const LEAST_REACH = 0.15;
const MOST_REACH = 0.6;
const RETRIES = [2, 3] as const;
/** Time-out of a query against its usual time. */
const TIMEOUT = [6, 12] as const;
/** How much the job slows the database, and for how many minutes. */
const SLOWED = [3, 4.5] as const;
const MINUTES = [2, 4] as const;

export const retryStorm: Family = {
  id: "retry_storm",
  draw(system, onset, stream): Drawn | null {
    const places = databasesOfUsers(system, LEAST_REACH).filter(
      ({ name }) => serviceAtRest(system, name).reach <= MOST_REACH && jobsOf(system, name).length > 0,
    );
    if (!places.length) return null;
    const database = stream.pick(places);
    const { name } = database;
    const calls = callsTo(system, name);
    const { system: weak, flags } = withRetryFlags(
      congested(system, database, { timeout: TIMEOUT, retries: RETRIES }, stream),
      name,
    );
    const job = stream.pick(jobsOf(weak, name));
    const slowed = serviceChange(name, "cpuTime", "times", stream.between(...SLOWED));
    const ends = onset + Math.floor(stream.between(...MINUTES) * TICKS_PER_MINUTE);
    const caller = serviceIn(system, stream.pick(calls).from);
    const other = innocentCode(system, [], stream);
    const shed = entriesOf(weak).map((service) => at(2, { verb: "shed_load", service, percent: 90, minutes: 5 }));
    return {
      system: withVersion(weak, job, "running", [slowed]),
      component: name,
      mechanism: "metastable_retries",
      onset,
      events: [
        { kind: "deployed", deployable: job.id, version: "running", share: 1, tick: onset, origin: "fault" },
        { kind: "deployed", deployable: job.id, version: "stopped", share: 1, tick: ends, origin: "fault" },
      ],
      dispositions: ["mitigated", "fixed"],
      right: [
        script("retries off", ...flags.map((id) => at(2, { verb: "disable_feature_flag", flag: id }))),
        script("shed, then take all again", ...shed),
      ],
      wrong: [restart(name), scaleOut(caller, 2), rollBack(other), ...(database.standby ? [failOver(name)] : [])],
    };
  },
};

function jobsOf(system: SystemSpec, database: string): readonly Deployable[] {
  return system.deployables.filter(({ kind, service }) => kind === "job" && service === database);
}

/** Retries of all calls on the way to a database as flags; those that have none get one. */
function withRetryFlags(system: SystemSpec, database: string): { system: SystemSpec; flags: string[] } {
  const flags: string[] = [];
  const added: Deployable[] = [];
  for (const { from, to, parameters } of callsOnTheWayTo(system, database)) {
    if ((parameters?.retries ?? 0) === 0) continue;
    const call = callName(from, to);
    const known = system.deployables.find(
      ({ kind, versions }) =>
        kind === "flag" &&
        versions.some(({ changes }) =>
          changes.some((change) => "call" in change && change.call === call && change.parameter === "retries"),
        ),
    );
    const made = known ?? flag(`${from}-${to}-retries`, from, "on", [callChange(call, "retries", "set", 0)]);
    if (!known) added.push(made);
    flags.push(made.id);
  }
  return { system: { ...system, deployables: [...system.deployables, ...added] }, flags };
}
