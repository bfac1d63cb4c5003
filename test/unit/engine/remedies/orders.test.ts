import { describe, expect, it } from "vitest";
import type { SystemEvent } from "../../../../src/engine/events";
import { orderClear, orderFailover } from "../../../../src/engine/remedies/database";
import { orderFlag, orderRollback, orderStop } from "../../../../src/engine/remedies/deploy";
import { orderDrain } from "../../../../src/engine/remedies/queue";
import { orderRestart } from "../../../../src/engine/remedies/restart";
import { orderScale } from "../../../../src/engine/remedies/scale";
import { orderShed, orderShift } from "../../../../src/engine/remedies/traffic";
import { Desk, steady, unlucky } from "./shop";

/** Events without the origin, which is always the same here. */
function brief(events: readonly SystemEvent[]): unknown[] {
  expect(events.every((event) => event.origin === "action")).toBe(true);
  return events.map(({ origin: _, ...event }) => event);
}

describe("restart_service", () => {
  it("goes zone after zone and replica by replica, each ready 2 ticks later and found ready by a probe the tick after", () => {
    const { events, until } = orderRestart(new Desk(), { verb: "restart_service", service: "api" }, steady);
    const restart = (tick: number, zone: string) => ({
      kind: "restarted",
      service: "api",
      zone,
      share: 0.5,
      drained: true,
      tick,
    });
    expect(brief(events)).toEqual([
      restart(101, "north"),
      restart(104, "north"),
      restart(107, "south"),
      restart(110, "south"),
    ]);
    expect(until).toBe(113);
  });

  it("takes a quarter of ten replicas, rounded up, at a time, and the rest last", () => {
    const { events } = orderRestart(
      new Desk(),
      { verb: "restart_service", service: "sender", zone: "north", mode: "rolling" },
      steady,
    );
    expect(events.map((event) => event.kind === "restarted" && event.share)).toEqual([0.3, 0.3, 0.3, 0.1]);
  });

  it("waits for a replica that is late before it takes the next", () => {
    const luck = unlucky("late replica in south");
    const { events, until, text } = orderRestart(new Desk(), { verb: "restart_service", service: "api" }, luck);
    // 8 ticks, the least, on top of 30 s: 150 s.
    expect(events.map(({ tick }) => tick)).toEqual([101, 104, 107, 118]);
    expect(events[2]).toMatchObject({ zone: "south", seconds: 150 });
    expect(until).toBe(121);
    expect(text).toContain("In south it took 2 min longer than usual to become ready.");
  });

  it("drops what is in flight when everything restarts at once, and says how much that was", () => {
    const desk = new Desk({ node: { inFlight: { api: 30 } } });
    const { events, until, text } = orderRestart(
      desk,
      { verb: "restart_service", service: "api", mode: "all_at_once" },
      steady,
    );
    expect(brief(events)).toEqual([
      { kind: "restarted", service: "api", zone: "north", share: 1, tick: 101 },
      { kind: "restarted", service: "api", zone: "south", share: 1, tick: 101 },
    ]);
    expect(until).toBe(104);
    expect(text).toContain("60 requests were in flight");
  });

  it("does not drain the only replica of a database", () => {
    const { events } = orderRestart(new Desk(), { verb: "restart_service", service: "db" }, steady);
    expect(brief(events)).toEqual([{ kind: "restarted", service: "db", zone: "west", share: 1, tick: 101 }]);
  });
});

