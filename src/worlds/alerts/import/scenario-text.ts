/**
 * The text of a scenario file: alerts, services, budget and the author's truth in one JSON text.
 *
 *     { "schema": "firedrill-scenario/1", "world": "alerts", "id": "file-<hash>", "title": …, "brief": …,
 *       "source": { "kind", "payloads", "groups", "truncatedAlerts", "pageAt", "notes" },
 *       "alerts": [{ "id", "labels": [[name, value]], "annotations": [[name, value]],
 *                    "spans": [{ "from": time, "to": time or null }], "pendingSince": time or null, "value", "threshold" }],
 *       "services": [{ "name", "team", "dependsOn" }],
 *       "budget": { "maxSteps", "maxMinutes" },
 *       "truth": base64 of { "disposition", "incidents": [{ "component", "mechanism", "severity", "team", "alerts" }], "salt" } }
 *
 * Times are RFC 3339. `pageAt` is minute 0 of the episode; alerts may fire after it. Whoever grades needs the truth, so
 * the file holds it, in base64 so that nobody reads it at a glance: it is no secret, and nothing else that is written or shown
 * before the end contains it; a seal (seal.ts) stands there in its place. A file written by hand may give `truth` as a plain
 * object, and may have no salt: it then gets one at every opening, so that its runs go on with the copy kept beside them only.
 * Written files are canonical: fixed key order, sorted labels, UTC; `id` is a hash of all but the truth, worked out again on
 * every reading.
 */
import { ScenarioError } from "../../../core/world";
import {
  type AlertSet,
  fingerprintOf,
  type ImportedAlert,
  nameOf,
  serviceOf,
  servicesOf,
  sortedPairs,
} from "./alert-set";
import { decodeJson } from "./base64";
import { parseJson, pointer, quoted } from "./json-text";
import { formatTime, parseTime } from "./rfc3339";
import { type FileText, fileSchema, SCHEMA } from "./scenario-schema";
import type { TruthDraft } from "./truth-draft";

export interface Budget {
  readonly maxSteps: number;
  /** Simulated minutes. */
  readonly maxMinutes: number;
}

/** What `ScenarioFile.content` holds for this world: all but the truth. Plain JSON. */
export interface AlertsFileContent extends AlertSet {
  readonly title: string;
  readonly brief: string;
  readonly budget: Budget;
}

/** The canonical text. `id` may be empty, and `truth` packed or a plain object. */
export function writeText(content: AlertsFileContent, id: string, truth: unknown): string {
  const { source } = content;
  const file = {
    schema: SCHEMA,
    world: "alerts",
    ...(id === "" ? {} : { id }),
    title: content.title,
    brief: content.brief,
    source: { ...source, pageAt: formatTime(source.pageAt) },
    alerts: content.alerts.map((alert) => ({
      id: alert.id,
      labels: alert.labels,
      annotations: alert.annotations,
      spans: alert.spans.map(({ from, to }) => ({ from: formatTime(from), to: to === null ? null : formatTime(to) })),
      pendingSince: alert.pendingSince === null ? null : formatTime(alert.pendingSince),
      value: alert.value,
      threshold: alert.threshold,
    })),
    services: content.services,
    budget: content.budget,
    truth,
  };
  return `${JSON.stringify(file, null, 1)}\n`;
}

/** What a text holds; its truth may be unfinished. */
export interface ReadFile {
  readonly content: AlertsFileContent;
  readonly draft: TruthDraft;
  readonly salt: string | null;
}

/** Reads a text and validates all but the answers. @throws ScenarioError naming the place and the fix. */
export function readText(text: string): ReadFile {
  const parsed = fileSchema.safeParse(unpacked(parseJson(text, "scenario file")));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw wrong(pointer(issue?.path ?? []), issue?.message ?? "This is not valid.");
  }
  const file = parsed.data;
  const alerts = alertsOf(file);
  const services = servicesOf(alerts, file.services);
  checkServices(file, new Set(services.map((service) => service.name)));
  const source = { ...file.source, pageAt: timeAt(file.source.pageAt) };
  const { salt = null, ...answers } = file.truth;
  const draft = { title: file.title.trim(), brief: file.brief.trim(), ...answers };
  checkFiring(alerts, source.pageAt, file.budget.maxMinutes);
  const { title, brief } = draft;
  return { content: { source, alerts, services, title, brief, budget: file.budget }, draft, salt };
}

