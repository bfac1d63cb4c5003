/**
 * A flag storm: a feature flag makes a service read far more, or under other keys than its cache holds, and the database gets what the
 * cache no longer answers.
 *
 * Facts: Facebook, 23 September 2010: clients took a bad configuration value for a stale cache entry, deleted it and asked the
 * databases, whose errors made them delete it again
 * (https://engineering.fb.com/2010/09/23/uncategorized/more-details-on-today-s-outage/). BBC, July 2014: an overloaded database
 * throttled its callers, and those without copies of their own failed
 * (https://www.bbc.co.uk/blogs/internet/entries/a37b0470-47d4-3991-82bb-a7d5b8803771).
 */
import { round } from "../../core/math";
import type { Stream } from "../../core/rng";
import { builtWith } from "../parameters";
import { type Change, callName, type SystemSpec } from "../spec";
import { callAtRest, serviceAtRest } from "./at-rest";
import type { Drawn, Family } from "./family";
import { cachedReads, innocentCode, replicasOf } from "./places";
import { rollOutOf, serviceIn, withCall, withService, withVersion } from "./releases";
import { at, restart, rollBack, scaleOut, script } from "./scripts";

const LEAST_REACH = 0.1;
/** Work that the database is then asked for, as a multiple of what it has; less where nearly everybody hangs on the service. */
const OVERLOAD = [1.05, 1.5] as const;
const OVERLOAD_OF_MOST = [1.02, 1.2] as const;
const MOST_USERS = 0.6;
/** So many times the connections and the requests at once that are needed, so that it is the database that has too little. */
const ROOM = 3;
/** How long a read waits for a connection, s: short, so that what does not read goes on. */
const PATIENCE = [0.05, 0.15] as const;

export const flagStorm: Family = {
  id: "flag_storm",
  draw(system, onset, stream): Drawn | null {
    const places = cachedReads(system).filter(
      ({ from, database }) => serviceAtRest(system, database).reach >= LEAST_REACH && flagsOf(system, from).length > 0,
    );
    if (!places.length) return null;
    const place = stream.pick(places);
    const { from, database, cache } = place;
    const found = stream.pick(flagsOf(system, from));
    const { mechanism, changes } = storm(system, place, stream);
    const weak = weakened(withVersion(system, found, "on", changes), place, stream);
    const off = { verb: "disable_feature_flag", flag: found.id } as const;
    const other = innocentCode(system, [from], stream);
    return {
      system: weak,
      component: from,
      mechanism,
      onset,
      events: rollOutOf(weak, found.id, "on", onset, "fault"),
      dispositions: ["fixed"],
      right: [
        script(`switch ${found.id} off`, at(2, off)),
        script(
          `shed, switch ${found.id} off`,
          at(1, { verb: "shed_load", service: from, percent: 40, minutes: 5 }),
          at(4, off),
        ),
      ],
      wrong: [restart(cache), restart(database), scaleOut(serviceIn(system, from), 2), rollBack(other)],
    };
  },
};

/** A service that keeps going for those who need nothing of the database: it fails the others soon. */
function weakened(system: SystemSpec, { from, database }: ReturnType<typeof cachedReads>[number], stream: Stream) {
  const service = serviceIn(system, from);
  const { inUse } = callAtRest(system, from, database);
  const replicas = replicasOf(service);
  const roomy = withCall(system, from, database, {
    pool: Math.ceil((ROOM * inUse * 2.5) / replicas),
    acquireTimeout: round(stream.between(...PATIENCE), 2),
  });
  return withService(roomy, from, { slots: ROOM * builtWith(service, "slots") });
}

/** Flags of a service that are off and read more when they are on. */
function flagsOf(system: SystemSpec, service: string) {
  return system.deployables.filter(
    (each) => each.kind === "flag" && each.service === service && each.current === "off",
  );
}

function storm(system: SystemSpec, { from, cache, database }: ReturnType<typeof cachedReads>[number], stream: Stream) {
  const store = serviceAtRest(system, database);
  const misses = callAtRest(system, from, database);
  const hits = serviceAtRest(system, cache).hits;
  // What the misses may grow to until the database has `overload` times its capacity to do.
  const capacity = store.rate / store.cpu;
  const [least, highest] = serviceAtRest(system, from).reach > MOST_USERS ? OVERLOAD_OF_MOST : OVERLOAD;
  const grown = (stream.between(least, highest) * capacity - (store.rate - misses.rate)) / misses.rate;
  const most = 1 / (1 - hits);
  const isRekeyed = grown < 0.8 * most && stream.chance(0.5);
  if (!isRekeyed) {
    // Reads that are compared go past the cache.
    const changes: Change[] = [{ call: callName(from, database), parameter: "enabled", op: "times", value: grown }];
    return { mechanism: "read_amplification", changes };
  }
  const left = 1 - grown * (1 - hits);
  return {
    mechanism: "cache_key_change",
    changes: [{ service: cache, parameter: "hitMax", op: "times", value: left / hits } satisfies Change],
  };
}
