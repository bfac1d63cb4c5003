import * as fs from "node:fs/promises";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Liveness } from "../../../src/storage/claim";
import type { NodeFiles } from "../../../src/storage/node-sink.node";
import { NodeRecordStore } from "../../../src/storage/node-store.node";

const NAME = "2026-01-02-alerts-ab.firedrill.jsonl";
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "firedrill-store-"));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const onDisk = (name = NAME): Promise<string> => readFile(join(folder, name), "utf8");

type WriteResult = { bytesWritten: number; buffer: Uint8Array };
type Write = (buffer: Uint8Array, offset: number, length: number, position: number) => Promise<WriteResult>;

/** File operations in which each write may be spoilt; `spoil` gets the real write and may fail, or write less. */
function faulty(spoil: (write: Write, ...args: Parameters<Write>) => Promise<WriteResult>): NodeFiles {
  return {
    ...fs,
    open: async (...args) => {
      const handle = await fs.open(...args);
      const write = handle.write.bind(handle) as unknown as Write;
      return Object.assign(handle, { write: (...rest: Parameters<Write>) => spoil(write, ...rest) });
    },
  };
}

const fault = (code: string) => Object.assign(new Error(code), { code });

describe("a recording in a folder", () => {
  test("holds what was appended, in order, with nothing else left in the folder after closing", async () => {
    const sink = await new NodeRecordStore(folder).create(NAME);
    await Promise.all([sink.append("one\n"), sink.append("two\n"), sink.append("three\n")]);
    expect(await onDisk()).toBe("one\ntwo\nthree\n");
    await sink.close();
    expect(await readdir(folder)).toEqual([NAME]);
  });

  test("does not exist before its first append, and leaves nothing when closed before it", async () => {
    const store = new NodeRecordStore(folder);
    const sink = await store.create(NAME);
    expect(await store.list()).toEqual([]);
    await sink.close();
    expect(await readdir(folder)).toEqual([]);
  });

  test("is never started over one that exists", async () => {
    const store = new NodeRecordStore(folder);
    await writeFile(join(folder, NAME), "old\n");
    await expect(store.create(NAME)).rejects.toMatchObject({ code: "exists" });
    expect(await onDisk()).toBe("old\n");
    expect(await readdir(folder)).toEqual([NAME]);
  });

  test("does not take the name of a file that appeared before the first append", async () => {
    const sink = await new NodeRecordStore(folder).create(NAME);
    await writeFile(join(folder, NAME), "theirs\n");
    await expect(sink.append("mine\n")).rejects.toMatchObject({ code: "exists" });
    await sink.close();
    expect(await onDisk()).toBe("theirs\n");
    expect(await readdir(folder)).toEqual([NAME]);
  });

  test("takes no more appends after it was closed", async () => {
    const sink = await new NodeRecordStore(folder).create(NAME);
    await sink.append("one\n");
    await sink.close();
    await expect(sink.append("two\n")).rejects.toMatchObject({ code: "other" });
    expect(await onDisk()).toBe("one\n");
  });

  test("survives a system that writes a byte at a time", async () => {
    const files = faulty((write, buffer, offset, _length, position) => write(buffer, offset, 1, position));
    const sink = await new NodeRecordStore(folder, { files }).create(NAME);
    await sink.append("ünïcödé\n");
    await sink.append("two\n");
    await sink.close();
    expect(await onDisk()).toBe("ünïcödé\ntwo\n");
  });

  test.each([
    ["ENOSPC", "disk_full", /disk is full.*free some space/],
    ["EDQUOT", "disk_full", /disk is full/],
    ["EIO", "other", /could not be written.*try again/],
    ["EACCES", "no_permission", /no permission to write/],
  ])("cuts off what %s left of an append, and takes the same text again", async (code, kind, says) => {
    let failing = false;
    const files = faulty(async (write, buffer, offset, length, position) => {
      if (!failing) return write(buffer, offset, length, position);
      if (position < 12) return write(buffer, offset, Math.min(4, length), position);
      throw fault(code);
    });
    const sink = await new NodeRecordStore(folder, { files }).create(NAME);
    await sink.append("line 1\n");
    failing = true;
    const failure = await sink.append("a longer line 2\n").catch((error) => error);
    expect(failure).toMatchObject({ name: "RecordError", code: kind, message: expect.stringMatching(says) });
    expect(await onDisk()).toBe("line 1\n");
    failing = false;
    await sink.append("a longer line 2\n");
    await sink.close();
    expect(await onDisk()).toBe("line 1\na longer line 2\n");
  });

  test("mends a tail that could not even be cut off, before the next append", async () => {
    let failing = false;
    const files: NodeFiles = {
      ...fs,
      open: async (...args) => {
        const handle = await fs.open(...args);
        const write = handle.write.bind(handle) as unknown as Write;
        const truncate = handle.truncate.bind(handle);
        return Object.assign(handle, {
          write: async (...rest: Parameters<Write>) => {
            await write(...rest);
            if (failing) throw fault("EIO");
            return { bytesWritten: rest[2], buffer: rest[0] };
          },
          truncate: (length?: number) => (failing ? Promise.reject(fault("EIO")) : truncate(length)),
        });
      },
    };
    const sink = await new NodeRecordStore(folder, { files }).create(NAME);
    await sink.append("1\n");
    failing = true;
    await expect(sink.append("a very long line\n")).rejects.toThrow();
    failing = false;
    await sink.append("2\n");
    await sink.close();
    expect(await onDisk()).toBe("1\n2\n");
  });

  test("is written anew after a failed sync, since the system may have dropped what it had taken", async () => {
    let failing = false;
    let rewritten = "";
    const files: NodeFiles = {
      ...fs,
      open: async (...args) => {
        const handle = await fs.open(...args);
        const write = handle.write.bind(handle) as unknown as Write;
        return Object.assign(handle, {
          datasync: async () => {
            if (failing) throw fault("EIO");
          },
          write: (...rest: Parameters<Write>) => {
            if (rest[3] === 0) rewritten = Buffer.from(rest[0]).toString();
            return write(...rest);
          },
        });
      },
    };
    const sink = await new NodeRecordStore(folder, { files }).create(NAME);
    await sink.append("1\n");
    await sink.append("2\n");
    failing = true;
    await expect(sink.sync()).rejects.toMatchObject({ name: "RecordError" });
    failing = false;
    await sink.append("3\n");
    expect(rewritten).toBe("1\n2\n");
    await sink.close();
    expect(await onDisk()).toBe("1\n2\n3\n");
  });
});

