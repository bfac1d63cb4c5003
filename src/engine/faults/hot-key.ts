/**
 * A hot key: one customer's use of a new feature goes to one shard of a database. That shard is saturated while the others have little to
 * do, and all who need it wait.
 *
 * Facts: Foursquare, 4 October 2010: a shard outgrew its memory, and an added one did not take its load away
 * (http://blog.foursquare.com/2010/10/05/so-that-was-a-bummer/). Slack, July 2024: the thread of one organisation overloaded a database, and
 * halting that call cured it (Slack's status page).
 */
import type { Stream } from "../../core/rng";
import { builtWith } from "../parameters";
import { type Change, callName, type ServiceSpec, type SystemSpec } from "../spec";
import { callChange, flag, serviceChange } from "../topologies/deployables";
import { serviceAtRest } from "./at-rest";
import type { Drawn, Family } from "./family";
import { callsTo, databasesOfUsers, innocentCode, moreCpu } from "./places";
import { rollOutOf, serviceIn, withService } from "./releases";
import { at, failOver, restart, rollBack, scaleOut, script } from "./scripts";

const LEAST_REACH = 0.15;
/** Shards of a database that is cut up for the draw. */
const SHARDS = [4, 6, 8] as const;
/** Work that comes to the hot shard, as a multiple of what it has; and how much of it is more than before, not moved. */
const OVERLOAD = [1.2, 1.9] as const;
const MORE_CALLS = [1, 1.25] as const;
const FEATURES = ["quick-export", "live-board", "team-feed", "new-digest", "linked-views", "early-access"] as const;

export const hotKey: Family = {
  id: "hot_key",
  draw(system, onset, stream): Drawn | null {
    const places = databasesOfUsers(system, LEAST_REACH).flatMap((database) =>
      callsTo(system, database.name).map(({ from }) => ({ database, from })),
    );
    if (!places.length) return null;
    const { database, from } = stream.pick(places);
    const { name } = database;
    const sharded = withShards(system, database, stream);
    const shards = serviceIn(sharded, name).cohorts;
    if (shards?.kind !== "shard") return null;
    // Each shard has its part of the capacity.
    const capacity = 1 / serviceAtRest(system, name).cpu / shards.shards;
    const share = Math.min(0.9, stream.between(...OVERLOAD) * capacity);
    if (share < 1.5 * shards.share) return null;
    const more: Change = callChange(callName(from, name), "enabled", "times", stream.between(...MORE_CALLS));
    const made = flag(`${from}-${stream.pick(FEATURES)}`, from, "off", [
      serviceChange(name, "weight", "set", share),
      more,
    ]);
    const weak: SystemSpec = { ...sharded, deployables: [...sharded.deployables, made] };
    const off = { verb: "disable_feature_flag", flag: made.id } as const;
    const other = innocentCode(system, [from], stream);
    return {
      system: weak,
      component: name,
      mechanism: "hot_shard",
      onset,
      events: rollOutOf(weak, made.id, "on", onset, "fault"),
      dispositions: ["fixed", "mitigated"],
      right: [
        script(`switch ${made.id} off`, at(2, off)),
        script(`larger machines for ${name}`, at(2, moreCpu(serviceIn(sharded, name), 3))),
      ],
      wrong: [
        restart(name),
        scaleOut(serviceIn(system, from), 2),
        rollBack(other),
        ...(database.standby ? [failOver(name)] : []),
      ],
    };
  },
};

/** A database that is not sharded is cut into equal shards with the same cores together. */
function withShards(system: SystemSpec, database: ServiceSpec, stream: Stream): SystemSpec {
  if (database.cohorts?.kind === "shard") return system;
  const shards = stream.pick(SHARDS);
  const cores = Math.max(1, Math.ceil(builtWith(database, "cores") / shards));
  const cut = withService(system, database.name, {
    replicas: shards,
    cores,
    threads: cores,
    slots: Math.ceil((2 * builtWith(database, "slots")) / shards),
    maxConnections: builtWith(database, "maxConnections"),
  });
  const cohorts = { kind: "shard", shards, share: stream.between(1, 1.2) / shards } as const;
  return {
    ...cut,
    services: cut.services.map((each) => (each.name === database.name ? { ...each, cohorts } : each)),
  };
}
