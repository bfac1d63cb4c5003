import { describe, expect, it } from "vitest";
import type { Observation } from "../../../src/core/world";
import type { App } from "../../../src/editor/app";
import type { RunChange } from "../../../src/editor/episode/run-controller";
import { Pages } from "../../../src/editor/pages";
import { editorDouble } from "./editor-double";

interface Alert {
  readonly id: string;
  readonly name: string;
  readonly service: string;
  readonly state: string;
}

const alert = (id: string, state = "firing"): Alert => ({ id, name: `N${id}`, service: `s${id}`, state });

/** A window with one episode whose alerts the test sets. */
function paged(settings: { readonly notifications: boolean; readonly watching?: boolean }) {
  const double = editorDouble();
  const acts: unknown[] = [];
  let tell: (change: RunChange) => void = () => undefined;
  const observation = { title: "Night", step: 0, done: false, alerts: [] as Alert[] };
  const run = {
    world: { id: "alerts" },
    session: { observation: observation as unknown as Observation },
    forms: [{ name: "acknowledge" }],
  };
  const app = {
    editor: double.editor,
    context: { subscriptions: [] },
    settings: { pageNotifications: () => settings.notifications },
    door: { run: (_: string, work: () => Promise<unknown>) => work() },
    controller: {
      current: run,
      active: run as typeof run | null,
      player: { mode: settings.watching ? "watch" : "human" },
      onChange: (listener: typeof tell) => {
        tell = listener;
        return { dispose: () => undefined };
      },
      act: async (action: unknown) => {
        acts.push(action);
        return {};
      },
    },
  } as unknown as App;
  let panels = 0;
  new Pages(app, () => panels++);
  const end = () => {
    (app.controller as { active: unknown }).active = null;
  };
  const say = async (alerts: readonly Alert[], change: "opened" | "observed") => {
    observation.alerts = [...alerts];
    tell(change === "opened" ? { type: "opened" } : ({ type: "session", event: { type: "observed" } } as RunChange));
    observation.step++;
    await new Promise((resolve) => setTimeout(resolve, 0));
  };
  return { ...double, acts, say, end, panels: () => panels };
}

describe("pages", () => {
  it("name what fires when an episode opens and acknowledge exactly that", async () => {
    const here = paged({ notifications: true });
    here.presses.push("Acknowledge");
    await here.say([alert("a1"), alert("a2", "resolved"), alert("a3")], "opened");
    expect(here.messages[0]?.text).toBe("Page: Night. 2 alerts: Na1 (sa1), Na3 (sa3)");
    expect(here.acts).toEqual([{ name: "acknowledge", args: { alerts: ["a1", "a3"] } }]);
  });

  it("tell of alerts that are new, once", async () => {
    const here = paged({ notifications: true });
    await here.say([alert("a1")], "opened");
    await here.say([alert("a1")], "observed");
    await here.say([alert("a1"), alert("a2")], "observed");
    await here.say([alert("a1"), alert("a2")], "observed");
    expect(here.messages.map(({ text }) => text)).toEqual([
      "Page: Night. 1 alert: Na1 (sa1)",
      "New page. 1 alert: Na2 (sa2)",
    ]);
  });

  it("acknowledge nothing of an episode that is over, and say so", async () => {
    const here = paged({ notifications: true });
    here.presses.push("Acknowledge");
    here.end();
    await here.say([alert("a1")], "opened");
    expect(here.acts).toEqual([]);
    expect(here.messages.map(({ level, text }) => [level, text]).slice(1)).toEqual([
      ["information", "The episode of this page is over; there is nothing left to acknowledge."],
    ]);
  });

  it("open the panel from the message", async () => {
    const here = paged({ notifications: true });
    here.presses.push("Open Panel");
    await here.say([alert("a1")], "opened");
    expect(here.panels()).toBe(1);
  });

  it.each([
    ["in quiet mode", { notifications: false }],
    ["while a player is watched", { notifications: true, watching: true }],
  ])("make no message %s", async (_, settings) => {
    const here = paged(settings);
    await here.say([alert("a1")], "opened");
    await here.say([alert("a1"), alert("a2")], "observed");
    expect(here.messages).toEqual([]);
  });
});
