/** Recordings in a folder of a real file system, appended to line by line. */

import { randomBytes } from "node:crypto";
import * as fs from "node:fs/promises";
import { basename, join } from "node:path";
import {
  RECORD_SUFFIX,
  type RecordEntry,
  RecordError,
  type RecordSink,
  type RecordStore,
  SCENARIOS_FOLDER,
  type ScenarioStore,
} from "../core/recorder";
import { CLAIM_SUFFIX, type Claim, type ClaimFiles, claim, isClaimed, type Liveness } from "./claim";
import { DeviceSink } from "./device-sink.node";
import { makeFolder } from "./make-folder.node";
import { type NodeFiles, NodeSink } from "./node-sink.node";
import { processLiveness } from "./process-liveness.node";
import { asRecordError, codeOf } from "./record-errors";
import { NodeScenarioFolder } from "./scenario-folder.node";

export interface NodeStoreOptions {
  /** How long after an append it is forced onto the disk. Milliseconds. */
  readonly syncAfterMs?: number;
  readonly files?: NodeFiles;
  readonly liveness?: Liveness;
}

const NEWLINE = 10;
const SYNC_AFTER_MS = 1000;
const UNNAMED_SUFFIX = ".new";
/** A recording's name, the writer's, and the suffix. */
const UNNAMED = /^(.+)\.[0-9a-f]{12}\.new$/;

export class NodeRecordStore implements RecordStore {
  readonly scenarios: ScenarioStore;
  private readonly files: NodeFiles;
  private readonly liveness: Liveness;
  private readonly syncAfterMs: number;

  /** `folder` is created with the first recording. */
  constructor(
    readonly folder: string,
    options: NodeStoreOptions = {},
  ) {
    this.files = options.files ?? fs;
    this.scenarios = new NodeScenarioFolder(join(folder, SCENARIOS_FOLDER), this.files);
    this.liveness = options.liveness ?? processLiveness();
    this.syncAfterMs = options.syncAfterMs ?? SYNC_AFTER_MS;
  }

  async create(name: string): Promise<RecordSink> {
    const path = this.pathOf(name);
    if (await this.isDevice(path)) return this.openDevice(path);
    await this.sweep();
    return this.holding(name, async (held) => {
      if ((await this.names()).includes(name))
        throw new RecordError(`${path} exists already; choose another name or move it away.`, "exists");
      // The name comes with the first whole lines, so that a crash leaves no recording without any.
      const unnamed = `${path}.${held.writer}${UNNAMED_SUFFIX}`;
      const handle = await this.files.open(unnamed, "wx+");
      return this.sink(path, handle, held, Buffer.alloc(0), unnamed);
    });
  }

  async resume(name: string): Promise<{ sink: RecordSink; text: string; torn: string }> {
    const path = this.pathOf(name);
    // Before the folder is created for a claim: a run that is not there cannot be resumed.
    await this.files.stat(path).catch((error) => {
      throw asRecordError(error, "read", path);
    });
    return this.holding(name, async (held) => {
      const handle = await this.files.open(path, "r+");
      try {
        const bytes = await handle.readFile();
        const whole = bytes.lastIndexOf(NEWLINE) + 1;
        const tail = bytes.subarray(whole);
        if (tail.length) {
          await this.setAside(`${path}.torn`, tail);
          await handle.truncate(whole);
        }
        const kept = Buffer.from(bytes.subarray(0, whole));
        const sink = this.sink(path, handle, held, kept);
        return { sink, text: kept.toString("utf8"), torn: tail.toString("utf8") };
      } catch (error) {
        await handle.close();
        throw error;
      }
    });
  }

