/**
 * The causal engine on one core, six and twenty services, figures taken in turn. Time is CPU time of this process: on a machine that
 * others use too, wall time says more about them.
 *
 * Under stress: every database has half of its cores from the start, so that queues, time-outs and retries are at work in every tick.
 * A step of an episode is 8 ticks and an observation of every service: its errors, latency and CPU as measured,
 * half of the steps under stress.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { SystemEvent } from "../../src/engine/events";
import { FAMILIES } from "../../src/engine/faults/catalogue";
import { drawIncident, type Incident, runToPage, startRun } from "../../src/engine/faults/incident";
import { compile, type Plan } from "../../src/engine/plan";
import { Simulation } from "../../src/engine/simulation";
import type { SystemSpec } from "../../src/engine/spec";
import { Logs } from "../../src/engine/telemetry/logs/logs";
import { metricsOfService } from "../../src/engine/telemetry/metrics/catalogue";
import { type FollowedSeries, Metrics } from "../../src/engine/telemetry/metrics/metrics";
import { generateTopology } from "../../src/engine/topologies/generated";
import { sixServices } from "../../src/engine/topologies/six";
import { cpuSeconds, type Figure, interleaved } from "./interleaved";

const RUNS = 9;
const HOUR = 240;
/** Of about average size: 47 nodes. */
const TWENTY = generateTopology(1, 20);

const SIZES = [
  { name: "six", spec: sixServices, ticks: 200_000, steps: 25_000, reset: [1, 3], size: 0.7 },
  { name: "twenty", spec: TWENTY, ticks: 55_000, steps: 7_000, reset: [4, 8], size: 3 },
] as const;

function starving(plan: Plan, tick = 0): SystemEvent[] {
  return plan.services
    .filter((service) => service.kind === "database")
    .map(({ name }) => ({
      ...({ kind: "changed", id: `starve ${name}`, tick, origin: "fault" } as const),
      changes: [{ service: name, parameter: "cores", op: "times", value: 0.5 }],
    }));
}

function stressed(plan: Plan, seed: number): Simulation {
  const run = new Simulation(plan, seed);
  for (const event of starving(plan)) run.schedule(event);
  run.advance(HOUR);
  return run;
}

/** CPU seconds a figure is taken over at least: shorter ones measure how far the compiler has come. */
const LEAST_SECONDS = 0.4;

/** Things a second: `work` does some of them, all within its time, and says how many. */
function perSecond(prepare: (round: number) => () => number): number {
  let [count, seconds] = [0, 0];
  for (let round = 0; seconds < LEAST_SECONDS; round++) {
    const work = prepare(round);
    const begin = cpuSeconds();
    count += work();
    seconds += cpuSeconds() - begin;
  }
  return count / seconds;
}

/** Ticks a second over the second hour of runs. */
function ticksPerSecond(make: (seed: number) => Simulation): number {
  return perSecond((seed) => {
    const run = make(seed);
    return () => {
      run.advance(HOUR);
      return HOUR;
    };
  });
}

/** What an observation shows of a service: errors, latency and saturation, as last measured. */
const SHOWN =
  /^((http|db)\.server|messaging\.(broker|process))\.((request|operation)\.)?(error_ratio|duration\.p95)$|cpu_limit_utilization/;
const STEP_TICKS = 8;

interface Followed {
  readonly service: string;
  readonly metrics: readonly { readonly name: string; readonly series: FollowedSeries }[];
}

function follow(run: Simulation, metrics: Metrics): readonly Followed[] {
  return run.plan.services.map(({ name: service }) => ({
    service,
    metrics: metricsOfService(run.plan, service)
      .filter(({ name }) => SHOWN.test(name))
      .map(({ name }) => ({ name, series: metrics.follow(name, service) })),
  }));
}

function observe(run: Simulation, metrics: Metrics, followed: readonly Followed[]) {
  metrics.refresh();
  return followed.map(({ service, metrics }) => {
    const values: Record<string, number | null> = {};
    for (const { name, series } of metrics) values[name] = series.value(run.tick - 1, 1);
    return { service, values };
  });
}

