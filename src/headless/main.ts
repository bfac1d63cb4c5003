/** The command line: which commands there are, and what becomes of their errors. */
import { Command, CommanderError, Option } from "commander";
import { RecordError } from "../core/recorder";
import { PROJECT_VERSION } from "../core/trajectory";
import { ScenarioError } from "../core/world";
import { evaluate } from "./commands/eval";
import { importAlertsCommand } from "./commands/import-alerts";
import { play } from "./commands/play";
import { proof } from "./commands/proof";
import { regrade } from "./commands/regrade";
import { replay } from "./commands/replay";
import { resume } from "./commands/resume";
import { run } from "./commands/run";
import { scenarios } from "./commands/scenarios";
import { simulate } from "./commands/simulate";
import { simulateHelp } from "./commands/simulate-help";
import { CommandError, couldNotRun, EXIT, type ExitCode, type Io } from "./io";
import { printable } from "./text";

/** Runs one command line. `args` are those after the program's name. Never throws. */
export async function main(args: readonly string[], io: Io): Promise<ExitCode> {
  let code: ExitCode = EXIT.done;
  const ends = (work: Promise<ExitCode>): Promise<void> =>
    work.then((ended) => {
      code = ended;
    });
  try {
    await program(io, ends).parseAsync(args as string[], { from: "user" });
    return code;
  } catch (error) {
    return failure(error, io);
  }
}

function failure(error: unknown, io: Io): ExitCode {
  // Commander has written its own message, and uses 0 for --help and --version.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  const message = error instanceof Error ? error.message : String(error);
  io.error(`${printable(message)}\n`);
  if (error instanceof CommandError) return error.exit;
  if (!(error instanceof RecordError || error instanceof ScenarioError || error instanceof RangeError))
    io.error(`${error instanceof Error ? (error.stack ?? "") : ""}\n`);
  return EXIT.couldNotRun;
}

type Ends = (work: Promise<ExitCode>) => Promise<void>;

function program(io: Io, ends: Ends): Command {
  const root = new Command("firedrill");
  root
    .description("An on-call practice range: play, run and evaluate seeded episodes, and replay what was recorded.")
    .version(PROJECT_VERSION)
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.out(text), writeErr: (text) => io.error(printable(text)) })
    .showHelpAfterError(false);
  addPlaying(root, io, ends);
  addResume(root, io, ends);
  addEvaluating(root, io, ends);
  addRecordings(root, io, ends);
  addImports(root, io, ends);
  addSimulation(root, io, ends);
  for (const [name, what] of LATER) addLater(root, name, what);
  return root;
}

function addPlaying(root: Command, io: Io, ends: Ends): void {
  json(root.command("scenarios"))
    .description("List what there is to play.")
    .option("--world <W>", "one world only")
    .option("--split <S>", "starter, train, validation, holdout or published")
    .action((options) => ends(scenarios(options, io)));
  json(root.command("play"))
    .description("Play an episode at the terminal.")
    .requiredOption("--world <W>", "the world")
    .option("--scenario <S>", "a scenario's id or a scenario file; else one of the starter set")
    .option("--seed <N>", "a whole number; else any")
    .action((options) => ends(play(options, io)));
  json(root.command("run"))
    .description("Let one player play one episode and grade it.")
    .requiredOption("--world <W>", "the world")
    .requiredOption("--scenario <S>", "a scenario's id or a scenario file")
    .requiredOption("--seed <N>", "a whole number from 0")
    .requiredOption("--player <P>", "a player's name")
    .option("--rubric <R>", "strict or published", "strict")
    // For model players, which a later version brings: it is told so, and the help does not promise them.
    .addOption(new Option("--base-url <U>").hideHelp())
    .option("--out <FILE>", "record the run in a new file")
    .action((options) => ends(run(options, io)));
}

