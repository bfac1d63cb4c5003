/**
 * What else goes on in a system: causes of alerts that concern no customer. Each source changes parameters like a fault does, or
 * only measures something too closely, and brings the rules that watch it. Nothing here writes an alert; the series must cross.
 */
import type { Stream } from "../../core/rng";
import { type MetricSpec, metricFor } from "./dependency-model/metrics";
import type {
  CausalSystem,
  Effect,
  Facet,
  Profile,
  Quantity,
  ServiceKind,
  ServiceSpec,
} from "./dependency-model/system";
import type { ChangeEvent } from "./draw";
import type { WatchRule } from "./rules";
import { BURN_LABELS, SEVERITY_LABELS, type Waits, waitsOf, writtenThreshold } from "./tuning";

export interface NoiseSource {
  readonly service: ServiceSpec;
  readonly effects: readonly Effect[];
  readonly rules: readonly WatchRule[];
  readonly changes: readonly ChangeEvent[];
  /** For the debrief. */
  readonly story: string;
}

interface Context {
  readonly system: CausalSystem;
  readonly service: ServiceSpec;
  /** How many label sets the source shows on. */
  readonly copies: number;
  readonly toMinute: number;
  /** When it begins to ring. */
  readonly start: number;
  /** Of the rule that watches it. What rings for moments must last longer than the rule waits. */
  readonly waits: Waits;
  readonly stream: Stream;
}

interface Kind {
  readonly kinds: readonly ServiceKind[];
  /** It rings by the names that incidents ring by. */
  readonly symptom?: boolean;
  /** How often it comes into question; 1 where nothing is said. */
  readonly chance?: number;
  /** It takes capacity that others may need; two of them together could be felt. */
  readonly heavy?: boolean;
  make(context: Context): NoiseSource;
}

/** When sources begin, in minutes: most shortly before the page, some while the player is at work, the others long ago. */
const BEGINNINGS: readonly (readonly [readonly [number, number], number])[] = [
  [[-24, -2], 0.6],
  [[-1, 5], 0.22],
  [[-88, -88], 0.18],
];

const SERVERS: readonly ServiceKind[] = ["api", "worker", "edge", "cache", "database", "replica"];

