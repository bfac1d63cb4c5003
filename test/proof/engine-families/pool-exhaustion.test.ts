/** What the accounts of Kinesis (2020) and Buildkite (2016) say of limits on connections and threads. */
import { describe, expect, it } from "vitest";
import { compile } from "../../../src/engine/plan";
import { Simulation } from "../../../src/engine/simulation";
import type { SystemSpec } from "../../../src/engine/spec";
import { sixServices } from "../../../src/engine/topologies/six";
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

  it("fail the neighbour instead when the one who has too few gets replicas with connections of their own", () => {
    // auth-api has 2 connections a replica, the server accepts 40: at rest it needs about 10, billing-api 15 and worker 7.
    const system: SystemSpec = {
      ...sixServices,
      services: sixServices.services.map((each) =>
        each.name === "main-db" ? { ...each, parameters: { ...each.parameters, maxConnections: 40 } } : each,
      ),
      calls: sixServices.calls.map((call) =>
        call.to === "main-db"
          ? {
              ...call,
              parameters: {
                ...call.parameters,
                acquireTimeout: 0.2,
                ...(call.from === "auth-api" ? { pool: 2 } : {}),
              },
            }
          : call,
      ),
    };
    const plan = compile(system);
    for (const seed of [1, 2, 3, 4, 5]) {
      const [few, more, many] = [2, 6, 16].map((replicas) => {
        const sim = new Simulation(plan, seed);
        sim.schedule({ kind: "scaled", service: "auth-api", replicas, tick: 4, origin: "action" });
        sim.advance(60);
        return [failingOf(sim, "auth-api"), failingOf(sim, "billing-api")] as const;
      });
      expect(few?.[0]).toBeGreaterThan(0.05);
      expect(few?.[1]).toBeLessThan(0.02);
      expect(more?.[0]).toBeLessThan(0.02);
      expect(many?.[0]).toBeLessThan(0.02);
      expect(many?.[1]).toBeGreaterThan(0.05);
    }
  });

  it("are enough again once the limit is back and all sessions are cleared", () => {
    for (const { page, incident } of anywhere)
      for (const right of incident.drawn.right) expect(failing(played(page, 40, right))).toBeLessThan(0.01);
  });
});
