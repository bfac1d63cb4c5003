/**
 * The typed messages between the extension host and a webview panel. The host owns all state: a panel says `ready`, gets a
 * snapshot, then patches with sequence numbers. A panel that sees a gap says `ready` again. Types only, plus constants:
 * webviews import this file and must not pull in zod.
 */
import type { Action, ActionForm, Choice, Problem } from "./core/action";
import type { PatchOperation } from "./core/json";
import type { GradePart } from "./core/rubric";
import type { Grade, Observation, Preview } from "./core/world";

/** Panels of worlds, each a folder in `webview`; `WORLD_PANELS` of the editor says which world has which. */
export type WorldPanelKind = "alerts";
export type PanelKind = WorldPanelKind | "debrief" | "proof" | "truth-form";

/** Who is playing, and how. */
export interface PlayerState {
  readonly name: string;
  readonly mode: "human" | "watch";
  readonly paused: boolean;
  /** Milliseconds between steps while watching. */
  readonly paceMs: number;
}

/** What the host keeps for an episode panel so that it comes back as it was. Free of truth. */
export interface EpisodeUi {
  readonly cursor: string | null;
  readonly selected: readonly string[];
  readonly filter: string;
  readonly groupBy: string;
  readonly sortBy: string;
  readonly collapsed: readonly string[];
  /** Half-filled forms by action name. */
  readonly drafts: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** The action whose form or preview is open. */
  readonly openAction: string | null;
  readonly scroll: number;
}

export interface EpisodePanelState {
  readonly kind: WorldPanelKind;
  readonly observation: Observation;
  readonly actions: readonly ActionForm[];
  /** Lists for the arguments of `actions`, by kind of choice. */
  readonly choices: Readonly<Record<string, readonly Choice[]>>;
  /** What people read for names that stand in texts, e.g. `disk_full`. */
  readonly words: Readonly<Record<string, string>>;
  readonly run: string;
  readonly recording: { readonly on: boolean; readonly location: string | null; readonly error: string | null };
  readonly player: PlayerState;
  readonly over: boolean;
  readonly problem: Problem | null;
  readonly ui: EpisodeUi;
  /** Earlier grades of mine on this scenario, oldest first. */
  readonly myGrades: readonly number[];
}

/** A step as the debrief lists it. */
export interface DebriefStep {
  readonly index: number;
  readonly actor: string;
  readonly clock: string;
  readonly minute: number;
  readonly action: Action;
  /** Its arguments for reading: titles of the fields, values in words. */
  readonly args: readonly { readonly title: string; readonly text: string }[];
  readonly title: string;
  readonly risk: string;
  readonly result: string | null;
  readonly resultId: string | null;
  readonly problem: string | null;
  readonly reasoning: string | null;
}

/** Points not earned: the path of the part, what it cost, and the reason. */
export interface LostPoint {
  readonly path: string;
  readonly lost: number;
  readonly reason: string;
  readonly evidence: readonly string[];
}

export interface DebriefPanelState {
  readonly kind: "debrief";
  readonly file: string;
  readonly title: string;
  readonly scenario: string;
  readonly seed: number;
  readonly openedBy: string;
  readonly openedAt: string;
  readonly version: string;
  /** `graded`, `abandoned`, `unfinished` or `ungraded`. */
  readonly status: "graded" | "abandoned" | "unfinished" | "ungraded";
  readonly hindsight: boolean;
  readonly grade: Grade | null;
  readonly lost: readonly LostPoint[];
  readonly steps: readonly DebriefStep[];
  readonly notes: readonly { readonly step: number; readonly text: string }[];
  /** What rule-based players got on this seed; null while it is being worked out. */
  readonly references: readonly { readonly player: string; readonly grade: number }[] | null;
  readonly replay:
    | { readonly status: "running" }
    | { readonly status: "identical"; readonly steps: number }
    | { readonly status: "different"; readonly difference: string };
  /** What was true, in lines for reading; only ever present after the end. */
  readonly truth: readonly { readonly heading: string; readonly text: string }[];
  readonly words: Readonly<Record<string, string>>;
  readonly torn: string | null;
  readonly ui: { readonly step: number | null };
}

