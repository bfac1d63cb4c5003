import { describe, expect, it } from "vitest";
import type { SystemEvent } from "../../../../src/engine/events";
import {
  Metrics,
  MOST_POINTS,
  MOST_SERIES,
  QueryError,
  type SeriesQuery,
} from "../../../../src/engine/telemetry/metrics/metrics";
import { type FakeColumns, fakeRun, scrapeLoss, shop } from "./metrics-fake-run";

const ORDERS_WELL = scrapeLoss("orders", 0);
const stable = (value: number) => (place: { cohort: number }) => (place.cohort === 0 ? value : 0);
/** Only the first cohort of orders runs. */
const ORDERS = { ready: stable(2), served: stable(90), failed: stable(6), rejected: stable(4), latencyMean: 0.1 };

function metricsOf(columns: FakeColumns, options: Parameters<typeof fakeRun>[1] = {}): Metrics {
  return new Metrics(fakeRun(columns, options));
}

function points(of: Metrics, query: Omit<SeriesQuery, "from" | "to"> & Partial<SeriesQuery>): (number | null)[] {
  const { series } = of.query({ from: 0, to: 100, ...query });
  expect(series).toHaveLength(1);
  return [...(series[0]?.points ?? [])];
}

function measured(values: readonly (number | null)[]): number[] {
  return values.filter((value): value is number => value !== null);
}

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

function deviationOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return Math.sqrt(meanOf(values.map((value) => (value - mean) ** 2)));
}

describe("the metrics of requests", () => {
  const orders = metricsOf({ nodes: { orders: ORDERS } }, { journal: [ORDERS_WELL], ticks: 240 });
  const ask = (metric: string, more: Partial<SeriesQuery> = {}) =>
    points(orders, { metric, service: "orders", to: 240, ...more });

  it("count what came: 200 requests/s in two zones, within sampling error", () => {
    const rates = measured(ask("http.server.request.rate"));
    expect(rates).toHaveLength(240);
    // 3,000 requests a tick: a Poisson count deviates by √3000, a rate by √3000/15.
    expect(Math.abs(meanOf(rates) - 200)).toBeLessThan((4 * Math.sqrt(3000)) / 15 / Math.sqrt(240));
    expect(deviationOf(rates) / (Math.sqrt(3000) / 15)).toBeGreaterThan(0.85);
    expect(deviationOf(rates) / (Math.sqrt(3000) / 15)).toBeLessThan(1.15);
  });

  it("add up: the rate is the sum over status codes, and over zones; the error ratio is their quotient", () => {
    const total = ask("http.server.request.rate");
    const by = (key: "http.response.status_code" | "cloud.availability_zone") =>
      orders.query({ metric: "http.server.request.rate", service: "orders", by: [key], from: 0, to: 240 }).series;
    const statuses = by("http.response.status_code");
    expect(statuses.map((each) => each.attributes)).toEqual([
      { "http.response.status_code": "200" },
      { "http.response.status_code": "500" },
      { "http.response.status_code": "503" },
    ]);
    const ratio = ask("http.server.request.error_ratio");
    total.forEach((rate, tick) => {
      const [ok, failed, rejected] = statuses.map((each) => each.points[tick] ?? 0) as [number, number, number];
      expect(ok + failed + rejected).toBeCloseTo(rate ?? -1, 9);
      expect((failed + rejected) / (ok + failed + rejected)).toBeCloseTo(ratio[tick] ?? -1, 9);
    });
    const zones = by("cloud.availability_zone");
    expect((zones[0]?.points[7] ?? 0) + (zones[1]?.points[7] ?? 0)).toBeCloseTo(total[7] ?? -1, 9);
  });

  it("filter by attributes: 503 alone is 8 of 200 requests/s", () => {
    const where = { "http.response.status_code": "503" } as const;
    expect(Math.abs(meanOf(measured(ask("http.server.request.rate", { where }))) - 8)).toBeLessThan(0.2);
    expect(Math.abs(meanOf(measured(ask("http.server.request.error_ratio", { where }))) - 0.04)).toBeLessThan(0.001);
  });

  it("show a proxy's failures as 504 when the servers behind it were late, else as 502", () => {
    const front = metricsOf({
      nodes: { front: { served: 90, failed: 10 } },
      calls: { "front>orders": { attempts: 100, timedOut: 9, errored: 3 } },
    });
    const rate = (code: string) =>
      meanOf(
        measured(
          points(front, { metric: "http.server.request.rate", service: "front", where: { "error.type": code } }),
        ),
      );
    // Two zones of 10 failures/s; nine of twelve failed attempts were late.
    expect(Math.abs(rate("504") - 15)).toBeLessThan(0.5);
    expect(Math.abs(rate("502") - 5)).toBeLessThan(0.3);
    expect(rate("500")).toBe(0);
  });
});

