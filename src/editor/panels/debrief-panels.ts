/** Debriefs in panels and in the read-only editor of recording files. */
import type { CustomDocument, CustomReadonlyEditorProvider, Uri, WebviewPanel } from "vscode";
import type { App } from "../app";
import { VIEW_TYPES } from "../commands/command-table";
import { type RunSource, sourceByUri, sourceOfRef } from "../run-source";
import { openPanel, webviewOptions } from "./webview";

const KEY = "firedrill.debriefs";

export class DebriefPanels {
  private readonly panels = new Map<string, WebviewPanel>();

  constructor(private readonly app: App) {}

  /** Shows the debrief of a run; one that is open already is read anew, since the run may have gone on. */
  open(source: RunSource): void {
    this.panels.get(source.ref)?.dispose();
    this.fill(openPanel(this.app, VIEW_TYPES.debrief, `Debrief: ${shortName(source)}`), source);
  }

  /** Takes over a panel that the editor restored after a reload; its title tells which one it was. */
  restore(panel: WebviewPanel): void {
    const source = sourceOfRef(this.app, this.kept()[panel.title]);
    if (source) this.fill(panel, source);
    else panel.dispose();
  }

  private fill(panel: WebviewPanel, source: RunSource): void {
    this.panels.set(source.ref, panel);
    const { title } = panel;
    this.keep({ ...this.kept(), [title]: source.ref });
    panel.onDidDispose(() => {
      if (this.panels.get(source.ref) !== panel) return;
      this.panels.delete(source.ref);
      const { [title]: _, ...others } = this.kept();
      this.keep(others);
    });
    showIn(this.app, panel, source);
  }

  /** Open debriefs, so that a reload finds them: title → run. */
  private kept(): Readonly<Record<string, string>> {
    return this.app.context.workspaceState.get<Readonly<Record<string, string>>>(KEY) ?? {};
  }

  private keep(open: Readonly<Record<string, string>>): void {
    void this.app.context.workspaceState.update(KEY, open);
  }
}

/** `*.firedrill.jsonl` opens as its debrief; nothing is ever written to it. */
export class RunEditor implements CustomReadonlyEditorProvider {
  constructor(private readonly app: App) {}

  openCustomDocument(uri: Uri): CustomDocument {
    return { uri, dispose: () => undefined };
  }

  resolveCustomEditor(document: CustomDocument, panel: WebviewPanel): void {
    panel.webview.options = webviewOptions(this.app);
    showIn(this.app, panel, sourceByUri(this.app, document.uri));
  }
}

function showIn(app: App, panel: WebviewPanel, source: RunSource): void {
  void app.door.run("show the debrief", async () => {
    const { showDebrief } = await import("../debrief/debrief-view");
    await showDebrief(app, panel, source);
  });
}

function shortName(source: RunSource): string {
  return source.file.slice(Math.max(source.file.lastIndexOf("/"), source.file.lastIndexOf("\\")) + 1);
}
