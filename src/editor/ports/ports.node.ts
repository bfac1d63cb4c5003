/** The Node extension host: real appends where the folder is on disk. */
import { randomBytes } from "node:crypto";
import type { Uri } from "vscode";
import type { Editor } from "../editor";
import { type Ports, randomPorts } from "./ports";

export function nodePorts(editor: Editor): Ports {
  return {
    host: "node",
    ...randomPorts((n) => randomBytes(n)),
    openStore: async (folder: Uri) => {
      if (folder.scheme === "file") {
        const { NodeRecordStore } = await import("../../storage/node-store.node");
        return new NodeRecordStore(folder.fsPath);
      }
      const { segmentStore } = await import("./segment-port");
      const { processLiveness } = await import("../../storage/process-liveness.node");
      return segmentStore(editor, folder, processLiveness(), () => randomBytes(6).toString("hex"));
    },
    now: () => new Date().toISOString(),
    milliseconds: () => performance.now(),
  };
}
