/**
 * What a metric tells about a fault, as on-call handbooks have it: a full disk shows on the disk, a leak in memory that climbs
 * and falls with restarts, a bad version in errors that one version has and the other has not. Thresholds are the usual
 * alerting levels, not the simulator's.
 */
import type { Mechanism } from "../../mechanisms";
import type { EvidenceItem } from "../../observation";
import { type Shape, shapeOf } from "./shapes";

type HistoryItem = Extract<EvidenceItem, { kind: "history" }>;

/** A sign of a mechanism on a service. */
export interface Sign {
  readonly item: string;
  readonly service: string;
  readonly mechanism: Mechanism;
  /** Minute from which it shows. */
  readonly since: number;
  /** 0..1: from "could also be an effect" to "is the thing itself". */
  readonly strength: number;
}

type Reading = (whole: Shape, parts: readonly Shape[]) => readonly [Mechanism, number] | null;

/** Metric name, or its ending when it begins with a dot, and how it is read. */
const READINGS: readonly (readonly [string, Reading])[] = [
  ["system.filesystem.utilization", (s) => (above(s, 0.95) ? ["disk_full", 1] : null)],
  ["system.disk.write_error_ratio", (s) => (above(s, 0.02) ? ["disk_full", 0.9] : null)],
  // It climbs to the limit and falls back when the process is killed, again and again.
  [
    "container.memory.utilization",
    (s) => (s.highest >= 0.88 && s.highest - s.lowest >= 0.15 ? ["memory_leak", 0.9] : null),
  ],
  ["k8s.container.restarts", (s) => (grew(s, 1) ? ["memory_leak", 0.6] : null)],
  ["k8s.container.cpu_limit", (s) => (fellTo(s, 0.9) ? ["cpu_throttling", 1] : null)],
  ["container.cpu.throttled_ratio", (s) => (above(s, 0.3) && grew(s, 0.15) ? ["cpu_throttling", 0.9] : null)],
  ["db.client.connection.utilization", (s) => (above(s, 0.93) ? ["pool_exhaustion", 0.6] : null)],
  ["db.client.connection.pending_requests", (s) => (above(s, 2) && grew(s, 2) ? ["pool_exhaustion", 0.6] : null)],
  ["db.lock.wait_time.p95", (s) => (above(s, 20) && times(s, 4) ? ["lock_contention", 1] : null)],
  ["db.transaction.oldest_age", (s) => (above(s, 60) && times(s, 4) ? ["lock_contention", 0.9] : null)],
  ["cache.hit_ratio", (s) => (fellTo(s, 0.96) ? ["cache_loss", 1] : null)],
  ["cache.keys", (s) => (fellTo(s, 0.92) ? ["cache_loss", 0.9] : null)],
  ["messaging.redelivered_ratio", (s) => (above(s, 0.1) && times(s, 3) ? ["poison_messages", 0.9] : null)],
  ["messaging.head.delivery_count", (s) => (above(s, 2.2) && times(s, 1.8) ? ["poison_messages", 0.95] : null)],
  ["db.replication.lag", (s) => (above(s, 10) && times(s, 5) ? ["replication_lag", 1] : null)],
  ["db.replication.backlog", (s) => (above(s, 15) && times(s, 5) ? ["replication_lag", 0.9] : null)],
  ["network.packet.loss_ratio", (_, parts) => (parts.some((s) => above(s, 0.02)) ? ["network_loss", 1] : null)],
  ["tcp.retransmit_ratio", (s) => (above(s, 0.03) && times(s, 4) ? ["network_loss", 0.9] : null)],
  ["tls.handshake.error_ratio", (s) => (above(s, 0.05) ? ["certificate_expired", 0.9] : null)],
  ["tls.certificate.remaining", (s) => (s.trough !== null && s.trough <= 0.1 ? ["certificate_expired", 1] : null)],
  ["dns.lookup.failure_ratio", (s) => (above(s, 0.02) ? ["dns_failure", 1] : null)],
  ["dns.answer.nxdomain_rate", (s) => (times(s, 2) ? ["dns_failure", 0.9] : null)],
  ["http.server.distinct_clients", (s) => (times(s, 1.35) ? ["traffic_surge", 0.9] : null)],
  ["http.client.duration.p95", (s) => (times(s, 1.8) ? ["third_party_slow", 0.9] : null)],
  ["http.client.error_ratio", (s) => (above(s, 0.02) && times(s, 3) ? ["third_party_slow", 0.9] : null)],
  [".error_ratio", (_, parts) => byPart(parts, 0.02, 2.5)],
  [".duration.p95", (_, parts) => byPart(parts, 0, 1.6)],
];

