/** How commands are registered: everything goes through the error door, nothing fails silently. */
import type { App } from "../app";

export type Handler = (...args: readonly unknown[]) => Promise<unknown>;

/** Registers a command for people: errors are shown. `what` completes “Firedrill could not …”. */
export function register(app: App, id: string, what: string, handler: Handler): void {
  const command = app.editor.commands.registerCommand(`firedrill.${id}`, (...args: readonly unknown[]) =>
    app.door.run(what, () => handler(...args)),
  );
  app.context.subscriptions.push(command);
}

/**
 * Registers a command that programs call too: given one plain object it asks nothing, and errors go to the caller; without,
 * it prompts.
 */
export function registerForBoth(
  app: App,
  id: string,
  what: string,
  handlers: {
    readonly called: (args: Readonly<Record<string, unknown>>) => Promise<unknown>;
    readonly prompted: () => Promise<unknown>;
  },
): void {
  const command = app.editor.commands.registerCommand(`firedrill.${id}`, (...args: readonly unknown[]) => {
    const [given] = args;
    if (isPlainObject(given)) return handlers.called(given);
    return app.door.run(what, handlers.prompted);
  });
  app.context.subscriptions.push(command);
}

export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}
