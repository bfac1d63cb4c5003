/** Generated systems of 8 to 20 services that look like a company's: a pure function of seed and number of services. */
import { type Seed, Stream } from "../../core/rng";
import type { SystemSpec } from "../spec";
import { drawDemand } from "./demand";
import { drawDeployables } from "./releases";
import { size } from "./sizing";
import { drawStructure, OUTSIDE } from "./structure";

export const FEWEST_SERVICES = 8;
export const MOST_SERVICES = 20;

/** @throws RangeError when `services` is no whole number from 8 to 20, or the seed is none. */
export function generateTopology(seed: Seed, services: number): SystemSpec {
  if (!Number.isInteger(services) || services < FEWEST_SERVICES || services > MOST_SERVICES)
    throw new RangeError(`A system has ${FEWEST_SERVICES} to ${MOST_SERVICES} services, not ${services}.`);
  const stream = Stream.of(seed, "topology").fork(String(services));
  const structure = drawStructure(stream.fork("structure"), services);
  size(stream.fork("sizes"), structure, drawDemand(stream.fork("demand"), structure));
  return {
    id: `gen:${services}:${seed}`,
    zones: [...structure.zones, OUTSIDE],
    services: structure.services,
    calls: structure.calls,
    deployables: drawDeployables(stream.fork("releases"), structure),
  };
}
