/**
 * Random systems with random parameters and events: nothing that is not finite, no negative counts, nothing lost. By itself it runs a
 * twentieth of a million ticks; `FIREDRILL_FUZZ_TICKS=1000000 npx vitest run -c test/fuzz/vitest.config.ts engine` runs all of it.
 * A failure prints its seed; FIREDRILL_FUZZ_SEED repeats it.
 */
import { describe, expect, it } from "vitest";
import type { SystemEvent } from "../../src/engine/events";
import { compile } from "../../src/engine/plan";
import { sixServices } from "../../src/engine/topologies/six";
import { checkRun } from "./engine-invariants";
import { randomRun, startRun } from "./engine-runs";

const TICKS = Number(process.env.FIREDRILL_FUZZ_TICKS ?? 50_000);
const FIRST = Number(process.env.FIREDRILL_FUZZ_SEED ?? 0);
const MOST_TICKS = 240;

const repeat = (seed: number) =>
  `FIREDRILL_FUZZ_SEED=${seed} FIREDRILL_FUZZ_TICKS=1 npx vitest run -c test/fuzz/vitest.config.ts engine`;

it(`random runs of ${TICKS} ticks in all break nothing`, async () => {
  const broken: string[] = [];
  let [ticks, runs, swinging] = [0, 0, 0];
  for (let seed = FIRST; ticks < TICKS && broken.length < 5; seed++) {
    // The test runner reports in between that the test is alive.
    if (runs++ % 20 === 0) await new Promise((breathe) => setImmediate(breathe));
    try {
      const checked = checkRun(randomRun(seed, MOST_TICKS));
      ticks += checked.ticks;
      if (checked.alternation > 0.05) swinging++;
    } catch (error) {
      broken.push(`${error instanceof Error ? error.message : error}\n  ${repeat(seed)}`);
    }
  }
  console.log(`${runs} runs, ${ticks} ticks; ${swinging} still swing from tick to tick by more than 5 %`);
  expect(broken).toEqual([]);
});

describe("a leak that is built in is found", () => {
  /** A run of the system as it is, from which half of the fullest place vanishes once. */
  function leaking(what: "content" | "good"): () => void {
    const random = { seed: 1, plan: compile(sixServices), events: what === "good" ? [NO_WORKER] : [], ticks: 40 };
    const run = startRun(random);
    const advance = run.advance.bind(run);
    let leaked = false;
    run.advance = (ticks) => {
      advance(ticks);
      const column = run.state.node(what);
      const values = column.values();
      const most = values.indexOf(Math.max(...values));
      if (!leaked) column.set(most, (values[most] as number) / 2);
      leaked = true;
    };
    return () => checkRun(random, run);
  }
  const NO_WORKER: SystemEvent = { kind: "scaled", service: "worker", replicas: 0, tick: 1, origin: "fault" };

  it("of requests", () => {
    expect(leaking("content")).toThrow(/requests came/);
  });

  it("of messages", () => {
    expect(leaking("good")).toThrow(/messages were put in/);
  });
});
