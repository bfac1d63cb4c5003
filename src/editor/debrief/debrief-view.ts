/** A debrief in a webview: read, shown at once, then completed by the replay check and the reference players. */
import type { WebviewPanel } from "vscode";
import type { Trajectory } from "../../core/trajectory";
import type { World } from "../../core/world";
import type { DebriefPanelState, ErrorPanelState, PanelState } from "../../panel-protocol";
import type { App } from "../app";
import { findWorld, prepare } from "../episode/open-run";
import { sentence } from "../error-door";
import { gradeKey, openRecorded, replay, runEpisode, sourceOf } from "../kit";
import type { PanelChannel } from "../panels/panel-channel";
import { connectPanel } from "../panels/webview";
import type { RunSource } from "../run-source";
import { inSlices } from "../slices";
import { debriefState, readDebrief } from "./debrief-state";

/** Players whose grade on the same seed puts one's own into proportion. */
const REFERENCE_PLAYERS = ["idle", "rules", "oracle"];

/** Shows a recording in a panel and keeps it complete until the panel closes. */
export async function showDebrief(app: App, panel: WebviewPanel, source: RunSource): Promise<void> {
  const view = new DebriefView(app, panel, source);
  await view.load();
}

class DebriefView {
  private state: PanelState;
  private readonly channel: PanelChannel;
  private closed = false;

  constructor(
    private readonly app: App,
    panel: WebviewPanel,
    private readonly source: RunSource,
  ) {
    this.state = { kind: "error", title: "Reading the run…", message: source.file };
    this.channel = connectPanel(app, panel, "debrief", this.state, {
      calls: {
        command: async ({ command, args }) => {
          await app.editor.commands.executeCommand(command, this.source.ref, ...(args ?? []));
          return null;
        },
      },
      ui: (change) => this.keepUi(change),
      disposed: () => {
        this.closed = true;
      },
    });
  }

  async load(): Promise<void> {
    try {
      const text = await this.source.read();
      const facts = { file: this.source.file, text };
      const { trajectory, torn } = readDebrief(facts);
      const world = await findWorld(trajectory.episode.world);
      const forms = world.actions.forms().concat(publishedForms(world));
      this.show(debriefState(facts, trajectory, torn, forms, world));
      if (trajectory.end?.type === "grade") this.app.shownGrades.add(gradeKey(trajectory.episode));
      await pause();
      await prepareQuietly(world, trajectory);
      await this.checkReplay(world, trajectory);
      await this.addReferences(world, trajectory);
    } catch (error) {
      this.app.log.warn(`${this.source.file}: ${sentence("read the run", error)}`);
      this.show(unreadable(this.source.file, error));
    }
  }

  private async checkReplay(world: World, trajectory: Trajectory): Promise<void> {
    const result = replay(world, trajectory);
    this.update({
      replay: result.identical
        ? { status: "identical", steps: result.steps }
        : { status: "different", difference: result.firstDifference ?? "The replay differs." },
    });
    await pause();
  }

  /** Only ever after the end: on a run that goes on, they would give the answer away. */
  private async addReferences(world: World, trajectory: Trajectory): Promise<void> {
    if (trajectory.end?.type !== "grade") return;
    const references = await inSlices(referenceGrades(world, trajectory), { isCancelled: () => this.closed });
    if (references) this.update({ references });
  }

  private keepUi(change: Readonly<Record<string, unknown>>): void {
    if (this.state.kind !== "debrief") return;
    const step = change.step === null || typeof change.step === "number" ? change.step : this.state.ui.step;
    this.state = { ...this.state, ui: { step } };
    this.channel.adopt(this.state);
  }

  private update(change: Partial<DebriefPanelState>): void {
    if (this.state.kind === "debrief") this.show({ ...this.state, ...change });
  }

  private show(state: PanelState): void {
    this.state = state;
    if (!this.closed) this.channel.show(state);
  }
}

/** A scenario that is not there any more is told by the replay check. */
async function prepareQuietly(world: World, trajectory: Trajectory): Promise<void> {
  await prepare(world, sourceOf(trajectory), trajectory.episode.seed).catch(() => undefined);
}

/** The verbs of the published set, where it has its own. */
function publishedForms(world: World) {
  const published = world.scenarios().find((scenario) => scenario.split === "published");
  return published ? world.actionsFor(published).forms() : [];
}

function* referenceGrades(
  world: World,
  trajectory: Trajectory,
): Generator<void, { readonly player: string; readonly grade: number }[]> {
  const grades: { readonly player: string; readonly grade: number }[] = [];
  if (world.contentHash(sourceOf(trajectory)) !== trajectory.episode.content_hash) return grades;
  for (const factory of world.players.filter((each) => REFERENCE_PLAYERS.includes(each.name))) {
    const { grade } = runEpisode(openRecorded(world, trajectory), factory);
    if (grade.strict !== null) grades.push({ player: factory.name, grade: grade.strict });
    yield;
  }
  return grades;
}

function unreadable(file: string, error: unknown): ErrorPanelState {
  return {
    kind: "error",
    title: "This run cannot be shown",
    message: `${sentence("read the run", error)} (${file}) You can open it as text with “Reopen Editor With…”.`,
  };
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
