/** The tree of recorded runs: newest first, with status, player and grade. */
import type { Event, TreeDataProvider, TreeItem, TreeView } from "vscode";
import type { App } from "../app";
import { CONTEXT, VIEWS } from "../commands/command-table";
import { sentence } from "../error-door";
import type { ListedRun, RunStatus } from "./listed-run";
import { PAGE_OF_RUNS } from "./run-library";

export type RunNode =
  | { readonly kind: "run"; readonly run: ListedRun }
  | { readonly kind: "more"; readonly left: number }
  | { readonly kind: "problem"; readonly message: string };

const ICONS: Readonly<Record<RunStatus | "running", string>> = {
  running: "record",
  graded: "pass",
  ungraded: "question",
  abandoned: "debug-pause",
  unfinished: "debug-pause",
  unreadable: "warning",
};

export class RunsView implements TreeDataProvider<RunNode> {
  readonly onDidChangeTreeData: Event<undefined>;
  private readonly changed;
  private readonly view: TreeView<RunNode>;
  private limit = PAGE_OF_RUNS;
  private filter = "";

  constructor(private readonly app: App) {
    this.changed = new app.editor.EventEmitter<undefined>();
    this.onDidChangeTreeData = this.changed.event;
    this.view = app.editor.window.createTreeView(VIEWS.runs, { treeDataProvider: this, showCollapseAll: false });
    app.context.subscriptions.push(
      this.view,
      this.changed,
      app.library.onChange(() => this.refresh()),
    );
  }

  refresh(): void {
    this.changed.fire(undefined);
  }

  showMore(): void {
    this.limit += PAGE_OF_RUNS;
    this.refresh();
  }

  get filterText(): string {
    return this.filter;
  }

  async setFilter(text: string): Promise<void> {
    this.filter = text.trim();
    this.view.description = this.filter ? `“${this.filter}”` : "";
    await this.app.editor.commands.executeCommand("setContext", CONTEXT.runsFiltered, this.filter !== "");
    this.refresh();
  }

  async getChildren(node?: RunNode): Promise<RunNode[]> {
    if (node) return [];
    try {
      const { runs, total } = await this.app.library.newest(this.limit);
      this.setBadge(runs);
      const shown = runs.filter((run) => matchesFilter(run, this.filter)).map((run) => ({ kind: "run" as const, run }));
      return total > runs.length ? [...shown, { kind: "more", left: total - runs.length }] : shown;
    } catch (error) {
      return [{ kind: "problem", message: sentence("list the runs", error) }];
    }
  }

  getTreeItem(node: RunNode): TreeItem {
    const { TreeItem, ThemeIcon } = this.app.editor;
    if (node.kind === "problem")
      return Object.assign(new TreeItem(node.message), { iconPath: new ThemeIcon("warning"), tooltip: node.message });
    if (node.kind === "more")
      return Object.assign(new TreeItem(`Show more (${node.left} older)`), {
        command: { command: "firedrill.showMoreRuns", title: "Show More Runs" },
      });
    return this.runItem(node.run);
  }

  private runItem(run: ListedRun): TreeItem {
    const { TreeItem, ThemeIcon, MarkdownString } = this.app.editor;
    const running = this.app.controller.active?.name === run.name;
    const description = describe(run, running);
    const tooltip = new MarkdownString().appendText(
      [run.title, description, run.problem ?? "", run.openedAt, run.location].filter(Boolean).join("\n\n"),
    );
    return Object.assign(new TreeItem(run.title), {
      id: run.name,
      description,
      tooltip,
      iconPath: new ThemeIcon(ICONS[running ? "running" : run.status]),
      contextValue: running ? "run.running" : `run.${run.status}`,
      command: {
        command: running ? "firedrill.openPanel" : "firedrill.openDebrief",
        title: running ? "Open Episode Panel" : "Open Debrief",
        arguments: running ? [] : [run.name],
      },
      accessibilityInformation: { label: `${run.title}, ${description}` },
    });
  }

  /** Runs that wait to be finished, without the one that is being played. */
  private setBadge(runs: readonly ListedRun[]): void {
    const running = this.app.controller.active?.name;
    const waiting = runs.filter((run) => run.status === "unfinished" && run.name !== running).length;
    const tooltip = waiting === 1 ? "1 unfinished run" : `${waiting} unfinished runs`;
    this.view.badge = waiting ? { value: waiting, tooltip } : undefined;
  }
}

/** `0.84 · you · seed 7 · 2026-11-29`: what matters most survives a narrow side bar. */
export function describe(run: ListedRun, running: boolean): string {
  if (run.status === "unreadable") return "cannot be read";
  const player = playersText(run);
  const grade = run.grade === null ? (running ? "running" : run.status) : run.grade.toFixed(2);
  const hindsight = run.hindsight ? " (hindsight)" : "";
  return `${grade}${hindsight} · ${player} · seed ${run.seed} · ${run.openedAt.slice(0, 10)}`;
}

/** `you`, `rules`, `you + rules`. */
export function playersText(run: Pick<ListedRun, "players">): string {
  return run.players.map((player) => (player === "human" ? "you" : player.replace(/^(policy|model):/, ""))).join(" + ");
}

/** Every word of the filter must stand in the run's title, player, status, world, scenario, seed or date. */
export function matchesFilter(run: ListedRun, filter: string): boolean {
  const text = [run.title, run.status, run.world, run.scenario, describe(run, false), run.name].join(" ").toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
