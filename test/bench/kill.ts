/**
 * Kill trials of the recorder: a writer is killed (SIGKILL) at a random moment, writes included, its recording is resumed,
 * and every step that was acknowledged over a pipe must be there. Run with a number of trials and a seed:
 *
 *   node scripts/run.mjs test/bench/kill-main.ts 1000 7
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { replay } from "../../src/core/replay";
import { Stream } from "../../src/core/rng";
import { resumeRun } from "../../src/core/runs";
import { observations, readTrajectory } from "../../src/core/trajectory";
import { NodeRecordStore } from "../../src/storage/node-store.node";
import { wordsWorld } from "../words-world";

export interface KillTrials {
  readonly trials: number;
  readonly seed: number;
  /** Acknowledged steps, over all trials. */
  readonly acknowledged: number;
  /** Trials in which the kill left a torn line, that is, met a write. */
  readonly torn: number;
  /** Kills before the first step was acknowledged. */
  readonly beforeFirst: number;
  /** Acknowledged steps that were not in the recording. */
  readonly lost: number;
  readonly unreadable: number;
  /** What went wrong, one sentence each. */
  readonly failures: readonly string[];
}

/** Every this many trials the recording is begun anew; between them each writer resumes what the one before left. */
const TRIALS_A_FILE = 5;

export async function runKillTrials(trials: number, seed: number): Promise<KillTrials> {
  const random = Stream.of(seed, "kill");
  const folder = await mkdtemp(join(tmpdir(), "firedrill-kill-"));
  const writer = await bundleWriter(folder);
  const failures: string[] = [];
  let [acknowledged, torn, beforeFirst, lost, unreadable] = [0, 0, 0, 0, 0];
  try {
    for (let trial = 0; trial < trials; trial++) {
      const name = `2026-01-01-alerts-${Math.floor(trial / TRIALS_A_FILE)}.firedrill.jsonl`;
      const known = await stepsIn(folder, name);
      const said = await writeAndKill(writer, [folder, name, String(seed + trial)], random);
      if (said.error) failures.push(`Trial ${trial}: the writer ended by itself: ${said.error}`);
      const must = Math.max(known, said.acknowledged);
      acknowledged += Math.max(0, said.acknowledged - known);
      if (said.acknowledged <= known) beforeFirst++;
      try {
        const found = await check(folder, name, trial % TRIALS_A_FILE === TRIALS_A_FILE - 1);
        if (found.torn) torn++;
        if (found.steps < must) {
          lost += must - found.steps;
          failures.push(`Trial ${trial}: ${must} steps were acknowledged, ${found.steps} are there.`);
        }
      } catch (error) {
        // A kill before the first line was written leaves no recording.
        if (must === 0 && !said.opened && !existsSync(join(folder, name))) continue;
        unreadable++;
        failures.push(`Trial ${trial}: ${error instanceof Error ? error.message : error}`);
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return { trials, seed, acknowledged, torn, beforeFirst, lost, unreadable, failures };
}

async function bundleWriter(folder: string): Promise<string> {
  const outfile = join(folder, "kill-writer.cjs");
  const entryPoints = ["test/bench/kill-writer.ts"];
  await build({ entryPoints, outfile, bundle: true, platform: "node", format: "cjs", target: "node20" });
  return outfile;
}

/** The command that repeats trials. */
export function repeatWith(trials: number, seed: number): string {
  return `node scripts/run.mjs test/bench/kill-main.ts ${trials} ${seed}`;
}

async function writeAndKill(writer: string, args: string[], random: Stream) {
  const child = spawn(process.execPath, [writer, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  let error = "";
  child.stderr.on("data", (text) => {
    error += text;
  });
  const ended = new Promise<void>((resolve) => {
    child.on("close", () => resolve());
  });
  // Most kills hit a writer at work; one in ten comes while it starts or resumes.
  const early = random.chance(0.1);
  const wait = early ? random.between(20, 90) : random.between(0, 100);
  const started = new Promise<void>((resolve) => {
    child.stdout.on("data", (text) => {
      out += text;
      if (out.includes("\n")) resolve();
    });
  });
  if (!early) await Promise.race([started, ended]);
  await new Promise((resolve) => setTimeout(resolve, wait));
  child.kill("SIGKILL");
  await ended;
  const lines = out.slice(0, out.lastIndexOf("\n") + 1).split("\n");
  const count = (word: string) =>
    lines.reduce((most, line) => (line.startsWith(word) ? Math.max(most, Number(line.slice(word.length))) : most), 0);
  return {
    opened: lines.some((line) => line.startsWith("opened")),
    acknowledged: Math.max(count("acknowledged "), count("opened ")),
    error,
  };
}

/** Steps in the recording as it stands. */
async function stepsIn(folder: string, name: string): Promise<number> {
  if (!existsSync(join(folder, name))) return 0;
  return readTrajectory(await readFile(join(folder, name), "utf8")).steps.length;
}

/** Resumes the recording as the next window would, and reads all of it. */
async function check(folder: string, name: string, thorough: boolean): Promise<{ steps: number; torn: boolean }> {
  const store = new NodeRecordStore(folder);
  const run = await resumeRun(() => wordsWorld, name, { store });
  const steps = run.session.steps.length;
  await run.session.suspend();
  const left = (await readdir(folder)).filter((file) => file.startsWith(name) && file.endsWith(".lock"));
  if (left.length) throw new Error(`A claim was left behind: ${left.join(", ")}.`);
  const trajectory = readTrajectory(await store.read(name));
  if (trajectory.steps.length !== steps) throw new Error("The file holds other steps than the resumed run.");
  if (thorough) {
    observations(trajectory);
    const again = replay(wordsWorld, trajectory);
    if (!again.identical) throw new Error(`The replay differs: ${again.firstDifference}`);
  }
  return { steps, torn: run.torn !== "" };
}
