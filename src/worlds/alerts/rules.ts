/** The alert rules a system is watched by: mostly symptoms, a few causes. Thresholds follow the quiet values of each service. */
import { round } from "../../core/math";
import type { Stream } from "../../core/rng";
import type { Condition } from "../../engine/alert-rules";
import { metricFor } from "../../engine/metrics";
import type { CausalSystem, Facet, Quantity, ServiceKind, ServiceSpec } from "../../engine/system";

/** A rule on one series. */
export interface WatchRule {
  readonly name: string;
  readonly service: ServiceSpec;
  readonly quantity: Quantity;
  readonly facet: Facet | null;
  readonly condition: Condition;
  /** The label its author chose. */
  readonly severity: string;
  readonly summary: string;
}

interface Pattern {
  readonly name: string;
  readonly quantity: Quantity;
  readonly comparison: ">" | "<";
  /** Threshold = factor × quiet value + plus. */
  readonly factor: number;
  readonly plus: number;
  readonly forMinutes: number;
  readonly keep: number;
  readonly severity: string;
  readonly zoned?: boolean;
}

const LATENCY: Pattern = {
  name: "HighRequestLatency",
  quantity: "latency",
  comparison: ">",
  factor: 1.5,
  plus: 2,
  forMinutes: 1,
  keep: 1,
  severity: "warning",
  zoned: true,
};
const LATENCY_CRITICAL: Pattern = { ...LATENCY, factor: 2.8, forMinutes: 0.5, severity: "critical" };
const ERRORS: Pattern = {
  name: "HighErrorRatio",
  quantity: "errors",
  comparison: ">",
  factor: 1,
  plus: 0.007,
  forMinutes: 0.5,
  keep: 1,
  severity: "warning",
  zoned: true,
};
const ERRORS_CRITICAL: Pattern = { ...ERRORS, plus: 0.05, severity: "critical" };
const CPU: Pattern = {
  name: "CpuSaturation",
  quantity: "cpu",
  comparison: ">",
  factor: 0,
  plus: 0.88,
  forMinutes: 3,
  keep: 2,
  severity: "warning",
};
const DROP: Pattern = {
  name: "RequestRateDrop",
  quantity: "load",
  comparison: "<",
  factor: 0.72,
  plus: 0,
  forMinutes: 3,
  keep: 2,
  severity: "warning",
};
const RISE: Pattern = {
  name: "RequestRateHigh",
  quantity: "load",
  comparison: ">",
  factor: 1.35,
  plus: 0,
  forMinutes: 3,
  keep: 2,
  severity: "info",
};
const TARGET: Pattern = {
  name: "TargetDown",
  quantity: "up",
  comparison: "<",
  factor: 0,
  plus: 0.8,
  forMinutes: 0.5,
  keep: 2,
  severity: "critical",
};

/** Slow burn: little, but for longer; it is what a small fault raises. */
const ERROR_BURN: Pattern = {
  ...ERRORS,
  name: "ErrorBudgetBurn",
  factor: 1.3,
  plus: 0.0035,
  forMinutes: 2,
  severity: "info",
};
const LATENCY_BURN: Pattern = {
  ...LATENCY,
  name: "LatencyBudgetBurn",
  factor: 1.3,
  plus: 0,
  forMinutes: 2,
  severity: "info",
};
const BURNS: readonly Pattern[] = [ERROR_BURN, LATENCY_BURN];

const SYMPTOMS: Record<ServiceKind, readonly Pattern[]> = {
  edge: [LATENCY, LATENCY_CRITICAL, ERRORS, ERRORS_CRITICAL, CPU, DROP, TARGET],
  cdn: [LATENCY, ERRORS, DROP, RISE],
  dns: [{ ...LATENCY, name: "LookupLatencyHigh" }, ERRORS, DROP, TARGET],
  api: [LATENCY, LATENCY_CRITICAL, ERRORS, ERRORS_CRITICAL, CPU, DROP, RISE, TARGET],
  worker: [
    { ...LATENCY, name: "JobDurationHigh" },
    { ...ERRORS, name: "JobFailureRatio", plus: 0.03 },
    CPU,
    { ...DROP, name: "JobRateDrop" },
    TARGET,
  ],
  queue: [
    {
      name: "QueueAgeHigh",
      quantity: "age",
      comparison: ">",
      factor: 1,
      plus: 30,
      forMinutes: 1,
      keep: 2,
      severity: "warning",
    },
    {
      name: "QueueAgeHigh",
      quantity: "age",
      comparison: ">",
      factor: 1,
      plus: 120,
      forMinutes: 1,
      keep: 2,
      severity: "critical",
    },
    {
      name: "QueueDepthHigh",
      quantity: "depth",
      comparison: ">",
      factor: 25,
      plus: 1500,
      forMinutes: 2,
      keep: 2,
      severity: "warning",
    },
    ERRORS,
    DROP,
  ],
  cache: [LATENCY, ERRORS, CPU, DROP],
  database: [
    { ...LATENCY, name: "QueryLatencyHigh" },
    { ...ERRORS, name: "QueryErrorRatio" },
    CPU,
    { ...DROP, name: "QueryRateDrop" },
    { ...RISE, name: "QueryRateHigh" },
  ],
  replica: [
    { ...LATENCY, name: "QueryLatencyHigh" },
    { ...ERRORS, name: "QueryErrorRatio" },
    CPU,
    { ...DROP, name: "QueryRateDrop" },
    { ...RISE, name: "QueryRateHigh" },
  ],
  third_party: [
    { ...LATENCY, name: "OutboundLatencyHigh" },
    { ...ERRORS, name: "OutboundErrorRatio", plus: 0.03 },
    { ...DROP, name: "OutboundRateDrop" },
  ],
};

