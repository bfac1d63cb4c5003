import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readTrajectory } from "../../../src/core/trajectory";
import { alerts, firedrill, isOneSentence } from "./harness";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "firedrill-cli-"));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** A recording of the talker. */
async function recording(name = "run.firedrill.jsonl"): Promise<string> {
  const file = join(folder, name);
  expect((await firedrill(`run --world alerts --scenario words --seed 3 --player talker --out ${file}`)).code).toBe(0);
  return file;
}

describe("scenarios", () => {
  test("prints one JSON list with the agreed keys", async () => {
    const { code, out, error } = await firedrill("scenarios --json", { worlds: [alerts] });
    expect([code, error]).toEqual([0, ""]);
    const rows = JSON.parse(out);
    expect(rows.length).toBeGreaterThan(2);
    for (const row of rows)
      expect(Object.keys(row)).toEqual(["world", "scenario", "title", "difficulty", "split", "maxSteps", "tags"]);
    const some = JSON.parse(
      (await firedrill("scenarios --world alerts --split published --json", { worlds: [alerts] })).out,
    );
    expect(some).toEqual(rows.filter((row: { split: string }) => row.split === "published"));
    expect(some.length).toBeGreaterThan(0);
  });
});

describe("run", () => {
  test("prints grade and parts; without --out nothing is written", async () => {
    const { code, out, error } = await firedrill("run --world alerts --scenario words --seed 0 --player talker --json");
    expect([code, error]).toEqual([0, ""]);
    const part = { path: "grade", value: 1, weight: null, reason: "something was said", evidence: [] };
    expect(JSON.parse(out)).toEqual({
      ...{ world: "alerts", scenario: "words", seed: 0, player: "talker", steps: 4, done: true, ungraded: null },
      grade: { strict: 1, published: null, parts: [part] },
      file: null,
    });
  });

  test("records with --out, the same result, and the recording replays", async () => {
    const file = await recording();
    const trajectory = readTrajectory(await readFile(file, "utf8"));
    expect(trajectory.steps.map((step) => [step.actor, step.reasoning])).toEqual(
      Array(4).fill(["policy:talker", "because"]),
    );
    expect(await readdir(folder)).toEqual(["run.firedrill.jsonl"]);
    const replayed = await firedrill(["replay", file, "--json"]);
    expect([replayed.code, JSON.parse(replayed.out)]).toEqual([0, [{ file, identical: true }]]);
  });

  test("gives both rubrics of a published scenario, and the parts of the one asked for", async () => {
    const line = "run --world alerts --scenario task_easy --seed 0 --player heuristic --json";
    const strict = JSON.parse((await firedrill(line, { worlds: [alerts] })).out);
    const published = JSON.parse((await firedrill(`${line} --rubric published`, { worlds: [alerts] })).out);
    expect(typeof strict.grade.published).toBe("number");
    expect({ ...published, grade: { ...published.grade, parts: [] } }).toEqual({
      ...strict,
      grade: { ...strict.grade, parts: [] },
    });
    expect(published.grade.parts).not.toEqual(strict.grade.parts);
  });

  test("of a player that fails is ungraded with the reason, recorded or not", async () => {
    for (const [player, reason] of [
      ["broken", /^player failed: it broke/],
      ["babbler", /^player failed: There is no action "babble"/],
    ] as const)
      for (const out of ["", ` --out ${join(folder, `${player}.firedrill.jsonl`)}`]) {
        const ran = await firedrill(`run --world alerts --scenario words --seed 0 --player ${player} --json${out}`);
        const { ungraded, done, grade } = JSON.parse(ran.out);
        expect([ran.code, done, grade]).toEqual([0, false, { strict: null, published: null, parts: [] }]);
        expect(ungraded).toMatch(reason);
      }
  });

  test("never writes over a file", async () => {
    const file = await recording();
    const before = await readFile(file, "utf8");
    const again = await firedrill(`run --world alerts --scenario words --seed 9 --player silent --out ${file}`);
    expect([again.code, again.out]).toEqual([3, ""]);
    expect(isOneSentence(again.error)).toBe(true);
    expect(await readFile(file, "utf8")).toBe(before);
  });

  test.runIf(process.platform === "linux")("to a full device says that the disk is full", async () => {
    const ran = await firedrill("run --world alerts --scenario words --seed 0 --player talker --out /dev/full --json");
    expect([ran.code, ran.out]).toEqual([3, ""]);
    expect(ran.error).toMatch(/^The disk is full, so \/dev\/full could not be written; .*\.\n$/);
  });
});

