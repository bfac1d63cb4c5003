/** Files of alerts and scenarios as people choose them, in whatever file system the editor has. */
import type { Uri } from "vscode";
import type { App } from "./app";
import { TellUser } from "./error-door";

/** A file larger than this is no alert queue anybody could play. */
const MOST_BYTES = 20_000_000;

export function pickScenarioFile(app: App): Promise<Uri | undefined> {
  return pickFile(app, "Open Scenario File", { "Firedrill scenarios": ["json"] });
}

export async function pickFile(app: App, title: string, filters: Record<string, string[]>): Promise<Uri | undefined> {
  const picked = await app.editor.window.showOpenDialog({ title, filters, canSelectMany: false, openLabel: "Open" });
  return picked?.[0];
}

/** @throws TellUser when it cannot be read, or is too large. */
export async function readText(app: App, uri: Uri): Promise<string> {
  const name = uri.path.slice(uri.path.lastIndexOf("/") + 1);
  const unreadable = (error: unknown): never => {
    const why = error instanceof Error ? error.message : String(error);
    throw new TellUser(`${name} could not be read (${why}); check that the file is there and may be read.`);
  };
  const { size } = await app.editor.workspace.fs.stat(uri).then((stat) => stat, unreadable);
  if (size > MOST_BYTES)
    throw new TellUser(
      `${name} has ${Math.round(size / 1e6)} MB; alerts are read from files of up to ${MOST_BYTES / 1e6} MB.`,
    );
  const bytes = await app.editor.workspace.fs.readFile(uri).then((read) => read, unreadable);
  return new TextDecoder().decode(bytes);
}
