import { describe, expect, it } from "vitest";
import { readTrajectory } from "../../../src/core/trajectory";
import type { App } from "../../../src/editor/app";
import { withScenarioFile } from "../../../src/editor/episode/missing-scenario";
import { createOpener } from "../../../src/editor/episode/open-run";
import { RunController } from "../../../src/editor/episode/run-controller";
import { TellUser } from "../../../src/editor/error-door";
import type { RunSource } from "../../../src/editor/run-source";
import { MemoryRecordStore } from "../../../src/storage/memory-store";
import { writeScenario } from "../../../src/worlds/alerts/import";
import { GIVE_UP, kiln, LOOK } from "../alerts-import/kiln";

const NAME = "moved.firedrill.jsonl";

function openWindow(store: MemoryRecordStore): RunController {
  let ids = 0;
  const opener = createOpener({
    store: async () => store,
    ports: { now: () => "2026-01-02T03:04:05.000Z", randomId: () => `id${ids++}` },
    shownGrades: new Set(),
    onListenerError: (error) => {
      throw error;
    },
  });
  const memory = { get: () => undefined, set: async () => undefined };
  return new RunController(
    async () => opener,
    memory,
    () => 0,
  );
}

/** A window on another machine, to which the recording of an unfinished run was moved; `file` is what the person chooses. */
async function moved(file: string | null) {
  const here = new MemoryRecordStore();
  const begun = openWindow(here);
  const { name } = await begun.start({ world: "alerts", scenario: kiln(), seed: 0 });
  await begun.act(LOOK);
  await begun.suspend();
  const store = new MemoryRecordStore();
  store.put(NAME, await here.read(name));
  const bytes = new TextEncoder().encode(file ?? "");
  const app = {
    store: async () => store,
    editor: {
      window: { showOpenDialog: async () => (file === null ? undefined : [{ path: "/kiln.json" }]) },
      workspace: { fs: { stat: async () => ({ size: bytes.length }), readFile: async () => bytes } },
    },
  } as unknown as App;
  const source: RunSource = { name: NAME, file: NAME, ref: NAME, read: () => store.read(NAME) };
  return { app, source, store, window: openWindow(store) };
}

/** The one button of the message that the work ends in. */
async function buttonOf(work: Promise<unknown>): Promise<TellUser["ways"][number]> {
  const error = await work.then(
    () => null,
    (thrown) => thrown as unknown,
  );
  if (!(error instanceof TellUser)) throw new Error(`A message for the person should have come, not ${error}.`);
  expect(error.message).toMatch(/^The run's scenario file \(“A queue”, content [0-9a-f]{8}\) is not kept beside/);
  const [way, ...others] = error.ways;
  expect([way?.title, others]).toEqual(["Choose Scenario File…", []]);
  return way as TellUser["ways"][number];
}

describe("a run whose scenario file is not kept beside it", () => {
  it("is resumed once the file is chosen, and again without asking", async () => {
    const { app, source, store, window } = await moved(writeScenario(kiln()));
    const way = await buttonOf(withScenarioFile(app, source, () => window.resume(NAME)));
    await way.run();
    expect(window.active?.session.steps).toHaveLength(1);
    await window.suspend();
    await openWindow(store).resume(NAME);
  });

  it("is forked once the file is chosen", async () => {
    const { app, source, store, window } = await moved(writeScenario(kiln()));
    await (await buttonOf(withScenarioFile(app, source, () => window.fork(source.read, 1)))).run();
    await window.act(GIVE_UP);
    expect(readTrajectory(await store.read(window.current?.name as string)).end).toMatchObject({ type: "grade" });
  });

  it("stays as it was when another file is chosen, or none", async () => {
    for (const file of [writeScenario(kiln({ disposition: "escalated" })), null]) {
      const { app, source, store, window } = await moved(file);
      const before = await store.read(NAME);
      const way = await buttonOf(withScenarioFile(app, source, () => window.resume(NAME)));
      if (file === null) await way.run();
      else await expect(way.run()).rejects.toMatchObject({ name: "ScenarioError" });
      expect([await store.read(NAME), window.active, [...store.copies]]).toEqual([before, null, []]);
    }
  });

  it("lets other errors through as they are", async () => {
    const { app, source } = await moved(null);
    const failing = withScenarioFile(app, source, () => Promise.reject(new RangeError("no")));
    await expect(failing).rejects.toThrow(RangeError);
  });
});