describe("a folder that is deleted while a run is recorded", () => {
  test("is told at the next append, and comes back with the whole run when tried again", async () => {
    const inner = join(folder, "runs");
    const sink = await new NodeRecordStore(inner).create(NAME);
    await sink.append("1\n");
    await rm(inner, { recursive: true });
    await expect(sink.append("2\n")).rejects.toMatchObject({ code: "gone", message: /is gone; try again to create/ });
    await sink.append("2\n");
    await sink.append("3\n");
    await sink.close();
    expect(await readFile(join(inner, NAME), "utf8")).toBe("1\n2\n3\n");
    expect(await readdir(inner)).toEqual([NAME]);
  });

  test("comes back with the whole run when the run is closed", async () => {
    const inner = join(folder, "runs");
    const sink = await new NodeRecordStore(inner).create(NAME);
    await sink.append("1\n");
    await rm(inner, { recursive: true });
    await sink.close();
    expect(await readFile(join(inner, NAME), "utf8")).toBe("1\n");
  });

  test("does not write over another file that took the place of the recording", async () => {
    const sink = await new NodeRecordStore(folder).create(NAME);
    await sink.append("1\n");
    await rm(join(folder, NAME));
    await writeFile(join(folder, NAME), "theirs\n");
    await expect(sink.append("2\n")).rejects.toMatchObject({ code: "gone", message: /Another file has taken/ });
    await expect(sink.append("2\n")).rejects.toMatchObject({ code: "exists" });
    expect(await onDisk()).toBe("theirs\n");
    await rm(join(folder, NAME));
    await sink.append("2\n");
    await sink.close();
    expect(await onDisk()).toBe("1\n2\n");
  });
});

