/** `firedrill run`: one player, one episode, graded and — with `--out` — recorded. */
import { basename, dirname, resolve } from "node:path";
import { flatten } from "../../core/rubric";
import { type RunResult, runEpisode } from "../../core/run";
import type { Episode, Grade, RubricName, World } from "../../core/world";
import { NodeRecordStore } from "../../storage/node-store.node";
import { findPlayer, findScenario, findWorld, parseRubric, parseSeed } from "../arguments";
import { EXIT, type ExitCode, type Io, print } from "../io";
import { recordRun } from "../recorded-run";
import { gradeText } from "../text";

export interface RunOptions {
  readonly world: string;
  readonly scenario: string;
  readonly seed: string;
  readonly player: string;
  readonly rubric?: string;
  readonly baseUrl?: string;
  readonly out?: string;
  readonly json?: boolean;
}

export async function run(options: RunOptions, io: Io): Promise<ExitCode> {
  const world = await findWorld(io, options.world);
  const rubric = parseRubric(options.rubric ?? "strict");
  const seed = parseSeed(options.seed);
  const player = findPlayer(world, options.player);
  const scenario = await findScenario(world, options.scenario, io);
  const episode = world.open(scenario, seed);
  const path = options.out === undefined ? null : resolve(options.out);
  const result = path
    ? await recordRun({
        ...{ world, scenario, seed, player, rubric },
        store: new NodeRecordStore(dirname(path)),
        name: basename(path),
        now: io.now(),
      })
    : { ...runEpisode(episode, player), file: null };
  return printRun(io, options.json, { world, episode, rubric, ...result });
}

/** What came of a run, as every command that plays one prints it. */
export function printRun(
  io: Io,
  json: boolean | undefined,
  ran: RunResult & {
    readonly world: World;
    readonly episode: Episode;
    readonly rubric: RubricName;
    /** Where it is recorded, or null. */
    readonly file: string | null;
  },
): ExitCode {
  const { world, episode, rubric, player, seed, steps, done, grade, file } = ran;
  const value = {
    world: world.id,
    scenario: episode.scenario.id,
    seed,
    player,
    steps,
    done,
    ungraded: grade.ungraded,
    grade: gradeSummary(grade, rubric),
    file,
  };
  print(io, json, value, () => {
    const head = `${player} on ${episode.scenario.id}, seed ${seed}: ${steps} steps${done ? "" : ", not finished"}`;
    return [head, gradeText(grade), ...(file ? [`Recorded in ${file}`] : [])].join("\n");
  });
  return EXIT.done;
}

/** Both grades, and every part of the tree of the rubric that was asked for. */
export function gradeSummary(grade: Grade, rubric: RubricName) {
  const tree = rubric === "strict" ? grade.strictTree : grade.publishedTree;
  const parts = (tree ? flatten(tree) : []).map(({ path, part }) => ({
    path,
    value: part.value,
    weight: part.weight ?? null,
    reason: part.reason,
    evidence: part.evidence,
  }));
  return { strict: grade.strict, published: grade.published, parts };
}
