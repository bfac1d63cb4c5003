/** What the accounts of Kinesis (2020) and Buildkite (2016) say of limits on connections and threads. */
import { describe, expect, it } from "vitest";
import { accepted, failing, failingOf, mean, ordered, played, total } from "./runs";

const onServer = accepted("pool_exhaustion", 5, ({ drawn }) => drawn.component === "main-db");
const anywhere = [...onServer, ...accepted("pool_exhaustion", 3, ({ drawn }) => drawn.component !== "main-db")];
const clear = { verb: "clear_connections", service: "main-db" } as const;
const more = { verb: "scale_service", service: "main-db", resource: "connections", amount: 1200 } as const;

describe("connections that run out", () => {
  it("leave the database with less to do than before, and sessions that nobody uses", () => {
    for (const { page, onset } of anywhere) {
      expect(mean(page, "cpu", "main-db", page.tick - 4, page.tick)).toBeLessThan(
        mean(page, "cpu", "main-db", onset - 8, onset),
      );
      expect(total(page, "poison", "main-db")).toBeGreaterThan(0);
    }
  });

  it("are gone again soon after nothing but clearing", () => {
    for (const { page } of anywhere) {
      expect(failing(ordered(page, 30, clear))).toBeGreaterThan(0.05);
      expect(failing(ordered(page, 30, { verb: "restart_service", service: "main-db" }))).toBeGreaterThan(0.05);
    }
  });

  it("leave what was left behind when nothing but the limit is raised; raised and then cleared, next to nothing is left", () => {
    for (const { page } of anywhere) {
      const raised = total(ordered(page, 30, more), "poison", "main-db");
      expect(raised).toBeGreaterThan(1);
      const healed = ordered(page, 30, more, clear);
      expect(total(healed, "poison", "main-db")).toBeLessThan(0.25 * raised);
      expect(failing(healed)).toBeLessThan(0.01);
    }
  });

  it("are fewer for the neighbours when one caller gets more replicas", () => {
    let worse = 0;
    for (const { page } of onServer) {
      const idle = page.fork();
      idle.advance(120);
      const scaled = ordered(page, 30, {
        verb: "scale_service",
        service: "auth-api",
        resource: "replicas",
        amount: 6,
      });
      if (failingOf(scaled, "billing-api") > failingOf(idle, "billing-api") || failingOf(idle, "billing-api") > 0.98)
        worse++;
      expect(failing(scaled)).toBeGreaterThan(0.05);
    }
    expect(worse).toBe(onServer.length);
  });

  it("are enough again once the limit is back and all sessions are cleared", () => {
    for (const { page, incident } of anywhere)
      for (const right of incident.drawn.right) expect(failing(played(page, 40, right))).toBeLessThan(0.01);
  });
});
