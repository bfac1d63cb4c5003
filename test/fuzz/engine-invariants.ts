/** What must hold of any run of the engine, whatever its parameters and events: checked from the record and the books. */
import { CALL_COLUMNS, NODE_COLUMNS, USER_COLUMNS } from "../../src/engine/record";
import type { Simulation } from "../../src/engine/simulation";
import { TICK_SECONDS } from "../../src/engine/spec";
import { type RandomRun, startRun } from "./engine-runs";

/** Something that must hold did not; the message says what. */
export class InvariantError extends Error {
  override readonly name = "InvariantError";
}

/** The record holds 32-bit numbers: each is off by up to 6e-8 of itself. */
const ROUNDING = 1e-6;
/** Shares that may be 1 and a rounding more. */
const MOST_SHARE = 1 + 1e-5;

export interface Checked {
  readonly ticks: number;
  /** Highest steady swing with a period of two ticks over the last quarter, relative to the mean. */
  readonly alternation: number;
}

/** Runs it and checks all that must hold; `run` is one that has just been started. @throws InvariantError when something does not; whatever the engine throws. */
export function checkRun(random: RandomRun, run: Simulation = startRun(random)): Checked {
  const inside = run.state.node("content").values();
  const waiting = waitingIn(run);
  const middle = Math.floor(random.ticks / 2);
  run.advance(middle);
  const before = run.hash();
  const fork = run.fork();
  if (fork.hash() !== before) throw new InvariantError("a fork has another hash than the run it came from");
  run.advance(random.ticks - middle);
  fork.advance(random.ticks - middle);
  if (run.tick !== random.ticks) throw new InvariantError(`the run is at tick ${run.tick} after ${random.ticks}`);
  if (fork.hash() !== run.hash()) throw new InvariantError("a fork took another course than the run it came from");
  checkRecord(run);
  checkAttempts(run);
  checkJournal(run);
  checkRequests(run, inside);
  checkMessages(run, waiting);
  return { ticks: 2 * random.ticks - middle, alternation: alternation(run) };
}

function checkRecord(run: Simulation): void {
  const { plan, tick } = run;
  const shares: ReadonlySet<string> = new Set(["cpu", "throttled", "memory"]);
  for (const { index, service, zone, cohort } of plan.nodes)
    for (const column of NODE_COLUMNS) {
      const most = shares.has(column) ? MOST_SHARE : Number.MAX_VALUE;
      for (let t = 0; t < tick; t++)
        if (!isCount(run.node(column, index, t), most))
          throw wrong(run.node(column, index, t), `${column} of ${service.name} in ${zone}, cohort ${cohort}`, t);
    }
  for (const { index, name } of plan.calls)
    for (const column of CALL_COLUMNS)
      for (let t = 0; t < tick; t++)
        if (!isCount(run.call(column, index, t))) throw wrong(run.call(column, index, t), `${column} of ${name}`, t);
  for (const { index, service, zone } of plan.entries)
    for (let t = 0; t < tick; t++) {
      const place = `users of ${service.name} in ${zone}`;
      for (const column of USER_COLUMNS)
        if (!isCount(run.user(column, index, t))) throw wrong(run.user(column, index, t), `${column} of ${place}`, t);
      const [offered, failed] = [run.user("offered", index, t), run.user("failed", index, t)];
      if (failed > offered * (1 + ROUNDING)) throw wrong(failed, `failed requests, of ${offered}, of ${place}`, t);
    }
}

/** No attempt of a call fails in two ways: all failures, the breaker's included, are no more than the attempts. */
function checkAttempts(run: Simulation): void {
  for (const { index, name } of run.plan.calls)
    for (let t = 0; t < run.tick; t++) {
      const attempts = run.call("attempts", index, t);
      let failed = attempts * run.call("broken", index, t);
      for (const column of ["timedOut", "refused", "unacquired", "unreached", "errored"] as const)
        failed += run.call(column, index, t);
      if (failed > attempts * (1 + ROUNDING) + 1e-9)
        throw wrong(failed, `failed attempts, of ${attempts}, of ${name}`, t);
    }
}

function isCount(value: number, most = Number.MAX_VALUE): boolean {
  return value >= 0 && value <= most;
}

function wrong(value: number, place: string, tick: number): InvariantError {
  return new InvariantError(`${place} at tick ${tick} is ${value}`);
}

function checkJournal(run: Simulation): void {
  let last = 0;
  for (const { tick, kind } of run.journal) {
    if (tick < last) throw new InvariantError(`${kind} of tick ${tick} stands after an event of tick ${last}`);
    if (tick >= run.tick) throw new InvariantError(`${kind} happened at tick ${tick} of ${run.tick}`);
    last = tick;
  }
}

/** Requests in = served + failed + rejected + dropped + more in flight, over the record, for every node that takes requests. */
function checkRequests(run: Simulation, inside: Float64Array): void {
  const content = run.state.node("content").values();
  for (const { index, service, zone, cohort } of run.plan.nodes) {
    if (service.kind === "worker") continue;
    const sum = (column: "arrivals" | "served" | "failed" | "rejected" | "dropped") => {
      let total = 0;
      for (let t = 0; t < run.tick; t++) total += run.node(column, index, t);
      return total * TICK_SECONDS;
    };
    const came = sum("arrivals");
    const gone = sum("served") + sum("failed") + sum("rejected") + sum("dropped");
    const more = (content[index] as number) - (inside[index] as number);
    const scale = came + gone + Math.abs(more) + (inside[index] as number);
    if (Math.abs(came - gone - more) > ROUNDING * scale + 1e-3)
      throw new InvariantError(
        `${service.name} in ${zone}, cohort ${cohort}: ${came} requests came, ${gone} went and ${more} more are inside`,
      );
  }
}

function waitingIn(run: Simulation): number[] {
  const [good, poison] = [run.state.node("good").values(), run.state.node("poison").values()];
  return run.plan.nodes.map(({ index }) => (good[index] as number) + (poison[index] as number));
}

/** Messages put in = processed + set aside + thrown away + more waiting. */
function checkMessages(run: Simulation, waiting: readonly number[]): void {
  const of = (name: "published" | "processed" | "deadLettered" | "purged") => run.state.node(name).values();
  const now = waitingIn(run);
  for (const { index, service } of run.plan.nodes) {
    if (service.kind !== "queue") continue;
    const put = of("published")[index] as number;
    const gone =
      (of("processed")[index] as number) + (of("deadLettered")[index] as number) + (of("purged")[index] as number);
    const more = (now[index] as number) - (waiting[index] as number);
    if (Math.abs(put - gone - more) > 1e-6 * (put + gone + (now[index] as number)) + 1e-3)
      throw new InvariantError(`${service.name}: ${put} messages were put in, ${gone} left and ${more} more wait`);
  }
}

function alternation(run: Simulation): number {
  const from = Math.floor(run.tick * 0.75);
  let most = 0;
  for (const { index } of run.plan.nodes) {
    let [swing, sum] = [0, 0];
    for (let t = from + 1; t < run.tick - 1; t++) {
      const value = run.node("arrivals", index, t);
      const apart = value - (run.node("arrivals", index, t - 1) + run.node("arrivals", index, t + 1)) / 2;
      swing += t % 2 ? -apart : apart;
      sum += value;
    }
    if (sum > 1e-3) most = Math.max(most, Math.abs(swing) / (2 * sum));
  }
  return most;
}
