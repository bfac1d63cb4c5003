import { beforeEach, describe, expect, test } from "vitest";
import { regrade } from "../../../src/core/regrade";
import { replay } from "../../../src/core/replay";
import { forkRun, gradeKey, type RunContext, resumeRun, startRun } from "../../../src/core/runs";
import { readTrajectory } from "../../../src/core/trajectory";
import type { World } from "../../../src/core/world";
import { MemoryRecordStore } from "../../../src/storage/memory-store";
import { summarise } from "../../../src/storage/run-summary";
import { wordsWorld } from "../../words-world";

let store: MemoryRecordStore;
let ids: number;

beforeEach(() => {
  store = new MemoryRecordStore();
  ids = 0;
});

function context(more: Partial<RunContext> = {}): RunContext {
  return { store, openedBy: "human", now: "2026-03-04T05:06:07.000Z", id: `run${ids++}`, ...more };
}

const say = (text: string) => ({ name: "say", args: { text } });
const stop = { name: "stop", args: {} };
const find = (): World => wordsWorld;

async function played(...texts: string[]): Promise<string> {
  const { session, name } = await startRun(wordsWorld, "words", 0, context());
  for (const text of texts) await session.act(say(text), "human");
  await session.suspend();
  return name as string;
}

describe("starting a run", () => {
  test("writes the episode line and names the file by date, world and id", async () => {
    const { name, episode } = await startRun(wordsWorld, "words", 0, context());
    expect(name).toBe("2026-03-04-alerts-run0.firedrill.jsonl");
    expect(readTrajectory(await store.read(name as string)).episode).toEqual(episode);
    expect(episode).toMatchObject({ seed: 0, opened_by: "human", rubric: "strict", scenario: "words" });
  });

  test("leaves nothing behind when the first line cannot be written", async () => {
    const create = store.create.bind(store);
    store.create = async (name) =>
      Object.assign(await create(name), { append: () => Promise.reject(new Error("full")) });
    await expect(startRun(wordsWorld, "words", 0, context())).rejects.toThrow("full");
    expect(await store.list()).toEqual([]);
  });

  test("keeps nothing where there is no store", async () => {
    const { session, name } = await startRun(wordsWorld, "words", 0, context({ store: null }));
    expect(name).toBeNull();
    expect(await session.act(stop, "human")).toMatchObject({ done: true });
  });
});

describe("resuming a run", () => {
  test("goes on where it was, and the whole replays as one", async () => {
    const name = await played("a", "b");
    const { session } = await resumeRun(find, name, { store });
    expect([session.observation.step, session.steps.length]).toEqual([2, 2]);
    await session.act(say("c"), "human");
    await session.act(stop, "human");
    const trajectory = readTrajectory(await store.read(name));
    expect(trajectory.steps).toHaveLength(4);
    expect(replay(wordsWorld, trajectory)).toEqual({ identical: true, steps: 4 });
  });

  test("goes on after it was abandoned", async () => {
    const name = await played("a");
    const left = await resumeRun(find, name, { store });
    await left.session.abandon("lunch");
    expect(summarise(await store.read(name)).status).toBe("abandoned");
    const { session } = await resumeRun(find, name, { store });
    await session.act(say("b"), "human");
    await session.act(stop, "human");
    expect(replay(wordsWorld, readTrajectory(await store.read(name)))).toEqual({ identical: true, steps: 3 });
  });

  test("reports a torn line and takes the steps before it", async () => {
    const name = await played("a", "b");
    const text = await store.read(name);
    store.put(name, text.slice(0, -5));
    const { session, torn } = await resumeRun(find, name, { store });
    expect(session.steps).toHaveLength(1);
    expect(text.slice(0, -5).endsWith(torn) && torn.length > 0).toBe(true);
  });

  test("writes the grade that a crash cut off after the last step", async () => {
    const { session, name } = await startRun(wordsWorld, "words", 0, context());
    await session.act(say("a"), "human");
    await session.act(stop, "human");
    const whole = await store.read(name as string);
    store.put(name as string, whole.slice(0, whole.lastIndexOf("\n", whole.length - 2) + 20));
    const again = await resumeRun(find, name as string, { store });
    expect(again.session.grade?.strict).toBe(1);
    expect(await store.read(name as string)).toBe(whole);
  });

  test("is refused for a finished run, another content and an unknown world, and lets go of the file", async () => {
    const name = await played("a");
    const other = { ...wordsWorld, contentHash: () => "ffffffffffffffff" };
    await expect(resumeRun(() => other, name, { store })).rejects.toThrow(/scenario has changed/);
    await expect(resumeRun(() => undefined, name, { store })).rejects.toThrow(/no world "alerts"/);
    const { session } = await resumeRun(find, name, { store });
    await session.act(stop, "human");
    await expect(resumeRun(find, name, { store })).rejects.toThrow(/finished/);
  });

  test("is refused where this version shows something else than the recording", async () => {
    const name = await played("a", "b");
    const text = await store.read(name);
    store.put(name, text.replace('"args":{"text":"a"}', '"args":{"text":"z"}'));
    await expect(resumeRun(find, name, { store })).rejects.toThrow(/at step 1 this version shows something else/);
  });

  test("remembers hindsight", async () => {
    const shown = new Set<string>();
    const first = await startRun(wordsWorld, "words", 0, context({ shownGrades: shown }));
    await first.session.act(stop, "human");
    expect([...shown]).toEqual([gradeKey(first.episode)]);
    const second = await startRun(wordsWorld, "words", 0, context({ shownGrades: shown }));
    await second.session.act(say("a"), "human");
    await second.session.suspend();
    const { session } = await resumeRun(find, second.name as string, { store });
    await session.act(stop, "policy:rules");
    expect(summarise(await store.read(second.name as string)).hindsight).toBe(true);
    const fresh = await startRun(wordsWorld, "words", 1, context({ shownGrades: shown }));
    await fresh.session.act(stop, "human");
    expect(summarise(await store.read(fresh.name as string)).hindsight).toBe(false);
  });
});

