/** Values that prompts and forms offer: names, and ids of what the player has seen. */
import type { Choice } from "../../core/action";
import { equalMatcher } from "./matchers";
import type { AlertRow, AlertsObservation, EvidenceItem } from "./observation";
import type { PreparedDraw } from "./prepared-draw";
import { mechanismChoices } from "./words";

/** The most values offered of a kind. */
const MOST = 500;

/** Offers for a kind of argument; empty for a kind this world does not have. */
export function choicesOf(seen: AlertsObservation, prepared: PreparedDraw, kind: string): readonly Choice[] {
  return (KINDS[kind]?.(seen, prepared) ?? []).slice(0, MOST);
}

const KINDS: Readonly<Record<string, (seen: AlertsObservation, prepared: PreparedDraw) => Choice[]>> = {
  alerts: (seen) => seen.alerts.map(alertChoice),
  groups: (seen) =>
    seen.groups.map(({ id, alerts, route }) => ({
      value: id,
      label: id,
      detail: `${alerts.length} alerts${route ? `, ${route.severity} to ${route.team}` : ""}`,
    })),
  services: (seen, prepared) => plain(servicesOf(seen, prepared)),
  metrics: (_seen, prepared) => metricsOf(prepared),
  teams: (seen) => plain(seen.teams),
  silences: (seen) =>
    seen.silences
      .filter((silence) => silence.expiresAt > seen.minute)
      .map(({ id, kind, matchers }) => ({ value: id, label: id, detail: `${kind}: ${matchers.join(", ")}` })),
  items: (seen) => seen.items.map((item) => ({ value: item.id, label: item.id, detail: subjectOf(item) })),
  mechanisms: () => mechanismChoices(),
  matchers: matchersOf,
};

/** What an item is about, in a few words: `cpu.utilization of orders-db`. */
export function subjectOf(item: EvidenceItem): string {
  switch (item.kind) {
    case "alert":
      return `alert ${item.alert}`;
    case "history":
      return `${item.metric} of ${item.service}`;
    case "graph":
      return item.service === null ? "service graph" : `neighbours of ${item.service}`;
    case "changes":
      return item.service === null ? "changes of all services" : `changes of ${item.service}`;
    case "impact":
      return `customer impact of ${item.reading.service}`;
  }
}

function alertChoice({ id, name, service, state }: AlertRow): Choice {
  return { value: id, label: `${id} ${name}`, detail: `${service}, ${state}` };
}

/** Metrics with the services that have them. */
function metricsOf(prepared: PreparedDraw): Choice[] {
  const services = new Map<string, string[]>();
  for (const { name, metrics } of prepared.graph.values())
    for (const metric of metrics) {
      const known = services.get(metric);
      if (known) known.push(name);
      else services.set(metric, [name]);
    }
  return [...services].map(([metric, on]) => ({ value: metric, label: metric, detail: on.join(", ") }));
}

/** Services of listed alerts first, as they are what is most asked about. */
function servicesOf(seen: AlertsObservation, prepared: PreparedDraw): Set<string> {
  const names = new Set(seen.alerts.map((row) => row.service).filter((service) => prepared.graph.has(service)));
  for (const name of prepared.serviceNames) names.add(name);
  return names;
}

/** Matchers made of names in the list and of labels that were read. */
function matchersOf(seen: AlertsObservation): Choice[] {
  const texts = new Set<string>();
  for (const { name } of seen.alerts) texts.add(equalMatcher("alertname", name).text);
  for (const { service } of seen.alerts) texts.add(equalMatcher("service", service).text);
  for (const { known } of seen.alerts)
    for (const [label, value] of known?.labels ?? []) texts.add(equalMatcher(label, value).text);
  return plain(texts);
}

function plain(values: Iterable<string>): Choice[] {
  return [...values].map((value) => ({ value, label: value }));
}
