import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Stream } from "../../../../src/core/rng";
import type { SystemEvent } from "../../../../src/engine/events";
import { TextFilter } from "../../../../src/engine/telemetry/logs/filter";
import { fieldNamed } from "../../../../src/engine/telemetry/logs/grammar/slots";
import { styleOf } from "../../../../src/engine/telemetry/logs/grammar/style";
import { LINES_PER_CELL, Logs } from "../../../../src/engine/telemetry/logs/logs";
import { allLines, calm, counted, run, stormy } from "./logs-system";
import { type FakeColumns, fakeRun } from "./metrics-fake-run";

const TICK = 15;

/** The calm run with some columns of the call orders>db, or of a service, set. */
function withCall(columns: Record<string, number>): FakeColumns {
  return { ...calm, calls: { ...calm.calls, "orders>db": { attempts: 10, attemptTime: 0.02, ...columns } } };
}
function withNode(service: string, columns: Record<string, number>): FakeColumns {
  return { ...calm, nodes: { ...calm.nodes, [service]: { ...calm.nodes?.[service], ...columns } } };
}

describe("how many lines there are", () => {
  // The call orders>db is there four times: two zones, two cohorts.
  it.each([
    ["timedOut", "timeout", {}],
    ["refused", "connection_refused", {}],
    ["unacquired", "pool_timeout", {}],
    ["unreached", "network_unreachable", {}],
    ["nameFailed", "name_resolution", { unreached: 0.4 }],
    ["handshakeFailed", "tls_handshake", { unreached: 0.4 }],
    ["errored", "upstream_error", {}],
  ])("follows the rate of %s within what chance allows of a Poisson count", (column, errorType, more) => {
    const ticks = 40;
    const logs = new Logs(run(withCall({ ...more, [column]: 0.4 }), 3, ticks));
    const lines = allLines(logs, { service: "orders" }).filter((line) => line["error.type"] === errorType);
    const expected = 0.4 * TICK * ticks * 4;
    expect(Math.abs(counted(lines) - expected)).toBeLessThan(4.5 * Math.sqrt(expected));
  });

  it.each([
    ["orders", "failed", "internal", 4],
    ["orders", "rejected", "overloaded", 4],
    ["orders", "dropped", "aborted", 4],
    ["worker", "failed", "processing_failed", 1],
    ["jobs", "rejected", "overloaded", 1],
  ])("of %s follows the rate of %s", (service, column, errorType, nodes) => {
    const logs = new Logs(run(withNode(service, { [column]: 0.5 }), 3));
    const lines = allLines(logs, { service }).filter((line) => line["error.type"] === errorType);
    const expected = 0.5 * TICK * 40 * nodes;
    expect(Math.abs(counted(lines) - expected)).toBeLessThan(4.5 * Math.sqrt(expected));
  });

  it("is exact where the number is known: restarts and dead letters", () => {
    const columns = withNode("jobs", {});
    const jobs = { ...columns.nodes?.jobs, deadLetters: ({ tick }: { tick: number }) => tick * 3 };
    const front = { ...columns.nodes?.front, restarts: ({ tick }: { tick: number }) => (tick >= 20 ? 2 : 0) };
    const logs = new Logs(run({ ...columns, nodes: { ...columns.nodes, jobs, front } }));
    const dead = allLines(logs, { service: "jobs" }).filter((line) => line["error.type"] === "dead_letter");
    expect(counted(dead)).toBe(39 * 3);
    const inTick20 = { service: "front", from: 20 * TICK, to: 21 * TICK };
    const before = counted(allLines(logs, { service: "front", from: 19 * TICK, to: 20 * TICK, text: "SIGTERM" }));
    expect(before).toBe(0);
    // Two replicas restart in each of two zones: each says that it stops and that it starts.
    const lines = allLines(logs, inTick20).filter((line) =>
      /pid|SIGTERM|signal|starting|booting|coming up|leaving|removed|deregistered|stopp|shutting|terminating|launching|started/i.test(
        line.body,
      ),
    );
    expect(lines.length).toBeGreaterThanOrEqual(8);
  });

  it("says how many lines are suppressed, so that shown and suppressed add up to the true count", () => {
    const logs = new Logs(run(withCall({ timedOut: 50, attempts: 100 }), 5, 4));
    const lines = allLines(logs, { service: "orders" }).filter((line) => line["error.type"] === "timeout");
    expect(lines).toHaveLength(4 * 4 * LINES_PER_CELL);
    const expected = 50 * TICK * 4 * 4;
    expect(Math.abs(counted(lines) - expected)).toBeLessThan(4.5 * Math.sqrt(expected));
    for (const line of lines)
      if (line.suppressed) expect(line.body).toContain(`[${line.suppressed} similar suppressed]`);
  });

  it("is the total that a page states", () => {
    for (const service of ["orders", "db", "jobs"]) {
      const logs = new Logs(run(stormy, 8, 1));
      const page = logs.read({ service, limit: 500 });
      expect(page.older).toBeNull();
      expect(page.exact).toBe(true);
      expect(page.total).toBe(counted(page.lines));
    }
  });

  it("is estimated within a tenth where most of the time was not read", () => {
    const logs = new Logs(run(stormy, 8, 80));
    const page = logs.read({ service: "db", severity: "WARN" });
    expect(page.exact).toBe(false);
    expect(page.lines).toHaveLength(50);
    const truth = counted(allLines(logs, { service: "db", severity: "WARN" }));
    expect(Math.abs(page.total / truth - 1)).toBeLessThan(0.1);
    expect(page.note).toMatch(/^Showing 50 of about [\d,]+ lines; narrow by/);
  });
});

