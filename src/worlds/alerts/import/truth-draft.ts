/**
 * The truth an author adds to imported alerts: an empty draft, the lists the form offers, and what is still wrong with a
 * draft. The form, the scenario file's reader and the command line all check with `problemsOf`.
 */
import { DISPOSITIONS } from "../dispositions";
import { SEVERITIES, TEAMS } from "../draw";
import { MECHANISM_NAMES } from "../mechanisms";
import { DISPOSITION_WORDS, dispositionChoices, MECHANISM_WORDS, mechanismChoices } from "../words";
import { type AlertSet, bounded, compareText, type ImportedAlert } from "./alert-set";
import { pointer, quoted } from "./json-text";
import { formatTime } from "./rfc3339";
import type { FileText } from "./scenario-schema";

/** What the author answers: title and brief, and the file's truth. The form's draft has this shape. */
export type TruthDraft = Frozen<Pick<FileText, "title" | "brief"> & Omit<FileText["truth"], "salt">>;

type Frozen<T> = T extends readonly (infer U)[]
  ? readonly Frozen<U>[]
  : T extends object
    ? { readonly [K in keyof T]: Frozen<T[K]> }
    : T;

/** Something to correct. `place` is a JSON pointer into the draft, e.g. `/incidents/0/alerts`. */
export interface DraftProblem {
  readonly place: string;
  readonly message: string;
}

export const MAX_TITLE = 200;
export const MAX_BRIEF = 2000;
export const MAX_INCIDENTS = 100;
const MAX_LABELS_TEXT = 400;
/** Choices named in a message. */
const MAX_NAMED = 8;

/** A draft with title and brief filled in from the file, and the answers left to the author. */
export function draftFrom(set: AlertSet): TruthDraft {
  const alerts = queueOf(set);
  const services = new Set(alerts.map((alert) => alert.service)).size;
  const day = formatTime(set.source.pageAt).slice(0, 10);
  const many = (count: number, one: string, more: string) => `${count} ${count === 1 ? one : more}`;
  return {
    title: `${many(alerts.length, "alert", "alerts")} on ${many(services, "service", "services")}, ${day}`,
    brief:
      "These alerts come from a real monitoring system; only what it sent is known. Find out which belong together, who has to act and how urgently, and close the triage.",
    disposition: "",
    incidents: [],
  };
}

/** The whole state of the truth form's panel for a draft: alerts, choices, the draft and what is wrong with it. */
export function truthForm(set: AlertSet, draft: TruthDraft) {
  return {
    kind: "truth-form" as const,
    title: draft.title,
    alerts: queueOf(set).map(({ id, name, service, labels }) => ({ id, name, service, labels: labelsText(labels) })),
    teams: teamsOf(set),
    severities: SEVERITIES,
    mechanisms: mechanismChoices(),
    dispositions: dispositionChoices(),
    components: set.services.map((service) => service.name),
    draft,
    problems: problemsOf(draft, set),
  };
}

/** The four teams of the world, and those the file names. */
export function teamsOf(set: Pick<AlertSet, "services">): readonly string[] {
  const named = set.services.flatMap((service) => (service.team === null ? [] : [service.team]));
  const others = new Set(named.filter((team) => !(TEAMS as readonly string[]).includes(team)));
  return [...TEAMS, ...[...others].sort(compareText)];
}

/** The alerts that fire: all but the pending ones. */
export function queueOf(set: Pick<AlertSet, "alerts">): readonly ImportedAlert[] {
  return set.alerts.filter((alert) => alert.spans.length > 0);
}

/** Everything wrong with a draft, in reading order; empty when it can be saved. */
export function problemsOf(draft: TruthDraft, set: AlertSet): readonly DraftProblem[] {
  const problems: DraftProblem[] = [];
  const say = (path: readonly (string | number)[], message: string) => problems.push({ place: pointer(path), message });
  if (draft.title.trim() === "") say(["title"], "The title is empty; say in a few words what this queue is.");
  if (draft.title.length > MAX_TITLE) say(["title"], `The title is too long; use at most ${MAX_TITLE} characters.`);
  if (draft.brief.trim() === "")
    say(["brief"], "The brief is empty; tell the player the setting in two or three sentences.");
  if (draft.brief.length > MAX_BRIEF) say(["brief"], `The brief is too long; use at most ${MAX_BRIEF} characters.`);
  if (queueOf(set).length === 0) say([], "None of the alerts has fired, so there is nothing to triage; import others.");
  const disposition = unfit(draft.disposition, DISPOSITIONS, "way to close the triage", DISPOSITION_WORDS);
  if (disposition) say(["disposition"], disposition);
  else sayContradictions(draft, set, say);
  if (draft.incidents.length > MAX_INCIDENTS)
    say(["incidents"], `There are too many incidents; use at most ${MAX_INCIDENTS}.`);
  sayIncidents(draft, set, say);
  return problems;
}