describe("latency percentiles", () => {
  const exponential = (rate: number) => ({
    nodes: { orders: { ...ORDERS, served: stable(rate), failed: 0, rejected: 0, latencySd: 0.1 } },
  });
  const p99 = (rate: number) =>
    measured(
      points(metricsOf(exponential(rate), { journal: [ORDERS_WELL], ticks: 240 }), {
        metric: "http.server.request.duration.p99",
        service: "orders",
        where: { "cloud.availability_zone": "a" },
        to: 240,
      }),
    );

  it("are those of the distribution: p99 of an exponential mean of 0.1 s is 0.4605 s", () => {
    expect(Math.abs(meanOf(p99(2000)) / (0.1 * Math.log(100)) - 1)).toBeLessThan(0.013 + 0.005);
  });

  it("scatter as few samples do: 22 % at 100 requests a tick, 3.2 % at 4,500", () => {
    const spread = (values: readonly number[]) => deviationOf(values) / meanOf(values);
    expect(spread(p99(100 / 15))).toBeGreaterThan(0.18);
    expect(spread(p99(100 / 15))).toBeLessThan(0.26);
    expect(spread(p99(300))).toBeGreaterThan(0.028);
    expect(spread(p99(300))).toBeLessThan(0.037);
  });

  it("are missing when nobody asked", () => {
    expect(measured(p99(0))).toEqual([]);
  });

  it("of a mixture of zones lie between those of the zones", () => {
    const run = metricsOf(
      {
        nodes: {
          orders: { ...ORDERS, latencyMean: ({ zone }) => (zone === "a" ? 0.05 : 0.4), latencySd: 0.05 },
        },
      },
      { journal: [ORDERS_WELL] },
    );
    const query = { metric: "http.server.request.duration.p95", service: "orders" } as const;
    const [a, b] = run.query({ ...query, by: ["cloud.availability_zone"], from: 3, to: 4 }).series;
    const both = points(run, { ...query, from: 3, to: 4 })[0] ?? 0;
    expect(both).toBeGreaterThan(a?.points[0] ?? 99);
    expect(both).toBeLessThan(b?.points[0] ?? 0);
  });

  it("of a caller end at its time-out, and reach it when more than 1 % of attempts are late", () => {
    const calls = (timedOut: number) => ({
      nodes: { orders: ORDERS, db: { served: 100, latencyMean: 0.02, latencySd: 0.02 } },
      calls: { "orders>db": { attempts: 100, timedOut, attemptTime: 0.02 * (1 - timedOut / 100) + timedOut * 0.005 } },
    });
    const p = (timedOut: number) =>
      measured(
        points(metricsOf(calls(timedOut), { journal: [ORDERS_WELL] }), {
          metric: "db.client.operation.duration.p99",
          service: "orders",
          where: { "server.address": "db" },
        }),
      );
    expect(Math.max(...p(3))).toBeLessThanOrEqual(0.5);
    expect(Math.abs(meanOf(p(3)) - 0.5)).toBeLessThan(0.001);
    expect(meanOf(p(0))).toBeLessThan(0.1);
  });

  it("of a caller have what its breaker rejected among them, which took next to no time and is counted as such", () => {
    // Of 100 attempts a second the breaker rejects 60; 20 of the other 40 are lost on the way, 20 are answered after 50 ms.
    const calls = { "orders>db": { attempts: 100, broken: 0.6, unreached: 20, attemptTime: 0.2 * 0.5 + 0.2 * 0.05 } };
    const run = metricsOf(
      { nodes: { orders: ORDERS, db: { served: 20, latencyMean: 0.05, latencySd: 0.05 } }, calls },
      { journal: [ORDERS_WELL], ticks: 60 },
    );
    const query = { service: "orders", where: { "server.address": "db" }, from: 0, to: 60, step: 60 } as const;
    const { series } = run.query({ ...query, metric: "db.client.operation.rate", by: ["error.type"] });
    const rates = Object.fromEntries(series.map((each) => [each.attributes["error.type"] ?? "", each.points[0] ?? 0]));
    // Of a rate r over 15 minutes of each of the zones the standard deviation is √(r/900); six of them are allowed.
    for (const [type, rate] of [
      ["circuit_open", 120],
      ["connection_timeout", 40],
      ["", 40],
    ] as const)
      expect(Math.abs((rates[type] ?? 0) - rate), type).toBeLessThan(6 * Math.sqrt(rate / 900));
    const [median] = points(run, { metric: "db.client.operation.duration.p50", ...query });
    expect(median).toBeLessThan(0.002);
  });
});

