/** A recording in a listing: its file, what its first and last line say, and who took its steps. */
import type { RecordEntry } from "../../core/recorder";
import type { RunSummary } from "../../storage/run-summary";

export type RunStatus = RunSummary["status"] | "unreadable";

export interface ListedRun extends RecordEntry {
  readonly status: RunStatus;
  readonly world: string;
  readonly scenario: string;
  readonly title: string;
  readonly seed: number;
  /** Who took its steps, each once, in order of their first: `human`, `policy:rules`, …; who opened it while there are none. */
  readonly players: readonly string[];
  /** ISO 8601; empty when unreadable. */
  readonly openedAt: string;
  /** The strict grade, 0..1. */
  readonly grade: number | null;
  readonly hindsight: boolean;
  /** Why it cannot be read, or null. */
  readonly problem: string | null;
}

/** Whether nobody but the person took a step, so that the grade is the person's own. */
export function isOwn(run: ListedRun): boolean {
  return run.players.length > 0 && run.players.every((player) => player === "human");
}

/** Step lines begin alike, so that their actor is found without reading the observation behind it. */
const ACTOR = /^\{"schema":"firedrill\/1","type":"step","index":\d+,"actor":"([^"\\]*)"/gm;

export function actorsIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(ACTOR)].map(([, actor]) => actor ?? ""))];
}

export function listed(entry: RecordEntry, summary: RunSummary, actors: readonly string[]): ListedRun {
  const { status, world, scenario, title, seed, player, openedAt, strict, hindsight } = summary;
  return {
    ...entry,
    status,
    world,
    scenario,
    title,
    seed,
    players: actors.length ? actors : [player],
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
    players: [],
    openedAt: "",
    grade: null,
    hindsight: false,
    problem,
  };
}
