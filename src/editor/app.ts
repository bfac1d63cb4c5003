/** What the extension's parts share: the editor, the ports, and the few objects with a life of their own. */
import type { ExtensionContext, LogOutputChannel } from "vscode";
import type { RecordStore } from "../core/recorder";
import type { ShownGrades } from "../core/runs";
import type { Editor } from "./editor";
import { type RememberedRun, RunController } from "./episode/run-controller";
import { ErrorDoor } from "./error-door";
import type { Ports } from "./ports/ports";
import { readSettings, type Settings } from "./settings";
import { rememberShownGrades } from "./shown-grades";
import { RunLibrary } from "./views/run-library";

export interface App {
  readonly editor: Editor;
  readonly context: ExtensionContext;
  readonly ports: Ports;
  readonly log: LogOutputChannel;
  readonly settings: Settings;
  readonly door: ErrorDoor;
  readonly library: RunLibrary;
  readonly controller: RunController;
  readonly shownGrades: ShownGrades;
  /** The folder of recordings as the settings have it now. */
  store(): Promise<RecordStore>;
}

const RUN_KEY = "firedrill.run";

export function createApp(editor: Editor, context: ExtensionContext, ports: Ports): App {
  const log = editor.window.createOutputChannel("Firedrill", { log: true });
  const settings = readSettings(editor, context.globalStorageUri);
  const shownGrades = rememberShownGrades(context.globalState);
  const store = storeOf(settings, ports);
  const library = new RunLibrary(store);
  const memory = {
    get: () => context.workspaceState.get<RememberedRun>(RUN_KEY),
    set: (run: RememberedRun | undefined) => context.workspaceState.update(RUN_KEY, run),
  };
  const opener = async () =>
    (await import("./episode/open-run")).createOpener({
      store,
      ports,
      shownGrades,
      onListenerError: (error) => log.error(error instanceof Error ? error : String(error)),
    });
  const controller = new RunController(opener, memory, ports.milliseconds);
  const door = new ErrorDoor(editor, log, () => controller.retryRecording());
  context.subscriptions.push(log);
  return { editor, context, ports, log, settings, door, library, controller, shownGrades, store };
}

/** Opens the folder once, and anew when the setting has changed. */
function storeOf(settings: Settings, ports: Ports): () => Promise<RecordStore> {
  let opened: { readonly folder: string; readonly store: Promise<RecordStore> } | undefined;
  return () => {
    const folder = settings.runsFolder();
    if (opened?.folder === folder.toString()) return opened.store;
    const store = ports.openStore(folder);
    opened = { folder: folder.toString(), store };
    store.catch(() => {
      if (opened?.store === store) opened = undefined;
    });
    return store;
  };
}