describe("readings", () => {
  const columns: FakeColumns = {
    nodes: {
      orders: {
        ...ORDERS,
        latencySd: 0.1,
        cpu: 0.5,
        inFlight: 9,
        ready: ({ zone, tick }) => (zone === "b" && tick >= 50 ? 0 : 2),
      },
    },
  };
  const metrics = [
    "http.server.request.rate",
    "http.server.request.duration.p95",
    "k8s.container.cpu_limit_utilization",
  ];

  it("are the same when read again, in another order, by a fork, and alone or in a range", () => {
    const [first, fork] = [metricsOf(columns), metricsOf(columns)];
    const straight = metrics.map((metric) => points(first, { metric, service: "orders" }));
    const backwards = [...metrics].reverse().map((metric) => {
      const single = Array.from({ length: 100 }, (_, i) => fork.value(metric, "orders", 99 - i));
      return single.reverse();
    });
    expect(backwards.reverse()).toEqual(straight);
    expect(metrics.map((metric) => points(first, { metric, service: "orders" }))).toEqual(straight);
  });

  it("differ with the seed", () => {
    const rate = (seed: number) =>
      points(metricsOf(columns, { seed }), { metric: "http.server.request.rate", service: "orders" });
    expect(rate(1)).not.toEqual(rate(2));
  });

  it("go missing with the share of scrapes lost, as null and never as 0", () => {
    const n = 3000;
    const lossy = metricsOf({ nodes: { worker: { served: 50 } } }, { journal: [scrapeLoss("worker", 0.1)], ticks: n });
    const seen = Array.from({ length: n }, (_, tick) => lossy.value("messaging.process.rate", "worker", tick));
    const missing = seen.filter((value) => value === null).length / n;
    expect(Math.abs(missing - 0.1)).toBeLessThan(4 * Math.sqrt(0.09 / n));
    expect(Math.min(...measured(seen))).toBeGreaterThan(30);
    const cpu = Array.from({ length: n }, (_, tick) =>
      lossy.value("k8s.container.cpu_limit_utilization", "worker", tick),
    );
    expect(cpu.map((value) => value === null)).toEqual(seen.map((value) => value === null));
  });

  it("of a sum are missing when a part of it is, rather than smaller", () => {
    const lossy = metricsOf({ nodes: { orders: ORDERS } }, { journal: [scrapeLoss("orders", 0.3)], ticks: 200 });
    const query = { metric: "http.server.request.rate", service: "orders", from: 0, to: 200 } as const;
    const total = points(lossy, query);
    const [a, b] = lossy.query({ ...query, by: ["cloud.availability_zone"] }).series;
    total.forEach((value, tick) => {
      const [x, y] = [a?.points[tick] ?? null, b?.points[tick] ?? null];
      expect(value === null).toBe(x === null || y === null);
    });
    expect(measured(total).length).toBeGreaterThan(60);
  });

  it("do not come from where no replica is ready; the orchestrator still reports that", () => {
    const run = metricsOf(columns, { journal: [ORDERS_WELL] });
    const zoneB = { service: "orders", where: { "cloud.availability_zone": "b" } } as const;
    const rates = points(run, { metric: "http.server.request.rate", ...zoneB });
    expect(measured(rates.slice(0, 50))).toHaveLength(50);
    expect(measured(rates.slice(50))).toEqual([]);
    expect(measured(points(run, { metric: "http.server.request.rate", service: "orders" }).slice(50))).toHaveLength(50);
    const ready = measured(points(run, { metric: "k8s.deployment.available_pods", ...zoneB, from: 50 }));
    expect(new Set(ready)).toEqual(new Set([0]));
    expect(run.value("up", "orders", 60)).toBe(0.5);
    expect(run.value("health.probe.success_ratio", "orders", 60, 1, zoneB.where)).toBe(0);
  });

  it("over several ticks are those of all of them: the mean rate, the larger sample", () => {
    const run = metricsOf({ nodes: { orders: ORDERS } }, { journal: [ORDERS_WELL] });
    const query = { metric: "http.server.request.rate", service: "orders" } as const;
    const single = measured(points(run, { ...query, to: 20 }));
    expect(points(run, { ...query, to: 20, step: 20 })[0]).toBeCloseTo(meanOf(single), 9);
    expect(points(run, { ...query, to: 20, step: 8 })).toHaveLength(3);
  });
});

