/** Creates a folder with those above it, and makes what is in one survive a power cut. */
import type * as fs from "node:fs/promises";
import { dirname } from "node:path";

/**
 * As `mkdir` with `recursive`, which does not come back where a folder that is there refuses new ones as "not found", as under
 * /proc. @throws the file system's error; ENOTDIR where a file stands in the way.
 */
export async function makeFolder(files: Pick<typeof fs, "mkdir" | "stat">, folder: string): Promise<void> {
  const missing: string[] = [];
  for (let at = folder; !(await isFolder(files, at)); at = dirname(at)) {
    missing.push(at);
    if (dirname(at) === at) break;
  }
  for (const path of missing.reverse())
    await files.mkdir(path).catch(async (error: NodeJS.ErrnoException) => {
      // Somebody else may have made it meanwhile.
      if (error.code !== "EEXIST" || !(await isFolder(files, path))) throw error;
    });
}

/** Makes the name of a new file survive a power cut; Windows does that by itself and refuses to open folders. */
export async function syncFolder(files: Pick<typeof fs, "open">, folder: string): Promise<void> {
  try {
    const handle = await files.open(folder, "r");
    await handle.sync().finally(() => handle.close());
  } catch {
    // Not every system lets a folder be synced; the file itself still is.
  }
}

/** @throws ENOTDIR where something else than a folder stands there or above, and whatever else keeps it from being seen. */
async function isFolder(files: Pick<typeof fs, "stat">, path: string): Promise<boolean> {
  try {
    if ((await files.stat(path)).isDirectory()) return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
  throw Object.assign(new Error(`${path} is not a folder`), { code: "ENOTDIR" });
}
