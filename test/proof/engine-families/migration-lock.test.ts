/**
 * What the accounts of GitHub (2021) and Joyent (2015) say of migrations that lock: queries wait behind one session, the database has less to do
 * than usual, callers' connections are all in use, more of them are only more waiters, and stopping the job is what helps.
 */
import { describe, expect, it } from "vitest";
import { accepted, failing, mean, ordered, played, total } from "./runs";

const draws = accepted("migration_lock", 6);

describe("a migration that locks", () => {
  it("keeps all connections of a caller in use while the database's CPU is lower than before", () => {
    for (const { page, onset } of draws) {
      expect(mean(page, "cpu", "main-db", page.tick - 8, page.tick)).toBeLessThan(
        mean(page, "cpu", "main-db", onset - 16, onset),
      );
      const tick = page.tick - 1;
      const exhausted = page.plan.calls.filter(({ index, spec, from }) => {
        const open = (spec.parameters?.pool ?? 0) * page.node("ready", from, tick);
        return spec.to === "main-db" && open > 0 && page.call("inUse", index, tick) > 0.98 * open;
      });
      expect(exhausted.length).toBeGreaterThan(0);
      const unacquired = exhausted.reduce((sum, { index }) => sum + page.call("unacquired", index, tick), 0);
      expect(unacquired).toBeGreaterThan(0);
      expect(mean(page, "latencyMean", "main-db", tick, tick + 1)).toBeGreaterThan(
        1.5 * mean(page, "latencyMean", "main-db", onset - 2, onset - 1),
      );
    }
  });

  it("gets no better with three times the connections, of which more wait", () => {
    let [crowded, worse] = [0, 0];
    for (const { page } of draws) {
      const idle = page.fork();
      idle.advance(80);
      const more = ordered(page, 20, {
        verb: "scale_service",
        service: "main-db",
        resource: "connections",
        amount: 1200,
      });
      expect(failing(more)).toBeGreaterThan(failing(idle) - 0.01);
      if (total(more, "inFlight", "main-db") > 1.5 * total(idle, "inFlight", "main-db")) crowded++;
      if (failing(more) > failing(idle) + 0.01) worse++;
    }
    // Where callers have no places left either, less reaches the database.
    expect(crowded).toBeGreaterThanOrEqual(4);
    expect(worse).toBeGreaterThanOrEqual(4);
  });

  it("goes on through a restart, a failover and cleared sessions", () => {
    for (const { page } of draws)
      for (const remedy of [
        { verb: "restart_service", service: "main-db" },
        { verb: "failover_db", service: "main-db" },
        { verb: "clear_connections", service: "main-db" },
      ] as const)
        expect(failing(ordered(page, 30, remedy))).toBeGreaterThan(0.05);
  });

  it("is ended by stopping the job", () => {
    for (const { page, incident } of draws)
      for (const right of incident.drawn.right) expect(failing(played(page, 30, right))).toBeLessThan(0.01);
  });
});
