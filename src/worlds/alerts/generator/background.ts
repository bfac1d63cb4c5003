/** What stands around a case and proves nothing: innocent changes, and metrics that are not measured. */
import type { Stream } from "../../../core/rng";
import { type Blackout, metricsOfKind } from "../dependency-model/metrics";
import type { CausalSystem, Quantity, ServiceSpec } from "../dependency-model/system";
import type { ChangeEvent } from "../draw";
import { lookAlikes } from "../evidence";
import { revisions, type ShownFacet, versions } from "../families/family";
import type { CaseKind, ScenarioSetting } from "../scenarios";
import type { Struck } from "./attempt";

/** Share of determined draws in which some unrelated metric is missing. */
const STRAY_BLACKOUT = 0.3;

export interface Herrings {
  readonly changes: readonly ChangeEvent[];
  readonly facets: readonly ShownFacet[];
}

/** Changes of the same kinds as guilty ones, at services that are well or at the component itself; none has an effect. */
export function herringsOf(
  setting: ScenarioSetting,
  system: CausalSystem,
  struck: readonly Struck[],
  stream: Stream,
): Herrings {
  const changes: ChangeEvent[] = [];
  const facets: ShownFacet[] = [];
  const count = stream.integer(setting.size.herrings[0], setting.size.herrings[1]);
  for (let i = 0; i < count; i++) {
    const own = stream.fork(`${i}`);
    const apps = system.spec.services.filter((service) => ["api", "worker", "edge"].includes(service.kind));
    const service = own.pick(apps);
    if (struck.some(({ place }) => place.name === service.name) && own.chance(0.5)) continue;
    // The first one comes shortly before the (first) fault: the newest change is not always the guilty one.
    const onset = struck[0]?.onset ?? -15;
    const minute = Math.floor(i === 0 ? onset - own.between(0, 6) : own.between(-55, -2));
    const { change, shown } = innocent(service, minute, own);
    if (changes.some((other) => other.service === change.service && other.kind === change.kind)) continue;
    if (
      struck.some(({ fault }) =>
        shown.some((facet) =>
          fault.facets.some((real) => real.service === facet.service && real.facet.key === facet.facet.key),
        ),
      )
    )
      continue;
    changes.push(change);
    facets.push(...shown);
  }
  return { changes, facets };
}

function innocent(
  service: ServiceSpec,
  minute: number,
  stream: Stream,
): { readonly change: ChangeEvent; readonly shown: readonly ShownFacet[] } {
  const kind = stream.weighted<string>([
    ["deploy", 4],
    ["config", 3],
    ["flag", 2],
    ["restart", 1],
    ["scale", 2],
  ]);
  const share = stream.between(0.3, 0.7);
  const change = (text: string): ChangeEvent => ({ minute, service: service.name, kind, text });
  if (kind === "deploy") {
    const [old, next] = versions(stream);
    return {
      change: change(`${service.name} ${old} to ${next}, ${Math.floor(share * 100)} % of instances`),
      shown: pair(service.name, "version", old, next, share, minute),
    };
  }
  if (kind === "config") {
    const [old, next] = revisions(stream);
    return {
      change: change(
        `${stream.pick(["time-outs", "log levels", "feature set", "request limits"])}: ${old} to ${next}, staged`,
      ),
      shown: pair(service.name, "config", old, next, share, minute),
    };
  }
  if (kind === "flag")
    return {
      change: change(`flag ${stream.pick(["new-sort", "wide-cards", "beta-banner", "fast-path"])} on for 10 %`),
      shown: [],
    };
  if (kind === "scale") return { change: change("resource recommendation applied by the autoscaler"), shown: [] };
  return { change: change("one instance restarted by its supervisor"), shown: [] };
}

function pair(
  service: string,
  key: string,
  old: string,
  next: string,
  share: number,
  since: number,
): readonly ShownFacet[] {
  return [
    { service, facet: { key, value: old, share: 1 - share }, since: -1000 },
    { service, facet: { key, value: next, share }, since },
  ];
}

/**
 * Metrics that are missing. In an under-determined case those that would tell the fault from its two closest look-alikes fail with
 * its onset; in some other cases an unrelated metric fails, so that a gap alone tells nothing either.
 */
export function blackoutsFor(
  system: CausalSystem,
  kind: CaseKind,
  struck: readonly Struck[],
  stream: Stream,
): readonly Blackout[] {
  if (kind === "undetermined") return struck.flatMap((one) => decisive(system, one));
  if (!stream.chance(STRAY_BLACKOUT)) return [];
  const concerned = new Set(
    struck.flatMap((one) => [
      one.place.name,
      ...lookAlikes(system, one.family, one.place).map(({ place }) => place.name),
    ]),
  );
  const free = system.spec.services.filter((service) => !concerned.has(service.name));
  if (free.length === 0) return [];
  const service = stream.pick(free);
  const candidates = metricsOfKind(service.kind).filter(
    ({ quantity }) => !["load", "latency", "errors"].includes(quantity),
  );
  return [{ service: service.name, quantities: [stream.pick(candidates).quantity], from: stream.between(-50, -5) }];
}

function decisive(system: CausalSystem, { family, place, onset }: Struck): readonly Blackout[] {
  const closest = lookAlikes(system, family, place).filter(
    (other) => !other.keep && other.family.needsChange === undefined,
  );
  const wanted = new Map<string, Set<Quantity>>();
  for (const [service, tells] of [
    [place.name, family.tells] as const,
    ...closest.map((other) => [other.place.name, other.family.tells] as const),
  ]) {
    const quantities = wanted.get(service) ?? new Set<Quantity>();
    for (const tell of tells) if (!["load", "latency", "errors"].includes(tell.quantity)) quantities.add(tell.quantity);
    wanted.set(service, quantities);
  }
  return [...wanted].map(([service, quantities]) => ({ service, quantities: [...quantities], from: onset - 2 }));
}
