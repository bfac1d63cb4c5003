/** What follows on the end of an episode: the listings are read anew and the debrief opens. */
import type { App } from "./app";
import type { DebriefPanels } from "./panels/debrief-panels";
import { sourceByName } from "./run-source";

export function followEnd(app: App, debriefs: DebriefPanels): void {
  app.context.subscriptions.push(
    app.controller.onChange((change) => {
      if (change.type === "opened" || change.type === "closed") app.library.refresh();
      if (change.type === "failed") void app.door.show("let the player go on", change.error);
      const run = app.controller.current;
      if (change.type !== "session" || change.event.type !== "ended" || !run) return;
      app.library.refresh();
      debriefs.open(sourceByName(app, run.name));
    }),
    app.editor.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("firedrill.runs.folder")) app.library.refresh();
    }),
    app.editor.window.onDidChangeWindowState(({ focused }) => {
      if (focused) app.library.refresh();
    }),
  );
}