describe("rollback_deploy", () => {
  it("puts code in force in a zone with its second replica, and everywhere with the last zone", () => {
    const { events, until, undo } = orderRollback(new Desk(), { verb: "rollback_deploy", deployable: "api" }, steady);
    expect(events.map(({ kind, tick }) => [kind, tick])).toEqual([
      ["restarted", 101],
      ["deployed", 104],
      ["restarted", 104],
      ["restarted", 107],
      ["deployed", 110],
      ["restarted", 110],
    ]);
    expect(events[1]).toMatchObject({ deployable: "api", version: "v1", share: 1, zone: "north" });
    expect(events[4]).toMatchObject({ deployable: "api", version: "v1", share: 1 });
    expect(events[4]).not.toHaveProperty("zone");
    expect(until).toBe(113);
    expect(undo).toEqual({ verb: "rollback_deploy", deployable: "api", version: "v2" });
  });

  it("leaves the zone whose replica is late with the old version meanwhile", () => {
    const { events } = orderRollback(
      new Desk(),
      { verb: "rollback_deploy", deployable: "api", version: "v3" },
      unlucky("late replica in south"),
    );
    const deployed = events.filter(({ kind }) => kind === "deployed").map(({ tick }) => tick);
    expect(deployed).toEqual([104, 118]);
  });

  it("goes back to the version that was in force before, not to the one before in the list", () => {
    const journal: SystemEvent[] = [
      { kind: "deployed", deployable: "api", version: "v1", share: 1, tick: 20, origin: "routine" },
      { kind: "deployed", deployable: "api", version: "v3", share: 1, tick: 60, origin: "fault" },
    ];
    const { events } = orderRollback(new Desk({ journal }), { verb: "rollback_deploy", deployable: "api" }, steady);
    expect(events.find(({ kind }) => kind === "deployed")).toMatchObject({ version: "v1" });
  });

  it("gives configuration to one zone after the other without a restart", () => {
    const order = orderRollback(new Desk(), { verb: "rollback_deploy", deployable: "api/config" }, steady);
    expect(brief(order.events)).toEqual([
      { kind: "deployed", deployable: "api/config", version: "c1", share: 1, zone: "north", tick: 101 },
      { kind: "deployed", deployable: "api/config", version: "c1", share: 1, tick: 102 },
    ]);
    expect(order.until).toBe(103);
  });

  it("rolls a certificate forward", () => {
    const order = orderRollback(new Desk(), { verb: "rollback_deploy", deployable: "cert/db", version: "new" }, steady);
    expect(brief(order.events)).toEqual([
      { kind: "deployed", deployable: "cert/db", version: "new", share: 1, tick: 102 },
    ]);
  });
});

describe("flags and jobs", () => {
  it("switch within a tick, and say what undoes them", () => {
    const off = orderFlag(new Desk(), "beta", "off", steady);
    expect(brief(off.events)).toEqual([
      { kind: "deployed", deployable: "flag/beta", version: "off", share: 1, tick: 101 },
    ]);
    expect(off.undo).toEqual({ verb: "set_flag", flag: "flag/beta", state: "on" });
    const stopped = orderStop(new Desk(), { verb: "stop_job", job: "reindex" }, steady);
    expect(brief(stopped.events)).toEqual([
      { kind: "deployed", deployable: "job/reindex", version: "stopped", share: 1, tick: 101 },
    ]);
    expect(stopped.undo).toEqual({ verb: "rollback_deploy", deployable: "job/reindex", version: "running" });
  });

  it("are late when clients fetch late and when a job has to be killed", () => {
    expect(orderFlag(new Desk(), "beta", "off", unlucky("late flag")).until).toBe(105);
    const stopped = orderStop(new Desk(), { verb: "stop_job", job: "reindex" }, unlucky("stubborn"));
    expect(stopped.until).toBe(106);
    expect(stopped.text).toContain("killed");
  });
});

