/**
 * What the accounts of DynamoDB (2015) and Square (2017) and the paper on metastable failures (HotOS 2021) say of retry storms. The trigger is
 * a job of a few minutes; everything after it is the engine's.
 */
import { describe, expect, it } from "vitest";
import { compile } from "../../../src/engine/plan";
import { Simulation } from "../../../src/engine/simulation";
import type { SystemSpec } from "../../../src/engine/spec";
import { accepted, attempts, failing, offered, ordered, played, total } from "./runs";

const storms = accepted("retry_storm", 6);

/** The drawn system and events, with all retries set, and the job's slowing replaced. */
function again({ incident }: (typeof storms)[number], changes: { retries?: number; slowed?: number }): Simulation {
  const { system, events } = incident.drawn;
  const { retries, slowed } = changes;
  const changed: SystemSpec = {
    ...system,
    calls: system.calls.map((call) =>
      retries === undefined || call.to !== "main-db" ? call : { ...call, parameters: { ...call.parameters, retries } },
    ),
    deployables: system.deployables.map((each) =>
      slowed === undefined || each.kind !== "job"
        ? each
        : {
            ...each,
            versions: each.versions.map((version) => ({
              ...version,
              changes: version.changes.map((change) => ({ ...change, value: slowed })),
            })),
          },
    ),
  };
  const sim = new Simulation(compile(changed), incident.seed);
  for (const event of events) sim.schedule(event);
  sim.advance(incident.drawn.onset + 120);
  return sim;
}

describe("retry storms", () => {
  it("go on for an hour after the job is over, with as many users and several attempts for each query", () => {
    for (const { page, onset } of storms) {
      const idle = page.fork();
      idle.advance(240);
      const rate = failing(idle);
      expect(rate).toBeGreaterThan(0.08);
      // Three in ten of those who fail come back by themselves; the others are as many as ever.
      const now = offered(idle, idle.tick - 1) * (1 - 0.3 * rate);
      expect(now / offered(idle, onset - 4)).toBeGreaterThan(0.8);
      expect(now / offered(idle, onset - 4)).toBeLessThan(1.25);
      const queries = 2.5 * total(idle, "arrivals", "billing-api") - 2.5 * total(idle, "rejected", "billing-api");
      expect(attempts(idle, "billing-api>main-db", idle.tick - 1) / queries).toBeGreaterThan(2);
    }
  });

  it("are not ended by restarting the database, nor by twice as many callers", () => {
    for (const { page } of storms) {
      expect(failing(ordered(page, 40, { verb: "restart_service", service: "main-db" }))).toBeGreaterThan(0.08);
      const more = ordered(page, 40, {
        verb: "scale_service",
        service: "billing-api",
        resource: "replicas",
        amount: 4,
      });
      expect(failing(more)).toBeGreaterThan(0.08);
    }
  });

  it("are ended by switching retries off, and by turning most users away for a while", () => {
    for (const { page, incident } of storms)
      for (const right of incident.drawn.right) expect(failing(played(page, 40, right))).toBeLessThan(0.01);
  });

  it("are ended by two and a half times the database, and most by restarting all callers at once", () => {
    let [byMachine, byRestart] = [0, 0];
    for (const { page } of storms) {
      const machine = ordered(page, 40, { verb: "scale_service", service: "main-db", resource: "cpu", amount: 40 });
      if (failing(machine) < 0.01) byMachine++;
      const callers = ["auth-api", "billing-api", "worker"] as const;
      const fresh = ordered(
        page,
        40,
        ...callers.map((service) => ({ verb: "restart_service", service, mode: "all_at_once" }) as const),
      );
      if (failing(fresh) < 0.01) byRestart++;
    }
    console.log(`ended by a larger machine ${byMachine} of ${storms.length}, by restarting callers ${byRestart}`);
    expect(byMachine).toBeGreaterThanOrEqual(5);
    expect(byRestart).toBeGreaterThanOrEqual(4);
  });

  it("do not outlast the same job where nobody tries again", () => {
    for (const storm of storms) expect(failing(again(storm, { retries: 0 }))).toBeLessThan(0.01);
  });

  it("do not come of a job that slows the database little", () => {
    for (const storm of storms) expect(failing(again(storm, { slowed: 1.3 }))).toBeLessThan(0.01);
  });
});
