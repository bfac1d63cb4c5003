/** `firedrill simulate`: a system by itself, for people who design drills: what it does when left alone, set differently or acted on. */
import { compile } from "../../engine/plan";
import { carryOut } from "../../engine/remedies/carry-out";
import { Simulation } from "../../engine/simulation";
import { TICKS_PER_MINUTE } from "../../engine/spec";
import { parseSeed } from "../arguments";
import { EXIT, type ExitCode, type Io, print, usage } from "../io";
import { parseAt, parseFault, parseMinutes, parseTopology, type TimedRemedy, withSettings } from "./simulate-arguments";
import { chart } from "./simulate-chart";
import { eventText, minuteOf } from "./simulate-events";
import { type CustomerPoint, customerSeries, serviceSeries } from "./simulate-series";

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
  parseFault(options.fault);
  const plan = compile(withSettings(parseTopology(options.topology, seed), options.set ?? []));
  const remedies = (options.at ?? []).map((text) => parseAt(plan, text)).sort((a, b) => a.tick - b.tick);
  const late = remedies.find(({ tick }) => tick >= minutes * TICKS_PER_MINUTE);
  if (late)
    throw usage(
      `Minute ${minuteOf(late.tick)} is after the end; simulate more than ${minutes} minutes or act earlier.`,
    );
  const { run, ticksPerSecond } = measured(() => {
    const fresh = new Simulation(plan, seed);
    return { run: fresh, milliseconds: runTo(fresh, minutes * TICKS_PER_MINUTE, remedies) };
  });
  const customer = customerSeries(run);
  const value = {
    hash: run.hash(),
    ticks: run.tick,
    ticksPerSecond,
    pageAt: pageAt(customer),
    customer,
    services: serviceSeries(run),
    events: run.journal.map((event) => ({ minute: minuteOf(event.tick), ...event })),
  };
  print(io, options.json, value, () => {
    const events = run.journal.map((event) => ({
      ...{ minute: minuteOf(event.tick), origin: event.origin, text: eventText(event) },
    }));
    const speed = `${value.ticksPerSecond.toLocaleString("en-US")} ticks/s`;
    const title = [plan.spec.id, `fault ${options.fault}`, `seed ${seed}`, `${minutes} minutes`, speed, value.hash];
    return chart({ ...value, title: title.join(" · "), minutes, events }, io.terminal);
  });
  return EXIT.done;
}

/** How long a run is repeated for the sake of the speed, ms a simulated minute up to a limit: the first repetitions pay for being compiled. */
const MEASURING = 4;
const MOST_MEASURING = 500;

/** The run, and the ticks a second of the fastest of some repetitions. @throws Error when a repetition is another run. */
function measured(once: () => { readonly run: Simulation; readonly milliseconds: number }) {
  const { run, milliseconds } = once();
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
  return { run, ticksPerSecond: Math.round((1000 * run.tick) / Math.max(best, 1e-3)) };
}

/** Runs to a tick, carrying out remedies on the way; answers the milliseconds it took. */
function runTo(run: Simulation, end: number, remedies: readonly TimedRemedy[]): number {
  const begin = performance.now();
  for (const { tick, remedy } of remedies) {
    run.advance(tick - run.tick);
    try {
      carryOut(run, remedy);
    } catch (error) {
      if (error instanceof RangeError) throw usage(`At minute ${minuteOf(tick)}: ${error.message}`);
      throw error;
    }
  }
  run.advance(end - run.tick);
  return performance.now() - begin;
}

/** Customers' errors at which somebody is paged, and for how long they must last. */
const PAGE_ERRORS = 0.05;
const PAGE_TICKS = 8;

/** The minute at which somebody is paged: customers' errors of 5 % for two minutes. Null for never. */
export function pageAt(customer: readonly CustomerPoint[]): number | null {
  let lasted = 0;
  for (const [tick, { errorRate }] of customer.entries()) {
    lasted = errorRate >= PAGE_ERRORS ? lasted + 1 : 0;
    if (lasted === PAGE_TICKS) return minuteOf(tick + 1);
  }
  return null;
}
