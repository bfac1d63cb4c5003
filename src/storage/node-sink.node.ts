/** One recording open for appending on a real file system. */
import type * as fs from "node:fs/promises";
import { RecordError, type RecordSink } from "../core/recorder";
import { BEAT_EVERY_MS, type Claim } from "./claim";
import { makeFolder, syncFolder } from "./make-folder.node";
import { asRecordError } from "./record-errors";

/** The file operations used; tests put failing ones in their place. */
export type NodeFiles = Pick<
  typeof fs,
  "open" | "mkdir" | "readdir" | "readFile" | "writeFile" | "rm" | "stat" | "link" | "rename"
>;

/** How file systems without hard links refuse one. */
const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EACCES", "UNKNOWN"]);

interface Place {
  readonly path: string;
  readonly folder: string;
  readonly files: NodeFiles;
  readonly held: Claim;
  readonly syncAfterMs: number;
}

/**
 * Writes at a known offset, so that a failed append can be cut off and done again. Keeps everything recorded so far in
 * memory (a run is some megabytes at most): a file that was deleted, or whose sync failed, is written anew from there.
 */
export class NodeSink implements RecordSink {
  private readonly chunks: Buffer[];
  /** Bytes of the file that are whole and acknowledged. */
  private good: number;
  /** Something beyond `good` may be in the file. */
  private ragged = false;
  /** A sync failed: the system may have dropped pages that it had accepted. */
  private doubtful = false;
  /** The file, or its folder, was deleted or replaced. */
  private gone = false;
  private closed = false;
  private queue: Promise<unknown> = Promise.resolve();
  private timer: NodeJS.Timeout | null = null;
  private readonly heart: NodeJS.Timeout;

  constructor(
    private readonly place: Place,
    private handle: fs.FileHandle,
    bytes: Buffer,
    /** Where a new recording stands until its first lines are whole; it then gets its name. */
    private unnamed: string | null = null,
  ) {
    this.chunks = bytes.length ? [bytes] : [];
    this.good = bytes.length;
    this.heart = setInterval(() => {
      if (!this.gone) place.held.beat().catch(() => undefined);
    }, BEAT_EVERY_MS);
    this.heart.unref();
  }

  get location(): string {
    return this.place.path;
  }

  append(text: string): Promise<void> {
    return this.inTurn(async () => {
      if (this.closed) throw new RecordError(`${this.location} is closed; open the run again to go on.`, "other");
      const bytes = Buffer.from(text, "utf8");
      try {
        await this.repair();
        this.ragged = true;
        await this.writeAt(this.good, bytes);
        if (this.unnamed) await this.reveal(this.unnamed);
        await this.checkPresent();
      } catch (error) {
        await this.cut();
        throw asRecordError(error, "write", this.location);
      }
      this.ragged = false;
      this.chunks.push(bytes);
      this.good += bytes.length;
      this.syncLater();
    });
  }

  sync(): Promise<void> {
    return this.inTurn(async () => {
      if (!this.closed && !this.unnamed) await this.syncNow();
    });
  }

  close(): Promise<void> {
    return this.inTurn(async () => {
      if (this.closed) return;
      this.closed = true;
      if (this.timer) clearTimeout(this.timer);
      clearInterval(this.heart);
      try {
        if (this.unnamed) await this.place.files.rm(this.unnamed, { force: true }).catch(() => undefined);
        else await this.syncNow();
      } finally {
        await this.handle.close().catch(() => undefined);
        await this.place.held.release().catch(() => undefined);
      }
    });
  }

  /** Brings the file back to what was acknowledged, whatever happened to it. */
  private async repair(): Promise<void> {
    if (this.gone) return this.recreate();
    if (this.ragged) {
      await this.handle.truncate(this.good);
      this.ragged = false;
    }
    if (!this.doubtful) return;
    // After a failed sync, syncing again may say "done" of pages that were dropped; writing them again does not.
    await this.writeAt(0, Buffer.concat(this.chunks));
    await this.handle.datasync();
    this.doubtful = false;
  }

  private async syncNow(): Promise<void> {
    try {
      await this.checkPresent().catch(() => undefined);
      await this.repair();
      await this.handle.datasync();
    } catch (error) {
      if (!this.gone) this.doubtful = true;
      throw asRecordError(error, "write", this.location);
    }
  }

  private syncLater(): void {
    if (this.timer) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      // Kept for the next append, which repairs or reports it.
      this.inTurn(() => (this.closed ? Promise.resolve() : this.handle.datasync())).catch(() => {
        this.doubtful = true;
      });
    }, this.place.syncAfterMs);
    this.timer.unref();
  }

  private async writeAt(position: number, bytes: Buffer): Promise<void> {
    let done = 0;
    while (done < bytes.length) {
      const { bytesWritten } = await this.handle.write(bytes, done, bytes.length - done, position + done);
      if (bytesWritten === 0) throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
      done += bytesWritten;
    }
  }

  /** Gives a new recording its name, never that of a file which is there. */
  private async reveal(unnamed: string): Promise<void> {
    const { files, path } = this.place;
    try {
      await files.link(unnamed, path);
      await files.rm(unnamed, { force: true }).catch(() => undefined);
    } catch (error) {
      if ((error as { code?: unknown }).code === "ENOENT") this.gone = true;
      if (!NO_LINKS.has(String((error as { code?: unknown }).code))) throw error;
      // The claim keeps other windows from taking the name in between.
      const taken = await files.stat(path).then(
        () => true,
        () => false,
      );
      if (taken) throw Object.assign(new Error("file exists"), { code: "EEXIST" });
      await files.rename(unnamed, path);
    }
    this.unnamed = null;
    await syncFolder(this.place.files, this.place.folder);
  }

  /** Takes back what a failed append left; if that fails as well, the next append does it first. */
  private async cut(): Promise<void> {
    if (this.gone || !this.ragged) return;
    try {
      await this.handle.truncate(this.good);
      this.ragged = false;
    } catch {
      // `ragged` stays set.
    }
  }

  /** An open file goes on taking writes after it was deleted; only its name tells. */
  private async checkPresent(): Promise<void> {
    const { files, path } = this.place;
    const mine = await this.handle.stat({ bigint: true });
    const named = await files.stat(path, { bigint: true }).catch((error: { code?: string }) => {
      if (error.code === "ENOENT" || error.code === "ENOTDIR") this.gone = true;
      throw error;
    });
    if (named.ino === mine.ino && named.dev === mine.dev) return;
    this.gone = true;
    throw new RecordError(`Another file has taken the place of ${path}; move it away and try again.`, "gone");
  }

  /** Creates folder and file again and writes the whole run into it. */
  private async recreate(): Promise<void> {
    const { files, path, folder, held } = this.place;
    await makeFolder(files, folder);
    await held.beat();
    const handle = await files.open(path, "wx+");
    const old = this.handle;
    this.handle = handle;
    try {
      await this.writeAt(0, Buffer.concat(this.chunks));
      await handle.datasync();
    } catch (error) {
      await handle.close().catch(() => undefined);
      await files.rm(path, { force: true }).catch(() => undefined);
      this.handle = old;
      throw error;
    }
    await old.close().catch(() => undefined);
    await syncFolder(this.place.files, this.place.folder);
    this.unnamed = null;
    this.gone = false;
    this.ragged = false;
    this.doubtful = false;
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.queue.then(work);
    this.queue = result.catch(() => undefined);
    return result;
  }
}
