/**
 * Red herrings: what happens in every company every hour. Deploys, configuration pushes, flags, limits, renewed certificates and DNS zones,
 * jobs, restarts and clean-ups of caches, of the same kinds and drawn by the same functions as those that cause incidents, with versions that
 * change next to nothing. Some come after the onset: were the newest change always the guilty one, nobody would have to look.
 */
import type { Stream } from "../../core/rng";
import type { SystemEvent } from "../events";
import { builtWith } from "../parameters";
import { waveOf } from "../remedies/roll-out";
import type { Change, Deployable, ServiceSpec, SystemSpec } from "../spec";
import { atRest } from "./at-rest";
import { rollOutOf, serviceIn, withNextVersion, withVersion } from "./releases";

/** When: some time before the onset, shortly before it, or after it, about until the first page may come. Ticks from the onset, from and to. */
const WHEN: readonly (readonly [readonly [number, number], number])[] = [
  [[-160, -15], 3],
  [[-14, -1], 3],
  [[1, 10], 4],
];
/** A harmless version changes the CPU or the time of a request, or a limit, by at most this share. */
const NEXT_TO_NOTHING = 0.03;
/** A job runs for so many ticks. */
const JOB_TICKS = [8, 120] as const;
/** Part of a cache's entries that a clean-up removes. */
const CLEANED = [0.005, 0.03] as const;
/** CPU and slots in use on the replicas that are left while others restart, as a share, at the mean load of the day. */
const BUSIEST = 0.86;
const CANARY_SHARE = [0.1, 0.25, 0.5] as const;
const CHANCE_CANARY = 0.3;
/** A canary may give each of the other replicas so many times its usual requests. */
const MORE_FOR_OTHERS = 1.25;

export interface Herrings {
  /** The system with the harmless versions added. */
  readonly system: SystemSpec;
  readonly events: readonly SystemEvent[];
}

type Kind = Deployable["kind"] | "restart" | "clean_up";

/**
 * One to three harmless things, none with a deployable that is `reserved`: those of the fault and of its remedies.
 * @param usual the system as it was before a family set its weak spots: how busy it is at rest is known
 */
export function drawHerrings(
  usual: SystemSpec,
  before: SystemSpec,
  reserved: ReadonlySet<string>,
  onset: number,
  stream: Stream,
): Herrings {
  const used = new Set(reserved);
  let system = before;
  const events: SystemEvent[] = [];
  for (let i = stream.integer(1, 3); i > 0; i--) {
    const kind = stream.weighted<Kind>([
      ["code", 5],
      ["config", 3],
      ["flag", 2],
      ["limit", 1.5],
      ["job", 1.5],
      ["dns_zone", 1],
      ["certificate", 0.7],
      ["restart", 0.7],
      ["clean_up", 0.5],
    ]);
    const [from, to] = stream.weighted(WHEN);
    const tick = Math.max(8, onset + stream.integer(from, to));
    const isFree = ({ id, kind, service }: Deployable) =>
      !used.has(id) && (kind !== "code" || canRestart(usual, system, service));
    const made = kind === "clean_up" ? cleanUp(system, tick, stream) : change(system, kind, isFree, tick, stream);
    if (!made) continue;
    used.add(made.id);
    system = made.system;
    events.push(...made.events);
  }
  return { system, events };
}

interface Made extends Herrings {
  /** The deployable, or the cache. */
  readonly id: string;
}

function change(
  system: SystemSpec,
  kind: Exclude<Kind, "clean_up">,
  isFree: (deployable: Deployable) => boolean,
  tick: number,
  stream: Stream,
): Made | null {
  const wanted = kind === "restart" ? "code" : kind;
  const possible = system.deployables.filter((each) => each.kind === wanted && isFree(each));
  if (!possible.length) return null;
  const deployable = stream.pick(possible);
  const { id, current } = deployable;
  if (kind !== "restart") return { id, ...happensTo(system, deployable, tick, stream) };
  const waves = rollOutOf(system, id, current, tick, "routine");
  return { id, system, events: waves.filter((event) => event.kind === "restarted") };
}

