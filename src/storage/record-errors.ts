/** What file systems say when they refuse, as one sentence a person can act on. Knows Node's codes and VS Code's. */
import { RecordError } from "../core/recorder";

type Code = RecordError["code"];

const CODES: Readonly<Record<string, Code>> = {
  EACCES: "no_permission",
  EPERM: "no_permission",
  EROFS: "no_permission",
  NoPermissions: "no_permission",
  ENOSPC: "disk_full",
  EDQUOT: "disk_full",
  EFBIG: "disk_full",
  QuotaExceededError: "disk_full",
  ENOENT: "gone",
  ENOTDIR: "gone",
  ESTALE: "gone",
  FileNotFound: "gone",
  EntryNotFound: "gone",
  FileNotADirectory: "gone",
  EntryNotADirectory: "gone",
  EEXIST: "exists",
  FileExists: "exists",
  EntryExists: "exists",
  EBUSY: "busy",
  ETXTBSY: "busy",
  EISDIR: "unreadable",
  FileIsADirectory: "unreadable",
  EntryIsADirectory: "unreadable",
};

/** What was being done, in the words of the sentence. */
export type Doing = "write" | "read" | "delete" | "create";

const DONE: Readonly<Record<Doing, string>> = { write: "written", read: "read", delete: "deleted", create: "made" };

/** The error as a `RecordError` about `location`; a `RecordError` passes through. */
export function asRecordError(error: unknown, doing: Doing, location: string): RecordError {
  if (error instanceof RecordError) return error;
  const code = codeOf(error);
  return new RecordError(sentence(code, doing, location, error), code);
}

/** The kind of failure a thrown value stands for. */
export function codeOf(error: unknown): Code {
  if (error instanceof RecordError) return error.code;
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  // VS Code's errors carry the code in the name as well: "EntryNotFound (FileSystemError)".
  const [word = ""] = String(name ?? "").split(" ");
  return CODES[String(code)] ?? CODES[word] ?? "other";
}

function sentence(code: Code, doing: Doing, location: string, error: unknown): string {
  switch (code) {
    case "no_permission":
      return `You have no permission to ${doing} ${location}; choose another folder or change its permissions.`;
    case "disk_full":
      return `The disk is full, so ${location} could not be written; free some space and try again.`;
    case "gone":
      // Something on the way to a new folder is no folder, or takes none.
      if (doing === "create") return `The folder ${location} cannot be made there; choose another one.`;
      return doing === "write"
        ? `The folder of ${location} is gone; try again to create it anew with everything recorded so far.`
        : `There is no ${location}; check the name.`;
    case "exists":
      return `${location} exists already; choose another name or move it away.`;
    case "busy":
      return `${location} is in use by another program; close it there and try again.`;
    case "unreadable":
      return `${location} is a folder, not a recording; choose a file.`;
    default: {
      const says = error instanceof Error ? error.message : String(error);
      return `${location} could not be ${DONE[doing]} (${says}); try again or choose another folder.`;
    }
  }
}
