/** What the accounts of AWS (22 October 2012) and Google Docs (September 2011) say of servers that run out of memory. */
import { describe, expect, it } from "vitest";
import type { Simulation } from "../../../src/engine/simulation";
import { accepted, mean, ordered, played } from "./runs";

const leaks = accepted("memory_leak", 6);
const inApis = accepted("memory_leak", 5, ({ drawn }) => drawn.component !== "worker");

function kills(sim: Simulation, from: number): number {
  return sim.journal.filter((event) => event.kind === "oom_killed" && event.tick >= from).length;
}

describe("a version that leaks", () => {
  it("fills its memory from the roll-out on, though nothing else of it changes", () => {
    for (const { page, onset, incident } of leaks) {
      const { component } = incident.drawn;
      const most = (from: number, until: number) => {
        let high = 0;
        for (let tick = from; tick < until; tick++)
          high = Math.max(high, mean(page, "memory", component, tick, tick + 1));
        return high;
      };
      expect(most(onset - 40, onset)).toBeLessThan(0.82);
      expect(most(onset, page.tick)).toBeGreaterThan(most(onset - 40, onset) + 0.08);
    }
  });

  it("is killed again and again, and no restart changes that", () => {
    for (const { page, incident } of leaks) {
      const service = incident.drawn.component;
      const sim = ordered(page, 40, { verb: "restart_service", service });
      expect(kills(sim, page.tick + 60)).toBeGreaterThanOrEqual(2);
    }
  });

  it("puts the load of replicas that are killed on those that are left", () => {
    for (const { page, incident } of inApis) {
      const sim = page.fork();
      sim.advance(160);
      const { component } = incident.drawn;
      const groups = sim.plan.groups.filter(({ service }) => service.name === component);
      let [fewer, all] = [0, 0];
      let [ofFewer, ofAll] = [0, 0];
      for (let tick = page.tick; tick < sim.tick; tick++)
        for (const { first } of groups) {
          const ready = sim.node("ready", first, tick);
          if (ready === 0) continue;
          const each = sim.node("arrivals", first, tick) / ready;
          if (ready < 2) [fewer, ofFewer] = [fewer + each, ofFewer + 1];
          else [all, ofAll] = [all + each, ofAll + 1];
        }
      expect(ofFewer).toBeGreaterThan(4);
      expect(fewer / ofFewer).toBeGreaterThan(1.5 * (all / ofAll));
    }
  });

  it("is killed no more once it is rolled back", () => {
    for (const { page, incident } of leaks)
      for (const right of incident.drawn.right) {
        const sim = played(page, 60, right);
        expect(kills(sim, page.tick + 80)).toBe(0);
      }
  });
});
