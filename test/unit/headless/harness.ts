/** Runs the command line in this process: words as the world, output captured, input given. */
import { Readable } from "node:stream";
import type { Player, PlayerFactory } from "../../../src/core/player";
import type { World } from "../../../src/core/world";
import type { Io, Terminal } from "../../../src/headless/io";
import { main } from "../../../src/headless/main";
import { alertsWorld } from "../../../src/worlds/alerts/world";
import { wordsWorld } from "../../words-world";

function player(name: string, decide: Player["decide"]): PlayerFactory {
  const about = { name, title: name, summary: name, knowsTruth: false };
  return { ...about, create: () => ({ name, decide, reasoning: "because" }) };
}

const say = (text: string) => ({ name: "say", args: { text } });

const players: readonly PlayerFactory[] = [
  player("talker", ({ step }) => (step < 3 ? say(`word ${step}`) : { name: "stop", args: {} })),
  player("silent", () => ({ name: "stop", args: {} })),
  player("broken", ({ step }) => {
    if (step < 1) return say("one");
    throw new Error("it broke");
  }),
  player("babbler", () => ({ name: "babble", args: {} })),
];

export const words: World = { ...wordsWorld, players } as unknown as World;
export const alerts = alertsWorld as unknown as World;

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

export interface RunOptions {
  readonly input?: string;
  readonly worlds?: readonly World[];
  readonly terminal?: Terminal;
}

/** Runs one command line, split at blanks. */
export async function firedrill(line: string | readonly string[], options: RunOptions = {}): Promise<Ran> {
  let [out, error, ids] = ["", "", 0];
  const io: Io = {
    out: (text) => {
      out += text;
    },
    error: (text) => {
      error += text;
    },
    input: Readable.from(options.input === undefined ? [] : [options.input]),
    terminal: options.terminal ?? null,
    errorIsTerminal: false,
    inputIsTerminal: false,
    now: () => "2026-01-02T03:04:05.000Z",
    randomId: () => (ids++).toString(16).padStart(8, "0"),
    script: null,
    worlds: async () => options.worlds ?? [words],
  };
  const args = typeof line === "string" ? line.split(" ").filter((word) => word !== "") : line;
  const code = await main(args, io);
  return { code, out, error };
}

/** The number of sentences a message has: lines that end in a full stop. */
export function isOneSentence(message: string): boolean {
  return /^[^\n]+\.\n$/.test(message);
}