describe("eval", () => {
  const line = "eval --world alerts --scenarios words --players talker,silent,broken --seeds 0..3 --json";

  test("sums up players with the agreed keys; an ungraded episode counts as 0", async () => {
    const { code, out } = await firedrill(line);
    expect(code).toBe(0);
    const { players } = JSON.parse(out);
    expect(players).toEqual([
      ...[["talker", 0, 1] as const, ["silent", 0, 0] as const, ["broken", 4, 0] as const].map(
        ([player, ungraded, mean]) =>
          expect.objectContaining({
            player,
            n: 4,
            ungraded,
            mean,
            ci95: [mean, mean],
            meanPublished: null,
            solveRate: mean,
          }),
      ),
    ]);
    expect(Object.keys(players[0]).sort()).toEqual(
      ["player", "n", "ungraded", "mean", "ci95", "meanPublished", "solveRate", "byFamily"].sort(),
    );
    expect(players[0].byFamily).toEqual({ words: { n: 4, mean: 1 } });
  });

  test("keeps runs and summaries with --out, and gives the same figures", async () => {
    const kept = join(folder, "kept");
    const { code, out } = await firedrill(`${line} --out ${kept}`);
    // A run that broke was not graded, so its family is not known.
    const plain = JSON.parse((await firedrill(line)).out);
    expect([code, JSON.parse(out)]).toEqual([0, plain]);
    expect((await readdir(kept)).sort()).toEqual(["runs", "summary.csv", "summary.json", "summary.md"]);
    const runs = await readdir(join(kept, "runs"));
    expect(runs).toHaveLength(12);
    for (const run of runs) readTrajectory(await readFile(join(kept, "runs", run), "utf8"));
    expect(JSON.parse(await readFile(join(kept, "summary.json"), "utf8"))).toEqual(plain);
    const rows = (await readFile(join(kept, "summary.csv"), "utf8")).split("\r\n");
    expect(rows[0]).toBe("player,scenario,seed,family,steps,strict,published,rewards,ungraded");
    expect(rows).toHaveLength(1 + 12 + 1);
    expect(await readFile(join(kept, "summary.md"), "utf8")).toMatch(/\| talker \| 4 \| 0 \| 1\.000 \|/);
  });
});

describe("replay", () => {
  test("exits 1 and names the first difference when a recording differs", async () => {
    const file = await recording();
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace('"text":"word 1"', '"text":"word 9"'));
    const { code, out } = await firedrill(["replay", file, "--json"]);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toEqual([
      { file, identical: false, firstDifference: expect.stringMatching(/^Step 2: at /) },
    ]);
  });

  test("replays the others when one cannot be read, and exits 3", async () => {
    const file = await recording();
    const { code, out, error } = await firedrill(["replay", join(folder, "none"), file, "--json"]);
    expect([code, JSON.parse(out)]).toEqual([3, [{ file, identical: true }]]);
    expect(isOneSentence(error)).toBe(true);
  });

  test("says of what line a damaged or newer file is", async () => {
    const file = await recording();
    const text = await readFile(file, "utf8");
    for (const [edited, says] of [
      [
        text.replaceAll("firedrill/1", "firedrill/2"),
        /Line 1 has the schema firedrill\/2; this version reads firedrill\/1/,
      ],
      [
        text.replace('"type":"step","index":2', '"type":"step","index":7'),
        /Line 4 is step 7, but step 2 should follow/,
      ],
      ["not JSON\n", /Line 1 is not JSON/],
      ["", /no complete line/],
    ] as const) {
      await writeFile(file, edited);
      const { code, out, error } = await firedrill(["replay", file, "--json"]);
      expect([code, out]).toEqual([3, "[]\n"]);
      expect(error).toMatch(says);
      expect(isOneSentence(error)).toBe(true);
    }
  });

  test("leaves a torn tail out and says so", async () => {
    const file = await recording();
    const text = await readFile(file, "utf8");
    await writeFile(file, text.slice(0, -10));
    const { code, out, error } = await firedrill(["replay", file, "--json"]);
    expect([code, JSON.parse(out)]).toEqual([0, [{ file, identical: true }]]);
    expect(error).toMatch(/the last line is cut off/);
  });
});

