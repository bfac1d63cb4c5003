/** `firedrill regrade`: recordings under this version's graders, with the change per part. */
import { type Regrade, regrade as regradeRun } from "../../core/regrade";
import { parseRubric } from "../arguments";
import { CommandError, couldNotRun, EXIT, type ExitCode, type Io, print, usage } from "../io";
import { readRecording } from "../recordings";
import { number } from "../text";

export interface RegradeOptions {
  readonly rubric?: string;
  readonly json?: boolean;
}

export async function regrade(files: readonly string[], options: RegradeOptions, io: Io): Promise<ExitCode> {
  if (options.rubric === undefined) throw usage("Say which rubric: --rubric strict or --rubric published.");
  const rubric = parseRubric(options.rubric);
  const rows: ({ readonly file: string } & Regrade)[] = [];
  let failed = false;
  for (const file of files) {
    try {
      const { trajectory, world } = await readRecording(io, file);
      rows.push({ file, ...regradeOne(() => regradeRun(world, trajectory, rubric), file) });
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      failed = true;
      io.error(`${error.message}\n`);
    }
  }
  print(io, options.json, rows, () => rows.map(rowText).join("\n"));
  return failed ? EXIT.couldNotRun : EXIT.done;
}

function regradeOne(work: () => Regrade, file: string): Regrade {
  try {
    return work();
  } catch (error) {
    throw couldNotRun(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function rowText({ file, before, after, parts }: { readonly file: string } & Regrade): string {
  const changed = parts.filter((part) => part.before !== part.after);
  return [
    `${file}: ${number(before)} → ${number(after)}${changed.length ? "" : ", no part changed"}`,
    ...changed.map((part) => `  ${part.path}: ${number(part.before)} → ${number(part.after)} — ${part.reason}`),
  ].join("\n");
}
