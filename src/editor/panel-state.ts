/**
 * What an episode panel is sent. Pure: everything in it comes from the observation, the catalogue and what the player has
 * done, so nothing hidden can reach a webview through here.
 */
import type { ActionForm, Choice, Problem } from "../core/action";
import { wordsOf } from "../core/options";
import type { Observation } from "../core/world";
import type { EpisodePanelState, EpisodeUi, PlayerState, WorldPanelKind } from "../panel-protocol";

export const FRESH_UI: EpisodeUi = {
  cursor: null,
  selected: [],
  filter: "",
  groupBy: "",
  sortBy: "",
  collapsed: [],
  drafts: {},
  openAction: null,
  scroll: 0,
};

export interface EpisodePanelFacts {
  readonly kind: WorldPanelKind;
  readonly observation: Observation;
  readonly forms: readonly ActionForm[];
  /** The world's lists for a kind of argument, as they are now. */
  choices(kind: string): readonly Choice[];
  readonly run: string;
  readonly recording: EpisodePanelState["recording"];
  readonly player: PlayerState;
  readonly over: boolean;
  readonly problem: Problem | null;
  readonly ui: EpisodeUi;
  readonly myGrades: readonly number[];
}

export function episodePanelState(facts: EpisodePanelFacts): EpisodePanelState {
  const { kind, observation, forms, run, recording, player, over, problem, ui, myGrades } = facts;
  return {
    kind,
    observation,
    actions: forms,
    choices: choicesFor(forms, facts.choices),
    words: wordsOf(forms),
    run,
    recording,
    player,
    over,
    problem,
    ui,
    myGrades,
  };
}

/** Every list the forms ask for, once. */
function choicesFor(
  forms: readonly ActionForm[],
  choices: (kind: string) => readonly Choice[],
): Record<string, readonly Choice[]> {
  const lists: Record<string, readonly Choice[]> = {};
  for (const form of forms)
    for (const field of form.fields)
      if (field.choices && !(field.choices in lists)) lists[field.choices] = choices(field.choices);
  return lists;
}

/** Takes over what a panel says about its own view; anything of another shape is dropped. */
export function mergeUi(ui: EpisodeUi, change: Readonly<Record<string, unknown>>): EpisodeUi {
  const text = (key: "filter" | "groupBy" | "sortBy"): string =>
    typeof change[key] === "string" ? (change[key] as string).slice(0, UI_BOUNDS.text) : ui[key];
  const maybe = (key: "cursor" | "openAction"): string | null =>
    change[key] === null
      ? null
      : typeof change[key] === "string"
        ? (change[key] as string).slice(0, UI_BOUNDS.text)
        : ui[key];
  const list = (key: "selected" | "collapsed"): readonly string[] =>
    Array.isArray(change[key])
      ? (change[key] as unknown[]).filter((v): v is string => typeof v === "string").slice(0, UI_BOUNDS.list)
      : ui[key];
  return {
    cursor: maybe("cursor"),
    selected: list("selected"),
    filter: text("filter"),
    groupBy: text("groupBy"),
    sortBy: text("sortBy"),
    collapsed: list("collapsed"),
    drafts: isPlain(change.drafts) ? draftsOf(change.drafts) : ui.drafts,
    openAction: maybe("openAction"),
    scroll: typeof change.scroll === "number" && Number.isFinite(change.scroll) ? change.scroll : ui.scroll,
  };
}

/** Kept over reloads, so everything in it has a bound; those of drafts are beyond what any form takes. */
const UI_BOUNDS = { text: 1000, list: 10_000, drafts: 32, fields: 32, fieldText: 10_000, fieldList: 1000 } as const;

type Plain = Readonly<Record<string, unknown>>;

function isPlain(value: unknown): value is Plain {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Half-filled forms, the latest of them: panels put the one that was changed last at the end. */
function draftsOf(drafts: Plain): EpisodeUi["drafts"] {
  const forms = Object.entries(drafts).filter((entry): entry is [string, Plain] => isPlain(entry[1]));
  return Object.fromEntries(
    forms.slice(-UI_BOUNDS.drafts).map(([name, draft]) => [name.slice(0, UI_BOUNDS.text), draftOf(draft)]),
  );
}

function draftOf(draft: Plain): Plain {
  const fields = Object.entries(draft).slice(0, UI_BOUNDS.fields);
  return Object.fromEntries(
    fields.flatMap(([name, value]) => {
      const kept = Array.isArray(value) ? listOf(value) : plainValue(value);
      return kept === undefined ? [] : [[name.slice(0, UI_BOUNDS.text), kept]];
    }),
  );
}

function listOf(values: readonly unknown[]): readonly unknown[] {
  return values.slice(0, UI_BOUNDS.fieldList).flatMap((value) => {
    const kept = plainValue(value);
    return kept === undefined ? [] : [kept];
  });
}

/** Fields hold texts, numbers and yes or no; anything else is dropped. */
function plainValue(value: unknown): string | number | boolean | undefined {
  if (typeof value === "string") return value.slice(0, UI_BOUNDS.fieldText);
  return typeof value === "number" || typeof value === "boolean" ? value : undefined;
}
