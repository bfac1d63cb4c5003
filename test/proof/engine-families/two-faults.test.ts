/**
 * What the accounts of Stripe (2019) and Roblox (2021) say of two faults together: after the first remedy something is left, and a fault may show
 * only once another is mended.
 */
import { describe, expect, it } from "vitest";
import type { Simulation } from "../../../src/engine/simulation";
import { accepted, failing, mean, played, total } from "./runs";

const draws = accepted("two_faults", 8);
const masked = accepted(
  "two_faults",
  4,
  ({ drawn }) =>
    drawn.second?.mechanism === "query_planner" &&
    (drawn.mechanism === "cpu_quota" || drawn.mechanism === "slow_dependency") &&
    drawn.system.services.some(({ name }) => name === "auth-api"),
);

/** Share of users who fail, and messages waiting: what is left of an incident. */
function left(sim: Simulation): number {
  return failing(sim) + total(sim, "level", "queue") / 1e6;
}

describe("two faults at once", () => {
  it("sit at two places", () => {
    for (const { incident } of draws) {
      const { component, second } = incident.drawn;
      expect(second).toBeDefined();
      expect(second?.component).not.toBe(component);
    }
  });

  it("leave something behind when only one of them is mended, whichever it is", () => {
    for (const { page, incident } of draws) {
      const both = left(played(page, 60, incident.drawn.right[0]));
      expect(both).toBeLessThan(0.01);
      for (const one of incident.drawn.wrong.slice(0, 2)) expect(left(played(page, 60, one))).toBeGreaterThan(2 * both);
    }
  });

  it("end with both remedies, one after the other", () => {
    for (const { page, incident } of draws)
      for (const right of incident.drawn.right) expect(left(played(page, 75, right))).toBeLessThan(0.01);
  });

  it("mask each other where a caller lets less through: its database has more to do once the caller is mended", () => {
    let masking = 0;
    for (const { page, incident } of masked) {
      const [first] = incident.drawn.wrong;
      if (!first) throw new Error("There is no script for the first fault alone.");
      const after = played(page, 30, first);
      const idle = page.fork();
      idle.advance(120);
      // Once the caller is mended the database has all it can do, and answers no sooner.
      const asked = (sim: Simulation) => mean(sim, "latencyMean", "main-db", sim.tick - 20, sim.tick);
      const busy = (sim: Simulation) => mean(sim, "cpu", "main-db", sim.tick - 20, sim.tick);
      expect(busy(after)).toBeGreaterThan(0.95);
      expect(asked(after)).toBeGreaterThanOrEqual(asked(idle) - 0.001);
      if (busy(idle) < 0.95) masking++;
      expect(left(after)).toBeGreaterThan(0.02);
    }
    expect(masking).toBeGreaterThan(0);
  });
});