describe("the metrics of resources", () => {
  const deploy: SystemEvent = {
    kind: "deployed",
    deployable: "orders/db-pool",
    version: "r2",
    share: 1,
    tick: 30,
    origin: "action",
  };
  const run = metricsOf(
    {
      nodes: {
        orders: { ...ORDERS, cpu: 0.4, memory: ({ zone }) => (zone === "a" ? 0.5 : 0.8) },
        jobs: { arrivals: 10, level: 1700, poison: 100, deadLetters: ({ tick }) => tick * 1.5 },
        cache: { arrivals: 1000, level: 0.9 },
        db: { ready: stable(1), level: 38, poison: 12, disk: 0.91 },
      },
      calls: { "orders>db": { attempts: 100, inUse: stable(15), stale: stable(5), unacquired: 10 } },
    },
    { journal: [ORDERS_WELL, scrapeLoss("jobs", 0), scrapeLoss("cache", 0), scrapeLoss("db", 0), deploy] },
  );
  const at = (metric: string, service: string, tick: number, where = {}) => run.value(metric, service, tick, 1, where);

  it("count connections by state against the pool in force: 10 a replica, 30 after the limit was raised", () => {
    // Two replicas in each of two zones; 15 in use and 5 leaked in each zone.
    expect([29, 30].map((tick) => at("db.client.connection.max", "orders", tick))).toEqual([40, 120]);
    expect(at("db.client.connection.count", "orders", 29, { "db.client.connection.state": "used" })).toBe(40);
    expect(at("db.client.connection.utilization", "orders", 29)).toBe(1);
    const used = at("db.client.connection.count", "orders", 31, { "db.client.connection.state": "used" }) ?? 0;
    const idle = at("db.client.connection.count", "orders", 31, { "db.client.connection.state": "idle" }) ?? 0;
    expect(used + idle).toBe(120);
    expect(used).toBeGreaterThan(20);
    expect(used).toBeLessThan(60);
  });

  it("count requests that wait for a connection by Little's law", () => {
    // 100 attempts/s in each zone, a tenth turned away: those who wait do so for nearly the acquire time-out of 1 s.
    const waiting = Array.from(
      { length: 100 },
      (_, tick) => at("db.client.connection.pending_requests", "orders", tick) ?? 0,
    );
    expect(Math.abs(meanOf(waiting) - 200)).toBeLessThan(4 * Math.sqrt(200 / 100));
    const given = Array.from({ length: 100 }, (_, tick) => at("db.client.connection.timeouts", "orders", tick) ?? 0);
    expect(Math.abs(meanOf(given) - 20)).toBeLessThan(4 * Math.sqrt(20 / 15 / 100));
  });

  it("give the age of the oldest message: 1,800 waiting at 10 a second are 180 s", () => {
    expect(at("messaging.queue.oldest_message.age", "jobs", 50)).toBeCloseTo(180, 9);
    // At tick 3 no more than a minute of history can be seen.
    expect(at("messaging.queue.oldest_message.age", "jobs", 3)).toBe(60);
    expect(Math.abs((at("messaging.queue.depth", "jobs", 50) ?? 0) - 1800)).toBeLessThan(3 * Math.sqrt(1800) + 1);
    expect(at("messaging.queue.dead_letters", "jobs", 7)).toBe(10);
  });

  it("show the fullest replica's memory, the mean CPU, the exact disk, and the cache's hits of its look-ups", () => {
    expect(at("k8s.container.memory_limit_utilization", "orders", 5)).toBeCloseTo(0.8, 1);
    expect(at("k8s.container.cpu_limit_utilization", "orders", 5)).toBeCloseTo(0.4, 1);
    expect(at("system.filesystem.utilization", "db", 5)).toBe(0.91);
    const hits = Array.from({ length: 100 }, (_, tick) => at("cache.hit_ratio", "cache", tick) ?? 0);
    expect(Math.abs(meanOf(hits) - 0.9)).toBeLessThan(4 * Math.sqrt(0.09 / 15_000 / 100));
  });

  it("count a database's connections once, whatever its shards", () => {
    expect([at("db.server.connection.count", "db", 5), at("db.server.connection.max", "db", 5)]).toEqual([38, 400]);
    expect(at("db.server.idle_sessions", "db", 5)).toBe(12);
  });

  it("count down to the end of the certificate that is shown", () => {
    expect(at("httpcheck.tls.cert_remaining", "db", 3)).toBe(36_000 - 60);
  });
});

