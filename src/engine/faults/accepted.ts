/**
 * Which seeds of which family are worth playing on which system. Worked out by `npm run scenarios` and kept as data, so that opening one
 * judges nothing; a test judges a part of them anew.
 */
import accepted from "../../../data/engine/accepted-seeds.json";
import type { SystemSpec } from "../spec";
import { generateTopology } from "../topologies/generated";
import { sixServices } from "../topologies/six";
import { judge } from "./accept";
import { FAMILY_IDS, type FamilyId } from "./family";
import { drawIncident } from "./incident";

/** Raised by hand when what is drawn, simulated or accepted changes: the data is then worked out anew. */
export const ENGINE_VERSION = 1;

/** The systems that seeds are worked out for: the six-service one, and ten generated ones as services and seed. */
const GENERATED: readonly (readonly [services: number, seed: number])[] = [
  [8, 101],
  [9, 102],
  [10, 103],
  [11, 104],
  [12, 105],
  [13, 106],
  [14, 107],
  [16, 108],
  [18, 109],
  [20, 110],
];
export const TOPOLOGY_NAMES: readonly string[] = [
  "six",
  ...GENERATED.map(([services, seed]) => `gen:${services}:${seed}`),
];

const WANTED = 6;
const MOST_TRIES = { six: 60, generated: 24 };

const systems = new Map<string, SystemSpec>();

/** The system of a name of `TOPOLOGY_NAMES`. @throws RangeError for another. */
export function topologyNamed(name: string): SystemSpec {
  const known = systems.get(name);
  if (known) return known;
  const found = GENERATED.find(([services, seed]) => name === `gen:${services}:${seed}`);
  if (!found && name !== "six")
    throw new RangeError(`There is no system ${name}; there are ${TOPOLOGY_NAMES.join(", ")}.`);
  const made = found ? generateTopology(found[1], found[0]) : sixServices;
  systems.set(name, made);
  return made;
}

/** What came of the seeds 0, 1, … of a family on a system. */
export interface Worked {
  readonly seeds: readonly number[];
  readonly tried: number;
  /** How many draws were turned down for which reason; names are left out of reasons. */
  readonly rejected: Readonly<Record<string, number>>;
}

/** Judges seeds until enough are accepted. Null where the family has no place on the system. */
export function workOut(family: FamilyId, topology: string): Worked | null {
  const system = topologyNamed(topology);
  const most = topology === "six" ? MOST_TRIES.six : MOST_TRIES.generated;
  const seeds: number[] = [];
  const rejected: Record<string, number> = {};
  let placed = false;
  let seed = 0;
  for (; seed < most && seeds.length < WANTED; seed++) {
    const incident = drawIncident(system, family, seed);
    if (!incident) {
      rejected["no place"] = (rejected["no place"] ?? 0) + 1;
      continue;
    }
    placed = true;
    const { accepted: fine, reason } = judge(incident);
    const kind = reason.replace(/:.*/, "");
    if (fine) seeds.push(seed);
    else rejected[kind] = (rejected[kind] ?? 0) + 1;
  }
  return placed ? { seeds, tried: seed, rejected } : null;
}

type Table = Readonly<Record<string, Readonly<Record<string, Worked>>>>;

/** The seeds of a family that are accepted on a system, as the data says; none where it has no place. */
export function acceptedSeeds(family: FamilyId, topology: string): readonly number[] {
  return (accepted.families as Table)[family]?.[topology]?.seeds ?? [];
}

/** The version of the engine that the data was worked out with. */
export const ACCEPTED_VERSION: number = accepted.version;

/** All accepted incidents as (family, system, seed), in the order of families and systems. */
export function acceptedIncidents(): readonly (readonly [FamilyId, string, number])[] {
  return FAMILY_IDS.flatMap((family) =>
    TOPOLOGY_NAMES.flatMap((topology) =>
      acceptedSeeds(family, topology).map((seed) => [family, topology, seed] as const),
    ),
  );
}
