/** Starting episodes: by palette, by argument, by link, by tree, from a file. */
import type { QuickPickItem } from "vscode";
import type { Seed } from "../../core/rng";
import type { ScenarioFile, ScenarioInfo, World } from "../../core/world";
import type { App } from "../app";
import { withScenarioFile } from "../episode/missing-scenario";
import type { OpenedRun } from "../episode/run-controller";
import { TellUser } from "../error-door";
import { SEED_BOUND } from "../ports/ports";
import { type RunSource, sourceOfRef } from "../run-source";
import { SETS } from "../views/scenarios-view";
import { register, registerForBoth } from "./registry";

export interface EpisodeDoor {
  /** Shows the panel of the running episode. */
  showPanel(): void;
  isPanelVisible(): boolean;
}

export function registerScenarioCommands(app: App, door: EpisodeDoor): void {
  registerForBoth(app, "startScenario", "start the scenario", {
    called: (args) => startByArguments(app, door, args),
    prompted: () => startByPrompts(app, door),
  });
  register(app, "playScenario", "start the scenario", async (node) => {
    const { info } = (node ?? {}) as { readonly info?: ScenarioInfo };
    if (!info) return startByPrompts(app, door);
    return start(app, door, { world: info.world, scenario: info.id, seed: app.ports.randomSeed() });
  });
  // Of the run that is named, else of the window's episode.
  register(app, "newSeed", "start with a new seed", async (ref) => {
    const source = sourceOfRef(app, ref ?? app.controller.current?.name);
    if (!source) throw new TellUser("No episode has been played in this window yet; use “Firedrill: Start Scenario…”.");
    return withScenarioFile(app, source, async () => {
      const { scenario, world } = await sameScenario(app, source);
      return start(app, door, { world, scenario, seed: app.ports.randomSeed() });
    });
  });
}

/** Starts an episode and shows it; programs get its facts back. */
export async function start(
  app: App,
  door: EpisodeDoor,
  request: { readonly world: string; readonly scenario: string | ScenarioFile; readonly seed: Seed },
): Promise<{ run: string; world: string; scenario: string; seed: Seed; location: string }> {
  const progress = { location: app.editor.ProgressLocation.Window, title: "Firedrill: drawing the episode" };
  const run = await app.editor.window.withProgress(progress, () => app.controller.start(request));
  door.showPanel();
  return factsOf(run);
}

function factsOf(run: OpenedRun) {
  const { name, world, scenario, seed, location } = run;
  return { run: name, world: world.id, scenario: scenario.id, seed, location };
}

/** Starts what `{world, scenario, seed}` names, as commands with an argument and links do. */
export async function startByArguments(
  app: App,
  door: EpisodeDoor,
  args: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const { findWorld } = await import("../episode/open-run");
  const world = await findWorld(String(args.world));
  const seed = args.seed === undefined ? app.ports.randomSeed() : args.seed;
  if (typeof seed !== "number" || !Number.isSafeInteger(seed) || seed < 0)
    throw new TellUser(`The seed ${String(seed)} is no whole number from 0 up; leave it out for a random one.`);
  const scenario = world.scenarios().find((info) => info.id === args.scenario);
  if (!scenario)
    throw new TellUser(
      `There is no scenario “${String(args.scenario)}” in ${world.title}; the Scenarios view lists those that are.`,
    );
  return start(app, door, { world: world.id, scenario: scenario.id, seed });
}

async function startByPrompts(app: App, door: EpisodeDoor): Promise<unknown> {
  const world = await pickWorld(app);
  if (!world) return undefined;
  const scenario = await pickScenario(app, world);
  if (!scenario) return undefined;
  const seed = await pickSeed(app);
  if (seed === undefined) return undefined;
  return start(app, door, { world: world.id, scenario: scenario.id, seed });
}

export async function pickWorld(app: App): Promise<World | undefined> {
  const { allWorlds } = await import("../episode/open-run");
  const worlds = await allWorlds();
  if (worlds.length === 1) return worlds[0];
  const items = worlds.map((world) => ({ label: world.title, detail: world.summary, world }));
  const picked = await app.editor.window.showQuickPick(items, { title: "Start Scenario", placeHolder: "World" });
  return picked?.world;
}

async function pickScenario(app: App, world: World): Promise<ScenarioInfo | undefined> {
  interface Item extends QuickPickItem {
    readonly info?: ScenarioInfo;
  }
  const scenarios = world.scenarios();
  const items = SETS.flatMap(({ split, title }): Item[] => {
    const own = scenarios.filter((info) => info.split === split);
    if (own.length === 0) return [];
    const separator = { label: title, kind: app.editor.QuickPickItemKind.Separator };
    return [
      separator,
      ...own.map((info) => ({ label: info.title, description: factsText(info), detail: info.brief, info })),
    ];
  });
  const picked = await app.editor.window.showQuickPick(items, {
    title: `Start Scenario: ${world.title}`,
    placeHolder: "Scenario",
    matchOnDescription: true,
  });
  return picked?.info;
}

function factsText(info: ScenarioInfo): string {
  return `${info.difficulty} · ${info.maxSteps} steps · ${info.id}`;
}

async function pickSeed(app: App): Promise<Seed | undefined> {
  const surprise = { label: "$(sparkle) Surprise me", detail: "A seed drawn at random.", seed: app.ports.randomSeed() };
  const own = { label: "$(edit) Type a seed…", detail: "The same seed is the same episode for everyone.", seed: null };
  const picked = await app.editor.window.showQuickPick([surprise, own], {
    title: "Start Scenario",
    placeHolder: "Seed",
  });
  if (!picked) return undefined;
  if (picked.seed !== null) return picked.seed;
  const typed = await app.editor.window.showInputBox({
    title: "Start Scenario",
    prompt: `Seed, a whole number from 0 up (random ones stay below ${SEED_BOUND})`,
    validateInput: (text) => (parseSeed(text) === undefined ? "A seed is a whole number from 0 up." : undefined),
  });
  return typed === undefined ? undefined : parseSeed(typed);
}

/** @returns the seed a text stands for, or undefined. */
export function parseSeed(text: string): Seed | undefined {
  if (!/^\d{1,15}$/.test(text.trim())) return undefined;
  return Number(text.trim());
}

async function sameScenario(app: App, run: RunSource): Promise<{ world: string; scenario: string | ScenarioFile }> {
  const { readTrajectory, wholeSource } = await import("../kit");
  const { findWorld } = await import("../episode/open-run");
  const trajectory = readTrajectory(await run.read());
  const world = await findWorld(trajectory.episode.world);
  return { world: world.id, scenario: await wholeSource(world, trajectory, await app.store()) };
}
