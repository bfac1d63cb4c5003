/**
 * What else goes on in a system: causes of alerts that concern no customer. Each source changes parameters like a fault does, or
 * only measures something too closely, and brings the rules that watch it. Nothing here writes an alert; the series must cross.
 */
import { round } from "../../core/math";
import type { Stream } from "../../core/rng";
import { metricFor } from "../../engine/metrics";
import type { CausalSystem, Effect, Facet, Profile, Quantity, ServiceKind, ServiceSpec } from "../../engine/system";
import type { ChangeEvent } from "./draw";
import type { WatchRule } from "./rules";

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
  readonly stream: Stream;
}

interface Kind {
  readonly kinds: readonly ServiceKind[];
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
    kinds: ["api", "edge", "cdn", "third_party", "dns", "worker"],
    make(context) {
      const { service, system, start, stream } = context;
      const calm = system.calm(service.name, "latency");
      const limit = calm * stream.between(1.13, 1.15);
      const slower: Effect = { service: service.name, parameter: "delay", profile: since(start, 0.08 * calm) };
      return source(
        context,
        {
          quantity: "latency",
          above: limit,
          forMinutes: 0.25,
          keep: stream.pick([2, 5, 9]),
          name: latencyName(service),
        },
        [slower],
        "a latency rule so close to normal that a few slower requests cross it",
      );
    },
  },
  tightErrors: {
    kinds: ["api", "worker", "third_party", "edge"],
    make(context) {
      const { service, system, start, stream } = context;
      const calm = system.calm(service.name, "errors");
      const limit = calm * 1.2 + stream.between(0.001, 0.0012);
      const more: Effect = { service: service.name, parameter: "fail", profile: since(start, 0.0009) };
      return source(
        context,
        { quantity: "errors", above: limit, forMinutes: 0.25, keep: stream.pick([2, 4, 8]), name: errorName(service) },
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
        { quantity: "cpu", above: limit, forMinutes: 2, keep: 2, name: "CpuSaturation" },
        [busy],
        `a batch job (${job}) uses spare CPU`,
        changes,
      );
    },
  },
  probeFlaps: {
    kinds: SERVERS,
    make(context) {
      const { service, start, stream, toMinute } = context;
      const profile = pulses(stream, start, toMinute, [4, 12], [0.75, 1.5], stream.between(0.3, 0.6));
      return source(
        context,
        { quantity: "up", below: 0.8, forMinutes: 0.25, keep: stream.pick([0.5, 1, 3]), name: "TargetDown" },
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
          forMinutes: 2,
          keep: 1,
          name: "FilesystemAlmostFull",
        },
        [{ service: service.name, parameter: "disk", profile }],
        "logs fill the volume and are rotated away",
      );
    },
  },
  backupAge: {
    kinds: ["database", "replica"],
    make(context) {
      const { service, start } = context;
      const limit = 25;
      // 9.5 h at the page without it; the limit is passed at `start`.
      const age: Effect = { service: service.name, parameter: "backup", profile: [[-100, limit - 9.5 - start / 60]] };
      return source(
        context,
        { quantity: "backup", above: limit, forMinutes: 5, keep: 0, name: "BackupTooOld" },
        [age],
        "last night's backup was skipped",
      );
    },
  },
  shortSpikes: {
    heavy: true,
    kinds: ["api", "edge", "third_party", "cache", "dns"],
    make(context) {
      const { service, system, start, stream, toMinute } = context;
      const calm = system.calm(service.name, "latency");
      const spikes = pulses(stream, start, toMinute, [6, 16], [0.75, 1.25], calm * stream.between(0.3, 0.36));
      return source(
        context,
        {
          quantity: "latency",
          above: calm * 1.2,
          forMinutes: 0.25,
          keep: stream.pick([0.5, 2, 5]),
          name: latencyName(service),
        },
        [{ service: service.name, parameter: "delay", profile: spikes }],
        "spikes of under two minutes that stay within the objective",
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
        { quantity: "memory", above: level - stream.between(0.004, 0.03), forMinutes: 3, keep: 3, name: "MemoryHigh" },
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
      const profile = pulses(stream, start, toMinute, [7, 14], [1.5, 2], 0 - stream.between(0.34, 0.37));
      return source(
        context,
        { quantity: "lag", above: 1, forMinutes: 0.25, keep: stream.pick([2, 5, 9]), name: "ReplicationLagHigh" },
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
          forMinutes: 2,
          keep: 3,
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
      const bursts = pulses(stream, start, toMinute, [9, 20], [1, 1.5], load * stream.between(0.56, 0.62));
      return source(
        context,
        {
          quantity: "depth",
          above: load * 1.2 + 10,
          forMinutes: 0.25,
          keep: stream.pick([1, 3, 6]),
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
      const { service, start, stream, toMinute } = context;
      const loss = pulses(stream, start, toMinute, [3, 9], [2, 6], stream.between(0.0013, 0.0017));
      return source(
        context,
        { quantity: "loss", above: 0.0026, forMinutes: 0.5, keep: stream.pick([1, 4]), name: "PacketLoss" },
        [{ service: service.name, parameter: "loss", profile: loss }],
        "a few lost packets, which are sent again",
      );
    },
  },
  certificateSoon: {
    kinds: ["edge", "api", "third_party", "cdn"],
    make(context) {
      const { service, start } = context;
      const left: Effect = {
        service: service.name,
        parameter: "certificate",
        profile: [[-100, 360 - 912 + start / 60]],
      };
      return source(
        context,
        { quantity: "certificate", below: 360, forMinutes: 3, keep: 0, name: "CertificateExpiresSoon" },
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
        { quantity: "poolUse", above: 0.74, forMinutes: 2, keep: 3, name: "ConnectionPoolBusy" },
        [share],
        "spare sessions kept open on purpose",
      );
    },
  },
  lockMoments: {
    kinds: ["database"],
    make(context) {
      const { service, start, stream, toMinute } = context;
      const waits = pulses(stream, start, toMinute, [5, 11], [1, 3], stream.between(3, 4.5));
      return source(
        context,
        { quantity: "lockWait", above: 3.4, forMinutes: 0.25, keep: stream.pick([1, 3, 6]), name: "LockWaitHigh" },
        [{ service: service.name, parameter: "lockWait", profile: waits }],
        "short waits behind a routine statement",
      );
    },
  },
};
export const NOISE_KINDS = Object.keys(SOURCES) as readonly string[];

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
  return entry.make({ start, system, service: stream.pick(fitting), copies, toMinute, stream });
}

interface Watch {
  readonly quantity: Quantity;
  readonly above?: number;
  readonly below?: number;
  readonly forMinutes: number;
  readonly keep: number;
  readonly name: string;
}

function source(
  context: Context,
  watch: Watch,
  effects: readonly Effect[],
  story: string,
  changes: readonly ChangeEvent[] = [],
): NoiseSource {
  const { service, stream, system } = context;
  const metric = metricFor(service.kind, watch.quantity);
  if (metric === undefined) throw new RangeError(`A ${service.kind} has no ${watch.quantity} to watch.`);
  const comparison = watch.above === undefined ? "<" : ">";
  const threshold = round(watch.above ?? watch.below ?? 0, Math.min(6, metric.digits + 1));
  const severity = stream.weighted<string>([
    ["warning", 5],
    ["critical", 3],
    ["info", 2],
  ]);
  const rules = labelSets(context, metric.faceted, system).map((facet) => ({
    name: watch.name,
    service,
    quantity: watch.quantity,
    facet,
    condition: {
      comparison,
      threshold,
      clear: threshold,
      forMinutes: watch.forMinutes,
      keepFiringMinutes: watch.keep,
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

function latencyName(service: ServiceSpec): string {
  return (
    { worker: "JobDurationHigh", third_party: "OutboundLatencyHigh", dns: "LookupLatencyHigh" }[
      service.kind as string
    ] ?? "HighRequestLatency"
  );
}

function errorName(service: ServiceSpec): string {
  return { worker: "JobFailureRatio", third_party: "OutboundErrorRatio" }[service.kind as string] ?? "HighErrorRatio";
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
