/** Writes a file whole or not at all. */
import { randomBytes } from "node:crypto";
import { mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder } from "../storage/make-folder.node";
import { asRecordError } from "../storage/record-errors";
import { CommandError, EXIT } from "./io";

/** Replaces or creates `path`. @throws CommandError in one sentence; the file is then as it was. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const part = `${path}.${randomBytes(4).toString("hex")}.part`;
  try {
    await makeFolder({ mkdir, stat }, dirname(path)).catch((error) => {
      throw asRecordError(error, "create", dirname(path));
    });
    const there = await stat(path).catch(() => null);
    if (there && !there.isFile()) {
      // A device or a pipe takes the text itself; a file must not be moved over it.
      await writeFile(path, text);
      return;
    }
    await writeFile(part, text, { flush: true } as { flush: boolean });
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    throw new CommandError(EXIT.couldNotRun, asRecordError(error, "write", path).message);
  }
}
