/** The port through which recordings are kept. Adapters live in `src/storage`; the core never sees a file system. */

/** An open recording that only this writer appends to. */
export interface RecordSink {
  /** How people and commands name it: a path or URI. */
  readonly location: string;
  /** True for a device or a pipe, which cannot be read again: what is sent there is never gone on with. */
  readonly oneWay?: boolean;
  /**
   * Hands `text` (whole lines) to the operating system before it resolves. On failure nothing of `text` stays in the
   * recording and the same text may be appended again. @throws RecordError
   */
  append(text: string): Promise<void>;
  /** Forces everything appended onto the disk where the system can. */
  sync(): Promise<void>;
  /** Syncs and lets go of the recording. */
  close(): Promise<void>;
}

/** Copies of scenario files kept beside recordings, by content hash: what an unfinished run of an imported scenario goes on with. */
export interface ScenarioStore {
  /**
   * Keeps a copy, whole or not at all, and as safe as a finished recording when it resolves. One that is there and differs was
   * damaged, and is replaced. @throws RecordError
   */
  keep(hash: string, text: string): Promise<void>;
  /** The copy's text, or null when there is none. Whoever reads it checks it. @throws RecordError when it cannot be read. */
  find(hash: string): Promise<string | null>;
}

/** The folder of those copies, in the folder of the recordings. */
export const SCENARIOS_FOLDER = "scenarios";

/** A copy's file name; null for what is no content hash, as an edited recording may have it: nothing is kept under that. */
export function scenarioCopyName(hash: string): string | null {
  return /^[0-9a-f]{16}$/.test(hash) ? `${hash}.firedrill-scenario.json` : null;
}

/** A recording in a listing. */
export interface RecordEntry {
  readonly name: string;
  readonly location: string;
  readonly bytes: number;
  /** Epoch milliseconds; for sorting only. */
  readonly modified: number;
}

/** A folder of recordings. */
export interface RecordStore {
  readonly scenarios: ScenarioStore;
  /**
   * Starts a new recording. It exists from its first append on: closed before that, it leaves nothing behind.
   * @throws RecordError when it exists, or the folder cannot be written.
   */
  create(name: string): Promise<RecordSink>;
  /**
   * Opens an existing recording to go on with it. A torn last line is moved to `<name>.torn` first and reported.
   * @throws RecordError when another window writes it, or it cannot be read or written.
   */
  resume(name: string): Promise<{ readonly sink: RecordSink; readonly text: string; readonly torn: string }>;
  /** The recording's whole lines (segments joined); a torn tail is left out. @throws RecordError */
  read(name: string): Promise<string>;
  /** Newest first. */
  list(): Promise<readonly RecordEntry[]>;
  remove(name: string): Promise<void>;
}

/** The recording could not be written or read. The message is one sentence: what happened, to what, what to do. */
export class RecordError extends Error {
  override readonly name = "RecordError";
  constructor(
    message: string,
    readonly code: "exists" | "busy" | "no_permission" | "disk_full" | "gone" | "unreadable" | "other",
  ) {
    super(message);
  }
}

/** `<date>-<world>-<id>.firedrill.jsonl`; `date` is an ISO date, `id` a short random text. */
export function recordName(date: string, world: string, id: string): string {
  return `${date.slice(0, 10)}-${world}-${id}.firedrill.jsonl`;
}

export const RECORD_SUFFIX = ".firedrill.jsonl";