/** The parsed file with its truth as an object; a newer file and other kinds of files are told apart first. */
function unpacked(json: unknown): unknown {
  if (typeof json !== "object" || json === null || Array.isArray(json))
    throw wrong("", "A scenario file is one JSON object; this is something else.");
  const file = json as Readonly<Record<string, unknown>>;
  if (file.schema === undefined) {
    const instead = "alerts" in file || "data" in file ? "import the alerts first" : `write "schema": "${SCHEMA}"`;
    throw new ScenarioError(`This is not a scenario file, since it has no "schema" at the top level; ${instead}.`);
  }
  const version = typeof file.schema === "string" ? /^firedrill-scenario\/(\d{1,6})$/.exec(file.schema) : null;
  if (version && Number(version[1]) > 1)
    throw new ScenarioError(
      `The scenario file was written by a newer Firedrill (${file.schema}; this one reads ${SCHEMA}); update Firedrill to open it.`,
    );
  if (file.schema !== SCHEMA) throw wrong("/schema", `${quoted(file.schema)} is no known format; write "${SCHEMA}".`);
  if (typeof file.truth !== "string") return file;
  const truth = decodeJson(file.truth);
  if (truth === undefined)
    throw wrong(
      "/truth",
      "This is not base64 of JSON; give the truth as a plain object, or save the file from the truth form again.",
    );
  return { ...file, truth };
}

function alertsOf(file: FileText): readonly ImportedAlert[] {
  const ids = new Map<string, number>();
  const prints = new Map<string, number>();
  return file.alerts.map((alert, index) => {
    const labels = sortedPairs(alert.labels);
    const fingerprint = fingerprintOf(labels);
    const sameId = ids.get(alert.id);
    if (sameId !== undefined)
      throw wrong(
        `/alerts/${index}/id`,
        `"${alert.id}" is already the id of /alerts/${sameId}; give every alert its own.`,
      );
    const same = prints.get(fingerprint);
    if (same !== undefined)
      throw wrong(
        `/alerts/${index}/labels`,
        `These labels are those of /alerts/${same}, so it is the same alert; join their spans.`,
      );
    ids.set(alert.id, index);
    prints.set(fingerprint, index);
    const spans = spansOf(alert, index);
    const pendingSince = alert.pendingSince === null ? null : timeAt(alert.pendingSince);
    const state = spans.length === 0 ? "pending" : spans[spans.length - 1]?.to === null ? "firing" : "resolved";
    const { id, value, threshold } = alert;
    const texts = {
      name: nameOf(labels),
      service: serviceOf(labels),
      fingerprint,
      labels,
      annotations: sortedPairs(alert.annotations),
    };
    return { id, ...texts, state, spans, pendingSince, value, threshold };
  });
}

function spansOf(alert: FileText["alerts"][number], index: number): ImportedAlert["spans"] {
  let before: number | null = Number.NEGATIVE_INFINITY;
  return alert.spans.map((span, place) => {
    const at = `/alerts/${index}/spans/${place}`;
    const from = timeAt(span.from);
    const to = span.to === null ? null : timeAt(span.to);
    if (before === null || from < before)
      throw wrong(at, "It begins before the span above it has ended; order the spans and let only the last be open.");
    if (to !== null && to < from) throw wrong(at, "It ends before it begins; exchange the times.");
    before = to;
    return { from, to };
  });
}

function checkServices(file: FileText, known: ReadonlySet<string>): void {
  const names = new Map<string, number>();
  for (const [index, { name, dependsOn }] of file.services.entries()) {
    const same = names.get(name);
    if (same !== undefined)
      throw wrong(
        `/services/${index}/name`,
        `${quoted(name)} is already the name of /services/${same}; name every service once.`,
      );
    names.set(name, index);
    for (const [place, other] of dependsOn.entries())
      if (!known.has(other))
        throw wrong(
          `/services/${index}/dependsOn/${place}`,
          `There is no service ${quoted(other)}; add it to the services or take it out.`,
        );
  }
}

/** The queue must have something in it, and nothing may fire after the last minute: nobody could see it. */
function checkFiring(alerts: readonly ImportedAlert[], pageAt: number, maxMinutes: number): void {
  if (alerts.every((alert) => alert.spans.length === 0))
    throw wrong("/alerts", "No alert ever fires, so there is nothing to triage; give one a span.");
  for (const [index, alert] of alerts.entries()) {
    const first = alert.spans[0];
    if (first && first.from > pageAt + maxMinutes * 60_000)
      throw wrong(
        `/alerts/${index}/spans/0/from`,
        "It fires after the last minute of the budget, so nobody would see it; move it, or raise /budget/maxMinutes.",
      );
  }
}

function timeAt(text: string): number {
  return parseTime(text) ?? 0;
}

/** The place in the file of a place in a draft. */
export function placeInFile(place: string): string {
  return /^\/(?:disposition|incidents)(?:\/|$)/.test(place) ? `/truth${place}` : place;
}

/** Something wrong at a JSON pointer into the file. */
export function wrong(place: string, message: string): ScenarioError {
  return new ScenarioError(`The scenario file is not valid at ${place === "" ? "the top level" : place}: ${message}`);
}
