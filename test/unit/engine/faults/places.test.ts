/** What hangs on what in the six services, by hand. */
import { describe, expect, it } from "vitest";
import { atRest, callAtRest, serviceAtRest } from "../../../../src/engine/faults/at-rest";
import {
  cachedReads,
  callsOnTheWayTo,
  consumersIn,
  databaseOf,
  entriesOf,
  moreCpu,
  moreReplicas,
  queueOf,
  weightOf,
} from "../../../../src/engine/faults/places";
import { serviceIn } from "../../../../src/engine/faults/releases";
import { sixServices } from "../../../../src/engine/topologies/six";

describe("a system at rest", () => {
  it("has the rates that its loads and calls make, at the mean load of the day", () => {
    expect(atRest(sixServices).load).toBe(1440);
    expect(serviceAtRest(sixServices, "auth-api").rate).toBeCloseTo(1200, -1);
    // 1,200 · .05 + 240 · .5
    expect(serviceAtRest(sixServices, "queue").rate).toBeCloseTo(180, -1);
    expect(callAtRest(sixServices, "billing-api", "main-db").each).toBeCloseTo(2.5, 2);
    // Two zones of two replicas with eight connections each.
    expect(callAtRest(sixServices, "billing-api", "main-db").pool).toBe(32);
  });

  it("knows how many users hang on each service", () => {
    expect(serviceAtRest(sixServices, "auth-api").reach).toBeCloseTo(1200 / 1440, 6);
    expect(serviceAtRest(sixServices, "billing-api").reach).toBeCloseTo(240 / 1440, 6);
    // A cache that fails is gone round; the worker answers nobody.
    expect(serviceAtRest(sixServices, "cache").reach).toBe(0);
    expect(serviceAtRest(sixServices, "worker").reach).toBe(0);
    // billing-api asks the database each time, auth-api for the share of its requests that miss.
    const { each } = callAtRest(sixServices, "auth-api", "main-db");
    expect(serviceAtRest(sixServices, "main-db").reach).toBeCloseTo((240 + 1200 * each) / 1440, 6);
    expect(weightOf(sixServices, serviceIn(sixServices, "worker"))).toBeCloseTo(180 / 1440, 2);
  });

  it("cannot be asked about what is not there", () => {
    expect(() => serviceAtRest(sixServices, "mail")).toThrow("The system six has no service mail.");
    expect(() => callAtRest(sixServices, "worker", "cache")).toThrow("The system six has no call worker>cache.");
  });
});

describe("places", () => {
  it("are found by walking the calls", () => {
    expect(entriesOf(sixServices)).toEqual(["auth-api", "billing-api"]);
    expect(databaseOf(sixServices, "worker")).toBe("main-db");
    expect(queueOf(sixServices, "worker")).toBe("queue");
    expect(consumersIn(sixServices, "queue")).toEqual(["worker"]);
    expect(cachedReads(sixServices)).toEqual([{ from: "auth-api", cache: "cache", database: "main-db" }]);
    expect(callsOnTheWayTo(sixServices, "main-db").map(({ from }) => from)).toEqual([
      "auth-api",
      "billing-api",
      "worker",
    ]);
  });

  it("grow by a factor of what they were built with, up to what a zone has room for", () => {
    expect(moreReplicas(serviceIn(sixServices, "auth-api"), 1.5)).toMatchObject({ resource: "replicas", amount: 3 });
    expect(moreReplicas(serviceIn(sixServices, "auth-api"), 20)).toMatchObject({ amount: 16 });
    expect(moreCpu(serviceIn(sixServices, "main-db"), 1.5)).toMatchObject({ resource: "cpu", amount: 24 });
  });
});
