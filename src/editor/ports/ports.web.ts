/** The web extension host, as on vscode.dev: everything through `workspace.fs`. */
import type { Uri } from "vscode";
import type { Editor } from "../editor";
import { type Ports, randomPorts } from "./ports";

export function webPorts(editor: Editor): Ports {
  const random = randomPorts((n) => crypto.getRandomValues(new Uint8Array(n)));
  const tab = random.nonce();
  return {
    host: "web",
    ...random,
    openStore: async (folder: Uri) => {
      const { segmentStore } = await import("./segment-port");
      const { tabLiveness } = await import("../../storage/tab-liveness");
      const locks = typeof navigator === "undefined" ? undefined : navigator.locks;
      const origin = typeof location === "undefined" ? "" : location.origin;
      return segmentStore(editor, folder, tabLiveness(tab, locks, origin), () => random.nonce().slice(0, 12));
    },
    now: () => new Date().toISOString(),
    milliseconds: () => performance.now(),
  };
}
