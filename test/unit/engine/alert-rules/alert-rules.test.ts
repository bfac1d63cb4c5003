import { describe, expect, it } from "vitest";
import { defaultRules, pageRules } from "../../../../src/engine/alert-rules/default";
import { AlertEvaluation } from "../../../../src/engine/alert-rules/evaluation";
import { AlertLife, type AlertRule, fill, LOOK_BACK } from "../../../../src/engine/alert-rules/rule";
import { highest, lowest } from "../../../../src/engine/alert-rules/windows";
import { Metrics } from "../../../../src/engine/telemetry/metrics/metrics";
import { MeasurementNoise } from "../../../../src/engine/telemetry/noise";
import { type FakeColumns, fakeRun, scrapeLoss } from "../telemetry/metrics-fake-run";
import { pageOf, plainly, wandering } from "./plain";

const RULE = { comparison: ">", threshold: 10, for: 4, keepFiringFor: 3, range: 1, of: "value" } as const;

/** States after each value; `.` is a missing one. */
function states(values: string, rule: Partial<AlertRule> = {}): { states: string; life: AlertLife } {
  const life = new AlertLife({ ...RULE, ...rule });
  const letters = { inactive: "-", pending: "p", firing: "F" };
  const seen = [...values].map((sign, tick) => letters[life.step(tick, sign === "." ? null : sign === "H" ? 11 : 9)]);
  return { states: seen.join(""), life };
}

describe("the life of an alert", () => {
  it("is pending until the condition has held for `for`, then fires", () => {
    const { states: seen, life } = states("LHHHHHH");
    expect(seen).toBe("-ppppFF");
    expect([life.activeAt, life.firedAt]).toEqual([1, 5]);
  });

  it("fires at once without `for`", () => {
    expect(states("LHL", { for: 0, keepFiringFor: 0 }).states).toBe("-F-");
  });

  it("begins anew when the condition lets go while it is pending", () => {
    expect(states("HHHLHHHHH").states).toBe("ppp-ppppF");
  });

  it("goes on for `keepFiringFor` after the condition was last met, and is then resolved", () => {
    const { states: seen, life } = states("HHHHHLLLLL");
    expect(seen).toBe("ppppFFFF--");
    expect(life.resolvedAt).toBe(8);
  });

  it("starts that time anew when the condition comes back", () => {
    expect(states("HHHHHLLHLLLL").states).toBe("ppppFFFFFFF-");
  });

  it("has to be pending again after it was resolved", () => {
    expect(states("HHHHHLLLLHHHHH").states).toBe("ppppFFFF-ppppF");
  });

  it("stays pending through a gap, whose ticks count: the last value is used", () => {
    expect(states("HH..HH").states).toBe("ppppFF");
  });

  it("stays harmless through a gap", () => {
    expect(states("LL...L").states).toBe("------");
  });

  it("is dropped when nothing has come for five minutes while it was pending", () => {
    expect(LOOK_BACK).toBe(20);
    const { states: seen } = states(`H${".".repeat(21)}`, { for: 30 });
    expect(seen).toBe(`${"p".repeat(20)}--`);
  });

  it("is resolved after `keepFiringFor` when nothing comes any more while it fires", () => {
    const { states: seen } = states(`HHHHH${".".repeat(24)}`);
    // The last value serves up to tick 23; from tick 24 nothing holds, and three ticks later it is over.
    expect(seen).toBe(`pppp${"F".repeat(23)}--`);
  });

  it("does not use old values for conditions over a range, which bridge gaps themselves", () => {
    expect(states("HH.HHHHH", { range: 20 }).states).toBe("pp-ppppF");
  });

  it("compares downwards too, and not with the threshold itself", () => {
    const life = new AlertLife({ ...RULE, comparison: "<", for: 0 });
    expect([life.step(0, 10), life.step(1, 9.9)]).toEqual(["inactive", "firing"]);
  });
});

describe("annotations", () => {
  const labels = { service: "orders" };
  it.each([
    ["{{ $labels.service }} is at {{ $value | humanizePercentage }}", 0.12345, "orders is at 12.35%"],
    ["{{ $value | humanizeDuration }}", 3725, "1h 2m 5s"],
    ["{{$value | humanizeDuration}}", 604800, "7d 0h 0m 0s"],
    ["{{ $value | humanizeDuration }}", 0.25, "250ms"],
    ["{{ $value | humanizeDuration }}", -90, "-1m 30s"],
    ["{{ $value | humanize }} messages", 26_543, "26.54k messages"],
    ["{{ $value }} and {{ $labels.unknown }}", 3, "3 and "],
    ["{{ $value | toTitle }} stays", 3, "{{ $value | toTitle }} stays"],
  ])("fill %s", (template, value, text) => {
    expect(fill(template, value, labels)).toBe(text);
  });
});

