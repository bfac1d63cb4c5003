/** A folder in memory whose operations can fail, or after which the program "dies" at a chosen one. */
import type { FolderFiles } from "../../../src/storage/folder-files";

/** The program ends here: nothing after it happens. */
export class Crash extends Error {}

export class BreakingFolder implements FolderFiles {
  readonly location: string;
  readonly files = new Map<string, Uint8Array>();
  exists = true;
  /** Operations that change something, so far. */
  changes = 0;
  /** The change at which the program dies, and how much of a file that is being written is left: a share from 0 to 1. */
  dieAt: number | null = null;
  left = 0;
  /** An error code every write ends in. */
  failing: string | null = null;
  private dead = false;
  private readonly inner = new Map<string, BreakingFolder>();

  constructor(
    private readonly outer: BreakingFolder | null = null,
    name = "",
  ) {
    this.location = outer ? `${outer.location}/${name}` : "memory:/runs";
  }

  /** Its changes count among the outer one's, and the program dies in both at once. */
  folder(name: string): BreakingFolder {
    const folder = this.inner.get(name) ?? new BreakingFolder(this, name);
    if (!this.inner.has(name)) this.inner.set(name, folder);
    return folder;
  }

  /** The folder as the next program finds it. */
  reborn(): BreakingFolder {
    const next = new BreakingFolder();
    for (const [name, bytes] of this.files) next.files.set(name, bytes.slice());
    next.exists = this.exists;
    for (const [name, folder] of this.inner)
      for (const [file, bytes] of folder.files) next.folder(name).files.set(file, bytes.slice());
    return next;
  }

  text(name: string): string | undefined {
    const bytes = this.files.get(name);
    return bytes && new TextDecoder().decode(bytes);
  }

  async readFile(name: string): Promise<Uint8Array> {
    await this.pass();
    return this.found(name).slice();
  }

  async writeFile(name: string, bytes: Uint8Array): Promise<void> {
    await this.pass();
    if (this.failing) {
      this.files.set(name, bytes.slice(0, Math.floor(bytes.length / 2)));
      throw Object.assign(new Error(this.failing), { code: this.failing });
    }
    // Written whole, but not at one stroke: the old content is gone before the new one is there.
    const dies = this.change();
    this.exists = true;
    this.files.set(name, dies ? bytes.slice(0, Math.floor(bytes.length * this.left)) : bytes.slice());
    if (dies) this.die();
  }

  async delete(name: string): Promise<void> {
    await this.pass();
    this.found(name);
    const dies = this.change();
    if (!dies || this.left > 0) this.files.delete(name);
    if (dies) this.die();
  }

  async names(): Promise<readonly string[]> {
    await this.pass();
    if (!this.exists) throw missing();
    return [...this.files.keys()];
  }

  async stat(name: string): Promise<{ bytes: number; modified: number }> {
    await this.pass();
    return { bytes: this.found(name).length, modified: 0 };
  }

  async createDirectory(): Promise<void> {
    await this.pass();
    this.exists = true;
  }

  /** Deletes the folder from outside. */
  vanish(): void {
    this.files.clear();
    this.exists = false;
  }

  private async pass(): Promise<void> {
    await Promise.resolve();
    if (this.isDead) await new Promise(() => {});
  }

  private get isDead(): boolean {
    return this.outer?.isDead ?? this.dead;
  }

  private change(): boolean {
    if (this.outer) return this.outer.change();
    this.changes++;
    return this.changes === this.dieAt;
  }

  private die(): never {
    if (this.outer) return this.outer.die();
    this.dead = true;
    throw new Crash("The program died.");
  }

  private found(name: string): Uint8Array {
    const bytes = this.files.get(name);
    if (!bytes) throw missing();
    return bytes;
  }
}

function missing(): Error {
  return Object.assign(new Error("EntryNotFound (FileSystemError)"), { code: "FileNotFound" });
}