/** One entry a kind of noise; the name says what happens. */
const SOURCES: Readonly<Record<string, Kind>> = {
  tightLatency: {
    symptom: true,
    kinds: ["api", "edge", "cdn", "third_party", "dns", "worker", "database", "replica", "cache"],
    make(context) {
      const { service, system, start } = context;
      const calm = system.calm(service.name, "latency");
      const slower: Effect = { service: service.name, parameter: "delay", profile: since(start, 0.08 * calm) };
      const name = burnOr(context, "LatencyBudgetBurn", latencyName(service));
      return source(
        context,
        { quantity: "latency", above: touching(context, "latency", 1.08 * calm), name },
        [slower],
        "a latency rule so close to normal that a few slower requests cross it",
      );
    },
  },
  tightErrors: {
    symptom: true,
    kinds: ["api", "worker", "third_party", "edge", "cdn", "dns", "database", "replica"],
    make(context) {
      const { service, system, start } = context;
      const calm = system.calm(service.name, "errors");
      const more: Effect = { service: service.name, parameter: "fail", profile: since(start, FEW_ERRORS) };
      const name = burnOr(context, "ErrorBudgetBurn", errorName(service));
      return source(
        context,
        { quantity: "errors", above: touching(context, "errors", calm + FEW_ERRORS), name },
        [more],
        "an error rule that a handful of failed requests crosses",
      );
    },
  },
  batchCpu: {
    heavy: true,
    kinds: ["worker", "database", "replica", "cache", "api"],
    make(context) {
      const { service, start, stream, toMinute } = context;
      const end = Math.min(toMinute + 5, start + stream.between(25, 90));
      const amount = stream.between(0.2, 0.25);
      const busy: Effect = { service: service.name, parameter: "busy", profile: pulse(start, end, amount, 2) };
      const limit = service.utilisation + stream.between(0.11, 0.14);
      const job = stream.pick([
        "report build",
        "search re-index",
        "log compaction",
        "statistics refresh",
        "nightly export",
      ]);
      const changes = stream.chance(0.5)
        ? [{ minute: Math.floor(start), service: service.name, kind: "job", text: `${job} started` }]
        : [];
      return source(
        context,
        { quantity: "cpu", above: limit, name: "CpuSaturation" },
        [busy],
        `a batch job (${job}) uses spare CPU`,
        changes,
      );
    },
  },
  probeFlaps: {
    chance: 0.5,
    kinds: SERVERS,
    make(context) {
      const { service, start, stream, toMinute } = context;
      const profile = pulses(stream, start, toMinute, [4, 12], lasting(context, 0.5, 1.25), stream.between(0.3, 0.6));
      return source(
        context,
        { quantity: "up", below: 0.8 * stream.between(0.97, 1.03), name: "TargetDown" },
        [{ service: service.name, parameter: "probe", profile }],
        "the prober's own network drops probes; the service answers",
      );
    },
  },
  diskCycle: {
    kinds: ["database", "replica", "queue"],
    make(context) {
      const { service, start, stream, toMinute } = context;
      const top = stream.between(0.905, 0.928) - (service.disk ?? 0.6);
      const period = stream.between(28, 55);
      // The tooth rises from 60 % to 100 % of `top`; it passes the limit, at `share` of it, when the source begins.
      const share = stream.between(0.72, 0.9);
      const profile = sawtooth(start - ((share - 0.6) / 0.4) * (period - 0.5), period, top, toMinute);
      return source(
        context,
        {
          quantity: "disk",
          above: (service.disk ?? 0.6) + share * top,
          name: "FilesystemAlmostFull",
        },
        [{ service: service.name, parameter: "disk", profile }],
        "logs fill the volume and are rotated away",
      );
    },
  },
  backupAge: {
    chance: 0.35,
    kinds: ["database", "replica"],
    make(context) {
      const { service, start, stream } = context;
      const limit = stream.pick([24, 25, 26, 28, 30, 36]) * stream.between(0.97, 1.03);
      // 9.5 h at the page without it; the limit is passed at `start`.
      const age: Effect = { service: service.name, parameter: "backup", profile: [[-100, limit - 9.5 - start / 60]] };
      return source(
        context,
        { quantity: "backup", above: limit, name: "BackupTooOld" },
        [age],
        "last night's backup was skipped",
      );
    },
  },
  shortSpikes: {
    symptom: true,
    heavy: true,
    kinds: ["api", "edge", "third_party", "cache", "dns"],
    make(context) {
      const { service, system, start, stream, toMinute } = context;
      const calm = system.calm(service.name, "latency");
      const spikes = pulses(
        stream,
        start,
        toMinute,
        [6, 16],
        lasting(context, 0.5, 1),
        calm * stream.between(0.3, 0.36),
      );
      return source(
        context,
        {
          quantity: "latency",
          above: calm * 1.2,
          name: latencyName(service),
        },
        [{ service: service.name, parameter: "delay", profile: spikes }],
        "spikes of a few minutes that stay within the objective",
      );
    },
  },
  steadyMemory: {
    kinds: SERVERS,
    make(context) {
      const { service, start, stream } = context;
      // Below 82 %, where collection begins to cost: a cache of pages, given back when needed.
      const level = stream.between(0.775, 0.81);
      const memory: Effect = {
        service: service.name,
        parameter: "memory",
        profile: since(start, level - service.memory),
      };
      return source(
        context,
        { quantity: "memory", above: level - stream.between(0.004, 0.03), name: "MemoryHigh" },
        [memory],
        "memory that is used as a cache and given back when needed",
      );
    },
  },
  lagBurst: {
    heavy: true,
    kinds: ["replica"],
    make(context) {
      const { service, start, stream, toMinute } = context;
      const profile = pulses(
        stream,
        start,
        toMinute,
        [7, 14],
        lasting(context, 1.25, 1.75),
        0 - stream.between(0.34, 0.37),
      );
      return source(
        context,
        { quantity: "lag", above: stream.between(0.97, 1.03), name: "ReplicationLagHigh" },
        [{ service: service.name, parameter: "apply", profile }],
        "a reporting query slows the replica for moments",
      );
    },
  },
  hitDip: {
    heavy: true,
    kinds: ["cache"],
    make(context) {
      const { service, start, stream, toMinute } = context;
      const dip: Effect = {
        service: service.name,
        parameter: "hit",
        profile: pulse(
          start,
          Math.min(toMinute + 5, start + stream.between(12, 70)),
          0 - stream.between(0.009, 0.012),
          2,
        ),
      };
      return source(
        context,
        {
          quantity: "hit",
          below: (service.hitRatio ?? 0.9) * 0.995,
          name: "CacheHitRatioLow",
        },
        [dip],
        "a crawler reads pages nobody else asks for",
      );
    },
  },
  queueBurst: {
    heavy: true,
    kinds: ["queue"],
    make(context) {
      const { service, system, start, stream, toMinute } = context;
      const load = system.calm(service.name, "load");
      const bursts = pulses(
        stream,
        start,
        toMinute,
        [9, 20],
        lasting(context, 0.75, 1.25),
        load * stream.between(0.56, 0.62),
      );
      return source(
        context,
        {
          quantity: "depth",
          above: load * 1.2 + 10,
          name: "QueueDepthHigh",
        },
        [{ service: service.name, parameter: "burst", profile: bursts }],
        "a batch publishes in bursts, which drain at once",
      );
    },
  },
  fewLostPackets: {
    heavy: true,
    kinds: ["api", "third_party", "database", "replica"],
    make(context) {
      const { service, system, start, stream, toMinute } = context;
      const lost = stream.between(0.0013, 0.0017);
      const limit = touching(context, "loss", system.calm(service.name, "loss") + lost);
      const loss = pulses(stream, start, toMinute, [3, 9], lasting(context, 1.5, 5), lost);
      return source(
        context,
        { quantity: "loss", above: limit, name: "PacketLoss" },
        [{ service: service.name, parameter: "loss", profile: loss }],
        "a few lost packets, which are sent again",
      );
    },
  },
  certificateSoon: {
    chance: 0.4,
    kinds: ["edge", "api", "third_party", "cdn"],
    make(context) {
      const { service, start, stream } = context;
      const limit = stream.pick([168, 240, 336, 504]) * stream.between(0.97, 1.03);
      const left: Effect = {
        service: service.name,
        parameter: "certificate",
        profile: [[-100, limit - 912 + start / 60]],
      };
      return source(
        context,
        { quantity: "certificate", below: limit, name: "CertificateExpiresSoon" },
        [left],
        "a certificate that is renewed by itself next week",
      );
    },
  },
  busyPool: {
    heavy: true,
    kinds: ["api", "worker"],
    make(context) {
      const { service, start, stream } = context;
      const share: Effect = {
        service: service.name,
        parameter: "held",
        profile: since(start, stream.between(0.36, 0.42)),
      };
      return source(
        context,
        { quantity: "poolUse", above: stream.between(0.73, 0.75), name: "ConnectionPoolBusy" },
        [share],
        "spare sessions kept open on purpose",
      );
    },
  },
  lockMoments: {
    kinds: ["database"],
    make(context) {
      const { service, system, start, stream, toMinute } = context;
      const wait = stream.between(3.5, 5);
      const limit = touching(context, "lockWait", system.calm(service.name, "lockWait") + wait);
      const profile = pulses(stream, start, toMinute, [5, 11], lasting(context, 0.75, 2.5), wait);
      return source(
        context,
        { quantity: "lockWait", above: limit, name: "LockWaitHigh" },
        [{ service: service.name, parameter: "lockWait", profile }],
        "short waits behind a routine statement",
      );
    },
  },
};
/** Share of sources that ring by the names of symptoms. */
const SYMPTOM_SHARE = 0.6;
/** Rules on symptoms are many: a system may have several that are too tight. */
const TIMES_SYMPTOM = 3;

