import { describe, expect, it } from "vitest";
import { Stream } from "../../../../src/core/rng";
import { compile } from "../../../../src/engine/plan";
import { Simulation } from "../../../../src/engine/simulation";
import { Logs } from "../../../../src/engine/telemetry/logs/logs";
import { placeOfTrace, traceIdOf } from "../../../../src/engine/telemetry/traces/id";
import { MOST_SPANS, type Span, type Trace } from "../../../../src/engine/telemetry/traces/span";
import { SEARCH_BOUND, Traces } from "../../../../src/engine/telemetry/traces/traces";
import { sixServices } from "../../../../src/engine/topologies/six";
import { allLines, calm, run, stormy } from "./logs-system";
import { type FakeColumns, fakeRun, shop } from "./metrics-fake-run";

const endOf = (span: Span) => span.start + span.duration * 1e6;

/** The calm run, but front makes many requests and its call to orders has these columns. */
function frontCalls(columns: Record<string, number>): FakeColumns {
  return { ...calm, calls: { ...calm.calls, "front>orders": { attempts: 20, attemptTime: 0.02, ...columns } } };
}

/** Traces of many ticks, at least `count`. */
function many(traces: Traces, count: number): Trace[] {
  const found: Trace[] = [];
  for (let to = 40 * 15; to > 0 && found.length < count; to -= 15)
    found.push(...traces.find({ from: to - 15, to, limit: 50 }).traces);
  return found;
}

describe("trace ids", () => {
  const noise = Stream.of(5).noise();

  it("are a permutation: each opens the place it was made of, and no two places share one", () => {
    const ids = new Set<string>();
    for (const tick of [0, 7, 479])
      for (const pin of [0, 1, 900])
        for (const root of [0, 3])
          for (const k of [0, 1, 65535]) {
            const id = traceIdOf(noise, { tick, pin, root, k });
            expect(id).toMatch(/^[0-9a-f]{32}$/);
            expect(placeOfTrace(noise, id)).toEqual({ tick, pin, root, k });
            ids.add(id);
          }
    expect(ids.size).toBe(54);
  });

  it("of neighbouring places have nothing in common (half of the bits differ)", () => {
    let bits = 0;
    for (let k = 0; k < 200; k++) {
      const [a, b] = [k, k + 1].map((each) => BigInt(`0x${traceIdOf(noise, { tick: 3, pin: 9, root: 0, k: each })}`));
      bits += ((a as bigint) ^ (b as bigint)).toString(2).replace(/0/g, "").length;
    }
    // 200 × 128 fair bits: sd of the mean √(128/4/200) = .4
    expect(Math.abs(bits / 200 - 64)).toBeLessThan(2);
  });

  it("of another run, or of none, open nothing", () => {
    const traces = new Traces(run(calm));
    expect(traces.open("")).toBeNull();
    expect(traces.open("0".repeat(32))).toBeNull();
    expect(traces.open("not an id")).toBeNull();
    expect(traces.open(traceIdOf(noise, { tick: 1, pin: 0, root: 0, k: 0 }))).toBeNull();
  });
});