/** Rules near a cause; few systems have all of them, so each exists in about one system out of four. */
const CAUSES: readonly Pattern[] = [
  {
    name: "MemoryHigh",
    quantity: "memory",
    comparison: ">",
    factor: 0,
    plus: 0.88,
    forMinutes: 1,
    keep: 2,
    severity: "warning",
  },
  {
    name: "ContainerThrottled",
    quantity: "throttled",
    comparison: ">",
    factor: 0,
    plus: 0.35,
    forMinutes: 3,
    keep: 2,
    severity: "info",
  },
  {
    name: "ConnectionPoolBusy",
    quantity: "poolUse",
    comparison: ">",
    factor: 0,
    plus: 0.9,
    forMinutes: 2,
    keep: 2,
    severity: "warning",
  },
  {
    name: "LockWaitHigh",
    quantity: "lockWait",
    comparison: ">",
    factor: 1,
    plus: 30,
    forMinutes: 2,
    keep: 2,
    severity: "warning",
  },
  {
    name: "CacheHitRatioLow",
    quantity: "hit",
    comparison: "<",
    factor: 0.94,
    plus: 0,
    forMinutes: 2,
    keep: 2,
    severity: "warning",
  },
  {
    name: "FilesystemAlmostFull",
    quantity: "disk",
    comparison: ">",
    factor: 0,
    plus: 0.93,
    forMinutes: 2,
    keep: 2,
    severity: "warning",
  },
  {
    name: "PacketLoss",
    quantity: "loss",
    comparison: ">",
    factor: 1,
    plus: 0.03,
    forMinutes: 2,
    keep: 2,
    severity: "warning",
  },
  {
    name: "LookupFailures",
    quantity: "lookupErrors",
    comparison: ">",
    factor: 1,
    plus: 0.04,
    forMinutes: 2,
    keep: 2,
    severity: "warning",
  },
  {
    name: "RedeliveryHigh",
    quantity: "redelivered",
    comparison: ">",
    factor: 1,
    plus: 0.12,
    forMinutes: 2,
    keep: 2,
    severity: "warning",
  },
  {
    name: "ReplicationLagHigh",
    quantity: "lag",
    comparison: ">",
    factor: 1,
    plus: 20,
    forMinutes: 2,
    keep: 2,
    severity: "warning",
  },
];
const CAUSE_COVERAGE = 0.25;
const SYMPTOM_COVERAGE = 0.9;

/** All rules of a system, as the seed has them: which exist, and how their thresholds and waits vary. */
export function rulesOf(system: CausalSystem, zoned: boolean, stream: Stream): readonly WatchRule[] {
  const rules: WatchRule[] = [];
  for (const service of system.spec.services) {
    const own = stream.fork(service.name);
    for (const pattern of [...SYMPTOMS[service.kind], ...BURNS])
      if (own.chance(SYMPTOM_COVERAGE)) rules.push(...fromPattern(system, service, pattern, zoned, own));
    for (const pattern of CAUSES) {
      if (own.chance(CAUSE_COVERAGE) && metricFor(service.kind, pattern.quantity) !== undefined)
        rules.push(...fromPattern(system, service, pattern, false, own));
    }
  }
  return rules;
}

function fromPattern(
  system: CausalSystem,
  service: ServiceSpec,
  pattern: Pattern,
  zoned: boolean,
  stream: Stream,
): readonly WatchRule[] {
  const calm = system.calm(service.name, pattern.quantity);
  const digits = metricFor(service.kind, pattern.quantity)?.digits ?? 3;
  const threshold = round(
    (pattern.factor * calm + pattern.plus) * (pattern.factor === 0 ? 1 : stream.between(0.95, 1.1)),
    Math.max(digits, 3),
  );
  const forMinutes = pattern.forMinutes + stream.pick([0, 0, 0, 0.5]);
  const raised = service.revenue && pattern.severity === "warning" && stream.chance(0.3);
  // Patterns by zone have a critical twin of the same name; two rules with equal labels would be one alert.
  const severity = raised && pattern.zoned !== true ? "critical" : pattern.severity;
  const condition: Condition = {
    comparison: pattern.comparison,
    threshold,
    clear: pattern.comparison === ">" ? threshold * 0.95 : threshold * 1.05,
    forMinutes,
    keepFiringMinutes: pattern.keep,
  };
  const facets: readonly (Facet | null)[] =
    zoned && pattern.zoned === true ? system.spec.zones.map((zone) => zoneFacet(system, zone)) : [null];
  return facets.map((facet) => ({
    name: pattern.name,
    service,
    quantity: pattern.quantity,
    facet,
    condition,
    severity,
    summary: summaryOf(pattern, service),
  }));
}

export function zoneFacet(system: CausalSystem, zone: string): Facet {
  return { key: "zone", value: zone, share: 1 / system.spec.zones.length };
}

function summaryOf(pattern: Pattern, service: ServiceSpec): string {
  const metric = metricFor(service.kind, pattern.quantity);
  return `${metric?.help ?? pattern.name} is ${pattern.comparison === ">" ? "above" : "below"} its limit on ${service.name}`;
}
