import { beforeEach, describe, expect, test } from "vitest";
import type { Action } from "../../../src/core/action";
import { RecordError, type RecordSink } from "../../../src/core/recorder";
import { replay } from "../../../src/core/replay";
import { Session, type SessionEvent, type SessionOptions } from "../../../src/core/session";
import { observations, readTrajectory, TrajectoryEncoder } from "../../../src/core/trajectory";
import { wordsWorld } from "../../words-world";

const say = (text: string): Action => ({ name: "say", args: { text } });
const stop: Action = { name: "stop", args: {} };

/** A sink that fails on demand. */
class FlakySink implements RecordSink {
  readonly location = "here";
  text = "";
  failing = false;
  closed = 0;

  async append(text: string): Promise<void> {
    await Promise.resolve();
    if (this.failing) throw new RecordError("The disk is full.", "disk_full");
    this.text += text;
  }

  async sync(): Promise<void> {}

  async close(): Promise<void> {
    this.closed++;
    if (this.failing) throw new RecordError("The disk is full.", "disk_full");
  }
}

let sink: FlakySink;
let events: SessionEvent[];

function open(options: Partial<SessionOptions> = {}): Session {
  const session = new Session(wordsWorld.open("words", 3), { sink, ...options });
  session.subscribe((event) => events.push(event));
  return session;
}

const recorded = () => readTrajectory(sink.text);
const shownSteps = () => events.filter((event) => event.type === "observed").length;

beforeEach(() => {
  events = [];
  sink = new FlakySink();
  sink.text = new TrajectoryEncoder().episode({
    ...{
      run: "r1",
      version: "0.1.0",
      content_hash: wordsWorld.contentHash("words"),
      world: "alerts",
      scenario: "words",
    },
    ...{ title: "Words", seed: 3, options: {}, rubric: "strict", split: "train", opened_by: "human" },
    wall_opened_at: "2026-01-01T00:00:00Z",
  });
});

describe("a step", () => {
  test("is in the recording before anybody sees it", async () => {
    const session = open();
    session.subscribe((event) => {
      if (event.type === "observed") expect(recorded().steps).toHaveLength(event.observation.step);
    });
    await session.act(say("a"), "human");
    await session.act(say("b"), "human");
    expect(shownSteps()).toBe(2);
  });

  test("is taken one after the other when several come at once", async () => {
    const session = open();
    const outcomes = await Promise.all(["a", "b", "c"].map((text) => session.act(say(text), "human")));
    expect(outcomes.map(({ observation }) => observation.step)).toEqual([1, 2, 3]);
    expect(recorded().steps.map((step) => step.action.args.text)).toEqual(["a", "b", "c"]);
  });

  test("that cannot be recorded is not shown, and is written first when it can", async () => {
    const session = open();
    await session.act(say("a"), "human");
    sink.failing = true;
    await expect(session.act(say("b"), "human")).rejects.toBeInstanceOf(RecordError);
    expect([session.observation.step, session.steps.length, shownSteps()]).toEqual([1, 1, 1]);
    await expect(session.act(say("c"), "human")).rejects.toBeInstanceOf(RecordError);
    sink.failing = false;
    await session.flush();
    expect([session.observation.step, session.steps.length, shownSteps()]).toEqual([2, 2, 2]);
    await session.act(say("d"), "human");
    expect(recorded().steps.map((step) => step.action.args.text)).toEqual(["a", "b", "d"]);
    expect(events.filter((event) => event.type === "recording").map((event) => event.error)).toEqual([
      "The disk is full.",
      "The disk is full.",
      null,
    ]);
    expect(replay(wordsWorld, recorded())).toMatchObject({ identical: true, steps: 3 });
  });

  test("that ends the episode and cannot be recorded ends it when it can, and lets go of the recording once", async () => {
    const session = open();
    await session.act(say("a"), "human");
    sink.failing = true;
    await expect(session.act(stop, "human")).rejects.toBeInstanceOf(RecordError);
    expect([session.grade, session.isOver, sink.closed]).toEqual([null, false, 0]);
    sink.failing = false;
    await session.flush();
    expect(session.grade?.strict).toBe(1);
    expect(sink.closed).toBe(1);
    expect(recorded().end?.type).toBe("grade");
    expect(await session.act(say("b"), "human")).toMatchObject({ done: true, problem: { code: "episode_over" } });
    expect(recorded().steps).toHaveLength(2);
  });

  test("stays safe when closing the recording behind it fails", async () => {
    const session = open();
    sink.close = () => Promise.reject(new RecordError("The disk is full.", "disk_full"));
    expect(await session.act(stop, "human")).toMatchObject({ done: true });
    expect(session.grade?.strict).toBe(0);
    expect(events.at(-1)).toEqual({ type: "recording", error: "The disk is full." });
  });

  test("is not undone by a subscriber that throws", async () => {
    const errors: unknown[] = [];
    const session = open({ onListenerError: (error) => errors.push(error) });
    const broken = new Error("broken");
    session.subscribe(() => {
      throw broken;
    });
    expect(await session.act(stop, "human")).toMatchObject({ done: true });
    expect(session.grade).not.toBeNull();
    // One for the observation, one for the end.
    expect(errors).toEqual([broken, broken]);
    expect(recorded().end?.type).toBe("grade");
  });
});

