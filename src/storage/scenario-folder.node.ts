/** Copies of scenario files in a folder of a real file system. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { type ScenarioStore, scenarioCopyName } from "../core/recorder";
import { makeFolder, syncFolder } from "./make-folder.node";
import type { NodeFiles } from "./node-sink.node";
import { asRecordError, codeOf } from "./record-errors";
import { copyName } from "./scenario-folder";

const PART_SUFFIX = ".part";

export class NodeScenarioFolder implements ScenarioStore {
  /** `folder` is that of the copies alone. It is made with the first. */
  constructor(
    private readonly folder: string,
    private readonly files: NodeFiles,
  ) {}

  /** Written beside its place and then moved there, so that a copy under its name is whole. */
  async keep(hash: string, text: string): Promise<void> {
    const path = join(this.folder, copyName(hash));
    try {
      if ((await this.read(path)) === text) return;
      await makeFolder(this.files, this.folder).catch((error) => {
        throw asRecordError(error, "create", this.folder);
      });
      await this.replace(path, text);
    } catch (error) {
      throw asRecordError(error, "write", path);
    }
    await this.sweep(copyName(hash));
  }

  async find(hash: string): Promise<string | null> {
    const name = scenarioCopyName(hash);
    if (name === null) return null;
    const path = join(this.folder, name);
    try {
      return await this.read(path);
    } catch (error) {
      throw asRecordError(error, "read", path);
    }
  }

  private async replace(path: string, text: string): Promise<void> {
    const part = `${path}.${randomBytes(6).toString("hex")}${PART_SUFFIX}`;
    try {
      const handle = await this.files.open(part, "wx");
      try {
        await handle.writeFile(text);
        await handle.datasync();
      } finally {
        await handle.close();
      }
      await this.files.rename(part, path);
      await syncFolder(this.files, this.folder);
    } catch (error) {
      await this.files.rm(part, { force: true }).catch(() => undefined);
      // Another window that keeps the same copy may have swept the part away, once its own was in place.
      if ((await this.read(path).catch(() => null)) !== text) throw error;
    }
  }

  /** Removes what crashes left of this copy; now that it is there, nobody needs a part of it. */
  private async sweep(name: string): Promise<void> {
    const names = await this.files.readdir(this.folder).catch(() => []);
    for (const file of names)
      if (file.startsWith(`${name}.`) && file.endsWith(PART_SUFFIX))
        await this.files.rm(join(this.folder, file), { force: true }).catch(() => undefined);
  }

  private async read(path: string): Promise<string | null> {
    try {
      return await this.files.readFile(path, "utf8");
    } catch (error) {
      if (codeOf(error) === "gone") return null;
      throw error;
    }
  }
}