/** Kinds of noise in the order in which a draw takes them; those that ring by symptoms come more than once. */
export function kindsInTurn(stream: Stream): readonly string[] {
  const names = Object.keys(SOURCES);
  const symptoms = names.filter((name) => SOURCES[name]?.symptom === true);
  const close = stream.shuffle(Array.from({ length: TIMES_SYMPTOM }, () => symptoms).flat());
  const others = stream
    .shuffle(names.filter((name) => !symptoms.includes(name)))
    .filter((name) => stream.chance(SOURCES[name]?.chance ?? 1));
  const order: string[] = [];
  while (close.length > 0 && others.length > 0)
    order.push((stream.chance(SYMPTOM_SHARE) ? close.pop() : others.pop()) as string);
  return [...order, ...close, ...others];
}

/** Whether a kind of noise takes capacity; a draw has at most one such source. */
export function isHeavy(kind: string): boolean {
  return SOURCES[kind]?.heavy === true;
}

/** Draws one source on a service it fits; null where the system has no such service among `allowed`. */
export function drawNoise(
  kind: string,
  system: CausalSystem,
  allowed: (service: ServiceSpec) => boolean,
  copies: number,
  toMinute: number,
  stream: Stream,
): NoiseSource | null {
  const entry = SOURCES[kind];
  const fitting = system.spec.services.filter(
    (service) => entry?.kinds.includes(service.kind) === true && allowed(service),
  );
  if (entry === undefined || fitting.length === 0) return null;
  const [earliest, latest] = stream.weighted(BEGINNINGS);
  const start = stream.between(earliest, latest);
  const waits = waitsOf(stream);
  return entry.make({ start, system, service: stream.pick(fitting), copies, toMinute, waits, stream });
}

interface Watch {
  readonly quantity: Quantity;
  readonly above?: number;
  readonly below?: number;
  readonly name: string;
}

