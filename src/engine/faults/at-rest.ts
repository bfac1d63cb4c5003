/**
 * A system before anything happens to it, measured on a short run of its own: what comes to every service, how busy it is, and how many
 * users hang on it. Families size their weak spots by it.
 */
import { anyFails } from "../mechanisms/retries";
import { compile, type Plan } from "../plan";
import { Simulation } from "../simulation";
import { callName, type SystemSpec } from "../spec";

export interface ServiceAtRest {
  /** Requests a second over all zones, at the mean load of the day. For workers: messages. */
  readonly rate: number;
  /** CPU in use of the busiest zone, as a share of its limit. */
  readonly cpu: number;
  /** Mean sojourn, s. */
  readonly time: number;
  /** Share of users' requests that would fail if all requests to the service failed, 0..1. */
  readonly reach: number;
  /** Caches: hit ratio. */
  readonly hits: number;
}

export interface CallAtRest {
  /** Attempts a second over all zones. */
  readonly rate: number;
  /** Calls that a request of the caller really makes: misses only, behind a cache. */
  readonly each: number;
  /** Connections in use over all zones. */
  readonly inUse: number;
  /** Connections that may be open over all zones; 0 where it is not pooled. */
  readonly pool: number;
}

export interface AtRest {
  /** Users' requests a second. */
  readonly load: number;
  readonly services: ReadonlyMap<string, ServiceAtRest>;
  /** By "caller>callee"; consumers are left out. */
  readonly calls: ReadonlyMap<string, CallAtRest>;
}

const TICKS = 4;
const known = new WeakMap<SystemSpec, AtRest>();

/** Measures a system; once for each, as families ask for it again and again. */
export function atRest(system: SystemSpec): AtRest {
  const before = known.get(system);
  if (before) return before;
  const plan = compile(system);
  const sim = new Simulation(plan, 1);
  sim.advance(TICKS);
  const measured = measure(plan, sim);
  known.set(system, measured);
  return measured;
}

/** @throws RangeError when the system has no such service. */
export function serviceAtRest(system: SystemSpec, name: string): ServiceAtRest {
  const found = atRest(system).services.get(name);
  if (!found) throw new RangeError(`The system ${system.id} has no service ${name}.`);
  return found;
}

/** @throws RangeError when the system has no such call. */
export function callAtRest(system: SystemSpec, from: string, to: string): CallAtRest {
  const found = atRest(system).calls.get(callName(from, to));
  if (!found) throw new RangeError(`The system ${system.id} has no call ${callName(from, to)}.`);
  return found;
}

const BISECTIONS = 16;

/** The share of a service's requests that must fail for `hurt` of all users' requests to fail; 1 where that is not enough. */
export function shareToHurt(system: SystemSpec, service: string, hurt: number): number {
  const { calls } = atRest(system);
  let [low, high] = [0, 1];
  for (let i = 0; i < BISECTIONS; i++) {
    const middle = (low + high) / 2;
    if (hurtBy(system, calls, service, middle) < hurt) low = middle;
    else high = middle;
  }
  return high;
}

function measure(plan: Plan, sim: Simulation): AtRest {
  const tick = TICKS - 1;
  let [offered, load] = [0, 0];
  for (const entry of plan.entries) offered += sim.user("offered", entry.index, tick);
  for (const { parameters } of plan.services) load += parameters?.load ?? 0;
  const scale = offered > 0 ? load / offered : 1;
  const calls = new Map<string, CallAtRest>();
  const rates = new Map<string, number>();
  for (const node of plan.nodes) {
    const { name } = node.service;
    rates.set(name, (rates.get(name) ?? 0) + sim.node("arrivals", node.index, tick) * scale);
  }
  for (const call of plan.calls) {
    if (call.spec.kind === "consume") continue;
    const before = calls.get(call.name);
    const rate = (before?.rate ?? 0) + sim.call("attempts", call.index, tick) * scale;
    const caller = rates.get(call.spec.from) ?? 0;
    calls.set(call.name, {
      rate,
      each: caller > 0 ? rate / caller : 0,
      inUse: (before?.inUse ?? 0) + sim.call("inUse", call.index, tick) * scale,
      pool: (before?.pool ?? 0) + (call.spec.parameters?.pool ?? 0) * sim.node("ready", call.from, tick),
    });
  }
  const services = new Map<string, ServiceAtRest>();
  for (const { name } of plan.services) {
    const nodes = plan.nodes.filter((node) => node.service.name === name && sim.node("ready", node.index, tick) > 0);
    const most = (column: "cpu" | "latencyMean" | "level") =>
      nodes.reduce((high, node) => Math.max(high, sim.node(column, node.index, tick)), 0);
    services.set(name, {
      rate: rates.get(name) ?? 0,
      cpu: most("cpu") * scale,
      time: most("latencyMean"),
      reach: hurtBy(plan.spec, calls, name, 1),
      hits: most("level"),
    });
  }
  return { load, services, calls };
}

/** Share of users' requests that fail when `share` of the requests to a service fail, users weighted by their entry. */
function hurtBy(system: SystemSpec, calls: ReadonlyMap<string, CallAtRest>, target: string, share: number): number {
  const failing = (service: string): number => {
    if (service === target) return share;
    let well = 1;
    for (const call of system.calls) {
      if (call.from !== service || call.kind === "consume") continue;
      const each = calls.get(callName(call.from, call.to))?.each ?? 0;
      const below = call.kind === "call" || call.to === target ? failing(call.to) : 0;
      well *= 1 - (call.parameters?.critical ?? 1) * anyFails(below, each);
    }
    return 1 - well;
  };
  let [hit, all] = [0, 0];
  for (const { name, parameters } of system.services) {
    const load = parameters?.load ?? 0;
    if (load > 0) hit += load * failing(name);
    all += load;
  }
  return all > 0 ? hit / all : 0;
}
