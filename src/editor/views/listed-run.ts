/** A recording in a listing: its file, and what its first and last line say. */
import type { RecordEntry } from "../../core/recorder";
import type { RunSummary } from "../../storage/run-summary";

export type RunStatus = RunSummary["status"] | "unreadable";

export interface ListedRun extends RecordEntry {
  readonly status: RunStatus;
  readonly world: string;
  readonly scenario: string;
  readonly title: string;
  readonly seed: number;
  /** `human`, `policy:rules`, … */
  readonly openedBy: string;
  /** ISO 8601; empty when unreadable. */
  readonly openedAt: string;
  /** The strict grade, 0..1. */
  readonly grade: number | null;
  readonly hindsight: boolean;
  /** Why it cannot be read, or null. */
  readonly problem: string | null;
}

export function listed(entry: RecordEntry, summary: RunSummary): ListedRun {
  const { status, world, scenario, title, seed, player, openedAt, strict, hindsight } = summary;
  return {
    ...entry,
    status,
    world,
    scenario,
    title,
    seed,
    openedBy: player,
    openedAt,
    grade: strict,
    hindsight,
    problem: null,
  };
}

export function unreadable(entry: RecordEntry, problem: string): ListedRun {
  return {
    ...entry,
    status: "unreadable",
    world: "",
    scenario: "",
    title: entry.name,
    seed: 0,
    openedBy: "",
    openedAt: "",
    grade: null,
    hindsight: false,
    problem,
  };
}
