import { describe, expect, it } from "vitest";
import { RecordError, type RecordSink, type RecordStore } from "../../../src/core/recorder";
import { readTrajectory } from "../../../src/core/trajectory";
import { createOpener } from "../../../src/editor/episode/open-run";
import { ALL_STEPS, type RememberedRun, RunController } from "../../../src/editor/episode/run-controller";
import type { Sleep } from "../../../src/editor/episode/watch";
import { TellUser } from "../../../src/editor/error-door";
import { episodeCalls } from "../../../src/editor/panels/episode-calls";
import { MemoryRecordStore } from "../../../src/storage/memory-store";
import { loadWorld } from "../../../src/worlds/catalogue";

const TRIAGE = { name: "triage", args: { severity: "P3", team: "sre", root_cause: "the disk is full" } };
const GIVE_UP = { name: "give_up", args: {} };
const EASY = { world: "alerts", scenario: "task_easy", seed: 3 };
const HARD = { world: "alerts", scenario: "task_hard", seed: 5 };

/** What a window keeps over a reload. */
class Memory {
  run: RememberedRun | undefined;
  get = () => this.run;
  set = async (run: RememberedRun | undefined) => {
    this.run = run;
  };
}

interface Profile {
  readonly store: RecordStore;
  readonly memory: Memory;
  readonly shown: Set<string>;
}

let ids = 0;

/** A window of the editor over a profile; a reload is another window over the same one. */
function openWindow(profile: Profile, sleep: Sleep = () => Promise.resolve()): RunController {
  const opener = createOpener({
    store: async () => profile.store,
    ports: { now: () => "2026-01-02T03:04:05.000Z", randomId: () => `id${ids++}` },
    shownGrades: profile.shown,
    onListenerError: (error) => {
      throw error;
    },
  });
  return new RunController(
    async () => opener,
    profile.memory,
    () => 0,
    sleep,
  );
}

function newProfile(store: RecordStore = new MemoryRecordStore()): Profile {
  return { store, memory: new Memory(), shown: new Set() };
}

async function starterId(): Promise<string> {
  return (await loadWorld("alerts")).scenarios().find(({ split }) => split === "starter")?.id ?? "";
}

async function stepsOf(store: RecordStore, name: string): Promise<number> {
  return readTrajectory(await store.read(name)).steps.length;
}

/** A store whose recordings are let go of, as a sink must, but say that the last sync failed. */
function unsyncable(store: RecordStore): RecordStore {
  const spoilt = (sink: RecordSink): RecordSink => ({
    location: sink.location,
    append: (text) => sink.append(text),
    sync: () => sink.sync(),
    close: async () => {
      await sink.close();
      throw new RecordError("The disk is full.", "disk_full");
    },
  });
  return {
    create: async (name) => spoilt(await store.create(name)),
    resume: async (name) => {
      const found = await store.resume(name);
      return { ...found, sink: spoilt(found.sink) };
    },
    read: (name) => store.read(name),
    list: () => store.list(),
    remove: (name) => store.remove(name),
    scenarios: store.scenarios,
  };
}