/** Half of the steps are taken under stress. */
function stepsPerSecond(plan: Plan): number {
  return perSecond((seed) => {
    const runs = [new Simulation(plan, seed), stressed(plan, seed)].map((run) => {
      run.advance(STEP_TICKS);
      const metrics = new Metrics(run);
      return { run, metrics, followed: follow(run, metrics) };
    });
    return () => {
      let steps = 0;
      for (; steps < 120; )
        for (const { run, metrics, followed } of runs) {
          run.advance(STEP_TICKS);
          if (observe(run, metrics, followed).length !== plan.services.length) throw new Error("A service is missing.");
          steps++;
        }
      return steps;
    };
  });
}

/** Incidents that page somebody, of all families there are; nothing of their runs is kept. */
function incidentsOn(system: SystemSpec, count: number): Incident[] {
  const found: Incident[] = [];
  for (let seed = 0; found.length < count && seed < 40; seed++)
    for (const { id } of FAMILIES) {
      const incident = found.length < count ? drawIncident(system, id, seed) : null;
      if (incident && runToPage(incident)) found.push(incident);
    }
  if (!found.length) throw new Error(`No family pages anybody on ${system.id}.`);
  return found;
}

/** Milliseconds of CPU that each of some resets takes: a fresh run of an accepted draw with an hour of history. */
function resets(incidents: readonly Incident[]): number[] {
  return Array.from({ length: 200 }, (_, i) => {
    const begin = cpuSeconds();
    startRun(incidents[i % incidents.length] as Incident).advance(HOUR);
    return 1000 * (cpuSeconds() - begin);
  });
}

function quantile(values: readonly number[], q: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(q * (values.length - 1))] as number;
}

/** Microseconds of a read of 50 lines of logs, newest first, of each service and of all. */
function logRead(plan: Plan): number {
  const services = [undefined, ...plan.services.map(({ name }) => name)];
  const reads = perSecond((seed) => {
    const logs = new Logs(stressed(plan, seed));
    return () => {
      for (const service of services) logs.read({ limit: 50, ...(service ? { service } : {}) });
      return services.length;
    };
  });
  return 1e6 / reads;
}

/** Megabytes of a live run after two hours, everything that it keeps alive included. */
function megabytes(plan: Plan): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const held = () => {
    collect();
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const count = 10;
  const before = held();
  const runs = Array.from({ length: count }, (_, seed) => {
    const run = stressed(plan, seed);
    run.advance(HOUR);
    return run;
  });
  const after = held();
  if (runs.some((run) => run.tick !== 2 * HOUR)) throw new Error("A run is not two hours long.");
  return (after - before) / count / 1e6;
}

/** Microseconds of a fork after two hours. */
function forking(plan: Plan): number {
  const run = stressed(plan, 4);
  run.advance(HOUR);
  const forks = perSecond(() => () => {
    for (let i = 0; i < 50; i++) if (run.fork().tick !== run.tick) throw new Error("A fork is at another tick.");
    return 50;
  });
  return 1e6 / forks;
}

function figuresOf({ name, spec, ticks, steps, reset, size }: (typeof SIZES)[number]): Figure[] {
  const plan = compile(spec);
  let incidents: readonly Incident[] | null = null;
  let last: readonly number[] = [];
  const taken = () => {
    incidents ??= incidentsOn(spec, 10);
    last = resets(incidents);
    return quantile(last, 0.5);
  };
  const of = (what: string) => `${what}, ${name} services`;
  return [
    {
      name: of("ticks under stress"),
      unit: "/s",
      least: ticks,
      figure: () => ticksPerSecond((seed) => stressed(plan, seed)),
    },
    { name: of("ticks while calm"), unit: "/s", figure: () => ticksPerSecond((seed) => new Simulation(plan, seed)) },
    { name: of("8 ticks and an observation"), unit: "/s", least: steps, figure: () => stepsPerSecond(plan) },
    { name: of("reset with an hour of history, median"), unit: "ms", most: reset[0], figure: taken },
    { name: of("reset with an hour of history, p99"), unit: "ms", most: reset[1], figure: () => quantile(last, 0.99) },
    { name: of("reading 50 lines of logs"), unit: "µs", most: 50, figure: () => logRead(plan) },
    { name: of("a live run of two hours"), unit: "MB", most: size, figure: () => megabytes(plan) },
    { name: of("a fork after two hours"), unit: "µs", figure: () => forking(plan) },
  ];
}

export const measurements = interleaved(RUNS, SIZES.flatMap(figuresOf));
