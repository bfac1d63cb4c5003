/** A recording as commands name it: by its name in the runs folder, or by the file it is in. */
import type { Uri } from "vscode";
import { RECORD_SUFFIX } from "../core/recorder";
import type { App } from "./app";
import { TellUser } from "./error-door";
import { playersText } from "./views/runs-view";

export interface RunSource {
  /** Name in the runs folder, or null for a file elsewhere. */
  readonly name: string | null;
  /** As people name it. */
  readonly file: string;
  /** What commands take to mean this run again: its name, or its URI as text. */
  readonly ref: string;
  /** @throws RecordError, or the file system's error. */
  read(): Promise<string>;
}

export function sourceByName(app: App, name: string): RunSource {
  return { name, file: name, ref: name, read: () => readByName(app, name) };
}

/** A file on disk is read whole, so that what a crash tore off is seen; elsewhere the store joins the segments. */
async function readByName(app: App, name: string): Promise<string> {
  const folder = app.settings.runsFolder();
  if (app.ports.host === "node" && folder.scheme === "file") {
    const uri = app.editor.Uri.joinPath(folder, name);
    const bytes = await app.editor.workspace.fs.readFile(uri).then(
      (read) => read,
      () => undefined,
    );
    if (bytes) return new TextDecoder().decode(bytes);
  }
  return app.library.read(name);
}

/** A file in the runs folder is read through the store, which knows how it is kept; any other file is read whole. */
export function sourceByUri(app: App, uri: Uri): RunSource {
  const folder = app.settings.runsFolder();
  const name = uri.path.slice(uri.path.lastIndexOf("/") + 1);
  const inFolder = app.editor.Uri.joinPath(folder, name).toString() === uri.toString();
  if (inFolder && name.endsWith(RECORD_SUFFIX)) return sourceByName(app, name);
  return {
    name: null,
    file: uri.scheme === "file" ? uri.fsPath : uri.toString(true),
    ref: uri.toString(),
    read: async () => new TextDecoder().decode(await app.editor.workspace.fs.readFile(uri)),
  };
}

/**
 * The run a command's argument names: a name, a path or a URI, or an object with a `name` or a `run`, such as a node of the tree;
 * undefined when it names none.
 */
export function sourceOfRef(app: App, ref: unknown): RunSource | undefined {
  if (typeof ref === "string" && ref !== "") {
    if (/^[a-z][a-z0-9+.-]+:\//i.test(ref)) return sourceByUri(app, app.editor.Uri.parse(ref));
    if (ref.includes("/") || ref.includes("\\")) return sourceByUri(app, app.editor.Uri.file(ref));
    return sourceByName(app, ref);
  }
  if (typeof ref !== "object" || ref === null) return undefined;
  if (ref instanceof app.editor.Uri) return sourceByUri(app, ref);
  const { run, name } = ref as { readonly run?: unknown; readonly name?: unknown };
  if (typeof run === "string") return sourceByName(app, run);
  if (typeof run === "object" && run !== null) return sourceOfRef(app, run);
  return typeof name === "string" ? sourceByName(app, name) : undefined;
}

/** The run an argument names, else the one that is picked. Undefined when the person leaves. */
export async function chooseRun(
  app: App,
  ref: unknown,
  placeHolder: string,
  fits: (status: string) => boolean = () => true,
): Promise<RunSource | undefined> {
  const named = sourceOfRef(app, ref);
  if (named) return named;
  const { runs } = await app.library.newest(CHOICES);
  const items = runs
    .filter((run) => fits(run.status))
    .map((run) => ({
      label: run.title,
      description: run.grade === null ? run.status : `${run.status} ${run.grade.toFixed(2)}`,
      detail: `${playersText(run)} · seed ${run.seed} · ${run.name}`,
      name: run.name,
    }));
  if (items.length === 0)
    throw new TellUser("There is no run to choose from yet; play an episode with “Firedrill: Start Scenario…” first.");
  const picked = await app.editor.window.showQuickPick(items, { placeHolder, matchOnDetail: true });
  return picked && sourceByName(app, picked.name);
}

/** Runs offered in a pick. */
const CHOICES = 200;
