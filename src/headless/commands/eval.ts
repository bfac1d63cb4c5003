/** `firedrill eval`: players over scenarios and seeds, summed up. */
import { join, resolve } from "node:path";
import type { PlayerFactory } from "../../core/player";
import { recordName } from "../../core/recorder";
import type { Seed } from "../../core/rng";
import type { World } from "../../core/world";
import { type Evaluation, play, type Score, scoreOf, summarise } from "../../players/evaluate";
import { NodeRecordStore } from "../../storage/node-store.node";
import { findPlayer, findScenario, findWorld, parseSeeds, parseSplit, scenariosOf, splitList } from "../arguments";
import { EXIT, type ExitCode, type Io, ProgressLine, print, usage } from "../io";
import { scoresInParallel } from "../parallel";
import { recordRun } from "../recorded-run";
import { csv, markdownTable, number, table } from "../text";
import { writeWhole } from "../write-file";

export interface EvalOptions {
  readonly world: string;
  readonly scenarios?: string;
  readonly split?: string;
  readonly players: string;
  readonly seeds: string;
  readonly jobs?: string;
  readonly out?: string;
  readonly json?: boolean;
  /** Prints the single scores instead of the summary: what one of several jobs does. */
  readonly scores?: boolean;
}

interface Plan {
  readonly world: World;
  readonly scenarios: readonly string[];
  readonly players: readonly PlayerFactory[];
  readonly seeds: readonly Seed[];
  readonly out: string | null;
}

export async function evaluate(options: EvalOptions, io: Io): Promise<ExitCode> {
  const world = await findWorld(io, options.world);
  const jobs = parseJobs(options.jobs ?? "1");
  if (options.scenarios !== undefined && options.split !== undefined)
    throw usage("Give either --scenarios or --split, not both.");
  const plan: Plan = {
    world,
    seeds: parseSeeds(options.seeds),
    players: splitList(options.players).map((name) => findPlayer(world, name)),
    scenarios: await scenarioIds(world, options, io),
    out: options.out === undefined ? null : resolve(options.out),
  };
  const scores = await allScores(plan, jobs, options, io);
  if (options.scores) {
    io.out(`${JSON.stringify(scores)}\n`);
    return EXIT.done;
  }
  const evaluation = summarise(
    scores,
    plan.players.map((player) => player.name),
  );
  if (plan.out) await writeSummaries(plan.out, evaluation, scores);
  print(io, options.json, evaluation, () => table(summaryRows(evaluation)));
  return EXIT.done;
}

async function scenarioIds(world: World, options: EvalOptions, io: Io): Promise<string[]> {
  if (options.scenarios === undefined)
    return scenariosOf(world, parseSplit(options.split ?? "validation")).map((info) => info.id);
  const found = await Promise.all(splitList(options.scenarios).map((text) => findScenario(world, text, io)));
  return found.map((scenario) => {
    if (typeof scenario === "string") return scenario;
    throw usage("eval takes scenario ids; play a scenario file with run.");
  });
}

async function allScores(plan: Plan, jobs: number, options: EvalOptions, io: Io): Promise<Score[]> {
  const progress = new ProgressLine(io);
  const { world, scenarios, players, seeds } = plan;
  const total = scenarios.length * players.length * seeds.length;
  const parallel = Math.min(jobs, seeds.length);
  try {
    if (parallel > 1 && io.script !== null)
      return await scoresInParallel(
        { ...plan, world: world.id, players: players.map((p) => p.name) },
        parallel,
        io.script,
      );
    const scores: Score[] = [];
    for (const scenario of scenarios)
      for (const seed of seeds)
        for (const player of players) {
          scores.push(await score(plan, scenario, seed, player, io));
          progress.show(scores.length, total, `episodes${options.scores ? " of this job" : ""}`);
        }
    return scores;
  } finally {
    progress.end();
  }
}

async function score(plan: Plan, scenario: string, seed: Seed, player: PlayerFactory, io: Io): Promise<Score> {
  const { world, out } = plan;
  if (!out) return play(world, scenario, seed, player);
  const now = io.now();
  const { scenario: info } = world.open(scenario, seed);
  const name = recordName(now, world.id, `${scenario}-${seed}-${player.name}-${io.randomId()}`);
  const store = new NodeRecordStore(join(out, "runs"));
  const result = await recordRun({ world, scenario, seed, player, rubric: "strict", store, name, now });
  return scoreOf(player.name, info, seed, result.steps, result.grade);
}

function parseJobs(text: string): number {
  const jobs = /^\d+$/.test(text) ? Number(text) : 0;
  if (jobs < 1 || jobs > 256) throw usage(`The number of jobs "${text}" is not a whole number from 1 to 256.`);
  return jobs;
}

async function writeSummaries(folder: string, evaluation: Evaluation, scores: readonly Score[]): Promise<void> {
  const heading = [
    "player",
    "scenario",
    "seed",
    "family",
    "steps",
    "strict",
    "published",
    "rewards",
    "ungraded",
  ] as const;
  const rows = scores.map((each) => heading.map((key) => each[key]));
  await writeWhole(join(folder, "summary.json"), `${JSON.stringify(evaluation, null, 2)}\n`);
  await writeWhole(join(folder, "summary.csv"), csv([heading, ...rows]));
  await writeWhole(join(folder, "summary.md"), `# Evaluation\n\n${markdownTable(summaryRows(evaluation))}\n`);
}

function summaryRows({ players }: Evaluation): string[][] {
  return [
    ["player", "n", "ungraded", "mean", "95 % interval", "published", "solved"],
    ...players.map((each) => [
      each.player,
      String(each.n),
      String(each.ungraded),
      number(each.mean),
      `${number(each.ci95[0])}–${number(each.ci95[1])}`,
      number(each.meanPublished),
      `${(each.solveRate * 100).toFixed(0)} %`,
    ]),
  ];
}
