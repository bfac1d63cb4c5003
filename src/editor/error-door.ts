/** The one door through which errors reach a person: one sentence that says what to do, and a button where one helps. */
import type { LogOutputChannel } from "vscode";
import type { Editor } from "./editor";

/** An error whose message is written for the person who will read it. */
export class TellUser extends Error {
  override readonly name = "TellUser";
  constructor(
    message: string,
    /** Buttons of the message: what each one does. */
    readonly ways: readonly WayOut[] = [],
  ) {
    super(message);
  }
}

export interface WayOut {
  readonly title: string;
  run(): Promise<unknown> | unknown;
}

/** Errors of the core and of storage already speak to people; they are told apart by name, without loading their modules. */
const SPEAKING = new Set(["TellUser", "RecordError", "ScenarioError", "TrajectoryError", "ImportError"]);

export class ErrorDoor {
  constructor(
    private readonly editor: Editor,
    private readonly log: LogOutputChannel,
    /** Writes what could not be recorded. */
    private readonly retryRecording: () => Promise<void>,
  ) {}

  /** A run that misses its scenario file: resuming it by name asks for the file. */
  private readonly resuming: WayOut = {
    title: "Resume Run…",
    run: () => this.editor.commands.executeCommand("firedrill.resumeRun"),
  };

  /** Runs a command's work. What it throws is shown, and the result is undefined. */
  async run<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      void this.show(what, error);
      return undefined;
    }
  }

  /** Shows an error and carries out the way out that is chosen. Resolves when the message is gone. */
  async show(what: string, error: unknown): Promise<void> {
    const message = sentence(what, error);
    this.log.error(message, ...(error instanceof Error && !SPEAKING.has(error.name) ? [error.stack ?? ""] : []));
    const ways = this.waysOut(error);
    const chosen = await this.editor.window.showErrorMessage(message, ...ways.map((way) => way.title));
    const way = ways.find((w) => w.title === chosen);
    if (way) await this.run(way.title.toLowerCase(), async () => way.run());
  }

  private waysOut(error: unknown): readonly WayOut[] {
    if (error instanceof TellUser) return error.ways;
    if (error instanceof Error && "wanted" in error) return [this.resuming];
    if (isRecordError(error)) return [{ title: "Retry", run: () => this.retryRecording() }];
    if (error instanceof Error && SPEAKING.has(error.name)) return [];
    return [{ title: "Show Log", run: () => this.log.show() }];
  }
}

/** What an error says, in one sentence. */
export function sentence(what: string, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof Error && SPEAKING.has(error.name)) return message;
  return `Firedrill could not ${what}: ${message.replace(/\.$/, "")}. The log has the details.`;
}

export function isRecordError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && error.name === "RecordError";
}
