/**
 * What the accounts of Epic Games (2021) and of Ericsson and O2 (2018) say of expired certificates: nothing was deployed, new connections fail
 * from one instant on, those that are open go on until they are renewed, and only another certificate ends it.
 */
import { describe, expect, it } from "vitest";
import { Metrics } from "../../../src/engine/telemetry/metrics/metrics";
import { accepted, failing, lostAttempts, ordered, played, restartedSince } from "./runs";

const draws = accepted("certificate_expiry", 6);

/** What an expired certificate fails of new handshakes, and the mean life of a connection, s. */
function weakSpot({ incident }: (typeof draws)[number]): { readonly share: number; readonly life: number } {
  const [event] = incident.drawn.events;
  const share = event?.kind === "changed" ? (event.changes[0]?.value ?? 0) : 0;
  const call = incident.drawn.system.calls.find(({ to }) => to === incident.drawn.component);
  return { share, life: call?.parameters?.connectionLife ?? 0 };
}

describe("an expired certificate", () => {
  it("fails as many attempts as connections have been renewed since, and no other ones", () => {
    let compared = 0;
    for (const draw of draws) {
      const { share, life } = weakSpot(draw);
      const sim = draw.page.fork();
      sim.advance(40);
      for (const after of [4, 12, 24]) {
        // Renewed at random, mean life L: 1 − (L / (L + 15))^ticks, one backward Euler step a tick.
        let open = 1;
        for (let i = 0; i < after; i++) open *= life / (life + 15);
        const tick = draw.onset + after - 1;
        for (const call of sim.plan.calls) {
          if (call.spec.to !== draw.incident.drawn.component || call.spec.kind !== "call") continue;
          const all = sim.call("attempts", call.index, tick);
          if (!(all > 0) || restartedSince(sim, call.spec.from, draw.onset)) continue;
          compared++;
          expect(sim.call("handshakeFailed", call.index, tick) / all).toBeCloseTo(
            lostAttempts(share * (1 - open), call.spec.parameters?.retries ?? 0),
            2,
          );
          expect(sim.call("nameFailed", call.index, tick)).toBe(0);
        }
      }
      expect(failing(sim, 1, draw.onset + 8)).toBeLessThan(failing(sim, 1, draw.onset + 16));
      expect(failing(sim, 1, draw.onset + 16)).toBeLessThan(failing(sim, 1, draw.onset + 40));
    }
    expect(compared).toBeGreaterThan(20);
  });

  it("comes without a deploy, at the second at which the certificate ends", () => {
    for (const { page, onset, incident } of draws) {
      expect(page.journal.filter(({ kind, origin }) => kind === "deployed" && origin === "fault")).toEqual([]);
      const metrics = new Metrics(page);
      const left = (tick: number) =>
        metrics.value("httpcheck.tls.cert_remaining", incident.drawn.component, tick) as number;
      // Read at the end of a tick.
      expect(left(onset - 1)).toBe(0);
      expect(left(onset)).toBe(-15);
      const others = page.plan.services.filter(
        ({ name, kind }) => name !== incident.drawn.component && kind === "cache",
      );
      for (const { name } of others)
        expect(metrics.value("httpcheck.tls.cert_remaining", name, onset)).toBeGreaterThan(86_400);
    }
  });

  it("is made worse at once by restarting a caller, whose open connections are gone", () => {
    for (const draw of draws) {
      const { share } = weakSpot(draw);
      const idle = draw.page.fork();
      idle.advance(6);
      const restarted = draw.page.fork();
      restarted.schedule({ kind: "restarted", service: "auth-api", share: 1, tick: restarted.tick, origin: "action" });
      restarted.advance(6);
      const failed = (sim: typeof idle) => {
        const call = sim.plan.calls.find(
          ({ name, from }) => name === "auth-api>main-db" && sim.node("ready", from, 0) > 0,
        );
        const index = call?.index ?? -1;
        return sim.call("handshakeFailed", index, sim.tick - 1) / sim.call("attempts", index, sim.tick - 1);
      };
      expect(failed(restarted)).toBeCloseTo(lostAttempts(share, 1), 3);
      if (!restartedSince(idle, "auth-api", draw.onset)) expect(failed(restarted)).toBeGreaterThan(failed(idle) * 1.1);
    }
  });

  it("is ended by a certificate that is valid, not by one that has expired before, nor by other code", () => {
    for (const { page, incident } of draws) {
      const { right, component } = incident.drawn;
      for (const forward of right) expect(failing(played(page, 20, forward))).toBeLessThan(0.01);
      const deployable = `cert/${component}`;
      const expired = incident.drawn.system.deployables.find(({ id }) => id === deployable)?.versions[0]?.version;
      for (const remedy of [
        { verb: "rollback_deploy", deployable, version: expired },
        { verb: "rollback_deploy", deployable: "auth-api" },
      ] as const)
        expect(failing(ordered(page, 30, remedy))).toBeGreaterThan(0.1);
    }
  });
});