describe("what looks on from outside", () => {
  const users = { offered: 100, failed: 20, slow: 8, latencyMean: 0.4, latencySd: 0.2 };
  const run = metricsOf({ users: { front: users }, nodes: { orders: { ...ORDERS, throttled: 0.2 } } }, { ticks: 240 });
  const mean = (metric: string, service = "front") => meanOf(measured(points(run, { metric, service, to: 240 })));

  it("checks each zone every 15 s: four in five checks succeed when one in five requests fails", () => {
    const checks = measured(points(run, { metric: "httpcheck.status", service: "front", to: 240 }));
    expect(checks.every((value) => [0, 0.5, 1].includes(value))).toBe(true);
    expect(Math.abs(meanOf(checks) - 0.8)).toBeLessThan(4 * Math.sqrt(0.16 / 480));
  });

  it("takes as long as a user's request, in whole milliseconds for each zone", () => {
    expect(Math.abs(mean("httpcheck.duration") - 400)).toBeLessThan((4 * 200) / Math.sqrt(480));
  });

  it("sees users' failures, and lateness among what was answered", () => {
    expect(Math.abs(mean("rum.request.rate") - 200)).toBeLessThan(1);
    expect(Math.abs(mean("rum.request.error_ratio") - 0.2)).toBeLessThan(0.003);
    expect(Math.abs(mean("rum.request.slow_ratio") - 0.1)).toBeLessThan(0.003);
  });

  it("loses readings of its own, not those of the services", () => {
    const blind = metricsOf({ users: { front: users } }, { journal: [scrapeLoss("front", 1)] });
    expect(measured(points(blind, { metric: "rum.request.rate", service: "front" })).length).toBeGreaterThan(95);
    expect(measured(points(blind, { metric: "http.server.request.rate", service: "front" }))).toEqual([]);
  });

  it("counts throttled periods: 150 a replica and tick", () => {
    const ratio = measured(points(run, { metric: "container.cpu.throttled_ratio", service: "orders", to: 240 }));
    // Two replicas in each of two zones.
    expect(Math.abs(meanOf(ratio) - 0.2)).toBeLessThan(4 * Math.sqrt(0.16 / 600 / 240));
    expect(ratio.every((value) => Number.isInteger(Math.round(value * 600 * 1e6) / 1e6))).toBe(true);
  });
});

