import { describe, expect, it } from "vitest";
import type { SystemEvent } from "../../../../src/engine/events";
import { validate } from "../../../../src/engine/remedies/validate";
import type { Remedy } from "../../../../src/engine/remedies/verbs";
import { Desk, type Facts, shopPlan } from "./shop";

function refusal(remedy: Remedy, facts: Facts = {}): string | undefined {
  return validate(shopPlan, new Desk(facts), remedy)?.message;
}

const deployed = (deployable: string, version: string, more: object = {}): SystemEvent =>
  ({ kind: "deployed", deployable, version, share: 1, tick: 50, origin: "action", ...more }) as SystemEvent;

describe("an order", () => {
  it.each<Remedy>([
    { verb: "restart_service", service: "api" },
    { verb: "restart_service", service: "memo", zone: "south", mode: "all_at_once" },
    { verb: "rollback_deploy", deployable: "api" },
    { verb: "rollback_deploy", deployable: "api", version: "v3" },
    { verb: "scale_service", service: "db", resource: "cpu", amount: 64 },
    { verb: "scale_service", service: "sender", resource: "replicas", amount: 0 },
    { verb: "set_flag", flag: "beta", state: "off" },
    { verb: "disable_feature_flag", flag: "flag/beta" },
    { verb: "clear_connections", service: "db" },
    { verb: "drain_queue", service: "mail", mode: "set_aside" },
    { verb: "failover_db", service: "db" },
    { verb: "shed_load", service: "api", percent: 100, minutes: 1 },
    { verb: "shift_traffic", zone: "north", percent: 100 },
    { verb: "stop_job", job: "job/reindex" },
  ])("that makes sense is not refused: $verb", (remedy) => {
    expect(validate(shopPlan, new Desk(), remedy)).toBeNull();
    expect(validate(shopPlan, null, remedy)).toBeNull();
  });

  it.each<[Remedy, string]>([
    [
      { verb: "restart_service", service: "apo" },
      'There is no service "apo"; use one of api, db, ledger, mail, memo or sender.',
    ],
    [
      { verb: "restart_service", service: "bank" },
      "bank is run by another company, which alone can change it; use one of api, db, ledger, mail, memo or sender.",
    ],
    [{ verb: "restart_service", service: "api", zone: "west" }, "api does not run in west; use one of north or south."],
    [{ verb: "restart_service", service: "api", zone: "east" }, 'There is no zone "east"; use one of north or south.'],
    [
      { verb: "rollback_deploy", deployable: "api", version: "v9" },
      'api has no version "v9"; use one of v1, v2 or v3.',
    ],
    [{ verb: "rollback_deploy", deployable: "api", version: "v2" }, "api runs v2 already; it also has v1 and v3."],
    [{ verb: "rollback_deploy", deployable: "cert/db" }, "cert/db has no earlier version; name one of new."],
    [
      { verb: "scale_service", service: "db", resource: "replicas", amount: 3 },
      "db has one node that takes writes; scale its cpu, disk or connections.",
    ],
    [
      { verb: "scale_service", service: "api", resource: "connections", amount: 30 },
      "api accepts connections without a limit; scale its replicas, cpu or disk.",
    ],
    [
      { verb: "scale_service", service: "api", resource: "replicas", amount: 17 },
      "api can have 0 to 16 replicas a zone, not 17.",
    ],
    [
      { verb: "scale_service", service: "api", resource: "replicas", amount: 2.5 },
      "api can have whole replicas a zone only, not 2.5.",
    ],
    [
      { verb: "scale_service", service: "db", resource: "cpu", amount: 65 },
      "db can have 2 to 64 cores a replica, not 65.",
    ],
    [
      { verb: "scale_service", service: "db", resource: "disk", amount: 100 },
      "The disk of db has 200 GB and cannot shrink; give more.",
    ],
    [{ verb: "scale_service", service: "db", resource: "cpu", amount: 16 }, "db has 16 cores a replica already."],
    [
      { verb: "scale_service", service: "memo", resource: "disk", amount: 400, zone: "north" },
      "The disk of memo cannot be scaled for one zone; leave the zone out.",
    ],
    [{ verb: "set_flag", flag: "beta", state: "on" }, "flag/beta is on already; not on are none."],
    [{ verb: "disable_feature_flag", flag: "gamma" }, 'There is no flag "gamma"; use one of flag/beta.'],
    [{ verb: "clear_connections", service: "mail" }, "Nobody keeps connections to mail open in a pool; use one of db."],
    [{ verb: "drain_queue", service: "db" }, "db is no queue; use one of mail."],
    [{ verb: "failover_db", service: "ledger" }, "ledger has no standby to fail over to; use one of db."],
    [{ verb: "failover_db", service: "api" }, "api is no database; use one of db."],
    [
      { verb: "shed_load", service: "db", percent: 10 },
      "db has no door at which requests could be rejected; use one of api.",
    ],
    [{ verb: "shed_load", service: "api", percent: 120 }, "percent must lie between 0 and 100 %, not 120."],
    [{ verb: "shed_load", service: "api", percent: Number.NaN }, "percent must lie between 0 and 100 %, not NaN."],
    [
      { verb: "shed_load", service: "api", percent: 20, minutes: 1.5 },
      "minutes must be a whole number of min, not 1.5.",
    ],
    [{ verb: "shed_load", service: "api", percent: 0 }, "api sheds nothing; give a percent above 0."],
    [{ verb: "shift_traffic", zone: "west", percent: 50 }, "No users come to west; use one of north or south."],
    [{ verb: "shift_traffic", zone: "north", percent: 0 }, "0 % of the users of north go elsewhere already."],
    [{ verb: "stop_job", job: "vacuum" }, 'There is no job "vacuum"; use one of job/reindex.'],
  ])("that does not is refused with what would do: %j", (remedy, message) => {
    expect(refusal(remedy)).toBe(message);
  });
});

