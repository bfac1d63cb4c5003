import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { AlertsPanel } from "./alerts-panel";
import { type Browser, browserOrWarning, openBrowser } from "./browser";
import { isReplayedIdentically, starterScenario } from "./command-line";
import { HOSTS, openPlace, type Place } from "./hosts";
import { eventually, Workbench } from "./workbench";

const browserPath = await browserOrWarning();

/**
 * The graded recording that is not among those before. The web host keeps a running one in pieces and joins them when it
 * ends.
 */
async function newRecording(place: Place, before: readonly string[]): Promise<string> {
  return eventually("A new graded recording", async () => {
    for (const name of await place.recordings())
      if (!before.includes(name) && (await linesOf(place, name)).at(-1)?.grade) return name;
    return null;
  });
}

interface Line {
  readonly type: string;
  readonly actor?: string;
  readonly action?: { readonly name: string };
  readonly grade?: { readonly strict: number };
}

async function linesOf(place: Place, name: string): Promise<Line[]> {
  const text = await readFile(join(place.runs, name), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);
}

function actionsOf(lines: readonly Line[]): string[] {
  return lines.flatMap((line) => (line.action ? [line.action.name] : []));
}

/** @throws Error when the recording has no graded end. */
function strictGrade(lines: readonly Line[]): number {
  const grade = lines.at(-1)?.grade?.strict;
  if (grade === undefined) throw new Error("The recording does not end with a grade.");
  return grade;
}

describe.skipIf(!browserPath).each(HOSTS)("a person in the %s extension host", (kind) => {
  let place: Place;
  let browser: Browser;
  let workbench: Workbench;
  let scenario: string;

  beforeAll(async () => {
    scenario = await starterScenario();
    place = await openPlace(kind);
    browser = await openBrowser();
    workbench = await Workbench.open(browser.context, place.url);
  });
  afterAll(async () => {
    await browser?.close();
    await place?.close();
  });

  // An open editor would move the next panel beside it, and an old panel could be taken for the new one.
  afterEach(() => workbench.run("View: Close All Editors"));

  async function start(seed: string): Promise<{ panel: AlertsPanel; ended: () => Promise<string> }> {
    const before = await place.recordings();
    await workbench.run("Firedrill: Start Scenario…");
    await workbench.choose(scenario);
    await workbench.choose("Type a seed");
    await workbench.answer(seed);
    const panel = await AlertsPanel.withKeyboard(workbench);
    return { panel, ended: () => newRecording(place, before) };
  }

  it("plays from the palette to the grade with the keyboard alone, and the file replays", async () => {
    const { panel, ended } = await start("7");
    await panel.spend(() => panel.key("d"));
    await panel.key("Shift+ArrowDown");
    await panel.spend(async () => {
      await panel.open("g");
      await panel.apply();
    });
    await panel.spend(async () => {
      await panel.open("a");
      await panel.apply();
    });
    await panel.spend(async () => {
      await panel.open("r");
      await panel.choose("severity", "P2");
      await panel.choose("team", "sre");
      await panel.apply();
    });
    await panel.open("f");
    await panel.choose("disposition", "routed");
    await panel.apply();
    const debrief = await workbench.panel("debrief");
    const recording = await ended();
    const lines = await linesOf(place, recording);
    await debrief.shows(strictGrade(lines).toFixed(2));
    expect(actionsOf(lines)).toEqual(["inspect_alert", "group", "acknowledge", "route", "close_triage"]);
    expect(await isReplayedIdentically(join(place.runs, recording))).toBe(true);
  });

  it("finds the panel as it was after hiding and showing it", async () => {
    const { panel } = await start("8");
    await panel.key("Shift+ArrowDown");
    await panel.key("/");
    await workbench.page.keyboard.type("-nothing");
    await panel.key("Enter");
    await panel.open("g");
    const before = await panel.looks();
    expect(before.selected).toBe(2);
    await workbench.run("File: New Untitled Text File");
    await eventually("The hiding of the panel", async () => (panel.frame.isDetached() ? true : null));
    await workbench.run("View: Open Previous Editor in Group");
    const shown = await AlertsPanel.of(workbench);
    await eventually("The same look", async () => {
      expect(await shown.looks()).toEqual(before);
      return true;
    });
    await shown.key("Escape");
    await workbench.run("Firedrill: End Episode…");
    await workbench.choose("Leave it unfinished");
  });

  it("goes on after the window was reloaded in the middle of an episode", async () => {
    const { panel, ended } = await start("9");
    await panel.spend(() => panel.key("d"));
    const left = await panel.stepsLeft();
    await workbench.reload();
    const again = await AlertsPanel.of(workbench);
    await eventually("The episode as it was", async () => ((await again.stepsLeft()) === left ? true : null));
    await workbench.run("Firedrill: Open Episode Panel");
    const on = await AlertsPanel.withKeyboard(workbench);
    await on.spend(() => on.key("e"));
    await on.open("f");
    await on.choose("disposition", "inconclusive");
    await on.apply();
    await workbench.panel("debrief");
    const recording = await ended();
    expect(actionsOf(await linesOf(place, recording))).toEqual(["inspect_alert", "service_graph", "close_triage"]);
    expect(await isReplayedIdentically(join(place.runs, recording))).toBe(true);
  });

  it("watches a rule-based player play to the end", async () => {
    const { ended } = await start("10");
    await workbench.run("Firedrill: Let a Player Play…");
    await workbench.choose("rules");
    await workbench.run("Firedrill: Set Pace…");
    await workbench.answer("0");
    const debrief = await workbench.panel("debrief");
    const lines = await linesOf(place, await ended());
    expect([...new Set(lines.flatMap((line) => line.actor ?? []))]).toEqual(["policy:rules"]);
    await debrief.shows(strictGrade(lines).toFixed(2));
  });
});
