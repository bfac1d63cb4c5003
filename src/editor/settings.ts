/** The settings under `firedrill.*`, read where they are used, so that a change holds at once. */
import type { Uri } from "vscode";
import type { Editor } from "./editor";

export const DEFAULT_PACE_MS = 1000;
export const PACE_RANGE_MS = { least: 0, most: 60_000 } as const;

export interface Settings {
  /** Where runs are kept: the person's folder, else the extension's own storage. */
  runsFolder(): Uri;
  /** Whether pages arrive as notifications. */
  pageNotifications(): boolean;
  drillTimer(): boolean;
  /** Milliseconds between the steps of a watched player. */
  paceMs(): number;
}

export function readSettings(editor: Editor, globalStorage: Uri): Settings {
  const get = <T>(key: string, otherwise: T): T =>
    editor.workspace.getConfiguration("firedrill").get<T>(key) ?? otherwise;
  return {
    runsFolder: () => folderUri(editor, get("runs.folder", ""), globalStorage),
    pageNotifications: () => !get("quietMode", false),
    drillTimer: () => get("drillTimer", false),
    paceMs: () => clampPace(get("player.paceMs", DEFAULT_PACE_MS)),
  };
}

export function clampPace(ms: number): number {
  if (!Number.isFinite(ms)) return DEFAULT_PACE_MS;
  return Math.min(PACE_RANGE_MS.most, Math.max(PACE_RANGE_MS.least, Math.round(ms)));
}

/** A path, a `~/path` or a URI; empty means the extension's storage. */
function folderUri(editor: Editor, text: string, globalStorage: Uri): Uri {
  const folder = text.trim();
  if (!folder) return editor.Uri.joinPath(globalStorage, "runs");
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(folder)) return editor.Uri.parse(folder);
  const home = folder.startsWith("~/") ? homeFolder() : undefined;
  return editor.Uri.file(home ? `${home}${folder.slice(1)}` : folder);
}

function homeFolder(): string | undefined {
  if (typeof process === "undefined") return undefined;
  return process.env.HOME ?? process.env.USERPROFILE;
}
