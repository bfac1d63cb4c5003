/** The built command line, killed (SIGKILL) at the very moments in which a run of an imported scenario begins. */
import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeScenario } from "../../src/worlds/alerts/import";
import { kiln } from "../unit/alerts-import/kiln";

const CLI = resolve("dist/cli.js");
const NAME = "killed.firedrill.jsonl";
let folder: string;
let hook: string;
let scenario: string;

/** Kills the process before or after a file operation on a path that ends in some way; FIREDRILL_KILL says which. */
const HOOK = `
const fs = require("node:fs/promises");
const [operation, end, when] = (process.env.FIREDRILL_KILL ?? "").split(" ");
const real = fs[operation];
fs[operation] = async (path, ...rest) => {
  if (!String(path).endsWith(end)) return real(path, ...rest);
  if (when === "after") await real(path, ...rest);
  process.kill(process.pid, "SIGKILL");
  return new Promise(() => undefined);
};`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "firedrill-killed-"));
  [hook, scenario] = [join(folder, "hook.cjs"), join(folder, "kiln.json")];
  await writeFile(hook, HOOK);
  await writeFile(scenario, writeScenario(kiln()));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

function firedrill(args: readonly string[], kill?: string) {
  const flags = kill === undefined ? [] : ["--require", hook];
  const env = { ...process.env, FIREDRILL_KILL: kill };
  return spawnSync(process.execPath, [...flags, CLI, ...args], { env, encoding: "utf8" });
}

/** What is in a folder but for what a dead writer left, which the next run to begin there sweeps away. */
async function shown(runs: string): Promise<string[]> {
  return (await readdir(runs)).filter((name) => !/\.(lock|new)$/.test(name)).sort();
}

describe("killed while a run of an imported scenario begins", () => {
  test.each<[string, string, readonly string[]]>([
    ["before the copy has its name", "rename .part before", ["scenarios"]],
    ["between the copy and line 1", "rename .part after", ["scenarios"]],
    ["before the recording has its name", "link .new before", ["scenarios"]],
    ["when the recording has its name and line 1", "link .new after", [NAME, "scenarios"]],
  ])("%s, something usable is left", async (_when, kill, left) => {
    const runs = await mkdtemp(join(folder, "runs-"));
    const file = join(runs, NAME);
    const player = ["--player", "rules", "--json"];
    const run = ["run", "--world", "alerts", "--scenario", scenario, "--seed", "0", ...player];
    expect(firedrill([...run, "--out", file], kill).signal).toBe("SIGKILL");
    expect(await shown(runs)).toEqual([...left].sort());
    // What there is of the run goes on; where there is nothing, it is begun again under the same name.
    const again = left.includes(NAME) ? ["resume", file, ...player] : [...run, "--out", file];
    const { status, stdout, stderr } = firedrill(again);
    expect([status, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toMatchObject({ done: true, ungraded: null });
    expect(firedrill(["replay", file]).status).toBe(0);
    expect(await readdir(join(runs, "scenarios"))).toHaveLength(1);
    expect(await shown(runs)).toEqual([NAME, "scenarios"]);
  });
});
