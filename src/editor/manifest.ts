/**
 * The parts of package.json that follow from the code: `contributes` and `activationEvents`. Commands of actions are derived
 * from each world's catalogue, so that adding an action is one edit and one `npm run manifest`. Pure.
 */
import type { ActionCatalogue } from "../core/action";
import { RECORD_SUFFIX } from "../core/recorder";
import type { World, WorldId } from "../core/world";
import { COMMANDS, CONTEXT, VIEW_TYPES, VIEWS } from "./commands/command-table";
import { configuration, viewsWelcome, walkthroughs } from "./manifest-texts";
import { WORLD_PANELS } from "./panels/world-panels";

/** What the manifest needs to know of a world. */
export interface WorldActions {
  readonly id: WorldId;
  /** Verbs of generated and imported scenarios. */
  readonly full: ActionCatalogue;
  /** Verbs of the published set; null when the world has none. */
  readonly published: ActionCatalogue | null;
}

/** Reads off a world what the manifest needs. */
export function worldActions(world: World): WorldActions {
  const published = world.scenarios().find((scenario) => scenario.split === "published");
  return { id: world.id, full: world.actions, published: published ? world.actionsFor(published) : null };
}

export interface ManifestParts {
  readonly activationEvents: readonly string[];
  readonly contributes: Readonly<Record<string, unknown>>;
}

interface Command {
  readonly command: string;
  readonly title: string;
  readonly category: string;
  readonly icon?: string;
}

interface MenuItem {
  readonly command: string;
  readonly when?: string;
  readonly group?: string;
}

const CATEGORY = "Firedrill";

export function manifestParts(worlds: readonly WorldActions[]): ManifestParts {
  const actions = worlds.flatMap(actionCommands);
  return {
    activationEvents: ["onUri", ...panelEvents()],
    contributes: {
      commands: [...COMMANDS.map(commandOf), ...actions.map(({ command }) => command)],
      menus: {
        commandPalette: [
          ...COMMANDS.flatMap(({ id, when }) => (when ? [{ command: `firedrill.${id}`, when }] : [])),
          ...actions.map(({ command, when }) => ({ command: command.command, when })),
        ],
        ...treeMenus(),
      },
      viewsContainers: {
        activitybar: [{ id: VIEWS.container, title: "Firedrill", icon: "media/firedrill.svg" }],
      },
      views: {
        [VIEWS.container]: [
          { id: VIEWS.scenarios, name: "Scenarios", icon: "media/firedrill.svg" },
          { id: VIEWS.runs, name: "Runs", icon: "media/firedrill.svg" },
        ],
      },
      viewsWelcome,
      customEditors: [
        {
          viewType: VIEW_TYPES.run,
          displayName: "Firedrill Debrief",
          selector: [{ filenamePattern: `*${RECORD_SUFFIX}` }],
          priority: "default",
        },
      ],
      configuration,
      walkthroughs,
    },
  };
}

function panelEvents(): string[] {
  const { run: _, ...panels } = VIEW_TYPES;
  const ofWorlds = Object.values(WORLD_PANELS).map(({ viewType }) => viewType);
  return [...ofWorlds, ...Object.values(panels)].map((viewType) => `onWebviewPanel:${viewType}`);
}

function commandOf({ id, title, icon }: (typeof COMMANDS)[number]): Command {
  return { command: `firedrill.${id}`, title, category: CATEGORY, ...(icon ? { icon } : {}) };
}

/** One command an action; where both sets have it, it holds in both. */
function actionCommands(world: WorldActions): { readonly command: Command; readonly when: string }[] {
  const full = new Map(world.full.specs.map((spec) => [spec.name, spec]));
  const published = new Map((world.published?.specs ?? []).map((spec) => [spec.name, spec]));
  const all = [...world.full.specs, ...[...published.values()].filter((spec) => !full.has(spec.name))];
  const running = `${CONTEXT.runActive} && ${CONTEXT.world} == ${world.id}`;
  return all.map((spec) => {
    const verbs = full.has(spec.name) ? (published.has(spec.name) ? "" : "full") : "published";
    return {
      command: {
        command: actionCommand(world.id, spec.name),
        title: `${spec.title}${Object.keys(spec.schema.shape).length ? "…" : ""}`,
        category: CATEGORY,
      },
      when: verbs ? `${running} && ${CONTEXT.verbs} == ${verbs}` : running,
    };
  });
}

/** The command that carries out an action of a world. */
export function actionCommand(world: string, action: string): string {
  return `firedrill.${world}.${action}`;
}

function treeMenus(): Record<"view/title" | "view/item/context", MenuItem[]> {
  const run = (id: string, statuses: string, group: string): MenuItem => ({
    command: `firedrill.${id}`,
    when: `view == ${VIEWS.runs} && viewItem =~ /^run\\.(${statuses})$/`,
    group,
  });
  const title = (id: string, view: string, group: string, more = ""): MenuItem => ({
    command: `firedrill.${id}`,
    when: `view == ${view}${more}`,
    group,
  });
  const readable = "graded|ungraded|abandoned|unfinished";
  return {
    "view/title": [
      title("startScenario", VIEWS.scenarios, "navigation@1"),
      title("importAlerts", VIEWS.scenarios, "1_files@1"),
      title("openScenarioFile", VIEWS.scenarios, "1_files@2"),
      title("showProof", VIEWS.scenarios, "2_proof@1"),
      title("filterRuns", VIEWS.runs, "navigation@1", ` && !${CONTEXT.runsFiltered}`),
      title("clearRunFilter", VIEWS.runs, "navigation@1", ` && ${CONTEXT.runsFiltered}`),
      title("refresh", VIEWS.runs, "navigation@2"),
      title("openRunsFolder", VIEWS.runs, "1_files@1"),
    ],
    "view/item/context": [
      {
        command: "firedrill.playScenario",
        when: `view == ${VIEWS.scenarios} && viewItem == scenario`,
        group: "inline",
      },
      run("resumeRun", "abandoned|unfinished", "inline@1"),
      run("openDebrief", readable, "inline@2"),
      run("openDebrief", `${readable}|unreadable`, "1_open@1"),
      run("resumeRun", "abandoned|unfinished", "1_open@2"),
      run("replayRun", readable, "1_open@3"),
      run("forkFromStep", readable, "1_open@4"),
      run("revealRun", `${readable}|unreadable`, "2_file@1"),
      run("deleteRun", `${readable}|unreadable`, "3_delete@1"),
    ],
  };
}
