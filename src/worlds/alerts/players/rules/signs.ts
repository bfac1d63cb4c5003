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
  /** 0..1: from "could also be an effect" to "is the thing itself". */
  readonly strength: number;
}

type Reading = (whole: Shape, parts: readonly Shape[]) => readonly [Mechanism, number] | null;

/** Metric name, or its ending when it begins with a dot, and how it is read. */
const READINGS: readonly (readonly [string, Reading])[] = [
  [
    "system.filesystem.utilization",
    (s) => (above(s, 0.95) || (above(s, 0.88) && grew(s, 0.04)) ? ["disk_full", 1] : null),
  ],
  ["system.disk.write_error_ratio", (s) => (s.highest >= 0.02 ? ["disk_full", 0.9] : null)],
  ["container.memory.utilization", (s) => (s.highest >= 0.85 && climbed(s, 0.12) ? ["memory_leak", 0.9] : null)],
  ["k8s.container.restarts", (s) => (grew(s, 2) ? ["memory_leak", 0.5] : null)],
  ["k8s.container.cpu_limit", (s) => (fellTo(s, 0.9) ? ["cpu_throttling", 1] : null)],
  ["container.cpu.throttled_ratio", (s) => (above(s, 0.3) && grew(s, 0.15) ? ["cpu_throttling", 0.9] : null)],
  ["db.client.connection.utilization", (s) => (above(s, 0.95) ? ["pool_exhaustion", 0.6] : null)],
  ["db.client.connection.pending_requests", (s) => (above(s, 1) && grew(s, 1) ? ["pool_exhaustion", 0.6] : null)],
  ["db.lock.wait_time.p95", (s) => (above(s, 20) && times(s, 4) ? ["lock_contention", 0.9] : null)],
  ["db.transaction.oldest_age", (s) => (above(s, 60) && times(s, 4) ? ["lock_contention", 1] : null)],
  ["cache.hit_ratio", (s) => (dropped(s, 0.05) ? ["cache_loss", 1] : null)],
  ["cache.keys", (s) => (fellTo(s, 0.9) ? ["cache_loss", 0.9] : null)],
  ["messaging.redelivered_ratio", (s) => (above(s, 0.1) && times(s, 3) ? ["poison_messages", 0.9] : null)],
  ["messaging.head.delivery_count", (s) => (above(s, 3) && times(s, 2) ? ["poison_messages", 1] : null)],
  ["db.replication.lag", (s) => (above(s, 10) && times(s, 5) ? ["replication_lag", 0.9] : null)],
  ["db.replication.backlog", (s) => (times(s, 5) ? ["replication_lag", 0.9] : null)],
  ["network.packet.loss_ratio", (_, parts) => (parts.some((s) => above(s, 0.02)) ? ["network_loss", 1] : null)],
  ["tcp.retransmit_ratio", (s) => (above(s, 0.03) && times(s, 4) ? ["network_loss", 0.9] : null)],
  ["tls.handshake.error_ratio", (s) => (above(s, 0.05) ? ["certificate_expired", 0.9] : null)],
  ["tls.certificate.remaining", (s) => (s.now !== null && s.lowest <= 0 ? ["certificate_expired", 1] : null)],
  ["dns.lookup.failure_ratio", (s) => (above(s, 0.02) ? ["dns_failure", 1] : null)],
  ["dns.answer.nxdomain_rate", (s) => (times(s, 2) ? ["dns_failure", 0.9] : null)],
  [".rate", (s) => (times(s, 1.35) ? ["traffic_surge", 0.7] : null)],
  ["http.server.distinct_clients", (s) => (times(s, 1.35) ? ["traffic_surge", 0.9] : null)],
  ["http.client.duration.p95", (s) => (times(s, 1.8) ? ["third_party_slow", 0.9] : null)],
  ["http.client.error_ratio", (s) => (above(s, 0.02) && times(s, 3) ? ["third_party_slow", 0.9] : null)],
  [".error_ratio", (s, parts) => (above(s, 0.003) || s.highest > 0.01 ? byPart(parts, 0.01) : null)],
  [".duration.p95", (_, parts) => byPart(parts, 0)],
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

const SIGNS = new WeakMap<HistoryItem["series"], readonly [Mechanism, number] | "none">();

/** The sign a read history shows, or null. */
export function signOf(item: HistoryItem): Sign | null {
  let found = SIGNS.get(item.series);
  if (found === undefined) {
    const parts = item.series.map(shapeOf);
    const whole = parts.find((part) => part.facet === "") ?? parts[0];
    const reading = readingOf(item.metric);
    found = whole && isDark(whole, item.minute) ? DARK : (whole && reading?.(whole, parts)) || "none";
    SIGNS.set(item.series, found);
  }
  if (found === "none") return null;
  return { item: item.id, service: item.service, mechanism: found[0], strength: found[1] };
}

/** Where a metric that was measured before shows nothing any more, nobody can tell. */
const DARK = ["undetermined", 0.4] as const;
const DARK_MINUTES = 5;

function isDark(whole: Shape, minute: number): boolean {
  return whole.before !== null && whole.until < minute - DARK_MINUTES;
}

/** Which part of a service alone is bad: one version, one configuration, one zone. */
function byPart(parts: readonly Shape[], least: number): readonly [Mechanism, number] | null {
  for (const [key, mechanism] of PARTS) {
    const own = parts.filter((part) => part.facet.startsWith(key) && part.now !== null);
    if (own.length < 2) continue;
    const levels = own.map((part) => part.now ?? 0).sort((a, b) => a - b);
    const [best, worst] = [levels[0] ?? 0, levels[levels.length - 1] ?? 0];
    if (worst > least && worst > PART_RATIO * best) return [mechanism, 1];
  }
  return null;
}

/** How many times worse one part is than another before it is to blame. */
const PART_RATIO = 1.8;
const PARTS = [
  ["version=", "bad_deploy"],
  ["config=", "bad_config"],
  ["zone=", "network_loss"],
] as const;

const above = (s: Shape, level: number) => s.now !== null && s.now >= level;
const grew = (s: Shape, by: number) => s.now !== null && s.before !== null && s.now - s.before >= by;
const climbed = (s: Shape, by: number) => s.before !== null && s.highest - s.before >= by;
const dropped = (s: Shape, by: number) => s.before !== null && s.before - s.lowest >= by;
const fellTo = (s: Shape, share: number) => s.before !== null && s.lowest < share * s.before;
const times = (s: Shape, factor: number) =>
  s.now !== null && s.before !== null && s.now > factor * s.before && s.now > 0;

/** The second metric that bears a mechanism out. */
const CONFIRMING: Partial<Record<Mechanism, readonly string[]>> = {
  disk_full: ["system.disk.write_error_ratio", "system.filesystem.utilization"],
  memory_leak: ["k8s.container.restarts", "container.memory.utilization"],
  cpu_throttling: ["container.cpu.throttled_ratio", "k8s.container.cpu_limit"],
  pool_exhaustion: ["db.client.connection.pending_requests", "db.client.connection.utilization"],
  lock_contention: ["db.transaction.oldest_age", "db.lock.wait_time.p95"],
  cache_loss: ["cache.keys", "cache.hit_ratio"],
  poison_messages: ["messaging.redelivered_ratio", "messaging.head.delivery_count"],
  replication_lag: ["db.replication.backlog", "db.replication.lag"],
  network_loss: ["tcp.retransmit_ratio", "network.packet.loss_ratio"],
  certificate_expired: ["tls.handshake.error_ratio", "tls.certificate.remaining"],
  dns_failure: ["dns.answer.nxdomain_rate", "dns.lookup.failure_ratio"],
  third_party_slow: ["http.client.error_ratio", "http.client.duration.p95"],
  traffic_surge: ["http.server.distinct_clients", "http.server.rate"],
};

/** A metric of the service that would confirm a sign and is not the one that gave it; null when there is none. */
export function confirming(mechanism: Mechanism, metrics: readonly string[], read: ReadonlySet<string>): string | null {
  return CONFIRMING[mechanism]?.find((metric) => metrics.includes(metric) && !read.has(metric)) ?? null;
}
