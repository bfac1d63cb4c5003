/** The panel of the running episode: one a window, and it follows the run controller. */
import type { WebviewPanel } from "vscode";
import type { Problem } from "../../core/action";
import type { EpisodePanelState, ErrorPanelState, PanelState, WorldPanelKind } from "../../panel-protocol";
import type { App } from "../app";
import type { OpenedRun } from "../episode/run-controller";
import { sentence } from "../error-door";
import { episodePanelState } from "../panel-state";
import { isOwn } from "../views/listed-run";
import { episodeCalls } from "./episode-calls";
import type { PanelChannel } from "./panel-channel";
import { connectPanel, openPanel } from "./webview";
import { WORLD_PANELS, type WorldPanel } from "./world-panels";

export class EpisodePanel {
  private panel: WebviewPanel | null = null;
  /** Which world's panel it is. */
  private own: WorldPanel | null = null;
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
    const own = WORLD_PANELS[run.world.id];
    if (!own) {
      const text = `${run.world.title} has no panel in this version; play it with “Firedrill: Take Action…”.`;
      void this.app.editor.window.showInformationMessage(text);
      return;
    }
    if (this.panel && this.own === own) this.panel.reveal(undefined, false);
    else this.attach(openPanel(this.app, own.viewType, titleOf(run)), own);
    this.channel?.focus();
  }

  get isVisible(): boolean {
    return this.panel?.visible ?? false;
  }

  /** Takes over a panel that the editor restored after a reload, and goes on with the episode it showed. */
  async restore(panel: WebviewPanel, own: WorldPanel): Promise<void> {
    this.attach(panel, own);
    try {
      await this.app.controller.need();
      this.refresh();
    } catch (error) {
      this.channel?.show(errorState(error));
    }
  }

  private attach(panel: WebviewPanel, own: WorldPanel): void {
    this.panel?.dispose();
    this.panel = panel;
    this.own = own;
    const { controller, editor } = this.app;
    this.channel = connectPanel(this.app, panel, own.page, this.state(), {
      calls: episodeCalls(controller, (command, args) => editor.commands.executeCommand(command, ...args)),
      ui: (change) => {
        controller.keepUi(change);
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
    const own = run && WORLD_PANELS[run.world.id];
    if (!run || !own) return waiting;
    return stateOf(run, own.page, controller, this.myGrades);
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

function stateOf(
  run: OpenedRun,
  kind: WorldPanelKind,
  controls: Controls,
  myGrades: readonly number[],
): EpisodePanelState {
  const { session } = run;
  return episodePanelState({
    kind,
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
