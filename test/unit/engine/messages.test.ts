import { expect, test } from "vitest";
import type { SystemEvent } from "../../../src/engine/events";
import { compile } from "../../../src/engine/plan";
import { Simulation } from "../../../src/engine/simulation";
import { TICK_SECONDS } from "../../../src/engine/spec";
import { sixServices } from "../../../src/engine/topologies/six";

const plan = compile(sixServices);
const ONSET = 10;
const TICKS = 70;

/** A run in which a share of what is published fails at the broker, as on a full disk. */
function refusing(share: number): Simulation {
  const run = new Simulation(plan, 5);
  const failing: SystemEvent = {
    kind: "changed",
    id: "refused",
    changes: [{ service: "queue", parameter: "errorShare", op: "set", value: share }],
    tick: ONSET,
    origin: "fault",
  };
  run.schedule(failing);
  run.advance(TICKS);
  return run;
}

/** Messages that the workers took from tick `from` on. */
function worked(run: Simulation, from: number): number {
  let sum = 0;
  for (const { index, service } of plan.nodes)
    if (service.name === "worker")
      for (let tick = from; tick < run.tick; tick++) sum += run.node("arrivals", index, tick) * TICK_SECONDS;
  return sum;
}

test("workers have nothing to do once the broker takes no message and the queue is empty", () => {
  const run = refusing(1);
  expect(worked(run, ONSET + 4)).toBeLessThan(1);
  expect(worked(run, 0)).toBeGreaterThan(1000);
});

test("workers take no more messages than were put into the queue, but for one redelivered in some thousand", () => {
  const run = refusing(0.3);
  const [queue] = plan.nodes.filter(({ service }) => service.name === "queue").map(({ index }) => index);
  const published = run.state.node("published").get(queue ?? -1);
  // A worker fails one in two thousand, which then comes again; what was left of before the start is less than a tick's.
  expect(worked(run, 0)).toBeLessThan(published * 1.001 + 100 * TICK_SECONDS);
  expect(worked(run, 0)).toBeGreaterThan(0.98 * published);
});

test("a worker fails all the poison that it takes, and of the rest what it fails anyway", () => {
  const run = new Simulation(plan, 5);
  run.schedule({ kind: "poisoned", service: "queue", messages: 2000, tick: ONSET, origin: "fault" });
  run.schedule({
    kind: "changed",
    id: "for ever",
    changes: [{ service: "queue", parameter: "deliveryLimit", op: "set", value: 0 }],
    tick: ONSET,
    origin: "fault",
  });
  run.advance(TICKS);
  const [queue] = plan.nodes.filter(({ service }) => service.name === "queue").map(({ index }) => index);
  const redelivered = run.node("redelivered", queue ?? -1, TICKS - 1);
  let failed = 0;
  for (const { index, service } of plan.nodes)
    if (service.name === "worker") failed += run.node("failed", index, TICKS - 1);
  // Nothing is set aside, so that all that failed comes again.
  expect(redelivered).toBeGreaterThan(50);
  expect(failed / redelivered).toBeCloseTo(1, 3);
});

test("good messages wait as long as Little's law says, however much poison goes round with them", () => {
  const run = new Simulation(plan, 5);
  run.schedule({ kind: "poisoned", service: "queue", messages: 20_000, tick: ONSET, origin: "fault" });
  run.schedule({
    kind: "changed",
    id: "for ever",
    changes: [{ service: "queue", parameter: "deliveryLimit", op: "set", value: 0 }],
    tick: ONSET,
    origin: "fault",
  });
  run.advance(ONSET + 400);
  const queue = plan.nodes.find(({ service }) => service.name === "queue")?.index ?? -1;
  const [level, poison] = [run.node("level", queue, run.tick - 1), run.node("poison", queue, run.tick - 1)];
  let served = 0;
  for (const { index, service } of plan.nodes)
    if (service.name === "worker") served += run.node("served", index, run.tick - 1);
  expect(poison).toBeCloseTo(20_000, 3);
  expect(level).toBeGreaterThan(5_000);
  expect(run.node("delay", queue, run.tick - 1) / (level / served)).toBeCloseTo(1, 1);
});
