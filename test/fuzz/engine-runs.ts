/**
 * Random runs of random systems, from a seed alone: topologies, parameters at their extremes (no replicas, no load, no time-out) and
 * events of every kind. Pure: it also runs in a browser and in QuickJS, where each run must have the same hash.
 */
import { Stream } from "../../src/core/rng";
import type { Happening, SystemEvent } from "../../src/engine/events";
import { CALL_PARAMETERS, type ParameterInfo, SERVICE_PARAMETERS } from "../../src/engine/parameters";
import { compile, type Plan } from "../../src/engine/plan";
import { Simulation } from "../../src/engine/simulation";
import { type Change, callName, type SystemSpec } from "../../src/engine/spec";
import { generateTopology } from "../../src/engine/topologies/generated";
import { sixServices } from "../../src/engine/topologies/six";

export interface RandomRun {
  readonly seed: number;
  readonly plan: Plan;
  readonly events: readonly SystemEvent[];
  readonly ticks: number;
}

/** A value somebody might set: an end of the range, the usual one times something, anything in between by order of magnitude. */
function oddValue(stream: Stream, { low, high, initial }: ParameterInfo): number {
  const kind = stream.integer(0, 5);
  if (kind === 0) return low;
  if (kind === 1) return high;
  const factor = stream.pick([0.01, 0.1, 0.5, 0.9, 1.1, 2, 10, 100]);
  const value = kind < 5 ? (initial || 1) * factor : stream.between(0, 1) * stream.pick([1e-3, 1, 1e3, 1e6]);
  return Math.min(high, Math.max(low, value));
}

function randomSpec(stream: Stream): SystemSpec {
  const spec = stream.chance(0.3)
    ? sixServices
    : generateTopology(
        stream.integer(0, 999),
        stream.weighted([
          [8, 4],
          [11, 2],
          [14, 2],
          [20, 1],
        ]),
      );
  // Half of the systems are as they should be, some have a few odd values, some are mostly odd.
  const odd = stream.weighted([
    [0, 5],
    [0.02, 3],
    [0.2, 1],
    [0.6, 1],
  ]);
  const vary = (parameters: object | undefined, table: Readonly<Record<string, ParameterInfo>>) => {
    const changed: Record<string, number> = { ...(parameters as Record<string, number> | undefined) };
    for (const [name, info] of Object.entries(table)) if (stream.chance(odd)) changed[name] = oddValue(stream, info);
    return changed;
  };
  return {
    ...spec,
    services: spec.services.map((each) => ({ ...each, parameters: vary(each.parameters, SERVICE_PARAMETERS) })),
    calls: spec.calls.map((each) => ({ ...each, parameters: vary(each.parameters, CALL_PARAMETERS) })),
  };
}

function randomChange(stream: Stream, { spec }: Plan): Change {
  const op = stream.pick(["set", "times", "plus"] as const);
  const kind = stream.integer(0, 9);
  if (kind === 0) {
    const link = `${stream.pick(spec.zones)}>${stream.pick(spec.zones)}`;
    return { link, parameter: "partitioned", op: "set", value: stream.pick([0, 0.4, 1]) };
  }
  const amount = (info: ParameterInfo) =>
    op === "set" ? oddValue(stream, info) : stream.pick([0, 0.3, 0.9, 1, 3, 30]);
  const zone = stream.chance(0.3) ? { zone: stream.pick(spec.zones) } : {};
  const cohort = stream.chance(0.2) ? { cohort: stream.pick([0, 1] as const) } : {};
  if (kind < 4) {
    const { from, to } = stream.pick(spec.calls);
    const parameter = stream.pick(Object.keys(CALL_PARAMETERS) as (keyof typeof CALL_PARAMETERS)[]);
    return { call: callName(from, to), ...zone, ...cohort, parameter, op, value: amount(CALL_PARAMETERS[parameter]) };
  }
  const parameter = stream.pick(Object.keys(SERVICE_PARAMETERS) as (keyof typeof SERVICE_PARAMETERS)[]);
  const service = stream.pick(spec.services).name;
  return { service, ...zone, ...cohort, parameter, op, value: amount(SERVICE_PARAMETERS[parameter]) };
}

/** Something that can happen to this system. */
function randomHappening(stream: Stream, plan: Plan): Happening {
  const { services, zones, deployables } = plan.spec;
  const service = stream.pick(services);
  const of = (kind: string) => stream.pick(services.filter((each) => each.kind === kind)).name;
  const zone = stream.chance(0.3) ? { zone: stream.pick(service.zones) } : {};
  const share = stream.pick([0, 0.1, 0.5, 1]);
  const id = `odd-${stream.integer(0, 4)}`;
  switch (stream.integer(0, 12)) {
    case 0:
      return { kind: "reverted", id };
    case 1: {
      const deployable = stream.pick(deployables);
      return { kind: "deployed", deployable: deployable.id, version: stream.pick(deployable.versions).version, share };
    }
    case 2:
      return { kind: "scaled", service: service.name, ...zone, replicas: stream.pick([0, 1, 3, 16]) };
    case 3:
      return { kind: "restarted", service: service.name, ...zone, share };
    case 4:
      return {
        kind: "restarted",
        service: service.name,
        ...zone,
        share: 1,
        drained: true,
        seconds: stream.pick([0, 20, 600]),
      };
    case 5:
      return { kind: "cache_flushed", service: of("cache"), share };
    case 6:
      return { kind: "connections_cleared", service: of("database") };
    case 7: {
      const standing = services.filter((each) => each.standby);
      return standing.length
        ? { kind: "failed_over", service: stream.pick(standing).name }
        : { kind: "connections_cleared", service: of("database") };
    }
    case 8:
      return { kind: "purged", service: of("queue"), ...(stream.chance(0.5) ? { only: "poison" as const } : {}) };
    case 9:
      return { kind: "poisoned", service: of("queue"), messages: stream.pick([1, 100, 1e5]) };
    case 10:
      return { kind: "traffic_shifted", zone: stream.pick(zones), weight: stream.pick([0, 0.5, 1, 2]) };
    default: {
      const changes = Array.from({ length: stream.integer(1, 3) }, () => randomChange(stream, plan));
      return { kind: "changed", id, changes };
    }
  }
}

/** The run of a seed: up to `mostTicks` ticks long. */
export function randomRun(seed: number, mostTicks: number): RandomRun {
  const stream = Stream.of(seed, "engine-fuzz");
  const plan = compile(randomSpec(stream.fork("system")));
  const draw = stream.fork("events");
  const ticks = draw.integer(Math.ceil(mostTicks / 6), mostTicks);
  const events = Array.from({ length: draw.integer(0, 12) }, (): SystemEvent => {
    const origin = draw.pick(["fault", "routine", "action"] as const);
    return { ...randomHappening(draw, plan), tick: draw.integer(0, ticks - 1), origin };
  });
  return { seed, plan, events, ticks };
}

export function startRun({ seed, plan, events }: RandomRun): Simulation {
  const run = new Simulation(plan, seed);
  for (const event of events) run.schedule(event);
  return run;
}

/** The hash of each run of seeds from `from` on, in order. */
export function runHashes(from: number, count: number, mostTicks: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    const random = randomRun(from + i, mostTicks);
    const run = startRun(random);
    run.advance(random.ticks);
    return run.hash();
  });
}
