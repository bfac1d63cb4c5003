/** `vscode://firedrill.firedrill/start?world=…&scenario=…&seed=…` starts an episode. */
import type { Uri } from "vscode";
import type { App } from "./app";
import { type EpisodeDoor, startByArguments } from "./commands/scenario-commands";
import { TellUser } from "./error-door";

export function registerLinks(app: App, door: EpisodeDoor): void {
  const handler = {
    handleUri: (uri: Uri) => void app.door.run("open the link", () => open(app, door, uri)),
  };
  app.context.subscriptions.push(app.editor.window.registerUriHandler(handler));
}

async function open(app: App, door: EpisodeDoor, uri: Uri): Promise<unknown> {
  if (uri.path !== "/start")
    throw new TellUser(`The link “${uri.path}” is none of Firedrill's; links to an episode begin with /start.`);
  return startByArguments(app, door, linkArguments(uri.query));
}

/** What a link's query names; a seed that is no number is left for the check of the command. */
export function linkArguments(query: string): Record<string, unknown> {
  const parameters = new URLSearchParams(query);
  const seed = parameters.get("seed");
  return {
    world: parameters.get("world") ?? "",
    scenario: parameters.get("scenario") ?? "",
    ...(seed === null ? {} : { seed: /^\d{1,15}$/.test(seed) ? Number(seed) : seed }),
  };
}