describe("an autoscaler", () => {
  it("shows what it wants and how far it may go; services without one show nothing", () => {
    const services = shop.services.map((each) =>
      each.name === "worker" ? { ...each, parameters: { scaleMin: 1, scaleMax: 6 } } : each,
    );
    const run = metricsOf({ nodes: { worker: { ready: 2, starting: 3 } } }, { spec: { ...shop, services } });
    expect(run.value("k8s.hpa.desired_pods", "worker", 5)).toBe(5);
    expect(run.value("k8s.hpa.max_pods", "worker", 5)).toBe(6);
    expect(() => run.value("k8s.hpa.max_pods", "orders", 5)).toThrow(QueryError);
  });
});

describe("versions", () => {
  const canary: SystemEvent = {
    kind: "deployed",
    deployable: "orders",
    version: "v2",
    share: 0.1,
    tick: 40,
    origin: "routine",
  };
  const run = metricsOf(
    {
      nodes: {
        orders: {
          ready: ({ cohort, tick }) => (cohort === 0 || tick >= 40 ? 1 : 0),
          served: ({ cohort }) => (cohort ? 5 : 95),
          failed: ({ cohort, tick }) => (cohort && tick >= 40 ? 5 : 0),
        },
      },
    },
    { journal: [ORDERS_WELL, canary] },
  );

  it("part a canary's errors from those of the rest", () => {
    const { series } = run.query({
      metric: "http.server.request.error_ratio",
      service: "orders",
      by: ["service.version"],
      from: 0,
      to: 100,
    });
    expect(series.map((each) => each.attributes)).toEqual([{ "service.version": "v1" }, { "service.version": "v2" }]);
    const [old, young] = series;
    expect(Math.max(...measured(old?.points ?? []))).toBe(0);
    expect(measured(young?.points.slice(0, 40) ?? [])).toEqual([]);
    expect(Math.abs(meanOf(measured(young?.points.slice(40) ?? [])) - 0.5)).toBeLessThan(0.02);
  });

  it("can be asked for one by one", () => {
    const where = { "service.version": "v2" } as const;
    const rates = points(run, { metric: "http.server.request.rate", service: "orders", where });
    expect(measured(rates.slice(0, 40))).toEqual([]);
    expect(Math.abs(meanOf(measured(rates.slice(40))) - 20)).toBeLessThan(0.6);
  });
});

