/** What one does with recorded runs: resume, debrief, replay, fork, reveal, delete, filter. */
import type { Uri } from "vscode";
import type { App } from "../app";
import { withScenarioFile } from "../episode/missing-scenario";
import { TellUser } from "../error-door";
import type { DebriefPanels } from "../panels/debrief-panels";
import { chooseRun, type RunSource, sourceOfRef } from "../run-source";
import type { RunsView } from "../views/runs-view";
import { register } from "./registry";
import type { EpisodeDoor } from "./scenario-commands";

export interface RunCommandParts {
  readonly door: EpisodeDoor;
  readonly debriefs: DebriefPanels;
  readonly runsView: RunsView;
}

export function registerRunCommands(app: App, parts: RunCommandParts): void {
  const { door, debriefs, runsView } = parts;
  register(app, "resumeRun", "resume the run", (ref) => resumeRun(app, door, ref));
  register(app, "openDebrief", "open the debrief", async (ref) => {
    const source = sourceOfRef(app, ref) ?? lastEnded(app) ?? (await chooseRun(app, ref, "Run to debrief"));
    if (source) debriefs.open(source);
  });
  register(app, "replayRun", "replay the run", (ref) => replayRun(app, debriefs, ref));
  register(app, "forkFromStep", "fork the run", (ref, step) => forkRun(app, door, ref, step));
  register(app, "revealRun", "reveal the file", (ref) => revealRun(app, ref));
  register(app, "deleteRun", "delete the run", (ref) => deleteRun(app, ref));
  register(app, "openRunsFolder", "open the runs folder", () => openRunsFolder(app));
  register(app, "refresh", "refresh", async () => app.library.refresh());
  register(app, "showMoreRuns", "list more runs", async () => runsView.showMore());
  register(app, "clearRunFilter", "clear the filter", () => runsView.setFilter(""));
  register(app, "filterRuns", "filter the runs", async () => {
    const text = await app.editor.window.showInputBox({
      title: "Filter Runs",
      prompt: "Words that must stand in the title, player, status, scenario, seed or date",
      value: runsView.filterText,
    });
    if (text !== undefined) await runsView.setFilter(text);
  });
}

/** The window's episode, when it has ended. */
function lastEnded(app: App): RunSource | undefined {
  const run = app.controller.current;
  return run && !app.controller.active ? sourceOfRef(app, run.name) : undefined;
}

async function resumeRun(app: App, door: EpisodeDoor, ref: unknown): Promise<void> {
  const remembered = ref === undefined ? app.controller.remembered : undefined;
  const resumable = (status: string) => status === "abandoned" || status === "unfinished";
  const source = await chooseRun(app, ref ?? remembered, "Run to go on with", resumable);
  if (!source) return;
  if (source.name === null)
    throw new TellUser("Only runs in the runs folder can be resumed; fork this one to play on from a step.");
  const { name } = source;
  await withScenarioFile(app, source, async () => {
    const { torn } = await app.controller.resume(name);
    door.showPanel();
    if (torn)
      void app.editor.window.showWarningMessage(
        `The last line of ${name} was cut off by a crash; it was set aside in ${name}.torn and the run goes on from the step before.`,
      );
  });
}

/** Replays and says what came of it; the debrief shows the same check. */
async function replayRun(app: App, debriefs: DebriefPanels, ref: unknown): Promise<unknown> {
  const source = await chooseRun(app, ref, "Run to replay");
  if (!source) return undefined;
  const { readTrajectory, replay, sourceOf } = await import("../kit");
  const { findWorld, prepare } = await import("../episode/open-run");
  const trajectory = readTrajectory(await source.read());
  const world = await findWorld(trajectory.episode.world);
  await prepare(world, sourceOf(trajectory), trajectory.episode.seed).catch(() => undefined);
  const result = replay(world, trajectory);
  void tellReplay(app, debriefs, source, result);
  return { file: source.file, ...result };
}