describe("the window's episode", () => {
  it("is suspended, not lost, when another one starts, and goes on where it was", async () => {
    const profile = newProfile();
    const window = openWindow(profile);
    const first = await window.start(EASY);
    await window.act(TRIAGE);
    const second = await window.start(HARD);
    expect(window.current?.name).toBe(second.name);
    expect(first.session.isOver).toBe(true);
    await window.resume(first.name);
    expect(window.current?.session.observation.step).toBe(1);
    expect(await stepsOf(profile.store, first.name)).toBe(1);
  });

  it("goes on after a reload with the first thing that needs it, view and all", async () => {
    const profile = newProfile();
    const before = openWindow(profile);
    const { name } = await before.start(EASY);
    await before.act(TRIAGE);
    before.keepUi({ filter: "cart", selected: ["a01"] });
    await before.suspend();
    const after = openWindow(profile);
    expect(after.remembered).toBe(name);
    const outcome = await after.act(TRIAGE);
    expect(outcome.observation.step).toBe(2);
    expect(after.ui.filter).toBe("cart");
    expect(await stepsOf(profile.store, name)).toBe(2);
  });

  it("is played although the recording of the one before it cannot be synced as it is let go", async () => {
    const profile = newProfile(unsyncable(new MemoryRecordStore()));
    const window = openWindow(profile);
    const first = await window.start(EASY);
    await window.act(TRIAGE);
    const second = await window.start(HARD);
    expect(window.active?.name).toBe(second.name);
    await window.act(TRIAGE);
    expect(await stepsOf(profile.store, first.name)).toBe(1);
    expect(await stepsOf(profile.store, second.name)).toBe(1);
  });

  it("takes no action that was asked for in the episode before it", async () => {
    const profile = newProfile();
    const window = openWindow(profile);
    const first = await window.start(EASY);
    const second = await window.start(HARD);
    await expect(window.act(TRIAGE, first)).rejects.toThrow(/Another episode has begun meanwhile/);
    expect(await stepsOf(profile.store, second.name)).toBe(0);
    expect((await window.act(TRIAGE, second)).observation.step).toBe(1);
  });

  it("answers a panel that asks for a preview after the end, or before any episode, with none", async () => {
    const window = openWindow(newProfile());
    const { preview } = episodeCalls(window, async () => undefined);
    expect(await preview?.(TRIAGE)).toBeNull();
    await window.start({ world: "alerts", scenario: await starterId(), seed: 3 });
    const close = { name: "close_triage", args: { disposition: "routed" } };
    expect((await preview?.(close))?.summary).toContain("“Routed to the teams”");
    await window.act(close);
    expect(await preview?.(close)).toBeNull();
  });

  it("is forgotten once it has ended, and its grade is remembered as shown", async () => {
    const profile = newProfile();
    const window = openWindow(profile);
    const { name } = await window.start(EASY);
    await window.act(GIVE_UP);
    expect(profile.memory.run).toBeUndefined();
    expect(profile.shown.size).toBe(1);
    expect(readTrajectory(await profile.store.read(name)).end?.type).toBe("grade");
    await expect(window.need()).rejects.toThrow(TellUser);
  });

  it("counts as hindsight when a person plays the same seed after its grade was shown", async () => {
    const window = openWindow(newProfile());
    await window.start(EASY);
    await window.act(GIVE_UP);
    const again = await window.start(EASY);
    await window.act(TRIAGE);
    expect(again.session.isHindsight).toBe(true);
    const other = await window.start({ ...EASY, seed: 4 });
    await window.act(TRIAGE);
    expect(other.session.isHindsight).toBe(false);
  });

  it("stays as it is when another one cannot be opened", async () => {
    const window = openWindow(newProfile());
    const { name } = await window.start(EASY);
    await expect(window.start({ ...EASY, scenario: "nothing" })).rejects.toThrow(/nothing/);
    expect(window.active?.name).toBe(name);
    expect((await window.act(TRIAGE)).observation.step).toBe(1);
  });

  it("says that another window has the run, and offers a fork with all its steps", async () => {
    const profile = newProfile();
    const one = openWindow(profile);
    const { name } = await one.start(EASY);
    await one.act(TRIAGE);
    const two = openWindow({ ...profile, memory: new Memory() });
    const refused = await two.resume(name).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(TellUser);
    const [way] = (refused as TellUser).ways;
    expect(way?.title).toBe("Fork Instead");
    await way?.run();
    expect(two.current?.name).not.toBe(name);
    expect(two.current?.session.observation.step).toBe(1);
    expect(one.active?.name).toBe(name);
  });

  it("does not try a remembered run for ever when its file is gone", async () => {
    const profile = newProfile();
    profile.memory.run = { name: "2026-01-01-alerts-x.firedrill.jsonl", ui: openWindow(profile).ui };
    const window = openWindow(profile);
    await expect(window.need()).rejects.toThrow(/no recording/);
    await expect(window.need()).rejects.toThrow(/No episode is running/);
  });

  it("can be left unfinished and resumed later", async () => {
    const profile = newProfile();
    const window = openWindow(profile);
    const { name } = await window.start(EASY);
    await window.act(TRIAGE);
    await window.abandon("left by the player");
    expect(window.current).toBeNull();
    expect(readTrajectory(await profile.store.read(name)).end?.type).toBe("abandoned");
    expect((await window.resume(name)).session.observation.step).toBe(1);
  });

  it("is forked before a step of a finished run, into a recording of its own", async () => {
    const profile = newProfile();
    const window = openWindow(profile);
    const { name } = await window.start(EASY);
    await window.act(TRIAGE);
    await window.act(GIVE_UP);
    const whole = await window.fork(() => profile.store.read(name), ALL_STEPS);
    expect(whole.session.observation.step).toBe(1);
    const fork = await window.fork(() => profile.store.read(name), 0);
    expect(fork.session.observation.step).toBe(0);
    expect(readTrajectory(await profile.store.read(fork.name)).episode.parent?.step).toBe(0);
  });
});