describe("answers are bounded and say so", () => {
  const run = metricsOf({ nodes: { orders: ORDERS } }, { ticks: 1000 });

  it("points: a longer time gets wider steps", () => {
    const answer = run.query({ metric: "up", service: "orders", from: 0, to: 1000 });
    expect(answer.series[0]?.points.length).toBeLessThanOrEqual(MOST_POINTS);
    expect(answer.step).toBe(5);
    expect(answer.cut).toEqual([
      "A point covers 5 ticks instead of 1, since a series has at most 240 points; ask for a shorter time to see more.",
    ]);
  });

  it("series: those left out are counted, with how to narrow", () => {
    // Three callees that are stores or none: cache and db, two zones, nine outcomes of which one has no error.
    const by = ["server.address", "cloud.availability_zone", "error.type"] as const;
    const answer = run.query({ metric: "db.client.operation.rate", service: "orders", by, from: 0, to: 1 });
    expect(answer.series).toHaveLength(MOST_SERIES);
    expect(answer.cut).toEqual([
      "12 of 36 series are left out; filter by server.address or cloud.availability_zone or error.type, or group by less.",
    ]);
  });

  it("time: what has not happened yet is not shown", () => {
    const answer = run.query({ metric: "up", service: "orders", from: 990, to: 2000 });
    expect(answer.to).toBe(1000);
    expect(answer.cut).toEqual(["Ticks from 1000 on have not happened yet."]);
    expect(run.value("up", "orders", 1000)).toBeNull();
  });

  it("nothing is cut where all is shown", () => {
    expect(run.query({ metric: "up", service: "orders", from: 0, to: 100 }).cut).toEqual([]);
    expect(run.catalogue().cut).toEqual([]);
  });

  it.each([
    [
      { metric: "up", service: "nobody" },
      "There is no service nobody; the services are cache, db, front, jobs, orders, vendor, worker.",
    ],
    [
      { metric: "up", service: "vendor" },
      "vendor is run by others and shows no metrics; look at those of its callers.",
    ],
    [
      { metric: "up", service: "db", by: ["error.type"] },
      "up has no attribute error.type; it has cloud.availability_zone.",
    ],
    [
      { metric: "up", service: "db", where: { "cloud.availability_zone": "z" } },
      "No series of up of db has cloud.availability_zone z; list the metric to see the values there are.",
    ],
    [
      { metric: "up", service: "db", from: 9, to: 9 },
      "There is nothing from tick 9 to 9; 1000 ticks have happened, the first is 0.",
    ],
  ] as [Partial<SeriesQuery> & { metric: string; service: string }, string][])("refuses %j", (query, message) => {
    expect(() => run.query({ from: 0, to: 10, ...query })).toThrow(new QueryError(message));
  });

  it("refuses a metric that a service has not, and names those it has", () => {
    expect(() => run.query({ metric: "cache.hit_ratio", service: "worker", from: 0, to: 1 })).toThrow(
      /^worker has no metric cache\.hit_ratio; it has messaging\.process\.rate, /,
    );
  });

  it("repeats no more of a name than a sentence can bear", () => {
    const long = "x".repeat(1e5);
    const refused = (query: Partial<SeriesQuery>) => {
      try {
        run.query({ metric: "up", service: "db", from: 0, to: 1, ...query });
      } catch (error) {
        return (error as Error).message;
      }
      return "";
    };
    const messages = [refused({ metric: long }), refused({ service: long }), refused({ where: { shard: long } })];
    for (const message of messages) {
      expect(message.length).toBeGreaterThan(10);
      expect(message.length).toBeLessThan(2000);
    }
  });
});

describe("the catalogue", () => {
  const run = metricsOf({});
  const names = (service: string) => run.catalogue({ service }).metrics.map((each) => each.metric);

  it("lists for a service what its kind and its calls have", () => {
    expect(names("worker")).toContain("messaging.process.duration.p99");
    expect(names("worker").some((name) => name.startsWith("http.server"))).toBe(false);
    expect(names("orders")).toContain("http.client.request.rate");
    expect(names("front")).toContain("rum.request.error_ratio");
    expect(names("orders")).not.toContain("rum.request.error_ratio");
    expect(names("jobs")).toContain("messaging.queue.depth");
    expect(names("vendor")).toEqual([]);
  });

  it("gives the values that series can be filtered by", () => {
    const [found] = run.catalogue({ service: "orders", contains: "db.client.operation.rate" }).metrics;
    expect(found?.attributes["server.address"]).toEqual(["cache", "db"]);
    expect(found?.attributes["cloud.availability_zone"]).toEqual(["a", "b"]);
    expect(found?.attributes["service.version"]).toEqual(["v1"]);
    expect(found?.unit).toBe("{operation}/s");
    expect(found?.source).toMatch(/^https:\/\/opentelemetry\.io\//);
  });

  it("has every metric it lists answered", () => {
    for (const { metric, service } of run.catalogue().metrics)
      expect(run.query({ metric, service, from: 10, to: 12 }).series[0]?.points).toHaveLength(2);
  });

  it("says what it left out of a large system", () => {
    const services = Array.from({ length: 9 }, (_, i) =>
      shop.services.map((each) => ({ ...each, name: `${each.name}-${i}` })),
    );
    const large = new Metrics(
      fakeRun({}, { spec: { ...shop, services: services.flat(), calls: [], deployables: [] } }),
    );
    const { metrics, total, cut } = large.catalogue();
    expect(metrics).toHaveLength(200);
    expect(cut).toEqual([
      `${total - 200} of ${total} metrics are left out; name a service, or a part of the metric's name.`,
    ]);
  });
});