describe("regrade", () => {
  test("gives the change per part", async () => {
    const file = await recording();
    const text = await readFile(file, "utf8");
    await writeFile(
      file,
      text.replace('"strict":1', '"strict":0.5').replace('"kind":"leaf","value":1', '"kind":"leaf","value":0.5'),
    );
    const { code, out } = await firedrill(["regrade", file, "--rubric", "strict", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual([
      { file, before: 0.5, after: 1, parts: [{ path: "grade", before: 0.5, after: 1, reason: "something was said" }] },
    ]);
  });

  test("exits 3 where the rubric does not apply", async () => {
    const { code, error } = await firedrill(["regrade", await recording(), "--rubric", "published", "--json"]);
    expect(code).toBe(3);
    expect(error).toMatch(/published scenarios only/);
  });
});

describe("import alerts", () => {
  const payload = JSON.stringify({
    ...{ version: "4", groupKey: '{}:{alertname="Down"}', status: "firing", receiver: "r", groupLabels: {} },
    ...{ commonLabels: {}, commonAnnotations: {}, externalURL: "http://x", truncatedAlerts: 0 },
    alerts: [
      {
        ...{ status: "firing", labels: { alertname: "Down", service: "shop" }, annotations: {} },
        ...{ startsAt: "2026-03-14T02:13:00Z", endsAt: "0001-01-01T00:00:00Z", generatorURL: "", fingerprint: "ab" },
      },
    ],
  });

  test("counts alerts and groups, and writes a scenario file to fill in", async () => {
    const [file, out] = [join(folder, "payload.json"), join(folder, "queue.firedrill-scenario.json")];
    await writeFile(file, payload);
    const counted = await firedrill(["import", "alerts", file, "--json"]);
    expect([counted.code, JSON.parse(counted.out)]).toEqual([0, { alerts: 1, groups: 1, file: null }]);
    expect(await readdir(folder)).toEqual(["payload.json"]);
    const written = await firedrill(["import", "alerts", file, "--out", out, "--json"]);
    expect([written.code, JSON.parse(written.out)]).toEqual([0, { alerts: 1, groups: 1, file: out }]);
    expect(JSON.parse(await readFile(out, "utf8"))).toBeTypeOf("object");
    // Once there, it may hold answers.
    const again = await firedrill(["import", "alerts", file, "--out", out]);
    expect([again.code, again.out]).toEqual([3, ""]);
    expect(again.error).toMatch(/exists already; choose another name/);
    // The truth is still to be added, so it cannot be played yet, and the message says where.
    const early = await firedrill(["run", "--world", "alerts", "--scenario", out, "--seed", "0", "--player", "idle"], {
      worlds: [alerts],
    });
    expect(early.code).toBe(3);
    expect(isOneSentence(early.error)).toBe(true);
  });

  test("names the place in a file that is no payload, and writes nothing", async () => {
    const file = join(folder, "payload.json");
    await writeFile(file, '{"alerts": [');
    const { code, out, error } = await firedrill(["import", "alerts", file, "--out", join(folder, "x.json"), "--json"]);
    expect([code, out]).toEqual([3, ""]);
    expect(error).toContain(file);
    expect(await readdir(folder)).toEqual(["payload.json"]);
  });
});

describe("bad usage exits 2 with one sentence, and prints nothing else", () => {
  test.each([
    ["scenarios --world moon", /There is no world "moon"/],
    ["scenarios --split best", /There is no split "best"/],
    ["run --world alerts --scenario nowhere --seed 0 --player talker", /has no scenario "nowhere"/],
    ["run --world alerts --scenario words --seed 1.5 --player talker", /seed "1\.5" is not a whole number/],
    ["run --world alerts --scenario words --seed 9007199254740992 --player talker", /is not a whole number/],
    ["run --world alerts --scenario words --seed 0 --player nobody", /has no player "nobody"; use one of: talker/],
    ["run --world alerts --scenario words --seed 0 --player talker --rubric kind", /no rubric "kind"/],
    ["eval --world alerts --scenarios words --players talker --seeds 3..1", /ends before it begins/],
    ["eval --world alerts --scenarios words --players talker --seeds 1..", /are no range/],
    ["eval --world alerts --scenarios words --players talker --seeds a", /seed "a" is not/],
    ["eval --world alerts --scenarios words --players talker,,x --seeds 0", /is no list/],
    ["eval --world alerts --scenarios words --players talker --seeds 0 --jobs 0", /number of jobs "0"/],
    ["eval --world alerts --scenarios words --split train --players talker --seeds 0", /not both/],
    ["eval --world alerts --players talker --seeds 0", /no scenarios in the split validation/],
    ["play --world alerts --scenario words --seed x", /seed "x" is not/],
  ])("%s", async (line, says) => {
    const { code, out, error } = await firedrill(`${line} --json`);
    expect([code, out]).toEqual([2, ""]);
    expect(error).toMatch(says);
    expect(isOneSentence(error)).toBe(true);
  });

  test.each(["frobnicate", "run --world alerts", "replay", "run --nonsense", "regrade x", "import", ""])(
    "firedrill %s",
    async (line) => {
      const { code, error } = await firedrill(line);
      expect(code).toBe(2);
      expect(error).not.toBe("");
    },
  );

  test("help and version are no failure", async () => {
    for (const line of ["--help", "run --help", "--version"]) expect((await firedrill(line)).code).toBe(0);
  });
});

describe("what a later version brings exits 3 with one sentence", () => {
  test.each([
    "rollouts --world alerts --players rules --seeds 0..1 --out x",
    "corpus",
    "export sft-trl --out x a b",
    "serve --world alerts --port 1",
    "mcp",
    "import github a/b --since 2026",
    "import incidents a/b",
    "scenarios --world incident",
    "run --world alerts --scenario words --seed 0 --player model:gpt --base-url http://x",
  ])("%s", async (line) => {
    const { code, out, error } = await firedrill(line);
    expect([code, out]).toEqual([3, ""]);
    expect(error).toMatch(/later version/);
    expect(isOneSentence(error)).toBe(true);
  });
});
