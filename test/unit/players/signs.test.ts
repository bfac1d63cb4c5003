import { describe, expect, it } from "vitest";
import type { HistorySeries } from "../../../src/worlds/alerts/draw";
import { shapeOf } from "../../../src/worlds/alerts/players/rules/shapes";
import { signOf } from "../../../src/worlds/alerts/players/rules/signs";

function series(values: readonly (number | null)[], facet = "", metric = "m"): HistorySeries {
  return { service: "s", metric, unit: "", facet, minutes: values.map((_, i) => i - values.length), values };
}

function history(metric: string, ...parts: HistorySeries[]) {
  return { id: "h1", kind: "history", minute: 0, service: "s", metric, series: parts, cut: null } as const;
}

/** Twelve points, the first half of them quiet. */
const step = (before: number, after: number) => [
  before,
  before,
  before,
  before,
  before,
  before,
  after,
  after,
  after,
  after,
  after,
  after,
];

describe("the shape of a series", () => {
  it("is its mean in the first quarter, its extremes, and what lasts for four points", () => {
    // Highest mean of four neighbouring measured points: (9 + 9 + 6 + 8) / 4 = 8; lowest: (1 + 2 + 3 + 9) / 4 = 3.75.
    const shape = shapeOf(series([1, 2, 3, 9, null, 9, 9, 0, 9, 9, 6, 8]));
    expect(shape.peak).toBeCloseTo(8, 12);
    expect(shape.trough).toBeCloseTo(3.75, 12);
    expect(shape).toMatchObject({ before: 2, highest: 9, lowest: 0, until: -1 });
  });

  it("has no level where nothing was measured", () => {
    expect(shapeOf(series([null, null, null, null]))).toMatchObject({ before: null, peak: null, trough: null });
    expect(shapeOf(series([]))).toMatchObject({ before: null, peak: null, trough: null });
  });
});

describe("the sign of a metric", () => {
  it.each([
    ["system.filesystem.utilization", step(0.7, 0.97), "disk_full"],
    ["container.memory.utilization", [0.5, 0.5, 0.5, 0.6, 0.8, 0.95, 0.5, 0.7, 0.95, 0.5, 0.7, 0.94], "memory_leak"],
    ["k8s.container.cpu_limit", step(2, 0.5), "cpu_throttling"],
    ["db.lock.wait_time.p95", step(1, 400), "lock_contention"],
    ["cache.hit_ratio", step(0.92, 0.3), "cache_loss"],
    ["messaging.head.delivery_count", step(1, 40), "poison_messages"],
    ["db.replication.lag", step(0.5, 90), "replication_lag"],
    ["dns.lookup.failure_ratio", step(0, 0.3), "dns_failure"],
    ["tls.certificate.remaining", step(0.1, -0.2), "certificate_expired"],
  ] as const)("%s names its mechanism", (metric, values, mechanism) => {
    expect(signOf(history(metric, series(values)))?.mechanism).toBe(mechanism);
  });

  it.each([
    ["system.filesystem.utilization", step(0.7, 0.71)],
    ["container.memory.utilization", step(0.6, 0.62)],
    ["cache.hit_ratio", step(0.92, 0.91)],
    ["db.lock.wait_time.p95", step(1, 1.2)],
    ["http.server.rate", step(100, 105)],
  ] as const)("%s tells nothing when it stays as it was", (metric, values) => {
    expect(signOf(history(metric, series(values)))).toBeNull();
  });

  it("is a bad version when one version fails and the other does not", () => {
    const parts = [
      series(step(0.001, 0.06)),
      series(step(0.001, 0.001), "version=1.4.0"),
      series(step(0.001, 0.12), "version=1.5.0"),
    ];
    expect(signOf(history("http.server.error_ratio", ...parts))?.mechanism).toBe("bad_deploy");
  });

  it("is no bad version when both versions fail alike", () => {
    const parts = [
      series(step(0.001, 0.06)),
      series(step(0.001, 0.06), "version=1.4.0"),
      series(step(0.001, 0.062), "version=1.5.0"),
    ];
    expect(signOf(history("http.server.error_ratio", ...parts))).toBeNull();
  });
});