describe("what did not happen", () => {
  it("leaves no line: a run without failures has none but those of any day", () => {
    const lines = allLines(new Logs(run(calm, 4, 60)));
    expect(lines.length).toBeGreaterThan(500);
    expect(new Set(lines.map((line) => line["error.type"]))).toEqual(new Set([undefined, "bad_request"]));
    // And those of any day do warn.
    expect(lines.some((line) => line.severity_text === "WARN")).toBe(true);
    expect(lines.some((line) => line.severity_text === "ERROR")).toBe(true);
  });

  it("leaves no line of a service without replicas, nor of a vendor", () => {
    const logs = new Logs(run(withNode("front", { ready: 0, arrivals: 0, served: 0 })));
    expect(allLines(logs, { service: "front" })).toEqual([]);
    expect(allLines(logs, { service: "vendor" })).toEqual([]);
  });

  it("is not made up from rounding: columns in single precision that nearly cancel are no network failure", () => {
    const share = Math.fround(0.123456789);
    const logs = new Logs(run(withCall({ unreached: share + 1e-9, nameFailed: share })));
    const lines = allLines(logs, { service: "orders" });
    expect(lines.some((line) => line["error.type"] === "name_resolution")).toBe(true);
    expect(lines.some((line) => line["error.type"] === "network_unreachable")).toBe(false);
  });
});

