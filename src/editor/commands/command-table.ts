/** Every command that is not an action of a world: its title, its icon, and where it makes sense. Data only. */

export interface CommandEntry {
  /** Without the prefix `firedrill.`. */
  readonly id: string;
  /** Title Case, as the palette shows it after “Firedrill: ”. */
  readonly title: string;
  readonly icon?: string;
  /** When the palette offers it; always when left out, never when `hidden`. */
  readonly when?: string;
}

/** Context keys under `firedrill.`, set by the extension. */
export const CONTEXT = {
  /** An episode of this window can be acted on. */
  runActive: "firedrill.runActive",
  /** The window has an episode, running or just ended. */
  hasRun: "firedrill.hasRun",
  /** World of that episode. */
  world: "firedrill.world",
  /** `published` or `full`: which verbs hold. */
  verbs: "firedrill.verbs",
  /** A rule-based player is at work. */
  watching: "firedrill.watching",
  /** Text of the filter over the list of runs is not empty. */
  runsFiltered: "firedrill.runsFiltered",
} as const;

const RUNNING = CONTEXT.runActive;
const WATCHING = `${CONTEXT.runActive} && ${CONTEXT.watching}`;
const NEVER = "false";

export const COMMANDS: readonly CommandEntry[] = [
  { id: "startScenario", title: "Start Scenario…", icon: "$(play)" },
  { id: "newSeed", title: "Start With New Seed", icon: "$(refresh)", when: CONTEXT.hasRun },
  { id: "takeAction", title: "Take Action…", icon: "$(zap)", when: RUNNING },
  { id: "openPanel", title: "Open Episode Panel", icon: "$(layout)", when: CONTEXT.hasRun },
  { id: "episodeMenu", title: "Episode Menu…", when: CONTEXT.hasRun },
  { id: "addNote", title: "Add Note…", icon: "$(note)", when: RUNNING },
  { id: "letPlayerPlay", title: "Let a Player Play…", icon: "$(hubot)", when: RUNNING },
  { id: "pausePlayer", title: "Pause or Resume Player", icon: "$(debug-pause)", when: WATCHING },
  { id: "setPace", title: "Set Pace…", icon: "$(dashboard)", when: WATCHING },
  { id: "takeOver", title: "Take Over", icon: "$(person)", when: WATCHING },
  { id: "endEpisode", title: "End Episode…", icon: "$(debug-stop)", when: RUNNING },
  { id: "resumeRun", title: "Resume Run…", icon: "$(debug-continue)" },
  { id: "openDebrief", title: "Open Debrief", icon: "$(checklist)" },
  { id: "replayRun", title: "Replay Run…", icon: "$(debug-restart)" },
  { id: "forkFromStep", title: "Fork From Step…", icon: "$(repo-forked)" },
  { id: "showProof", title: "Show Grader Proof", icon: "$(verified)" },
  { id: "importAlerts", title: "Import Alerts…", icon: "$(cloud-download)" },
  { id: "openScenarioFile", title: "Open Scenario File…", icon: "$(folder-opened)" },
  { id: "openRunsFolder", title: "Open Runs Folder", icon: "$(folder)" },
  { id: "toggleDrillTimer", title: "Pause or Resume Drill Timer", when: `${RUNNING} && config.firedrill.drillTimer` },
  { id: "retryRecording", title: "Retry Recording", when: CONTEXT.hasRun },
  { id: "showLog", title: "Show Log" },
  { id: "revealRun", title: "Reveal Run File", icon: "$(go-to-file)", when: NEVER },
  { id: "deleteRun", title: "Delete Run…", icon: "$(trash)", when: NEVER },
  { id: "filterRuns", title: "Filter Runs…", icon: "$(filter)", when: NEVER },
  { id: "clearRunFilter", title: "Clear Filter", icon: "$(filter-filled)", when: NEVER },
  { id: "showMoreRuns", title: "Show More Runs", when: NEVER },
  { id: "refresh", title: "Refresh", icon: "$(refresh)", when: NEVER },
  { id: "playScenario", title: "Play", icon: "$(play)", when: NEVER },
];

export const VIEWS = { container: "firedrill", scenarios: "firedrill.scenarios", runs: "firedrill.runs" } as const;
/** Editors that belong to no world; those that do are in `WORLD_PANELS`. */
export const VIEW_TYPES = {
  debrief: "firedrill.debrief",
  proof: "firedrill.proof",
  truthForm: "firedrill.truthForm",
  /** Custom editor of recordings. */
  run: "firedrill.run",
} as const;
