/** What happens to queues with messages that nobody can process (Slack 2016, PagerDuty 2025, and every broker's manual on dead letters). */
import { describe, expect, it } from "vitest";
import { accepted, mean, ordered, played, total } from "./runs";

const backlogs = accepted("poison_backlog", 6);
const purge = { verb: "drain_queue", service: "queue", mode: "purge" } as const;
const setAside = { verb: "drain_queue", service: "queue", mode: "set_aside" } as const;

describe("poison in a queue", () => {
  it("keeps consumers busy with redeliveries while good messages wait", () => {
    for (const { page, onset } of backlogs) {
      expect(mean(page, "cpu", "worker", page.tick - 4, page.tick)).toBeGreaterThan(
        1.5 * mean(page, "cpu", "worker", onset - 8, onset),
      );
      expect(total(page, "redelivered", "queue")).toBeGreaterThan(total(page, "arrivals", "queue"));
      expect(total(page, "delay", "queue")).toBeGreaterThan(120);
    }
  });

  it("is there again minutes after the queue was emptied, as long as its producer runs; and good messages are gone", () => {
    for (const { page, onset } of backlogs) {
      const waiting = total(page, "level", "queue");
      expect(waiting).toBeGreaterThan(1000);
      const before = page.state.node("purged");
      const sim = ordered(page, 7, purge);
      const nodes = sim.plan.nodes.filter(({ service }) => service.name === "queue");
      const purged = nodes.reduce((sum, { index }) => sum + sim.state.node("purged").get(index) - before.get(index), 0);
      const poison = total(page, "poison", "queue");
      expect(purged).toBeGreaterThan(poison + 0.5 * waiting);
      expect(total(sim, "poison", "queue")).toBeGreaterThan(500);
      expect(onset).toBeLessThan(page.tick);
    }
  });

  it("comes back when it is set aside before its producer is rolled back", () => {
    for (const { page } of backlogs) {
      const sim = ordered(page, 40, setAside);
      expect(total(sim, "delay", "queue")).toBeGreaterThan(120);
    }
  });

  it("asks the database for more when there are more consumers", () => {
    for (const { page } of backlogs) {
      const idle = page.fork();
      idle.advance(40);
      const sim = ordered(page, 10, { verb: "scale_service", service: "worker", resource: "replicas", amount: 4 });
      expect(total(sim, "arrivals", "main-db")).toBeGreaterThan(1.05 * total(idle, "arrivals", "main-db"));
    }
  });

  it("is all that is lost when its producer is rolled back and it is set aside then", () => {
    for (const { page, incident } of backlogs)
      for (const right of incident.drawn.right) {
        const sim = played(page, 60, right);
        expect(total(sim, "delay", "queue")).toBeLessThan(10);
        expect(total(sim, "poison", "queue")).toBeLessThan(50);
        const nodes = sim.plan.nodes.filter(({ service }) => service.name === "queue");
        expect(nodes.reduce((sum, { index }) => sum + sim.state.node("purged").get(index), 0)).toBe(0);
      }
  });
});
