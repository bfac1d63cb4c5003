/**
 * What the accounts of Slack (January 2021) and Fastly (2021) say of slow dependencies: callers wait, have no places left, use less CPU than
 * before, and are scaled in for it; waiting longer makes it worse; doing without, or the other company's repair, ends it.
 */
import { describe, expect, it } from "vitest";
import { builtWith } from "../../../src/engine/parameters";
import { compile } from "../../../src/engine/plan";
import { Simulation } from "../../../src/engine/simulation";
import { accepted, failing, failingOf, mean, played, total } from "./runs";

const draws = accepted("slow_third_party", 8, ({ drawn }) => !drawn.exempt);

function callerOf({ incident }: (typeof draws)[number]): string {
  return incident.drawn.system.calls.find(({ to }) => to === incident.drawn.component)?.from ?? "";
}

describe("a slow third party", () => {
  it("leaves its callers without places, with less CPU in use than before", () => {
    let idle = 0;
    for (const draw of draws) {
      const { page, onset, incident } = draw;
      const caller = callerOf(draw);
      const service = incident.drawn.system.services.find(({ name }) => name === caller);
      const places = (service ? builtWith(service, "slots") : 0) * total(page, "ready", caller);
      expect(total(page, "inFlight", caller)).toBeGreaterThan(0.95 * places);
      expect(total(page, "rejected", caller)).toBeGreaterThan(0);
      const less = mean(page, "cpu", caller, page.tick - 4, page.tick) / mean(page, "cpu", caller, onset - 8, onset);
      expect(less).toBeLessThan(1);
      if (less < 0.9) idle++;
      expect(failingOf(page, caller)).toBeGreaterThan(0.05);
    }
    expect(idle).toBeGreaterThanOrEqual(6);
  });

  it("makes an autoscaler take replicas away, which makes it worse", () => {
    let scaledIn = 0;
    for (const draw of draws) {
      const { incident, onset } = draw;
      const caller = callerOf(draw);
      const { system, events } = incident.drawn;
      const runWith = (scaleMax: number) => {
        const services = system.services.map((each) =>
          each.name === caller
            ? { ...each, parameters: { ...each.parameters, scaleMin: 1, scaleMax, scaleTarget: 0.45 } }
            : each,
        );
        const sim = new Simulation(compile({ ...system, services }), incident.seed);
        // A third party that hardly answers at all, so that callers do nothing but wait.
        for (const event of events) sim.schedule(event);
        sim.advance(onset + 80);
        return sim;
      };
      const [scaled, fixed] = [runWith(4), runWith(0)];
      const away = scaled.journal.filter(
        (event) =>
          event.kind === "autoscaled" && event.service === caller && event.tick > onset && event.to < event.from,
      );
      if (!away.length) continue;
      scaledIn++;
      expect(failingOf(scaled, caller)).toBeGreaterThan(failingOf(fixed, caller));
    }
    expect(scaledIn).toBeGreaterThanOrEqual(3);
  });

  it("gets no better with longer time-outs, nor by a restart of the callers", () => {
    let worse = 0;
    for (const { page, incident } of draws) {
      const idle = page.fork();
      idle.advance(120);
      const [longer, restart] = incident.drawn.wrong;
      if (longer) {
        const sim = played(page, 30, longer);
        expect(failing(sim)).toBeGreaterThan(failing(idle) - 0.01);
        if (failing(sim) > failing(idle) + 0.01) worse++;
      }
      if (restart) expect(failing(played(page, 30, restart))).toBeGreaterThan(0.7 * failing(idle));
    }
    expect(worse).toBeGreaterThanOrEqual(4);
  });

  it("is ended by doing without it, and by its own recovery", () => {
    for (const { page, incident } of draws) {
      for (const right of incident.drawn.right) expect(failing(played(page, 30, right))).toBeLessThan(0.01);
      const sim = page.fork();
      for (const event of incident.drawn.events)
        if (event.kind === "changed")
          sim.schedule({ kind: "reverted", id: event.id, tick: sim.tick, origin: "routine" });
      sim.advance(80);
      expect(failing(sim)).toBeLessThan(0.01);
    }
  });
});
