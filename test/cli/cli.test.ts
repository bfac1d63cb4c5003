import { spawn, spawnSync } from "node:child_process";
import { openSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const CLI = resolve("dist/cli.js");
const WORLD = ["--world", "alerts"];
const EPISODE = [...WORLD, "--scenario", "task_hard", "--seed", "3"];
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "firedrill-dist-"));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly error: string;
}

function firedrill(args: readonly string[], options: { input?: string; stdout?: number } = {}): Promise<Ran> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [CLI, ...args], {
      cwd: folder,
      stdio: ["pipe", options.stdout ?? "pipe", "pipe"],
    });
    let [out, error] = ["", ""];
    child.stdout?.on("data", (text) => {
      out += text;
    });
    child.stderr?.on("data", (text) => {
      error += text;
    });
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(options.input ?? "");
    child.on("error", fail);
    child.on("close", (code) => done({ code, out, error }));
  });
}

/** Runs with --json: standard output must be one JSON value and nothing else, standard error empty. */
async function json(args: readonly string[], code = 0): Promise<unknown> {
  const ran = await firedrill([...args, "--json"]);
  expect([ran.code, ran.error]).toEqual([code, ""]);
  return JSON.parse(ran.out);
}

const keys = (value: unknown): string[] => Object.keys(value as object);

describe("every command's JSON has exactly the agreed keys", () => {
  test("scenarios", async () => {
    const rows = (await json(["scenarios", ...WORLD, "--split", "published"])) as unknown[];
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows)
      expect(keys(row)).toEqual(["world", "scenario", "title", "difficulty", "split", "maxSteps", "tags"]);
  });

  test("run, replay and regrade", async () => {
    const file = join(folder, "run.firedrill.jsonl");
    const run = (await json(["run", ...EPISODE, "--player", "heuristic", "--out", file])) as Record<string, unknown>;
    expect(keys(run)).toEqual(["world", "scenario", "seed", "player", "steps", "done", "ungraded", "grade", "file"]);
    expect(keys(run.grade)).toEqual(["strict", "published", "parts"]);
    expect(run.file).toBe(file);
    expect(await json(["replay", file])).toEqual([{ file, identical: true }]);
    for (const rubric of ["strict", "published"] as const) {
      const [row] = (await json(["regrade", file, "--rubric", rubric])) as Record<string, unknown>[];
      expect(keys(row)).toEqual(["file", "before", "after", "parts"]);
      const grade = run.grade as Record<string, unknown>;
      expect([row?.before, row?.after]).toEqual([grade[rubric], grade[rubric]]);
    }
    const text = await readFile(file, "utf8");
    await writeFile(join(folder, "edited.firedrill.jsonl"), text.replace(/"strict":[0-9.]+/, '"strict":0.123'));
    const [row] = (await json(["replay", join(folder, "edited.firedrill.jsonl")], 1)) as Record<string, unknown>[];
    expect(keys(row)).toEqual(["file", "identical", "firstDifference"]);
    expect(row?.firstDifference).toMatch(/\/grade\/strict the recording has 0\.123/);
  });

  test("eval, the same with one job, with several, and with runs kept", async () => {
    const line = ["eval", ...WORLD, "--split", "published", "--players", "heuristic,random", "--seeds", "0..4"];
    const one = (await json(line)) as { players: Record<string, unknown>[] };
    expect(keys(one)).toEqual(["players"]);
    for (const player of one.players)
      expect(keys(player)).toEqual([
        "player",
        "n",
        "ungraded",
        "mean",
        "ci95",
        "meanPublished",
        "solveRate",
        "byFamily",
      ]);
    const published = ((await json(["scenarios", "--split", "published"])) as unknown[]).length;
    expect(one.players.map((player) => player.n)).toEqual([5 * published, 5 * published]);
    expect(await json([...line, "--jobs", "2"])).toEqual(one);
    const kept = join(folder, "kept");
    expect(await json([...line, "--jobs", "2", "--out", kept])).toEqual(one);
    const runs = (await readdir(join(kept, "runs"))).map((name) => join(kept, "runs", name));
    expect(runs).toHaveLength(2 * 5 * published);
    const replayed = (await json(["replay", ...runs])) as { identical: boolean }[];
    expect(replayed.every((each) => each.identical)).toBe(true);
  });

  test("simulate, the same for the same words", async () => {
    const line = ["simulate", "--topology", "gen:8", "--minutes", "30", "--at", "10:shift zone=nowhere percent=50"];
    expect((await firedrill(line)).code).toBe(2);
    const read = async () => (await json(line.slice(0, 5))) as Record<string, unknown> & { customer: unknown[] };
    const [first, second] = [await read(), await read()];
    expect(keys(first)).toEqual(["hash", "ticks", "ticksPerSecond", "pageAt", "customer", "services", "events"]);
    expect(keys(first.customer[0])).toEqual(["errorRate", "p99"]);
    expect({ ...second, ticksPerSecond: 0 }).toEqual({ ...first, ticksPerSecond: 0 });
    const fault = ["simulate", "--fault", "certificate_expiry:1", "--minutes", "70"];
    const { events } = (await json(fault)) as { events: { origin: string; minute: number }[] };
    expect(events.some((event) => event.origin === "fault" && event.minute > 50)).toBe(true);
    const ran = await firedrill(["simulate", "--minutes", "10"]);
    expect([ran.code, ran.error]).toEqual([0, ""]);
    expect(ran.out.split("\n").every((row) => [...row].length <= 80 && !row.includes("\x1b"))).toBe(true);
  });

  test("simulate, as the readme says to type it", async () => {
    const readme = await readFile(resolve("README.md"), "utf8");
    const lines = [...readme.matchAll(/^node dist\/cli\.js (simulate .*)$/gm)].map(([, line = ""]) => line);
    expect(lines.length).toBeGreaterThan(3);
    for (const line of lines) {
      // As a shell does: blanks part words, quotes keep them together; what follows # and > is not for the command.
      const all = [...line.matchAll(/(?:"[^"]*"|[^\s"])+/g)].map(([word]) => word);
      const end = all.findIndex((word) => word === "#" || word === ">");
      const words = (end < 0 ? all : all.slice(0, end)).map((word) => word.replaceAll('"', ""));
      const { code, out, error } = await firedrill(words);
      expect([line, code, error]).toEqual([line, 0, ""]);
      expect(out).not.toBe("");
    }
  });

  test("play, piped", async () => {
    const { code, out } = await firedrill(["play", ...EPISODE, "--json"], { input: "give_up\n" });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ scenario: "task_hard", seed: 3, player: "human", done: true });
  });
});

