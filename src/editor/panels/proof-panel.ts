/** Computes the grader proof in front of the person: never kept, in slices, and it can be cancelled. */
import type { WebviewPanel } from "vscode";
import { wordsOf } from "../../core/options";
import type { ScenarioFile, World } from "../../core/world";
import type { ErrorPanelState, ProofPanelState } from "../../panel-protocol";
import type { Proof, ProofProgress } from "../../players/proof";
import type { App } from "../app";
import { VIEW_TYPES } from "../commands/command-table";
import { inSlices } from "../slices";
import type { PanelChannel } from "./panel-channel";
import { connectPanel, openPanel } from "./webview";

export interface ProofScope {
  readonly world: World;
  readonly title: string;
  readonly scenarios: readonly (string | ScenarioFile)[];
  readonly seeds: readonly number[];
}

const EMPTY: ProofPanelState = {
  kind: "proof",
  title: "",
  seeds: "",
  done: 0,
  total: 0,
  holds: null,
  rows: [],
};

/** Progress is drawn this often at most. Milliseconds. */
const PROGRESS_EVERY_MS = 250;

export class ProofPanel {
  private panel: WebviewPanel | null = null;
  private channel: PanelChannel | null = null;

  constructor(private readonly app: App) {}

  /** Opens the panel and works the proof out. Cancelling keeps the panel and says how far it came. */
  async show(scope: ProofScope): Promise<Proof | undefined> {
    this.attach(openPanel(this.app, VIEW_TYPES.proof, `Proof: ${scope.title}`));
    const { prove } = await import("../../players/proof");
    const seeds = seedText(scope.seeds);
    const base: ProofPanelState = { ...EMPTY, title: scope.title, seeds };
    const words = wordsOf(scope.world.actions.forms());
    const proof = await this.inProgress(
      base,
      words,
      prove(scope.world, { scenarios: scope.scenarios, seeds: scope.seeds }),
    );
    return proof;
  }

  /** A restored panel holds no result: the proof is always worked out anew. */
  restore(panel: WebviewPanel): void {
    this.attach(panel);
    this.channel?.show({
      kind: "error",
      title: "The proof is worked out anew each time",
      message: "Run “Firedrill: Show Grader Proof” to compute it again.",
    });
  }

  private inProgress(
    base: ProofPanelState,
    words: Readonly<Record<string, string>>,
    work: Iterator<ProofProgress, Proof>,
  ): Promise<Proof | undefined> {
    const { editor } = this.app;
    const panel = this.panel;
    let latest: ProofProgress | undefined;
    let shownAt = 0;
    const watched: Iterator<ProofProgress, Proof> = {
      next: () => {
        const result = work.next();
        if (!result.done) latest = result.value;
        return result;
      },
    };
    const options = {
      location: editor.ProgressLocation.Notification,
      title: `Grader proof: ${base.title}`,
      cancellable: true,
    };
    return Promise.resolve(
      editor.window.withProgress(options, async (progress, token) => {
        let reported = 0;
        const proof = await inSlices(watched, {
          isCancelled: () => token.isCancellationRequested || this.panel !== panel,
          onProgress: () => {
            if (!latest || this.app.ports.milliseconds() - shownAt < PROGRESS_EVERY_MS) return;
            shownAt = this.app.ports.milliseconds();
            const { done, total } = latest;
            progress.report({ message: `${done} of ${total} episodes`, increment: (100 * (done - reported)) / total });
            reported = done;
            this.channel?.show({ ...base, done, total });
          },
        });
        const { done, total } = latest ?? { done: 0, total: 0 };
        if (!proof) this.channel?.show(cancelled(done, total));
        else {
          const rows = proof.rows.map((row) => ({ ...row, family: familyText(row.family, words) }));
          this.channel?.show({ ...base, done: total, total, holds: proof.holds, rows });
        }
        return proof;
      }),
    );
  }

  private attach(panel: WebviewPanel): void {
    this.panel?.dispose();
    this.panel = panel;
    this.channel = connectPanel(this.app, panel, "proof", EMPTY, {
      calls: {
        command: async ({ command, args }) => {
          await this.app.editor.commands.executeCommand(command, ...(args ?? []));
          return null;
        },
      },
      disposed: () => {
        if (this.panel !== panel) return;
        this.panel = null;
        this.channel = null;
      },
    });
  }
}

/** A table of some episodes would prove nothing, so none is shown. */
function cancelled(done: number, total: number): ErrorPanelState {
  return {
    kind: "error",
    title: "The proof was cancelled",
    message: `${done} of ${total} episodes were played. Run “Firedrill: Show Grader Proof” to work it out from the start, with fewer seeds or one scenario if it takes too long.`,
  };
}

/** Families are named like what they draw, for which there are words; the others have names that read as such. */
export function familyText(family: string, words: Readonly<Record<string, string>>): string {
  return Object.hasOwn(words, family) ? (words[family] ?? family) : family.replaceAll("_", " ");
}

function seedText(seeds: readonly number[]): string {
  const first = seeds[0] ?? 0;
  const last = seeds[seeds.length - 1] ?? first;
  return seeds.length > 1 && last - first === seeds.length - 1 ? `${first}..${last}` : seeds.join(", ");
}
