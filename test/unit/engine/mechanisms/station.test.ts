import { describe, expect, test } from "vitest";
import { closeStation, prepareStation, S, stepStation, waitingChance } from "../../../../src/engine/mechanisms/station";

/** One step of a station in which there is room for all. */
function solveStation(
  content: number,
  arrivals: number,
  seconds: number,
  capacity: number,
  holding: number,
  before: number,
  out: Float64Array,
  room = 1e12,
): void {
  out[S.before] = content;
  out[S.seconds] = seconds;
  out[S.capacity] = capacity;
  out[S.holding] = holding;
  out[S.utilisation] = before;
  out[S.room] = room;
  prepareStation(out);
  out[S.arrivals] = arrivals;
  stepStation(out);
}

/** A station with `servers` servers of `holding` seconds, left alone with a constant arrival rate until nothing changes. */
function settled(arrivals: number, servers: number, holding: number, seconds = 5): Float64Array {
  const out = new Float64Array(S.count);
  let content = 0;
  let busy = 0;
  for (let i = 0; i < 4000; i++) {
    solveStation(content, arrivals, seconds, servers / holding, holding, busy, out);
    content = out[S.content] as number;
    busy = out[S.utilisation] as number;
  }
  return out;
}

/** Erlang's C formula: the chance of waiting in an M/M/c queue with offered load a = λ·s. */
function erlangC(servers: number, load: number): number {
  let blocked = 1;
  for (let c = 1; c <= servers; c++) blocked = (load * blocked) / (c + load * blocked);
  const busy = load / servers;
  return blocked / (1 - busy + busy * blocked);
}

/** Mean sojourn of an M/M/c queue. */
function exactSojourn(servers: number, holding: number, busy: number): number {
  return holding + (erlangC(servers, servers * busy) * holding) / (servers * (1 - busy));
}

describe("a station", () => {
  test.each([1, 2, 4, 8, 32])("with %i servers keeps requests as long as an M/M/c queue, within 13 %", (servers) => {
    for (const busy of [0.3, 0.5, 0.7, 0.8, 0.9, 0.95]) {
      const out = settled((busy * servers) / 0.1, servers, 0.1);
      expect((out[S.sojourn] as number) / exactSojourn(servers, 0.1, busy)).toBeGreaterThan(0.97);
      expect((out[S.sojourn] as number) / exactSojourn(servers, 0.1, busy)).toBeLessThan(1.13);
    }
  });

  test("obeys Little's law once nothing changes: content = throughput × sojourn", () => {
    const out = settled(70, 8, 0.1);
    expect(out[S.content]).toBeCloseTo((out[S.through] as number) * (out[S.sojourn] as number), 6);
    expect(out[S.through]).toBeCloseTo(70, 6);
  });

  test("with twice the requests it can serve works at capacity and keeps the rest", () => {
    const out = new Float64Array(S.count);
    let content = 0;
    let busy = 1;
    for (let i = 0; i < 12; i++) {
      solveStation(content, 200, 5, 100, 0.08, busy, out);
      content = out[S.content] as number;
      busy = out[S.utilisation] as number;
    }
    // A minute of 200/s against 100/s leaves 6,000, which take a minute to wait for.
    expect(content).toBeGreaterThan(5990);
    expect(content).toBeLessThan(6100);
    expect(out[S.wait]).toBeGreaterThan(59);
    expect(out[S.wait]).toBeLessThan(61);
  });

  test("neither gains nor loses: what came is what went and what is left, at any step and state", () => {
    const out = new Float64Array(S.count);
    for (const content of [0, 3, 5000])
      for (const arrivals of [0, 7, 900])
        for (const seconds of [0.05, 5, 15]) {
          solveStation(content, arrivals, seconds, 100, 0.2, 0.4, out);
          const gone = (out[S.through] as number) * seconds;
          const left = out[S.content] as number;
          expect(content + arrivals * seconds - gone).toBeCloseTo(left, 6);
          expect(left).toBeGreaterThanOrEqual(0);
        }
  });

  test.each([
    [0, 10, 0.1],
    [1e-12, 0, 0],
    [50, 0, 0],
  ])("stays finite without capacity or time (content %d, capacity %d, holding %d)", (content, capacity, holding) => {
    const out = new Float64Array(S.count);
    solveStation(content, 100, 5, capacity, holding, 0.5, out);
    for (const value of out) expect(Number.isFinite(value)).toBe(true);
  });

  test("turns away what it has no room for, and keeps nobody longer than it takes to empty", () => {
    const out = new Float64Array(S.count);
    // 200/s for 5 s against 100/s leave 500; 300 find room, and 200 over 5 s are 40/s.
    solveStation(0, 200, 5, 100, 0.08, 1, out, 300);
    expect(out[S.content]).toBe(300);
    expect(out[S.over]).toBeGreaterThan(39);
    expect(out[S.over]).toBeLessThan(41);
    expect(out[S.sojourn]).toBeCloseTo(300 / (out[S.through] as number), 12);
    expect(out[S.wait]).toBeCloseTo((300 - 8) / 100, 12);
  });

  test("that is closed serves nobody and makes nobody wait", () => {
    const out = new Float64Array(S.count);
    solveStation(7, 200, 5, 100, 0.08, 1, out);
    closeStation(out);
    stepStation(out);
    expect(out[S.sojourn]).toBeLessThan(0.001);
    expect([out[S.through], out[S.content], out[S.wait], out[S.utilisation]]).toEqual([0, 0, 0, 0]);
  });

  test("an idle server makes nobody wait, a full one everybody", () => {
    expect(waitingChance(0, 8)).toBe(0);
    expect(waitingChance(1, 8)).toBe(1);
    // M/M/1: the chance of waiting is the utilisation itself.
    expect(waitingChance(0.6, 1)).toBeCloseTo(0.6, 12);
  });
});
