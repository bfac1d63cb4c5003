/** What the extension registers when it starts. Nothing heavy: worlds, schemas and panels' state come with their first use. */
import type { ExtensionContext, WebviewPanel } from "vscode";
import { createApp } from "./app";
import { registerActionCommands } from "./commands/action-commands";
import { VIEW_TYPES } from "./commands/command-table";
import { registerEpisodeCommands } from "./commands/episode-commands";
import { registerImportCommands } from "./commands/import-commands";
import { registerProofCommand } from "./commands/proof-command";
import { registerRunCommands } from "./commands/run-commands";
import { registerScenarioCommands } from "./commands/scenario-commands";
import { followContext } from "./context-keys";
import type { Editor } from "./editor";
import { followEnd } from "./episode-end";
import { registerLinks } from "./links";
import { Pages } from "./pages";
import { DebriefPanels, RunEditor } from "./panels/debrief-panels";
import { EpisodePanel } from "./panels/episode-panel";
import { ProofPanel } from "./panels/proof-panel";
import { TruthFormPanel } from "./panels/truth-form-panel";
import { drawnAfterMs } from "./panels/webview";
import { WORLD_PANELS } from "./panels/world-panels";
import type { Ports } from "./ports/ports";
import { StatusBar } from "./status-bar";
import { RunsView } from "./views/runs-view";
import { ScenariosView } from "./views/scenarios-view";

/** What the extension exports, for tests and measurements. */
export interface FiredrillExports {
  /** How long `activate` took, in milliseconds. */
  readonly activationMs: number;
  readonly host: Ports["host"];
  /** By kind of panel: milliseconds from its script's first line to data on the screen, when it last was drawn. */
  readonly drawnAfterMs: typeof drawnAfterMs;
}

let suspend: () => Promise<void> = () => Promise.resolve();

export function activate(editor: Editor, context: ExtensionContext, ports: Ports): FiredrillExports {
  const began = ports.milliseconds();
  const app = createApp(editor, context, ports);
  suspend = () => app.controller.suspend();

  const runsView = new RunsView(app);
  new ScenariosView(app);
  const panel = new EpisodePanel(app);
  const debriefs = new DebriefPanels(app);
  const proof = new ProofPanel(app);
  const truthForm = new TruthFormPanel(app);
  const statusBar = new StatusBar(app);
  const door = { showPanel: () => panel.reveal(), isPanelVisible: () => panel.isVisible };
  new Pages(app, door.showPanel);

  followContext(app);
  followEnd(app, debriefs);
  registerScenarioCommands(app, door);
  registerActionCommands(app, door);
  registerEpisodeCommands(app, door, statusBar);
  registerRunCommands(app, { door, debriefs, runsView });
  registerImportCommands(app, door, truthForm);
  registerProofCommand(app, proof);
  registerLinks(app, door);
  registerPanels(app.editor, context, {
    ...Object.fromEntries(
      Object.values(WORLD_PANELS).map((own) => [own.viewType, (restored) => panel.restore(restored, own)]),
    ),
    [VIEW_TYPES.debrief]: async (restored) => debriefs.restore(restored),
    [VIEW_TYPES.proof]: async (restored) => proof.restore(restored),
    [VIEW_TYPES.truthForm]: (restored) => truthForm.restore(restored),
  });
  const options = { supportsMultipleEditorsPerDocument: true, webviewOptions: { retainContextWhenHidden: false } };
  context.subscriptions.push(editor.window.registerCustomEditorProvider(VIEW_TYPES.run, new RunEditor(app), options));

  const activationMs = ports.milliseconds() - began;
  app.log.info(`Activated in ${activationMs.toFixed(1)} ms (${ports.host} host).`);
  return { activationMs, host: ports.host, drawnAfterMs };
}

/** Lets go of the running episode; it goes on from its file. */
export function deactivate(): Promise<void> {
  return suspend();
}

type Restore = (panel: WebviewPanel) => Promise<void>;

function registerPanels(editor: Editor, context: ExtensionContext, restorers: Readonly<Record<string, Restore>>): void {
  for (const [viewType, deserializeWebviewPanel] of Object.entries(restorers))
    context.subscriptions.push(editor.window.registerWebviewPanelSerializer(viewType, { deserializeWebviewPanel }));
}