function addResume(root: Command, io: Io, ends: Ends): void {
  json(root.command("resume"))
    .description("Let a player go on with a run that was left or cut off.")
    .argument("<FILE>", "the recording")
    .requiredOption("--player <P>", "a player's name")
    .option("--scenario <FILE>", "its scenario file, where no copy of it is beside the recording")
    .action((file, options) => ends(resume(file, options, io)));
}

function addEvaluating(root: Command, io: Io, ends: Ends): void {
  json(root.command("eval"))
    .description("Play players over scenarios and seeds and sum the grades up.")
    .requiredOption("--world <W>", "the world")
    .option("--scenarios <a,b>", "scenario ids")
    .option("--split <S>", "all scenarios of a split (default: validation)")
    .requiredOption("--players <p,q>", "players' names")
    .requiredOption("--seeds <0..19>", "seeds, both ends included")
    .option("--jobs <N>", "processes to spread the work over", "1")
    .option("--out <DIR>", "keep the runs and summaries (md, csv, json)")
    .addOption(new Option("--scores").hideHelp())
    .action((options) => ends(evaluate(options, io)));
  json(root.command("proof"))
    .description("Check the grader: every player on every family against its bounds.")
    .option("--world <W>", "one world only")
    .option("--seeds <0..49>", "seeds, both ends included", "0..49")
    .action((options) => ends(proof(options, io)));
}

function addRecordings(root: Command, io: Io, ends: Ends): void {
  json(root.command("replay"))
    .description("Run recordings again and compare every byte.")
    .argument("<FILE...>", "recordings")
    .action((files, options) => ends(replay(files, options, io)));
  json(root.command("regrade"))
    .description("Grade recordings again and say what changed.")
    .argument("<FILE...>", "recordings")
    .requiredOption("--rubric <R>", "strict or published")
    .action((files, options) => ends(regrade(files, options, io)));
}

function addImports(root: Command, io: Io, ends: Ends): void {
  const group = root.command("import").description("Bring in alerts of a real system.");
  json(group.command("alerts"))
    .description("Read an Alertmanager webhook or a Prometheus answer.")
    .argument("<FILE>", "the payload, JSON")
    .option("--out <FILE>", "write the skeleton of a scenario file")
    .action((file, options) => ends(importAlertsCommand(file, options, io)));
  addLater(group, "github", "Importing issues from GitHub");
  addLater(group, "incidents", "Importing incidents from GitHub");
}

function addSimulation(root: Command, io: Io, ends: Ends): void {
  const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];
  json(root.command("simulate"))
    .description("Run a simulated system by itself, as a bench for designing drills.")
    .option("--topology <T>", "six, or gen:N for N services (8 to 20), also as gen:N:SEED", "six")
    .option("--fault <F>", "a fault family, also as FAMILY:SEED, or none", "none")
    .option("--minutes <N>", "simulated minutes, 1 to 1440", "120")
    .option("--seed <N>", "a whole number from 0", "0")
    .option("--set <service.parameter=value>", 'a value from the start, like "auth-api>main-db.retries=3"', collect)
    .option("--at <MIN:action>", 'what is done at a minute, like 12:"restart auth-api"', collect)
    .addHelpText("after", () => `\n${simulateHelp()}`)
    .action((options) => ends(simulate(options, io)));
}

/** Commands that a later version brings, so that a script which knows them is told so. */
const LATER: readonly (readonly [name: string, what: string])[] = [
  ["rollouts", "Collecting rollouts"],
  ["corpus", "The issue corpus"],
  ["export", "Exporting training data"],
  ["serve", "Serving environments"],
  ["mcp", "The MCP server"],
];

function addLater(parent: Command, name: string, what: string): void {
  parent
    .command(name, { hidden: true })
    .allowUnknownOption()
    .allowExcessArguments()
    .helpOption(false)
    .action(() => {
      throw couldNotRun(`${what} comes with a later version of Firedrill; this one is ${PROJECT_VERSION}.`);
    });
}

function json(command: Command): Command {
  return command.option("--json", "print one JSON value");
}
