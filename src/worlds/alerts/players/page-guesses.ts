/** What can be guessed from the page alone — names, ages and states — for the players that read nothing or nearly so. */
import type { Team } from "../draw";
import type { Mechanism } from "../mechanisms";
import type { AlertRow, AlertsObservation } from "../observation";

/** The service with the most alerts in the list; the first one listed on a tie. Empty when there is no alert. */
export function loudestService(rows: readonly AlertRow[]): string {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(row.service, (counts.get(row.service) ?? 0) + 1);
  let best = "";
  for (const [service, count] of counts) if (count > (counts.get(best) ?? 0)) best = service;
  return best;
}

/** The service on which the incident seems to have begun. */
export function oldestService(rows: readonly AlertRow[]): string {
  let oldest: AlertRow | undefined;
  for (const row of rows) if (!oldest || row.since < oldest.since) oldest = row;
  return oldest?.service ?? "";
}

const TEAM_WORDS: readonly (readonly [string, Team])[] = [
  ["db", "database"],
  ["postgres", "database"],
  ["sql", "database"],
  ["replica", "database"],
  ["store", "database"],
  ["dns", "network"],
  ["cdn", "network"],
  ["edge", "network"],
  ["lb", "network"],
  ["balancer", "network"],
  ["gateway", "network"],
  ["cache", "sre"],
  ["redis", "sre"],
  ["queue", "sre"],
  ["broker", "sre"],
];

/** The team a service's name suggests; most services belong to applications. */
export function teamByName(service: string): Team {
  return TEAM_WORDS.find(([word]) => service.includes(word))?.[1] ?? "app";
}

const MECHANISM_WORDS: readonly (readonly [string, Mechanism])[] = [
  ["memory", "memory_leak"],
  ["oom", "memory_leak"],
  ["restart", "memory_leak"],
  ["throttl", "cpu_throttling"],
  ["cpu", "cpu_throttling"],
  ["connection", "pool_exhaustion"],
  ["pool", "pool_exhaustion"],
  ["lock", "lock_contention"],
  ["cache", "cache_loss"],
  ["hit", "cache_loss"],
  ["disk", "disk_full"],
  ["packet", "network_loss"],
  ["network", "network_loss"],
  ["dns", "dns_failure"],
  ["resol", "dns_failure"],
  ["cert", "certificate_expired"],
  ["tls", "certificate_expired"],
  ["queue", "poison_messages"],
  ["backlog", "poison_messages"],
  ["lag", "replication_lag"],
  ["repl", "replication_lag"],
  ["filesystem", "disk_full"],
  ["redeliver", "poison_messages"],
  ["lookup", "dns_failure"],
  ["outbound", "third_party_slow"],
  ["ratehigh", "traffic_surge"],
];

/** The mechanism the alerts' names on a service suggest; the commonest cause of outages when they suggest none. */
export function mechanismByName(rows: readonly AlertRow[], service: string): Mechanism {
  const names = rows.filter((row) => row.service === service).map((row) => row.name.toLowerCase());
  for (const [word, mechanism] of MECHANISM_WORDS) if (names.some((name) => name.includes(word))) return mechanism;
  return "bad_deploy";
}

/** Alerts that fire steadily and began within this many minutes before the page look like one incident. */
const RECENT = 30;

/** What looks like the incident on the page: steady and recent. Everything, when nothing does. */
export function incidentByLook(observation: AlertsObservation): readonly AlertRow[] {
  const steady = observation.alerts.filter((row) => row.state === "firing" && row.since >= 0 - RECENT);
  return steady.length > 0 ? steady : observation.alerts;
}

/** Alerts that look like noise on the page: what flaps, is over, or has been firing for long. */
export function noiseByLook(observation: AlertsObservation): string[] {
  const real = new Set(incidentByLook(observation));
  return observation.alerts.filter((row) => !real.has(row)).map((row) => row.id);
}

/** Ids of all alerts shown. */
export function idsOf(observation: AlertsObservation): string[] {
  return observation.alerts.map((row) => row.id);
}

/** All services that have an alert, in the order of the list. */
export function alertedServices(observation: AlertsObservation): string[] {
  return [...new Set(observation.alerts.map((row) => row.service))];
}