/** The file could not be shown: what happened and what to do. */
export interface ErrorPanelState {
  readonly kind: "error";
  readonly title: string;
  readonly message: string;
}

export interface ProofPanelState {
  readonly kind: "proof";
  readonly title: string;
  readonly seeds: string;
  readonly done: number;
  readonly total: number;
  readonly holds: boolean | null;
  readonly rows: readonly ProofRow[];
}

export interface ProofRow {
  readonly world: string;
  readonly family: string;
  readonly player: string;
  readonly n: number;
  readonly mean: number;
  readonly max: number;
  readonly min: number;
  /** In words: `every ≤ 0.05`, `mean ≤ 0.35`, `every ≥ 0.95`, `mean 0.65–0.90`, or `—`. */
  readonly bound: string;
  readonly holds: boolean;
}

/** The form in which a person adds the truth to imported alerts. */
export interface TruthFormPanelState {
  readonly kind: "truth-form";
  readonly title: string;
  readonly alerts: readonly {
    readonly id: string;
    readonly name: string;
    readonly service: string;
    readonly labels: string;
  }[];
  readonly teams: readonly string[];
  readonly severities: readonly string[];
  readonly mechanisms: readonly Choice[];
  readonly dispositions: readonly Choice[];
  readonly components: readonly string[];
  readonly draft: TruthDraft;
  readonly problems: readonly { readonly place: string; readonly message: string }[];
}

export interface TruthDraft {
  readonly title: string;
  readonly brief: string;
  readonly disposition: string;
  readonly incidents: readonly {
    readonly component: string;
    readonly mechanism: string;
    readonly severity: string;
    readonly team: string;
    readonly alerts: readonly string[];
  }[];
}

export type PanelState =
  | EpisodePanelState
  | DebriefPanelState
  | ProofPanelState
  | TruthFormPanelState
  | ErrorPanelState;

/** Host → panel. */
export type ToPanel =
  | { readonly type: "snapshot"; readonly seq: number; readonly state: PanelState }
  | { readonly type: "patch"; readonly seq: number; readonly patch: readonly PatchOperation[] }
  | { readonly type: "reply"; readonly id: number; readonly value: unknown }
  | { readonly type: "failure"; readonly id: number; readonly message: string }
  /** Move keyboard focus to the main list, e.g. after the panel is revealed. */
  | { readonly type: "focus" };

/** Panel → host calls that are answered, by method: arguments and result. */
export interface PanelCalls {
  act: { readonly args: Action; readonly result: { readonly done: boolean; readonly problem?: Problem } };
  preview: { readonly args: Action; readonly result: Preview | null };
  /** Text of a note. */
  note: { readonly args: { readonly text: string }; readonly result: null };
  /** Runs one of the commands a panel may run (see `PANEL_COMMANDS`). */
  command: {
    readonly args: { readonly command: PanelCommand; readonly args?: readonly unknown[] };
    readonly result: null;
  };
  saveTruth: { readonly args: TruthDraft; readonly result: { readonly saved: string | null } };
}

export const PANEL_COMMANDS = [
  "firedrill.openDebrief",
  "firedrill.startScenario",
  "firedrill.newSeed",
  "firedrill.replayRun",
  "firedrill.forkFromStep",
  "firedrill.showProof",
  "firedrill.letPlayerPlay",
  "firedrill.pausePlayer",
  "firedrill.setPace",
  "firedrill.takeOver",
  "firedrill.endEpisode",
  "firedrill.revealRun",
  "firedrill.retryRecording",
] as const;
export type PanelCommand = (typeof PANEL_COMMANDS)[number];

/** Panel → host. */
export type FromPanel =
  /** The script runs and has nothing to show yet, or has missed a patch: it wants a snapshot. */
  | { readonly type: "ready" }
  /** Data is on the screen: milliseconds since the script's first line. */
  | { readonly type: "drawn"; readonly ms: number }
  | {
      readonly type: "ui";
      readonly ui: Partial<EpisodeUi> & { readonly step?: number | null } & { readonly truth?: TruthDraft };
    }
  | {
      readonly [M in keyof PanelCalls]: {
        readonly type: "call";
        readonly id: number;
        readonly method: M;
        readonly args: PanelCalls[M]["args"];
      };
    }[keyof PanelCalls];

export type { GradePart };
