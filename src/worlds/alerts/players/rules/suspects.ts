/** Which services to look at, and which of their metrics, from the alerts of a burst, the changes and the service graph. */
import type { ChangeEvent, ImpactReading } from "../../draw";
import type { AlertRow, GraphService } from "../../observation";
import { type Desk, isHurt } from "./desk";
import type { ServiceNetwork } from "./network";

/** What is looked at on a kind of service, most telling first. */
const USUAL: Readonly<Record<string, readonly string[]>> = {
  edge: ["http.server.distinct_clients", "tls.handshake.error_ratio"],
  cdn: [],
  dns: ["dns.lookup.failure_ratio"],
  api: [
    "http.server.distinct_clients",
    "network.packet.loss_ratio",
    "db.client.connection.utilization",
    "tls.handshake.error_ratio",
    "container.memory.utilization",
  ],
  worker: ["container.memory.utilization", "db.client.connection.utilization"],
  queue: ["messaging.head.delivery_count", "system.filesystem.utilization", "network.packet.loss_ratio"],
  cache: ["cache.hit_ratio", "network.packet.loss_ratio"],
  database: ["db.lock.wait_time.p95", "system.filesystem.utilization", "network.packet.loss_ratio"],
  replica: ["db.replication.lag", "network.packet.loss_ratio"],
  third_party: ["http.client.duration.p95"],
};

/** Where a change of a kind shows when it broke something. */
const AFTER_CHANGE: Readonly<Record<string, readonly string[]>> = {
  deploy: ["http.server.error_ratio", "messaging.process.error_ratio"],
  config: ["http.server.error_ratio"],
  flag: ["http.server.error_ratio"],
  scale: ["k8s.container.cpu_limit"],
};

/** Words in an alert's name that name a metric of its service outright. */
const NAMED: readonly (readonly [string, string])[] = [
  ["Memory", "container.memory.utilization"],
  ["Throttled", "k8s.container.cpu_limit"],
  ["Pool", "db.client.connection.utilization"],
  ["Lock", "db.lock.wait_time.p95"],
  ["HitRatio", "cache.hit_ratio"],
  ["Filesystem", "system.filesystem.utilization"],
  ["Packet", "network.packet.loss_ratio"],
  ["LookupFail", "dns.lookup.failure_ratio"],
  ["Redelivery", "messaging.head.delivery_count"],
  ["ReplicationLag", "db.replication.lag"],
  ["RateHigh", "http.server.distinct_clients"],
];

/** A metric worth reading; a smaller rank is read first. */
export interface Lead {
  readonly service: string;
  readonly metric: string;
  readonly rank: number;
}

/** How much each further metric of a service waits behind the first ones of others. */
const NEXT_METRIC = 0.08;
/** Worth of an alert that names the metric, of a change on the service, and of alerts on it at all. */
const NAMED_WORTH = 0.5;
const CHANGED_WORTH = 0.45;
const LOUD_WORTH = 0.15;

/**
 * Metrics to read, best first. A service is suspect by the share of the burst that stands before it in the graph: what all
 * of the hurt ones need explains them all. What alerts name or a change touched comes before what is merely usual.
 */
export function leads(burst: readonly AlertRow[], { changes, network, readings }: Desk): Lead[] {
  const found: Lead[] = [];
  const fitting = fittingMetrics(burst, readings);
  for (const service of network.services) {
    let explained = 0;
    let own = 0;
    for (const row of burst) {
      if (network.needs(row.service).has(service.name)) explained++;
      if (row.service === service.name) own++;
    }
    if (explained === 0) continue;
    const worth = (explained / burst.length) * guilt(service.name, readings, network) + (own > 0 ? LOUD_WORTH : 0);
    const named = namedMetrics(burst, service);
    const changed = changedMetrics(changes, service);
    const usual = (USUAL[service.kind] ?? []).filter((metric) => service.metrics.includes(metric));
    for (const metric of named) found.push({ service: service.name, metric, rank: 0 - worth - NAMED_WORTH });
    for (const metric of changed) found.push({ service: service.name, metric, rank: 0 - worth - CHANGED_WORTH });
    usual.forEach((metric, i) => {
      const rank = i * NEXT_METRIC - worth - (fitting.has(metric) ? FITTING_WORTH : 0);
      if (!named.includes(metric)) found.push({ service: service.name, metric, rank });
    });
  }
  return found
    .map((lead, place) => ({ lead, place }))
    .sort((a, b) => a.lead.rank - b.lead.rank || a.place - b.place)
    .map(({ lead }) => lead);
}

/** What healthy services use, or no hurt one does, is hardly the cause: from this share for none that is hurt up to 1 for all. */
const LEAST_GUILT = 0.1;

function guilt(name: string, readings: readonly ImpactReading[], network: ServiceNetwork): number {
  let users = 0;
  let hurt = 0;
  for (const reading of readings) {
    if (!network.needs(reading.service).has(name)) continue;
    users++;
    if (isHurt(reading)) hurt++;
  }
  return users === 0 ? LEAST_GUILT : LEAST_GUILT + ((1 - LEAST_GUILT) * hurt) / users;
}

/** How the trouble looks from outside, and the metrics that fit: worth this much. */
const FITTING_WORTH = 0.35;
/** At most this share of the burst is about latency when requests fail at once. */
const FEW_SLOW = 0.15;
/** What fails now, as a share of the worst, when trouble comes and goes. */
const ABATED = 0.5;

/** Requests that fail at once never got through: names or handshakes. What comes and goes is restarted again and again. */
function fittingMetrics(burst: readonly AlertRow[], readings: readonly ImpactReading[]): ReadonlySet<string> {
  const found = new Set<string>();
  const slow = burst.filter((row) => SLOW.test(row.name)).length;
  if (slow <= FEW_SLOW * burst.length) {
    found.add("tls.handshake.error_ratio");
    found.add("dns.lookup.failure_ratio");
  }
  const abated = readings.some(
    (reading) => isHurt(reading) && reading.since !== null && (reading.failing ?? 0) < ABATED * (reading.worst ?? 0),
  );
  if (abated) found.add("container.memory.utilization");
  return found;
}

const SLOW = /Latency|Duration|Age/;

function namedMetrics(burst: readonly AlertRow[], { name, metrics }: GraphService): string[] {
  const found = new Set<string>();
  for (const row of burst)
    if (row.service === name)
      for (const [word, metric] of NAMED) if (row.name.includes(word) && metrics.includes(metric)) found.add(metric);
  return [...found];
}

function changedMetrics(changes: readonly ChangeEvent[], { name, metrics }: GraphService): string[] {
  const found = new Set<string>();
  for (const change of changes)
    if (change.service === name)
      for (const metric of AFTER_CHANGE[change.kind] ?? []) if (metrics.includes(metric)) found.add(metric);
  return [...found];
}
