/** What is measured of each kind of service: names (OpenTelemetry style), units, noise, and how a value is read off a run. */
import { clamp, round } from "../../../core/math";
import { type Noise, seriesKey } from "../../../core/rng";
import {
  amountAt,
  type Effect,
  type Facet,
  type Parameter,
  type Quantity,
  type Run,
  type ServiceKind,
  TICKS_PER_MINUTE,
} from "./system";

export interface MetricSpec {
  readonly quantity: Quantity;
  readonly metric: string;
  readonly unit: string;
  readonly help: string;
  /** Relative and absolute standard deviation of one measurement. */
  readonly relative: number;
  readonly absolute: number;
  readonly digits: number;
  /** Highest value there can be. */
  readonly limit: number;
  /** Zones, versions and configurations are measured apart. */
  readonly faceted: boolean;
}

/** Share of scrapes that are missing. */
const MISSING = 0.006;

const PREFIX: Record<ServiceKind, string> = {
  edge: "http.server",
  cdn: "http.server",
  dns: "dns.lookup",
  api: "http.server",
  worker: "messaging.process",
  queue: "messaging.publish",
  cache: "cache.client",
  database: "db.query",
  replica: "db.query",
  third_party: "http.client",
};

type Row = readonly [Quantity, string, string, string, number, number, number, number, boolean?];
const ROWS: readonly Row[] = [
  ["load", ".rate", "req/s", "requests a second that reach the service", 0.035, 0.05, 1, 1e9],
  ["latency", ".duration.p95", "ms", "95th percentile of the response time", 0.06, 0.3, 1, 1e9, true],
  ["errors", ".error_ratio", "ratio", "share of requests answered with an error", 0.08, 0.0004, 4, 1, true],
  ["cpu", "container.cpu.utilization", "ratio", "CPU used ÷ CPU requested", 0.03, 0.01, 3, 1.5],
  [
    "throttled",
    "container.cpu.throttled_ratio",
    "ratio",
    "share of CPU periods in which the container was stopped",
    0.06,
    0.008,
    3,
    1,
  ],
  ["cpuLimit", "k8s.container.cpu_limit", "cores", "CPU the container may use", 0, 0, 2, 1e9],
  ["memory", "container.memory.utilization", "ratio", "working set ÷ memory limit", 0.008, 0.002, 3, 1],
  ["restarts", "k8s.container.restarts", "count", "restarts since the history begins", 0, 0, 0, 1e9],
  ["disk", "system.filesystem.utilization", "ratio", "used ÷ size of the data volume", 0.001, 0.001, 3, 1],
  ["writeErrors", "system.disk.write_error_ratio", "ratio", "share of writes the volume refused", 0.05, 0, 4, 1],
  [
    "poolUse",
    "db.client.connection.utilization",
    "ratio",
    "connections taken ÷ pool limit, fullest pool",
    0.02,
    0.006,
    3,
    1,
  ],
  ["poolPending", "db.client.connection.pending_requests", "count", "callers waiting for a connection", 0.1, 0, 0, 1e9],
  ["lockWait", "db.lock.wait_time.p95", "ms", "95th percentile of the wait for locks", 0.12, 0.4, 1, 1e9],
  ["oldestTransaction", "db.transaction.oldest_age", "s", "age of the oldest open transaction", 0.3, 0.6, 0, 1e9],
  ["hit", "cache.hit_ratio", "ratio", "share of reads the cache answered", 0.008, 0.002, 3, 1],
  ["keys", "cache.keys", "thousand", "entries held", 0.004, 0, 1, 1e9],
  ["depth", "messaging.queue.depth", "messages", "messages waiting", 0.04, 2, 0, 1e9],
  ["age", "messaging.queue.oldest_age", "s", "age of the oldest message", 0.05, 0.3, 1, 1e9],
  [
    "redelivered",
    "messaging.redelivered_ratio",
    "ratio",
    "share of deliveries that are not the first",
    0.06,
    0.003,
    4,
    1,
  ],
  ["attempts", "messaging.head.delivery_count", "count", "deliveries of the oldest message so far", 0.05, 0, 0, 1e9],
  ["lag", "db.replication.lag", "s", "how far the replica is behind", 0.07, 0.15, 1, 1e9],
  ["backlog", "db.replication.backlog", "MB", "write-ahead log not yet applied", 0.05, 0.2, 1, 1e9],
  [
    "loss",
    "network.packet.loss_ratio",
    "ratio",
    "share of packets lost on the way to the service",
    0.1,
    0.0008,
    4,
    1,
    true,
  ],
  ["retransmits", "tcp.retransmit_ratio", "ratio", "share of segments sent again", 0.1, 0.001, 4, 1],
  ["handshake", "tls.handshake.error_ratio", "ratio", "share of TLS handshakes that failed", 0.1, 0.0008, 4, 1],
  ["certificate", "tls.certificate.remaining", "h", "hours until the served certificate expires", 0, 0, 1, 1e9],
  ["lookupErrors", "dns.lookup.failure_ratio", "ratio", "share of lookups without an address", 0.08, 0.0008, 4, 1],
  ["nxdomain", "dns.answer.nxdomain_rate", "1/s", "answers that a name does not exist", 0.1, 0.3, 1, 1e9],
  ["clients", "http.server.distinct_clients", "count", "clients seen in the last minute", 0.04, 1, 0, 1e9],
  ["up", "up", "ratio", "share of health probes that succeed", 0, 0, 3, 1],
  ["backup", "backup.age", "h", "hours since the last complete backup", 0, 0, 1, 1e9],
];

