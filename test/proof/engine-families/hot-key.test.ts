/** What the accounts of Foursquare (4 October 2010) and Slack (July 2024) say of shards of which one is hot. */
import { describe, expect, it } from "vitest";
import type { SystemEvent } from "../../../src/engine/events";
import type { Simulation } from "../../../src/engine/simulation";
import { accepted, failing, mean, ordered, played } from "./runs";

const incidents = accepted("hot_key", 6);

/** Ill in some way: failed, or answered late. */
function hurt(sim: Simulation, minutes = 5): number {
  let [bad, all] = [0, 0];
  for (let tick = sim.tick - 4 * minutes; tick < sim.tick; tick++)
    for (const { index } of sim.plan.entries) {
      bad += sim.user("failed", index, tick) + sim.user("slow", index, tick);
      all += sim.user("offered", index, tick);
    }
  return bad / all;
}

describe("a shard that is hot", () => {
  it("is saturated while the others have less to do than before, and all of them together are not busy", () => {
    for (const { page, onset } of incidents) {
      const [from, until] = [page.tick - 4, page.tick];
      const hot = mean(page, "cpu", "main-db", from, until, 1);
      const cool = mean(page, "cpu", "main-db", from, until, 0);
      expect(hot).toBeGreaterThan(0.85);
      expect(cool).toBeLessThan(mean(page, "cpu", "main-db", onset - 8, onset, 0));
      const { cohorts } = page.plan.services.find(({ name }) => name === "main-db") ?? {};
      const shards = cohorts?.kind === "shard" ? cohorts.shards : 1;
      expect((hot + (shards - 1) * cool) / shards).toBeLessThan(0.55);
    }
  });

  it("is as hot with more shards, as its key stays where it is", () => {
    for (const { page } of incidents) {
      const replicas = page.parameter("main-db", "zone-c", 0, "replicas");
      const sim = page.fork();
      const added: SystemEvent = {
        kind: "scaled",
        service: "main-db",
        replicas: replicas + 4,
        tick: sim.tick,
        origin: "action",
      };
      sim.schedule(added);
      sim.advance(120);
      expect(mean(sim, "cpu", "main-db", sim.tick - 8, sim.tick, 1)).toBeGreaterThan(0.85);
      expect(hurt(sim)).toBeGreaterThan(0.05);
    }
  });

  it("is as hot after a restart or a failover", () => {
    for (const { page } of incidents) {
      expect(hurt(ordered(page, 40, { verb: "restart_service", service: "main-db" }))).toBeGreaterThan(0.05);
      expect(hurt(ordered(page, 40, { verb: "failover_db", service: "main-db" }))).toBeGreaterThan(0.05);
    }
  });

  it("cools when the feature is switched off, and copes on larger machines", () => {
    for (const { page, incident } of incidents)
      for (const right of incident.drawn.right) {
        const sim = played(page, 40, right);
        expect(hurt(sim)).toBeLessThan(0.01);
        expect(failing(sim)).toBeLessThan(0.01);
      }
  });
});
