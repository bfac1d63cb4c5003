/**
 * A herd after a flush: the nodes of a cache are renewed and come back empty. Everybody asks the database for everything at once; what it
 * answers too late fills nothing, so the cache can stay as cold as it is.
 *
 * Facts: Slack, 22 February 2022: restarting an agent swapped warm cache nodes for empty ones, and time-outs kept them empty
 * (https://slack.engineering/slacks-incident-on-2-22-22/). Reddit, 11 August 2016: the servers were back, but empty caches cost another
 * ninety minutes (https://www.reddit.com/r/announcements/comments/4y0m56/why_reddit_was_down_on_aug_11/).
 */
import type { Stream } from "../../core/rng";
import type { SystemEvent } from "../events";
import { builtWith } from "../parameters";
import type { ServiceSpec, SystemSpec } from "../spec";
import { callAtRest, serviceAtRest } from "./at-rest";
import { congested } from "./congestion";
import type { Drawn, Family, Script } from "./family";
import { cachedReads, callIn, callsTo, entriesOf, innocentCode, moreCpu, replicasOf } from "./places";
import { rollOutOf, serviceIn, withCall, withNextVersion, withService } from "./releases";
import { at, failOver, restart, rollBack, scaleOut, script } from "./scripts";

const LEAST_REACH = 0.12;
/** What a database without its cache is asked for, as a multiple of what it can do; and the most that it does with it. */
const COLD = [1.4, 1.8] as const;
const MOST_WARM = 0.7;
/** Minutes in which the database could fill the cache, did it nothing else and were no answer late. */
const MINUTES_TO_WARM = [1.5, 4] as const;
/** Time-out of a query against its usual time. */
const TIMEOUT = [6, 12] as const;
const RETRIES = [1, 2] as const;
/** Share of users who are hurt when nothing is read in time. */
const HURT = [0.3, 0.56] as const;
/** Requests that a reader may work on, against those that wait when nothing is read in time. */
const ROOM = 1.5;

export const cacheHerd: Family = {
  id: "cache_herd",
  draw(system, onset, stream): Drawn | null {
    const found = weakPlace(system, stream);
    if (!found) return null;
    const { place, crowded, critical } = found;
    const { from, cache, database } = place;
    const store = serviceIn(crowded, database);
    const weak = withReader(place, critical, congested(crowded, store, { timeout: TIMEOUT, retries: RETRIES }, stream));
    const { system: renewed, version } = withNextVersion(weak, cache, [], stream);
    const isFlush = stream.chance(0.35);
    const flush: SystemEvent = { kind: "cache_flushed", service: cache, share: 1, tick: onset, origin: "fault" };
    const other = innocentCode(system, [from], stream);
    return {
      system: renewed,
      component: cache,
      mechanism: isFlush ? "cache_flush" : "cold_cache_nodes",
      onset,
      events: isFlush ? [flush] : rollOutOf(renewed, cache, version, onset, "fault"),
      dispositions: ["mitigated", "fixed"],
      right: [ramp(system, database), script(`larger machine for ${database}`, at(2, moreCpu(store, 3)))],
      wrong: [
        restart(cache),
        scaleOut(serviceIn(system, from), 2),
        rollBack(other),
        ...(store.standby ? [failOver(database)] : []),
      ],
    };
  },
};

/** A place where the database could not do without its cache, with the system made so and the share of requests that need it. */
function weakPlace(system: SystemSpec, stream: Stream) {
  const places = cachedReads(system).filter(({ database }) => serviceAtRest(system, database).reach >= LEAST_REACH);
  for (const place of stream.shuffle(places)) {
    const crowded = withColdLoad(system, place, stream);
    const critical = criticalShare(system, place, stream);
    if (crowded && critical !== null) return { place, crowded, critical };
  }
  return null;
}

type Place = ReturnType<typeof cachedReads>[number];

/**
 * Most users are turned away, what the database works on for nobody is dropped, and while the cache warms ever more users are let in. It has to
 * be users of everything: whoever goes on asking keeps the database full.
 */
function ramp(system: SystemSpec, database: string): Script {
  const shed = (minute: number, percent: number, minutes: number) =>
    entriesOf(system).map((service) => at(minute, { verb: "shed_load", service, percent, minutes }));
  return script(
    "shed, clear, warm, ramp",
    ...shed(1, 95, 5),
    at(2, { verb: "clear_connections", service: database }),
    ...shed(5, 60, 4),
    ...shed(8, 30, 3),
  );
}

/** Reads more keys a request, so that the database cannot do without the cache; null where it would be too busy with it. */
function withColdLoad(system: SystemSpec, { from, cache, database }: Place, stream: Stream): SystemSpec | null {
  const store = serviceAtRest(system, database);
  const misses = callAtRest(system, from, database);
  const reads = callAtRest(system, from, cache);
  const capacity = store.rate / store.cpu;
  const others = store.rate - misses.rate;
  const factor = Math.max(1, (stream.between(...COLD) * capacity - others) / reads.rate);
  if (others + factor * misses.rate > MOST_WARM * capacity) return null;
  const keys = (callIn(system, from, cache)?.parameters?.calls ?? 1) * factor;
  const hotKeys = 60 * stream.between(...MINUTES_TO_WARM) * (capacity - others);
  const groups = serviceIn(system, cache).zones.length;
  const more = withCall(withCall(system, from, cache, { calls: keys }), from, database, { calls: keys });
  return withService(more, cache, { hotKeys: Math.ceil(hotKeys / groups), cores: roomFor(system, cache, factor) });
}

/**
 * Gives the reader alone as many connections as all callers have together, as it is the one who asks for everything at once, and room for all
 * that wait for an answer; a share of its requests can do without what it reads.
 */
function withReader({ from, cache, database }: Place, critical: number, system: SystemSpec): SystemSpec {
  let all = 0;
  for (const call of callsTo(system, database))
    all += (call.parameters?.pool ?? 0) * replicasOf(serviceIn(system, call.from));
  const replicas = replicasOf(serviceIn(system, from));
  const { timeout = 1, retries = 0, acquireTimeout = 0 } = callIn(system, from, database)?.parameters ?? {};
  const keys = callIn(system, from, cache)?.parameters?.calls ?? 1;
  const held = keys * (retries + 1) * (timeout + acquireTimeout);
  const waiting = (serviceAtRest(system, from).rate / replicas) * held;
  const slots = Math.max(builtWith(serviceIn(system, from), "slots"), Math.ceil(ROOM * waiting));
  const limit = builtWith(serviceIn(system, database), "maxConnections");
  const more = withCall(system, from, database, { pool: Math.ceil(all / replicas), critical });
  return withService(withService(more, from, { slots }), database, { maxConnections: limit + all });
}

/** Share of the reader's requests that fail without what it reads, so that so many users are hurt when nothing is read; null for none. */
function criticalShare(system: SystemSpec, { from, database }: Place, stream: Stream): number | null {
  const own = serviceAtRest(system, from).reach;
  const others = serviceAtRest(system, database).reach - own * Math.min(1, callAtRest(system, from, database).each);
  const share = (stream.between(...HURT) - Math.max(0, others)) / own;
  return share > 0.1 ? Math.min(1, share) : null;
}

/** A node of a cache that is asked `factor` times as often. */
function roomFor(system: SystemSpec, cache: string, factor: number): number {
  const service: ServiceSpec = serviceIn(system, cache);
  const cores = builtWith(service, "cores");
  return serviceAtRest(system, cache).cpu * factor > 0.6 ? Math.ceil(cores * factor) : cores;
}