const COMMON: readonly Quantity[] = ["load", "latency", "errors"];
const CONTAINER: readonly Quantity[] = ["cpu", "throttled", "cpuLimit", "memory", "restarts", "up"];
const NETWORK: readonly Quantity[] = ["loss", "retransmits", "handshake", "certificate"];
const OF_KIND: Record<ServiceKind, readonly Quantity[]> = {
  edge: [...COMMON, ...CONTAINER, ...NETWORK, "clients"],
  cdn: [...COMMON, ...NETWORK, "clients", "up"],
  dns: [...COMMON, "cpu", "up", "loss", "retransmits", "lookupErrors", "nxdomain"],
  api: [...COMMON, ...CONTAINER, ...NETWORK, "clients", "poolUse", "poolPending"],
  worker: [...COMMON, ...CONTAINER, "loss", "retransmits", "redelivered", "poolUse", "poolPending"],
  queue: [
    ...COMMON,
    "cpu",
    "memory",
    "up",
    "depth",
    "age",
    "redelivered",
    "attempts",
    "disk",
    "writeErrors",
    "loss",
    "retransmits",
  ],
  cache: [...COMMON, "cpu", "memory", "restarts", "up", "hit", "keys", "loss", "retransmits"],
  database: [
    ...COMMON,
    "cpu",
    "memory",
    "up",
    "disk",
    "writeErrors",
    "lockWait",
    "oldestTransaction",
    "loss",
    "retransmits",
    "backup",
  ],
  replica: [
    ...COMMON,
    "cpu",
    "memory",
    "up",
    "disk",
    "lag",
    "backlog",
    "lockWait",
    "oldestTransaction",
    "loss",
    "retransmits",
    "backup",
  ],
  third_party: [...COMMON, ...NETWORK],
};

const specsOfKind = new Map<ServiceKind, readonly MetricSpec[]>();

/** What is measured of a kind of service, in listing order. */
export function metricsOfKind(kind: ServiceKind): readonly MetricSpec[] {
  let specs = specsOfKind.get(kind);
  if (specs === undefined) {
    specs = ROWS.filter(([quantity]) => OF_KIND[kind].includes(quantity)).map((row) => toSpec(row, kind));
    specsOfKind.set(kind, specs);
  }
  return specs;
}

/** The quantities recorded for a kind: all that is measured, and the customers' failing share. */
export function recordedOfKind(kind: ServiceKind): readonly Quantity[] {
  return [...OF_KIND[kind], "failing"];
}

/** The metric by which a kind of service shows a quantity, or undefined. */
export function metricFor(kind: ServiceKind, quantity: Quantity): MetricSpec | undefined {
  return metricsOfKind(kind).find((spec) => spec.quantity === quantity);
}

function toSpec(row: Row, kind: ServiceKind): MetricSpec {
  const [quantity, name, unit, help, relative, absolute, digits, limit, faceted = false] = row;
  const metric = name.startsWith(".") ? PREFIX[kind] + name : name;
  return { quantity, metric, unit, help, relative, absolute, digits, limit, faceted };
}

/** Which parameter parts the facets of a quantity; zones, versions and configurations differ by nothing else. */
const FACET_PARAMETER: Partial<Record<Quantity, Parameter>> = { latency: "delay", errors: "fail", loss: "loss" };

/** Reads measured values off a run. Pure: the same (service, metric, facet, tick) always gives the same value. */
export class Gauge {
  constructor(
    readonly run: Run,
    private readonly noise: Noise,
    private readonly effects: readonly Effect[],
    private readonly silent: readonly Blackout[] = [],
  ) {}

