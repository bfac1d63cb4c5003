/** `firedrill replay`: runs recordings again and compares every byte. */
import { CommandError, EXIT, type ExitCode, type Io, print } from "../io";
import { replayRecording } from "../recordings";

export interface ReplayOptions {
  readonly json?: boolean;
}

interface Row {
  readonly file: string;
  readonly identical: boolean;
  readonly firstDifference?: string;
}

export async function replay(files: readonly string[], options: ReplayOptions, io: Io): Promise<ExitCode> {
  const rows: Row[] = [];
  let unread = false;
  for (const file of files) {
    try {
      const { identical, firstDifference } = await replayRecording(io, file);
      rows.push({ file, identical, ...(firstDifference === undefined ? {} : { firstDifference }) });
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      unread = true;
      io.error(`${error.message}\n`);
    }
  }
  print(io, options.json, rows, () =>
    rows.map((row) => `${row.file}: ${row.identical ? "identical" : `differs — ${row.firstDifference}`}`).join("\n"),
  );
  if (unread) return EXIT.couldNotRun;
  return rows.every((row) => row.identical) ? EXIT.done : EXIT.doesNotHold;
}
