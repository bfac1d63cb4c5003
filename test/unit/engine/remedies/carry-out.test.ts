import { describe, expect, it } from "vitest";
import { carryOut, LONGEST_WAIT } from "../../../../src/engine/remedies/carry-out";
import { choices } from "../../../../src/engine/remedies/choices";
import { luckOf, STICKS } from "../../../../src/engine/remedies/luck";
import { preview, riskOf } from "../../../../src/engine/remedies/preview";
import { type Remedy, VERB_NAMES, VERBS } from "../../../../src/engine/remedies/verbs";
import { Desk, shopPlan } from "./shop";

const everyVerb: readonly Remedy[] = [
  { verb: "restart_service", service: "api" },
  { verb: "restart_service", service: "api", mode: "all_at_once" },
  { verb: "rollback_deploy", deployable: "api" },
  { verb: "rollback_deploy", deployable: "api/config" },
  { verb: "scale_service", service: "api", resource: "replicas", amount: 3 },
  { verb: "scale_service", service: "db", resource: "cpu", amount: 32 },
  { verb: "scale_service", service: "db", resource: "disk", amount: 400 },
  { verb: "scale_service", service: "db", resource: "connections", amount: 600 },
  { verb: "set_flag", flag: "beta", state: "off" },
  { verb: "disable_feature_flag", flag: "beta" },
  { verb: "clear_connections", service: "db" },
  { verb: "drain_queue", service: "mail" },
  { verb: "drain_queue", service: "mail", mode: "purge" },
  { verb: "drain_queue", service: "mail", mode: "set_aside" },
  { verb: "failover_db", service: "db" },
  { verb: "shed_load", service: "api", percent: 30 },
  { verb: "shift_traffic", zone: "north", percent: 50 },
  { verb: "stop_job", job: "reindex" },
];

describe("carrying out an order", () => {
  it.each(everyVerb)(
    "schedules its events in order, none in the past, within the minutes its verb states: %j",
    (remedy) => {
      const [least, most] = VERBS[remedy.verb].minutes;
      const waits = { least: Number.POSITIVE_INFINITY, most: 0 };
      for (let tick = 0; tick < 60; tick++) {
        const desk = new Desk({ tick });
        const { durationTicks, events, text, until } = carryOut(desk, remedy);
        const ticks = events.map((event) => event.tick);
        if (desk.pending.length !== events.length || !events.every((event) => desk.pending.includes(event)))
          expect.fail("not all is scheduled");
        if (ticks.some((each, i) => each <= tick || each < (ticks[i - 1] ?? 0))) expect.fail(`out of order: ${ticks}`);
        if (until < tick + durationTicks || !text.endsWith(".")) expect.fail(`${until} ${text}`);
        waits.least = Math.min(waits.least, durationTicks);
        waits.most = Math.max(waits.most, durationTicks);
      }
      expect(waits.least / 4).toBeGreaterThanOrEqual(least);
      expect(waits.most / 4).toBeLessThanOrEqual(most);
    },
  );

  it("is refused with the sentence that says why", () => {
    expect(() => carryOut(new Desk(), { verb: "failover_db", service: "ledger" })).toThrow("ledger has no standby");
  });

  it("has the same luck whatever was ordered or read before, and however the flag is called", () => {
    const remedy: Remedy = { verb: "set_flag", flag: "beta", state: "off" };
    const fresh = carryOut(new Desk(), remedy);
    const busy = new Desk();
    preview(busy, { verb: "failover_db", service: "db" });
    carryOut(busy, { verb: "clear_connections", service: "db" });
    expect(carryOut(busy, remedy)).toEqual(fresh);
    expect(carryOut(new Desk(), { ...remedy, flag: "flag/beta" }).events).toEqual(fresh.events);
  });

  it("lets nobody wait longer than ten minutes for a roll-out that is late", () => {
    for (let tick = 0; tick < 2000; tick++) {
      // 10 replicas a zone: 4 waves of 3 ticks in each of two zones are 24 ticks, and up to 24 more for each zone that is late.
      const outcome = carryOut(new Desk({ tick }), { verb: "restart_service", service: "sender" });
      if (outcome.until <= tick + LONGEST_WAIT) continue;
      expect(outcome.durationTicks).toBe(LONGEST_WAIT);
      expect(outcome.text).toContain("It is not done after 10 min; it goes on by itself.");
      return;
    }
    expect.fail("no roll-out was late");
  });
});

