import { describe, expect, test } from "vitest";
import {
  CONTENT,
  SOJOURN,
  solveStation,
  THROUGHPUT,
  UTILISATION,
  WAIT,
  waitingChance,
} from "../../../../src/engine/mechanisms/station";

/** A station with `servers` servers of `holding` seconds, left alone with a constant arrival rate until nothing changes. */
function settled(arrivals: number, servers: number, holding: number, seconds = 5): Float64Array {
  const out = new Float64Array(5);
  let content = 0;
  let busy = 0;
  for (let i = 0; i < 4000; i++) {
    solveStation(content, arrivals, seconds, servers / holding, holding, busy, out);
    content = out[CONTENT] as number;
    busy = out[UTILISATION] as number;
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
      expect((out[SOJOURN] as number) / exactSojourn(servers, 0.1, busy)).toBeGreaterThan(0.97);
      expect((out[SOJOURN] as number) / exactSojourn(servers, 0.1, busy)).toBeLessThan(1.13);
    }
  });

  test("obeys Little's law once nothing changes: content = throughput × sojourn", () => {
    const out = settled(70, 8, 0.1);
    expect(out[CONTENT]).toBeCloseTo((out[THROUGHPUT] as number) * (out[SOJOURN] as number), 6);
    expect(out[THROUGHPUT]).toBeCloseTo(70, 6);
  });

  test("with twice the requests it can serve works at capacity and keeps the rest", () => {
    const out = new Float64Array(5);
    let content = 0;
    let busy = 1;
    for (let i = 0; i < 12; i++) {
      solveStation(content, 200, 5, 100, 0.08, busy, out);
      content = out[CONTENT] as number;
      busy = out[UTILISATION] as number;
    }
    // A minute of 200/s against 100/s leaves 6,000, which take a minute to wait for.
    expect(content).toBeGreaterThan(5990);
    expect(content).toBeLessThan(6100);
    expect(out[WAIT]).toBeGreaterThan(59);
    expect(out[WAIT]).toBeLessThan(61);
  });

  test("neither gains nor loses: what came is what went and what is left, at any step and state", () => {
    const out = new Float64Array(5);
    for (const content of [0, 3, 5000])
      for (const arrivals of [0, 7, 900])
        for (const seconds of [0.05, 5, 15]) {
          solveStation(content, arrivals, seconds, 100, 0.2, 0.4, out);
          const gone = (out[THROUGHPUT] as number) * seconds;
          const left = out[CONTENT] as number;
          expect(content + arrivals * seconds - gone).toBeCloseTo(left, 6);
          expect(left).toBeGreaterThanOrEqual(0);
        }
  });

  test.each([
    [0, 10, 0.1],
    [1e-12, 0, 0],
    [50, 0, 0],
  ])("stays finite without capacity or time (content %d, capacity %d, holding %d)", (content, capacity, holding) => {
    const out = new Float64Array(5);
    solveStation(content, 100, 5, capacity, holding, 0.5, out);
    for (const value of out) expect(Number.isFinite(value)).toBe(true);
  });

  test("an idle server makes nobody wait, a full one everybody", () => {
    expect(waitingChance(0, 8)).toBe(0);
    expect(waitingChance(1, 8)).toBe(1);
    // M/M/1: the chance of waiting is the utilisation itself.
    expect(waitingChance(0.6, 1)).toBeCloseTo(0.6, 12);
  });
});