function source(
  context: Context,
  watch: Watch,
  effects: readonly Effect[],
  story: string,
  changes: readonly ChangeEvent[] = [],
): NoiseSource {
  const { service, stream, system, waits } = context;
  const metric = metricFor(service.kind, watch.quantity);
  if (metric === undefined) throw new RangeError(`A ${service.kind} has no ${watch.quantity} to watch.`);
  const comparison = watch.above === undefined ? "<" : ">";
  const threshold = writtenThreshold(watch.above ?? watch.below ?? 0, stream);
  const severity = stream.weighted(watch.name.endsWith("BudgetBurn") ? BURN_LABELS : SEVERITY_LABELS);
  const rules = labelSets(context, metric.faceted, system).map((facet) => ({
    name: watch.name,
    service,
    quantity: watch.quantity,
    facet,
    condition: {
      comparison,
      threshold,
      clear: threshold,
      ...waits,
    } as const,
    severity,
    summary: `${metric.help} is ${comparison === ">" ? "above" : "below"} its limit on ${service.name}`,
  }));
  return { service, effects, rules, changes, story };
}

/** The same rule on several instances: each is measured by itself. */
function labelSets({ copies, stream }: Context, faceted: boolean, system: CausalSystem): readonly (Facet | null)[] {
  if (copies <= 1) return [null];
  if (faceted && copies === system.spec.zones.length && stream.chance(0.5))
    return system.spec.zones.map((zone) => ({ key: "zone", value: zone, share: 1 / copies }));
  const tag = stream.integer(4096, 65535).toString(16);
  return Array.from({ length: copies }, (_, i) => ({ key: "instance", value: `${tag}-${i + 1}`, share: 1 / copies }));
}

/** What a handful of failed requests adds to the share of errors. */
const FEW_ERRORS = 0.0009;
const BURN_SHARE = 0.45;

/** Some rules that are too tight watch the error budget. */
function burnOr({ stream }: Context, burn: string, name: string): string {
  return stream.chance(BURN_SHARE) ? burn : name;
}

/** Deviations above a level of which a measurement stays long enough for the rule to fire now and then, by its wait in minutes. */
const REACHED: readonly (readonly [number, number])[] = [
  [0.25, 0.75],
  [0.5, 0.2],
  [1, -0.3],
  [2, -0.8],
  [3, -1.05],
];

/** A limit so near to the level that only the spread of the measurements crosses it. */
function touching({ service, stream, waits }: Context, quantity: Quantity, level: number): number {
  const { relative, absolute } = metricFor(service.kind, quantity) as MetricSpec;
  const [, deviations] = REACHED.find(([wait]) => wait >= waits.forMinutes) ?? [0, 0];
  return level + (deviations + stream.between(-0.1, 0.15)) * (level * relative + absolute);
}

/** How long moments last that the rule sees: its wait and some minutes more. */
function lasting({ waits }: Context, least: number, most: number): readonly [number, number] {
  return [waits.forMinutes + least, waits.forMinutes + most];
}

function latencyName(service: ServiceSpec): string {
  return (
    {
      worker: "JobDurationHigh",
      third_party: "OutboundLatencyHigh",
      dns: "LookupLatencyHigh",
      database: "QueryLatencyHigh",
      replica: "QueryLatencyHigh",
    }[service.kind as string] ?? "HighRequestLatency"
  );
}

function errorName(service: ServiceSpec): string {
  return (
    {
      worker: "JobFailureRatio",
      third_party: "OutboundErrorRatio",
      database: "QueryErrorRatio",
      replica: "QueryErrorRatio",
    }[service.kind as string] ?? "HighErrorRatio"
  );
}

/** An amount that is there from a minute on. */
function since(start: number, amount: number): Profile {
  return [
    [start, 0],
    [start + 0.5, amount],
  ];
}

function pulse(from: number, to: number, amount: number, ramp: number): Profile {
  return [
    [from, 0],
    [from + ramp, amount],
    [Math.max(to, from + ramp + 0.25), amount],
    [Math.max(to, from + ramp + 0.25) + ramp, 0],
  ];
}

/** Pulses of `length` minutes with pauses of `pause` minutes. */
function pulses(
  stream: Stream,
  from: number,
  to: number,
  pause: readonly [number, number],
  length: readonly [number, number],
  amount: number,
): Profile {
  const points: [number, number][] = [];
  let at = from + stream.between(0, pause[1]);
  while (at < to) {
    const end = at + stream.between(length[0], length[1]);
    points.push([at, 0], [at + 0.25, amount], [end, amount], [end + 0.25, 0]);
    at = end + 0.25 + stream.between(pause[0], pause[1]);
  }
  return points;
}

function sawtooth(from: number, period: number, top: number, to: number): Profile {
  const points: [number, number][] = [];
  for (let at = from; at < to + period; at += period) points.push([at, top * 0.6], [at + period - 0.5, top]);
  return points;
}
