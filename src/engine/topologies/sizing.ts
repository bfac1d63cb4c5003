/**
 * Sizes a generated system for its demand, as a capacity planner would: each service gets replicas, cores, slots, connections and
 * time-outs for what arrives at it (`demand.ts`), with a drawn headroom, suppliers and stores first, so that callers know how
 * long an answer takes.
 */
import type { Stream } from "../../core/rng";
import { MOST_REPLICAS } from "../parameters";
import { callsIn, type Demand, type Demands, missShare, peak } from "./demand";
import type { CallDraft, ServiceDraft, Structure } from "./structure";

const TIMEOUTS = [0.25, 0.5, 1, 2, 3, 5, 10, 15, 20] as const;
const DATABASE_CORES = [4, 8, 12, 16, 24, 32, 48, 64] as const;

/** Fills in the parameters of every service and call; `demands` must be those of the same structure. */
export function size(stream: Stream, structure: Structure, demands: Demands): void {
  const sizing = new Sizing(stream, structure, demands);
  for (const service of [...structure.services].reverse()) sizing.size(service);
  for (const service of structure.services) if (service.kind === "database") sizing.limitConnections(service);
}

class Sizing {
  /** Estimated seconds that a request to a service takes. */
  private readonly times = new Map<string, number>();
  /** The longest that a service waits for one of its own calls, s. */
  private readonly patience = new Map<string, number>();

  constructor(
    private readonly stream: Stream,
    private readonly structure: Structure,
    private readonly demands: Demands,
  ) {}

  size(service: ServiceDraft): void {
    const calls = this.structure.calls.filter((call) => call.from === service.name && call.kind !== "consume");
    for (const call of calls) this.sizeCall(service, call);
    this.patience.set(service.name, Math.max(0, ...calls.map((call) => call.parameters.timeout ?? 1)));
    const demand = this.demands.get(service.name) as Demand;
    const rate = peak(demand);
    if (service.kind === "third_party") Object.assign(service.parameters, this.supplier());
    else if (service.kind === "database") Object.assign(service.parameters, this.database(service, rate));
    else if (service.kind === "cache") Object.assign(service.parameters, this.cache(rate));
    else if (service.kind === "queue") Object.assign(service.parameters, this.queue(rate));
    else Object.assign(service.parameters, this.application(service, rate));
    const time = this.timeOf(service, calls);
    this.times.set(service.name, time);
    if (service.kind !== "edge" && service.kind !== "api" && service.kind !== "worker") return;
    Object.assign(service.parameters, this.slots(service, rate, time));
    for (const call of calls) this.sizePool(service, call);
  }

  /** Own time, CPU with some waiting, and all calls one after the other. */
  private timeOf({ parameters }: ServiceDraft, calls: readonly CallDraft[]): number {
    let time = (parameters.ownTime ?? 0) + 1.2 * (parameters.cpuTime ?? 0);
    for (const call of calls)
      time += callsIn(call) * missShare(this.demands, call) * (this.times.get(call.to) as number);
    return time;
  }

  /** Time-out, retries and weight of a call: long against the callee's usual time and its own time-outs. */
  private sizeCall(service: ServiceDraft, call: CallDraft): void {
    const kind = this.structure.services.find((each) => each.name === call.to)?.kind;
    const { stream } = this;
    const own = this.times.get(call.to) as number;
    const least = Math.max(own * stream.between(8, 16), this.patience.get(call.to) ?? 0, kind === "cache" ? 0 : 0.5);
    const timeout = TIMEOUTS.find((each) => each >= least) ?? 20;
    const retries = stream.weighted([
      [0, kind === "api" || kind === "third_party" ? 3 : 1],
      [1, 2],
      [2, kind === "api" || kind === "third_party" ? 0 : 0.7],
    ]);
    const optional = kind === "cache" || (kind === "third_party" && stream.chance(0.5));
    const aside = kind === "queue" && service.kind === "api" && stream.chance(0.4);
    Object.assign(call.parameters, { timeout, retries: kind === "cache" ? 0 : retries });
    if (optional || aside) call.parameters.critical = 0;
    if (kind === "third_party" && stream.chance(0.4))
      Object.assign(call.parameters, { breakerThreshold: 0.5, breakerSeconds: 30 });
  }

  /** Connections to databases and caches: about twice those in use by Little's law. */
  private sizePool(service: ServiceDraft, call: CallDraft): void {
    const kind = this.structure.services.find((each) => each.name === call.to)?.kind;
    if (kind !== "database" && kind !== "cache") return;
    const rate = peak(this.demands.get(service.name) as Demand) / (service.parameters.replicas ?? 1);
    const inUse = rate * callsIn(call) * missShare(this.demands, call) * (this.times.get(call.to) as number);
    call.parameters.pool = Math.max(kind === "cache" ? 16 : 4, Math.ceil(inUse / this.stream.between(0.35, 0.5)));
  }

