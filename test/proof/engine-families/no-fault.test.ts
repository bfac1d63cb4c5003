/**
 * What the accounts of AWS (2025) and Slack (2021) say of alarms without an outage: probes and dashboards fail while customers are served, what is
 * done to be on the safe side makes the outage, and what healed by itself is best left alone.
 */
import { describe, expect, it } from "vitest";
import { pageRules } from "../../../src/engine/alert-rules/default";
import { AlertEvaluation } from "../../../src/engine/alert-rules/evaluation";
import type { Simulation } from "../../../src/engine/simulation";
import { Metrics } from "../../../src/engine/telemetry/metrics/metrics";
import { accepted, failing, played } from "./runs";

const of = (mechanism: string, count: number) =>
  accepted("no_fault", count, ({ drawn }) => drawn.mechanism === mechanism);
const probes = of("flapping_probe", 5);
const gaps = of("scrape_gap", 5);
const few = of("low_traffic", 3);
const healed = accepted("no_fault", 5, ({ drawn }) => drawn.exempt === "self_healed");
const untold = accepted("no_fault", 5, ({ drawn }) => drawn.exempt === "undetermined");

function paged(sim: Simulation): readonly string[] {
  const evaluation = new AlertEvaluation(sim, pageRules(sim.plan));
  evaluation.advance();
  return evaluation.alerts().map(({ name, service }) => `${name} of ${service}`);
}

describe("a page without a fault", () => {
  it("comes from probes that fail while customers are served", () => {
    for (const { page, incident } of probes) {
      expect(paged(page)).toContain(`HealthProbesFailing of ${incident.drawn.component}`);
      expect(failing(page)).toBeLessThan(0.005);
    }
  });

  it("comes from metrics that are missing, and missing ones are not zero", () => {
    for (const { page, incident, onset } of gaps) {
      const { component } = incident.drawn;
      expect(paged(page)).toContain(`TargetsDown of ${component}`);
      expect(failing(page)).toBeLessThan(0.005);
      const metrics = new Metrics(page);
      const values = Array.from({ length: page.tick - onset }, (_, i) =>
        metrics.value("k8s.container.cpu_limit_utilization", component, onset + i),
      );
      expect(values.filter((value) => value === null).length).toBeGreaterThan(values.length / 2);
      expect(values.filter((value) => value !== null && value < 0.01)).toEqual([]);
    }
  });

  it("comes from a handful of requests, of which one or two failed", () => {
    for (const { page, incident } of few) {
      const { component } = incident.drawn;
      expect(paged(page)).toContain(`CustomerErrors of ${component}`);
      const entry = page.plan.entries.find(({ service }) => service.name === component)?.index ?? -1;
      let [requests, failed] = [0, 0];
      for (let tick = page.tick - 20; tick < page.tick; tick++) {
        requests += page.user("offered", entry, tick) * 15;
        failed += page.user("failed", entry, tick) * 15;
      }
      expect(requests).toBeLessThan(60);
      // As many fail in the long run as ever: what pages is chance.
      expect(failed / requests).toBeLessThan(0.02);
    }
  });

  it("becomes an outage when everything is restarted to be on the safe side", () => {
    let outages = 0;
    for (const { page, incident } of [...probes, ...gaps]) {
      const idle = page.fork();
      idle.advance(24);
      const [restart] = incident.drawn.wrong;
      if (restart && failing(played(page, 6, restart), 4) > 10 * failing(idle, 4) + 0.02) outages++;
    }
    // A cache or a queue that restarts is noticed less.
    expect(outages).toBeGreaterThanOrEqual(4);
  });
});

describe("a fault that heals by itself", () => {
  it("is over soon, with nobody doing anything", () => {
    for (const { page } of healed) {
      const idle = page.fork();
      idle.advance(240);
      expect(failing(idle)).toBeLessThan(0.01);
    }
  });

  it("comes back for those who roll back to what was before the present version: the bad one", () => {
    let again = 0;
    for (const { page, incident } of healed) {
      const [back] = incident.drawn.wrong;
      if (!back?.name.startsWith("roll ") || incident.drawn.component === "worker") continue;
      if (failing(played(page, 30, back)) > 0.05) again++;
    }
    expect(again).toBeGreaterThanOrEqual(2);
  });
});

describe("a fault that cannot be told from another", () => {
  it("has two changes at once and nothing measured of the service since", () => {
    for (const { page, incident, onset } of untold) {
      const { component } = incident.drawn;
      const changed = new Set(
        page.journal.flatMap((event) =>
          event.kind === "deployed" && event.origin === "fault" ? [event.deployable] : [],
        ),
      );
      expect(changed.size).toBe(2);
      const metrics = new Metrics(page);
      expect(metrics.value("k8s.container.cpu_limit_utilization", component, onset - 2)).not.toBeNull();
      for (let tick = onset; tick < page.tick; tick++)
        expect(metrics.value("k8s.container.cpu_limit_utilization", component, tick)).toBeNull();
    }
  });
});