  async read(name: string): Promise<string> {
    const path = this.pathOf(name);
    try {
      const bytes = await this.files.readFile(path);
      return bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1).toString("utf8");
    } catch (error) {
      throw asRecordError(error, "read", path);
    }
  }

  async list(): Promise<readonly RecordEntry[]> {
    const names = (await this.names()).filter((name) => name.endsWith(RECORD_SUFFIX));
    const entries = await Promise.all(names.map((name) => this.entry(name)));
    return entries
      .flatMap((entry) => (entry ? [entry] : []))
      .sort((a, b) => b.modified - a.modified || (a.name < b.name ? -1 : 1));
  }

  /** Deletes a recording and what was set aside from it. @throws RecordError `busy` while somebody writes it. */
  async remove(name: string): Promise<void> {
    const path = this.pathOf(name);
    const claims = { files: this.claimFiles(), liveness: this.liveness, now: Date.now };
    if (await isClaimed(name, claims))
      throw new RecordError(`${path} is being written; end that run first, then delete it.`, "busy");
    // Whoever records to a device must not lose it.
    if (await this.isDevice(path)) return;
    try {
      await this.files.rm(path);
      await this.files.rm(`${path}.torn`, { force: true });
    } catch (error) {
      throw asRecordError(error, "delete", path);
    }
    for (const other of await this.names())
      if (other.startsWith(`${name}.`) && (other.endsWith(CLAIM_SUFFIX) || UNNAMED.test(other)))
        await this.claimFiles().delete(other);
  }

  private pathOf(name: string): string {
    if (name === "" || name === ".." || name === "." || basename(name) !== name)
      throw new RecordError(`"${name}" is no file name; give one without folders.`, "other");
    return join(this.folder, name);
  }

  private async isDevice(path: string): Promise<boolean> {
    const there = await this.files.stat(path).catch(() => null);
    return there !== null && !there.isFile() && !there.isDirectory();
  }

  private async openDevice(path: string): Promise<RecordSink> {
    try {
      return new DeviceSink(path, await this.files.open(path, "a"));
    } catch (error) {
      throw asRecordError(error, "write", path);
    }
  }

  /** Does `work` while this writer holds the recording; the claim stays with the sink that `work` makes. */
  private async holding<T>(name: string, work: (held: Claim) => Promise<T>): Promise<T> {
    let held: Claim | undefined;
    try {
      await makeFolder(this.files, this.folder).catch((error) => {
        throw asRecordError(error, "create", this.folder);
      });
      held = await claim(name, {
        files: this.claimFiles(),
        liveness: this.liveness,
        writer: randomBytes(6).toString("hex"),
        now: Date.now,
      });
      return await work(held);
    } catch (error) {
      await held?.release();
      throw asRecordError(error, "write", join(this.folder, name));
    }
  }

  private sink(path: string, handle: fs.FileHandle, held: Claim, bytes: Buffer, unnamed?: string): NodeSink {
    const { files, folder, syncAfterMs } = this;
    return new NodeSink({ path, folder, files, held, syncAfterMs }, handle, bytes, unnamed);
  }

  /** Removes what crashes left of recordings that never got their first line. */
  private async sweep(): Promise<void> {
    const claims = { files: this.claimFiles(), liveness: this.liveness, now: Date.now };
    for (const file of await this.names()) {
      const [, recording] = UNNAMED.exec(file) ?? [];
      if (recording && !(await isClaimed(recording, claims))) await this.claimFiles().delete(file);
    }
  }

  /** Adds a torn tail to what was set aside before; it is on the disk before the recording loses it. */
  private async setAside(path: string, tail: Uint8Array): Promise<void> {
    const handle = await this.files.open(path, "a");
    try {
      await handle.appendFile(tail);
      await handle.appendFile("\n");
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  private async entry(name: string): Promise<RecordEntry | null> {
    const location = join(this.folder, name);
    try {
      const facts = await this.files.stat(location);
      return facts.isFile() ? { name, location, bytes: facts.size, modified: facts.mtimeMs } : null;
    } catch {
      // Deleted between the listing and now.
      return null;
    }
  }

  private async names(): Promise<string[]> {
    try {
      return await this.files.readdir(this.folder);
    } catch (error) {
      if (codeOf(error) === "gone") return [];
      throw asRecordError(error, "read", this.folder);
    }
  }

  private claimFiles(): ClaimFiles {
    return {
      writeFile: (name, bytes) => this.files.writeFile(join(this.folder, name), bytes),
      readFile: (name) => this.files.readFile(join(this.folder, name)),
      delete: (name) => this.files.rm(join(this.folder, name), { force: true }),
      names: () => this.names(),
    };
  }
}
