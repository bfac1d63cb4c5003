/** Puts one of our panels into an editor webview and connects it to its channel. */
import type { Uri, WebviewOptions, WebviewPanel } from "vscode";
import type { PanelKind, PanelState } from "../../panel-protocol";
import type { App } from "../app";
import { sentence } from "../error-door";
import { panelPage } from "./html";
import { type CallHandlers, PanelChannel } from "./panel-channel";

export interface PanelHooks {
  readonly calls: CallHandlers;
  readonly ui?: (change: Readonly<Record<string, unknown>>) => void;
  readonly disposed?: () => void;
  readonly shown?: () => void;
}

/** Panels as of this window, for tests: when each kind last had its data on the screen. */
export const drawnAfterMs: Partial<Record<PanelKind, number>> = {};

/** Tabs show a picture as it is, so its colour must stand on light and dark grounds. */
const ICON = "firedrill-tab.svg";

export function webviewOptions(app: App): WebviewOptions {
  return { enableScripts: true, localResourceRoots: [webviewFolder(app)] };
}

function webviewFolder(app: App): Uri {
  return app.editor.Uri.joinPath(app.context.extensionUri, "dist", "webview");
}

/** Opens a panel beside the code. A hidden panel keeps nothing: it is sent everything again when it shows. */
export function openPanel(app: App, viewType: string, title: string): WebviewPanel {
  const column = app.editor.window.activeTextEditor ? app.editor.ViewColumn.Beside : app.editor.ViewColumn.Active;
  return app.editor.window.createWebviewPanel(viewType, title, column, {
    ...webviewOptions(app),
    retainContextWhenHidden: false,
    enableFindWidget: true,
  });
}

export function connectPanel(
  app: App,
  panel: WebviewPanel,
  kind: PanelKind,
  state: PanelState,
  hooks: PanelHooks,
): PanelChannel {
  const { webview } = panel;
  const channel = new PanelChannel(
    {
      post: (message) => webview.postMessage(message),
      ui: (change) => hooks.ui?.(change),
      drawn: (ms) => {
        drawnAfterMs[kind] = ms;
        app.log.debug(`The ${kind} panel had its data on the screen ${Math.round(ms)} ms after its first line.`);
      },
      failed: (method, error) => {
        void app.door.show(`answer the panel (${method})`, error);
        return sentence("do that", error);
      },
    },
    hooks.calls,
    state,
  );
  webview.options = webviewOptions(app);
  panel.iconPath = app.editor.Uri.joinPath(app.context.extensionUri, "media", ICON);
  const file = (name: string) => webview.asWebviewUri(app.editor.Uri.joinPath(webviewFolder(app), name)).toString();
  const subscriptions = [
    webview.onDidReceiveMessage((message) => channel.receive(message)),
    panel.onDidChangeViewState(() => {
      if (panel.visible) channel.shown();
      else channel.hidden();
      if (panel.active) hooks.shown?.();
    }),
  ];
  panel.onDidDispose(() => {
    channel.hidden();
    for (const each of subscriptions) each.dispose();
    hooks.disposed?.();
  });
  webview.html = panelPage({
    kind,
    title: panel.title,
    nonce: app.ports.nonce(),
    cspSource: webview.cspSource,
    script: file(`${kind}.js`),
    style: file(`${kind}.css`),
    icons: file("codicon.css"),
  });
  return channel;
}
