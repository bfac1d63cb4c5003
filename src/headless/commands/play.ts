/** `firedrill play`: a game at the terminal, typed or piped. */
import type { ActionCatalogue, ActionSpec } from "../../core/action";
import { Session } from "../../core/session";
import type { Episode, World } from "../../core/world";
import { ActionPrompt, Answers } from "../action-prompt";
import { findScenario, findWorld, parseSeed, scenariosOf } from "../arguments";
import { EXIT, type ExitCode, type Io } from "../io";
import { gradeText } from "../text";
import { gradeSummary } from "./run";

export interface PlayOptions {
  readonly world: string;
  readonly scenario?: string;
  readonly seed?: string;
  readonly json?: boolean;
}

export async function play(options: PlayOptions, io: Io): Promise<ExitCode> {
  const world = await findWorld(io, options.world);
  const seed = options.seed === undefined ? anySeed(io) : parseSeed(options.seed);
  const scenario =
    options.scenario === undefined ? anyScenario(world, io) : await findScenario(world, options.scenario, io);
  const episode = world.open(scenario, seed);
  // With --json standard output is the result's alone.
  const say = options.json ? io.error : io.out;
  const answers = new Answers(io, say);
  const session = new Session(episode);
  try {
    await playOn(world, episode, session, answers, say);
  } finally {
    answers.close();
  }
  const { grade, observation } = session;
  if (grade) say(`\n${gradeText(grade)}\n`);
  else say(`\nLeft unfinished after ${observation.step} steps; nothing was graded.\n`);
  if (options.json) {
    const value = {
      ...{ world: world.id, scenario: episode.scenario.id, seed, player: "human" },
      ...{ steps: observation.step, done: observation.done, ungraded: grade ? grade.ungraded : "left unfinished" },
      grade: grade ? gradeSummary(grade, "strict") : { strict: null, published: null, parts: [] },
      file: null,
    };
    io.out(`${JSON.stringify(value, null, 2)}\n`);
  }
  return EXIT.done;
}

async function playOn(
  world: World,
  episode: Episode,
  session: Session,
  answers: Answers,
  say: (text: string) => void,
): Promise<void> {
  const actions = world.actionsFor(episode.scenario);
  const prompt = new ActionPrompt(actions, episode, answers, say);
  say(`${episode.scenario.title} — scenario ${episode.scenario.id}, seed ${episode.seed}\n`);
  say(`Type an action, its key or "?" for help; "q" leaves.\n\n${world.render(session.observation)}\n`);
  while (!session.observation.done) {
    const typed = await answers.ask(`\n[${session.observation.clock}] action> `);
    if (typed === null || typed === "q" || typed === "quit") return;
    if (typed === "") continue;
    if (typed === "?" || typed === "help") {
      say(`${help(actions)}\n`);
      continue;
    }
    const action = await prompt.read(typed);
    if (!action || !(await prompt.confirm(action))) continue;
    const { observation, problem } = await session.act(action, "human");
    say(problem ? `${problem.message}\n` : `\n${world.render(observation)}\n`);
  }
}

function help(actions: ActionCatalogue): string {
  const rows = actions.specs.map((spec: ActionSpec) => `  ${(spec.key ?? " ").padEnd(2)} ${spec.name} — ${spec.help}`);
  return [
    'Actions (arguments are asked for, or given at once: name field=value other=[1,2], or name {"field": …}):',
    ...rows,
    "  q  leave the episode",
  ].join("\n");
}

function anySeed(io: Io): number {
  return Number.parseInt(io.randomId().slice(0, 7), 16) % 1_000_000;
}

/** One of the starter set where there is one, else of everything. */
function anyScenario(world: World, io: Io): string {
  const starters = world.scenarios().filter((info) => info.split === "starter");
  const pool = starters.length ? starters : scenariosOf(world, world.scenarios()[0]?.split ?? "starter");
  return (pool[Number.parseInt(io.randomId().slice(0, 7), 16) % pool.length] as (typeof pool)[number]).id;
}
