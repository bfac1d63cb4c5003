/** The panel of the running episode: one a window, and it follows the run controller. */
import type { WebviewPanel } from "vscode";
import type { Problem } from "../../core/action";
import type { EpisodePanelState, ErrorPanelState, PanelState } from "../../panel-protocol";
import type { App } from "../app";
import { VIEW_TYPES } from "../commands/command-table";
import type { OpenedRun } from "../episode/run-controller";
import { sentence } from "../error-door";
import { episodePanelState } from "../panel-state";
import { isOwn } from "../views/listed-run";
import type { PanelChannel } from "./panel-channel";
import { connectPanel, openPanel } from "./webview";

export class EpisodePanel {
  private panel: WebviewPanel | null = null;
  private channel: PanelChannel | null = null;
  private myGrades: readonly number[] = [];

  constructor(private readonly app: App) {
    app.context.subscriptions.push(
      app.controller.onChange((change) => {
        if (change.type === "opened") void this.loadMyGrades();
        if (change.type === "closed") this.panel?.dispose();
        else this.refresh();
      }),
    );
  }

  /** Shows the panel, making it when there is none. */
  reveal(): void {
    const run = this.app.controller.current;
    if (!run) return;
    if (this.panel) this.panel.reveal(undefined, false);
    else this.attach(openPanel(this.app, VIEW_TYPES.alerts, titleOf(run)));
    this.channel?.focus();
  }

  get isVisible(): boolean {
    return this.panel?.visible ?? false;
  }

  /** Takes over a panel that the editor restored after a reload, and goes on with the episode it showed. */
  async restore(panel: WebviewPanel): Promise<void> {
    this.attach(panel);
    try {
      await this.app.controller.need();
      this.refresh();
    } catch (error) {
      this.channel?.show(errorState(error));
    }
  }

  private attach(panel: WebviewPanel): void {
    this.panel?.dispose();
    this.panel = panel;
    this.channel = connectPanel(this.app, panel, "alerts", this.state(), {
      calls: {
        act: async (action) => {
          const { done, problem } = await this.app.controller.act(action);
          return { done, ...(problem ? { problem } : {}) };
        },
        preview: async (action) => (await this.app.controller.need()).session.episode.preview(action),
        note: async ({ text }) => {
          await this.app.controller.note(text);
          return null;
        },
        command: async ({ command, args }) => {
          await this.app.editor.commands.executeCommand(command, ...(args ?? []));
          return null;
        },
      },
      ui: (change) => {
        this.app.controller.keepUi(change);
        this.channel?.adopt(this.state());
      },
      disposed: () => {
        if (this.panel !== panel) return;
        this.panel = null;
        this.channel = null;
      },
    });
  }

  private refresh(): void {
    const run = this.app.controller.current;
    if (!this.panel || !run) return;
    this.panel.title = titleOf(run);
    this.channel?.show(this.state());
  }

  private state(): PanelState {
    const { controller } = this.app;
    const run = controller.current;
    if (!run) return waiting;
    return stateOf(run, controller, this.myGrades);
  }

  /** Earlier grades of this person on this scenario, oldest first. Read after the panel shows: it can wait. */
  private async loadMyGrades(): Promise<void> {
    const run = this.app.controller.current;
    if (!run) return;
    const { runs } = await this.app.library.newest(MY_GRADES_FROM).catch(() => ({ runs: [] }));
    this.myGrades = runs
      .filter((each) => each.scenario === run.scenario.id && isOwn(each) && !each.hindsight)
      .flatMap((each) => (each.grade === null ? [] : [each.grade]))
      .reverse();
    this.refresh();
  }
}

/** Runs looked through for earlier grades. */
const MY_GRADES_FROM = 100;

const waiting: ErrorPanelState = {
  kind: "error",
  title: "Taking the episode up again…",
  message: "The run is being read from its file.",
};

type Player = EpisodePanelState["player"];
interface Controls {
  readonly player: Player;
  readonly ui: EpisodePanelState["ui"];
  readonly problem: Problem | null;
  readonly recordingError: string | null;
}

function stateOf(run: OpenedRun, controls: Controls, myGrades: readonly number[]): EpisodePanelState {
  const { session } = run;
  return episodePanelState({
    observation: session.observation,
    forms: run.forms,
    choices: (kind) => session.episode.choices(kind),
    run: run.name,
    recording: {
      on: !session.isOver && controls.recordingError === null,
      location: run.location,
      error: controls.recordingError,
    },
    player: controls.player,
    over: session.isOver,
    problem: controls.problem,
    ui: controls.ui,
    myGrades,
  });
}

function errorState(error: unknown): ErrorPanelState {
  return {
    kind: "error",
    title: "This episode cannot go on here",
    message: `${sentence("take the episode up again", error)} Start another one with “Firedrill: Start Scenario…”, or resume a run from the Runs view.`,
  };
}

function titleOf(run: OpenedRun): string {
  return `${run.world.title}: ${run.scenario.title}`;
}
