import { describe, expect, test } from "vitest";
import type { SystemEvent } from "../../../src/engine/events";
import { FAMILY_IDS } from "../../../src/engine/faults/family";
import { CALL_PARAMETERS, SERVICE_PARAMETERS } from "../../../src/engine/parameters";
import { VERB_NAMES } from "../../../src/engine/remedies/verbs";
import { sparkline, squeeze } from "../../../src/headless/commands/simulate-chart";
import { eventText } from "../../../src/headless/commands/simulate-events";
import { firedrill, isOneSentence } from "./harness";

interface Simulated {
  readonly hash: string;
  readonly ticks: number;
  readonly ticksPerSecond: number;
  readonly pageAt: number | null;
  readonly customer: readonly { readonly errorRate: number; readonly p99: number | null }[];
  readonly services: Readonly<Record<string, Readonly<Record<string, readonly (number | null)[]>>>>;
  readonly events: readonly { readonly minute: number; readonly kind: string; readonly origin: string }[];
}

async function simulated(...args: string[]): Promise<Simulated> {
  const { code, out, error } = await firedrill(["simulate", ...args, "--json"]);
  expect([code, error]).toEqual([0, ""]);
  return JSON.parse(out);
}

describe("simulate --json", () => {
  test("prints the agreed keys, a value a tick, and the same for the same words", async () => {
    const first = await simulated("--topology", "six", "--minutes", "5");
    expect(Object.keys(first)).toEqual(["hash", "ticks", "ticksPerSecond", "pageAt", "customer", "services", "events"]);
    expect([first.ticks, first.pageAt, first.events]).toEqual([20, null, []]);
    expect(first.hash).toMatch(/^[0-9a-f]{16}$/);
    expect(first.ticksPerSecond).toBeGreaterThan(0);
    expect(Object.keys(first.services)).toEqual(["auth-api", "billing-api", "cache", "main-db", "queue", "worker"]);
    expect(first.customer).toHaveLength(20);
    for (const series of Object.values(first.services))
      for (const values of Object.values(series)) expect(values).toHaveLength(20);
    expect({ ...(await simulated("--minutes", "5")), ticksPerSecond: 0 }).toEqual({ ...first, ticksPerSecond: 0 });
    expect((await simulated("--minutes", "5", "--seed", "1")).hash).not.toBe(first.hash);
  });

  test("of a generated system takes its own seed, else the seed of the run", async () => {
    const own = await simulated("--topology", "gen:9:3", "--minutes", "1");
    expect(Object.keys(own.services)).toHaveLength(9);
    const shared = await simulated("--topology", "gen:9", "--seed", "3", "--minutes", "1");
    expect(Object.keys(shared.services)).toEqual(Object.keys(own.services));
  });

  test("shows what a setting and an action do, and when somebody is paged", async () => {
    // 1,350 queries a second of 5 ms CPU need 6.75 cores.
    const {
      pageAt: page,
      customer,
      events,
      services,
    } = await simulated(
      ...["--minutes", "20", "--set", "main-db.cores=3", "--set", "auth-api>main-db.retries=3"],
      ...["--at", "5:restart auth-api mode=all_at_once", "--at", "10.5:scale_service main-db cpu=12"],
    );
    expect(page).not.toBeNull();
    expect(page).toBeLessThan(10);
    expect(customer[30]?.errorRate).toBeGreaterThan(0.05);
    const acted = events.filter((event) => event.origin === "action");
    expect(acted[0]).toMatchObject({ kind: "restarted", service: "auth-api" });
    expect(Math.floor(acted[0]?.minute ?? 0)).toBe(5);
    expect(acted.some((event) => event.kind === "changed" && event.minute >= 10.5)).toBe(true);
    expect(services["auth-api"]?.restarts?.at(-1)).toBeGreaterThanOrEqual(4);
  });
});

