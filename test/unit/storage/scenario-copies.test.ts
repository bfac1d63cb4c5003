/** Copies of scenario files beside recordings: on disk, and in a folder that is written file by file. */
import * as fs from "node:fs/promises";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { RecordStore } from "../../../src/core/recorder";
import { resumeRun, startRun } from "../../../src/core/runs";
import type { NodeFiles } from "../../../src/storage/node-sink.node";
import { NodeRecordStore } from "../../../src/storage/node-store.node";
import { SegmentRecordStore } from "../../../src/storage/segment-store";
import { writeScenario } from "../../../src/worlds/alerts/import";
import { context, find, GIVE_UP, kiln, LOOK, world } from "../alerts-import/kiln";
import { BreakingFolder } from "./breaking-folder";

const HASH = "0123456789abcdef";
const COPY = `${HASH}.firedrill-scenario.json`;
const NAME = "2026-01-02-alerts-ab.firedrill.jsonl";
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "firedrill-copies-"));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** A window that a later one finds dead. */
function nodeStore(files: NodeFiles = fs, token = "a"): NodeRecordStore {
  const liveness = { scope: "test", token, isAlive: async (other: string) => other === token };
  return new NodeRecordStore(folder, { files, liveness, syncAfterMs: 1 });
}

function segmentStore(files: BreakingFolder, token = "a"): SegmentRecordStore {
  let ids = 0;
  const liveness = { scope: "test", token, isAlive: async (other: string) => other === token };
  return new SegmentRecordStore({ files, liveness, randomId: () => `${token}x${ids++}`, now: () => 0 });
}

const fault = (code: string) => Object.assign(new Error(code), { code });

describe.each<[string, () => RecordStore]>([
  ["on disk", () => nodeStore()],
  ["written file by file", () => segmentStore(new BreakingFolder())],
])("a copy %s", (_where, open) => {
  test("is found by its hash as it was kept, whatever is in it", async () => {
    const { scenarios } = open();
    expect(await scenarios.find(HASH)).toBeNull();
    for (const text of ["one", "\ufeffé💥\r\n", ""]) {
      await scenarios.keep(HASH, text);
      expect(await scenarios.find(HASH)).toBe(text);
    }
    expect(await scenarios.find("fedcba9876543210")).toBeNull();
  });

  test("is no recording, and stays when a run of it is deleted", async () => {
    const store = open();
    const { session } = await startRun(world, kiln(), 0, context(store, { name: NAME }));
    await session.suspend();
    expect((await store.list()).map((entry) => entry.name)).toEqual([NAME]);
    await store.remove(NAME);
    expect(await store.scenarios.find(world.contentHash(kiln()))).toBe(writeScenario(kiln()));
  });

  test("is kept under a hash only, so that no recording can point elsewhere", async () => {
    const { scenarios } = open();
    for (const hash of ["../../x", "", "0123456789ABCDEF", `${HASH}0`, `${HASH}/`]) {
      expect(await scenarios.find(hash)).toBeNull();
      await expect(scenarios.keep(hash, "x")).rejects.toMatchObject({ name: "RecordError" });
    }
  });

  test("may be kept by several windows at once", async () => {
    const { scenarios } = open();
    await Promise.all(Array.from({ length: 8 }, () => scenarios.keep(HASH, "same")));
    expect(await scenarios.find(HASH)).toBe("same");
  });
});

describe("a copy on disk", () => {
  const inside = () => readdir(join(folder, "scenarios"));

  test("stands alone in its folder, and is not written again while it is whole", async () => {
    await nodeStore().scenarios.keep(HASH, "text");
    expect(await inside()).toEqual([COPY]);
    const readOnly: NodeFiles = { ...fs, open: () => Promise.reject(fault("EROFS")) };
    await nodeStore(readOnly).scenarios.keep(HASH, "text");
    await expect(nodeStore(readOnly).scenarios.keep(HASH, "other")).rejects.toMatchObject({ code: "no_permission" });
    expect(await nodeStore().scenarios.find(HASH)).toBe("text");
  });

  test("that could not be written whole leaves the one before, and nothing else", async () => {
    await nodeStore().scenarios.keep(HASH, "before");
    const full: NodeFiles = { ...fs, rename: () => Promise.reject(fault("ENOSPC")) };
    await expect(nodeStore(full).scenarios.keep(HASH, "after")).rejects.toMatchObject({ code: "disk_full" });
    expect([await inside(), await nodeStore().scenarios.find(HASH)]).toEqual([[COPY], "before"]);
  });

  test("sweeps away what a crash left of it, and touches no other", async () => {
    await fs.mkdir(join(folder, "scenarios"));
    const others = ["fedcba9876543210.firedrill-scenario.json.00.part", "notes.txt"];
    for (const name of [`${COPY}.0123.part`, ...others]) await writeFile(join(folder, "scenarios", name), "x");
    await nodeStore().scenarios.keep(HASH, "text");
    expect((await inside()).sort()).toEqual([COPY, ...others].sort());
  });

  test("where a file stands in the place of its folder is refused in one sentence, and no run begins", async () => {
    await writeFile(join(folder, "scenarios"), "");
    const started = startRun(world, kiln(), 0, context(nodeStore(), { name: NAME }));
    await expect(started).rejects.toMatchObject({ message: expect.stringContaining("scenarios cannot be made there") });
    expect(await readdir(folder)).toEqual(["scenarios"]);
  });

  test.runIf(process.platform !== "win32")("is none for a run that goes to a pipe or a device", async () => {
    const files: NodeFiles = { ...fs, mkdir: (() => Promise.reject(fault("EACCES"))) as unknown as NodeFiles["mkdir"] };
    const store = new NodeRecordStore("/dev", { files });
    const { session } = await startRun(world, kiln(), 0, context(store, { name: "null" }));
    await session.act(GIVE_UP, "human");
    expect(session.grade?.ungraded).toBeNull();
  });

  test("comes back with its recording when the folder of both was deleted while the run went on", async () => {
    const { session } = await startRun(world, kiln(), 0, context(nodeStore(), { name: NAME }));
    await rm(folder, { recursive: true });
    await expect(session.act(LOOK, "human")).rejects.toMatchObject({ code: "gone" });
    await session.flush();
    await session.suspend();
    const again = await resumeRun(find, NAME, { store: nodeStore(fs, "b") });
    expect(again.session.steps).toHaveLength(1);
    await again.session.suspend();
  });
});

