/** The alert rules a system is watched by: mostly symptoms, a few causes. Thresholds follow the quiet values of each service. */
import type { Stream } from "../../core/rng";
import type { Condition } from "./dependency-model/alert-rules";
import { metricFor } from "./dependency-model/metrics";
import type { CausalSystem, Facet, Quantity, ServiceKind, ServiceSpec } from "./dependency-model/system";
import { BURN_LABELS, SEVERITY_LABELS, waitsOf, writtenThreshold } from "./tuning";

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
  /** The label; several where authors differ. */
  readonly severity: string | readonly (readonly [string, number])[];
  readonly zoned?: boolean;
}

const LATENCY: Pattern = {
  name: "HighRequestLatency",
  quantity: "latency",
  comparison: ">",
  factor: 1.5,
  plus: 2,
  severity: "warning",
  zoned: true,
};
const LATENCY_CRITICAL: Pattern = { ...LATENCY, factor: 2.8, severity: "critical" };
const ERRORS: Pattern = {
  name: "HighErrorRatio",
  quantity: "errors",
  comparison: ">",
  factor: 1,
  plus: 0.007,
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
  severity: "warning",
};
const DROP: Pattern = {
  name: "RequestRateDrop",
  quantity: "load",
  comparison: "<",
  factor: 0.72,
  plus: 0,
  severity: "warning",
};
const RISE: Pattern = {
  name: "RequestRateHigh",
  quantity: "load",
  comparison: ">",
  factor: 1.35,
  plus: 0,
  severity: "info",
};
const TARGET: Pattern = {
  name: "TargetDown",
  quantity: "up",
  comparison: "<",
  factor: 0,
  plus: 0.8,
  severity: "critical",
};

/** Slow burn: a lower limit than the others; it is what a small fault raises. */
const ERROR_BURN: Pattern = {
  ...ERRORS,
  name: "ErrorBudgetBurn",
  factor: 1.3,
  plus: 0.0035,
  severity: BURN_LABELS,
};
const LATENCY_BURN: Pattern = {
  ...LATENCY,
  name: "LatencyBudgetBurn",
  factor: 1.3,
  plus: 0,
  severity: BURN_LABELS,
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
      severity: "warning",
    },
    {
      name: "QueueAgeHigh",
      quantity: "age",
      comparison: ">",
      factor: 1,
      plus: 120,
      severity: "critical",
    },
    {
      name: "QueueDepthHigh",
      quantity: "depth",
      comparison: ">",
      factor: 25,
      plus: 1500,
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

/** Rules near a cause. No system has all of them: each exists on about three services out of five. */
const CAUSES: readonly Pattern[] = [
  {
    name: "MemoryHigh",
    quantity: "memory",
    comparison: ">",
    factor: 0,
    plus: 0.88,
    severity: SEVERITY_LABELS,
  },
  {
    name: "ContainerThrottled",
    quantity: "throttled",
    comparison: ">",
    factor: 0,
    plus: 0.35,
    severity: SEVERITY_LABELS,
  },
  {
    name: "ConnectionPoolBusy",
    quantity: "poolUse",
    comparison: ">",
    factor: 0,
    plus: 0.9,
    severity: SEVERITY_LABELS,
  },
  {
    name: "LockWaitHigh",
    quantity: "lockWait",
    comparison: ">",
    factor: 1,
    plus: 30,
    severity: SEVERITY_LABELS,
  },
  {
    name: "CacheHitRatioLow",
    quantity: "hit",
    comparison: "<",
    factor: 0.94,
    plus: 0,
    severity: SEVERITY_LABELS,
  },
  {
    name: "FilesystemAlmostFull",
    quantity: "disk",
    comparison: ">",
    factor: 0,
    plus: 0.93,
    severity: SEVERITY_LABELS,
  },
  {
    name: "PacketLoss",
    quantity: "loss",
    comparison: ">",
    factor: 1,
    plus: 0.03,
    severity: SEVERITY_LABELS,
  },
  {
    name: "LookupFailures",
    quantity: "lookupErrors",
    comparison: ">",
    factor: 1,
    plus: 0.04,
    severity: SEVERITY_LABELS,
  },
  {
    name: "RedeliveryHigh",
    quantity: "redelivered",
    comparison: ">",
    factor: 1,
    plus: 0.12,
    severity: SEVERITY_LABELS,
  },
  {
    name: "ReplicationLagHigh",
    quantity: "lag",
    comparison: ">",
    factor: 1,
    plus: 20,
    severity: SEVERITY_LABELS,
  },
  {
    name: "CertificateExpiresSoon",
    quantity: "certificate",
    comparison: "<",
    factor: 0,
    plus: 336,
    severity: SEVERITY_LABELS,
  },
];
const CAUSE_COVERAGE = 0.6;
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
  const spread = pattern.factor === 0 ? stream.between(0.97, 1.03) : stream.between(0.95, 1.1);
  const threshold = writtenThreshold((pattern.factor * calm + pattern.plus) * spread, stream);
  const label = typeof pattern.severity === "string" ? pattern.severity : stream.weighted(pattern.severity);
  const raised = service.revenue && pattern.severity === "warning" && stream.chance(0.3);
  // Patterns by zone have a critical twin of the same name; two rules with equal labels would be one alert.
  const severity = raised && pattern.zoned !== true ? "critical" : label;
  const condition: Condition = {
    comparison: pattern.comparison,
    threshold,
    clear: pattern.comparison === ">" ? threshold * 0.95 : threshold * 1.05,
    ...waitsOf(stream),
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
