/**
 * The labels of a drawn alert. Every alert names the instance it was measured on, and in systems watched by zone its zone,
 * whatever raised it: a label that only noise had would mute all of it with one matcher, and nothing would have to be read.
 */
import { type Stream, seriesKey } from "../../../core/rng";
import type { WatchRule } from "../rules";

/** What labels are made of besides the rule. */
export interface Targets {
  /** Zones of a system that is watched by zone; else empty. */
  readonly zones: readonly string[];
  /** Instances a service has; they are numbered from 1. */
  readonly instances: number;
  /** The draw's own stream; each label forks it by name. */
  readonly stream: Stream;
}

/** Sorted by name. Rules that differ in name, service, severity or facet differ in their labels. */
export function labelsOf(rule: WatchRule, targets: Targets): readonly (readonly [string, string])[] {
  const { facet, name, service, severity } = rule;
  const watched = facet?.key === "instance" ? Number(facet.value.slice(facet.value.lastIndexOf("-") + 1)) : null;
  const zone = facet?.key === "zone" ? facet.value : null;
  const number =
    watched ?? targets.stream.fork(`${name} ${service.name} ${zone ?? ""}`).integer(1, Math.max(1, targets.instances));
  const labels: [string, string][] = [
    ["alertname", name],
    ["environment", "production"],
    ["instance", `${tagOf(service.name, targets.stream)}-${number}`],
    ["service", service.name],
    ["severity", severity],
  ];
  const shown = zone ?? (watched === null ? null : zoneOf(watched, targets.zones));
  if (shown !== null) labels.push(["zone", shown]);
  return labels;
}

/** Instances are spread over the zones in turn. */
function zoneOf(instance: number, zones: readonly string[]): string | null {
  return zones.length > 0 ? (zones[(instance - 1) % zones.length] ?? null) : null;
}

/** What instances of a service are called in a draw; four hexadecimal digits, as a rollout gives them. */
function tagOf(service: string, stream: Stream): string {
  return stream.fork(`instances of ${service}`).integer(4096, 65535).toString(16);
}

/** 16 hexadecimal digits of a label set. */
export function fingerprintOf(labels: readonly (readonly [string, string])[]): string {
  const text = labels.map(([name, value]) => `${name}\u0000${value}`).join("\u0001");
  return hex(seriesKey(text)) + hex(seriesKey(`second\u0001${text}`));
}

function hex(key: number): string {
  return (key >>> 0).toString(16).padStart(8, "0");
}