describe("scale_service", () => {
  it("adds replicas after they are provisioned, and counts them ready after their start", () => {
    const order = orderScale(
      new Desk(),
      { verb: "scale_service", service: "api", resource: "replicas", amount: 3 },
      steady,
    );
    expect(brief(order.events)).toEqual([
      { kind: "scaled", service: "api", zone: "north", replicas: 3, tick: 102 },
      { kind: "scaled", service: "api", zone: "south", replicas: 3, tick: 102 },
    ]);
    expect(order.until).toBe(105);
    expect(order.undo).toEqual({ verb: "scale_service", service: "api", resource: "replicas", amount: 2 });
  });

  it("takes replicas away at once", () => {
    const order = orderScale(
      new Desk(),
      { verb: "scale_service", service: "api", resource: "replicas", amount: 1, zone: "south" },
      steady,
    );
    expect(brief(order.events)).toEqual([{ kind: "scaled", service: "api", zone: "south", replicas: 1, tick: 101 }]);
  });

  it("reaches only one zone for a while when the other has no machines", () => {
    const order = orderScale(
      new Desk(),
      { verb: "scale_service", service: "api", resource: "replicas", amount: 3 },
      unlucky("no machines"),
    );
    expect(order.events.map(({ tick }) => tick)).toEqual([118, 102]);
    expect(order.text).toContain("In north there was no machine free for 4 min.");
  });

  it("moves the bounds of an autoscaler along, which would undo it otherwise", () => {
    const order = orderScale(
      new Desk(),
      { verb: "scale_service", service: "sender", resource: "replicas", amount: 14, zone: "north" },
      steady,
    );
    expect(order.events.find(({ kind }) => kind === "changed")).toMatchObject({
      changes: [
        { parameter: "scaleMin", value: 14, zone: "north" },
        { parameter: "scaleMax", value: 14, zone: "north" },
      ],
    });
  });

  it("empties the share of a cache that another node takes over: one key in four", () => {
    const order = orderScale(
      new Desk(),
      { verb: "scale_service", service: "memo", resource: "replicas", amount: 4, zone: "north" },
      steady,
    );
    expect(order.events.find(({ kind }) => kind === "cache_flushed")).toMatchObject({ zone: "north", share: 0.25 });
  });

  it("restarts a database on its new machine once that is copied", () => {
    const order = orderScale(new Desk(), { verb: "scale_service", service: "db", resource: "cpu", amount: 32 }, steady);
    expect(order.events.map(({ kind, tick }) => [kind, tick])).toEqual([
      ["changed", 106],
      ["restarted", 106],
    ]);
    // 45 s are 3 ticks, and one until it is seen.
    expect(order.until).toBe(110);
  });

  it("widens the pools of the callers as much as the server's limit, and undoes both", () => {
    const desk = new Desk({ node: { level: { db: 390 } } });
    const order = orderScale(
      desk,
      { verb: "scale_service", service: "db", resource: "connections", amount: 600 },
      steady,
    );
    expect(order.events[0]).toMatchObject({
      tick: 101,
      changes: [
        { service: "db", parameter: "maxConnections", op: "set", value: 600 },
        { call: "api>db", parameter: "pool", op: "times", value: 1.5 },
        { call: "sender>db", parameter: "pool", op: "times", value: 1.5 },
      ],
    });
    expect(order.text).toContain("390 connections were open");
    expect(order.undo).toMatchObject({ amount: 400 });
  });

  it("grows a disk after a minute or more, for good", () => {
    const order = orderScale(
      new Desk(),
      { verb: "scale_service", service: "mail", resource: "disk", amount: 400 },
      steady,
    );
    expect(order.events[0]).toMatchObject({ tick: 104, changes: [{ parameter: "diskSize", value: 400 }] });
    expect(order.undo).toBeNull();
  });
});