describe("simulate on a terminal", () => {
  const line = ["simulate", "--minutes", "8", "--set", "main-db.cores=3"];

  test("fits 80 columns, names services and events, and has no escapes where there is no terminal", async () => {
    const { code, out } = await firedrill([...line, "--at", "5:restart worker"]);
    expect(code).toBe(0);
    expect(out).not.toContain("\x1b");
    for (const row of out.split("\n")) expect([...row].length).toBeLessThanOrEqual(80);
    for (const text of ["customers' errors", "customers' p99", "main-db", "worker restarted in zone-a"])
      expect(out).toContain(text);
  });

  test("fits a narrow terminal, in colour only where that is wanted", async () => {
    const plain = await firedrill(line, { terminal: { columns: 60, colour: false } });
    expect(plain.out).not.toContain("\x1b");
    for (const row of plain.out.split("\n")) expect([...row].length).toBeLessThanOrEqual(60);
    const coloured = await firedrill(line, { terminal: { columns: 60, colour: true } });
    expect(coloured.out).toContain("\x1b[31m");
  });

  test("keeps figures apart from bars, whatever they are, and says minutes as they are said", async () => {
    const { out } = await firedrill(["simulate", "--minutes", "8", "--set", "main-db.cores=0"]);
    const rows = out.split("\n").filter((row) => /^(auth-api|billing-api|main-db|worker) /.test(row));
    expect(rows).toHaveLength(4);
    for (const row of rows) expect(row).not.toMatch(/[▁▂▃▄▅▆▇█·]\d/);
    expect((await firedrill(["simulate", "--minutes", "1"])).out).toContain("· 1 minute ·");
    expect((await firedrill(["simulate", "--minutes", "2"])).out).toContain("· 2 minutes ·");
  });

  test("marks the page on the axis without cutting a number short", async () => {
    const { out } = await firedrill(line);
    const axes = out.split("\n").filter((row) => row.startsWith("    min"));
    expect(axes).toHaveLength(2);
    for (const axis of axes)
      for (const word of axis.replace("min", "").replace("▲", " ").trim().split(/\s+/))
        expect(["0", "2", "4", "6", "8"]).toContain(word);
    expect(axes[0]).toContain("▲");
  });

  test("draws the errors of a healthy system as next to nothing", async () => {
    const { out } = await firedrill(["simulate", "--minutes", "8"]);
    const [, , , , highest = ""] = out.split("\n");
    expect(highest.trim()).toBe("1.00 % ┤");
  });
});

describe("simulate --help", () => {
  test("lists every fault family, every action with its arguments, and parameters with their units, 80 columns wide", async () => {
    const { code, out } = await firedrill(["simulate", "--help"]);
    expect(code).toBe(0);
    for (const family of FAMILY_IDS) expect(out).toContain(family);
    for (const verb of VERB_NAMES) expect(out).toContain(`\n  ${verb} `);
    for (const name of [...Object.keys(SERVICE_PARAMETERS), ...Object.keys(CALL_PARAMETERS)])
      expect(out).toContain(`\n  ${name} (`);
    expect(out).toContain("scale_service SERVICE replicas|cpu|disk|connections AMOUNT [zone=ZONE]");
    for (const row of out.split("\n")) expect(row.length).toBeLessThanOrEqual(80);
  });
});

describe("an event", () => {
  const event = (data: object) => eventText({ tick: 0, origin: "routine", ...data } as SystemEvent);

  test("gives flags and jobs states, other things versions, and values their units", () => {
    expect(event({ kind: "deployed", deployable: "flag/x", version: "off", share: 1 })).toBe("flag/x switched off");
    expect(event({ kind: "deployed", deployable: "job/x", version: "running", share: 1 })).toBe("job/x is running");
    expect(event({ kind: "deployed", deployable: "api", version: "v2", share: 0.25 })).toBe(
      "api v2 deployed to 25 % of requests",
    );
    const changed = (parameter: string, op: string, value: number) =>
      event({ kind: "changed", id: "it", changes: [{ service: "api", parameter, op, value }] });
    expect(changed("ownTime", "set", 13.325615333742462)).toBe("it: api.ownTime = 13.33 s");
    expect(changed("scrapeLoss", "set", 0.25)).toBe("it: api.scrapeLoss = 25 %");
    expect(changed("ownTime", "times", 1.5)).toBe("it: api.ownTime × 1.5");
    expect(changed("slots", "plus", 8)).toBe("it: api.slots + 8");
    expect(changed("leakPerRequest", "set", 0.00012348)).toBe("it: api.leakPerRequest = 0.0001235 MB");
    expect(changed("highWater", "set", 123456)).toBe("it: api.highWater = 123456 messages");
  });

  test("names an order without its tick, and the zone that a value holds in", () => {
    const changes = [{ service: "api", zone: "zone-a", parameter: "replicas", op: "plus", value: 2 }];
    expect(event({ kind: "changed", id: "drain/queue@20", changes })).toBe("drain/queue: api.replicas + 2 in zone-a");
    expect(event({ kind: "reverted", id: "drain/queue@20" })).toBe("drain/queue ended");
  });
});

