/** An incident: a system, a fault drawn on it, the ordinary life around it, and the run up to the page. */
import { type Seed, Stream } from "../../core/rng";
import { advanceToPage } from "../alert-rules/page";
import type { SystemEvent } from "../events";
import { compile, type Plan } from "../plan";
import { Simulation } from "../simulation";
import type { SystemSpec } from "../spec";
import { FAMILIES } from "./catalogue";
import type { Drawn, FamilyId } from "./family";
import { drawHerrings } from "./herrings";

export interface Incident {
  readonly family: FamilyId;
  readonly seed: Seed;
  readonly drawn: Drawn;
  readonly plan: Plan;
  /** Red herrings: events of the same kinds as those of faults, and harmless. */
  readonly herrings: readonly SystemEvent[];
}

/** The earliest and the latest tick of an onset, so that an hour of history lies before every page. */
const EARLIEST_ONSET = 228;
const LATEST_ONSET = 252;
/** A page comes 3 to 25 minutes after the onset, or the draw is of no use. */
export const SOONEST_PAGE = 12;
const LATEST_PAGE = 100;

/** The incident of a family and seed on a system; null where the family has no place there. */
export function drawIncident(system: SystemSpec, family: FamilyId, seed: Seed): Incident | null {
  const stream = Stream.of(seed, `incident:${system.id}:${family}`);
  const onset = stream.integer(EARLIEST_ONSET, LATEST_ONSET);
  const found = FAMILIES.find((each) => each.id === family);
  if (!found)
    throw new RangeError(`There is no fault family ${family}; there are ${FAMILIES.map(({ id }) => id).join(", ")}.`);
  const drawn = found.draw(system, onset, stream.fork("draw"));
  if (!drawn) return null;
  const { system: whole, events } = drawHerrings(
    system,
    drawn.system,
    reservedBy(drawn),
    drawn.onset,
    stream.fork("herrings"),
  );
  return { family, seed, drawn, plan: compile(whole), herrings: events };
}

/** What the fault and its remedies deploy: nothing else should happen to these. */
function reservedBy({ events, right }: Drawn): ReadonlySet<string> {
  const reserved = new Set<string>();
  for (const event of events) if (event.kind === "deployed") reserved.add(event.deployable);
  for (const { remedy } of right.flatMap(({ orders }) => orders)) {
    if ("deployable" in remedy) reserved.add(remedy.deployable);
    if ("flag" in remedy) reserved.add(remedy.flag);
    if ("job" in remedy) reserved.add(remedy.job);
  }
  return reserved;
}

/** A fresh run with everything that will happen scheduled; nothing has been simulated. */
export function startRun(incident: Incident): Simulation {
  const sim = new Simulation(incident.plan, incident.seed);
  for (const event of [...incident.drawn.events, ...incident.herrings]) sim.schedule(event);
  return sim;
}

/** The run up to the page: it stands at the tick in which the page fired. Null when none fires in time. */
export function runToPage(incident: Incident): Simulation | null {
  const sim = startRun(incident);
  sim.advance(incident.drawn.onset);
  return advanceToPage(sim, incident.drawn.onset + LATEST_PAGE) === null ? null : sim;
}