/** Users of front, each of two zones 2,000 requests/s: a share of them fails from tick 100 on, up to another. */
function outage(share: number, until = 1000): FakeColumns {
  const failed = ({ tick }: { tick: number }) => (tick >= 100 && tick < until ? 2000 * share : 2);
  return { users: { front: { offered: 2000, failed, latencyMean: 0.1, latencySd: 0.1 } } };
}

/** A system in which all is well. */
const WELL: FakeColumns = {
  nodes: Object.fromEntries(
    ["front", "orders", "worker", "db", "cache", "jobs"].map((name) => [
      name,
      {
        arrivals: 400,
        served: 400,
        cpu: 0.4,
        memory: 0.5,
        disk: 0.3,
        level: name === "cache" ? 0.9 : 0,
        latencyMean: 0.02,
        latencySd: 0.02,
      },
    ]),
  ),
  users: { front: { offered: 2000, failed: 2, latencyMean: 0.1, latencySd: 0.1 } },
};

describe("the page for customers' errors", () => {
  it("fires three minutes after 14.4 times the budget is spent: at 20 % failing, tick 114", () => {
    // Over 20 ticks the share is 0.001 + 0.00995 k after k ticks: above 0.0288 with the third, tick 102; three minutes are 12 ticks.
    const run = fakeRun({ ...WELL, ...outage(0.2) }, { ticks: 140 });
    expect(pageOf(run)).toBe(114);
  });

  it("does not fire while errors stay within the budget's fast burn", () => {
    expect(pageOf(fakeRun({ ...WELL, ...outage(0.025) }, { ticks: 300 }))).toBeNull();
  });

  it("does not fire for a spike of half a minute", () => {
    // 20 % for two ticks are 0.02 of the 20 ticks, and with 0.001 before and after 0.0209: below 0.0288.
    expect(pageOf(fakeRun({ ...WELL, ...outage(0.2, 102) }, { ticks: 300 }))).toBeNull();
  });

  it("ends when the errors have left the range and five more minutes have passed", () => {
    const run = fakeRun({ ...WELL, ...outage(0.2, 150) }, { ticks: 300 });
    const evaluation = new AlertEvaluation(run, pageRules(run.plan));
    evaluation.advance();
    const [alert, ...others] = evaluation.alerts();
    expect(others).toEqual([]);
    // With k bad ticks in the range the share is 0.001 + 0.00995 k: not above 0.0288 with two, tick 167, and 20 ticks of keeping on.
    expect(alert).toMatchObject({ name: "CustomerErrors", activeAt: 102, firedAt: 114, resolvedAt: 187 });
    expect(alert?.annotations.description).toMatch(
      /^3\.\d+% of customers' requests to front failed in the last 5 minutes\.$/,
    );
    expect(alert?.labels).toMatchObject({ alertname: "CustomerErrors", severity: "page", team: "web" });
  });

  it("does not depend on how often the run is looked at", () => {
    const whole = fakeRun({ ...WELL, ...outage(0.2) }, { ticks: 300 });
    const moving = { ...whole, tick: 0 };
    const evaluation = new AlertEvaluation(moving, pageRules(whole.plan));
    for (const tick of [1, 2, 50, 101, 103, 104, 115, 180, 300]) {
      moving.tick = tick;
      evaluation.advance();
      expect(evaluation.pageAt).toBe(tick > 114 ? 114 : null);
    }
  });
});

