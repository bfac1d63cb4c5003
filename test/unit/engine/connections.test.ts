import { describe, expect, test } from "vitest";
import type { Happening } from "../../../src/engine/events";
import { callsOf, compile } from "../../../src/engine/plan";
import type { CallColumn } from "../../../src/engine/record";
import { Simulation } from "../../../src/engine/simulation";
import type { SystemSpec } from "../../../src/engine/spec";
import { sixServices } from "../../../src/engine/topologies/six";

const CALL = "billing-api>main-db";
const ONSET = 10;

function withBreaker(threshold: number): SystemSpec {
  const parameters = { breakerThreshold: threshold, breakerSeconds: 60 };
  return {
    ...sixServices,
    calls: sixServices.calls.map((each) =>
      each.from === "billing-api" && each.to === "main-db"
        ? { ...each, parameters: { ...each.parameters, ...parameters } }
        : each,
    ),
  };
}

function started(system: SystemSpec, ...events: readonly (readonly [tick: number, what: Happening])[]): Simulation {
  const run = new Simulation(compile(system), 3);
  for (const [tick, what] of events) run.schedule({ ...what, tick, origin: "fault" });
  return run;
}

function changing(parameter: "handshakeFailure" | "partitioned", value: number): Happening {
  return { kind: "changed", id: "change", changes: [{ call: CALL, parameter, op: "set", value }] };
}

/** Of all attempts of the call, summed over its callers. */
function share(run: Simulation, column: CallColumn, tick: number): number {
  let [part, all] = [0, 0];
  for (const { index } of callsOf(run.plan, CALL)) {
    part += run.call(column, index, tick);
    all += run.call("attempts", index, tick);
  }
  return part / all;
}

describe("connections whose certificate has expired", () => {
  const expired = changing("handshakeFailure", 1);

  test("still work for as long as nobody closes them", () => {
    const run = started(sixServices, [ONSET, expired]);
    run.advance(ONSET + 5);
    // Connections live for five minutes; after a minute and a quarter most are still there: 1 − (300/315)⁵ = 0.22, of two attempts each.
    expect(share(run, "handshakeFailed", ONSET + 4)).toBeLessThan(0.4);
  });

  test.each<readonly [string, Happening]>([
    ["the server restarts", { kind: "restarted", service: "main-db", share: 1 }],
    ["the server closes them", { kind: "connections_cleared", service: "main-db" }],
    ["their callers restart", { kind: "restarted", service: "billing-api", share: 1 }],
  ])("are all lost once %s", (_, what) => {
    const run = started(sixServices, [ONSET, expired], [ONSET + 4, what]);
    run.advance(ONSET + 12);
    expect(share(run, "handshakeFailed", ONSET + 11)).toBeCloseTo(1, 6);
  });
});

describe("a breaker", () => {
  const cut = changing("partitioned", 1);

  test("opens when the network loses the attempts, and spares callers the wait", () => {
    const latency = (threshold: number) => {
      const run = started(withBreaker(threshold), [ONSET, cut]);
      run.advance(ONSET + 20);
      const opened = run.journal.filter(({ kind }) => kind === "breaker_opened").length;
      const node = callsOf(run.plan, CALL)[0]?.from ?? -1;
      return { opened, mean: run.node("latencyMean", node, ONSET + 19) };
    };
    const [without, withOne] = [latency(0), latency(0.3)];
    expect(without.opened).toBe(0);
    expect(withOne.opened).toBeGreaterThan(0);
    // Two and a half calls of two attempts of a second each, against a tenth of that at most.
    expect(without.mean).toBeGreaterThan(5);
    expect(withOne.mean).toBeLessThan(0.6);
  });

  test("closes again once the network is whole", () => {
    const run = started(withBreaker(0.3), [ONSET, cut], [ONSET + 12, { kind: "reverted", id: "change" }]);
    run.advance(ONSET + 30);
    const kinds = run.journal.flatMap(({ kind }) => (kind.startsWith("breaker") ? [kind] : []));
    expect(kinds.at(-1)).toBe("breaker_closed");
    expect(share(run, "broken", ONSET + 29)).toBe(0);
    expect(share(run, "unreached", ONSET + 29)).toBe(0);
  });
});
