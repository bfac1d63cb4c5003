/** The service graph as the rules use it: who stands behind whom, and how far. */
import type { GraphService } from "../../observation";

export interface ServiceNetwork {
  readonly services: readonly GraphService[];
  get(name: string): GraphService | undefined;
  /** Everything a service needs, directly or not, itself included. */
  needs(name: string): ReadonlySet<string>;
}

/** Graph reads are shared between episodes of a draw, so a network is built once per graph. */
const NETWORKS = new WeakMap<readonly GraphService[], ServiceNetwork>();

export function networkOf(services: readonly GraphService[]): ServiceNetwork {
  let network = NETWORKS.get(services);
  if (!network) {
    network = build(services);
    NETWORKS.set(services, network);
  }
  return network;
}

function build(services: readonly GraphService[]): ServiceNetwork {
  const byName = new Map(services.map((service) => [service.name, service]));
  const known = new Map<string, ReadonlySet<string>>();
  const needs = (name: string): ReadonlySet<string> => {
    let found = known.get(name);
    if (!found) {
      const reached = new Set<string>([name]);
      for (const next of reached) for (const needed of needsOf(byName.get(next), byName)) reached.add(needed);
      found = reached;
      known.set(name, found);
    }
    return found;
  };
  return { services, get: (name) => byName.get(name), needs };
}

/** What a service calls; a queue needs the workers that empty it. */
function needsOf(service: GraphService | undefined, byName: ReadonlyMap<string, GraphService>): readonly string[] {
  if (!service) return [];
  if (service.kind !== "queue") return service.dependsOn;
  return [...service.dependsOn, ...service.usedBy.filter((user) => byName.get(user)?.kind === "worker")];
}
