import { describe, expect, it } from "vitest";
import { parseRemedy, parseTimed } from "../../../../src/engine/remedies/parse";
import type { Remedy } from "../../../../src/engine/remedies/verbs";
import { shopPlan } from "./shop";

describe("an order as text", () => {
  it.each<[string, Remedy]>([
    ["restart_service api", { verb: "restart_service", service: "api" }],
    [
      "  restart_service   api mode=all_at_once zone=south ",
      { verb: "restart_service", service: "api", mode: "all_at_once", zone: "south" },
    ],
    ["scale_service db cpu=24", { verb: "scale_service", service: "db", resource: "cpu", amount: 24 }],
    ["scale_service db disk 400GB", { verb: "scale_service", service: "db", resource: "disk", amount: 400 }],
    ["rollback_deploy api v3", { verb: "rollback_deploy", deployable: "api", version: "v3" }],
    ["set_flag beta off", { verb: "set_flag", flag: "beta", state: "off" }],
    ["shed_load api 50% 10min", { verb: "shed_load", service: "api", percent: 50, minutes: 10 }],
    ["shed_load minutes=3 service=api percent=12.5", { verb: "shed_load", service: "api", percent: 12.5, minutes: 3 }],
    ["drain_queue mail purge", { verb: "drain_queue", service: "mail", mode: "purge" }],
  ])("is read: %s", (text, remedy) => {
    expect(parseRemedy(shopPlan, text)).toEqual({ remedy });
  });

  it.each([
    ["", "An action is missing; use one of restart_service, rollback_deploy"],
    ["reboot api", 'There is no action "reboot"; use one of restart_service, rollback_deploy'],
    [
      "restart_service",
      "restart_service needs service: The service whose replicas restart. Usage: restart_service SERVICE",
    ],
    ["restart_service apo", 'There is no service "apo"; use one of api, db, ledger, mail, memo or sender. Usage:'],
    ["shed_load api lots", 'percent of shed_load must be a number, not "lots". Usage: shed_load SERVICE PERCENT'],
    ["shed_load api 10 5 7", 'shed_load has no place for "7". Usage:'],
    ["shed_load api percent=1 percent=2", "shed_load was given percent twice."],
    [
      "scale_service db memory=3",
      'scale_service has no argument "memory"; it takes service, resource, amount, zone, replicas',
    ],
    ["scale_service db cpu=8 disk=9", "scale_service was given resource twice."],
    ["set_flag beta maybe", 'There is no state "maybe"; use one of on or off. Usage: set_flag FLAG on|off'],
  ])("says what is wrong and how it is written: %s", (text, message) => {
    const parsed = parseRemedy(shopPlan, text);
    expect("problem" in parsed && parsed.problem.message).toContain(message);
  });

  it("never throws, whatever is typed", () => {
    for (const text of [
      "=",
      "scale_service =",
      "restart_service __proto__=1",
      "constructor x",
      `x${"y".repeat(1e5)}`,
    ]) {
      const parsed = parseRemedy(shopPlan, text);
      expect("problem" in parsed && parsed.problem.message.length).toBeLessThan(400);
    }
  });

  it("has a minute in front, whole or not", () => {
    expect(parseTimed(shopPlan, "12.5:stop_job reindex")).toEqual({
      minute: 12.5,
      remedy: { verb: "stop_job", job: "reindex" },
    });
    for (const text of ["stop_job reindex", "-1:stop_job reindex", "soon:stop_job reindex", ":stop_job reindex"])
      expect(parseTimed(shopPlan, text)).toMatchObject({ problem: { field: "minute" } });
  });
});