describe("a log line's trace", () => {
  it("is opened by the line's id and has, at the line's time, a span of the same replica with the same error", () => {
    const source = run(stormy, 17, 2);
    const traces = new Traces(source);
    const lines = allLines(new Logs(source)).filter((line) => line.trace_id);
    const kinds = new Set<string>();
    for (const line of lines) {
      const id = line.trace_id as string;
      const trace = traces.open(id);
      expect(trace?.trace_id).toBe(id);
      const span = trace?.spans.find(
        (each) => each["service.name"] === line["service.name"] && Math.abs(endOf(each) - line.time) <= 2,
      );
      expect([line["error.type"], span?.["error.type"]]).toEqual(
        line["error.type"] === "lock_wait" ? ["lock_wait", undefined] : [line["error.type"], line["error.type"]],
      );
      expect(span?.["service.instance.id"]).toBe(line["service.instance.id"]);
      expect(span?.["service.version"]).toBe(line["service.version"]);
      expect(span?.["cloud.availability_zone"]).toBe(line["cloud.availability_zone"]);
      kinds.add(`${line["service.name"]} ${line["error.type"]}`);
    }
    expect(kinds.size).toBeGreaterThan(12);
  });

  it("took as long as the line says", () => {
    const source = run(stormy, 18, 2);
    const traces = new Traces(source);
    let compared = 0;
    for (const line of allLines(new Logs(source), { service: "orders" })) {
      const said = /"?(?:duration_ms|elapsed_ms|took_ms|ms)"?[=:](\d+)/.exec(line.body)?.[1];
      if (!said || !line.trace_id || line["error.type"] === "dependency_failed") continue;
      const span = traces
        .open(line.trace_id)
        ?.spans.find((each) => each["service.name"] === "orders" && Math.abs(endOf(each) - line.time) <= 2);
      if (!span) continue;
      expect([line.body, line["error.type"], Math.abs(span.duration * 1000 - Number(said)) <= 1]).toEqual([
        line.body,
        line["error.type"],
        true,
      ]);
      compared++;
    }
    expect(compared).toBeGreaterThan(10);
  });
});

describe("a real run", () => {
  it("has the same lines and traces in a fork, and each line's trace has its event", () => {
    const simulation = new Simulation(compile(sixServices), 4);
    const slow = { service: "main-db", parameter: "cores", op: "times", value: 0.3 } as const;
    simulation.schedule({ kind: "changed", id: "slow", changes: [slow], tick: 2, origin: "fault" });
    simulation.schedule({ kind: "restarted", service: "worker", share: 0.5, tick: 4, origin: "action" });
    simulation.advance(5);
    const lines = allLines(new Logs(simulation), { from: 30 });
    const fork = simulation.fork();
    fork.schedule({ kind: "cache_flushed", service: "cache", share: 1, tick: 5, origin: "action" });
    fork.advance(2);
    expect(allLines(new Logs(fork), { from: 30, to: 75 })).toEqual(lines);
    const traces = new Traces(simulation);
    const forked = new Traces(fork);
    const traced = lines.filter((line) => line.trace_id);
    expect(traced.length).toBeGreaterThan(100);
    for (const line of traced.slice(0, 150)) {
      const trace = traces.open(line.trace_id as string);
      const span = trace?.spans.find(
        (each) => each["service.name"] === line["service.name"] && Math.abs(endOf(each) - line.time) <= 2,
      );
      expect([line.body, span?.["error.type"]]).toEqual([line.body, line["error.type"]]);
      expect(forked.open(line.trace_id as string)).toEqual(trace);
    }
  });
});

