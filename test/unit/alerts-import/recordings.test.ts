/** Recordings of imported scenarios: what they hold, and what going on with them takes. */
import { describe, expect, it } from "vitest";
import { regrade } from "../../../src/core/regrade";
import { replay, replayText } from "../../../src/core/replay";
import { forkRun, gradeKey, resumeRun, startRun } from "../../../src/core/runs";
import { giveScenario, MissingScenario, sourceOf, wholeSource } from "../../../src/core/scenario-source";
import { readTrajectory } from "../../../src/core/trajectory";
import { ScenarioError } from "../../../src/core/world";
import { MemoryRecordStore } from "../../../src/storage/memory-store";
import { readScenario, writeScenario } from "../../../src/worlds/alerts/import";
import { context, find, GIVE_UP, GROUP, kiln, LOOK, played, world } from "./kiln";
import { errorOf, SALT } from "./payloads";

type Fields = Record<string, unknown>;

/** The text of a run's recording. */
async function textOf(store: MemoryRecordStore, ...actions: Parameters<typeof played>[2][]): Promise<string> {
  const { name } = await played(store, kiln(), ...actions);
  return store.read(name as string);
}

/** A store on another machine: it has the recording and nothing else. */
function elsewhere(text: string): MemoryRecordStore {
  const store = new MemoryRecordStore();
  store.put("moved.firedrill.jsonl", text);
  return store;
}

async function rejection(work: Promise<unknown>): Promise<Error> {
  return work.then(
    () => {
      throw new Error("The work should have failed.");
    },
    (error) => error as Error,
  );
}

/** The recording with one field of a line changed. */
function edited(text: string, line: number, change: (fields: Fields) => void): string {
  const lines = text.split("\n");
  const fields = JSON.parse(lines.at(line) as string) as Fields;
  change(fields);
  lines[line < 0 ? lines.length + line : line] = JSON.stringify(fields);
  return lines.join("\n");
}

describe("a finished recording of an imported scenario", () => {
  it("replays and regrades alone, wherever it is moved", async () => {
    const text = await textOf(new MemoryRecordStore(), LOOK, GROUP, GIVE_UP);
    const trajectory = readTrajectory(text);
    expect(replayText(find, text)).toEqual({ identical: true, steps: 3 });
    expect(replay(world, trajectory)).toEqual({ identical: true, steps: 3 });
    const { before, after } = regrade(world, trajectory, "strict");
    expect(before).not.toBeNull();
    expect(after).toBe(before);
    expect(sourceOf(trajectory)).toEqual(kiln());
  });

  it("whose answers were changed is refused by its seal, in replay and in regrading", async () => {
    const text = await textOf(new MemoryRecordStore(), GIVE_UP);
    const forged = edited(text, -2, (line) => {
      line.scenario_truth = kiln({ disposition: "escalated" }).truth;
    });
    const said = /answers in the recording are not those that its first line is sealed with/;
    expect(replayText(find, forged)).toMatchObject({ identical: false, firstDifference: expect.stringMatching(said) });
    expect(errorOf(() => regrade(world, readTrajectory(forged), "strict"))).toMatchObject({
      name: "ScenarioError",
      message: expect.stringMatching(said),
    });
  });

  it("that lost its answers does not pass for identical", async () => {
    const text = await textOf(new MemoryRecordStore(), GIVE_UP);
    const robbed = edited(text, -2, (line) => {
      line.scenario_truth = undefined;
    });
    expect(replayText(find, robbed)).toMatchObject({
      identical: false,
      firstDifference: expect.stringMatching(/^Grade/),
    });
  });

  it("can be forked on another machine, and the fork goes on there", async () => {
    const store = elsewhere("");
    const parent = readTrajectory(await textOf(new MemoryRecordStore(), LOOK, GROUP, GIVE_UP));
    const fork = await forkRun(world, parent, 2, context(store));
    await fork.session.suspend();
    const { session } = await resumeRun(find, fork.name as string, { store });
    await session.act(GIVE_UP, "human");
    expect(replayText(find, await store.read(fork.name as string))).toEqual({ identical: true, steps: 3 });
  });
});