describe("the rules of a system", () => {
  const run = fakeRun(WELL, { ticks: 240 });
  const rules = defaultRules(run.plan);

  it("follow from what it is made of", () => {
    const of = (service: string) => rules.filter((rule) => rule.service === service).map((rule) => rule.name);
    expect(of("front")).toEqual(
      expect.arrayContaining(["CustomerErrors", "CustomerLatency", "SyntheticChecksFailing"]),
    );
    expect(of("orders")).not.toContain("CustomerErrors");
    expect(of("orders")).toContain("ConnectionPoolExhausted");
    expect(of("jobs")).toEqual(
      expect.arrayContaining(["MessagesLate", "QueueGrowing", "DeadLetters", "MessagesRedelivered"]),
    );
    expect(of("db")).toEqual(
      expect.arrayContaining(["DiskFilling", "CertificateExpiresSoon", "DatabaseConnectionsHigh"]),
    );
    expect(of("cache")).toContain("CacheHitRatioLow");
    expect(of("vendor")).toEqual([]);
    expect(pageRules(run.plan).every((rule) => rule.severity === "page")).toBe(true);
  });

  it("name metrics that there are, and labels and annotations without an unfilled template", () => {
    const metrics = new Metrics(run);
    for (const rule of rules) {
      expect(() => metrics.follow(rule.metric, rule.service, rule.where)).not.toThrow();
      for (const text of Object.values(rule.annotations))
        expect(fill(text, 1, rule.labels)).not.toMatch(/\{\{|\$|undefined/);
    }
  });

  it("stay silent while all is well, but for the certificate that ends in ten hours", () => {
    const evaluation = new AlertEvaluation(run);
    evaluation.advance();
    expect(evaluation.alerts().map((alert) => [alert.name, alert.severity])).toEqual([
      ["CertificateExpiresSoon", "ticket"],
    ]);
    expect(evaluation.pageAt).toBeNull();
  });

  const trouble = (
    service: string,
    column: string,
    value: number | ((place: { tick: number }) => number),
  ): FakeColumns => ({
    ...WELL,
    nodes: { ...WELL.nodes, [service]: { ...WELL.nodes?.[service], [column]: value } },
  });
  it.each([
    ["CpuSaturated", trouble("orders", "cpu", 0.97), 40],
    ["CpuThrottled", trouble("orders", "throttled", 0.5), 60],
    ["MemoryNearLimit", trouble("worker", "memory", 0.96), 20],
    ["DiskFilling", trouble("db", "disk", 0.9), 20],
    ["ErrorsHigh", trouble("worker", "failed", 40), 20],
    ["MessagesLate", trouble("jobs", "delay", 200), 16],
    ["CacheHitRatioLow", trouble("cache", "level", 0.5), 12],
    ["DatabaseConnectionsHigh", trouble("db", "level", 395), 20],
    ["MessagesRedelivered", trouble("jobs", "redelivered", 9), 12],
    // From tick 4 on two restarts a minute: more than 3 in 15 minutes with the second minute.
    ["Restarting", trouble("worker", "restarts", ({ tick }) => Math.floor(tick / 4) * 2), 8],
    // 300 messages more a minute: above 2,000 in ten minutes after seven, and that for five.
    ["QueueGrowing", trouble("jobs", "level", ({ tick }) => tick * 75), 48],
    ["DeadLetters", trouble("jobs", "deadLetters", ({ tick }) => tick * 5), 8],
    ["HealthProbesFailing", trouble("front", "rejected", 380), 16],
  ] as [string, FakeColumns, number][])("fire for their trouble and name the tick: %s", (name, columns, firedAt) => {
    const troubled = fakeRun(columns, { ticks: 80, journal: [scrapeLoss("jobs", 0)] });
    const evaluation = new AlertEvaluation(
      troubled,
      defaultRules(troubled.plan).filter((rule) => rule.name === name),
    );
    evaluation.advance();
    expect(evaluation.alerts().map((alert) => [alert.name, alert.firedAt, alert.resolvedAt])).toEqual([
      [name, firedAt, null],
    ]);
  });

  it("call for somebody when metrics stop coming, though customers are well", () => {
    const blind = fakeRun(WELL, { ticks: 100, journal: [{ ...scrapeLoss("orders", 1), tick: 40 }] });
    const evaluation = new AlertEvaluation(blind, pageRules(blind.plan));
    evaluation.advance();
    expect(evaluation.alerts().map((alert) => [alert.name, alert.service, alert.firedAt])).toEqual([
      ["TargetsDown", "orders", 60],
    ]);
  });

  it("find a pool without connections, and say whose and to whom", () => {
    const calls = { "orders>db": { attempts: 200, inUse: 10 } };
    const full = fakeRun({ ...WELL, calls }, { ticks: 60 });
    const evaluation = new AlertEvaluation(
      full,
      defaultRules(full.plan).filter((rule) => rule.severity === "ticket" && rule.service === "orders"),
    );
    evaluation.advance();
    expect(evaluation.firing().map((alert) => [alert.labels.callee, alert.annotations.description])).toEqual([
      ["db", "100% of the connections of orders to db are in use."],
    ]);
  });
});

describe("skipping what no noise could change", () => {
  it("fires and resolves the same alerts at the same ticks as reading everything", () => {
    const run = wandering(1, 130);
    const evaluation = new AlertEvaluation(run);
    evaluation.advance();
    const found = evaluation
      .alerts()
      .map(({ name, service, firedAt, resolvedAt }) => [name, service, firedAt, resolvedAt ?? -1]);
    expect(found.length).toBeGreaterThan(6);
    expect(found.sort()).toEqual(plainly(run, defaultRules(run.plan)));
  });

  it("rests on bounds that no count leaves", () => {
    const noise = new MeasurementNoise(3);
    for (const mean of [0.01, 0.7, 5, 24, 40, 3000]) {
      const counts = Array.from({ length: 4000 }, (_, tick) => noise.count(9, tick, mean));
      expect(Math.max(...counts)).toBeLessThanOrEqual(highest(mean, 1));
      expect(Math.min(...counts)).toBeGreaterThanOrEqual(lowest(mean, 1));
    }
    expect(highest(0, 5)).toBe(0);
  });
});
