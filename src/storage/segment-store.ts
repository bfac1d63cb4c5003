/**
 * Recordings in a folder that cannot be appended to (`vscode.workspace.fs`: web, virtual folders). While a run is open
 * each append is a numbered segment file, written whole; they are joined into the one file when it is closed, or when it
 * is opened again after a crash. At every moment base file and whole segments together hold all that was acknowledged.
 */
import {
  RECORD_SUFFIX,
  type RecordEntry,
  RecordError,
  type RecordSink,
  type RecordStore,
  SCENARIOS_FOLDER,
  type ScenarioStore,
} from "../core/recorder";
import { CLAIM_SUFFIX, type Claim, claim, isClaimed, type Liveness } from "./claim";
import type { FolderFiles } from "./folder-files";
import { asRecordError, codeOf } from "./record-errors";
import { ScenarioFolder } from "./scenario-folder";
import { SegmentSink } from "./segment-sink";
import {
  concat,
  decodeSegment,
  encodeSegment,
  isSegmentOf,
  joinSegments,
  SEGMENT_SUFFIX,
  type Segment,
  segmentName,
  startsWith,
  tornPart,
  wholeLines,
} from "./segments";

export interface SegmentStoreOptions {
  readonly files: FolderFiles;
  readonly liveness: Liveness;
  /** A random text of letters and digits, new at every call. */
  readonly randomId: () => string;
  /** Epoch milliseconds. */
  readonly now?: () => number;
}

/** What stands in the folder for one recording. */
interface Pieces {
  readonly base: Uint8Array | null;
  readonly joined: Uint8Array;
  /** All segment files, readable or not. */
  readonly files: readonly string[];
  /** What is in no whole line of the recording. */
  readonly torn: Uint8Array;
}

export class SegmentRecordStore implements RecordStore {
  readonly scenarios: ScenarioStore;
  private readonly files: FolderFiles;
  private readonly now: () => number;

  constructor(private readonly options: SegmentStoreOptions) {
    this.files = options.files;
    this.scenarios = new ScenarioFolder(options.files.folder(SCENARIOS_FOLDER));
    this.now = options.now ?? Date.now;
  }

  async create(name: string): Promise<RecordSink> {
    return this.holding(name, async (held) => {
      const { base, files } = await this.pieces(name);
      if (base || files.length)
        throw new RecordError(`${this.locate(name)} exists already; choose another name or move it away.`, "exists");
      return this.sink(name, held, new Uint8Array(), false);
    });
  }

  async resume(name: string): Promise<{ sink: RecordSink; text: string; torn: string }> {
    const there = await this.pieces(name);
    if (!there.base && !there.files.length) throw this.missing(name);
    return this.holding(name, async (held) => {
      const pieces = await this.pieces(name);
      if (pieces.torn.length) await this.setAside(name, held.writer, pieces.torn);
      await this.join(name, held.writer, pieces);
      const sink = this.sink(name, held, pieces.joined, true);
      return { sink, text: decode(pieces.joined), torn: decode(pieces.torn) };
    });
  }

  async read(name: string): Promise<string> {
    const { base, files, joined } = await this.pieces(name);
    if (!base && !files.length) throw this.missing(name);
    return decode(joined);
  }

  async list(): Promise<readonly RecordEntry[]> {
    const sizes = new Map<string, { bytes: number; modified: number }>();
    for (const file of await this.names()) {
      const name = recordingOf(file);
      if (!name) continue;
      const known = sizes.get(name) ?? { bytes: 0, modified: 0 };
      const { bytes, modified } = await this.files.stat(file).catch(() => known);
      sizes.set(name, { bytes: known.bytes + bytes, modified: Math.max(known.modified, modified) });
    }
    return [...sizes]
      .map(([name, facts]) => ({ name, location: this.locate(name), ...facts }))
      .sort((a, b) => b.modified - a.modified || (a.name < b.name ? -1 : 1));
  }

  /** Deletes a recording and what was set aside from it. @throws RecordError `busy` while somebody writes it. */
  async remove(name: string): Promise<void> {
    const { liveness } = this.options;
    if (await isClaimed(name, { files: this.claimFiles(), liveness, now: this.now }))
      throw new RecordError(`${this.locate(name)} is being written; end that run first, then delete it.`, "busy");
    const all = (await this.names()).filter((file) => file === name || belongsTo(name, file));
    if (!all.length) throw this.missing(name);
    // The base goes last: what is left of a deletion that was broken off is still a recording, and can be deleted again.
    for (const file of all.filter((each) => each !== name)) await this.deleteFile(file);
    if (all.includes(name)) await this.deleteFile(name);
  }

