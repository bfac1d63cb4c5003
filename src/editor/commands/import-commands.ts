/** Bringing in alerts of one's own, and opening scenario files that others saved. */
import type { Uri } from "vscode";
import type { App } from "../app";
import { TellUser } from "../error-door";
import type { TruthFormPanel } from "../panels/truth-form-panel";
import { pickFile, pickScenarioFile, readText } from "../scenario-files";
import { isPlainObject, register } from "./registry";
import { type EpisodeDoor, start } from "./scenario-commands";

/** Commands take a URI as their argument and then ask for no file. */
export function registerImportCommands(app: App, door: EpisodeDoor, form: TruthFormPanel): void {
  register(app, "importAlerts", "import the alerts", async (given) => {
    const uri = uriOf(app, given) ?? (await pickFile(app, "Import Alerts", { "Alerts (JSON)": ["json"] }));
    if (!uri) return;
    const { importAlerts } = await import("../../worlds/alerts/import/import-alerts");
    const set = importAlerts(await readText(app, uri));
    for (const note of set.source.notes) app.log.info(`${uri.path}: ${note}`);
    form.open(set, uri);
  });
  register(app, "openScenarioFile", "open the scenario", async (given, seed) => {
    const uri = uriOf(app, given) ?? (await pickScenarioFile(app));
    if (!uri) return undefined;
    const { allWorlds } = await import("../episode/open-run");
    const text = await readText(app, uri);
    const world = (await allWorlds()).find((each) => each.id === worldOf(text)) ?? (await allWorlds())[0];
    if (!world) throw new TellUser("This version has no world that reads scenario files; update Firedrill.");
    const scenario = world.readScenarioFile(text, app.ports.nonce());
    return start(app, door, { world: world.id, scenario, seed: typeof seed === "number" ? seed : 0 });
  });
}

function uriOf(app: App, given: unknown): Uri | undefined {
  if (given instanceof app.editor.Uri) return given;
  if (typeof given === "string" && given)
    return /^[a-z][a-z0-9+.-]+:\//i.test(given) ? app.editor.Uri.parse(given) : app.editor.Uri.file(given);
  if (isPlainObject(given) && typeof given.path === "string") return app.editor.Uri.file(given.path);
  return undefined;
}

/** The world a scenario file names, when it can be told; its world says what is wrong otherwise. */
function worldOf(text: string): string | undefined {
  try {
    const { world } = JSON.parse(text) as { readonly world?: unknown };
    return typeof world === "string" ? world : undefined;
  } catch {
    return undefined;
  }
}
