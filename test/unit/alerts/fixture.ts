/**
 * A hand-made draw, small enough to work grades out on paper.
 *
 *     web (users) ─▶ checkout (money) ─▶ orders-db          batch      search (users)
 *
 * At minute −6 a migration takes locks in orders-db. What fires (minutes):
 *
 *     a01 ProbeFlap       batch      −25…−24, −15…−14, −6…−5   noise, flapping until minute 5
 *     a02 BatchCpu        batch      −20…−10                   noise, resolved
 *     a03 DbLocks         orders-db  −5…                       incident, warning
 *     a04 CheckoutErrors  checkout   −4…                       incident, critical
 *     a05 WebLatency      web        −3…                       incident, warning
 *     a06 SearchLatency   search     10…20                     noise, later
 *     a07 CheckoutQueue   checkout   12…                       incident, later
 */
import type { Action } from "../../../src/core/action";
import type { ScenarioInfo } from "../../../src/core/world";
import type { AlertsDraw, DrawnAlert, DrawnService, FiringSpan } from "../../../src/worlds/alerts/draw";
import { AlertsEpisode } from "../../../src/worlds/alerts/episode";
import { gradeAlerts } from "../../../src/worlds/alerts/grader";
import { type AlertsTruth, type DisplayedFact, type IncidentTruth, Sealed } from "../../../src/worlds/alerts/truth";

export const INFO: ScenarioInfo = {
  world: "alerts",
  id: "alr-test",
  title: "A shop at night",
  brief: "Seven alerts, one incident.",
  difficulty: "easy",
  split: "train",
  maxSteps: 30,
  maxMinutes: 60,
  tags: [],
};

const SERVICES: readonly DrawnService[] = [
  service("web", "app", ["checkout"], { customerFacing: true }),
  service("checkout", "app", ["orders-db"], { customerFacing: true, revenue: true }),
  service("orders-db", "database", []),
  service("batch", "sre", []),
  service("search", "app", [], { customerFacing: true }),
];

export const ALERTS: readonly DrawnAlert[] = [
  alert("a01", "ProbeFlap", "batch", "info", [span(-25, -24), span(-15, -14), span(-6, -5)], 9, 0),
  alert("a02", "BatchCpu", "batch", "warning", [span(-20, -10)], 4, 1),
  alert("a03", "DbLocks", "orders-db", "warning", [span(-5, null)]),
  alert("a04", "CheckoutErrors", "checkout", "critical", [span(-4, null)], 2, 2),
  alert("a05", "WebLatency", "web", "warning", [span(-3, null)]),
  alert("a06", "SearchLatency", "search", "warning", [span(10, 20)], 5, 0),
  alert("a07", "CheckoutQueue", "checkout", "warning", [span(12, null)]),
];

/** The lock wait rises at −6; the processor stays idle. */
const SERIES: Readonly<Record<string, (minute: number) => number>> = {
  "orders-db db.lock.wait": (minute) => (minute >= -6 ? 30 : 1),
  "orders-db db.cpu": () => 0.2,
  "checkout http.error": (minute) => (minute >= -6 ? 0.2 : 0.001),
};

export const INCIDENT: IncidentTruth = {
  id: "i1",
  component: "orders-db",
  mechanism: "lock_contention",
  severity: "P1",
  team: "database",
  alerts: ["a03", "a04", "a05", "a07"],
  onset: -6,
  healed: null,
  determined: true,
  supports: (fact) => lastOf(fact, "db.lock.wait") > 10,
  excludes: (fact) => (lastOf(fact, "db.cpu") < 0.5 ? ["cpu_throttling"] : []),
  routes: [
    [
      { action: "query_history", args: { service: "orders-db", metric: "db.lock.wait" } },
      { action: "query_history", args: { service: "orders-db", metric: "db.cpu" } },
    ],
  ],
  story: "A migration held row locks in orders-db.",
};

export const TRUTH: AlertsTruth = {
  incidents: [INCIDENT],
  noise: ["a01", "a02", "a06"],
  noiseStories: { a01: "A probe with too short a timeout." },
  disposition: "routed",
  alsoTrue: [],
  canary: "",
};

export function fixtureDraw(truth: AlertsTruth = TRUTH): AlertsDraw {
  return {
    startOfDay: 120,
    fromMinute: -60,
    toMinute: 90,
    services: SERVICES,
    alerts: ALERTS,
    changes: [
      { minute: -6, service: "orders-db", kind: "migration", text: "add an index" },
      { minute: 8, service: "search", kind: "deploy", text: "version 9" },
    ],
    metricsOf: (name) =>
      Object.keys(SERIES)
        .filter((key) => key.startsWith(`${name} `))
        .map((key) => ({ metric: key.slice(name.length + 1), unit: "", help: "" })),
    history: (name, metric, from, to) => {
      const value = SERIES[`${name} ${metric}`];
      if (!value) return [];
      const minutes = Array.from({ length: to - from + 1 }, (_, i) => from + i);
      return [{ service: name, metric, unit: "", facet: "", minutes, values: minutes.map(value) }];
    },
    impact: (name, minute) => {
      const found = SERVICES.find((one) => one.name === name);
      const failing = name === "checkout" && minute >= -6 ? 0.2 : 0;
      const { customerFacing = false, revenue = false } = found ?? {};
      return { service: name, customerFacing, revenue, failing, worst: failing, since: failing > 0 ? -6 : null };
    },
    truth: new Sealed(truth),
    rejected: 0,
  };
}

export function openFixture(truth: AlertsTruth = TRUTH, info: Partial<ScenarioInfo> = {}): AlertsEpisode {
  return new AlertsEpisode({ ...INFO, ...info }, 0, fixtureDraw(truth), gradeAlerts);
}

/** Plays actions that must all be accepted and returns the last observation. */
export function play(episode: AlertsEpisode, actions: readonly Action[]) {
  for (const action of actions) {
    const { problem } = episode.step(action);
    if (problem) throw new Error(`${action.name}: ${problem.message}`);
  }
  return episode.observe();
}

export function act(name: string, args: Record<string, unknown> = {}): Action {
  return { name, args };
}

function lastOf(fact: DisplayedFact, metric: string): number {
  if (fact.kind !== "history" || fact.series.metric !== metric) return Number.NaN;
  return fact.series.values[fact.series.values.length - 1] ?? Number.NaN;
}

function service(
  name: string,
  team: string,
  dependsOn: string[],
  users: { customerFacing?: boolean; revenue?: boolean } = {},
): DrawnService {
  const { customerFacing = false, revenue = false } = users;
  return { name, kind: "api", team, dependsOn, customerFacing, revenue };
}

function span(from: number, to: number | null): FiringSpan {
  return { from, to };
}

function alert(
  id: string,
  name: string,
  on: string,
  severity: string,
  spans: FiringSpan[],
  past = 0,
  pastCritical = 0,
): DrawnAlert {
  return {
    id,
    name,
    service: on,
    fingerprint: id.padStart(16, "0"),
    labels: [
      ["alertname", name],
      ["service", on],
      ["severity", severity],
    ],
    annotations: [["summary", `${name} on ${on}`]],
    rule: {
      name,
      metric: "m",
      comparison: ">",
      threshold: 10,
      unit: "",
      forMinutes: 1,
      keepFiringMinutes: 0,
      severity,
    },
    spans,
    valueAt: (minute) => 20 + minute,
    past: Array.from({ length: 30 }, (_, day) => (day < past ? 1 : 0)),
    pastCritical,
  };
}