  /** Makes one file of what is there. Broken off at any point it can be done again with the same result. */
  private async join(name: string, writer: string, { base, joined, files }: Pieces): Promise<void> {
    if (!files.length && base?.length === joined.length) return;
    const whole = segmentName(name, writer, 0);
    // Writing the base may be cut off; until it is whole, this segment holds everything.
    await this.files.writeFile(whole, encodeSegment(0, joined));
    await this.files.writeFile(name, joined);
    for (const file of files) await this.deleteFile(file);
    await this.deleteFile(whole);
  }

  private async pieces(name: string): Promise<Pieces> {
    const names = await this.names();
    const base = names.includes(name) ? await this.files.readFile(name) : null;
    const files = names.filter((file) => isSegmentOf(name, file));
    const segments: Segment[] = [];
    const cutOff: Uint8Array[] = [];
    for (const file of files) {
      const bytes = await this.files.readFile(file);
      const segment = decodeSegment(file, bytes);
      if (segment) segments.push(segment);
      else cutOff.push(bytes);
    }
    const { joined: all, left } = joinSegments(base ?? new Uint8Array(), segments);
    const joined = wholeLines(all);
    const whole = wholeLines(base ?? new Uint8Array());
    const tail = base?.subarray(whole.length) ?? new Uint8Array();
    const torn = concat([
      startsWith(joined.subarray(whole.length), tail) ? new Uint8Array() : tail,
      all.subarray(joined.length),
      ...cutOff.map((bytes) => tornPart(bytes, joined)),
      ...left.map((segment) => segment.content),
    ]);
    return { base, joined, files, torn };
  }

  private sink(name: string, held: Claim, bytes: Uint8Array, hasBase: boolean): SegmentSink {
    return new SegmentSink({ name, location: this.locate(name), files: this.files, held }, bytes, hasBase);
  }

  private async setAside(name: string, writer: string, torn: Uint8Array): Promise<void> {
    const taken = (await this.names()).includes(`${name}.torn`);
    await this.files.writeFile(taken ? `${name}.${writer}.torn` : `${name}.torn`, torn);
  }

  private async holding<T>(name: string, work: (held: Claim) => Promise<T>): Promise<T> {
    if (name === "" || /[/\\]/.test(name))
      throw new RecordError(`"${name}" is no file name; give one without folders.`, "other");
    let held: Claim | undefined;
    try {
      await this.files.createDirectory();
      const { liveness, randomId } = this.options;
      held = await claim(name, { files: this.claimFiles(), liveness, writer: randomId(), now: this.now });
      return await work(held);
    } catch (error) {
      await held?.release().catch(() => undefined);
      throw asRecordError(error, "write", this.locate(name));
    }
  }

  private async names(): Promise<readonly string[]> {
    try {
      return await this.files.names();
    } catch (error) {
      if (codeOf(error) === "gone") return [];
      throw asRecordError(error, "read", this.files.location);
    }
  }

  private claimFiles() {
    return {
      writeFile: (name: string, bytes: Uint8Array) => this.files.writeFile(name, bytes),
      readFile: (name: string) => this.files.readFile(name),
      delete: (name: string) => this.deleteFile(name),
      names: () => this.names(),
    };
  }

  private async deleteFile(name: string): Promise<void> {
    try {
      await this.files.delete(name);
    } catch (error) {
      if (codeOf(error) !== "gone") throw asRecordError(error, "delete", this.locate(name));
    }
  }

  private missing(name: string): RecordError {
    return new RecordError(`There is no recording ${this.locate(name)}; check the name.`, "gone");
  }

  private locate(name: string): string {
    return `${this.files.location.replace(/\/$/, "")}/${name}`;
  }
}

/** The recording a file is of, or null when it is neither one nor a segment of one. */
function recordingOf(file: string): string | null {
  if (file.endsWith(RECORD_SUFFIX)) return file;
  const end = file.indexOf(`${RECORD_SUFFIX}.`);
  return end >= 0 && file.endsWith(SEGMENT_SUFFIX) ? file.slice(0, end + RECORD_SUFFIX.length) : null;
}

function belongsTo(name: string, file: string): boolean {
  return file.startsWith(`${name}.`) && [SEGMENT_SUFFIX, CLAIM_SUFFIX, ".torn"].some((end) => file.endsWith(end));
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
