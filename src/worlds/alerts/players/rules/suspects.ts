/** Which services to look at, and which of their metrics, from the list of alerts and the service graph. */
import type { ChangeEvent } from "../../draw";
import type { AlertRow } from "../../observation";
import type { ServiceNetwork } from "./network";

/** Words in an alert's name, and the metric that shows what it is about. */
const HINTS: readonly (readonly [string, string])[] = [
  ["disk", "system.filesystem.utilization"],
  ["filesystem", "system.filesystem.utilization"],
  ["write", "system.filesystem.utilization"],
  ["memory", "container.memory.utilization"],
  ["restart", "container.memory.utilization"],
  ["oom", "container.memory.utilization"],
  ["throttl", "k8s.container.cpu_limit"],
  ["cpu", "k8s.container.cpu_limit"],
  ["pool", "db.client.connection.utilization"],
  ["connection", "db.client.connection.utilization"],
  ["lock", "db.lock.wait_time.p95"],
  ["transaction", "db.transaction.oldest_age"],
  ["hit", "cache.hit_ratio"],
  ["cache", "cache.hit_ratio"],
  ["redeliver", "messaging.head.delivery_count"],
  ["queue", "messaging.head.delivery_count"],
  ["backlog", "messaging.head.delivery_count"],
  ["lag", "db.replication.lag"],
  ["replic", "db.replication.lag"],
  ["packet", "network.packet.loss_ratio"],
  ["loss", "network.packet.loss_ratio"],
  ["retransmit", "network.packet.loss_ratio"],
  ["cert", "tls.certificate.remaining"],
  ["tls", "tls.certificate.remaining"],
  ["handshake", "tls.certificate.remaining"],
  ["lookup", "dns.lookup.failure_ratio"],
  ["dns", "dns.lookup.failure_ratio"],
  ["nxdomain", "dns.lookup.failure_ratio"],
];

/** What is looked at on a kind of service when names tell nothing, most telling first. */
const USUAL: Readonly<Record<string, readonly string[]>> = {
  edge: [
    "http.server.rate",
    "tls.certificate.remaining",
    "network.packet.loss_ratio",
    "k8s.container.cpu_limit",
    "http.server.error_ratio",
  ],
  cdn: ["tls.certificate.remaining", "network.packet.loss_ratio", "http.server.rate", "http.server.error_ratio"],
  dns: ["dns.lookup.failure_ratio"],
  api: [
    "http.server.error_ratio",
    "container.memory.utilization",
    "db.client.connection.utilization",
    "k8s.container.cpu_limit",
    "network.packet.loss_ratio",
    "tls.certificate.remaining",
    "http.server.duration.p95",
  ],
  worker: [
    "messaging.redelivered_ratio",
    "container.memory.utilization",
    "messaging.process.error_ratio",
    "k8s.container.cpu_limit",
    "db.client.connection.utilization",
  ],
  queue: ["messaging.head.delivery_count", "system.filesystem.utilization", "messaging.publish.rate"],
  cache: ["cache.hit_ratio", "container.memory.utilization", "network.packet.loss_ratio"],
  database: ["db.lock.wait_time.p95", "system.filesystem.utilization", "network.packet.loss_ratio", "db.query.rate"],
  replica: [
    "db.replication.lag",
    "system.filesystem.utilization",
    "db.lock.wait_time.p95",
    "network.packet.loss_ratio",
  ],
  third_party: ["http.client.duration.p95", "http.client.error_ratio", "tls.certificate.remaining"],
};

/** What a change of a kind may have broken, as endings of metric names. */
const AFTER_CHANGE: Readonly<Record<string, readonly string[]>> = {
  deploy: [".error_ratio"],
  config: [".error_ratio", "dns.lookup.failure_ratio"],
  flag: [".error_ratio"],
  scale: ["k8s.container.cpu_limit"],
  migration: ["db.lock.wait_time.p95"],
  job: ["db.lock.wait_time.p95", "db.replication.lag"],
  restart: ["cache.hit_ratio", "container.memory.utilization"],
  certificate: ["tls.certificate.remaining"],
};
/** Minutes before the first alert in which a change can have caused it. */
const CHANGE_LEAD = 45;

/** A service and the metrics to read of it, most telling first. */
export interface Suspect {
  readonly service: string;
  readonly metrics: readonly string[];
}

/**
 * Services worth a look, best first: a service with alerts that stands behind others with alerts explains them, and what
 * alerts name directly comes before what is merely usual. Silent dependencies of loud services come last.
 */
export function suspects(
  rows: readonly AlertRow[],
  changes: readonly ChangeEvent[],
  network: ServiceNetwork,
): Suspect[] {
  const names = new Map<string, string[]>();
  for (const row of rows) names.set(row.service, [...(names.get(row.service) ?? []), row.name.toLowerCase()]);
  const loud = [...names.keys()];
  const candidates = new Set(loud);
  for (const service of loud) for (const needed of network.get(service)?.dependsOn ?? []) candidates.add(needed);
  return [...candidates]
    .map((service, place) => {
      const alerts = names.get(service) ?? [];
      const named = hintsIn(alerts);
      const changed = changedMetrics(service, changes, network);
      const explained = loud.filter((other) => network.needs(other).has(service)).length;
      const score = explained + (alerts.length > 0 ? 2 : 0) + (named.length > 0 ? 2 : 0) + (changed.length > 0 ? 2 : 0);
      return { service, metrics: metricsFor(service, [...named, ...changed], network), score, place };
    })
    .filter(({ metrics }) => metrics.length > 0)
    .sort((a, b) => b.score - a.score || a.place - b.place);
}

function hintsIn(names: readonly string[]): string[] {
  return HINTS.filter(([word]) => names.some((name) => name.includes(word))).map(([, metric]) => metric);
}

function changedMetrics(service: string, changes: readonly ChangeEvent[], network: ServiceNetwork): string[] {
  const metrics = network.get(service)?.metrics ?? [];
  return changes
    .filter((change) => change.service === service && change.minute > 0 - CHANGE_LEAD)
    .flatMap((change) => AFTER_CHANGE[change.kind] ?? [])
    .flatMap((ending) => metrics.filter((metric) => metric.endsWith(ending)));
}

function metricsFor(service: string, hinted: readonly string[], network: ServiceNetwork): string[] {
  const known = network.get(service);
  if (!known) return [];
  return [...new Set([...hinted, ...(USUAL[known.kind] ?? [])])].filter((metric) => known.metrics.includes(metric));
}
