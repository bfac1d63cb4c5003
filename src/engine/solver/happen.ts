/** What each kind of event does to a system: one entry a kind. The system's own events have done it when they are told. */
import type { Happening, SystemEvent } from "../events";
import { type Group, groupsOf, type Plan } from "../plan";
import { TICK_SECONDS } from "../spec";
import type { InForce } from "./in-force";
import type { Lifecycle } from "./lifecycle";
import type { State } from "./state";
import type { Stores } from "./stores";
import type { Wiring } from "./wiring";

export interface Scene {
  readonly plan: Plan;
  readonly wiring: Wiring;
  readonly state: State;
  readonly inForce: InForce;
  readonly lifecycle: Lifecycle;
  readonly stores: Stores;
  /** Simulated second. */
  readonly now: number;
}

type Doing = {
  readonly [K in Happening["kind"]]: (what: Extract<Happening, { kind: K }>, scene: Scene) => readonly SystemEvent[];
};

/** @returns events that follow later from this one. @throws RangeError when the event names what the system has not got. */
export function happen(event: SystemEvent, scene: Scene): readonly SystemEvent[] {
  const done = DOING[event.kind] as (what: Happening, scene: Scene) => readonly SystemEvent[];
  return done(event, scene).map((next) => ({ ...next, origin: next.origin ?? event.origin }));
}

const NOTHING: readonly SystemEvent[] = [];
const told = () => NOTHING;

const DOING: Doing = {
  changed({ id, changes }, scene) {
    scene.inForce.put(id, changes);
    return renewed(scene);
  },
  reverted({ id }, scene) {
    scene.inForce.take(id);
    return renewed(scene);
  },
  deployed({ deployable, version, zone, share }, scene) {
    scene.inForce.deploy(deployable, version, zone, share);
    return renewed(scene);
  },
  scaled({ service, zone, replicas }, scene) {
    const place = zone ? { service, zone } : { service };
    scene.inForce.put(`scaled:${service}@${zone ?? ""}`, [
      { ...place, parameter: "replicas", op: "set", value: replicas },
    ]);
    return renewed(scene);
  },
  restarted({ service, zone, share, drained, seconds }, scene) {
    const starting = scene.state.node("startSeconds");
    for (const group of placesOf(scene, service, zone))
      for (let node = group.first; node < group.first + group.count; node++) {
        const wanted = scene.lifecycle.wanted(node);
        const count = share > 0 ? Math.max(1, Math.floor(share * wanted + 0.5)) : 0;
        scene.lifecycle.restart(node, count, scene.now, seconds ?? starting.get(node), drained ?? false);
      }
    return NOTHING;
  },
  cache_flushed({ service, zone, share }, scene) {
    const warm = scene.state.node("warm");
    for (const group of placesOf(scene, service, zone))
      for (let node = group.first; node < group.first + group.count; node++)
        warm.set(node, warm.get(node) * (1 - share));
    return NOTHING;
  },
  connections_cleared({ service }, scene) {
    const { wiring, state } = scene;
    const [stale, content, dropped] = [state.call("stale"), state.node("content"), state.node("totalDropped")];
    for (const group of placesOf(scene, service)) {
      for (let k = wiring.intoStart[group.index] as number; k < (wiring.intoStart[group.index + 1] as number); k++)
        stale.set(wiring.into[k] as number, 0);
      scene.lifecycle.dropConnections(group.index, 1);
      for (let node = group.first; node < group.first + group.count; node++) {
        dropped.add(node, content.get(node));
        content.set(node, 0);
      }
    }
    return NOTHING;
  },
  failed_over: failOver,
  purged({ service, only }, scene) {
    for (const group of placesOf(scene, service))
      if (only === "poison") scene.stores.setAside(group.first);
      else scene.stores.purge(group.first);
    return NOTHING;
  },
  poisoned({ service, messages }, scene) {
    const first = placesOf(scene, service)[0];
    if (first) scene.stores.addPoison(first.first, messages);
    return NOTHING;
  },
  traffic_shifted({ zone, weight }, scene) {
    const index = scene.plan.zones.indexOf(zone);
    if (index < 0) throw new RangeError(`There is no zone ${zone}; the zones are ${scene.plan.zones.join(", ")}.`);
    scene.state.zoneWeight[index] = weight;
    return NOTHING;
  },
  oom_killed: told,
  replica_ready: told,
  autoscaled: told,
  breaker_opened: told,
  breaker_closed: told,
  promoted: told,
  disk_filled: told,
};

function renewed(scene: Scene): readonly SystemEvent[] {
  scene.inForce.apply();
  scene.lifecycle.reconcile(scene.now);
  return NOTHING;
}

/** The primary is fenced off, the standby catches up what it has and takes over with cold buffers; what it had not received is lost. */
function failOver(
  { service, seconds }: Extract<Happening, { kind: "failed_over" }>,
  scene: Scene,
): readonly SystemEvent[] {
  const { state } = scene;
  const follow: SystemEvent[] = [];
  for (const group of placesOf(scene, service)) {
    const standby = state.standbyZone[group.index] as number;
    if (standby < 0) throw new RangeError(`${service} has no standby to fail over to.`);
    let lost = 0;
    const gap = seconds ?? state.node("failoverGap").get(group.first);
    for (let node = group.first; node < group.first + group.count; node++) {
      const rate = state.node("through").get(node) * (1 - state.node("errors").get(node));
      const writes = rate * state.node("writeShare").get(node) * state.node("replicationLag").get(node);
      state.node("lostWrites").add(node, writes);
      lost += writes;
      scene.lifecycle.restart(node, scene.lifecycle.wanted(node), scene.now, gap, false);
      state.node("buffers").set(node, state.node("coldFactor").get(node));
    }
    state.standbyZone[group.index] = state.groupZone[group.index] as number;
    state.groupZone[group.index] = standby;
    const zone = scene.plan.zones[standby] ?? "";
    const tick = Math.ceil((scene.now + gap) / TICK_SECONDS);
    follow.push({ kind: "promoted", service, zone, lostWrites: Math.floor(lost + 0.5), tick, origin: "system" });
  }
  scene.inForce.derive();
  return follow;
}

/** @throws RangeError when there is no such service, or none in that zone. */
function placesOf(scene: Scene, service: string, zone?: string): readonly Group[] {
  const found = groupsOf(scene.plan, service).filter((group) => !zone || group.zone === zone);
  if (!found.length) throw new RangeError(`There is no service ${service}${zone ? ` in ${zone}` : ""}.`);
  return found;
}
