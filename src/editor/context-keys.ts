/** Context keys follow the run controller, so that commands show only where they make sense. */
import type { App } from "./app";
import { CONTEXT } from "./commands/command-table";

export function followContext(app: App): void {
  const known = new Map<string, unknown>();
  const set = (key: string, value: unknown): void => {
    if (known.get(key) === value) return;
    known.set(key, value);
    void app.editor.commands.executeCommand("setContext", key, value);
  };
  const update = (): void => {
    const { controller } = app;
    const run = controller.current;
    set(CONTEXT.runActive, controller.active !== null || controller.remembered !== undefined);
    set(CONTEXT.hasRun, run !== null || controller.remembered !== undefined);
    set(CONTEXT.world, run?.world.id ?? "");
    set(CONTEXT.verbs, run?.scenario.split === "published" ? "published" : "full");
    set(CONTEXT.watching, controller.player.mode === "watch");
  };
  app.context.subscriptions.push(app.controller.onChange(update));
  update();
}
