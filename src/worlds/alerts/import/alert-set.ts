/** Alerts read from a file, in the one shape that the truth form, the scenario file and the draw share. */
import { digest } from "../../../core/json";

/** Names and texts as pairs, sorted by name: imported names may be anything, `__proto__` included. */
export type Pairs = readonly (readonly [name: string, value: string])[];

export interface ImportedAlert {
  /** `a01` …, ordered by first firing; alerts that never fired come last. */
  readonly id: string;
  /** The `alertname` label, or a visible stand-in. */
  readonly name: string;
  /** See `serviceOf`; or a visible stand-in. */
  readonly service: string;
  /** 16 hexadecimal digits of the label set; equal sets are the same alert. */
  readonly fingerprint: string;
  /** Whole, whatever their length. An empty label is a missing one. */
  readonly labels: Pairs;
  /** At most `MAX_ANNOTATION` units each; a cut is stated in the text. */
  readonly annotations: Pairs;
  /** At the newest time of the file. `pending` alerts have not fired and do not enter the queue. */
  readonly state: "firing" | "resolved" | "pending";
  /** Milliseconds since 1970; ordered, without overlap; only the last may be open. Empty when pending. */
  readonly spans: readonly { readonly from: number; readonly to: number | null }[];
  /** Milliseconds since 1970 when the condition of a pending alert became true. */
  readonly pendingSince: number | null;
  /** Null where the file has none. */
  readonly value: number | null;
  readonly threshold: number | null;
}

export interface ImportedService {
  readonly name: string;
  readonly team: string | null;
  readonly dependsOn: readonly string[];
}

export const SOURCE_KINDS = ["alertmanager-webhook", "prometheus-alerts", "written"] as const;

export interface ImportSource {
  readonly kind: (typeof SOURCE_KINDS)[number];
  readonly payloads: number;
  /** Notification groups: distinct group keys of a webhook, distinct alert names of a Prometheus answer. */
  readonly groups: number;
  /** Alerts the sender left out. */
  readonly truncatedAlerts: number;
  /** Milliseconds since 1970: when the episode begins. The newest time in an imported file. */
  readonly pageAt: number;
  /** What the reader had to decide or cut, one sentence each. */
  readonly notes: readonly string[];
}

export interface AlertSet {
  readonly source: ImportSource;
  readonly alerts: readonly ImportedAlert[];
  /** Every service of an alert, and others the author added; sorted by name. */
  readonly services: readonly ImportedService[];
}

export const NO_NAME = "(no alertname)";
export const NO_SERVICE = "(no service)";
/** Longest annotation kept, in UTF-16 units. */
export const MAX_ANNOTATION = 20_000;
/** Longest name of a service or team: actions accept no longer ones. */
export const MAX_NAME = 100;

const SERVICE_LABELS = [
  "service",
  "service_name",
  "service.name",
  "app",
  "app_kubernetes_io_name",
  "deployment",
  "job",
];
const TEAM_LABELS = ["team", "owner", "squad"];

/** The fingerprint of sorted labels. */
export function fingerprintOf(labels: Pairs): string {
  return digest(labels);
}

export function nameOf(labels: Pairs): string {
  return labelOf(labels, "alertname") ?? NO_NAME;
}

/** The service an alert is about: the first of the usual labels that is there. */
export function serviceOf(labels: Pairs): string {
  return firstOf(labels, SERVICE_LABELS) ?? NO_SERVICE;
}

/** The owner as the labels say, or null. */
export function teamOf(labels: Pairs): string | null {
  return firstOf(labels, TEAM_LABELS);
}

export function labelOf(labels: Pairs, name: string): string | null {
  return labels.find(([label]) => label === name)?.[1] ?? null;
}

/** Sorted by name in code-unit order; of equal names the last one stays; empty values are left out. */
export function sortedPairs(pairs: Pairs): Pairs {
  const byName = new Map(pairs);
  const names = [...byName.keys()].sort(compareText);
  return names.flatMap((name) => {
    const value = byName.get(name) ?? "";
    return value === "" ? [] : [[name, value] as const];
  });
}

/** Code-unit order. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The services of a set of alerts and those already known, sorted by name; an owner in the labels fills a gap. */
export function servicesOf(
  alerts: readonly Pick<ImportedAlert, "service" | "labels">[],
  known: readonly ImportedService[] = [],
): readonly ImportedService[] {
  const services = new Map(known.map((service) => [service.name, service]));
  for (const { service: name, labels } of alerts) {
    const service = services.get(name) ?? { name, team: null, dependsOn: [] };
    services.set(name, service.team === null ? { ...service, team: teamOf(labels) } : service);
  }
  return [...services.values()].sort((a, b) => compareText(a.name, b.name));
}

/** The text cut to `limit` units, between whole characters, with the cut stated; and whether it was cut. */
export function bounded(text: string, limit: number): { readonly text: string; readonly cut: boolean } {
  if (text.length <= limit) return { text, cut: false };
  const unit = text.charCodeAt(limit - 1);
  const kept = unit >= 0xd800 && unit <= 0xdbff ? limit - 1 : limit;
  return { text: `${text.slice(0, kept)} … [cut: ${kept} of ${text.length} characters kept]`, cut: true };
}

function firstOf(labels: Pairs, names: readonly string[]): string | null {
  for (const name of names) {
    const value = labelOf(labels, name);
    if (value !== null) return shortName(value);
  }
  return null;
}

/** A name short enough for actions; long ones keep their beginning and are told apart by a digest. */
function shortName(name: string): string {
  if (name.length <= MAX_NAME) return name;
  const kept = bounded(name, MAX_NAME - 12).text;
  return `${kept.slice(0, kept.indexOf(" … [cut"))}… ${digest(name).slice(0, 8)}`;
}
