/**
 * Red herrings: what happens in every company every hour. Deploys, flag changes, configuration pushes, restarts and jobs of the
 * same kinds as those that cause incidents, with versions that change next to nothing.
 */
import type { Stream } from "../../core/rng";
import type { SystemEvent } from "../events";
import type { Change, Deployable, SystemSpec } from "../spec";
import { rollOutOf, serviceIn, withDeployable, withNextVersion } from "./releases";

/** From so many ticks before the onset to so many after it. */
const BEFORE = 160;
const AFTER = 16;
/** A harmless version changes the CPU or the time of a request by at most this share. */
const NEXT_TO_NOTHING = 0.03;
/** A job that runs for so many ticks. */
const JOB_TICKS = 40;

export interface Herrings {
  /** The system with the harmless versions added. */
  readonly system: SystemSpec;
  readonly events: readonly SystemEvent[];
}

/** One to three harmless events on deployables that are not `reserved`: those of the fault and of its remedies. */
export function drawHerrings(
  before: SystemSpec,
  reserved: ReadonlySet<string>,
  onset: number,
  stream: Stream,
): Herrings {
  const used = new Set(reserved);
  const kinds: readonly Deployable["kind"][] = ["code", "config", "flag", "job"];
  let system = before;
  const events: SystemEvent[] = [];
  for (let i = stream.integer(1, 3); i > 0; i--) {
    const kind = stream.weighted([
      [kinds[0], 5],
      [kinds[1], 3],
      [kinds[2], 2],
      [kinds[3], 1],
    ] as const);
    const possible = system.deployables.filter(
      (each) => each.kind === kind && !used.has(each.id) && !(kind === "code" && isStore(system, each.service)),
    );
    const tick = stream.integer(Math.max(8, onset - BEFORE), onset + AFTER);
    if (!possible.length) continue;
    const deployable = stream.pick(possible);
    used.add(deployable.id);
    const made = happensTo(system, deployable, tick, stream);
    system = made.system;
    events.push(...made.events);
  }
  return { system, events };
}

/** Whether a restart empties it or drops its sessions: nobody renews those in the middle of the day. */
function isStore(system: SystemSpec, service: string): boolean {
  return ["database", "cache", "queue"].includes(serviceIn(system, service).kind);
}

function happensTo(system: SystemSpec, deployable: Deployable, tick: number, stream: Stream): Herrings {
  const small = (parameter: "cpuTime" | "ownTime"): Change => ({
    service: deployable.service,
    parameter,
    op: "times",
    value: 1 + stream.between(-NEXT_TO_NOTHING, NEXT_TO_NOTHING),
  });
  if (deployable.kind === "flag" || deployable.kind === "job") {
    const other =
      deployable.versions.find(({ version }) => version !== deployable.current)?.version ?? deployable.current;
    const versions = deployable.versions.map((each) =>
      each.version === other ? { ...each, changes: [small("ownTime")] } : each,
    );
    const events = rollOutOf(system, deployable.id, other, tick, "routine");
    if (deployable.kind === "job")
      events.push({
        kind: "deployed",
        deployable: deployable.id,
        version: deployable.current,
        share: 1,
        tick: tick + JOB_TICKS,
        origin: "routine",
      });
    return { system: withDeployable(system, { ...deployable, versions }), events };
  }
  const next = withNextVersion(
    system,
    deployable.id,
    [small(deployable.kind === "code" ? "cpuTime" : "ownTime")],
    stream,
  );
  return { system: next.system, events: rollOutOf(next.system, deployable.id, next.version, tick, "routine") };
}
