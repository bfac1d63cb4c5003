/** The form in which a person adds the truth to imported alerts, and saves the scenario as a file that can be shared. */
import type { Uri, WebviewPanel } from "vscode";
import type { TruthDraft } from "../../panel-protocol";
import type { AlertSet } from "../../worlds/alerts/import/alert-set";
import type { App } from "../app";
import { VIEW_TYPES } from "../commands/command-table";
import { TellUser } from "../error-door";
import type { PanelChannel } from "./panel-channel";
import { connectPanel, openPanel } from "./webview";

export const SCENARIO_SUFFIX = ".firedrill-scenario.json";

/** What a form needs to come back as it was after a reload. */
interface Kept {
  readonly set: AlertSet;
  readonly draft: TruthDraft;
  readonly from: string;
}

const KEY = "firedrill.truthForm";

export class TruthFormPanel {
  private panel: WebviewPanel | null = null;
  private channel: PanelChannel | null = null;
  private kept: Kept | null = null;

  constructor(private readonly app: App) {}

  /** Opens the form for imported alerts; `from` is the file they came from. */
  open(set: AlertSet, from: Uri): void {
    void this.app.door.run("open the form", async () => {
      const { draftFrom } = await import("../../worlds/alerts/import/truth-draft");
      await this.keep({ set, draft: draftFrom(set), from: from.toString() });
      await this.attach(openPanel(this.app, VIEW_TYPES.truthForm, "Truth of Imported Alerts"));
    });
  }

  /** Takes over a form that the editor restored after a reload. */
  async restore(panel: WebviewPanel): Promise<void> {
    this.kept = this.app.context.workspaceState.get<Kept>(KEY) ?? null;
    if (this.kept) await this.attach(panel);
    else panel.dispose();
  }

  private async attach(panel: WebviewPanel): Promise<void> {
    this.panel?.dispose();
    this.panel = panel;
    const { truthForm } = await import("../../worlds/alerts/import/truth-draft");
    const kept = this.kept;
    if (!kept) return;
    this.channel = connectPanel(this.app, panel, "truth-form", truthForm(kept.set, kept.draft), {
      calls: { saveTruth: async (draft) => ({ saved: await this.save(draft) }) },
      ui: ({ truth }) => void this.takeDraft(truth),
      disposed: () => {
        if (this.panel !== panel) return;
        this.panel = null;
        this.channel = null;
        void this.app.context.workspaceState.update(KEY, undefined);
      },
    });
  }

  private async keep(kept: Kept): Promise<void> {
    this.kept = kept;
    await this.app.context.workspaceState.update(KEY, kept);
  }

  /** Half-filled forms are kept as they are; what is wrong with them shows beside the fields. */
  private async takeDraft(draft: unknown): Promise<void> {
    if (!this.kept || !isDraft(draft)) return;
    await this.keep({ ...this.kept, draft });
    const { truthForm } = await import("../../worlds/alerts/import/truth-draft");
    const state = truthForm(this.kept.set, draft);
    this.channel?.show(state);
  }

  /** Null when there is something to correct, or the person leaves the dialog. */
  private async save(draft: TruthDraft): Promise<string | null> {
    const { kept, app } = this;
    if (!kept) throw new TellUser("The alerts of this form are gone; import them again.");
    const { problemsOf, truthForm } = await import("../../worlds/alerts/import/truth-draft");
    await this.keep({ ...kept, draft });
    if (problemsOf(draft, kept.set).length > 0) {
      this.channel?.show(truthForm(kept.set, draft));
      return null;
    }
    const { scenarioFrom, writeScenario } = await import("../../worlds/alerts/import/scenario-file");
    const text = writeScenario(scenarioFrom(kept.set, draft, app.ports.nonce()));
    const uri = await app.editor.window.showSaveDialog({
      title: "Save Scenario",
      defaultUri: suggested(app, kept.from),
      filters: { "Firedrill scenarios": ["json"] },
    });
    if (!uri) return null;
    await app.editor.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    void this.offerPlay(uri);
    return uri.scheme === "file" ? uri.fsPath : uri.toString(true);
  }

  private async offerPlay(uri: Uri): Promise<void> {
    const { editor } = this.app;
    const chosen = await editor.window.showInformationMessage("The scenario is saved.", "Play It");
    if (chosen) await editor.commands.executeCommand("firedrill.openScenarioFile", uri);
  }
}

/** Beside the file the alerts came from: `storm.json` → `storm.firedrill-scenario.json`. */
function suggested(app: App, from: string): Uri {
  const uri = app.editor.Uri.parse(from);
  return uri.with({ path: uri.path.replace(/(\.json)?$/i, SCENARIO_SUFFIX) });
}

function isDraft(value: unknown): value is TruthDraft {
  if (typeof value !== "object" || value === null) return false;
  const { title, brief, disposition, incidents } = value as Partial<Record<keyof TruthDraft, unknown>>;
  return [title, brief, disposition].every((text) => typeof text === "string") && Array.isArray(incidents);
}
