import { describe, expect, it } from "vitest";
import { CALL_PARAMETERS, SERVICE_PARAMETERS } from "../../../src/engine/parameters";
import { compile } from "../../../src/engine/plan";
import { type Change, callName, type SystemSpec } from "../../../src/engine/spec";
import { generateTopology } from "../../../src/engine/topologies/generated";
import { sixServices } from "../../../src/engine/topologies/six";

/** What is wrong with a system's deployables, one sentence each. */
function deployableProblems(spec: SystemSpec): string[] {
  const problems: string[] = [];
  const services = new Set(spec.services.map((service) => service.name));
  const calls = new Set(spec.calls.map((call) => callName(call.from, call.to)));
  const known = (change: Change) =>
    ("service" in change && services.has(change.service) && change.parameter in SERVICE_PARAMETERS) ||
    ("call" in change && calls.has(change.call) && change.parameter in CALL_PARAMETERS);
  const ids = new Set<string>();
  for (const { id, kind, service, versions, current } of spec.deployables) {
    if (ids.has(id)) problems.push(`${id} is there twice`);
    ids.add(id);
    if (!services.has(service)) problems.push(`${id} belongs to ${service}, which is no service`);
    const names = versions.map((each) => each.version);
    if (new Set(names).size !== names.length) problems.push(`${id} has a version twice`);
    if (!names.includes(current)) problems.push(`${id} has no version ${current}`);
    const least = kind === "flag" || kind === "job" ? 2 : 3;
    if (names.length < least || names.length > 5) problems.push(`${id} has ${names.length} versions`);
    for (const change of versions.flatMap((each) => each.changes))
      if (!known(change)) problems.push(`${id} changes ${JSON.stringify(change)}, which is nothing`);
  }
  return problems;
}

describe("the six-service system", () => {
  it("has the published services and dependencies", () => {
    const of = (from: string) => sixServices.calls.filter((call) => call.from === from).map((call) => call.to);
    expect(sixServices.services.map((service) => service.name).sort()).toEqual([
      "auth-api",
      "billing-api",
      "cache",
      "main-db",
      "queue",
      "worker",
    ]);
    expect(of("auth-api").sort()).toEqual(["cache", "main-db", "queue"]);
    expect(of("billing-api").sort()).toEqual(["main-db", "queue"]);
    expect(of("worker").sort()).toEqual(["main-db", "queue"]);
  });

  it("compiles to two entries in two zones each", () => {
    const plan = compile(sixServices);
    expect(plan.entries.map((entry) => `${entry.service.name} ${entry.zone}`)).toEqual([
      "auth-api zone-a",
      "auth-api zone-b",
      "billing-api zone-a",
      "billing-api zone-b",
    ]);
  });

  it("has deployables of every kind, each with a version to go back to", () => {
    expect(deployableProblems(sixServices)).toEqual([]);
    expect(new Set(sixServices.deployables.map((each) => each.kind)).size).toBe(7);
  });
});

describe("generated systems", () => {
  const seeds = [0, 1, 2, 3, 4];
  const sizes = [8, 11, 14, 17, 20];

  it("are the same for the same seed and others for others", () => {
    expect(generateTopology(7, 12)).toEqual(generateTopology(7, 12));
    const names = (seed: number) => JSON.stringify(generateTopology(seed, 12));
    expect(new Set(Array.from({ length: 20 }, (_, seed) => names(seed))).size).toBe(20);
  });

  it.each(sizes)("compile with %i services of all kinds, with deployables that fit", (size) => {
    for (const seed of seeds) {
      const spec = generateTopology(seed, size);
      expect(spec.services).toHaveLength(size);
      expect(new Set(spec.services.map((service) => service.kind)).size).toBe(7);
      expect(deployableProblems(spec)).toEqual([]);
      expect(() => compile(spec)).not.toThrow();
    }
  });

  it("leave nothing unused: all but edges are asked by somebody, every queue is written and read", () => {
    for (const size of sizes)
      for (const seed of seeds) {
        const { services, calls } = generateTopology(seed, size);
        const unused = services.filter(({ name, kind }) =>
          kind === "edge"
            ? !calls.some((call) => call.from === name)
            : kind === "worker"
              ? !calls.some((call) => call.from === name && call.kind === "consume")
              : !calls.some((call) => call.to === name && call.kind !== "consume"),
        );
        const unread = services.filter(
          ({ name, kind }) => kind === "queue" && !calls.some((call) => call.to === name && call.kind === "consume"),
        );
        expect([...unused, ...unread].map((service) => `${seed} ${service.name}`)).toEqual([]);
      }
  });

  it.each([7, 21, 8.5])("refuse %d services", (size) => {
    expect(() => generateTopology(0, size)).toThrow("A system has 8 to 20 services");
  });
});