describe("an order that what happened before forbids", () => {
  it("does not empty the last zone", () => {
    const journal: SystemEvent[] = [{ kind: "traffic_shifted", zone: "south", weight: 0, tick: 3, origin: "action" }];
    expect(refusal({ verb: "shift_traffic", zone: "north", percent: 10 }, { journal })).toBe(
      "No other zone takes users; bring those of south back first (percent 0).",
    );
  });

  it("does not fail over twice at once", () => {
    const desk = new Desk();
    desk.schedule({ kind: "promoted", service: "db", zone: "north", lostWrites: 4, tick: 103, origin: "system" });
    expect(validate(shopPlan, desk, { verb: "failover_db", service: "db" })?.message).toContain("failing over already");
    expect(validate(shopPlan, desk, { verb: "restart_service", service: "db" })?.message).toContain("is failing over");
  });

  it("does not start a roll-out while another of the same is under way", () => {
    const desk = new Desk();
    desk.schedule(deployed("api", "v1", { tick: 110 }));
    const remedy: Remedy = { verb: "rollback_deploy", deployable: "api", version: "v3" };
    expect(validate(shopPlan, desk, remedy)?.message).toBe("api is being rolled out; wait until it is done.");
  });

  it("completes a partial roll-out in either direction", () => {
    const journal = [deployed("api", "v3", { share: 0.2 })];
    expect(refusal({ verb: "rollback_deploy", deployable: "api", version: "v2" }, { journal })).toBeUndefined();
    expect(refusal({ verb: "rollback_deploy", deployable: "api", version: "v3" }, { journal })).toBeUndefined();
  });

  it("repeats a version that has not reached every zone, and only then", () => {
    const remedy: Remedy = { verb: "rollback_deploy", deployable: "api", version: "v3" };
    const north = deployed("api", "v3", { zone: "north" });
    expect(refusal(remedy, { journal: [north] })).toBeUndefined();
    const both = [north, deployed("api", "v3", { zone: "south" })];
    expect(refusal(remedy, { journal: both })).toBe("api runs v3 already; it also has v1 and v2.");
  });

  it("does not stop a job that is stopped", () => {
    const journal = [deployed("job/reindex", "stopped")];
    expect(refusal({ verb: "stop_job", job: "reindex" }, { journal })).toBe(
      "job/reindex is stopped already; not stopped are none.",
    );
  });
});
