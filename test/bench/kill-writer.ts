/**
 * The child of the kill trials: opens or resumes a recording, takes steps as fast as it can and says on standard output,
 * after `act` resolved, how many steps are acknowledged. It never ends by itself: it is killed.
 *
 *   node kill-writer.js FOLDER NAME SEED
 *
 * With an even seed the system takes lines in small pieces.
 */
import { writeSync } from "node:fs";
import * as fs from "node:fs/promises";
import { Stream } from "../../src/core/rng";
import { resumeRun, startRun } from "../../src/core/runs";
import type { NodeFiles } from "../../src/storage/node-sink.node";
import { NodeRecordStore } from "../../src/storage/node-store.node";
import { wordsWorld } from "../words-world";

const [folder = "", name = "", seedText = "0"] = process.argv.slice(2);
const seed = Number(seedText);
const random = Stream.of(seed, "kill-writer");

async function open() {
  // A short timer, so that kills meet syncs as well.
  const store = new NodeRecordStore(folder, { syncAfterMs: 5, files: seed % 2 ? fs : slowFiles() });
  const known = (await store.list()).some((entry) => entry.name === name);
  if (known) return resumeRun(() => wordsWorld, name, { store });
  return startRun(wordsWorld, "words", seed, {
    ...{ store, name, id: "kill", openedBy: "policy:writer" },
    now: "2026-01-01T00:00:00.000Z",
  });
}

/**
 * The system may write less than it was asked to, and then is asked again. Here it always does, so that a line takes many
 * writes and kills come between them.
 */
function slowFiles(): NodeFiles {
  return {
    ...fs,
    open: async (...args) => {
      const handle = await fs.open(...args);
      const write = handle.write.bind(handle) as (...rest: unknown[]) => Promise<unknown>;
      const short = (buffer: Uint8Array, offset: number, length: number, position: number) =>
        write(buffer, offset, Math.min(length, Math.max(64, Math.ceil(buffer.length / 50))), position);
      return Object.assign(handle, { write: short });
    },
  };
}

async function write(): Promise<never> {
  const { session } = await open();
  writeSync(1, `opened ${session.steps.length}\n`);
  for (;;) {
    // Now and then a long body, so that kills meet writes that are half done.
    const length = random.chance(0.2) ? random.integer(20_000, 300_000) : random.integer(0, 400);
    const { observation } = await session.act({ name: "say", args: { text: bodyOf(length) } }, "policy:writer");
    writeSync(1, `acknowledged ${observation.step}\n`);
  }
}

/** Text with what recordings find hard: lone surrogates, NUL, line ends of every kind. */
function bodyOf(length: number): string {
  const hard = "\ud83d\u0000\r\n\u2028é💥";
  return (hard + "x".repeat(97)).repeat(Math.ceil(length / 105)).slice(0, length);
}

write().catch((error) => {
  writeSync(2, `${error instanceof Error ? error.stack : error}\n`);
  process.exit(1);
});