/** The run as the next window finds it: either there is none, or it goes on to its end; a new one can be begun anyhow. */
async function expectUsable(store: RecordStore, acknowledged: boolean, when: string): Promise<void> {
  const there = (await store.list()).some((entry) => entry.name === NAME);
  if (acknowledged) expect(there, when).toBe(true);
  const whole = there && (await store.read(NAME)) !== "";
  if (whole) {
    const { session } = await resumeRun(find, NAME, { store });
    await session.act(GIVE_UP, "human");
    expect(session.grade?.ungraded, when).toBeNull();
  }
  const { session } = await startRun(world, kiln(), 0, context(store, { name: `new-${NAME}` }));
  await session.act(GIVE_UP, "human");
  expect(await store.scenarios.find(world.contentHash(kiln())), when).toBe(writeScenario(kiln()));
}

/** Starts a run, whatever becomes of it, and says whether it was acknowledged before the program died. */
async function begin(store: RecordStore, died: Promise<void>): Promise<boolean> {
  let acknowledged = false;
  const started = startRun(world, kiln(), 0, context(store, { name: NAME })).then(
    () => {
      acknowledged = true;
    },
    () => undefined,
  );
  await Promise.race([started, died]);
  return acknowledged;
}

describe("a program that dies while it begins a run of an imported scenario", () => {
  test("leaves something usable, at whatever change it dies: written file by file", async () => {
    const rehearsal = new BreakingFolder();
    await begin(segmentStore(rehearsal), new Promise(() => undefined));
    // The claim, the copy, and the segment with line 1.
    expect(rehearsal.changes).toBe(3);
    for (let at = 1; at <= rehearsal.changes; at++)
      for (const left of [0, 0.5, 1]) {
        const files = new BreakingFolder();
        Object.assign(files, { dieAt: at, left });
        await begin(segmentStore(files), new Promise((resolve) => setTimeout(resolve, 5)));
        await expectUsable(segmentStore(files.reborn(), "b"), false, `dies at change ${at} with ${left} of it done`);
      }
  });

  test("leaves something usable, at whatever change it dies: on disk", async () => {
    const rehearsal = dying(Number.POSITIVE_INFINITY);
    expect(await begin(nodeStore(rehearsal.files), rehearsal.died)).toBe(true);
    // The claim; folder, part and name of the copy; the recording without a name, its line, its name.
    const copied = ["mkdir scenarios", "open part", "write part", "rename part"];
    expect(rehearsal.changes).toEqual(["write lock", "open new", ...copied, "write new", "link new", "rm new"]);
    await rehearsal.close();
    for (let at = 1; at <= rehearsal.changes.length; at++)
      for (const done of [false, true]) {
        await rm(folder, { recursive: true });
        const { files, died, close } = dying(at, done);
        const acknowledged = await begin(nodeStore(files, "a"), died);
        await close();
        await expectUsable(nodeStore(fs, "b"), acknowledged, `dies at change ${at}, ${done ? "after" : "before"} it`);
      }
    expect(await readFile(join(folder, NAME), "utf8")).toContain('"type":"grade"');
  });
});

/** File operations of a program that dies at its `at`-th change, before it or when it is done: nothing ever resolves after. */
function dying(at: number, done = false) {
  const changes: string[] = [];
  const handles: fs.FileHandle[] = [];
  const never = new Promise<never>(() => undefined);
  let die: () => void = () => undefined;
  const died = new Promise<void>((resolve) => {
    die = resolve;
  });
  const change = async <T>(what: string, path: unknown, work: () => Promise<T>): Promise<T> => {
    if (changes.length >= at) return never;
    changes.push(
      `${what} ${String(path)
        .split(/[./\\]/)
        .pop()}`,
    );
    if (changes.length < at) return work();
    if (done) await work();
    die();
    return never;
  };
  const files: NodeFiles = {
    ...fs,
    mkdir: ((path: string) => change("mkdir", path, () => fs.mkdir(path))) as NodeFiles["mkdir"],
    rename: (from, to) => change("rename", from, () => fs.rename(from, to)),
    link: (from, to) => change("link", from, () => fs.link(from, to)),
    rm: (path, options) => change("rm", path, () => fs.rm(path, options)),
    writeFile: (path, data) => change("write", path, () => fs.writeFile(path, data)),
    open: async (path, flags) => {
      if (flags === "r") return fs.open(path, flags);
      const handle = await change("open", path, async () => {
        const opened = await fs.open(path, flags);
        handles.push(opened);
        return opened;
      });
      const write = handle.write.bind(handle) as (...rest: unknown[]) => Promise<unknown>;
      const writeFile = handle.writeFile.bind(handle) as (...rest: unknown[]) => Promise<void>;
      return Object.assign(handle, {
        write: (...rest: unknown[]) => change("write", path, () => write(...rest)),
        writeFile: (...rest: unknown[]) => change("write", path, () => writeFile(...rest)),
      });
    },
  };
  // As the system does when a program ends.
  const close = () => Promise.all(handles.map((handle) => handle.close().catch(() => undefined)));
  return { files, changes, died, close };
}