  /** Replicas, cores and CPU time so that utilisation at the usual load is what was drawn, or less where there is little to do. */
  private application({ kind }: ServiceDraft, rate: number): ServiceDraft["parameters"] {
    const { stream } = this;
    const utilisation = stream.between(0.32, 0.5);
    const [low, high] = kind === "edge" ? [0.0008, 0.0016] : kind === "api" ? [0.003, 0.012] : [0.005, 0.02];
    const drawn = stream.between(low, high);
    const needed = (rate * drawn) / utilisation;
    const cores = [1, 2, 3, 4].find((each) => needed <= 5 * each) ?? Math.min(32, Math.ceil(needed / 20) * 4);
    const replicas = Math.min(MOST_REPLICAS, Math.max(2, Math.ceil(needed / cores)));
    const cpuTime = significant(Math.min(2 * drawn, (utilisation * cores * replicas) / rate));
    const ownTime = significant(
      kind === "edge" ? 0.001 : kind === "api" ? stream.between(0.002, 0.012) : stream.between(0.01, 0.05),
    );
    const scaler =
      kind !== "worker" && stream.chance(0.25)
        ? { scaleMin: replicas, scaleMax: Math.min(MOST_REPLICAS, 2 * replicas), scaleTarget: 0.75 }
        : {};
    const writeShare = kind === "edge" ? 0 : significant(stream.between(0.1, kind === "worker" ? 0.9 : 0.4));
    return { cores, replicas, threads: Math.ceil(cores * 1.25), cpuTime, ownTime, writeShare, ...scaler };
  }

  private slots({ kind, parameters }: ServiceDraft, rate: number, time: number): ServiceDraft["parameters"] {
    const inFlight = (rate / (parameters.replicas ?? 1)) * time;
    if (kind === "worker") return { slots: Math.max(4, Math.ceil(inFlight * this.stream.between(2.2, 3))) };
    const slots = Math.max(kind === "edge" ? 512 : 32, 16 * Math.ceil(inFlight / this.stream.between(3, 5)));
    return { slots, backlog: 4 * slots };
  }

  private database({ cohorts }: ServiceDraft, rate: number): ServiceDraft["parameters"] {
    const { stream } = this;
    const utilisation = stream.between(0.32, 0.48);
    // With shards, each has the cores, and the hottest decides.
    const busiest = cohorts?.kind === "shard" ? rate * cohorts.share : rate;
    const drawn = stream.between(0.0015, 0.006);
    const needed = (busiest * drawn) / utilisation;
    const cores = DATABASE_CORES.find((each) => each >= needed) ?? 64;
    const cpuTime = significant(Math.min(0.012, (utilisation * cores) / busiest));
    const ownTime = significant(stream.between(0.004, 0.025));
    const inUse = (rate - (cohorts?.kind === "shard" ? busiest : 0)) * (cpuTime + ownTime);
    const diskSize = 100 * stream.integer(2, 20);
    const memoryLimit = 4096 * cores;
    return {
      ...{ cores, threads: cores, cpuTime, ownTime, knee: Math.max(60, Math.ceil(inUse * 2.5)) },
      ...(cohorts?.kind === "shard" ? { replicas: cohorts.shards } : {}),
      ...{ diskSize, diskBase: Math.floor(diskSize * stream.between(0.35, 0.6)) },
      ...{ memoryLimit, memoryBase: Math.floor(memoryLimit * stream.between(0.5, 0.65)), memoryPerRequest: 2 },
    };
  }

  private cache(rate: number): ServiceDraft["parameters"] {
    const cpuTime = significant(this.stream.between(0.00006, 0.00014));
    // A node works on one core.
    const replicas = Math.min(MOST_REPLICAS, Math.ceil((rate * cpuTime) / 0.45));
    return { cores: 1, threads: 1, cpuTime, replicas };
  }

  private queue(rate: number): ServiceDraft["parameters"] {
    const cores = this.stream.pick([2, 4]);
    const cpuTime = significant(Math.min(0.005, (this.stream.between(0.2, 0.35) * cores) / rate));
    return { cores, threads: cores, cpuTime };
  }

  private supplier(): ServiceDraft["parameters"] {
    return { ownTime: significant(this.stream.between(0.06, 0.22)) };
  }

  /** A server accepts all connections that its callers' pools can open, and some more. */
  limitConnections(service: ServiceDraft): void {
    let pools = 0;
    for (const call of this.structure.calls) {
      const caller = this.structure.services.find((each) => each.name === call.from);
      if (call.to === service.name && caller)
        pools += (call.parameters.pool ?? 0) * (caller.parameters.replicas ?? 1) * caller.zones.length;
    }
    const maxConnections = 10 * Math.ceil((pools * this.stream.between(1.3, 1.7)) / 10);
    Object.assign(service.parameters, { maxConnections, slots: maxConnections });
  }
}

/** Rounded to three significant digits, as somebody would write it down. */
function significant(value: number): number {
  let scale = 1;
  while (value * scale < 100 && scale < 1e9) scale *= 10;
  return Math.floor(value * scale + 0.5) / scale;
}