describe("reading", () => {
  it("gives the same lines in any order, with any filter, and in another reader", () => {
    const source = run(stormy, 21, 5);
    const logs = new Logs(source);
    const all = allLines(logs);
    const again = new Logs(source);
    const db = again.read({ service: "db", limit: 500, to: 40 });
    expect(allLines(again, { from: 20, to: 50 })).toEqual(all.filter((line) => line.time >= 20e6 && line.time < 50e6));
    expect(again.read({ service: "db", limit: 500, to: 40 })).toEqual(db);
    expect(allLines(again, { severity: "ERROR" })).toEqual(
      all.filter((line) => line.severity_text === "ERROR" || line.severity_text === "FATAL"),
    );
    expect(allLines(again, { service: "orders" })).toEqual(all.filter((line) => line["service.name"] === "orders"));
  });

  it("gives the same lines of a time whatever is read later, in a longer run", () => {
    const short = allLines(new Logs(run(stormy, 2, 2)));
    expect(allLines(new Logs(run(stormy, 2, 4)), { to: 30 })).toEqual(short);
  });

  it("gives other lines for another seed", () => {
    const bodies = (seed: number) => new Set(allLines(new Logs(run(stormy, seed, 3))).map((line) => line.body));
    const other = bodies(2);
    expect([...bodies(1)].filter((body) => other.has(body)).length).toBeLessThan(20);
  });

  it("sorts lines by time, and no two have the same", () => {
    const lines = allLines(new Logs(run(stormy, 9, 3)));
    for (let i = 1; i < lines.length; i++) expect(lines[i]?.time).toBeGreaterThan(lines[i - 1]?.time as number);
  });

  it("pages without a gap or a line twice, whatever the limit", () => {
    const logs = new Logs(run(stormy, 9, 3));
    const all = allLines(logs);
    for (const limit of [1, 7, 50]) {
      const seen: number[] = [];
      let cursor: number | undefined;
      for (let i = 0; i < 40; i++) {
        const page = logs.read({ limit, ...(cursor === undefined ? {} : { cursor }) });
        seen.unshift(...page.lines.map((line) => line.time));
        if (page.older === null) break;
        cursor = page.older;
      }
      expect(seen).toEqual(all.slice(-seen.length).map((line) => line.time));
    }
  });

  it.each([
    [{ limit: 0 }, "limit"],
    [{ limit: 501 }, "limit"],
    [{ service: "nobody" }, "nobody"],
    [{ from: Number.NaN }, "from"],
    [{ text: "x".repeat(201) }, "201"],
  ])("names what is wrong with %j", (query, name) => {
    expect(() => new Logs(run(calm)).read(query)).toThrow(name);
  });

  it("shows the time of day", () => {
    const line = new Logs(run(calm), { start: 23 * 3600 }).read({ limit: 1, to: 2.5 }).lines[0];
    expect(line?.timestamp).toMatch(/^23:00:0[012]\.\d{3}$/);
    expect(line?.timestamp.slice(6)).toBe(
      (Math.floor((line?.time as number) / 1000) / 1000).toFixed(3).padStart(6, "0"),
    );
  });
});

describe("text filters", () => {
  it("find what a plain search finds", () => {
    const logs = new Logs(run(stormy, 13, 2));
    const all = allLines(logs);
    for (const text of ["timeout", "DB", "pool*db", "no such line"]) {
      const [first, second = ""] = text.toLowerCase().split("*") as [string, string?];
      const fits = all.filter(({ body }) => {
        const at = body.toLowerCase().indexOf(first);
        return at >= 0 && body.toLowerCase().indexOf(second, at + first.length) >= 0;
      });
      expect(allLines(logs, { text })).toEqual(fits);
    }
  });

  it("say how far back was searched when they stop", () => {
    const page = new Logs(run(stormy, 13, 40)).read({ text: "no line has this" });
    expect(page.lines).toEqual([]);
    expect(page.searched).toBe(2000);
    expect(page.older).not.toBeNull();
    expect(page.note).toMatch(
      /^0 of the newest 2,000 lines back to \d\d:\d\d:\d\d\.\d{3} match; older ones were not searched/,
    );
  });

  it("agree with a regular expression on any text", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "A"), maxLength: 12 });
    const patterns = fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 6 });
    fc.assert(
      fc.property(letters, patterns, (text, pattern) => {
        const expected = new RegExp(pattern.replace(/\*+/g, "[^]*?"), "i").test(text);
        return new TextFilter(pattern).matches(text) === expected;
      }),
      { numRuns: 500 },
    );
  });

  it("take time in proportion to the text for patterns that make backtracking explode", () => {
    const text = "a".repeat(100_000);
    // With backtracking these would not end.
    expect(new TextFilter("a*".repeat(99)).matches(text)).toBe(true);
    expect(new TextFilter(`${"a*".repeat(90)}b`).matches(text)).toBe(false);
    expect(new TextFilter(`${"a".repeat(199)}b`).matches(text)).toBe(false);
    expect(new TextFilter("*".repeat(200)).matches("")).toBe(true);
  });
});

