import { describe, expect, test } from "vitest";
import type { RecordSink } from "../../../src/core/recorder";
import { workspaceFolder } from "../../../src/storage/folder-files";
import { MOST_SEGMENTS } from "../../../src/storage/segment-sink";
import { SegmentRecordStore } from "../../../src/storage/segment-store";
import { decodeSegment, encodeSegment, joinSegments } from "../../../src/storage/segments";
import { BreakingFolder } from "./breaking-folder";

const NAME = "2026-01-02-alerts-ab.firedrill.jsonl";

/** Each window is alive until it is closed; `windows` holds those that are. */
function storeIn(files: BreakingFolder, window: string, windows: Set<string>): SegmentRecordStore {
  windows.add(window);
  let ids = 0;
  return new SegmentRecordStore({
    files,
    liveness: { scope: "test", token: window, isAlive: async (token) => windows.has(token) },
    randomId: () => `${window}x${ids++}`,
    now: () => 0,
  });
}

/** What happened before the program died, if it did. */
interface Told {
  /** Texts whose append resolved. */
  acknowledged: string[];
  finished: boolean;
}

/** Runs `work` until it is done or the folder "dies" in the middle of it. */
async function until(files: BreakingFolder, work: (told: Told) => Promise<void>): Promise<Told> {
  const told: Told = { acknowledged: [], finished: false };
  const running = work(told).then(
    () => {
      told.finished = true;
    },
    () => undefined,
  );
  // Once dead nothing resolves any more, so the work may never end.
  const settled = new Promise<void>((resolve) => {
    const look = (): void => {
      if (files.dieAt !== null && files.changes >= files.dieAt) setTimeout(resolve, 1);
      else setTimeout(look, 1);
    };
    look();
  });
  await Promise.race([running, settled]);
  return told;
}

async function say(sink: RecordSink, told: Told, text: string): Promise<void> {
  await sink.append(text);
  told.acknowledged.push(text);
}

describe("a recording of segments", () => {
  test("is one file after closing", async () => {
    const files = new BreakingFolder();
    const sink = await storeIn(files, "a", new Set()).create(NAME);
    await Promise.all([sink.append("1\n"), sink.append("2\n")]);
    await sink.close();
    expect([...files.files.keys()]).toEqual([NAME]);
    expect(files.text(NAME)).toBe("1\n2\n");
  });

  test("can be read and listed while it is written", async () => {
    const files = new BreakingFolder();
    const store = storeIn(files, "a", new Set());
    const sink = await store.create(NAME);
    await sink.append("1\n");
    await sink.append("2\n");
    expect(await store.read(NAME)).toBe("1\n2\n");
    expect((await store.list()).map((entry) => entry.name)).toEqual([NAME]);
    await sink.close();
  });

  test("keeps the number of segments bounded", async () => {
    const files = new BreakingFolder();
    const sink = await storeIn(files, "a", new Set()).create(NAME);
    let most = 0;
    for (let i = 0; i < 3 * MOST_SEGMENTS; i++) {
      await sink.append(`${i}\n`);
      most = Math.max(most, files.files.size);
    }
    await sink.close();
    // All segments, the claim, and for a moment the one they are put together in.
    expect(most).toBeLessThanOrEqual(MOST_SEGMENTS + 2);
    expect(files.text(NAME)).toBe(Array.from({ length: 3 * MOST_SEGMENTS }, (_, i) => `${i}\n`).join(""));
  });

  test("leaves nothing when it is closed before its first append", async () => {
    const files = new BreakingFolder();
    await (await storeIn(files, "a", new Set()).create(NAME)).close();
    expect([...files.files.keys()]).toEqual([]);
  });

  test("takes a text again that could not be written", async () => {
    const files = new BreakingFolder();
    const sink = await storeIn(files, "a", new Set()).create(NAME);
    await sink.append("1\n");
    files.failing = "NoPermissions";
    await expect(sink.append("2\n")).rejects.toMatchObject({ name: "RecordError", code: "no_permission" });
    files.failing = null;
    await sink.append("2\n");
    await sink.close();
    expect(files.text(NAME)).toBe("1\n2\n");
  });

  test("that could not be joined at closing is joined when it is opened again", async () => {
    const files = new BreakingFolder();
    const store = storeIn(files, "a", new Set());
    const sink = await store.create(NAME);
    await sink.append("1\n");
    files.failing = "NoPermissions";
    await expect(sink.close()).rejects.toMatchObject({ code: "no_permission" });
    files.failing = null;
    const again = await store.resume(NAME);
    expect([again.text, again.torn]).toEqual(["1\n", ""]);
    await again.sink.close();
    expect(files.text(NAME)).toBe("1\n");
  });

  test("is written anew after its folder was deleted", async () => {
    const files = new BreakingFolder();
    const sink = await storeIn(files, "a", new Set()).create(NAME);
    await sink.append("1\n");
    await sink.append("2\n");
    files.vanish();
    await expect(sink.append("3\n")).rejects.toMatchObject({ code: "gone" });
    await sink.append("3\n");
    await sink.close();
    expect([...files.files.keys()]).toEqual([NAME]);
    expect(files.text(NAME)).toBe("1\n2\n3\n");
  });

  test("sets a torn last line of an appended file aside and goes on", async () => {
    const files = new BreakingFolder();
    files.files.set(NAME, new TextEncoder().encode("1\n2\nthr"));
    const store = storeIn(files, "a", new Set());
    const { sink, text, torn } = await store.resume(NAME);
    expect([text, torn]).toEqual(["1\n2\n", "thr"]);
    expect(files.text(`${NAME}.torn`)).toBe("thr");
    await sink.append("3\n");
    await sink.close();
    expect(files.text(NAME)).toBe("1\n2\n3\n");
  });

  test("is deleted with all its pieces, but not while it is written", async () => {
    const files = new BreakingFolder();
    const store = storeIn(files, "a", new Set());
    const sink = await store.create(NAME);
    await sink.append("1\n");
    await expect(store.remove(NAME)).rejects.toMatchObject({ code: "busy" });
    await sink.close();
    await store.remove(NAME);
    expect([...files.files.keys()]).toEqual([]);
    await expect(store.read(NAME)).rejects.toMatchObject({ code: "gone" });
  });
});