/** A store whose disk is full while `full` holds. */
class FullStore extends MemoryRecordStore {
  full = false;
  override async create(name: string): Promise<RecordSink> {
    const sink = await super.create(name);
    return {
      ...sink,
      append: async (text) => {
        if (this.full) throw new RecordError("The disk is full; free some space and retry.", "disk_full");
        await sink.append(text);
      },
    };
  }
}

describe("a step that cannot be recorded", () => {
  it("is neither shown nor lost: it is written, and then shown, on retry", async () => {
    const store = new FullStore();
    const window = openWindow(newProfile(store));
    const { name, session } = await window.start(EASY);
    store.full = true;
    await expect(window.act(TRIAGE)).rejects.toThrow("The disk is full");
    expect(session.observation.step).toBe(0);
    expect(window.recordingError).toContain("The disk is full");
    await expect(window.retryRecording()).rejects.toThrow("The disk is full");
    store.full = false;
    await window.retryRecording();
    expect(session.observation.step).toBe(1);
    expect(window.recordingError).toBeNull();
    expect(await stepsOf(store, name)).toBe(1);
  });

  it("keeps another episode from starting, so that it is not left behind unseen", async () => {
    const store = new FullStore();
    const window = openWindow(newProfile(store));
    const { name } = await window.start(EASY);
    store.full = true;
    await expect(window.act(TRIAGE)).rejects.toThrow();
    await expect(window.start(HARD)).rejects.toThrow("The disk is full");
    expect(window.active?.name).toBe(name);
  });
});

describe("a watched player", () => {
  /** Resolves when the player has left its seat. */
  const ended = (window: RunController) =>
    new Promise<void>((resolve) => {
      window.onChange((change) => {
        if (change.type === "session" && change.event.type === "ended") resolve();
      });
    });

  it("plays to the end under its own name", async () => {
    const profile = newProfile();
    const window = openWindow(profile);
    const run = await window.start(EASY);
    const over = ended(window);
    const factory = run.world.players.find((each) => !each.knowsTruth && each.name !== "idle");
    if (!factory) throw new Error("the world has no rule-based player");
    await window.watch(factory, 0);
    expect(window.player).toMatchObject({ name: factory.name, mode: "watch" });
    await over;
    const { steps, end } = readTrajectory(await profile.store.read(run.name));
    expect(end?.type).toBe("grade");
    expect(new Set(steps.map((step) => step.actor))).toEqual(new Set([`policy:${factory.name}`]));
  });

  it("leaves its seat to the person who takes over", async () => {
    const untilPoked: Sleep = (_, poked) => poked;
    const window = openWindow(newProfile(), untilPoked);
    const run = await window.start(HARD);
    const factory = run.world.players.find((each) => !each.knowsTruth);
    if (!factory) throw new Error("the world has no rule-based player");
    await window.watch(factory, 1000);
    window.pause();
    expect(window.player).toMatchObject({ mode: "watch", paused: true });
    window.takeOver();
    expect(window.player.mode).toBe("human");
    const outcome = await window.act(TRIAGE);
    expect([outcome.problem, outcome.observation.step]).toEqual([undefined, 1]);
  });
});