describe("events", () => {
  const happenings: readonly SystemEvent[] = [
    { kind: "deployed", deployable: "orders", version: "v2", share: 1, tick: 3, origin: "routine" },
    { kind: "restarted", service: "db", share: 1, tick: 4, origin: "routine" },
    { kind: "cache_flushed", service: "cache", share: 1, tick: 5, origin: "routine" },
    { kind: "deployed", deployable: "orders/db-pool", version: "r2", share: 1, tick: 6, origin: "routine" },
    { kind: "scaled", service: "orders", replicas: 4, tick: 7, origin: "routine" },
    { kind: "purged", service: "jobs", tick: 8, origin: "routine" },
    { kind: "oom_killed", service: "worker", zone: "a", cohort: 0, tick: 8, origin: "system" },
  ];

  it("read the same whether they are part of the fault, routine or a remedy", () => {
    const read = (origin: SystemEvent["origin"]) =>
      JSON.stringify(
        allLines(
          new Logs(
            run(
              calm,
              5,
              10,
              happenings.map((event) => ({ ...event, origin })),
            ),
          ),
        ),
      );
    expect(read("fault")).toBe(read("routine"));
    expect(read("action")).toBe(read("routine"));
  });

  it("cannot be told apart by their words (naive Bayes on words over 80 deploys, judged on others)", () => {
    const base = run(calm, 1, 2);
    const linesOf = (origin: SystemEvent["origin"], from: number) =>
      Array.from({ length: 40 }, (_, i) => {
        const event: SystemEvent = { kind: "deployed", deployable: "orders", version: "v2", share: 1, tick: 1, origin };
        const lines = allLines(new Logs({ ...base, seed: from + i, journal: [event] }), {
          service: "orders",
          from: 15,
          to: 18,
        });
        return (
          lines.filter((line) => line.body.includes("v2") && !line["error.type"]).map((line) => line.body)[0] ?? ""
        );
      });
    const words = (line: string) =>
      line
        .toLowerCase()
        .split(/[^a-z]+/)
        .filter(Boolean);
    const counts = new Map<string, [number, number]>();
    const learn = (lines: string[], side: 0 | 1) => {
      for (const line of lines)
        for (const word of new Set(words(line))) {
          const count = counts.get(word) ?? [0, 0];
          count[side]++;
          counts.set(word, count);
        }
    };
    learn(linesOf("fault", 1000), 0);
    learn(linesOf("routine", 2000), 1);
    const guess = (line: string) => {
      let odds = 0;
      for (const word of words(line)) {
        const [a, b] = counts.get(word) ?? [0, 0];
        odds += Math.log((a + 1) / (b + 1));
      }
      return odds > 0;
    };
    const right =
      linesOf("fault", 3000).filter(guess).length + linesOf("routine", 4000).filter((line) => !guess(line)).length;
    // Of 80 guesses half are right by chance; sd √80/2 = 4.5.
    expect(Math.abs(right - 40)).toBeLessThan(4 * 4.5);
  });

  it("leave no line where only parameters change: the cause is for the player to find", () => {
    const changed: SystemEvent = {
      kind: "changed",
      id: "secret-fault-name",
      changes: [{ service: "db", parameter: "probeFailure", op: "set", value: 0 }],
      tick: 2,
      origin: "fault",
    };
    const reverted: SystemEvent = { kind: "reverted", id: "secret-fault-name", tick: 4, origin: "fault" };
    const lines = JSON.stringify(allLines(new Logs(run(calm, 5, 6, [changed, reverted]))));
    expect(lines).toBe(JSON.stringify(allLines(new Logs(run(calm, 5, 6)))));
    expect(lines).not.toContain("secret");
  });

  it("name the version in force: lines of a node carry the new one from the deploy on", () => {
    const logs = new Logs(run(calm, 5, 10, happenings));
    const versions = (from: number, to: number) =>
      new Set(allLines(logs, { service: "orders", from, to }).map((line) => line["service.version"]));
    expect(versions(0, 45)).toEqual(new Set(["v1"]));
    expect(versions(45, 150)).toEqual(new Set(["v2"]));
  });

  it("name the limit in force: a pool's size follows its roll-out", () => {
    const columns = withCall({ unacquired: 30, attempts: 60, inUse: 5 });
    const logs = new Logs(run(columns, 5, 10, happenings));
    const sizes = (from: number, to: number) =>
      new Set(
        allLines(logs, { service: "orders", from, to, text: "pool" }).flatMap(({ body }) =>
          [...body.matchAll(/(?:max=|pool (?:size|max) | of |\/)(\d+)(?: busy| in use)?\b/g)].map((found) => found[1]),
        ),
      );
    expect(sizes(0, 90).has("10")).toBe(true);
    expect(sizes(0, 90).has("30")).toBe(false);
    expect(sizes(90, 150).has("30")).toBe(true);
  });
});

