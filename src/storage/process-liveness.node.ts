/** Whether a process on this machine still runs, told from later processes that were given the same number. */
import { readFileSync } from "node:fs";
import { hostname, uptime } from "node:os";
import type { Liveness } from "./claim";

/** A token is `<pid>:<when the process started>`; the start is 0 where the system does not tell. */
export function processLiveness(): Liveness {
  return {
    scope: `process@${hostname()}`,
    token: `${process.pid}:${startOf(process.pid) ?? 0}:${Math.round(Date.now() / 1000 - process.uptime())}`,
    isAlive: async (token) => isAlive(token),
  };
}

function isAlive(token: string): boolean {
  const [pid = 0, start = 0, startedAt = 0] = token.split(":").map(Number);
  if (!exists(pid)) return false;
  const startNow = startOf(pid);
  if (startNow !== null) return startNow === start;
  // No start to compare (macOS, Windows): what started before the machine did is gone. A minute for clock corrections.
  const bootedAt = Date.now() / 1000 - uptime();
  return startedAt > bootedAt - 60;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === "EPERM";
  }
}

/** Clock ticks from the machine's start to the process's (field 22 of /proc/PID/stat), or null where there is no /proc. */
function startOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The second field is the command's name in brackets and may hold spaces and brackets itself.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? -1 : Number(fields[19]);
  } catch {
    return null;
  }
}