describe("two windows", () => {
  test("never write one recording while both live", async () => {
    const files = new BreakingFolder();
    const windows = new Set<string>();
    const first = await storeIn(files, "a", windows).create(NAME);
    await first.append("1\n");
    await expect(storeIn(files, "b", windows).resume(NAME)).rejects.toMatchObject({ code: "busy" });
    await expect(storeIn(files, "b", windows).create(NAME)).rejects.toMatchObject({ code: "busy" });
    await first.append("2\n");
    await first.close();
    expect(files.text(NAME)).toBe("1\n2\n");
  });

  test("a window taken for dead learns that another has gone on, and writes no more", async () => {
    const files = new BreakingFolder();
    const windows = new Set<string>();
    const first = await storeIn(files, "a", windows).create(NAME);
    await first.append("1\n");
    windows.delete("a");
    const { sink, text } = await storeIn(files, "b", windows).resume(NAME);
    expect(text).toBe("1\n");
    await sink.append("2\n");
    await expect(first.append("not this\n")).rejects.toMatchObject({ name: "RecordError" });
    await first.close().catch(() => undefined);
    await sink.append("3\n");
    await sink.close();
    expect(files.text(NAME)).toBe("1\n2\n3\n");
    expect([...files.files.keys()]).toEqual([NAME]);
  });
});