  /** The series of one metric of one service; undefined where it is not measured at all. */
  series(service: string, kind: ServiceKind, metric: MetricSpec, facet: Facet | null): MeasuredSeries | undefined {
    const column = this.run.column(service, metric.quantity);
    if (column === undefined || !metricsOfKind(kind).includes(metric)) return undefined;
    const label = facet === null ? "" : `${facet.key}=${facet.value}`;
    const key = seriesKey(`${service}/${metric.metric}/${label}`);
    const shift = facet === null ? undefined : this.shiftOf(service, metric.quantity, facet);
    const dark = this.silent.find(
      (blackout) => blackout.service === service && blackout.quantities.includes(metric.quantity),
    );
    return new MeasuredSeries(metric, label, this.run, column, this.noise, key, shift, dark);
  }

  /** How one facet differs from the whole, by minute; undefined when it does not. */
  private shiftOf(service: string, quantity: Quantity, facet: Facet): Shift | undefined {
    const parameter = FACET_PARAMETER[quantity];
    if (parameter === undefined) return undefined;
    const own = this.effects.filter(
      (effect) => effect.service === service && effect.parameter === parameter && effect.facet,
    );
    if (own.length === 0) return undefined;
    return (minute, whole) => {
      let average = 0;
      let here = 0;
      for (const effect of own) {
        const part = effect.facet as Facet;
        const amount = amountAt(effect.profile, minute);
        average += amount * part.share;
        if (part.key !== facet.key) here += amount * part.share;
        else if (part.value === facet.value) here += amount;
      }
      if (quantity !== "errors") return Math.max(0, whole - average + here);
      const others = average < 0.999 ? clamp((whole - average) / (1 - average)) : 1;
      return 1 - (1 - others) * (1 - clamp(here));
    };
  }
}

type Shift = (minute: number, whole: number) => number;

/** Scrapes of some quantities of a service that fail from a minute on. */
export interface Blackout {
  readonly service: string;
  readonly quantities: readonly Quantity[];
  readonly from: number;
}

/** One measured series; values are worked out when they are read. */
export class MeasuredSeries {
  constructor(
    readonly metric: MetricSpec,
    readonly label: string,
    private readonly run: Run,
    private readonly column: Float32Array,
    private readonly noise: Noise,
    private readonly key: number,
    private readonly shift: Shift | undefined,
    private readonly dark: Blackout | undefined,
  ) {}

  /** The true value at a tick. */
  exact(tick: number): number {
    const whole = this.column[tick] as number;
    return this.shift === undefined ? whole : this.shift(this.run.fromMinute + tick / TICKS_PER_MINUTE, whole);
  }

  /** The measured value at a tick; null when the scrape is missing or outside the run. */
  atTick(tick: number): number | null {
    if (tick < 0 || tick >= this.run.ticks) return null;
    if (this.isMissing(tick)) return null;
    return this.withNoise(this.exact(tick), tick);
  }

  atMinute(minute: number): number | null {
    return this.atTick(Math.floor((minute - this.run.fromMinute) * TICKS_PER_MINUTE + 0.5));
  }

  /** Whether the scrape of a tick inside the run is missing. */
  isMissing(tick: number): boolean {
    if (this.dark !== undefined && this.run.fromMinute + tick / TICKS_PER_MINUTE >= this.dark.from) return true;
    return this.noise.unit(this.key, tick) < MISSING;
  }

  /** Bounds of what `atTick` can give for a true value: noise never exceeds three standard deviations. */
  reach(exact: number): { readonly low: number; readonly high: number } {
    const spread = 3.01 * this.deviation(exact) + (HALF_DIGIT[this.metric.digits] ?? 0.5);
    return { low: exact - spread, high: exact + spread };
  }

  /** Lowest and highest true value over the run, or null when facets shift it. */
  extent(): { readonly low: number; readonly high: number } | null {
    if (this.shift !== undefined) return null;
    return columnExtent(this.column);
  }

  private withNoise(exact: number, tick: number): number {
    const deviation = this.deviation(exact);
    const value = deviation === 0 ? exact : exact + deviation * this.noise.normal(this.key, tick);
    return round(clamp(value, 0, this.metric.limit), this.metric.digits);
  }

  private deviation(exact: number): number {
    return Math.abs(exact) * this.metric.relative + this.metric.absolute;
  }
}

const HALF_DIGIT = [0.5, 0.05, 0.005, 0.0005, 0.00005];

const extents = new WeakMap<Float32Array, { readonly low: number; readonly high: number }>();
function columnExtent(column: Float32Array): { readonly low: number; readonly high: number } {
  let known = extents.get(column);
  if (known === undefined) {
    let low = column[0] as number;
    let high = low;
    for (let i = 1; i < column.length; i++) {
      const value = column[i] as number;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    known = { low, high };
    extents.set(column, known);
  }
  return known;
}
