/**
 * What the accounts of Toyota (2023) and Google (2020) say of full disks: writes fail while reads work, trying again is of no use, what is
 * restarted does not come up, what stands by is as full, and more room or an end to the writing is what helps.
 */
import { describe, expect, it } from "vitest";
import { builtWith } from "../../../src/engine/parameters";
import { compile } from "../../../src/engine/plan";
import { Simulation } from "../../../src/engine/simulation";
import { accepted, failing, ordered, played, total } from "./runs";

const draws = accepted("disk_full", 6);

describe("a full disk", () => {
  it("fails writes and no reads: as many queries as write, and none before it is full", () => {
    for (const { page, incident } of draws) {
      const database = incident.drawn.system.services.find(({ name }) => name === "main-db");
      const filled = page.journal.find(({ kind }) => kind === "disk_filled")?.tick ?? -1;
      expect(filled).toBeGreaterThan(incident.drawn.onset);
      const failed = (tick: number) => {
        const bad = total(page, "failed", "main-db", tick);
        return bad / (bad + total(page, "served", "main-db", tick));
      };
      expect(failed(filled - 2)).toBeLessThan(0.002);
      expect(failed(page.tick - 1)).toBeCloseTo((database && builtWith(database, "writeShare")) ?? 0, 2);
      expect(total(page, "disk", "main-db", filled - 8)).toBeLessThan(total(page, "disk", "main-db", filled - 1));
    }
  });

  it("cannot be retried away", () => {
    for (const { page, incident } of draws) {
      const { system, events } = incident.drawn;
      const calls = system.calls.map((call) =>
        call.to === "main-db" ? { ...call, parameters: { ...call.parameters, retries: 4 } } : call,
      );
      const sim = new Simulation(compile({ ...system, calls }), incident.seed);
      for (const event of events) sim.schedule(event);
      sim.advance(page.tick);
      expect(failing(sim, 1)).toBeGreaterThan(0.95 * failing(page, 1));
    }
  });

  it("keeps a database down that restarts, and its standby too", () => {
    for (const { page } of draws)
      for (const remedy of [
        { verb: "restart_service", service: "main-db" },
        { verb: "failover_db", service: "main-db" },
      ] as const) {
        const sim = ordered(page, 30, remedy);
        expect(total(sim, "ready", "main-db")).toBe(0);
        expect(failing(sim)).toBeGreaterThan(0.4);
      }
  });

  it("is ended by an end to the writing, and by much more disk", () => {
    for (const { page, incident } of draws) {
      for (const right of incident.drawn.right) expect(failing(played(page, 30, right))).toBeLessThan(0.01);
      const grow = { verb: "scale_service", service: "main-db", resource: "disk", amount: 2000 } as const;
      expect(failing(ordered(page, 30, grow))).toBeLessThan(0.01);
    }
  });

  it("comes back when there is a little more disk and the writing goes on", () => {
    for (const { page } of draws) {
      const sim = ordered(page, 75, { verb: "scale_service", service: "main-db", resource: "disk", amount: 540 });
      const grown = sim.journal.find(({ kind, origin }) => kind === "changed" && origin === "action")?.tick ?? 0;
      expect(failing(sim, 1, grown + 6)).toBeLessThan(0.05);
      expect(failing(sim)).toBeGreaterThan(0.08);
    }
  });
});