describe("what cannot be simulated is one sentence and exit code 2", () => {
  test.each([
    [["--topology", "seven"], 'There is no topology "seven"'],
    [["--topology", "\x1b[31mseven"], 'There is no topology " [31mseven"'],
    [["--topology", "gen:7"], 'There is no topology "gen:7"'],
    [["--topology", "gen:8:x"], 'The seed "x"'],
    [["--topology", "gen:8:1:2"], 'There is no topology "gen:8:1:2"'],
    [["--seed", "-1"], 'The seed "-1"'],
    [["--minutes", "0"], '"0" is no length'],
    [["--minutes", "1e9"], '"1e9" is no length'],
    [["--fault", "gremlins"], 'There is no fault "gremlins"'],
    [["--fault", "dns:1:2"], 'There is no fault "dns:1:2"'],
    [["--fault", "bad_deploy:x"], 'The seed "x"'],
    [["--set", "main-db"], '"main-db" is no setting'],
    [["--set", "main-db.cores"], '"main-db.cores" is no setting'],
    [["--set", "main-db.cores=many"], "sets main-db.cores to no number"],
    [["--set", "maindb.cores=4"], "There is no service maindb"],
    [["--set", "main-db.colour=4"], 'A service has no parameter "colour"'],
    [["--set", "main-db.cores=-4"], "main-db.cores is -4"],
    [["--set", "auth-api>cash.retries=3"], "There is no call auth-api>cash"],
    [["--set", "auth-api>cache.cores=3"], 'A call has no parameter "cores"'],
    [["--at", "restart"], "has no time"],
    [["--at", "x:restart worker"], "has no time"],
    [["--at", "1:reboot worker"], 'There is no action "reboot"'],
    [["--at", "1:s worker"], 'There is no action "s"'],
    [["--at", "1:restart nobody"], 'There is no service "nobody"'],
    [["--at", "120:restart worker"], "Minute 120 is after the end"],
    [["--minutes", "1", "--at", "1:restart worker"], "simulate more than 1 minute or"],
    [["--minutes", "3", "--at", "2:stop job/main-db-vacuum"], "At minute 2: job/main-db-vacuum is stopped already"],
  ])("%j", async (args, message) => {
    const { code, out, error } = await firedrill(["simulate", ...args]);
    expect([code, out]).toEqual([2, ""]);
    expect(error).toContain(message);
    expect(isOneSentence(error)).toBe(true);
  });
});

describe("a fault", () => {
  test("takes its own seed, else the seed of the run", async () => {
    // The hash covers what is going to happen, so that a minute before everything is enough.
    const hash = async (...args: string[]) => (await simulated("--minutes", "1", ...args)).hash;
    const own = await hash("--fault", "bad_deploy:2", "--seed", "9");
    expect(await hash("--fault", "bad_deploy", "--seed", "2")).toBe(own);
    expect(await hash("--fault", "bad_deploy:3", "--seed", "9")).not.toBe(own);
    expect(await hash("--fault", "none", "--seed", "2")).not.toBe(own);
  });
});

describe("a sparkline", () => {
  test("keeps the highest of each part and shows gaps as gaps", () => {
    expect(squeeze([1, 5, 2, 3, null, null], 3)).toEqual([5, 3, null]);
    expect(squeeze([1, 2], 5)).toEqual([1, 2]);
    expect(sparkline([0, 4, 8, null], 4, 8)).toBe("▁▄█·");
  });
});
