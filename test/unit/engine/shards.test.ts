import { expect, test } from "vitest";
import { callsOf, compile, groupsOf } from "../../../src/engine/plan";
import { Simulation } from "../../../src/engine/simulation";
import type { SystemSpec } from "../../../src/engine/spec";

/** An API over a database of four shards, of which the hottest takes 40 % of the keys. */
function system(retries: number): SystemSpec {
  return {
    id: "shards",
    zones: ["zone-a"],
    services: [
      { name: "api", kind: "api", team: "t", zones: ["zone-a"], parameters: { load: 100, replicas: 4, errorShare: 0 } },
      {
        name: "store",
        kind: "database",
        team: "t",
        zones: ["zone-a"],
        cohorts: { kind: "shard", shards: 4, share: 0.4 },
        parameters: { replicas: 4, cores: 16, errorShare: 0, maxConnections: 0 },
      },
    ],
    calls: [{ from: "api", to: "store", kind: "call", parameters: { calls: 1, timeout: 1, retries } }],
    deployables: [],
  };
}

function failing(retries: number): { readonly failed: number; readonly attempts: number } {
  const plan = compile(system(retries));
  const run = new Simulation(plan, 1);
  run.schedule({
    kind: "changed",
    id: "half",
    changes: [{ service: "store", cohort: 1, parameter: "errorShare", op: "set", value: 0.5 }],
    tick: 2,
    origin: "fault",
  });
  run.advance(30);
  const api = groupsOf(plan, "api")[0]?.first ?? -1;
  const call = callsOf(plan, "api>store")[0]?.index ?? -1;
  const arrivals = run.node("arrivals", api, 29);
  return {
    failed: run.node("failed", api, 29) / arrivals,
    attempts: run.call("attempts", call, 29) / arrivals,
  };
}

test("a retry asks the same shard again: with one retry, half of the hot shard's failures become a quarter, not a fifth of a fifth", () => {
  // 40 % of the keys fail half of the time. Without retries 0.4 · 0.5; with one, 0.4 · 0.5² – were keys drawn anew, it would be 0.2².
  expect(failing(0).failed).toBeCloseTo(0.2, 3);
  expect(failing(1).failed).toBeCloseTo(0.1, 3);
  expect(failing(1).attempts).toBeCloseTo(1.2, 3);
  expect(failing(2).failed).toBeCloseTo(0.05, 3);
  expect(failing(2).attempts).toBeCloseTo(0.6 + 0.4 * 1.75, 3);
});
