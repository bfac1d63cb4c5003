/** One recording open for appending where files can only be written whole. */
import { RecordError, type RecordSink } from "../core/recorder";
import { BEAT_EVERY_MS, CLAIM_SUFFIX, type Claim } from "./claim";
import type { FolderFiles } from "./folder-files";
import { asRecordError, codeOf } from "./record-errors";
import { concat, encodeSegment, segmentName } from "./segments";

interface Place {
  readonly name: string;
  readonly location: string;
  readonly files: FolderFiles;
  readonly held: Claim;
}

/** From this many segments on they are put together into one, so that a long run does not fill the folder. */
export const MOST_SEGMENTS = 32;

export class SegmentSink implements RecordSink {
  /** Everything recorded so far; runs are some megabytes at most. */
  private chunks: Uint8Array[];
  private length: number;
  private next = 1;
  /** Segment files that exist, oldest first. */
  private segments: string[] = [];
  private closed = false;
  /** Files were deleted under us: the next append writes everything anew. */
  private gone = false;
  private queue: Promise<unknown> = Promise.resolve();
  private readonly heart: ReturnType<typeof setInterval>;

  /** `bytes` is what the base file holds; `hasBase` is whether there is one. */
  constructor(
    private readonly place: Place,
    bytes: Uint8Array,
    private readonly hasBase: boolean,
  ) {
    this.chunks = [bytes];
    this.length = bytes.length;
    this.heart = setInterval(() => {
      if (!this.gone) place.held.beat().catch(() => undefined);
    }, BEAT_EVERY_MS);
    (this.heart as { unref?: () => void }).unref?.();
  }

  get location(): string {
    return this.place.location;
  }

  append(text: string): Promise<void> {
    return this.inTurn(async () => {
      if (this.closed) throw new RecordError(`${this.location} is closed; open the run again to go on.`, "other");
      const bytes = new TextEncoder().encode(text);
      try {
        if (this.gone) await this.writeAnew();
        await this.checkPresent();
        await this.writeSegment(this.length, bytes);
      } catch (error) {
        throw asRecordError(error, "write", this.location);
      }
      this.chunks.push(bytes);
      this.length += bytes.length;
      // The text is safe; putting segments together can wait for better times.
      if (this.segments.length >= MOST_SEGMENTS) await this.putTogether().catch(() => undefined);
    });
  }

  /** A written file is as safe as this file system makes it. */
  async sync(): Promise<void> {}

  /** Joins the segments into the one file. When that fails they stay, and are joined when the run is next opened. */
  close(): Promise<void> {
    return this.inTurn(async () => {
      if (this.closed) return;
      this.closed = true;
      clearInterval(this.heart);
      try {
        await this.join();
      } catch (error) {
        throw asRecordError(error, "write", this.location);
      } finally {
        await this.place.held.release().catch(() => undefined);
      }
    });
  }

  private async join(): Promise<void> {
    const { files, name } = this.place;
    await this.checkPresent().catch((error) => {
      if (!this.gone) throw error;
    });
    if (this.gone) await files.createDirectory();
    else if (!this.segments.length) return;
    // Until the base is whole again, a segment must hold what the old base held.
    else if (this.hasBase) await this.putTogether();
    await files.writeFile(name, this.all());
    for (const segment of this.segments) await files.delete(segment).catch(ignoreGone);
  }

  private async writeSegment(at: number, bytes: Uint8Array): Promise<void> {
    const { files, name, held } = this.place;
    const segment = segmentName(name, held.writer, this.next);
    try {
      await files.writeFile(segment, encodeSegment(at, bytes));
    } catch (error) {
      // A part of it may be there. It does not count, and the same number is written again.
      await files.delete(segment).catch(() => undefined);
      throw error;
    }
    this.next++;
    this.segments.push(segment);
  }

  /** One segment with everything, then the others go. */
  private async putTogether(): Promise<void> {
    const old = this.segments.slice();
    await this.writeSegment(0, this.all());
    this.segments = this.segments.slice(-1);
    for (const segment of old) await this.place.files.delete(segment).catch(ignoreGone);
  }

  /** Whether this writer still holds the recording and its last piece is still there: writing would not tell. */
  private async checkPresent(): Promise<void> {
    const { files, name, held, location } = this.place;
    const piece = this.segments[this.segments.length - 1] ?? (this.hasBase ? name : null);
    if (piece && !(await this.isThere(piece))) {
      this.gone = true;
      throw new RecordError(
        `The folder of ${location} is gone; try again to create it anew with everything recorded so far.`,
        "gone",
      );
    }
    if (await this.isThere(`${name}.${held.writer}${CLAIM_SUFFIX}`)) return;
    const others = (await files.names()).filter((file) => file.startsWith(`${name}.`) && file.endsWith(CLAIM_SUFFIX));
    if (others.length) throw new RecordError(`Another window has gone on with ${location}; play on there.`, "busy");
    await held.beat();
  }

  private async isThere(file: string): Promise<boolean> {
    try {
      await this.place.files.stat(file);
      return true;
    } catch (error) {
      if (codeOf(error) === "gone") return false;
      throw error;
    }
  }

  private async writeAnew(): Promise<void> {
    await this.place.files.createDirectory();
    await this.place.held.beat();
    this.segments = [];
    await this.writeSegment(0, this.all());
    this.gone = false;
  }

  private all(): Uint8Array {
    if (this.chunks.length > 1) this.chunks = [concat(this.chunks)];
    return this.chunks[0] ?? new Uint8Array();
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.queue.then(work);
    this.queue = result.catch(() => undefined);
    return result;
  }
}

function ignoreGone(error: unknown): void {
  if (codeOf(error) !== "gone") throw error;
}