/**
 * Whether a service can do with a wave of its replicas gone, as those know who release in the middle of the day. Not a store: a restart
 * empties it or drops its sessions. What a family has made of its cores, replicas, slots and requests' cost is reckoned with.
 */
function canRestart(usual: SystemSpec, system: SystemSpec, name: string): boolean {
  const rest = atRest(usual).services.get(name);
  const now = serviceIn(system, name);
  if (!rest || ["database", "cache", "queue"].includes(now.kind)) return false;
  const before = serviceIn(usual, name);
  const ratio = (parameter: "cpuTime" | "cores" | "replicas") =>
    builtWith(now, parameter) / Math.max(builtWith(before, parameter), 1e-9);
  const replicas = Math.floor(builtWith(now, "replicas") + 0.5);
  const left = replicas - waveOf(replicas);
  const busy = (rest.cpu * ratio("cpuTime")) / (ratio("cores") * ratio("replicas"));
  const places = (rest.rate * rest.time) / (replicas * now.zones.length * builtWith(now, "slots"));
  return left > 0 && (Math.max(busy, places) * replicas) / left < BUSIEST;
}

function cleanUp(system: SystemSpec, tick: number, stream: Stream): Made | null {
  const caches = system.services.filter(({ kind }) => kind === "cache");
  if (!caches.length) return null;
  const { name } = stream.pick(caches);
  const share = stream.between(...CLEANED);
  return { id: name, system, events: [{ kind: "cache_flushed", service: name, share, tick, origin: "routine" }] };
}

function happensTo(system: SystemSpec, deployable: Deployable, tick: number, stream: Stream): Herrings {
  const { id, kind, service, versions, current } = deployable;
  switch (kind) {
    case "flag":
    case "job":
      return switched(system, deployable, tick, stream);
    case "certificate": {
      const issued = versions[versions.length - 1]?.version ?? current;
      return { system, events: rollOutOf(system, id, issued, tick, "routine") };
    }
    default: {
      const next = withNextVersion(system, id, littleOf(deployable, stream), stream);
      const share = kind === "code" ? shareOf(serviceIn(system, service), stream) : 1;
      return { system: next.system, events: rollOutOf(next.system, id, next.version, tick, "routine", share) };
    }
  }
}

function little(stream: Stream): number {
  return 1 + stream.between(-NEXT_TO_NOTHING, NEXT_TO_NOTHING);
}

/** What a harmless next version changes: a limit and a DNS zone a little of what their older versions did. */
function littleOf({ kind, service, versions }: Deployable, stream: Stream): Change[] {
  if (kind === "code" || kind === "config") {
    const parameter = kind === "code" ? "cpuTime" : "ownTime";
    return [{ service, parameter, op: "times", value: little(stream) }];
  }
  return (versions[0]?.changes ?? []).map((older) => ({ ...older, op: "times" as const, value: little(stream) }));
}

/** All of the requests, or a part of them where there are enough replicas for it. */
function shareOf(service: ServiceSpec, stream: Stream): number {
  const isCanary = stream.chance(CHANCE_CANARY);
  const share = stream.pick(CANARY_SHARE);
  const all = Math.floor(builtWith(service, "replicas") + 0.5);
  const second = Math.max(1, Math.floor(share * all + 0.5));
  const others = all > second ? ((1 - share) * all) / (all - second) : Number.POSITIVE_INFINITY;
  return isCanary && service.cohorts?.kind === "canary" && others <= MORE_FOR_OTHERS ? share : 1;
}

function switched(system: SystemSpec, deployable: Deployable, tick: number, stream: Stream): Herrings {
  const { id, kind, service, current } = deployable;
  const other = deployable.versions.find(({ version }) => version !== current)?.version ?? current;
  const changes: Change[] = [{ service, parameter: "ownTime", op: "times", value: little(stream) }];
  const events = rollOutOf(system, id, other, tick, "routine");
  const length = stream.integer(...JOB_TICKS);
  if (kind === "job") events.push(...rollOutOf(system, id, current, tick + length, "routine"));
  return { system: withVersion(system, deployable, other, changes), events };
}
