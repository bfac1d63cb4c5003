import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { resumeRun, startRun } from "../../../src/core/runs";
import { readTrajectory } from "../../../src/core/trajectory";
import { NodeRecordStore } from "../../../src/storage/node-store.node";
import { writeScenario } from "../../../src/worlds/alerts/import";
import { context, kiln, LOOK, world } from "../alerts-import/kiln";
import { alerts, firedrill, isOneSentence, words } from "./harness";

const NAME = "left.firedrill.jsonl";
const WORLDS = { worlds: [alerts] };
let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "firedrill-resume-"));
  file = join(folder, NAME);
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** A run of words, left after one of them. */
async function leave(): Promise<void> {
  const { session } = await startRun(words, "words", 3, context(new NodeRecordStore(folder), { name: NAME }));
  await session.act({ name: "say", args: { text: "hello" } }, "human");
  await session.suspend();
}

/** A run of an imported scenario, left after a look. */
async function leaveKiln(): Promise<void> {
  const { session } = await startRun(world, kiln(), 0, context(new NodeRecordStore(folder), { name: NAME }));
  await session.act(LOOK, "human");
  await session.suspend();
}

describe("resume", () => {
  test("lets a player go on to the end, and prints what a run prints", async () => {
    await leave();
    const { code, out, error } = await firedrill(["resume", file, "--player", "talker", "--json"]);
    expect([code, error]).toEqual([0, ""]);
    // Of the talker's three words one was said by somebody else.
    expect(JSON.parse(out)).toMatchObject({
      ...{ world: "alerts", scenario: "words", seed: 3, player: "talker", steps: 4, done: true, ungraded: null, file },
      grade: { strict: 1 },
    });
    expect((await firedrill(["replay", file, "--json"])).code).toBe(0);
    const actors = readTrajectory(await readFile(file, "utf8")).steps.map((step) => step.actor);
    expect(actors).toEqual(["human", ...Array.from({ length: 3 }, () => "policy:talker")]);
  });

  test("sets a torn last line aside and says so", async () => {
    await leave();
    await appendFile(file, '{"schema":"fire');
    const { code, error } = await firedrill(["resume", file, "--player", "silent", "--json"]);
    expect(code).toBe(0);
    expect(error).toMatch(/the last line is cut off \(15 characters\)/);
    expect(await readFile(`${file}.torn`, "utf8")).toBe('{"schema":"fire\n');
  });

  test.each<[string, () => Promise<unknown>, readonly string[], RegExp]>([
    ["is over", () => firedrill(["resume", file, "--player", "silent"]), [], /The run is finished/],
    ["is not there", () => rm(file), [], /There is no /],
    [
      "is written elsewhere",
      () => resumeRun(() => words, NAME, { store: new NodeRecordStore(folder) }),
      [],
      /is writing/,
    ],
    [
      "needs no file",
      () => writeFile(join(folder, "s"), "{}"),
      ["--scenario", "s"],
      /built-in scenario and needs no file/,
    ],
  ])("exits 3 in one sentence for a run that %s", async (_what, before, more, said) => {
    await leave();
    await before();
    const args = more.map((arg) => (arg === "s" ? join(folder, "s") : arg));
    const { code, out, error } = await firedrill(["resume", file, "--player", "silent", ...args, "--json"]);
    expect([code, out]).toEqual([3, ""]);
    expect(error).toMatch(said);
    expect(isOneSentence(error)).toBe(true);
  });
});

describe("resuming a run of an imported scenario", () => {
  const rules = ["--player", "rules", "--json"];

  test("finds the scenario beside the recording", async () => {
    await leaveKiln();
    const { code, out } = await firedrill(["resume", file, ...rules], WORLDS);
    expect([code, JSON.parse(out)]).toMatchObject([0, { scenario: kiln().info.id, done: true, ungraded: null }]);
    await rm(join(folder, "scenarios"), { recursive: true });
    for (const line of [
      ["replay", file],
      ["regrade", file, "--rubric", "strict"],
    ])
      expect((await firedrill(line, WORLDS)).code).toBe(0);
  });

  test("asks for it where it is not, takes no other, and goes on once it is given", async () => {
    await leaveKiln();
    await rm(join(folder, "scenarios"), { recursive: true });
    expect((await firedrill(["replay", file], WORLDS)).code).toBe(0);
    const before = await readFile(file, "utf8");
    const hash = world.contentHash(kiln()).slice(0, 8);
    const asked = await firedrill(["resume", file, ...rules], WORLDS);
    expect([asked.code, asked.error]).toEqual([
      3,
      `${file}: The run's scenario file (“A queue”, content ${hash}) is not kept beside its recording; give that file with --scenario FILE.\n`,
    ]);
    const [right, wrong] = [join(folder, "right.json"), join(folder, "wrong.json")];
    await writeFile(right, writeScenario(kiln()));
    await writeFile(wrong, writeScenario(kiln({ disposition: "escalated" })));
    const refused = await firedrill(["resume", file, "--scenario", wrong, ...rules], WORLDS);
    expect([refused.code, isOneSentence(refused.error)]).toEqual([3, true]);
    expect(refused.error).toContain(`${wrong}: The file has the run's alerts but not the sealed answers`);
    expect([await readFile(file, "utf8"), (await readdir(folder)).sort()]).toEqual([
      before,
      [NAME, "right.json", "wrong.json"],
    ]);
    expect((await firedrill(["resume", file, "--scenario", right, ...rules], WORLDS)).code).toBe(0);
    expect((await firedrill(["replay", file], WORLDS)).code).toBe(0);
  });

  test("refuses a copy that was changed", async () => {
    await leaveKiln();
    const [copy = ""] = await readdir(join(folder, "scenarios"));
    await writeFile(join(folder, "scenarios", copy), writeScenario(kiln({ disposition: "escalated" })));
    const { code, error } = await firedrill(["resume", file, ...rules], WORLDS);
    expect([code, isOneSentence(error)]).toEqual([3, true]);
    expect(error).toMatch(/has been changed or damaged where it is kept/);
  });

  test("a recorded run of a scenario file keeps the copy from its beginning on", async () => {
    const scenario = join(folder, "kiln.json");
    await writeFile(scenario, writeScenario(kiln()));
    const line = [
      "run",
      "--world",
      "alerts",
      "--scenario",
      scenario,
      "--seed",
      "0",
      "--player",
      "rules",
      "--out",
      file,
    ];
    expect((await firedrill(line, WORLDS)).code).toBe(0);
    expect(await readdir(join(folder, "scenarios"))).toEqual([`${world.contentHash(kiln())}.firedrill-scenario.json`]);
    // Without its grade, as a crash leaves it, it goes on from there.
    const lines = (await readFile(file, "utf8")).split("\n");
    await writeFile(file, `${lines.slice(0, 3).join("\n")}\n`);
    expect((await firedrill(["resume", file, ...rules], WORLDS)).code).toBe(0);
  });
});