describe("exit codes", () => {
  test.each([
    [0, ["--version"]],
    [2, ["frobnicate"]],
    [2, ["run", ...WORLD, "--scenario", "nowhere", "--seed", "0", "--player", "idle"]],
    [2, ["run", ...WORLD, "--scenario", "task_hard", "--seed", "-1", "--player", "idle"]],
    [3, ["replay", "nowhere.firedrill.jsonl"]],
    [3, ["serve", ...WORLD]],
    [3, ["import", "github", "a/b"]],
    [3, ["run", ...EPISODE, "--player", "model:x", "--base-url", "http://localhost:1"]],
  ] as const)("%i for firedrill %j", async (code, args) => {
    expect((await firedrill(args)).code).toBe(code);
  });

  test("a job that fails fails the whole evaluation with its message", async () => {
    await writeFile(join(folder, "taken"), "");
    const line = ["eval", ...WORLD, "--scenarios", "task_easy", "--players", "idle", "--seeds", "0..3", "--jobs", "2"];
    const { code, out, error } = await firedrill([...line, "--out", join(folder, "taken"), "--json"]);
    expect([code, out]).toEqual([3, ""]);
    expect(error).toMatch(/taken/);
  });

  test.runIf(process.platform === "linux")("a full disk behind a recording, and behind standard output", async () => {
    const recorded = await firedrill(["run", ...EPISODE, "--player", "idle", "--out", "/dev/full"]);
    expect([recorded.code, recorded.out]).toEqual([3, ""]);
    expect(recorded.error).toMatch(/^The disk is full[^\n]*\.\n$/);
    const printed = await firedrill(["scenarios", "--json"], { stdout: openSync("/dev/full", "w") });
    expect(printed.code).toBe(3);
    expect(printed.error).toMatch(/^Standard output could not be written[^\n]*\.\n$/);
  });

  test.skipIf(process.platform === "win32")("an evaluation that is stopped leaves no job at work", async () => {
    const line = [
      "eval",
      ...WORLD,
      "--scenarios",
      "task_hard",
      "--players",
      "idle",
      "--seeds",
      "0..999999",
      "--jobs",
      "2",
    ];
    const parent = spawn(process.execPath, [CLI, ...line], { stdio: "ignore" });
    const ended = new Promise((done) => parent.on("close", done));
    const jobs = await jobsOf(parent.pid as number, 2);
    parent.kill("SIGTERM");
    expect(await ended).toBe(143);
    await expect.poll(() => jobs.filter(isAlive), { timeout: 10_000 }).toEqual([]);
  });

  test.skipIf(process.platform === "win32")("errors that cannot be shown change no exit code", async () => {
    const line = `"${process.execPath}" "${CLI}" frobnicate 2>/dev/full`;
    const code = await new Promise((done) => {
      spawn("bash", ["-c", line], { stdio: "ignore" }).on("close", done);
    });
    expect(code).toBe(2);
  });

  test.skipIf(process.platform === "win32")("a reader that closes the pipe is no failure", async () => {
    const line = `"${process.execPath}" "${CLI}" scenarios --json | head -c 1; exit \${PIPESTATUS[0]}`;
    const code = await new Promise((done) => {
      spawn("bash", ["-c", line], { stdio: "ignore" }).on("close", done);
    });
    expect(code).toBe(0);
  });
});

/** The processes that `parent` started, once there are `count` of them. */
async function jobsOf(parent: number, count: number): Promise<number[]> {
  for (;;) {
    const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
    const rows = stdout.split("\n").map((row) => row.trim().split(/\s+/).map(Number));
    const jobs = rows.flatMap(([pid, above]) => (pid !== undefined && above === parent ? [pid] : []));
    if (jobs.length >= count) return jobs;
    await new Promise((wait) => setTimeout(wait, 50));
  }
}

/** A process that has ended and waits to be collected is not at work. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", `${pid}`], { encoding: "utf8" });
  return stdout.trim() !== "" && !stdout.trim().startsWith("Z");
}