describe("resuming", () => {
  test("goes on behind the last whole line and sets a torn one aside", async () => {
    await writeFile(join(folder, NAME), "one\ntwo\nthr");
    const { sink, text, torn } = await new NodeRecordStore(folder).resume(NAME);
    expect([text, torn]).toEqual(["one\ntwo\n", "thr"]);
    await sink.append("three\n");
    await sink.close();
    expect(await onDisk()).toBe("one\ntwo\nthree\n");
    expect(await onDisk(`${NAME}.torn`)).toBe("thr\n");
  });

  test("cuts a tail in the middle of a character without harm to what is before", async () => {
    await writeFile(join(folder, NAME), Buffer.concat([Buffer.from("é\n"), Buffer.from("é").subarray(0, 1)]));
    const { sink, text } = await new NodeRecordStore(folder).resume(NAME);
    await sink.append("ö\n");
    await sink.close();
    expect(text).toBe("é\n");
    expect(await onDisk()).toBe("é\nö\n");
  });

  test("adds to what was set aside before and never replaces it", async () => {
    await writeFile(join(folder, `${NAME}.torn`), "first\n");
    await writeFile(join(folder, NAME), "one\nsecond");
    const { sink } = await new NodeRecordStore(folder).resume(NAME);
    await sink.close();
    expect(await onDisk(`${NAME}.torn`)).toBe("first\nsecond\n");
  });

  test("keeps the tail when it cannot be set aside", async () => {
    await writeFile(join(folder, NAME), "one\nsecond");
    const files: NodeFiles = {
      ...fs,
      open: async (...args) => {
        if (String(args[0]).endsWith(".torn")) throw fault("ENOSPC");
        return fs.open(...args);
      },
    };
    await expect(new NodeRecordStore(folder, { files }).resume(NAME)).rejects.toMatchObject({ code: "disk_full" });
    expect(await onDisk()).toBe("one\nsecond");
    expect(await readdir(folder)).toEqual([NAME]);
  });

  test("says so when there is no such recording, and makes no folder for it", async () => {
    const store = new NodeRecordStore(join(folder, "none"));
    await expect(store.resume(NAME)).rejects.toMatchObject({ code: "gone", message: /check the name/ });
    await expect(store.read(NAME)).rejects.toMatchObject({ code: "gone" });
    expect(await readdir(folder)).toEqual([]);
  });
});

describe("two writers", () => {
  const elsewhere = (scope: string, alive: boolean): Liveness => ({
    ...{ scope, token: "other" },
    isAlive: async () => alive,
  });

  test("never write one recording: the second is told, and may once the first is done", async () => {
    const first = await new NodeRecordStore(folder).create(NAME);
    await first.append("1\n");
    const second = new NodeRecordStore(folder);
    await expect(second.resume(NAME)).rejects.toMatchObject({ code: "busy", message: /Another window/ });
    await expect(second.remove(NAME)).rejects.toMatchObject({ code: "busy" });
    await first.append("2\n");
    await first.close();
    const { sink, text } = await second.resume(NAME);
    expect(text).toBe("1\n2\n");
    await sink.close();
  });

  test("that come at once are never both let in", async () => {
    await writeFile(join(folder, NAME), "1\n");
    for (let round = 0; round < 20; round++) {
      const tries = [1, 2, 3].map(() => new NodeRecordStore(folder).resume(NAME));
      const let_in = (await Promise.allSettled(tries)).flatMap((each) =>
        each.status === "fulfilled" ? [each.value] : [],
      );
      expect(let_in.length).toBeLessThanOrEqual(1);
      for (const { sink } of let_in) await sink.close();
    }
  });

  test("a dead writer's claim is taken over", async () => {
    const dead = new NodeRecordStore(folder, { liveness: elsewhere("here", false) });
    const left = await dead.create(NAME);
    await left.append("1\n");
    const { sink, text } = await new NodeRecordStore(folder, { liveness: elsewhere("here", false) }).resume(NAME);
    expect(text).toBe("1\n");
    await sink.close();
    expect((await readdir(folder)).filter((file) => file.endsWith(".lock"))).toEqual([]);
    await left.close();
  });

  test("a writer on another machine counts as alive while it leaves signs of life", async () => {
    const there = await new NodeRecordStore(folder, { liveness: elsewhere("there", false) }).create(NAME);
    await there.append("1\n");
    const here = new NodeRecordStore(folder, { liveness: elsewhere("here", false) });
    await expect(here.resume(NAME)).rejects.toMatchObject({ code: "busy" });
    await there.close();
    const lock = `${NAME}.0123456789ab.lock`;
    const longAgo = { scope: "there", token: "other", at: Date.now() - 3_600_000 };
    await writeFile(join(folder, lock), JSON.stringify(longAgo));
    await (await here.resume(NAME)).sink.close();
    expect(await readdir(folder)).not.toContain(lock);
  });

  test("a claim that was cut off while it was written holds nobody up", async () => {
    await writeFile(join(folder, NAME), "1\n");
    await writeFile(join(folder, `${NAME}.0123456789ab.lock`), '{"scope":"pro');
    await (await new NodeRecordStore(folder).resume(NAME)).sink.close();
    expect(await readdir(folder)).toEqual([NAME]);
  });
});

