/** Recordings in a folder of `workspace.fs`. */
import type { Uri } from "vscode";
import type { RecordStore } from "../../core/recorder";
import type { Liveness } from "../../storage/claim";
import { type WorkspaceFileSystem, workspaceFolder } from "../../storage/folder-files";
import { SegmentRecordStore } from "../../storage/segment-store";
import type { Editor } from "../editor";

export function segmentStore(editor: Editor, folder: Uri, liveness: Liveness, randomId: () => string): RecordStore {
  const { fs } = editor.workspace;
  // The editor's thenables are not promises as the language has them, so each is awaited here.
  const system: WorkspaceFileSystem<Uri> = {
    readFile: async (uri) => fs.readFile(uri),
    writeFile: async (uri, content) => fs.writeFile(uri, content),
    delete: async (uri) => fs.delete(uri),
    readDirectory: async (uri) => fs.readDirectory(uri),
    stat: async (uri) => fs.stat(uri),
    createDirectory: async (uri) => fs.createDirectory(uri),
  };
  const files = workspaceFolder(system, folder, (base, name) => editor.Uri.joinPath(base, name));
  return new SegmentRecordStore({ files, liveness, randomId });
}
