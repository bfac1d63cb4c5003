/** One incident from the page to its cost, by all that a world needs of the engine: the example to begin with. */
import { describe, expect, test } from "vitest";
import { AlertEvaluation } from "../../../src/engine/alert-rules/evaluation";
import { acceptedSeeds, topologyNamed } from "../../../src/engine/faults/accepted";
import { impactOf, total } from "../../../src/engine/faults/impact";
import { drawIncident, runToPage } from "../../../src/engine/faults/incident";
import { playScript } from "../../../src/engine/faults/play-script";
import { aftermath } from "../../../src/engine/remedies/aftermath";
import { carryOut } from "../../../src/engine/remedies/carry-out";
import { preview } from "../../../src/engine/remedies/preview";
import { validate } from "../../../src/engine/remedies/validate";
import type { Remedy } from "../../../src/engine/remedies/verbs";
import { TICKS_PER_MINUTE } from "../../../src/engine/spec";
import { Logs } from "../../../src/engine/telemetry/logs/logs";
import { Metrics } from "../../../src/engine/telemetry/metrics/metrics";
import { Traces } from "../../../src/engine/telemetry/traces/traces";

const START = 9 * 3600;

describe("an accepted incident", () => {
  // Drawn once and run up to the page; whatever is tried afterwards is tried on forks.
  const [seed = 0] = acceptedSeeds("bad_deploy", "six");
  const incident = drawIncident(topologyNamed("six"), "bad_deploy", seed);
  const page = incident && runToPage(incident);
  if (!page) throw new Error(`bad_deploy ${seed} does not come to a page.`);
  const { drawn } = incident;

  test("is seen in metrics, alerts, logs and traces, which speak of the same service", () => {
    const metrics = new Metrics(page);
    const alerts = new AlertEvaluation(page, undefined, metrics);
    alerts.advance();
    expect(alerts.pageAt).toBe(page.tick - 1);
    expect(alerts.firing().some(({ severity }) => severity === "page")).toBe(true);
    const { service } = alerts.firing()[0] ?? { service: "" };
    const { series } = metrics.query({
      metric: "rum.request.error_ratio",
      service,
      from: page.tick - 240,
      to: page.tick,
      step: 20,
    });
    const points = series[0]?.points.map((point) => point ?? 0) ?? [];
    expect(points).toHaveLength(12);
    expect(points[11]).toBeGreaterThan(5 * (points[0] ?? 1));
    const { lines } = new Logs(page, { start: START }).read({ service, severity: "ERROR", limit: 500 });
    const line = [...lines].reverse().find(({ trace_id }) => trace_id !== undefined);
    expect(line?.timestamp).toMatch(/^(09:5|10:)/);
    const trace = new Traces(page, { start: START }).open(line?.trace_id ?? "");
    expect(trace?.spans.some((span) => span["service.name"] === service && span.status === "error")).toBe(true);
  });

  test("is acted on by orders that are checked, foretold, carried out and looked back at", () => {
    const run = page.fork();
    const remedy: Remedy = { verb: "rollback_deploy", deployable: drawn.component };
    const before = page.hash();
    expect(validate(run.plan, run, { ...remedy, deployable: "nothing" })?.message).toContain("There is no");
    expect(run.hash()).toBe(before);
    expect(validate(run.plan, run, remedy)).toBeNull();
    expect(preview(run, remedy).text).toContain(drawn.component);
    const outcome = carryOut(run, remedy);
    run.advance(outcome.durationTicks);
    expect(`${outcome.text} ${aftermath(run, outcome)}`).toMatch(/restarted .* replicas are ready\./);
    expect(run.tick).toBe(page.tick + outcome.durationTicks);
    expect(page.hash()).toBe(before);
  });

  test("costs users far less when a right script is played than when nobody does anything", () => {
    const until = page.tick + 45 * TICKS_PER_MINUTE;
    const idle = page.fork();
    idle.advance(until - page.tick);
    for (const right of drawn.right) {
      const { sim, refused } = playScript(page, right, until);
      expect(refused).toEqual([]);
      expect(total(impactOf(idle, page.tick, until))).toBeGreaterThan(2 * total(impactOf(sim, page.tick, until)));
    }
  });
});
