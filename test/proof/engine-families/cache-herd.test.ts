/** What the accounts of Slack (22 February 2022) and Reddit (2016) say of caches that come back empty. */
import { describe, expect, it } from "vitest";
import { compile } from "../../../src/engine/plan";
import { Simulation } from "../../../src/engine/simulation";
import type { SystemSpec } from "../../../src/engine/spec";
import { sixServices } from "../../../src/engine/topologies/six";
import { accepted, failing, mean, ordered, played, total } from "./runs";

const herds = accepted("cache_herd", 6);

const ROOM = { slots: 1500, maxConnections: 3000 };

/**
 * The six services with enough connections for what a flushed cache makes them ask, and a flush of all of it. Minutes until users are well
 * again (null: not within two hours), and the CPU of the database in a minute after the flush.
 */
function flushed(
  seed: number,
  changes: { hotKeys?: number; cores?: number; retries?: number; timeout?: number; pool?: number },
) {
  const { hotKeys = 120_000, cores = 16, retries = 1, timeout = 2, pool = 40 } = changes;
  const system: SystemSpec = {
    ...sixServices,
    services: sixServices.services.map((each) => {
      const own =
        each.name === "cache"
          ? { hotKeys }
          : each.name === "main-db"
            ? { cores, threads: cores, knee: 400, ...ROOM }
            : {};
      return { ...each, parameters: { ...each.parameters, ...own } };
    }),
    calls: sixServices.calls.map((call) =>
      call.to === "main-db"
        ? { ...call, parameters: { ...call.parameters, retries, timeout, pool, acquireTimeout: 0.1 } }
        : call,
    ),
  };
  const sim = new Simulation(compile(system), seed);
  sim.schedule({ kind: "cache_flushed", service: "cache", share: 1, tick: 40, origin: "fault" });
  sim.advance(40 + 480);
  const busy = (minute: number) => mean(sim, "cpu", "main-db", 40 + 4 * minute, 44 + 4 * minute);
  let minutes = 0;
  while (minutes < 120 && failing(sim, 1, 44 + 4 * minutes) > 0.01) minutes++;
  return { minutes: minutes < 120 ? minutes : null, busy };
}

describe("caches that come back empty", () => {
  it("leave the database saturated for as long as nobody does anything, though their nodes are up", () => {
    for (const { page, onset } of herds) {
      const before = mean(page, "level", "cache", onset - 8, onset);
      const idle = page.fork();
      idle.advance(120);
      expect(total(idle, "ready", "cache")).toBe(total(idle, "ready", "cache", onset - 1));
      expect(mean(idle, "level", "cache", idle.tick - 8, idle.tick)).toBeLessThan(0.6 * before);
      // It works on as many queries as it admits.
      const slots = idle.parameter("main-db", "zone-c", 0, "slots");
      expect(mean(idle, "inFlight", "main-db", idle.tick - 8, idle.tick)).toBeGreaterThan(0.95 * slots);
      expect(failing(idle)).toBeGreaterThan(0.08);
    }
  });

  it("are made no warmer by restarting them, by more replicas that ask, or by a second database that is cold too", () => {
    for (const { page } of herds)
      for (const remedy of [
        { verb: "restart_service", service: "cache" },
        { verb: "scale_service", service: "auth-api", resource: "replicas", amount: 4 },
        { verb: "failover_db", service: "main-db" },
      ] as const)
        expect(failing(ordered(page, 40, remedy))).toBeGreaterThan(0.08);
  });

  it("warm up while most users are turned away, and with a larger database", () => {
    for (const { page, incident } of herds)
      for (const right of incident.drawn.right) {
        const sim = played(page, 50, right);
        expect(failing(sim)).toBeLessThan(0.01);
        expect(mean(sim, "level", "cache", sim.tick - 8, sim.tick)).toBeGreaterThan(0.8);
      }
  });

  it("recover by themselves within minutes where answers that take long are still waited for, later the more keys there are", () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const usual = flushed(seed, {});
      const many = flushed(seed, { hotKeys: 480_000 });
      const roomy = flushed(seed, { hotKeys: 480_000, cores: 32 });
      const impatient = flushed(seed, { hotKeys: 480_000, retries: 3, timeout: 0.1, pool: 100 });
      console.log(
        `seed ${seed}: well after ${usual.minutes} min, with four times the keys ${many.minutes}, with twice the cores as well ` +
          `${roomy.minutes}, with short time-outs and three retries instead ${impatient.minutes}`,
      );
      expect(usual.busy(0)).toBeGreaterThan(0.95);
      expect(many.busy(2)).toBeGreaterThan(0.95);
      expect(usual.minutes).toBeLessThanOrEqual(5);
      expect(many.minutes).toBeGreaterThan(usual.minutes ?? 999);
      expect(roomy.minutes).toBeLessThanOrEqual(2);
      expect(impatient.minutes).toBeNull();
    }
  });
});