describe("traffic", () => {
  it("is shed for the minutes that were said", () => {
    const order = orderShed(new Desk(), { verb: "shed_load", service: "api", percent: 30, minutes: 5 }, steady);
    expect(brief(order.events)).toEqual([
      {
        kind: "changed",
        id: "shed/api@100",
        changes: [{ service: "api", parameter: "shed", op: "set", value: 0.3 }],
        tick: 101,
      },
      { kind: "reverted", id: "shed/api@100", tick: 121 },
    ]);
  });

  it("is shed by the new order alone when there was one before, and not at all after 0 percent", () => {
    const journal: SystemEvent[] = [{ kind: "changed", id: "shed/api@80", changes: [], tick: 81, origin: "action" }];
    const again = orderShed(new Desk({ journal }), { verb: "shed_load", service: "api", percent: 60 }, steady);
    expect(again.events[0]).toMatchObject({ kind: "reverted", id: "shed/api@80", tick: 101 });
    const ended = orderShed(new Desk({ journal }), { verb: "shed_load", service: "api", percent: 0 }, steady);
    expect(brief(ended.events)).toEqual([{ kind: "reverted", id: "shed/api@80", tick: 101 }]);
  });

  it("leaves a zone in two steps and comes back by the same order with 0 percent", () => {
    const order = orderShift(new Desk(), { verb: "shift_traffic", zone: "north", percent: 80 }, steady);
    const weights = order.events.map((event) => event.kind === "traffic_shifted" && [event.tick, event.weight]);
    expect(weights).toEqual([
      [101, 0.6],
      [103, expect.closeTo(0.2, 12)],
    ]);
    expect(order.undo).toEqual({ verb: "shift_traffic", zone: "north", percent: 0 });
  });
});

describe("drain_queue", () => {
  it("doubles the consumers as far as a zone has room, for ten minutes", () => {
    const order = orderDrain(new Desk(), { verb: "drain_queue", service: "mail" }, steady);
    // Ten replicas, room for sixteen: six more in each of two zones.
    const change = (zone: string) => ({ service: "sender", zone, parameter: "replicas", op: "plus", value: 6 });
    expect(brief(order.events)).toEqual([
      { kind: "changed", id: "drain/mail@100", changes: [change("north"), change("south")], tick: 102 },
      { kind: "reverted", id: "drain/mail@100", tick: 142 },
    ]);
  });

  it("throws away whatever waits, and says how many without telling good from bad", () => {
    const desk = new Desk({ node: { level: { mail: 1500 }, poison: { mail: 234 } } });
    const order = orderDrain(desk, { verb: "drain_queue", service: "mail", mode: "purge" }, steady);
    expect(brief(order.events)).toEqual([{ kind: "purged", service: "mail", tick: 101 }]);
    expect(order.text).toContain("1,734 waiting messages");
    expect(order.undo).toBeNull();
  });

  it("sets aside what keeps failing once it has looked at everything", () => {
    const order = orderDrain(new Desk(), { verb: "drain_queue", service: "mail", mode: "set_aside" }, steady);
    expect(brief(order.events)).toEqual([{ kind: "purged", service: "mail", only: "poison", tick: 104 }]);
  });
});

describe("databases", () => {
  it("lose all their sessions when connections are cleared", () => {
    const desk = new Desk({ call: { inUse: 12, stale: 3 }, node: { inFlight: { db: 40 } } });
    const order = orderClear(desk, { verb: "clear_connections", service: "db" });
    expect(brief(order.events)).toEqual([{ kind: "connections_cleared", service: "db", tick: 101 }]);
    // Two callers in two zones: four callers' nodes with 15 sessions each.
    expect(order.text).toContain("60 connections were open");
    expect(order.text).toContain("40 requests in flight");
  });

  it("serve nothing for about 45 s during a failover, and for minutes when the log has to be replayed", () => {
    const usual = orderFailover(new Desk(), { verb: "failover_db", service: "db" }, steady);
    expect(brief(usual.events)).toEqual([{ kind: "failed_over", service: "db", seconds: 36, tick: 101 }]);
    expect(usual.until).toBe(105);
    expect(usual.text).toContain("standby in north");
    const slow = orderFailover(new Desk(), { verb: "failover_db", service: "db" }, unlucky("slow promotion"));
    expect(slow.events[0]).toMatchObject({ seconds: 90 });
  });

  it("fail back to where they were", () => {
    const journal: SystemEvent[] = [
      { kind: "promoted", service: "db", zone: "north", lostWrites: 0, tick: 50, origin: "system" },
    ];
    const order = orderFailover(new Desk({ journal }), { verb: "failover_db", service: "db" }, steady);
    expect(order.text).toContain("standby in west");
  });
});
