/**
 * What the accounts of Slack (2021) and AWS (2025) say of names that no longer resolve: what is cached works on, failures spread with the time to
 * live, and outlast the repair by as long.
 */
import { describe, expect, it } from "vitest";
import type { Simulation } from "../../../src/engine/simulation";
import { accepted, failing, ordered, played, restartedSince, total } from "./runs";

const draws = accepted("dns", 6);

function weakSpot({ incident }: (typeof draws)[number]): { readonly share: number; readonly ttl: number } {
  const { system, component } = incident.drawn;
  const zone = system.deployables.find(({ id }) => id === `dns/${component}`);
  const call = system.calls.find(({ to }) => to === component);
  return {
    share: zone?.versions[zone.versions.length - 1]?.changes[0]?.value ?? 0,
    ttl: call?.parameters?.nameTtl ?? 0,
  };
}

/** Draws in which nobody restarted the caller that is looked at. */
const quiet = draws.filter(({ page, onset }) => !restartedSince(page, "auth-api", onset));

/** Share of a caller's requests for which there was no name at a tick. */
function unresolved(sim: Simulation, name: string, tick: number): number {
  const call = sim.plan.calls.find((each) => each.name === name && sim.call("attempts", each.index, tick) > 0);
  if (!call) return 0;
  const lost = sim.call("nameFailed", call.index, tick) / sim.call("attempts", call.index, tick);
  // Tried twice where there is no name, once elsewhere: lost = 2z / (2z + 1 − z).
  return lost / (2 - lost);
}

describe("a zone that went bad", () => {
  it("is looked at in at least three draws without a restart", () => {
    expect(quiet.length).toBeGreaterThanOrEqual(3);
  });

  it("spreads as cached names run out, while what is resolved is answered well", () => {
    for (const draw of quiet) {
      const { share, ttl } = weakSpot(draw);
      for (const after of [4, 8, 12]) {
        let cached = 1;
        for (let i = 0; i < after; i++) cached *= ttl / (ttl + 15);
        expect(unresolved(draw.page, "auth-api>main-db", draw.onset + after - 1)).toBeCloseTo(share * (1 - cached), 2);
      }
      const tick = draw.page.tick - 1;
      for (const call of draw.page.plan.calls) {
        if (call.spec.to !== draw.incident.drawn.component) continue;
        const all = draw.page.call("attempts", call.index, tick);
        const wrong = draw.page.call("timedOut", call.index, tick) + draw.page.call("errored", call.index, tick);
        if (all > 0) expect(wrong / all).toBeLessThan(0.01);
      }
      expect(total(draw.page, "arrivals", "main-db")).toBeLessThan(
        total(draw.page, "arrivals", "main-db", draw.onset - 1),
      );
    }
  });

  it("leaves a tail of about its time to live after it is restored", () => {
    for (const draw of quiet) {
      const { page, incident } = draw;
      const { ttl } = weakSpot(draw);
      const sim = played(page, 75, incident.drawn.right[0]);
      const restored = sim.journal.find(({ kind, origin }) => kind === "deployed" && origin === "action")?.tick ?? 0;
      const ticks = Math.ceil(ttl / 15);
      let left = 1;
      for (let i = 0; i < ticks; i++) left *= ttl / (ttl + 15);
      const before = unresolved(sim, "auth-api>main-db", restored - 1);
      expect(unresolved(sim, "auth-api>main-db", restored + ticks - 1) / before).toBeCloseTo(left, 2);
      // After a time to live more than a quarter of the failures are still there; in the end none are.
      expect(left).toBeGreaterThan(0.25);
      expect(failing(sim)).toBeLessThan(0.01);
    }
  });

  it("takes what still worked from callers that restart, and spares them its tail once it is restored", () => {
    for (const draw of draws) {
      const { page, incident } = draw;
      const { share } = weakSpot(draw);
      const restart = (sim: Simulation) => {
        sim.schedule({ kind: "restarted", service: "auth-api", share: 1, tick: sim.tick, origin: "action" });
        sim.advance(4);
        return unresolved(sim, "auth-api>main-db", sim.tick - 1);
      };
      expect(restart(page.fork())).toBeCloseTo(share, 3);
      const zone = incident.drawn.system.deployables.find(({ id }) => id === "dns/main-db");
      const mended = ordered(page, 4, {
        verb: "rollback_deploy",
        deployable: "dns/main-db",
        version: zone?.current,
      });
      expect(restart(mended)).toBe(0);
    }
  });

  it("is not ended by restarts or other code", () => {
    for (const { page } of draws)
      for (const service of ["auth-api", "main-db"]) {
        expect(failing(ordered(page, 40, { verb: "restart_service", service }))).toBeGreaterThan(0.1);
        expect(failing(ordered(page, 40, { verb: "rollback_deploy", deployable: service }))).toBeGreaterThan(0.1);
      }
  });
});