describe("what traces show", () => {
  it("follows the record: the share of attempts that fail in each way, and how long they take", () => {
    const columns = frontCalls({ timedOut: 6, refused: 2, attemptTime: 0.6 });
    const front = { ...columns.nodes?.front, served: 12, failed: 8 };
    const traces = many(new Traces(run({ ...columns, nodes: { ...columns.nodes, front } }, 23)), 600);
    const noise = Stream.of(23).fork("logs").noise();
    // Traces that lines name are kept for their errors; those picked by chance show the shares.
    const attempts = traces
      .filter((trace) => placeOfTrace(noise, trace.trace_id)?.pin === 0)
      .flatMap((trace) => trace.spans.filter((span) => span["service.name"] === "front" && span.kind === "client"));
    expect(attempts.length).toBeGreaterThan(150);
    const share = (errorType: string) =>
      attempts.filter((span) => span["error.type"] === errorType).length / attempts.length;
    const within = (p: number) => 4 * Math.sqrt((p * (1 - p)) / attempts.length);
    // 6 and 2 of 20 attempts a second.
    expect(Math.abs(share("timeout") - 0.3)).toBeLessThan(within(0.3));
    expect(Math.abs(share("connection_refused") - 0.1)).toBeLessThan(within(0.1));
    for (const span of attempts.filter((each) => each["error.type"] === "timeout")) {
      expect(span.duration).toBeGreaterThanOrEqual(2);
      expect(span.duration).toBeLessThan(2.1);
    }
  });

  it("has no error where the run had none", () => {
    const traces = many(new Traces(run(calm, 3)), 150);
    expect(traces.length).toBeGreaterThanOrEqual(150);
    for (const trace of traces) {
      expect(trace.status).toBe("ok");
      for (const span of trace.spans) expect([span.name, span.status]).toEqual([span.name, "ok"]);
    }
    expect(new Traces(run(calm, 3)).find({ status: "error" }).traces).toEqual([]);
  });

  it("calls as often as the record says: twice as many cache reads as database reads and vendor calls seldom", () => {
    const traces = many(new Traces(run(calm, 3)), 300).filter((trace) => trace.service === "front");
    const mean = (name: string) => {
      const counts = traces.map(
        (trace) => trace.spans.filter((span) => span.name === name && span["service.name"] === "orders").length,
      );
      return counts.reduce((sum, n) => sum + n, 0) / counts.length;
    };
    // Attempts ÷ arrivals of a node: 40/20, 10/20, 2/20.
    expect(mean("call cache")).toBe(2);
    expect(Math.abs(mean("call db") - 0.5)).toBeLessThan(4 * Math.sqrt(0.25 / traces.length));
    expect(Math.abs(mean("call vendor") - 0.1)).toBeLessThan(4 * Math.sqrt(0.09 / traces.length));
  });

  it("takes at a node as long as the record says on average", () => {
    const traces = many(new Traces(run(calm, 29)), 400).flatMap((trace) => trace.spans);
    const db = traces.filter((span) => span["service.name"] === "db").map((span) => span.duration);
    const mean = db.reduce((sum, x) => sum + x, 0) / db.length;
    // latencyMean .02, sd .01
    expect(Math.abs(mean - 0.02)).toBeLessThan(5 * (0.01 / Math.sqrt(db.length)));
  });

  it("keeps children below their parents and, unless a caller gave up, within their time", () => {
    for (const source of [calm, stormy])
      for (const trace of many(new Traces(run(source, 5)), 60)) {
        const known = new Map<string, Span>();
        trace.spans.forEach((span, index) => {
          const parent = known.get(span.parent_span_id);
          if (index === 0) expect(span.parent_span_id).toBe("");
          else expect(parent).toBeDefined();
          known.set(span.span_id, span);
          expect(span.duration).toBeGreaterThan(0);
          if (!parent) return;
          expect(span.start).toBeGreaterThanOrEqual(parent.start - 2);
          if (parent["error.type"] !== "timeout") expect(endOf(span)).toBeLessThanOrEqual(endOf(parent) + 3);
        });
        expect(known.size).toBe(trace.spans.length);
      }
  });

  it("shows all attempts of a call side by side, the waits between them included", () => {
    const calls = shop.calls.map((call) =>
      call.from === "front" ? { ...call, parameters: { timeout: 2, retries: 2, backoff: 0.1 } } : call,
    );
    const columns = frontCalls({ attempts: 60, timedOut: 60, attemptTime: 2 });
    const failing = {
      ...columns,
      nodes: { ...columns.nodes, front: { ...columns.nodes?.front, served: 0, failed: 20 } },
    };
    const traces = many(new Traces(fakeRun(failing, { seed: 6, ticks: 40, spec: { ...shop, calls } })), 40);
    const failed = traces.filter((trace) => trace.service === "front");
    expect(failed.length).toBeGreaterThan(20);
    for (const trace of failed) {
      const root = trace.spans[0] as Span;
      const attempts = trace.spans.filter((span) => span.parent_span_id === root.span_id);
      expect(attempts.map((span) => [span["error.type"], span["http.request.resend_count"]])).toEqual([
        ["timeout", 0],
        ["timeout", 1],
        ["timeout", 2],
      ]);
      expect(root.status).toBe("error");
      for (let i = 1; i < 3; i++) {
        const gap = (attempts[i] as Span).start - endOf(attempts[i - 1] as Span);
        expect(gap).toBeGreaterThanOrEqual(0.05e6 - 2);
        expect(gap).toBeLessThanOrEqual(0.15e6 + 2);
      }
    }
  });

  it("links a message's processing to the request that published it, as long ago as messages wait", () => {
    const jobs = { ...calm.nodes?.jobs, delay: 60 };
    const traces = new Traces(run({ ...calm, nodes: { ...calm.nodes, jobs } }, 7));
    const processed = traces.find({ service: "worker", limit: 20 }).traces;
    expect(processed.length).toBe(20);
    for (const trace of processed) {
      const link = trace.spans[0]?.links?.[0];
      const published = traces.open(link?.trace_id ?? "");
      const span = published?.spans.find((each) => each.span_id === link?.span_id);
      expect([span?.kind, span?.name, span?.status]).toEqual(["producer", "publish jobs", "ok"]);
      expect(published?.tick).toBe(trace.tick - 4);
    }
  });
});