describe("the folder", () => {
  test("is made with those above it, once, whoever asks", async () => {
    const deep = join(folder, "a", "b", "c");
    const stores = [new NodeRecordStore(deep), new NodeRecordStore(deep)];
    const sinks = await Promise.all(stores.map((store, i) => store.create(`${i}-${NAME}`)));
    await Promise.all(sinks.map((sink) => sink.close()));
    expect((await fs.stat(deep)).isDirectory()).toBe(true);
  });

  test("that stands where a file is, or in a folder that takes none, is refused in one sentence", async () => {
    await writeFile(join(folder, "file"), "x");
    const refused = { code: "gone", message: expect.stringContaining("cannot be made there; choose another one.") };
    await expect(new NodeRecordStore(join(folder, "file", "runs")).create(NAME)).rejects.toMatchObject(refused);
    // As under /proc: the folder above is there and says "not found" of new ones. A recursive mkdir asks for ever.
    const mkdir = (() => Promise.reject(fault("ENOENT"))) as unknown as NodeFiles["mkdir"];
    const files: NodeFiles = { ...fs, mkdir };
    await expect(new NodeRecordStore(join(folder, "x", "y"), { files }).create(NAME)).rejects.toMatchObject(refused);
  });

  test("lists whole recordings newest first, and nothing else", async () => {
    const store = new NodeRecordStore(folder);
    const other = "2026-01-03-alerts-cd.firedrill.jsonl";
    await writeFile(join(folder, NAME), "1\n");
    await writeFile(join(folder, other), "22\n");
    await fs.utimes(join(folder, NAME), 2000, 2000);
    await fs.utimes(join(folder, other), 1000, 1000);
    await writeFile(join(folder, "notes.txt"), "x");
    await writeFile(join(folder, `${NAME}.torn`), "x");
    await fs.mkdir(join(folder, "folder.firedrill.jsonl"));
    const found = await store.list();
    expect(found.map(({ name, bytes, modified }) => [name, bytes, modified])).toEqual([
      [NAME, 2, 2_000_000],
      [other, 3, 1_000_000],
    ]);
    await store.remove(NAME);
    expect((await readdir(folder)).sort()).toEqual([other, "folder.firedrill.jsonl", "notes.txt"]);
  });

  test("may not be left by a name", async () => {
    const store = new NodeRecordStore(join(folder, "runs"));
    for (const name of ["../x.firedrill.jsonl", "a/b", "", ".."])
      await expect(store.create(name)).rejects.toMatchObject({ name: "RecordError" });
  });

  test("that is a file is refused in one sentence", async () => {
    await writeFile(join(folder, "runs"), "");
    await expect(new NodeRecordStore(join(folder, "runs")).create(NAME)).rejects.toMatchObject({ name: "RecordError" });
  });

  test("is swept of what never got its first line", async () => {
    await writeFile(join(folder, `${NAME}.0123456789ab.new`), "half a li");
    const sink = await new NodeRecordStore(folder).create("2026-01-03-alerts-cd.firedrill.jsonl");
    await sink.close();
    expect(await readdir(folder)).toEqual([]);
  });

  test.runIf(process.platform === "linux")("a full device is a full disk, and stays", async () => {
    const store = new NodeRecordStore("/dev");
    const sink = await store.create("full");
    await expect(sink.append("1\n")).rejects.toMatchObject({ code: "disk_full" });
    await sink.close();
    await store.remove("full");
    expect((await fs.stat("/dev/full")).isCharacterDevice()).toBe(true);
  });
});
