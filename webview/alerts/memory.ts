/** The interface state of the panel while it is shown. The host keeps a copy and hands it back after a reload. */
import type { EpisodeUi } from "../../src/panel-protocol";
import type { Draft } from "./drafts";

export interface Memory {
  cursor: string | null;
  readonly selected: Set<string>;
  filter: string;
  groupBy: string;
  sortBy: string;
  collapsed: Set<string>;
  drafts: Record<string, Draft>;
  openAction: string | null;
  scroll: number;
}

export function emptyMemory(): Memory {
  return {
    cursor: null,
    selected: new Set(),
    filter: "",
    groupBy: "none",
    sortBy: "oldest",
    collapsed: new Set(),
    drafts: {},
    openAction: null,
    scroll: 0,
  };
}

export function memoryOf(ui: EpisodeUi): Memory {
  return {
    cursor: ui.cursor,
    selected: new Set(ui.selected),
    filter: ui.filter,
    groupBy: ui.groupBy || "none",
    sortBy: ui.sortBy || "oldest",
    collapsed: new Set(ui.collapsed),
    drafts: { ...ui.drafts },
    openAction: ui.openAction,
    scroll: ui.scroll,
  };
}

export function uiOf(memory: Memory): EpisodeUi {
  return {
    cursor: memory.cursor,
    selected: [...memory.selected],
    filter: memory.filter,
    groupBy: memory.groupBy,
    sortBy: memory.sortBy,
    collapsed: [...memory.collapsed],
    drafts: memory.drafts,
    openAction: memory.openAction,
    scroll: memory.scroll,
  };
}