describe("what lines say", () => {
  /** Ids of requests, messages, tenants, processes and replicas. */
  const IDS =
    /\b(?:[0-9a-f]{8}|[0-9a-f]{12})\b|(?:t-|c-|acct-)\d{4}|\b(?:worker|http|pool|exec)-\d+|(?<=(?:process|backend|session|pid) )\d+|-[a-z0-9]{6}-[a-z0-9]{5}/g;

  it("is hardly ever the same twice: of 200 lines of a kind and service under 5 % repeat another but for its ids", () => {
    const kinds = new Map<string, string[]>();
    for (const line of allLines(new Logs(run(stormy, 31, 11)), { severity: "WARN" })) {
      const kind = `${line["service.name"]} ${line["error.type"]}`;
      const list = kinds.get(kind) ?? [];
      if (line["error.type"] && list.length < 200)
        list.push(line.body.replace(/ \[\d+ similar.*/, "").replace(IDS, "#"));
      kinds.set(kind, list);
    }
    const full = [...kinds].filter(([, list]) => list.length === 200);
    expect(full.length).toBeGreaterThanOrEqual(10);
    for (const [kind, list] of full) expect([kind, 1 - new Set(list).size / 200 < 0.05]).toEqual([kind, true]);
  });

  it("can be read by a machine where a service writes JSON, also when names hold quotes", () => {
    const odd = {
      ...run(calm).plan.spec.deployables[0],
      versions: [{ version: 'v"1\\', changes: [] }],
      current: 'v"1\\',
    };
    const spec = { ...run(calm).plan.spec, deployables: [odd as never] };
    let json = 0;
    for (let seed = 1; seed <= 4; seed++) {
      const logs = new Logs(fakeRun(stormy, { seed, ticks: 1, spec }));
      for (const { body } of allLines(logs)) {
        expect(body).not.toMatch(/NaN|\[object|[=:"]undefined|\{\w+\}/);
        if (!body.startsWith("{")) continue;
        json++;
        expect(typeof JSON.parse(body.replace(/ \[\d+ similar suppressed\]$/, ""))).toBe("object");
      }
    }
    expect(json).toBeGreaterThan(50);
  });

  it("differs between services as if different teams wrote it", () => {
    const formats = new Set<string>();
    const keys = new Set<string>();
    for (let seed = 1; seed <= 60; seed++) {
      const style = styleOf("orders", "api", Stream.of(seed).noise());
      formats.add(style.format);
      keys.add(style.written[fieldNamed("duration").index]?.first ?? "");
    }
    expect(formats.size).toBe(4);
    expect(keys.size).toBeGreaterThan(10);
  });
});
