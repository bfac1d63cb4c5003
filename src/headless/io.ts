/** What a command needs from the outside; tests put their own in its place. */
import type { World } from "../core/world";

export interface Io {
  /** Standard output: the one JSON value, or text for people. */
  out(text: string): void;
  /** Standard error: messages and progress. */
  error(text: string): void;
  readonly input: NodeJS.ReadableStream;
  /** Standard output where it is a terminal; null where it goes elsewhere. */
  readonly terminal: Terminal | null;
  /** Whether standard error is a terminal: progress is shown on one only. */
  readonly errorIsTerminal: boolean;
  /** Whether a person types at standard input. */
  readonly inputIsTerminal: boolean;
  /** ISO 8601. */
  now(): string;
  /** Eight hexadecimal digits. */
  randomId(): string;
  /** This program's own script, to start parts of it in parallel; null where there is none. */
  readonly script: string | null;
  /** The worlds there are, by id. */
  worlds(): Promise<readonly World[]>;
}

export interface Terminal {
  /** Characters a line. */
  readonly columns: number;
  /** Whether it shows colours and its user wants them (no `NO_COLOR`, see https://no-color.org). */
  readonly colour: boolean;
}

/** Exit codes that scripts can use. */
export const EXIT = { done: 0, doesNotHold: 1, usage: 2, couldNotRun: 3 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A command that cannot go on. The message is one sentence: what happened, to what, what to do. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  constructor(
    readonly exit: ExitCode,
    message: string,
  ) {
    super(message);
  }
}

export function usage(message: string): CommandError {
  return new CommandError(EXIT.usage, message);
}

export function couldNotRun(message: string): CommandError {
  return new CommandError(EXIT.couldNotRun, message);
}

/** Prints a result: as JSON, or as text for people. */
export function print(io: Io, asJson: boolean | undefined, value: unknown, text: () => string): void {
  io.out(asJson ? `${JSON.stringify(value, null, 2)}\n` : `${text().replace(/\n*$/, "")}\n`);
}

/** A line of progress that replaces itself; nothing where standard error is no terminal. */
export class ProgressLine {
  private last = 0;

  constructor(private readonly io: Io) {}

  show(done: number, total: number, what: string): void {
    if (!this.io.errorIsTerminal) return;
    const now = Date.now();
    if (done < total && now - this.last < 100) return;
    this.last = now;
    this.io.error(`\r\x1b[K${done}/${total} ${what}`);
  }

  end(): void {
    if (this.io.errorIsTerminal && this.last) this.io.error("\r\x1b[K");
  }
}