describe("an unfinished recording of an imported scenario", () => {
  it("replays every step without the answers, left or cut off", async () => {
    const text = await textOf(new MemoryRecordStore(), LOOK, GROUP);
    expect(replayText(find, text)).toEqual({ identical: true, steps: 2 });
    expect(replay(world, readTrajectory(text))).toEqual({ identical: true, steps: 2 });
    expect(sourceOf(readTrajectory(text))).toEqual({ ...kiln(), truth: null });
    const store = new MemoryRecordStore();
    const { session, name } = await startRun(world, kiln(), 0, context(store));
    await session.act(LOOK, "human");
    await session.abandon("lunch");
    expect(replayText(find, await store.read(name as string))).toEqual({ identical: true, steps: 1 });
  });

  it("goes on with the copy beside it, and the whole replays as one", async () => {
    const store = new MemoryRecordStore();
    const { name } = await played(store, kiln(), LOOK);
    const { session } = await resumeRun(find, name as string, { store });
    await session.act(GROUP, "human");
    await session.act(GIVE_UP, "human");
    const text = await store.read(name as string);
    expect(replayText(find, text)).toEqual({ identical: true, steps: 3 });
    expect(readTrajectory(text).end).toMatchObject({ type: "grade", scenario_truth: kiln().truth });
  });

  it("that lost its grade to a crash is graded when it is resumed", async () => {
    const store = new MemoryRecordStore();
    const { name } = await played(store, kiln(), GIVE_UP);
    const lines = (await store.read(name as string)).split("\n");
    const torn = lines.slice(0, -2).join("\n");
    store.put(name as string, `${torn}\n${lines.at(-2)?.slice(0, 60)}`);
    const { session } = await resumeRun(find, name as string, { store });
    expect(session.isOver).toBe(true);
    expect(await store.read(name as string)).toBe(lines.join("\n"));
  });

  it("moved without the copy asks for the file by title and hash, stays as it was, and goes on once it is given", async () => {
    const text = await textOf(new MemoryRecordStore(), LOOK);
    const store = elsewhere(text);
    const hash = world.contentHash(kiln());
    for (const missing of [
      await rejection(resumeRun(find, "moved.firedrill.jsonl", { store })),
      await rejection(forkRun(world, readTrajectory(text), 1, context(store))),
      await rejection(wholeSource(world, readTrajectory(text), null)),
    ]) {
      expect(missing).toBeInstanceOf(MissingScenario);
      expect(missing.message).toBe(
        `The run's scenario file (“A queue”, content ${hash.slice(0, 8)}) is not kept beside its recording; give that file.`,
      );
      expect(missing).toMatchObject({ wanted: { title: "A queue", hash: hash.slice(0, 8) } });
    }
    expect(await store.read("moved.firedrill.jsonl")).toBe(text);
    const { episode } = readTrajectory(text);
    await giveScenario(world, episode, writeScenario(kiln()), store);
    const { session } = await resumeRun(find, "moved.firedrill.jsonl", { store });
    await session.act(GIVE_UP, "human");
    expect(replayText(find, await store.read("moved.firedrill.jsonl"))).toEqual({ identical: true, steps: 2 });
  });

  it("whose author or sender put control characters into the title is still asked for in one line", async () => {
    const text = await textOf(new MemoryRecordStore(), LOOK);
    const hostile = edited(text, 0, (line) => {
      (line.scenario_file as { info: Fields }).info.title = `\u001b[2J\n${"x".repeat(300)}`;
    });
    const { message } = await rejection(wholeSource(world, readTrajectory(hostile), null));
    expect(message).toMatch(/^The run's scenario file \(“ \[2J x{74}…”, content/);
  });

  it.each<[string, string, RegExp]>([
    ["other answers", writeScenario(kiln({ disposition: "escalated" })), /not the sealed answers it was started with/],
    ["another salt", writeScenario(kiln({}, "f".repeat(32))), /not the sealed answers it was started with/],
    ["another title", writeScenario(kiln({ title: "Glaze" })), /of another scenario \(“Glaze”\)/],
    ["something else in it", "{}", /not a scenario file/],
  ])("takes no file with %s", async (_what, file, said) => {
    const text = await textOf(new MemoryRecordStore(), LOOK);
    const store = elsewhere(text);
    const error = await rejection(giveScenario(world, readTrajectory(text).episode, file, store));
    expect(error).toBeInstanceOf(ScenarioError);
    expect(error.message).toMatch(said);
    expect([...store.copies]).toEqual([]);
  });

  it.each<[string, (copy: string) => string]>([
    ["changed answers", () => writeScenario(kiln({ disposition: "escalated" }))],
    ["a changed title", (copy) => copy.replace("A queue", "B queue")],
    ["half of it gone", (copy) => copy.slice(0, copy.length / 2)],
    ["nothing in it", () => ""],
  ])("refuses a copy with %s, and takes the right file in its place", async (_what, change) => {
    const store = new MemoryRecordStore();
    const { name, episode } = await played(store, kiln(), LOOK);
    const [[file, copy] = ["", ""]] = [...store.copies];
    store.copies.set(file, change(copy));
    const error = await rejection(resumeRun(find, name as string, { store }));
    expect(error).toBeInstanceOf(MissingScenario);
    expect(error.message).toMatch(
      /has been changed or damaged where it is kept beside its recording; give that file\.$/,
    );
    await giveScenario(world, episode, writeScenario(kiln()), store);
    await (await resumeRun(find, name as string, { store })).session.suspend();
    expect(store.copies.get(file)).toBe(copy);
  });

  it("finds its copy again although the folder of the copies was deleted while it ran", async () => {
    const store = new MemoryRecordStore();
    const run = await startRun(world, kiln(), 0, context(store));
    await run.session.act(LOOK, "human");
    store.copies.clear();
    await run.session.suspend();
    await (await resumeRun(find, run.name as string, { store })).session.suspend();
  });

  it("records its steps although its copy cannot be kept any more, once it has begun", async () => {
    const store = new MemoryRecordStore();
    const create = store.create.bind(store);
    let failing = false;
    store.create = async (name) => {
      const sink = await create(name);
      const append = (text: string) => (failing ? Promise.reject(new Error("full")) : sink.append(text));
      return { ...sink, append };
    };
    const { session, name } = await startRun(world, kiln(), 0, context(store));
    store.scenarios.keep = () => Promise.reject(new Error("full"));
    failing = true;
    await expect(session.act(LOOK, "human")).rejects.toThrow("full");
    failing = false;
    await session.flush();
    await session.suspend();
    expect(readTrajectory(await store.read(name as string)).steps).toHaveLength(1);
  });

  it("looks for no copy under a name that is no hash, whatever its first line says", async () => {
    const text = await textOf(new MemoryRecordStore(), LOOK);
    const line = edited(text, 0, (fields) => {
      fields.content_hash = "../../secret";
    });
    const found = wholeSource(world, readTrajectory(line), elsewhere(line));
    expect(await rejection(found)).toBeInstanceOf(MissingScenario);
  });
});

describe("starting a run of an imported scenario", () => {
  it("keeps one copy for any number of runs, under the hash of what they play", async () => {
    const store = new MemoryRecordStore();
    await Promise.all([played(store, kiln(), LOOK), played(store, kiln(), GIVE_UP)]);
    const [[name, copy] = ["", ""], ...others] = [...store.copies];
    expect(others).toEqual([]);
    expect(name).toBe(`${world.contentHash(kiln())}.firedrill-scenario.json`);
    expect(copy).toBe(writeScenario(kiln()));
  });

  it("leaves no recording where the copy cannot be kept, and none is begun without the answers", async () => {
    const store = new MemoryRecordStore();
    const whole = store.scenarios.keep;
    store.scenarios.keep = () => Promise.reject(new Error("full"));
    expect((await rejection(startRun(world, kiln(), 0, context(store)))).message).toBe("full");
    store.scenarios.keep = whole;
    const error = await rejection(startRun(world, { ...kiln(), truth: null }, 0, context(store)));
    expect(error).toBeInstanceOf(ScenarioError);
    expect(await store.list()).toEqual([]);
  });

  it("knows that the same alerts were debriefed before, whatever their answers and salt are now", async () => {
    const key = async (file: ReturnType<typeof kiln>) =>
      gradeKey((await startRun(world, file, 0, context(null))).episode);
    expect(await key(kiln())).toBe(await key(kiln({ disposition: "escalated" }, "f".repeat(32))));
    expect(await key(kiln())).not.toBe(await key(kiln({ title: "Other alerts" })));
  });
});

describe("a file written by hand without a salt", () => {
  const { truth, ...rest } = JSON.parse(writeScenario(kiln())) as Fields & { truth: string };
  const answers = JSON.parse(Buffer.from(truth, "base64").toString()) as Fields;
  const { salt: _, ...bare } = answers;
  const unsalted = JSON.stringify({ ...rest, truth: bare });

  it("opens, gets the salt that is drawn for it, and its runs go on with their copy", async () => {
    const file = readScenario(unsalted, "e".repeat(32));
    expect(file).toEqual(kiln({}, "e".repeat(32)));
    const store = new MemoryRecordStore();
    const { name, episode } = await played(store, file, LOOK);
    // The hand-written file alone cannot show that its answers are those of the run.
    expect((await rejection(giveScenario(world, episode, unsalted, store))).message).toMatch(
      /copy kept where the run began/,
    );
    const { session } = await resumeRun(find, name as string, { store });
    await session.act(GIVE_UP, "human");
    expect(replayText(find, await store.read(name as string))).toEqual({ identical: true, steps: 2 });
  });

  it("may be given a salt of its own, but no short one", () => {
    expect(readScenario(JSON.stringify({ ...rest, truth: { ...bare, salt: SALT } }), "f".repeat(32))).toEqual(kiln());
    const short = JSON.stringify({ ...rest, truth: { ...bare, salt: "7" } });
    expect(errorOf(() => readScenario(short, SALT)).message).toMatch(
      /at \/truth\/salt: A salt has 32 to 128 hexadecimal digits/,
    );
  });
});
