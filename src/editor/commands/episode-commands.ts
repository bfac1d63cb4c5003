/** What one does with the running episode beside its actions. */
import type { QuickPickItem } from "vscode";
import { GIVE_UP } from "../../core/player";
import type { App } from "../app";
import { TellUser } from "../error-door";
import { clampPace, PACE_RANGE_MS } from "../settings";
import type { StatusBar } from "../status-bar";
import { COMMANDS } from "./command-table";
import { register } from "./registry";
import type { EpisodeDoor } from "./scenario-commands";

export function registerEpisodeCommands(app: App, door: EpisodeDoor, statusBar: StatusBar): void {
  const { controller, editor } = app;
  register(app, "openPanel", "open the panel", async () => {
    if (!controller.current) await controller.need();
    door.showPanel();
  });
  register(app, "episodeMenu", "open the menu", () => episodeMenu(app));
  register(app, "addNote", "add the note", async () => {
    await controller.need();
    const text = await editor.window.showInputBox({ title: "Add Note", prompt: "Kept in the recording at this step" });
    if (text?.trim()) await controller.note(text);
  });
  register(app, "endEpisode", "end the episode", (way) => endEpisode(app, way));
  register(app, "letPlayerPlay", "let a player play", (name) => letPlayerPlay(app, name));
  register(app, "pausePlayer", "pause the player", async () => {
    if (controller.player.mode !== "watch") throw new TellUser(NOBODY_PLAYS);
    if (controller.player.paused) controller.resumeWatch();
    else controller.pause();
  });
  register(app, "setPace", "set the pace", (pace) => setPace(app, pace));
  register(app, "takeOver", "take over", async () => controller.takeOver());
  register(app, "retryRecording", "write the recording", () => controller.retryRecording());
  register(app, "toggleDrillTimer", "pause the drill timer", async () => statusBar.toggleTimer());
  register(app, "showLog", "show the log", async () => app.log.show());
}

const NOBODY_PLAYS = "No player is at work; start one with “Firedrill: Let a Player Play…”.";

/** The competent one stands first; the others show how not to do it. */
const BEST_PLAYER = "rules";

async function letPlayerPlay(app: App, name: unknown): Promise<void> {
  const run = await app.controller.need();
  const players = run.world.players
    .filter((factory) => !factory.knowsTruth)
    .sort((a, b) => Number(b.name === BEST_PLAYER) - Number(a.name === BEST_PLAYER));
  const named = players.find((factory) => factory.name === name);
  if (typeof name === "string" && !named)
    throw new TellUser(`There is no player “${name}”; use one of: ${players.map((each) => each.name).join(", ")}.`);
  const items = players.map((factory) => ({
    label: factory.title,
    description: factory.name,
    detail: factory.summary,
    factory,
  }));
  const chosen =
    named ??
    (
      await app.editor.window.showQuickPick(items, {
        title: "Let a Player Play",
        placeHolder: "Player",
        matchOnDetail: true,
      })
    )?.factory;
  if (chosen) await app.controller.watch(chosen, app.settings.paceMs());
}

async function setPace(app: App, given: unknown): Promise<void> {
  if (app.controller.player.mode !== "watch") throw new TellUser(NOBODY_PLAYS);
  if (typeof given === "number") return app.controller.setPace(clampPace(given));
  const { least, most } = PACE_RANGE_MS;
  const text = await app.editor.window.showInputBox({
    title: "Set Pace",
    prompt: "Milliseconds between two steps",
    value: String(app.controller.player.paceMs),
    validateInput: (typed) =>
      /^\d+$/.test(typed.trim()) && Number(typed) <= most ? undefined : `Use a whole number from ${least} to ${most}.`,
  });
  if (text !== undefined) app.controller.setPace(clampPace(Number(text)));
}

/** Giving up is graded and final; leaving keeps the run to be resumed. `given`: `leave` or `give up` asks nothing. */
async function endEpisode(app: App, given: unknown): Promise<void> {
  const run = await app.controller.need();
  const leave = {
    label: "$(debug-pause) Leave it unfinished",
    detail: "It can be resumed from the Runs view.",
    way: "leave",
  };
  const giveUp = {
    label: "$(circle-slash) Give up",
    detail: "Ends the episode and grades it as it stands.",
    way: "give up",
  };
  const ways = run.forms.some((form) => form.name === GIVE_UP.name) ? [leave, giveUp] : [leave];
  const title = `End Episode: ${run.scenario.title}`;
  const chosen = ways.find(({ way }) => way === given) ?? (await app.editor.window.showQuickPick(ways, { title }));
  if (chosen?.way === "leave") {
    await app.controller.abandon("left by the player");
    void app.editor.window.showInformationMessage("The episode is left unfinished; resume it from the Runs view.");
  } else if (chosen) {
    app.controller.takeOver();
    const { problem } = await app.controller.act(GIVE_UP);
    if (problem) throw new TellUser(problem.message);
  }
}

const MENU = [
  "openPanel",
  "takeAction",
  "addNote",
  "letPlayerPlay",
  "pausePlayer",
  "setPace",
  "takeOver",
  "endEpisode",
];
const MENU_AFTER_END = ["openDebrief", "newSeed", "startScenario"];
const WHILE_WATCHING = ["pausePlayer", "setPace", "takeOver"];

async function episodeMenu(app: App): Promise<void> {
  const { controller, editor } = app;
  if (!controller.current) await controller.need();
  const watching = controller.player.mode === "watch";
  const ids = controller.active ? MENU.filter((id) => watching || !WHILE_WATCHING.includes(id)) : MENU_AFTER_END;
  const timer = controller.active && app.settings.drillTimer() ? ["toggleDrillTimer"] : [];
  const retry = controller.recordingError ? ["retryRecording"] : [];
  const items = [...retry, ...ids, ...timer].flatMap((id): (QuickPickItem & { id: string })[] => {
    const entry = COMMANDS.find((each) => each.id === id);
    return entry ? [{ label: `${entry.icon ?? "$(gear)"} ${entry.title}`, id }] : [];
  });
  const run = controller.current;
  const title = run ? `${run.world.title}: ${run.scenario.title}, seed ${run.seed}` : "Firedrill";
  const picked = await editor.window.showQuickPick(items, { title });
  if (!picked) return;
  const args = picked.id === "openDebrief" && run ? [run.name] : [];
  await editor.commands.executeCommand(`firedrill.${picked.id}`, ...args);
}