async function tellReplay(
  app: App,
  debriefs: DebriefPanels,
  source: RunSource,
  result: { readonly identical: boolean; readonly firstDifference?: string; readonly steps: number },
): Promise<void> {
  const { window } = app.editor;
  const steps = result.steps === 1 ? "1 step" : `${result.steps} steps`;
  const chosen = result.identical
    ? await window.showInformationMessage(`The replay of ${steps} is identical, byte for byte.`, "Open Debrief")
    : await window.showWarningMessage(`The replay differs. ${result.firstDifference ?? ""}`, "Open Debrief");
  if (chosen) debriefs.open(source);
}

async function forkRun(app: App, door: EpisodeDoor, ref: unknown, given: unknown): Promise<void> {
  const source = await chooseRun(app, ref, "Run to fork");
  if (!source) return;
  const { readTrajectory } = await import("../kit");
  const trajectory = readTrajectory(await source.read());
  const count = trajectory.steps.filter((step) => !step.done).length;
  const step = typeof given === "number" ? given : await pickStep(app, trajectory.steps.slice(0, count));
  if (step === undefined) return;
  if (!Number.isInteger(step) || step < 0 || step > count)
    throw new TellUser(`The run can be forked before one of its steps 0 to ${count}; ${step} is none of them.`);
  await withScenarioFile(app, source, async () => {
    await app.controller.fork(() => source.read(), step);
    door.showPanel();
  });
}

async function pickStep(
  app: App,
  steps: readonly {
    readonly index: number;
    readonly actor: string;
    readonly action: { readonly name: string; readonly args: object };
  }[],
): Promise<number | undefined> {
  const items = steps.map(({ index, actor, action }) => ({
    // The debrief counts its steps from 1.
    label: `Before step ${index + 1}: ${action.name}`,
    description: actor,
    detail: JSON.stringify(action.args).slice(0, 120),
    index,
  }));
  const end = { label: "After the last step", description: "", detail: "", index: steps.length };
  const title = "Fork From Step";
  const placeHolder = "The steps before it are copied; you play on from there";
  const picked = await app.editor.window.showQuickPick([...items, end], { title, placeHolder, matchOnDetail: true });
  return picked?.index;
}

async function revealRun(app: App, ref: unknown): Promise<void> {
  const source = await chooseRun(app, ref ?? app.controller.current?.name, "Run to reveal");
  if (!source) return;
  const uri = source.name
    ? app.editor.Uri.joinPath(app.settings.runsFolder(), source.name)
    : app.editor.Uri.parse(source.ref);
  await revealUri(app, uri);
}

async function openRunsFolder(app: App): Promise<void> {
  const folder = app.settings.runsFolder();
  await app.editor.workspace.fs.createDirectory(folder);
  await revealUri(app, folder);
}

/** A desktop shows files in its own file viewer; where there is none, the place is named and can be copied. */
async function revealUri(app: App, uri: Uri): Promise<void> {
  const { editor } = app;
  const isDesktop = editor.env.uiKind === editor.UIKind.Desktop && uri.scheme === "file" && !editor.env.remoteName;
  if (isDesktop) {
    await editor.commands.executeCommand("revealFileInOS", uri);
    return;
  }
  const place = uri.scheme === "file" ? uri.fsPath : uri.toString(true);
  const chosen = await editor.window.showInformationMessage(`Runs are kept here: ${place}`, "Copy Path");
  if (chosen) await editor.env.clipboard.writeText(place);
}

async function deleteRun(app: App, ref: unknown): Promise<void> {
  const source = await chooseRun(app, ref, "Run to delete");
  if (!source?.name) return;
  const { name } = source;
  if (app.controller.active?.name === name)
    throw new TellUser("This run is being played; end it with “Firedrill: End Episode…” before you delete it.");
  const options = { modal: true, detail: "The recording is removed for good." };
  const chosen = await app.editor.window.showWarningMessage(`Delete the run ${name}?`, options, "Delete");
  if (chosen !== "Delete") return;
  await app.library.remove(name);
}