type Say = (path: readonly (string | number)[], message: string) => void;

/** A closing has to agree with the incidents. */
function sayContradictions(draft: TruthDraft, set: AlertSet, say: Say): void {
  const { disposition, incidents } = draft;
  const firing = new Set(set.alerts.filter((alert) => alert.state === "firing").map((alert) => alert.id));
  if (disposition === "no_fault" && incidents.length > 0)
    say(["disposition"], `${spoken("no_fault")} does not go with incidents; remove them or choose another decision.`);
  if (disposition !== "no_fault" && incidents.length === 0)
    say(
      ["incidents"],
      `${spoken(disposition)} needs an incident it is about; add one or choose ${spoken("no_fault")}.`,
    );
  if (
    disposition === "inconclusive" &&
    incidents.length > 0 &&
    incidents.every((incident) => incident.mechanism !== "undetermined")
  )
    say(
      ["disposition"],
      `${spoken("inconclusive")} says that what can be read does not tell, but every mechanism is named; set one to undetermined or choose another decision.`,
    );
  if (disposition !== "self_recovered") return;
  for (const [index, incident] of incidents.entries()) {
    const still = incident.alerts.find((id) => firing.has(id));
    if (still !== undefined)
      say(
        ["incidents", index, "alerts"],
        `${spoken("self_recovered")} says that it healed, but ${still} still fires; take it out or choose another decision.`,
      );
  }
}

function sayIncidents(draft: TruthDraft, set: AlertSet, say: Say): void {
  const components = set.services.map((service) => service.name);
  const teams = teamsOf(set);
  const states = new Map(set.alerts.map((alert) => [alert.id, alert.spans.length > 0 ? "queued" : "pending"]));
  const taken = new Map<string, number>();
  for (const [index, incident] of draft.incidents.entries()) {
    const at = (key: string, message: string) => say(["incidents", index, key], message);
    const choices = [
      ["component", unfit(incident.component, components, "service of this file")],
      ["mechanism", unfit(incident.mechanism, MECHANISM_NAMES, "mechanism", MECHANISM_WORDS)],
      ["severity", unfit(incident.severity, SEVERITIES, "severity")],
      ["team", unfit(incident.team, teams, "team")],
    ] as const;
    for (const [key, message] of choices) if (message) at(key, message);
    if (incident.alerts.length === 0)
      at("alerts", "No alert belongs to this incident; choose at least one or remove the incident.");
    for (const [place, id] of incident.alerts.entries()) {
      const path = ["incidents", index, "alerts", place];
      const before = taken.get(id);
      if (!states.has(id)) say(path, `There is no alert ${quoted(id)}; use an id of the list of alerts.`);
      else if (states.get(id) === "pending") say(path, `${id} never fired, so it is not in the queue; take it out.`);
      else if (before === index) say(path, `${id} stands here twice; take one out.`);
      else if (before !== undefined)
        say(path, `${id} already belongs to incident ${before + 1}; an alert has one incident.`);
      else taken.set(id, index);
    }
  }
}

/** A decision in words, with the name it has in a file. */
function spoken(disposition: string): string {
  const words: Readonly<Record<string, string>> = DISPOSITION_WORDS;
  return `“${words[disposition] ?? disposition}” (${disposition})`;
}

/**
 * Why a value is not one of a list, or null when it is. What is still to be chosen is said in words, what a file names
 * wrongly by the names a file may use.
 */
function unfit(
  value: string,
  list: readonly string[],
  what: string,
  words: Readonly<Record<string, string>> = {},
): string | null {
  if (list.includes(value)) return null;
  const shown = list.slice(0, MAX_NAMED).map((name) => (value === "" ? (words[name] ?? name) : name));
  const choices = `${shown.join(", ")}${list.length > MAX_NAMED ? ", …" : ""}`;
  return value === "" ? `Choose a ${what}: ${choices}.` : `${quoted(value)} is no ${what}; choose ${choices}.`;
}

/** Labels in Prometheus' notation but for the alert's name, bounded. */
function labelsText(labels: ImportedAlert["labels"]): string {
  const others = labels.filter(([name]) => name !== "alertname");
  const text = others.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(", ");
  return text === "" ? "(no labels)" : bounded(text, MAX_LABELS_TEXT).text;
}
