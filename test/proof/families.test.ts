import { describe, expect, test } from "vitest";
import { Stream } from "../../src/core/rng";
import { Gauge } from "../../src/worlds/alerts/dependency-model/metrics";
import type { CausalSystem, ServiceSpec } from "../../src/worlds/alerts/dependency-model/system";
import { canStrike, consumerOf, evidenceFor, lookAlikes } from "../../src/worlds/alerts/evidence";
import { FAMILIES } from "../../src/worlds/alerts/families";
import type { Family } from "../../src/worlds/alerts/families/family";
import { factsOfRead } from "../../src/worlds/alerts/generator/acceptance";
import { GeneratedDraw } from "../../src/worlds/alerts/generator/drawn";
import { MECHANISM_NAMES } from "../../src/worlds/alerts/mechanisms";
import { systemOf, TOPOLOGIES } from "../../src/worlds/alerts/topologies";
import { type DisplayedFact, type OracleRead, Sealed } from "../../src/worlds/alerts/truth";

const ONSET = -16;

/** The system with one fault and nothing else, as a draw that can be read. */
function drawWith(system: CausalSystem, family: Family, place: ServiceSpec, size: number): GeneratedDraw {
  const stream = Stream.of(5, `${family.mechanism} ${place.name}`);
  const fault = family.strike({
    place,
    onset: ONSET,
    healed: null,
    size,
    zones: system.spec.zones,
    calmLatency: system.calm(place.name, "latency"),
    consumer: consumerOf(system, place.name),
    stream,
  });
  const noise = stream.fork("noise").noise();
  const run = system.simulate(fault.effects, -60, 2, noise);
  const truth = new Sealed({
    incidents: [],
    noise: [],
    noiseStories: {},
    disposition: "routed",
    alsoTrue: [],
    canary: "",
  });
  return new GeneratedDraw({
    system,
    gauge: new Gauge(run, noise, fault.effects),
    noise,
    alerts: [],
    changes: fault.changes,
    facets: fault.facets,
    startOfDay: 0,
    rejected: 0,
    truth,
  });
}

function readRoutes(
  draw: GeneratedDraw,
  routes: ReturnType<typeof evidenceFor>["routes"],
): readonly (readonly DisplayedFact[])[] {
  return routes.map((route) => route.flatMap((read) => factsOfRead(draw, read, 0)));
}

/** Everything a player could read of some services, at the page. */
function allFacts(draw: GeneratedDraw, places: readonly ServiceSpec[]): readonly DisplayedFact[] {
  const reads: OracleRead[] = [];
  for (const service of new Set(places.map(({ name }) => name))) {
    for (const { metric } of draw.metricsOf(service))
      reads.push({ action: "query_history", args: { service, metric, minutes: 60 } });
    reads.push({ action: "recent_changes", args: { service, minutes: 60 } }, { action: "impact", args: { service } });
  }
  return reads.flatMap((read) => factsOfRead(draw, read, 0));
}

const system = systemOf("ticketing");
const cases = FAMILIES.flatMap((family) =>
  system.spec.services
    .filter((place) => canStrike(system, family, place))
    .map((place) => ({ family, place, name: `${family.mechanism} at ${place.name}` })),
);

describe("fault families", () => {
  test("there is one for every mechanism that can be declared, and each can strike every company", () => {
    expect(FAMILIES.map((family) => family.mechanism).sort()).toEqual(
      MECHANISM_NAMES.filter((name) => name !== "undetermined").sort(),
    );
    for (const { id } of TOPOLOGIES) {
      const there = systemOf(id);
      for (const family of FAMILIES) {
        const places = there.spec.services.filter((place) => canStrike(there, family, place));
        expect(places.length, `${family.mechanism} in ${id}`).toBeGreaterThan(0);
        for (const place of places)
          expect(lookAlikes(there, family, place).length, `${family.mechanism} at ${place.name}`).toBeGreaterThan(0);
      }
    }
  });

  test.each(cases)("$name shows by both routes when it is severe", ({ family, place }) => {
    const draw = drawWith(system, family, place, 0.6);
    const evidence = evidenceFor(system, family, place, { onset: ONSET, healed: null }, place.name);
    for (const facts of readRoutes(draw, evidence.routes)) {
      expect(facts.some((fact) => evidence.supports(fact))).toBe(true);
      expect(facts.some((fact) => evidence.excludes(fact).length > 0)).toBe(true);
    }
  });

  test.each(cases)("$name is not excluded away by what its look-alikes show in its place", ({ family, place }) => {
    const evidence = evidenceFor(system, family, place, { onset: ONSET, healed: null }, place.name);
    for (const other of lookAlikes(system, family, place)) {
      for (const size of [0.1, 0.6]) {
        const facts = readRoutes(drawWith(system, other.family, other.place, size), evidence.routes).flat();
        const denied = facts.filter((fact) => evidence.excludes(fact).includes(other.family.mechanism));
        expect(denied, `${other.family.mechanism} at ${other.place.name}, size ${size}`).toEqual([]);
      }
    }
  });

  test.each(
    ["ticketing", "parcels"].flatMap((id) => FAMILIES.map((family) => [family.mechanism, id, family] as const)),
  )(
    "%s in %s cannot be shown, with look-alikes ruled out, while one of them is what struck",
    (mechanism, id, family) => {
      const there = systemOf(id);
      const places = there.spec.services.filter((place) => canStrike(there, family, place)).slice(0, 2);
      let tried = 0;
      for (const place of places) {
        const evidence = evidenceFor(there, family, place, { onset: ONSET, healed: null }, place.name);
        for (const other of lookAlikes(there, family, place)) {
          for (const size of [0.15, 0.8]) {
            const facts = allFacts(drawWith(there, other.family, other.place, size), [place, other.place]);
            const shown = facts.some((fact) => evidence.supports(fact));
            const denied = facts.some((fact) => evidence.excludes(fact).includes(other.family.mechanism));
            tried++;
            expect(
              shown && denied,
              `${mechanism} at ${place.name} while ${other.family.mechanism} at ${other.place.name}, size ${size}`,
            ).toBe(false);
          }
        }
      }
      expect(tried).toBeGreaterThan(0);
    },
  );

  test("no family shows in a healthy system", () => {
    const noise = Stream.of(9).noise();
    const run = system.simulate([], -60, 2, noise);
    const truth = new Sealed({
      incidents: [],
      noise: [],
      noiseStories: {},
      disposition: "no_fault",
      alsoTrue: [],
      canary: "",
    });
    const draw = new GeneratedDraw({
      system,
      gauge: new Gauge(run, noise, []),
      noise,
      alerts: [],
      changes: [],
      facets: [],
      startOfDay: 0,
      rejected: 0,
      truth,
    });
    for (const { family, place } of cases) {
      const evidence = evidenceFor(system, family, place, { onset: ONSET, healed: null }, place.name);
      for (const facts of readRoutes(draw, evidence.routes))
        expect(facts.filter((fact) => evidence.supports(fact))).toEqual([]);
    }
  });
});
