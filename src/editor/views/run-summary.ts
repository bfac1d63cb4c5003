/** What a listing says about a recording, from its first and last line alone. */
import type { RecordEntry } from "../../core/recorder";

export type RunStatus = "graded" | "ungraded" | "abandoned" | "unfinished" | "unreadable";

export interface RunSummary {
  readonly name: string;
  readonly location: string;
  readonly bytes: number;
  readonly modified: number;
  readonly status: RunStatus;
  readonly world: string;
  readonly scenario: string;
  readonly title: string;
  readonly seed: number;
  readonly openedBy: string;
  /** ISO 8601; empty when unreadable. */
  readonly openedAt: string;
  readonly contentHash: string;
  readonly grade: number | null;
  readonly hindsight: boolean;
  /** Why it cannot be read, or null. */
  readonly problem: string | null;
}

const SCHEMA_PREFIX = "firedrill/";
const KNOWN_SCHEMA = "firedrill/1";

export function summarise(entry: RecordEntry, first: string, last: string): RunSummary {
  const episode = parse(first);
  if (!episode || episode.type !== "episode") return unreadable(entry, whyUnreadable(episode));
  if (episode.schema !== KNOWN_SCHEMA) return unreadable(entry, whyUnreadable(episode));
  const end = parse(last);
  const grade = end?.type === "grade" ? (end.grade as { strict?: unknown; published?: unknown } | undefined) : undefined;
  const strict = typeof grade?.strict === "number" ? grade.strict : null;
  return {
    ...entry,
    status: statusOf(end, strict),
    world: text(episode.world),
    scenario: text(episode.scenario),
    title: text(episode.title),
    seed: typeof episode.seed === "number" ? episode.seed : 0,
    openedBy: text(episode.opened_by),
    openedAt: text(episode.wall_opened_at),
    contentHash: text(episode.content_hash),
    grade: strict,
    hindsight: end?.hindsight === true,
    problem: null,
  };
}

export function unreadable(entry: RecordEntry, problem: string): RunSummary {
  return {
    ...entry,
    status: "unreadable",
    world: "",
    scenario: "",
    title: entry.name,
    seed: 0,
    openedBy: "",
    openedAt: "",
    contentHash: "",
    grade: null,
    hindsight: false,
    problem,
  };
}

/** The first and last whole line of a recording. */
export function endsOf(text: string): { first: string; last: string } {
  const whole = text.slice(0, text.lastIndexOf("\n"));
  const cut = whole.indexOf("\n");
  return { first: cut < 0 ? whole : whole.slice(0, cut), last: whole.slice(whole.lastIndexOf("\n") + 1) };
}

function statusOf(end: Line | undefined, strict: number | null): RunStatus {
  if (end?.type === "grade") return strict === null ? "ungraded" : "graded";
  return end?.type === "abandoned" ? "abandoned" : "unfinished";
}

function whyUnreadable(line: Line | undefined): string {
  if (!line) return "Its first line is missing or damaged.";
  if (typeof line.schema === "string" && line.schema.startsWith(SCHEMA_PREFIX) && line.schema !== KNOWN_SCHEMA)
    return `It was written by a newer version (${line.schema}); update Firedrill to open it.`;
  return "It is not a Firedrill recording.";
}

type Line = Readonly<Record<string, unknown>>;

function parse(text: string): Line | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Line) : undefined;
  } catch {
    return undefined;
  }
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