describe("forking a run", () => {
  test("copies the steps before the fork into a new file that names its parent", async () => {
    const name = await played("a", "b", "c");
    const parent = readTrajectory(await store.read(name));
    const { session, name: forked } = await forkRun(wordsWorld, parent, 2, context());
    expect(session.observation.step).toBe(2);
    await session.act(say("other"), "human");
    await session.act(stop, "human");
    const child = readTrajectory(await store.read(forked as string));
    expect(child.episode.parent).toEqual({ run: parent.episode.run, step: 2 });
    expect(child.steps.map((step) => step.action.args.text)).toEqual(["a", "b", "other", undefined]);
    expect(child.raw.slice(1, 3)).toEqual(parent.raw.slice(1, 3));
    expect(replay(wordsWorld, child)).toEqual({ identical: true, steps: 4 });
  });

  test("may start at the first step, and goes no further than the run", async () => {
    const parent = readTrajectory(await store.read(await played("a")));
    expect((await forkRun(wordsWorld, parent, 0, context())).session.observation.step).toBe(0);
    for (const step of [-1, 2, 0.5])
      await expect(forkRun(wordsWorld, parent, step, context())).rejects.toBeInstanceOf(RangeError);
  });

  test("behind the end is refused", async () => {
    const { session, name } = await startRun(wordsWorld, "words", 0, context());
    await session.act(stop, "human");
    const parent = readTrajectory(await store.read(name as string));
    await expect(forkRun(wordsWorld, parent, 1, context())).rejects.toThrow(/is over at that point/);
  });
});

describe("summaries and regrading", () => {
  test("a summary tells state, grade and steps from first and last line", async () => {
    const name = await played("a", "b");
    expect(summarise(await store.read(name))).toMatchObject({
      status: "unfinished",
      steps: 2,
      strict: null,
      player: "human",
    });
    const { session } = await resumeRun(find, name, { store });
    await session.act(stop, "human");
    expect(summarise(await store.read(name))).toMatchObject({
      status: "graded",
      steps: 3,
      strict: 1,
      hindsight: false,
    });
  });

  test("a summary of a run of which only the first line is there, or is torn, says unfinished", async () => {
    const name = await played();
    const text = await store.read(name);
    expect(summarise(text)).toMatchObject({ status: "unfinished", steps: 0 });
    expect(summarise(`${text}{"torn`)).toMatchObject({ status: "unfinished", steps: 0 });
    expect(() => summarise("")).toThrow(/not JSON|no complete/);
  });

  test("regrading gives every part before and after", async () => {
    const name = await played("a");
    const { session } = await resumeRun(find, name, { store });
    await session.act(stop, "human");
    const text = await store.read(name);
    const edited = readTrajectory(
      text.replace('"strict":1', '"strict":0.25').replace('"value":1,"reason"', '"value":0.25,"reason"'),
    );
    expect(regrade(wordsWorld, edited, "strict")).toEqual({
      before: 0.25,
      after: 1,
      parts: [{ path: "grade", before: 0.25, after: 1, reason: "something was said" }],
    });
    expect(() => regrade(wordsWorld, edited, "published")).toThrow(/published scenarios only/);
  });

  test("an unfinished run is not regraded", async () => {
    const trajectory = readTrajectory(await store.read(await played("a")));
    expect(() => regrade(wordsWorld, trajectory, "strict")).toThrow(/not finished/);
  });
});