describe("luck", () => {
  const TRIES = 1500;
  it.each(Object.entries(STICKS))("%s comes about as often as it is said to", (what, probability) => {
    let came = 0;
    for (let tick = 0; tick < TRIES; tick++)
      if (luckOf(3, "restart_service", "api", tick).chance(what, probability)) came++;
    const deviation = Math.sqrt(TRIES * probability * (1 - probability));
    expect(Math.abs(came - TRIES * probability)).toBeLessThan(4 * deviation);
  });

  it("of one order says nothing about another order, verb, target or seed at the same tick", () => {
    const drawn = (seed: number, verb: "set_flag" | "stop_job", target: string) =>
      Array.from({ length: TRIES }, (_, tick) => luckOf(seed, verb, target, tick).chance("x", 0.5));
    const first = drawn(1, "set_flag", "a");
    for (const other of [drawn(2, "set_flag", "a"), drawn(1, "stop_job", "a"), drawn(1, "set_flag", "b")]) {
      const same = first.filter((value, i) => value === other[i]).length;
      expect(Math.abs(same - TRIES / 2)).toBeLessThan(4 * Math.sqrt(TRIES / 4));
    }
  });

  it("lets late replicas keep a real order waiting as often as there are zones for it", () => {
    // Each of two zones with chance p: 1 − (1 − p)².
    const expected = 1 - (1 - STICKS.lateReplica) * (1 - STICKS.lateReplica);
    let late = 0;
    for (let tick = 0; tick < TRIES; tick++)
      if (carryOut(new Desk({ tick }), { verb: "restart_service", service: "api" }).until > tick + 13) late++;
    expect(Math.abs(late - TRIES * expected)).toBeLessThan(4 * Math.sqrt(TRIES * expected * (1 - expected)));
  });
});

describe("a preview", () => {
  it("says what a restart of everything at once would drop, and for how long", () => {
    const desk = new Desk({ node: { inFlight: { api: 30 } } });
    expect(preview(desk, { verb: "restart_service", service: "api", mode: "all_at_once" })).toEqual({
      risk: "risky",
      touched: [
        { what: "replicas", amount: 4, where: "api" },
        { what: "requests in flight", amount: 60, where: "api" },
        { what: "seconds without service", amount: 30, where: "api" },
      ],
      text: "4 replicas of api, 60 requests in flight at api and 30 s without api.",
    });
  });

  it("says that a rolling restart drops nothing and what is away at a time", () => {
    const desk = new Desk({ node: { inFlight: { sender: 30 } } });
    const { risk, touched } = preview(desk, { verb: "restart_service", service: "sender" });
    expect(risk).toBe("change");
    expect(touched.map(({ what, amount }) => [what, amount])).toEqual([
      ["replicas", 20],
      ["replicas at a time", 3],
    ]);
  });

  it("counts the writes of the seconds that the standby is behind", () => {
    // 200 requests/s, a fifth of them writes, 1 s behind.
    const desk = new Desk({ node: { served: { db: 200 }, inFlight: { db: 9 } } });
    const { touched } = preview(desk, { verb: "failover_db", service: "db" });
    expect(touched).toEqual([
      { what: "requests in flight", amount: 9, where: "db" },
      { what: "seconds without service", amount: 45, where: "db" },
      { what: "writes that may be lost", amount: 40, where: "db" },
    ]);
  });

  it("does not tell good messages from others", () => {
    const desk = new Desk({ node: { level: { mail: 70 }, poison: { mail: 30 } } });
    for (const mode of ["purge", "set_aside"] as const)
      expect(preview(desk, { verb: "drain_queue", service: "mail", mode }).touched).toEqual([
        { what: "messages", amount: 100, where: "mail" },
      ]);
  });

  it("of a flag touches nothing", () => {
    expect(preview(new Desk(), { verb: "set_flag", flag: "beta", state: "off" })).toEqual({
      risk: "change",
      touched: [],
      text: "",
    });
  });

  it("never rates an order above its verb", () => {
    const order = ["read", "change", "risky", "final"];
    for (const remedy of everyVerb)
      expect(order.indexOf(riskOf(shopPlan, remedy))).toBeLessThanOrEqual(order.indexOf(VERBS[remedy.verb].risk));
  });
});

describe("the table of verbs", () => {
  it("offers names for every argument that is one", () => {
    for (const verb of VERB_NAMES)
      for (const argument of VERBS[verb].args)
        if (argument.kind !== "number" && argument.kind !== "whole_number")
          expect(choices(shopPlan, argument, { verb: "rollback_deploy", deployable: "api" }).length).toBeGreaterThan(0);
  });
});
