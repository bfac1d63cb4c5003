/** Alert rules evaluated the plain way, to compare the quick way with; and a run in which everything wanders across its thresholds. */
import { Stream, seriesKey } from "../../../../src/core/rng";
import { pageRules } from "../../../../src/engine/alert-rules/default";
import { AlertEvaluation } from "../../../../src/engine/alert-rules/evaluation";
import { AlertLife, type AlertRule } from "../../../../src/engine/alert-rules/rule";
import type { Run } from "../../../../src/engine/run";
import { Metrics } from "../../../../src/engine/telemetry/metrics/metrics";
import { fakeRun, scrapeLoss } from "../telemetry/metrics-fake-run";

/** The tick at which the first page fires in what has been run, all of it looked at in one go; null when none does. */
export function pageOf(run: Run): number | null {
  const evaluation = new AlertEvaluation(run, pageRules(run.plan));
  evaluation.advance();
  return evaluation.pageAt;
}

/** The same rules, every reading drawn and every window summed anew: slow, and nothing is skipped. */
export function plainly(run: Run, rules: readonly AlertRule[]): [string, string, number, number][] {
  const metrics = new Metrics(run);
  const found: [string, string, number, number][] = [];
  for (const rule of rules) {
    const life = new AlertLife(rule);
    const read = (tick: number, ticks: number) => metrics.value(rule.metric, rule.service, tick, ticks, rule.where);
    for (let tick = 0; tick < run.tick; tick += rule.every) {
      const before = life.state;
      const then = rule.of === "increase" ? read(Math.max(0, tick - rule.range), 1) : 0;
      const now = read(tick, rule.of === "increase" ? 1 : rule.range);
      const state = life.step(tick, now === null || then === null ? null : now - then);
      if (state === "firing" && before !== "firing") found.push([rule.name, rule.service, life.firedAt, -1]);
      const last = found[found.length - 1];
      if (before === "firing" && state !== "firing" && last) last[3] = tick;
    }
  }
  return found.sort();
}

/** Everything wanders across its thresholds. */
const swing =
  (low: number, high: number, period: number) =>
  ({ tick }: { tick: number }) => {
    const u = (tick % period) / period;
    return low + (high - low) * (u < 0.5 ? 2 * u : 2 - 2 * u);
  };
export const wandering = (seed: number, ticks: number) =>
  fakeRun(
    {
      nodes: {
        front: { arrivals: 20, served: 18, rejected: swing(0, 15, 90), cpu: swing(0.6, 1, 140) },
        orders: {
          served: 60,
          failed: swing(0, 7, 110),
          memory: swing(0.8, 0.95, 120),
          throttled: swing(-0.2, 0.6, 160),
        },
        db: { served: 300, disk: swing(0.8, 0.9, 200), level: swing(300, 400, 150) },
        jobs: {
          arrivals: 50,
          served: 50,
          delay: swing(0, 200, 130),
          level: swing(0, 9000, 170),
          redelivered: swing(0, 2, 100),
        },
        cache: { arrivals: 300, served: 300, level: swing(0.5, 0.9, 120) },
        worker: { served: 30, failed: swing(0, 4, 60), restarts: ({ tick }) => Math.floor(tick / 9) },
      },
      calls: { "orders>db": { attempts: 80, inUse: swing(5, 12, 80) } },
      users: {
        front: { offered: 12, failed: swing(0, 1, 100), slow: swing(0, 3, 130), latencyMean: 0.1, latencySd: 0.1 },
      },
    },
    { seed, ticks, journal: [scrapeLoss("orders", 0.2), scrapeLoss("front", 0.05)] },
  );

/** A run in which everything is now well, now bad, now without any traffic, for times that are random and different for each column. */
export const flickering = (seed: number, ticks: number) => {
  const noise = Stream.of(seed, "flickering").noise();
  const flick =
    (name: string, ...values: readonly number[]) =>
    ({ tick }: { tick: number }) => {
      const key = seriesKey(name);
      const span = 2 + Math.floor(40 * noise.unit(key, -1));
      return values[Math.floor(values.length * noise.unit(key, Math.floor(tick / span)))] as number;
    };
  const node = (name: string) => ({
    ready: flick(`${name} ready`, 1, 1, 1, 1, 0),
    arrivals: 60,
    served: flick(`${name} served`, 60, 60, 2, 0),
    failed: flick(`${name} failed`, 0, 0, 0.2, 9),
    rejected: flick(`${name} rejected`, 0, 0, 50),
    cpu: flick(`${name} cpu`, 0.5, 0.89, 0.97),
    memory: flick(`${name} memory`, 0.5, 0.895, 0.95),
    throttled: flick(`${name} throttled`, 0, 0.5),
    disk: flick(`${name} disk`, 0.5, 0.9),
    restarts: 0,
    level: flick(`${name} level`, 0.9, 0.5, 390),
    delay: flick(`${name} delay`, 1, 300),
  });
  const names = ["front", "orders", "worker", "db", "cache", "jobs"];
  return fakeRun(
    {
      nodes: Object.fromEntries(names.map((name) => [name, node(name)])),
      calls: { "orders>db": { attempts: 80, inUse: flick("in use", 3, 10) } },
      users: {
        front: {
          offered: flick("offered", 40, 900, 0),
          failed: flick("users failed", 0, 0.5, 30),
          slow: flick("users slow", 0, 5),
          latencyMean: 0.1,
          latencySd: 0.1,
        },
      },
    },
    { seed, ticks, journal: names.map((name) => scrapeLoss(name, 0.15)) },
  );
};
