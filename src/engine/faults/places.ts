/** Where in a system a fault may sit, found by walking its calls. */
import type { Stream } from "../../core/rng";
import { builtWith, MOST_REPLICAS } from "../parameters";
import type { Remedy } from "../remedies/verbs";
import type { CallSpec, ServiceSpec, SystemSpec } from "../spec";
import { atRest, serviceAtRest } from "./at-rest";
import { serviceIn } from "./releases";

/** Services whose code the company writes itself. */
export function isOwnCode({ kind }: ServiceSpec): boolean {
  return kind === "api" || kind === "worker";
}

/** The call from one service to another; undefined where there is none. */
export function callIn(system: SystemSpec, from: string, to: string): CallSpec | undefined {
  return system.calls.find((call) => call.from === from && call.to === to);
}

/** Requests and publications that come to a service. */
export function callsTo(system: SystemSpec, name: string): readonly CallSpec[] {
  return system.calls.filter((call) => call.to === name && call.kind !== "consume");
}

/** Requests to a service, those to whoever makes them, and so on up to the users. Nearest first. */
export function callsOnTheWayTo(system: SystemSpec, name: string): readonly CallSpec[] {
  const found: CallSpec[] = [];
  for (const wanted = [name], seen = new Set(wanted); wanted.length; ) {
    const callee = wanted.shift();
    for (const call of system.calls) {
      if (call.to !== callee || call.kind !== "call") continue;
      found.push(call);
      if (!seen.has(call.from)) wanted.push(call.from);
      seen.add(call.from);
    }
  }
  return found;
}

/** The database that a service asks; the first where it asks several. */
export function databaseOf(system: SystemSpec, service: string): string | undefined {
  return system.calls.find((call) => call.from === service && serviceIn(system, call.to).kind === "database")?.to;
}

/** Reads that ask a cache first. */
export function cachedReads(system: SystemSpec): readonly { from: string; cache: string; database: string }[] {
  return system.calls.flatMap(({ from, to, behind }) => (behind ? [{ from, cache: behind, database: to }] : []));
}

/** The queue that a worker takes its messages from. */
export function queueOf(system: SystemSpec, worker: string): string | undefined {
  return system.calls.find((call) => call.kind === "consume" && call.from === worker)?.to;
}

/** Workers that take messages from a queue. */
export function consumersIn(system: SystemSpec, queue: string): readonly string[] {
  return system.calls.flatMap((call) => (call.kind === "consume" && call.to === queue ? [call.from] : []));
}

/** Services that users ask. */
export function entriesOf(system: SystemSpec): readonly string[] {
  return system.services.filter(({ parameters }) => (parameters?.load ?? 0) > 0).map(({ name }) => name);
}

/** What hangs on a service: the share of users, or messages for each of them where it works on those. */
export function weightOf(system: SystemSpec, { name, kind }: ServiceSpec): number {
  const { reach, rate } = serviceAtRest(system, name);
  return kind === "worker" ? rate / atRest(system).load : reach;
}

/** The code of some service that has nothing to do with it. */
export function innocentCode(system: SystemSpec, guilty: readonly string[], stream: Stream): string {
  const others = system.deployables.filter(
    ({ kind, service }) => kind === "code" && !guilty.includes(service) && isOwnCode(serviceIn(system, service)),
  );
  const all = others.length ? others : system.deployables.filter(({ kind }) => kind === "code");
  return stream.pick(all).id;
}

/** Databases with the share of users that hang on each, those of at least `least` only. */
export function databasesOfUsers(system: SystemSpec, least: number): readonly ServiceSpec[] {
  return system.services.filter(({ name, kind }) => kind === "database" && serviceAtRest(system, name).reach >= least);
}

/** Replicas a service was built with, over all zones. */
export function replicasOf(service: ServiceSpec): number {
  return builtWith(service, "replicas") * service.zones.length;
}

/** The order that gives a service `factor` times the replicas it was built with. */
export function moreReplicas(service: ServiceSpec, factor: number): Remedy {
  const replicas = Math.min(MOST_REPLICAS, Math.ceil(factor * builtWith(service, "replicas")));
  return { verb: "scale_service", service: service.name, resource: "replicas", amount: replicas };
}

/** The order that gives a service `factor` times the CPU it was built with. */
export function moreCpu(service: ServiceSpec, factor: number): Remedy {
  return {
    verb: "scale_service",
    service: service.name,
    resource: "cpu",
    amount: Math.ceil(factor * builtWith(service, "cores")),
  };
}
