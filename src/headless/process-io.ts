/** The real outside of a command: this process. */
import { randomBytes } from "node:crypto";
import { basename } from "node:path";
import type { Io } from "./io";

export function processIo(): Io {
  const script = process.argv[1];
  return {
    out: (text) => process.stdout.write(text),
    error: (text) => process.stderr.write(text),
    input: process.stdin,
    terminal: process.stdout.isTTY
      ? { columns: process.stdout.columns || 80, colour: !process.env.NO_COLOR && process.env.TERM !== "dumb" }
      : null,
    errorIsTerminal: process.stderr.isTTY === true,
    inputIsTerminal: process.stdin.isTTY === true,
    now: () => new Date().toISOString(),
    randomId: () => randomBytes(4).toString("hex"),
    script: script && /^(cli\.js|firedrill)$/.test(basename(script)) ? script : null,
    worlds: async () => {
      const { loadWorld, worldIds } = await import("../worlds/catalogue");
      return Promise.all(worldIds.map(loadWorld));
    },
  };
}
