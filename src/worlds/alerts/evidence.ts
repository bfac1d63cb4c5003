/**
 * Evidence of an incident, decided by displayed values. A fact supports the mechanism when a tell of its family is present at
 * the component; it excludes another mechanism when a tell of that one is absent at the place where it would have struck.
 */
import { metricFor } from "./dependency-model/metrics";
import type { CausalSystem, ServiceSpec } from "./dependency-model/system";
import { callersOf, dependenciesOf } from "./dependency-model/topology";
import { familyOf } from "./families";
import type { Family, Tell, Verdict } from "./families/family";
import type { Mechanism } from "./mechanisms";
import type { DisplayedFact, OracleRead } from "./truth";

/** Minutes of history the oracles ask for. */
export const READ_MINUTES = 60;
const LEAST_GAP_POINTS = 3;

export interface Evidence {
  supports(fact: DisplayedFact): boolean;
  excludes(fact: DisplayedFact): readonly Mechanism[];
  readonly routes: readonly (readonly OracleRead[])[];
}

/** When the fault was felt; a fault that goes on has no end. */
export interface Period {
  readonly onset: number;
  readonly healed: number | null;
}

/** Whether a family can strike a service of this system. */
export function canStrike(system: CausalSystem, family: Family, place: ServiceSpec): boolean {
  if (!family.kinds.includes(place.kind)) return false;
  return family.fits?.(place, (relation) => has(system, place.name, relation)) ?? true;
}

function has(system: CausalSystem, service: string, relation: "pool" | "consumer" | "callers"): boolean {
  if (relation === "pool") return system.spec.edges.some((edge) => edge.from === service && edge.pooled === true);
  if (relation === "consumer") return consumerOf(system, service) !== null;
  return callersOf(system.spec, service).length > 0;
}

/** The worker that takes messages from a queue, or null. */
export function consumerOf(system: CausalSystem, queue: string): string | null {
  return system.spec.edges.find((edge) => edge.to === queue && edge.kind === "consume")?.from ?? null;
}

/** Where a look-alike would have struck: the component itself, else what it depends on, else what depends on it. */
export function placeOfConfuser(system: CausalSystem, component: string, confuser: Mechanism): ServiceSpec | null {
  const near = [component, ...dependenciesOf(system.spec, component), ...callersOf(system.spec, component)];
  for (const name of near) {
    const place = serviceOf(system, name);
    if (canStrike(system, familyOf(confuser), place)) return place;
  }
  return null;
}

/** @throws RangeError for an unknown service. */
export function serviceOf(system: CausalSystem, name: string): ServiceSpec {
  const service = system.spec.services.find((candidate) => candidate.name === name);
  if (service === undefined) throw new RangeError(`There is no service "${name}" in this system.`);
  return service;
}

/** The evidence for a determined incident; `top` is the service whose impact shows the severity. */
export function evidenceFor(
  system: CausalSystem,
  family: Family,
  component: ServiceSpec,
  period: Period,
  top: string,
): Evidence {
  const others = lookAlikes(system, family, component);
  const [first, second] = family.tells;
  const reads = others.map(({ place, family: other }) => excludingReads(place, other));
  const impact: OracleRead = { action: "impact", args: { service: top } };
  return {
    supports: (fact) => family.tells.some((tell) => judge(system, tell, component, fact, period) === "present"),
    excludes: (fact) => excludedBy(system, others, fact, period),
    routes: [
      [impact, readOf(component, first), ...pickReads(reads, 0)],
      [impact, readOf(component, second), ...pickReads(reads, 1)],
    ],
  };
}

/**
 * The evidence that nothing tells: a decisive metric shows no values since the onset, while other causes can still be ruled out.
 * `dark` are the tells whose metrics are missing at the component.
 */