describe("finding traces", () => {
  it("gives the same ones in any order, with any filter, and in another reader", () => {
    const source = run(stormy, 3, 6);
    const traces = new Traces(source);
    const first = traces.find({ limit: 30 });
    traces.find({ status: "error", service: "db" });
    traces.open(first.traces[3]?.trace_id ?? "");
    expect(traces.find({ limit: 30 })).toEqual(first);
    expect(new Traces(source).find({ limit: 30 })).toEqual(first);
    for (const trace of first.traces) expect(new Traces(source).open(trace.trace_id)).toEqual(trace);
  });

  it("filters by service and status", () => {
    const traces = new Traces(run(stormy, 3, 10));
    const errors = traces.find({ service: "db", status: "error", limit: 10 }).traces;
    expect(errors).toHaveLength(10);
    for (const trace of errors)
      expect(trace.spans.some((span) => span["service.name"] === "db" && span.status === "error")).toBe(true);
    const slow = traces.find({ service: "front", status: "slow", limit: 10 }).traces;
    expect(slow).toHaveLength(10);
    for (const trace of slow)
      expect(trace.spans.some((span) => span["service.name"] === "front" && span.duration > 1)).toBe(true);
  });

  it("looks at a bounded number and says so", () => {
    const page = new Traces(run(calm, 3, 400)).find({ service: "orders", status: "error" });
    expect(page.traces).toEqual([]);
    expect(page.searched).toBe(SEARCH_BOUND);
    expect(page.note).toMatch(
      /^Showing 0 of the 400 traces looked at back to \d\d:\d\d:\d\d\.\d{3}, kept of about \d+ requests .*; for older ones end the time at/,
    );
  });

  it("keeps one request in a hundred, up to a number that it states", () => {
    const source = run({ ...calm, users: { front: { offered: 10 } } }, 3, 40);
    const page = new Traces(source).find({ service: "front", limit: 50 });
    // 10/s × 15 s × 1 % = 1.5 a tick and zone.
    expect(page.requests).toBeGreaterThan(0);
    expect(page.note).toContain("one request in a hundred is kept, at most 8 of an entry in 15 s");
  });

  it("cuts a trace with very many spans and counts what it left out", () => {
    const columns = { ...calm, calls: { ...calm.calls, "orders>cache": { attempts: 20_000, attemptTime: 0.0001 } } };
    const trace = new Traces(run(columns, 3)).find({ service: "front", limit: 1 }).traces[0];
    expect(trace?.spans.length).toBeLessThanOrEqual(MOST_SPANS);
    // 1,000 reads, of which 40 would be walked, two spans each.
    expect(trace?.left).toBeGreaterThanOrEqual(960);
  });

  it.each([
    [{ limit: 0 }, "limit"],
    [{ limit: 51 }, "limit"],
    [{ service: "nobody" }, "nobody"],
    [{ to: Number.NaN }, "to"],
  ])("names what is wrong with %j", (query, name) => {
    expect(() => new Traces(run(calm)).find(query)).toThrow(name);
  });

  it.each([{ to: -1 }, { to: 0 }, { from: 1e12 }, { from: 20, to: 10 }])(
    "finds nothing in %j, and says so",
    (query) => {
      const page = new Traces(run(calm)).find(query);
      expect(page.traces).toEqual([]);
      expect(page.note).toMatch(/^Showing 0 of the 0 traces looked at back to \d\d:\d\d:\d\d\.\d{3}, .*that is all\.$/);
    },
  );
});
