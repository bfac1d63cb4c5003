/** Copies of scenario files in a folder that is written file by file, as `vscode.workspace.fs` does. */
import { RecordError, type ScenarioStore, scenarioCopyName } from "../core/recorder";
import type { FolderFiles } from "./folder-files";
import { asRecordError, codeOf } from "./record-errors";

export class ScenarioFolder implements ScenarioStore {
  /** `files` is the folder of the copies alone. It is made with the first. */
  constructor(private readonly files: FolderFiles) {}

  /** A crash may leave part of a copy, but then of no run's: the run begins after its copy is whole, and whole ones stay. */
  async keep(hash: string, text: string): Promise<void> {
    const name = copyName(hash);
    try {
      if ((await this.read(name)) === text) return;
      await this.files.createDirectory();
      await this.files.writeFile(name, new TextEncoder().encode(text));
    } catch (error) {
      throw asRecordError(error, "write", this.locate(name));
    }
  }

  async find(hash: string): Promise<string | null> {
    const name = scenarioCopyName(hash);
    if (name === null) return null;
    try {
      return await this.read(name);
    } catch (error) {
      throw asRecordError(error, "read", this.locate(name));
    }
  }

  private async read(name: string): Promise<string | null> {
    try {
      return new TextDecoder("utf-8", { ignoreBOM: true }).decode(await this.files.readFile(name));
    } catch (error) {
      if (codeOf(error) === "gone") return null;
      throw error;
    }
  }

  private locate(name: string): string {
    return `${this.files.location.replace(/\/$/, "")}/${name}`;
  }
}

/** @throws RecordError for what is no content hash. */
export function copyName(hash: string): string {
  const name = scenarioCopyName(hash);
  if (name !== null) return name;
  throw new RecordError(`"${hash.slice(0, 40)}" is no content hash, so nothing can be kept under it.`, "other");
}
