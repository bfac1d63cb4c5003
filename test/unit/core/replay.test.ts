import { beforeAll, describe, expect, test } from "vitest";
import { replay, replayText } from "../../../src/core/replay";
import { resumeRun, startRun } from "../../../src/core/runs";
import { readTrajectory, TrajectoryError } from "../../../src/core/trajectory";
import { MemoryRecordStore } from "../../../src/storage/memory-store";
import { wordsWorld } from "../../words-world";

let text: string;
const find = (id: string) => (id === "alerts" ? wordsWorld : undefined);

/** A run with everything in it: notes, problems, reasoning, usage, an ending that was not the last. */
beforeAll(async () => {
  const store = new MemoryRecordStore();
  const context = { store, openedBy: "human", now: "2026-01-01T00:00:00Z", id: "x", name: "x" };
  const { session } = await startRun(wordsWorld, "words", 5, context);
  await session.act({ name: "say", args: { text: ',"patch":[ ,"observation":{ "digest":' } }, 'policy:,"patch":[');
  await session.note("a note");
  await session.act({ name: "shout", args: {} }, "human", { wall_think_ms: 12, reasoning: 'why ,"patch":[' });
  await session.abandon("lunch");
  const again = await resumeRun(find, "x", { store });
  await again.session.act({ name: "say", args: { text: "b" } }, "model:m", {
    usage: { input: 3 },
    proposed_by: "human",
  });
  await again.session.act({ name: "stop", args: {} }, "human");
  text = await store.read("x");
});

describe("a replay", () => {
  test("of the text and of the recording read from it agree: identical", () => {
    expect(replayText(find, text)).toEqual({ identical: true, steps: 4 });
    expect(replay(wordsWorld, readTrajectory(text))).toEqual({ identical: true, steps: 4 });
  });

  test("says the first difference of any changed character, or that the file is damaged, either way the same", () => {
    const outcome = (work: () => unknown): string => {
      try {
        return JSON.stringify(work());
      } catch (error) {
        expect(error).toBeInstanceOf(TrajectoryError);
        return (error as Error).message;
      }
    };
    let differing = 0;
    for (let at = 0; at < text.length; at += 3) {
      if (text[at] === "\n") continue;
      const edited = text.slice(0, at) + (text[at] === "7" ? "8" : "7") + text.slice(at + 1);
      const told = outcome(() => replayText(() => wordsWorld, edited));
      expect(told).toBe(outcome(() => replay(wordsWorld, readTrajectory(edited))));
      if (told.includes('"identical":false')) differing++;
    }
    expect(differing).toBeGreaterThan(50);
  });

  test("names place and values of the first difference", () => {
    const edited = text.replace('"path":"/said","value":', '"path":"/said","value":1');
    expect(edited).not.toBe(text);
    expect(replayText(find, edited).firstDifference).toMatch(
      /^Step 1: at \/patch\/\d+\/value the recording has 1\d+, the replay \d+$/,
    );
  });

  test("of another content, and of an unknown world, says so", () => {
    const changed = text.replace(wordsWorld.contentHash("words"), "ffffffffffffffff");
    expect(replayText(find, changed).firstDifference).toMatch(/content has changed since the recording/);
    const elsewhere = text.replace('"world":"alerts"', '"world":"moon"');
    expect(replayText(find, elsewhere).firstDifference).toMatch(/no world "moon"/);
  });

  test("of another project version is identical where the content is", () => {
    const older = text.replace(/"version":"[^"]+"/, '"version":"0.0.9"');
    expect(replayText(find, older)).toEqual({ identical: true, steps: 4 });
  });

  test("compares the ending of an unfinished run too", () => {
    const lines = text.split("\n");
    const left = lines.findIndex((line) => line.includes('"type":"abandoned"'));
    const unfinished = `${lines.slice(0, left + 1).join("\n")}\n`;
    expect(replayText(find, unfinished)).toEqual({ identical: true, steps: 2 });
    const edited = unfinished.replace(/("type":"abandoned".*"digest":")[0-9a-f]{16}/, "$10000000000000000");
    expect(replayText(find, edited).firstDifference).toMatch(/^Ending: at \/digest/);
  });
});
