/** Replay: run the recorded actions again and compare every byte that is not a wall-clock fact. */
import { firstDifference } from "./json";
import { gradeOf } from "./session";
import { PROJECT_VERSION, type Trajectory, TrajectoryEncoder } from "./trajectory";
import type { Episode, Grade, Reward, ScenarioFile, World } from "./world";

export interface ReplayResult {
  readonly identical: boolean;
  /** Where and how the first difference shows, in one sentence. */
  readonly firstDifference?: string;
  readonly steps: number;
}

/** Opens the episode a recording is of. @throws ScenarioError when its scenario is not there any more. */
export function openRecorded(world: World, trajectory: Trajectory): Episode {
  const { scenario, seed, scenario_file } = trajectory.episode;
  return world.open((scenario_file as ScenarioFile | undefined) ?? scenario, seed);
}

/**
 * Replays a recording against a world. A recording of another project version replays when the content hash is equal;
 * else the result says so. Never throws for a recording that does not match.
 */
export function replay(world: World, trajectory: Trajectory): ReplayResult {
  const { episode } = trajectory;
  const differs = (firstDifference: string): ReplayResult => ({
    identical: false,
    firstDifference,
    steps: trajectory.steps.length,
  });
  let run: Episode;
  try {
    const source = (episode.scenario_file as ScenarioFile | undefined) ?? episode.scenario;
    const hash = world.contentHash(source);
    if (hash !== episode.content_hash)
      return differs(
        `The scenario's content has changed since the recording (${episode.content_hash}, now ${hash}); it was made by version ${episode.version}, this is ${PROJECT_VERSION}.`,
      );
    run = openRecorded(world, trajectory);
  } catch (error) {
    return differs(error instanceof Error ? error.message : String(error));
  }
  const encoder = new TrajectoryEncoder();
  const rewards: Reward[] = [];
  for (let i = 0; i < trajectory.steps.length; i++) {
    const recorded = trajectory.steps[i] as Trajectory["steps"][number];
    const before = run.observe();
    const step = run.step(recorded.action);
    rewards.push(step.reward);
    const text = encoder.step(before, { ...recorded, done: step.done, problem: step.problem } as never);
    const raw = trajectory.raw[trajectory.stepLines[i] as number] as string;
    if (text.length !== raw.length + 1 || !text.startsWith(raw)) return differs(`Step ${i}: ${describe(raw, text)}`);
  }
  const { end } = trajectory;
  if (end?.type === "grade") {
    const text = encoder.grade(run.observe(), gradeOf(run, rewards), end.hindsight);
    const raw = trajectory.raw[trajectory.raw.length - 1] as string;
    if (text !== `${raw}\n`) return differs(`Grade: ${describe(raw, text)}`);
  }
  return { identical: true, steps: trajectory.steps.length };
}

/** The grade under this version's graders, whatever the recording says. @throws ScenarioError; Error when unfinished. */
export function gradeAgain(world: World, trajectory: Trajectory): Grade {
  const run = openRecorded(world, trajectory);
  const rewards = trajectory.steps.map((step) => run.step(step.action).reward);
  return gradeOf(run, rewards);
}

function describe(recorded: string, replayed: string): string {
  const found = firstDifference(JSON.parse(recorded), JSON.parse(replayed));
  if (!found) return "the same values stand in another order";
  return `at ${found.path || "/"} the recording has ${show(found.left)}, the replay ${show(found.right)}`;
}

function show(value: unknown): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
