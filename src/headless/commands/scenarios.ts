/** `firedrill scenarios`: what there is to play. */
import { findWorld, parseSplit } from "../arguments";
import { EXIT, type ExitCode, type Io, print } from "../io";
import { table } from "../text";

export interface ScenariosOptions {
  readonly world?: string;
  readonly split?: string;
  readonly json?: boolean;
}

export async function scenarios(options: ScenariosOptions, io: Io): Promise<ExitCode> {
  const worlds = options.world ? [await findWorld(io, options.world)] : await io.worlds();
  const split = options.split === undefined ? undefined : parseSplit(options.split);
  const rows = worlds
    .flatMap((world) => world.scenarios())
    .filter((info) => split === undefined || info.split === split)
    .map(({ world, id, title, difficulty, split, maxSteps, tags }) => ({
      world,
      scenario: id,
      title,
      difficulty,
      split,
      maxSteps,
      tags,
    }));
  print(io, options.json, rows, () =>
    table([
      ["WORLD", "SCENARIO", "SPLIT", "DIFFICULTY", "STEPS", "TITLE"],
      ...rows.map((row) => [row.world, row.scenario, row.split, row.difficulty, String(row.maxSteps), row.title]),
    ]),
  );
  return EXIT.done;
}
