/** The file operations of a folder that cannot be appended to: what `vscode.workspace.fs` offers, and no more. */

export interface FolderFiles {
  /** How people name the folder: a path or URI. */
  readonly location: string;
  readFile(name: string): Promise<Uint8Array>;
  /** Creates or replaces a file. A crash, or a failure, may leave part of it. */
  writeFile(name: string, bytes: Uint8Array): Promise<void>;
  delete(name: string): Promise<void>;
  /** Names of the files in the folder. */
  names(): Promise<readonly string[]>;
  stat(name: string): Promise<{ readonly bytes: number; readonly modified: number }>;
  /** With its parents; does nothing when it is there. */
  createDirectory(): Promise<void>;
  /** A folder in it, which need not be there. */
  folder(name: string): FolderFiles;
}

/** The part of `vscode.FileSystem` that is used; `U` is `vscode.Uri`. */
export interface WorkspaceFileSystem<U> {
  readFile(uri: U): PromiseLike<Uint8Array>;
  writeFile(uri: U, content: Uint8Array): PromiseLike<void>;
  delete(uri: U): PromiseLike<void>;
  readDirectory(uri: U): PromiseLike<readonly (readonly [string, number])[]>;
  stat(uri: U): PromiseLike<{ readonly size: number; readonly mtime: number }>;
  createDirectory(uri: U): PromiseLike<void>;
}

/** A folder of `vscode.workspace.fs`. `join` is `vscode.Uri.joinPath`. */
export function workspaceFolder<U>(
  fs: WorkspaceFileSystem<U>,
  folder: U,
  join: (folder: U, name: string) => U,
): FolderFiles {
  const at = (name: string): U => join(folder, name);
  return {
    location: String(folder),
    readFile: async (name) => fs.readFile(at(name)),
    writeFile: async (name, bytes) => fs.writeFile(at(name), bytes),
    delete: async (name) => fs.delete(at(name)),
    names: async () => (await fs.readDirectory(folder)).map(([name]) => name),
    stat: async (name) => {
      const { size, mtime } = await fs.stat(at(name));
      return { bytes: size, modified: mtime };
    },
    createDirectory: async () => fs.createDirectory(folder),
    folder: (name) => workspaceFolder(fs, at(name), join),
  };
}
