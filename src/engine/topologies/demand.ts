/** What arrives at each service of a generated system: the load of the edges, carried down the calls. Requests a second, by zone. */
import type { Stream } from "../../core/rng";
import type { CallDraft, ServiceDraft, Structure } from "./structure";

export interface Demand {
  /** By zone that the service runs in. */
  readonly rates: ReadonlyMap<string, number>;
  /** Caches: share of reads that are answered, 0..1. Others: 0. */
  readonly hits: number;
}

export type Demands = ReadonlyMap<string, Demand>;

/** Draws the load of the edges and how often each call is made, and carries the load down. */
export function drawDemand(stream: Stream, structure: Structure): Demands {
  for (const service of structure.services)
    if (service.kind === "edge") service.parameters.load = 10 * stream.integer(50, 180);
  drawCalls(stream.fork("calls"), structure);
  const demands = new Map<string, Demand>();
  for (const service of structure.services) {
    const rates = ratesOf(service, structure, demands);
    const hits = service.kind === "cache" ? drawCache(stream.fork(service.name), service, rates) : 0;
    demands.set(service.name, { rates, hits });
  }
  return demands;
}

/** The rate of the zone that has most. */
export function peak({ rates }: Demand): number {
  return Math.max(...rates.values());
}

export function callsIn(call: CallDraft): number {
  return call.parameters.calls ?? 1;
}

/** Share of a call that is left when the cache before it has answered. */
export function missShare(demands: Demands, call: CallDraft): number {
  return call.behind ? 1 - (demands.get(call.behind)?.hits ?? 0) : 1;
}

/** Calls that a request makes: an edge sends it to one of its APIs, a few it answers itself. */
function drawCalls(stream: Stream, { services, calls }: Structure): void {
  const kindOf = (name: string) => services.find((each) => each.name === name)?.kind;
  for (const edge of services.filter((each) => each.kind === "edge")) {
    const routes = calls.filter((call) => call.from === edge.name);
    const weights = routes.map(() => stream.between(1, 3));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    for (const [i, route] of routes.entries())
      route.parameters.calls = hundredths((0.94 * (weights[i] as number)) / total);
  }
  for (const call of calls) {
    if (call.kind === "consume" || kindOf(call.from) === "edge") continue;
    const [low, high] = call.behind ? [2, 5] : callRange(kindOf(call.to), call);
    call.parameters.calls = hundredths(stream.between(low, high));
  }
  // A key is asked of the cache first, then of the database.
  for (const call of calls) {
    const behind = calls.find((each) => each.from === call.from && each.behind === call.to);
    if (behind) call.parameters.calls = callsIn(behind);
  }
}

function callRange(callee: ServiceDraft["kind"] | undefined, { kind }: CallDraft): readonly [number, number] {
  if (kind === "publish") return [0.05, 0.5];
  if (callee === "third_party") return [0.05, 0.35];
  return callee === "database" ? [0.6, 2.2] : [0.2, 0.9];
}

function ratesOf(service: ServiceDraft, structure: Structure, demands: Demands): Map<string, number> {
  const rates = new Map<string, number>(service.zones.map((zone) => [zone, 0]));
  const add = (zone: string, rate: number) => {
    const at = service.zones.includes(zone) ? zone : (service.zones[0] as string);
    rates.set(at, (rates.get(at) ?? 0) + rate);
  };
  const load = service.parameters.load ?? 0;
  for (const zone of service.zones) add(zone, load / service.zones.length);
  for (const call of structure.calls) {
    if (call.to === service.name && call.kind !== "consume")
      for (const [zone, rate] of demands.get(call.from)?.rates ?? [])
        add(zone, rate * callsIn(call) * missShare(demands, call));
    if (call.from === service.name && call.kind === "consume")
      for (const zone of service.zones) add(zone, messages(structure, demands, call.to));
  }
  return rates;
}

/** Messages a second that each zone of each consumer of a queue takes. */
function messages({ services, calls }: Structure, demands: Demands, queue: string): number {
  let published = 0;
  for (const rate of demands.get(queue)?.rates.values() ?? []) published += rate;
  const consumers = calls.filter((call) => call.kind === "consume" && call.to === queue);
  const places = consumers.reduce(
    (sum, call) => sum + (services.find((each) => each.name === call.from)?.zones.length ?? 0),
    0,
  );
  return published / places;
}

/**
 * Draws a cache and gives its hit ratio. It holds what is asked for within `reach` seconds. With g = reads · life ÷ keys and h the
 * hit ratio when warm, its warmth w in the long run solves g·h·w² − (g + 1 + g·h)·w + g = 0 (`mechanisms/cache.ts` at rest).
 */
function drawCache(stream: Stream, service: ServiceDraft, rates: ReadonlyMap<string, number>): number {
  const reads = peak({ rates, hits: 0 });
  const reach = stream.between(40, 110);
  const hitMax = hundredths(stream.between(0.93, 0.97));
  const cacheTtl = stream.pick([10800, 14400, 21600]);
  const hotKeys = 100 * Math.ceil((reads * reach) / 100);
  Object.assign(service.parameters, { hitMax, cacheTtl, hotKeys });
  const g = (reads * cacheTtl) / hotKeys;
  const b = g + 1 + g * hitMax;
  const warm = (b - Math.sqrt(b * b - 4 * g * g * hitMax)) / (2 * g * hitMax);
  return warm * hitMax;
}

function hundredths(value: number): number {
  return Math.floor(value * 100 + 0.5) / 100;
}
