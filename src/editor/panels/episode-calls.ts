/** What an episode panel may ask of the host, answered by the run controller. */
import type { RunController } from "../episode/run-controller";
import type { CallHandlers } from "./panel-channel";

export function episodeCalls(
  controller: RunController,
  runCommand: (command: string, args: readonly unknown[]) => PromiseLike<unknown>,
): CallHandlers {
  return {
    act: async (action) => {
      const { done, problem } = await controller.act(action);
      return { done, ...(problem ? { problem } : {}) };
    },
    // A panel asks for it while somebody types, so the question may come after the end or before a run is taken up again:
    // then there is nothing to preview, which is nobody's error.
    preview: async (action) => controller.active?.session.episode.preview(action) ?? null,
    note: async ({ text }) => {
      await controller.note(text);
      return null;
    },
    command: async ({ command, args }) => {
      await runCommand(command, args ?? []);
      return null;
    },
  };
}