describe("an action that JSON changes", () => {
  test("reaches the world as the recording holds it, so that it replays", async () => {
    const session = open();
    const hostile = JSON.parse('{"text":"x","__proto__":{"text":"y"}}');
    await session.act({ name: "say", args: { text: Number.NaN } }, "human");
    await session.act({ name: "say", args: { text: undefined } }, "human");
    await session.act({ name: "say", args: hostile }, "human");
    await session.act({ name: "say", args: ["x"] as never }, "human");
    await session.act(stop, "human");
    expect(replay(wordsWorld, recorded())).toMatchObject({ identical: true, steps: 5 });
  });

  test("or that JSON cannot write is refused with a problem, and costs nothing", async () => {
    const session = open();
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    for (const args of [circle, { text: 1n }])
      expect(await session.act({ name: "say", args }, "human")).toMatchObject({
        observation: { step: 0 },
        problem: { code: "invalid_arguments" },
      });
    expect(recorded().steps).toEqual([]);
  });
});

describe("text that recordings find hard", () => {
  const hard = [
    "\ud83d lone \udca9 surrogates",
    "NUL \u0000 and controls \u0001\u001f\u007f",
    "line ends \n \r\n \r \u2028 \u2029 \u0085",
    "\ufeffmark",
    '"quotes" \\ back\\\\slash',
    "é".repeat(200_000),
    "",
  ];

  test("survives the round trip through bytes", async () => {
    const session = open();
    for (const text of hard) await session.act(say(text), "human", { reasoning: text });
    await session.note(hard.join(""));
    await session.act(stop, "human");
    const bytes = new TextEncoder().encode(sink.text);
    const trajectory = readTrajectory(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
    expect(trajectory.steps.slice(0, -1).map((step) => step.action.args.text)).toEqual(hard);
    expect(trajectory.steps.slice(0, -1).map((step) => step.reasoning)).toEqual(hard);
    expect(trajectory.notes[0]?.text).toBe(hard.join(""));
    expect(replay(wordsWorld, trajectory)).toMatchObject({ identical: true });
    expect(observations(trajectory).at(-1)).toEqual(session.observation);
  });
});

describe("an ending", () => {
  test("that could not be written can be tried again, and the run played on all the same", async () => {
    const session = open();
    await session.act(say("a"), "human");
    sink.failing = true;
    await expect(session.abandon("tired")).rejects.toBeInstanceOf(RecordError);
    sink.failing = false;
    await session.act(say("b"), "human");
    await session.abandon("tired");
    const trajectory = recorded();
    expect(trajectory.end).toMatchObject({ type: "abandoned", reason: "tired" });
    expect(trajectory.raw).toHaveLength(4);
    expect(observations(trajectory).map((each) => each.step)).toEqual([0, 1, 2]);
    expect(sink.closed).toBe(1);
  });

  test("of a run that has ended already does nothing", async () => {
    const session = open();
    await session.act(stop, "human");
    const { text } = sink;
    await session.abandon("late");
    await session.suspend();
    await session.note("late");
    expect(sink.text).toBe(text);
  });

  test("by suspending writes what waits, or says that it cannot", async () => {
    const session = open();
    sink.failing = true;
    await expect(session.act(say("a"), "human")).rejects.toThrow();
    await expect(session.suspend()).rejects.toBeInstanceOf(RecordError);
    expect(session.isOver).toBe(false);
    sink.failing = false;
    await session.suspend();
    expect(recorded().steps).toHaveLength(1);
    expect(sink.closed).toBe(1);
  });

  test("by suspending may drop a step that nobody saw", async () => {
    const session = open();
    await session.act(say("a"), "human");
    sink.append = () => Promise.reject(new RecordError("The disk is full.", "disk_full"));
    await expect(session.act(say("b"), "human")).rejects.toThrow();
    await session.suspend("drop unwritten");
    expect(session.isOver).toBe(true);
    expect(recorded().steps).toHaveLength(1);
  });
});

describe("hindsight", () => {
  test("is set by a person's act after the grade was shown, and by nobody else's", async () => {
    let knows = false;
    const session = open({ knewGrade: () => knows });
    await session.act(say("a"), "human");
    knows = true;
    await session.act(say("b"), "policy:rules");
    await session.act(say("c"), "model:m");
    expect(session.isHindsight).toBe(false);
    await session.act(say("d"), "human");
    expect(session.isHindsight).toBe(true);
    knows = false;
    await session.act(stop, "policy:rules");
    expect(recorded().steps.map((step) => step.hindsight)).toEqual([undefined, undefined, undefined, true, undefined]);
    expect(recorded().end).toMatchObject({ hindsight: true });
    expect(replay(wordsWorld, recorded())).toMatchObject({ identical: true });
  });
});
