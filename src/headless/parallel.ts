/** Spreads an evaluation over processes of this same program, a share of the seeds each. */
import { spawn } from "node:child_process";
import { constants } from "node:os";
import type { Seed } from "../core/rng";
import type { Score } from "../players/evaluate";
import { couldNotRun } from "./io";

export interface ParallelPlan {
  readonly world: string;
  readonly scenarios: readonly string[];
  readonly players: readonly string[];
  readonly seeds: readonly Seed[];
  readonly out: string | null;
}

/** Scores in no particular order; the first job that fails stops the others. @throws CommandError with its message. */
export async function scoresInParallel(plan: ParallelPlan, jobs: number, script: string): Promise<Score[]> {
  const stop = new AbortController();
  const size = Math.ceil(plan.seeds.length / jobs);
  const shares = Array.from({ length: jobs }, (_, job) => plan.seeds.slice(job * size, (job + 1) * size));
  const letGo = endWithUs(stop);
  const work = shares
    .filter((seeds) => seeds.length > 0)
    .map((seeds) => share({ ...plan, seeds }, script, stop.signal));
  try {
    return (await Promise.all(work)).flat();
  } catch (error) {
    stop.abort();
    await Promise.allSettled(work);
    throw error;
  } finally {
    letGo();
  }
}

/** Ways to be told to end. A terminal tells the jobs as well; whoever stops this process alone must not leave them at work. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

function endWithUs(stop: AbortController): () => void {
  const end = (signal: NodeJS.Signals) => {
    stop.abort();
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of SIGNALS) process.on(signal, end);
  return () => {
    for (const signal of SIGNALS) process.off(signal, end);
  };
}

function share(plan: ParallelPlan, script: string, signal: AbortSignal): Promise<Score[]> {
  const args = [
    ...[script, "eval", "--scores", "--world", plan.world, "--scenarios", plan.scenarios.join(",")],
    ...["--players", plan.players.join(","), "--seeds", rangesOf(plan.seeds)],
    ...(plan.out === null ? [] : ["--out", plan.out]),
  ];
  return new Promise((resolve, reject) => {
    const job = spawn(process.execPath, args, { signal, stdio: ["ignore", "pipe", "pipe"] });
    let out = "";
    let messages = "";
    job.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text;
    });
    job.stderr.setEncoding("utf8").on("data", (text: string) => {
      messages += text;
    });
    job.on("error", reject);
    job.on("close", (code, killedBy) => {
      if (code === 0) resolve(JSON.parse(out) as Score[]);
      else reject(couldNotRun(messages.trim() || `A job ended early (${killedBy ?? code}); try with --jobs 1.`));
    });
  });
}

/** Seeds as `--seeds` takes them, runs of them as ranges: a command line has little room. */
export function rangesOf(seeds: readonly Seed[]): string {
  const ranges: [Seed, Seed][] = [];
  for (const seed of seeds) {
    const last = ranges[ranges.length - 1];
    if (last && seed === last[1] + 1) last[1] = seed;
    else ranges.push([seed, seed]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}..${last}`)).join(",");
}