describe("a program that dies at any change", () => {
  const first = ["a\n", "b\n"];
  const second = ["c\n", "d\n"];
  const long = Array.from({ length: MOST_SEGMENTS + 3 }, (_, i) => `${i}\n`);

  /** A run, closed; resumed, closed; resumed by a window that is not closed in time. */
  async function play(files: BreakingFolder, window: string, told: Told): Promise<void> {
    const windows = new Set<string>();
    const store = storeIn(files, window, windows);
    const begun = await store.create(NAME);
    for (const text of first) await say(begun, told, text);
    await begun.close();
    const { sink } = await store.resume(NAME);
    for (const text of [...second, ...long]) await say(sink, told, text);
    await sink.close();
  }

  test("loses nothing that was acknowledged and doubles nothing, however much of the last write is left", async () => {
    const rehearsal = new BreakingFolder();
    await until(rehearsal, (told) => play(rehearsal, "a", told));
    expect(rehearsal.changes).toBeGreaterThan(80);
    for (let at = 1; at <= rehearsal.changes; at++)
      for (const left of [0, 0.4, 1]) {
        const files = new BreakingFolder();
        Object.assign(files, { dieAt: at, left });
        const told = await until(files, (each) => play(files, "a", each));
        await expectWhole(files.reborn(), told.acknowledged, `dies at change ${at} with ${left} of it done`);
      }
  });

  test("may die again while it mends what the first death left", async () => {
    const before = new BreakingFolder();
    Object.assign(before, { dieAt: 14, left: 0.5 });
    const told = await until(before, (each) => play(before, "a", each));
    const rehearsal = before.reborn();
    await expectWhole(rehearsal, told.acknowledged, "mended without another death");
    for (let at = 1; at <= rehearsal.changes; at++)
      for (const left of [0, 0.5, 1]) {
        const files = before.reborn();
        Object.assign(files, { dieAt: at, left });
        await until(files, async () => {
          const { sink } = await storeIn(files, "b", new Set()).resume(NAME);
          await sink.close();
        });
        await expectWhole(files.reborn(), told.acknowledged, `dies again at change ${at} with ${left} of it done`);
      }
  });

  /** The next window resumes, adds a line and closes: all acknowledged lines, then perhaps the one in flight, then its own. */
  async function expectWhole(files: BreakingFolder, acknowledged: readonly string[], when: string): Promise<void> {
    const store = storeIn(files, "z", new Set());
    const all = [...first, ...second, ...long];
    if (acknowledged.length === 0 && !(await store.list()).length) return;
    const { sink, text } = await store.resume(NAME);
    const known = acknowledged.join("");
    const next = all[acknowledged.length] ?? "";
    expect([known, known + next], when).toContain(text);
    await sink.append("end\n");
    await sink.close();
    expect(files.text(NAME), when).toBe(`${text}end\n`);
    expect(
      [...files.files.keys()].filter((name) => !name.endsWith(".torn")),
      when,
    ).toEqual([NAME]);
  }
});

describe("joining segments", () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  const joined = (base: string, ...segments: [number, string][]) => {
    const found = joinSegments(
      bytes(base),
      segments.map(([at, text], i) => ({ name: `${i}`, at, content: bytes(text) })),
    );
    return [new TextDecoder().decode(found.joined), found.left.length];
  };

  test("takes what is there twice once", () => {
    expect(joined("a\nb\n", [0, "a\n"], [2, "b\nc\n"], [6, "d\n"])).toEqual(["a\nb\nc\nd\n", 0]);
  });

  test("leaves a segment behind a hole, and one that contradicts", () => {
    expect(joined("a\n", [4, "c\n"])).toEqual(["a\n", 1]);
    expect(joined("a\nb\n", [2, "x\nc\n"])).toEqual(["a\nb\n", 1]);
  });

  test("takes a base that was cut off up to its last whole line", () => {
    expect(joined("a\nb", [0, "a\n"], [2, "c\n"])).toEqual(["a\nc\n", 0]);
  });

  test("reads no segment that is shorter than it says", () => {
    const whole = encodeSegment(7, bytes("ü\n"));
    expect(decodeSegment("s", whole)).toMatchObject({ at: 7 });
    for (let cut = 0; cut < whole.length; cut++) expect(decodeSegment("s", whole.subarray(0, cut))).toBeNull();
  });
});

test("a folder of the editor's file system is used by name", async () => {
  const memory = new BreakingFolder();
  const strip = (uri: string): string => uri.replace("vfs:/runs/", "");
  const folder = workspaceFolder(
    {
      readFile: (uri: string) => memory.readFile(strip(uri)),
      writeFile: (uri: string, content) => memory.writeFile(strip(uri), content),
      delete: (uri: string) => memory.delete(strip(uri)),
      readDirectory: async () => (await memory.names()).map((name) => [name, 1] as const),
      stat: async (uri: string) => ({ size: (await memory.stat(strip(uri))).bytes, mtime: 5 }),
      createDirectory: () => memory.createDirectory(),
    },
    "vfs:/runs",
    (base, name) => `${base}/${name}`,
  );
  const windows = new Set(["w"]);
  const store = new SegmentRecordStore({
    files: folder,
    liveness: { scope: "s", token: "w", isAlive: async (token) => windows.has(token) },
    randomId: () => "id",
  });
  const sink = await store.create(NAME);
  await sink.append("1\n");
  await sink.close();
  expect(memory.text(NAME)).toBe("1\n");
  expect(await store.list()).toEqual([{ name: NAME, location: `vfs:/runs/${NAME}`, bytes: 2, modified: 5 }]);
});
