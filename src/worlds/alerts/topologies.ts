/** The invented companies whose systems the alerts world runs; the graphs are data under `data/alerts`. */
import grocery from "../../../data/alerts/grocery.json";
import hotels from "../../../data/alerts/hotels.json";
import learning from "../../../data/alerts/learning.json";
import library from "../../../data/alerts/library.json";
import parcels from "../../../data/alerts/parcels.json";
import ticketing from "../../../data/alerts/ticketing.json";
import { smallSystem } from "./dependency-model/model";
import type { CausalSystem, EdgeSpec, ServiceSpec, SystemSpec } from "./dependency-model/system";

export interface Topology extends SystemSpec {
  readonly id: string;
  readonly company: string;
  /** What the company does, as a phrase: "a ticket shop for …". */
  readonly setting: string;
}

interface TopologyFile extends Omit<Topology, "services" | "edges"> {
  readonly services: readonly (Omit<ServiceSpec, "kind"> & { readonly kind: string })[];
  readonly edges: readonly (Omit<EdgeSpec, "kind"> & { readonly kind: string })[];
}

/** JSON widens the kinds to strings; a unit test checks every file against the closed lists. */
function read(file: TopologyFile): Topology {
  return file as Topology;
}

export const TOPOLOGIES: readonly Topology[] = [library, ticketing, parcels, learning, grocery, hotels].map((file) =>
  read(file as TopologyFile),
);

const systems = new Map<string, CausalSystem>();

/** The calibrated system of a topology; made once. @throws RangeError for an unknown id. */
export function systemOf(id: string): CausalSystem {
  let system = systems.get(id);
  if (system === undefined) {
    system = smallSystem(topologyOf(id));
    systems.set(id, system);
  }
  return system;
}

/** @throws RangeError for an unknown id. */
export function topologyOf(id: string): Topology {
  const topology = TOPOLOGIES.find((candidate) => candidate.id === id);
  if (topology === undefined)
    throw new RangeError(`There is no topology "${id}"; known are ${TOPOLOGIES.map((t) => t.id).join(", ")}.`);
  return topology;
}
