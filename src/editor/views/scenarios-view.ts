/** The tree of worlds, sets and scenarios, each with the best grade of one's own. */
import type { Event, TreeDataProvider, TreeItem, TreeView } from "vscode";
import type { ScenarioInfo, Split, WorldId } from "../../core/world";
import type { App } from "../app";
import { VIEWS } from "../commands/command-table";
import { isOwn, type ListedRun } from "./listed-run";

export type ScenarioNode =
  | { readonly kind: "world"; readonly world: WorldId; readonly title: string; readonly summary: string }
  | { readonly kind: "set"; readonly world: WorldId; readonly split: Split; readonly count: number }
  | { readonly kind: "scenario"; readonly info: ScenarioInfo };

/** The sets in the order a person should meet them. */
export const SETS: readonly { readonly split: Split; readonly title: string; readonly help: string }[] = [
  { split: "starter", title: "First Episodes", help: "small, and they teach the controls" },
  { split: "train", title: "Practice", help: "as many seeds as you like" },
  { split: "validation", title: "Validation", help: "structures the practice set does not have" },
  { split: "holdout", title: "Holdout", help: "families the other sets do not have" },
  { split: "published", title: "Published Tasks", help: "three public triage tasks with their own scoring" },
];

/** Runs looked through for best grades. */
const BEST_FROM = 500;

export class ScenariosView implements TreeDataProvider<ScenarioNode> {
  readonly onDidChangeTreeData: Event<undefined>;
  private readonly changed;
  private readonly view: TreeView<ScenarioNode>;
  private best: Promise<ReadonlyMap<string, number | null>> | undefined;

  constructor(private readonly app: App) {
    this.changed = new app.editor.EventEmitter<undefined>();
    this.onDidChangeTreeData = this.changed.event;
    this.view = app.editor.window.createTreeView(VIEWS.scenarios, { treeDataProvider: this });
    app.context.subscriptions.push(
      this.view,
      this.changed,
      app.library.onChange(() => this.refresh()),
    );
  }

  refresh(): void {
    this.best = undefined;
    this.changed.fire(undefined);
  }

  async getChildren(node?: ScenarioNode): Promise<ScenarioNode[]> {
    const { loadWorld, worldIds } = await import("../kit");
    if (!node) {
      const worlds = await Promise.all(worldIds.map((id) => loadWorld(id)));
      return worlds.map(({ id, title, summary }) => ({ kind: "world", world: id, title, summary }));
    }
    if (node.kind === "scenario") return [];
    const scenarios = (await loadWorld(node.world)).scenarios();
    if (node.kind === "set")
      return scenarios.filter((info) => info.split === node.split).map((info) => ({ kind: "scenario", info }));
    return SETS.flatMap(({ split }) => {
      const count = scenarios.filter((info) => info.split === split).length;
      return count ? [{ kind: "set", world: node.world, split, count }] : [];
    });
  }

  async getTreeItem(node: ScenarioNode): Promise<TreeItem> {
    if (node.kind === "world") return this.worldItem(node);
    if (node.kind === "set") return this.setItem(node);
    return this.scenarioItem(node.info);
  }

  private worldItem(node: Extract<ScenarioNode, { kind: "world" }>): TreeItem {
    const { TreeItem, TreeItemCollapsibleState, ThemeIcon } = this.app.editor;
    const item = new TreeItem(node.title, TreeItemCollapsibleState.Expanded);
    return Object.assign(item, {
      id: node.world,
      tooltip: node.summary,
      iconPath: new ThemeIcon("bell"),
      contextValue: "world",
    });
  }

  private setItem(node: Extract<ScenarioNode, { kind: "set" }>): TreeItem {
    const { TreeItem, TreeItemCollapsibleState, ThemeIcon } = this.app.editor;
    const set = SETS.find((each) => each.split === node.split);
    const first = node.split === "starter";
    const state = first ? TreeItemCollapsibleState.Expanded : TreeItemCollapsibleState.Collapsed;
    return Object.assign(new TreeItem(set?.title ?? node.split, state), {
      id: `${node.world}/${node.split}`,
      description: `${node.count} — ${set?.help ?? ""}`,
      iconPath: new ThemeIcon("folder-library"),
      contextValue: "set",
    });
  }

  private async scenarioItem(info: ScenarioInfo): Promise<TreeItem> {
    const { TreeItem, ThemeIcon, MarkdownString } = this.app.editor;
    this.best ??= this.bestGrades();
    const best = (await this.best).get(scenarioKey(info.world, info.id));
    const icon = best === undefined ? "circle-large-outline" : best === null ? "circle-filled" : "pass-filled";
    const told = best === undefined ? "never played" : best === null ? "played, no grade" : `best ${best.toFixed(2)}`;
    const tooltip = new MarkdownString().appendText(`${info.title}\n\n${info.brief}\n\n`);
    tooltip.appendText(`${info.difficulty} · ${info.maxSteps} steps · ${info.maxMinutes} simulated minutes`);
    return Object.assign(new TreeItem(info.title), {
      id: `${info.world}/${info.split}/${info.id}`,
      description: `${info.difficulty} · ${told}`,
      iconPath: new ThemeIcon(icon),
      tooltip,
      contextValue: "scenario",
      accessibilityInformation: { label: `${info.title}, ${info.difficulty}, ${told}` },
    });
  }

  private async bestGrades(): Promise<ReadonlyMap<string, number | null>> {
    const { runs } = await this.app.library.newest(BEST_FROM).catch(() => ({ runs: [] }));
    const best = bestGrades(runs);
    this.view.message = best.size === 0 ? "New here? Play one of the first episodes; it takes about ten minutes." : "";
    return best;
  }
}

/** Best strict grade by scenario over one's own honest runs; null where every run went without a grade. */
export function bestGrades(runs: readonly ListedRun[]): ReadonlyMap<string, number | null> {
  const best = new Map<string, number | null>();
  for (const run of runs) {
    if (run.status === "unreadable" || !isOwn(run)) continue;
    const key = scenarioKey(run.world, run.scenario);
    const before = best.get(key) ?? null;
    const grade = run.hindsight ? null : run.grade;
    best.set(key, grade === null ? before : before === null ? grade : Math.max(before, grade));
  }
  return best;
}

function scenarioKey(world: string, scenario: string): string {
  return `${world}/${scenario}`;
}
