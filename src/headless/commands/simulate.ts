/** `firedrill simulate`: a system by itself, for people who design drills: what it does when left alone, set differently or acted on. */
import type { Seed } from "../../core/rng";
import { advanceToPage } from "../../engine/alert-rules/page";
import type { SystemEvent } from "../../engine/events";
import { drawIncident, startRun } from "../../engine/faults/incident";
import { compile } from "../../engine/plan";
import { carryOut } from "../../engine/remedies/carry-out";
import { Simulation } from "../../engine/simulation";
import { TICKS_PER_MINUTE } from "../../engine/spec";
import { count } from "../../engine/words";
import { parseSeed } from "../arguments";
import { couldNotRun, EXIT, type ExitCode, type Io, print, usage } from "../io";
import { parseAt, parseFault, parseMinutes, parseTopology, type TimedRemedy, withSettings } from "./simulate-arguments";
import { chart } from "./simulate-chart";
import { eventText, minuteOf } from "./simulate-events";
import { customerSeries, serviceSeries } from "./simulate-series";

export interface SimulateOptions {
  readonly topology: string;
  readonly fault: string;
  readonly minutes: string;
  readonly seed: string;
  readonly set?: readonly string[];
  readonly at?: readonly string[];
  readonly json?: boolean;
}

export async function simulate(options: SimulateOptions, io: Io): Promise<ExitCode> {
  const seed = parseSeed(options.seed);
  const minutes = parseMinutes(options.minutes);
  const start = starter(options, seed);
  const { plan } = start();
  const remedies = (options.at ?? []).map((text) => parseAt(plan, text)).sort((a, b) => a.tick - b.tick);
  const end = minutes * TICKS_PER_MINUTE;
  const late = remedies.find(({ tick }) => tick >= end);
  if (late)
    throw usage(
      `Minute ${minuteOf(late.tick)} is after the end; simulate more than ${count(minutes, "minute")} or act earlier.`,
    );
  const { run, orders, ticksPerSecond } = measured(() => runTo(start(), end, remedies));
  const value = {
    hash: run.hash(),
    ticks: run.tick,
    ticksPerSecond,
    pageAt: pageMinute(start(), orders, end),
    customer: customerSeries(run),
    services: serviceSeries(run),
    events: run.journal.map((event) => ({ minute: minuteOf(event.tick), ...event })),
  };
  print(io, options.json, value, () => {
    const events = run.journal.map((event) => ({
      ...{ minute: minuteOf(event.tick), origin: event.origin, text: eventText(event) },
    }));
    const speed = `${value.ticksPerSecond.toLocaleString("en-US")} ticks/s`;
    const title = [plan.spec.id, `fault ${options.fault}`, `seed ${seed}`, count(minutes, "minute"), speed, value.hash];
    return chart({ ...value, title: title.join(" · "), minutes, events }, io.terminal);
  });
  return EXIT.done;
}

/** Makes fresh runs of what was asked for; settings have the last word, over what a fault draws too. */
function starter({ topology, fault, set = [] }: SimulateOptions, seed: Seed): () => Simulation {
  const system = parseTopology(topology, seed);
  const named = parseFault(fault, seed);
  if (!named) {
    const plan = compile(withSettings(system, set));
    return () => new Simulation(plan, seed);
  }
  const incident = drawIncident(system, named.family, named.seed);
  if (!incident)
    throw couldNotRun(`${system.id} has no place for ${named.family}; use another topology or another seed.`);
  const plan = compile(withSettings(incident.plan.spec, set));
  return () => startRun({ ...incident, plan });
}

/** The minute at which somebody is paged, null for never: found on a run of its own, which the orders' events give the same course. */
function pageMinute(run: Simulation, orders: readonly SystemEvent[], end: number): number | null {
  for (const event of orders) run.schedule(event);
  const tick = advanceToPage(run, end);
  return tick === null ? null : minuteOf(tick);
}

/** How long a run is repeated for the sake of the speed, ms of CPU a simulated minute up to a limit: the first ones pay for being compiled. */
const MEASURING = 4;
const MOST_MEASURING = 500;

interface Ran {
  readonly run: Simulation;
  /** What the remedies made happen. */
  readonly orders: readonly SystemEvent[];
  readonly milliseconds: number;
}

/** The run, and the ticks a second of the fastest of some repetitions. @throws Error when a repetition is another run. */
function measured(once: () => Ran): Ran & { readonly ticksPerSecond: number } {
  const first = once();
  const { run, milliseconds } = first;
  const hash = run.hash();
  let [best, total] = [milliseconds, milliseconds];
  const enough = Math.min(MOST_MEASURING, (MEASURING * run.tick) / TICKS_PER_MINUTE);
  while (total < enough) {
    const again = once();
    if (again.run.hash() !== hash)
      throw new Error(`The same simulation gave two hashes, ${hash} and ${again.run.hash()}.`);
    best = Math.min(best, again.milliseconds);
    // Never for ever, however coarse the clock is.
    total += Math.max(again.milliseconds, 1);
  }
  return { ...first, ticksPerSecond: Math.round((1000 * run.tick) / Math.max(best, 1e-3)) };
}

/** Runs to a tick, carrying out remedies on the way. */
function runTo(run: Simulation, end: number, remedies: readonly TimedRemedy[]): Ran {
  const begin = cpuMilliseconds();
  const orders: SystemEvent[] = [];
  for (const { tick, remedy } of remedies) {
    run.advance(tick - run.tick);
    try {
      orders.push(...carryOut(run, remedy).events);
    } catch (error) {
      if (error instanceof RangeError) throw usage(`At minute ${minuteOf(tick)}: ${error.message}`);
      throw error;
    }
  }
  run.advance(end - run.tick);
  return { run, orders, milliseconds: cpuMilliseconds() - begin };
}

/** CPU time of this process: what others do on the machine says nothing about the engine. */
function cpuMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