const READING_OF = new Map<string, Reading | null>();

function readingOf(metric: string): Reading | null {
  let reading = READING_OF.get(metric);
  if (reading === undefined) {
    const found =
      READINGS.find(([name]) => name === metric) ?? READINGS.find(([name]) => name[0] === "." && metric.endsWith(name));
    reading = found?.[1] ?? null;
    READING_OF.set(metric, reading);
  }
  return reading;
}

type Found = { readonly mechanism: Mechanism; readonly strength: number; readonly since: number } | "none";
const SIGNS = new WeakMap<HistoryItem["series"], Found>();

/** The sign a read history shows, or null. */
export function signOf(item: HistoryItem): Sign | null {
  let found = SIGNS.get(item.series);
  if (found === undefined) {
    found = read(item);
    SIGNS.set(item.series, found);
  }
  return found === "none" ? null : { item: item.id, service: item.service, ...found };
}

function read({ series, metric, minute }: HistoryItem): Found {
  const parts = series.map(shapeOf);
  const whole = parts.find((part) => part.facet === "") ?? parts[0];
  if (!whole) return "none";
  const told = isDark(whole, minute) ? DARK : readingOf(metric)?.(whole, parts);
  return told ? { mechanism: told[0], strength: told[1], since: whole.turned } : "none";
}

/** Where a metric that was measured before shows nothing any more, nobody can tell. */
const DARK = ["undetermined", 0.4] as const;
const DARK_MINUTES = 5;

function isDark(whole: Shape, minute: number): boolean {
  return whole.before !== null && whole.until < minute - DARK_MINUTES;
}

/** Which part of a service alone is bad: one version, or one configuration. */
function byPart(parts: readonly Shape[], least: number, ratio: number): readonly [Mechanism, number] | null {
  for (const [key, mechanism] of PARTS) {
    let best = Number.POSITIVE_INFINITY;
    let worst = 0;
    let count = 0;
    for (const part of parts) {
      if (part.peak === null || !part.facet.startsWith(key)) continue;
      count++;
      best = Math.min(best, part.peak);
      worst = Math.max(worst, part.peak);
    }
    if (count >= 2 && worst > least && worst > ratio * best) return [mechanism, 1];
  }
  return null;
}

const PARTS = [
  ["version=", "bad_deploy"],
  ["config=", "bad_config"],
] as const;

const above = (s: Shape, level: number) => s.peak !== null && s.peak >= level;
const grew = (s: Shape, by: number) => s.peak !== null && s.before !== null && s.peak - s.before >= by;
const fellTo = (s: Shape, share: number) => s.trough !== null && s.before !== null && s.trough < share * s.before;
const times = (s: Shape, factor: number) =>
  s.peak !== null && s.before !== null && s.peak > factor * s.before && s.peak > 0;

/** What a mechanism is mistaken for: metrics of the same service that would show the other one. */
const MISTAKEN: Partial<Record<Mechanism, readonly string[]>> = {
  third_party_slow: ["network.packet.loss_ratio", "tls.handshake.error_ratio"],
  certificate_expired: ["network.packet.loss_ratio"],
  network_loss: ["tls.handshake.error_ratio"],
  lock_contention: ["system.filesystem.utilization"],
  disk_full: ["db.lock.wait_time.p95", "messaging.head.delivery_count"],
  poison_messages: ["system.filesystem.utilization"],
  cache_loss: ["network.packet.loss_ratio"],
  replication_lag: ["network.packet.loss_ratio"],
  memory_leak: ["container.cpu.throttled_ratio"],
  cpu_throttling: ["container.memory.utilization"],
  traffic_surge: ["container.cpu.throttled_ratio"],
};

/** Metrics of a service to read before a sign of `mechanism` on it is believed. */
export function mistakenFor(mechanism: Mechanism, metrics: readonly string[]): readonly string[] {
  return MISTAKEN[mechanism]?.filter((metric) => metrics.includes(metric)) ?? [];
}

/** As `mistakenFor`, for metrics of a service that calls it. */
export function mistakenAbove(mechanism: Mechanism): readonly string[] {
  return mechanism === "dns_failure" ? ["network.packet.loss_ratio"] : [];
}