export function evidenceOfNothing(
  system: CausalSystem,
  family: Family,
  component: ServiceSpec,
  period: Period,
  top: string,
): Evidence {
  const others = lookAlikes(system, family, component);
  const impact: OracleRead = { action: "impact", args: { service: top } };
  const visible = others.filter(
    (other) => other.family.mechanism === "traffic_surge" || other.family.needsChange !== undefined || other.keep,
  );
  const reads = visible.map(({ place, family: other }) => excludingReads(place, other));
  const missing = (fact: DisplayedFact) =>
    family.tells.some((tell) => {
      if (fact.kind !== "history" || fact.series.facet !== "" || !isAbout(tell, component, fact)) return false;
      const since = fact.series.minutes
        .map((minute, i) => [minute, fact.series.values[i]] as const)
        .filter(([minute]) => minute > period.onset);
      return since.length >= LEAST_GAP_POINTS && since.every(([, value]) => value === null);
    });
  return {
    supports: missing,
    excludes: (fact) => excludedBy(system, others, fact, period),
    routes: family.tells.map((tell, i) => [impact, readOf(component, tell), ...pickReads(reads, i)]),
  };
}

export interface LookAlike {
  readonly family: Family;
  readonly place: ServiceSpec;
  /** Whether its tells stay readable in an under-determined case. */
  readonly keep: boolean;
}

/** The confusers of a family that could have struck near the component. The first two become unreadable in an under-determined case. */
export function lookAlikes(system: CausalSystem, family: Family, component: ServiceSpec): readonly LookAlike[] {
  const found: LookAlike[] = [];
  for (const mechanism of family.confusers) {
    const place = placeOfConfuser(system, component.name, mechanism);
    if (place !== null) found.push({ family: familyOf(mechanism), place, keep: found.length >= 2 });
  }
  return found;
}

function excludedBy(
  system: CausalSystem,
  others: readonly LookAlike[],
  fact: DisplayedFact,
  period: Period,
): readonly Mechanism[] {
  return others.filter((other) => rulesOut(system, other, fact, period)).map((other) => other.family.mechanism);
}

function rulesOut(system: CausalSystem, { family, place }: LookAlike, fact: DisplayedFact, period: Period): boolean {
  if (fact.kind === "changes" && family.needsChange !== undefined) {
    const shown = fact.from <= period.onset - 5 && (fact.service === null || fact.service === place.name);
    return (
      shown &&
      !fact.events.some((event) => event.service === place.name && family.needsChange?.includes(event.kind) === true)
    );
  }
  return family.tells.some((tell) => judge(system, tell, place, fact, period) === "absent");
}

function judge(system: CausalSystem, tell: Tell, place: ServiceSpec, fact: DisplayedFact, period: Period): Verdict {
  if (fact.kind !== "history" || !isAbout(tell, place, fact)) return "unclear";
  const to = Math.min(fact.minute, period.healed ?? fact.minute);
  const calm = system.calm(place.name, tell.quantity);
  return tell.judge({ series: fact.series, siblings: fact.siblings, from: period.onset, to, calm });
}

function isAbout(tell: Tell, place: ServiceSpec, fact: DisplayedFact & { kind: "history" }): boolean {
  return fact.series.service === place.name && fact.series.metric === metricFor(place.kind, tell.quantity)?.metric;
}

function readOf(place: ServiceSpec, tell: Tell): OracleRead {
  const metric = metricFor(place.kind, tell.quantity)?.metric ?? "";
  return { action: "query_history", args: { service: place.name, metric, minutes: READ_MINUTES } };
}

/** One read for each way to rule a look-alike out. */
function excludingReads(place: ServiceSpec, family: Family): readonly OracleRead[] {
  if (family.needsChange !== undefined) {
    const changes: OracleRead = { action: "recent_changes", args: { service: place.name, minutes: READ_MINUTES } };
    return [changes, readOf(place, family.tells[0])];
  }
  return family.tells
    .filter((tell) => metricFor(place.kind, tell.quantity) !== undefined)
    .map((tell) => readOf(place, tell));
}

/** Two reads that rule two look-alikes out; the routes take different metrics. */
function pickReads(reads: readonly (readonly OracleRead[])[], route: number): readonly OracleRead[] {
  const chosen: OracleRead[] = [];
  for (const options of route === 0 ? reads : reads.slice().reverse()) {
    const read = options[Math.min(route, options.length - 1)];
    if (read !== undefined && chosen.length < 2) chosen.push(read);
  }
  return chosen;
}
