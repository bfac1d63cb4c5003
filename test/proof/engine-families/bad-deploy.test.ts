/** What the accounts of Cloudflare (2 July 2019) and Knight Capital (1 August 2012) say of versions that should not have gone out. */
import { describe, expect, it } from "vitest";
import type { Incident } from "../../../src/engine/faults/incident";
import { accepted, failingOf, mean, ordered, played } from "./runs";

const shareOf = ({ drawn }: Incident) => {
  const [event] = drawn.events;
  return event?.kind === "deployed" ? event.share : 1;
};
const isOf = (mechanism: string) => (incident: Incident) => incident.drawn.mechanism === mechanism;
const canaries = accepted("bad_deploy", 5, (incident) => shareOf(incident) < 1);
const failures = accepted("bad_deploy", 5, (incident) => isOf("error_regression")(incident) && shareOf(incident) === 1);
const greedy = accepted(
  "bad_deploy",
  5,
  (incident) => isOf("cpu_regression")(incident) && incident.drawn.component !== "worker",
);

describe("a bad version", () => {
  it("fails where it runs and nowhere else while it is a canary", () => {
    for (const { page, incident } of canaries) {
      const { component } = incident.drawn;
      const of = (cohort: number) => {
        const [failed, served] = [
          mean(page, "failed", component, page.tick - 4, page.tick, cohort),
          mean(page, "served", component, page.tick - 4, page.tick, cohort),
        ];
        return failed / (failed + served);
      };
      expect(of(0)).toBeLessThan(0.01);
      expect(of(1)).toBeGreaterThan(0.1);
    }
  });

  it("that fails on one route fails as often on more replicas, and after a restart", () => {
    for (const { page, incident } of failures) {
      const { component } = incident.drawn;
      const before = failingOf(page, component, 1);
      const scaled = ordered(page, 20, { verb: "scale_service", service: component, resource: "replicas", amount: 4 });
      const restarted = ordered(page, 20, { verb: "restart_service", service: component });
      expect(failingOf(scaled, component)).toBeCloseTo(before, 2);
      expect(failingOf(restarted, component)).toBeCloseTo(before, 2);
    }
  });

  it("that costs too much CPU takes all there is of its service, and leaves the database with less to do", () => {
    for (const { page, onset, incident } of greedy) {
      const { component } = incident.drawn;
      expect(mean(page, "cpu", component, page.tick - 4, page.tick)).toBeGreaterThan(0.9);
      expect(mean(page, "cpu", "main-db", page.tick - 4, page.tick)).toBeLessThan(
        1.1 * mean(page, "cpu", "main-db", onset - 8, onset),
      );
    }
  });

  it("does no harm once it is rolled back, to the last version or the one before", () => {
    for (const { page, incident } of [...canaries, ...failures, ...greedy])
      for (const right of incident.drawn.right)
        expect(failingOf(played(page, 40, right), incident.drawn.component)).toBeLessThan(0.01);
  });
});
