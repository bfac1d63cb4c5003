/** What a form holds before it is sent: filled from the cursor and the selection, checked field by field. Pure. */
import type { Action, ActionForm, Choice, FieldForm } from "../../src/core/action";
import type { AlertsObservation } from "../../src/worlds/alerts/observation";
import type { QueueRow } from "./rows";

export type Draft = Readonly<Record<string, unknown>>;

/** What the player points at. */
export interface Target {
  readonly row: QueueRow | null;
  /** Selected rows, or the one at the cursor, or all of a group's heading. */
  readonly rows: readonly QueueRow[];
  /** True when `rows` were selected one by one, rather than being what the cursor is on. */
  readonly chosen: boolean;
  /** Ids of reads marked to be cited. */
  readonly cited: readonly string[];
  readonly observation: AlertsObservation;
}

/** Fields that follow cursor and selection whenever the form is opened again; the rest keeps what was typed. */
const POINTING = new Set(["alerts", "services", "metrics", "groups", "silences", "matchers"]);
/** Fields that are an answer: what was typed stays, even when the cursor has moved. */
const ANSWERS = new Set(["component", "team", "severity", "mechanism"]);

/** The draft of a form opened now. */
export function freshDraft(form: ActionForm, target: Target, stored: Draft | undefined): Draft {
  const draft: Record<string, unknown> = {};
  for (const field of form.fields) {
    const pointed = pointedValue(form, field, target);
    const kept = stored?.[field.name] ?? earlier(target, field.name);
    const keep = kept !== undefined && (!POINTING.has(field.choices ?? "") || ANSWERS.has(field.name));
    const value = keep ? kept : (pointed ?? kept ?? field.defaultValue);
    if (value !== undefined) draft[field.name] = value;
  }
  return draft;
}

function pointedValue(form: ActionForm, field: FieldForm, target: Target): unknown {
  const { row, rows, observation } = target;
  switch (field.choices) {
    case "alerts":
      // What is noise is an answer of its own: the row at the cursor must not slip into it.
      if (field.name === "suppressed") return target.chosen ? rows.map((r) => r.id) : undefined;
      return field.type === "list" ? listOf(rows.map((r) => r.id)) : row?.id;
    case "services":
      return row?.service;
    case "metrics":
      return observation.alerts.find((alert) => alert.id === row?.id)?.known?.metric;
    case "groups":
      return groupOf(form, field, target);
    case "silences":
      return observation.silences.at(-1)?.id;
    case "teams":
      return ANSWERS.has(field.name) ? undefined : (row?.team ?? undefined);
    case "matchers":
      return field.required ? matchersFor(rows) : undefined;
    case "items":
      return listOf(target.cited);
    default:
      return undefined;
  }
}

/** The triage given before, which a new one replaces. */
function earlier(target: Target, field: string): unknown {
  const triage: Readonly<Record<string, unknown>> = target.observation.published?.triage ?? {};
  return Object.hasOwn(triage, field) ? triage[field] : undefined;
}

function listOf(values: readonly string[]): readonly string[] | undefined {
  return values.length > 0 ? values : undefined;
}

/** The incident the pointed alerts are in. An action that itself takes alerts starts a new one unless told otherwise. */
function groupOf(form: ActionForm, field: FieldForm, target: Target): string | undefined {
  const takesAlerts = form.fields.some((other) => other.choices === "alerts");
  if (!field.required && takesAlerts) return undefined;
  const mine = target.rows.find((row) => row.group !== null)?.group;
  const groups = target.observation.groups;
  return mine ?? (field.required && groups.length === 1 ? groups[0]?.id : undefined);
}

/** Matchers that hit the pointed alerts: what they have in common. */
function matchersFor(rows: readonly QueueRow[]): readonly string[] | undefined {
  const first = rows[0];
  if (!first) return undefined;
  const matchers: string[] = [];
  if (rows.every((row) => row.name === first.name)) matchers.push(`alertname="${quoted(first.name)}"`);
  if (rows.every((row) => row.service === first.service)) matchers.push(`service="${quoted(first.service)}"`);
  return listOf(matchers);
}

function quoted(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

/** The action a draft stands for: empty optional fields are left out, numbers are numbers. */
export function actionOf(form: ActionForm, draft: Draft): Action {
  const args: Record<string, unknown> = {};
  for (const field of form.fields) {
    const value = parsed(field, draft[field.name]);
    if (value !== undefined) args[field.name] = value;
  }
  return { name: form.name, args };
}

/** The action to preview: a text that is still to be written touches nothing, so a dash stands for it. */
export function actionToPreview(form: ActionForm, draft: Draft): Action {
  const unwritten = form.fields.filter(
    (field) =>
      field.type === "text" && field.choices === undefined && field.required && !`${draft[field.name] ?? ""}`.trim(),
  );
  return actionOf(form, { ...draft, ...Object.fromEntries(unwritten.map((field) => [field.name, "–"])) });
}

function parsed(field: FieldForm, value: unknown): unknown {
  if (value === undefined || value === null) return undefined;
  if (field.type === "integer" || field.type === "number") {
    if (typeof value === "number") return value;
    const text = String(value).trim().replace(",", ".");
    return text === "" ? undefined : Number(text);
  }
  if (field.type === "list") {
    if (Array.isArray(value)) return value;
    return String(value)
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean);
  }
  if (field.type === "boolean") return value === true || value === "true";
  if (field.type === "object" && typeof value === "string") return objectOf(value);
  return value === "" ? undefined : value;
}

function objectOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

/** What is still missing or out of range, in the order of the fields. The host checks again. */
export function problemsOf(form: ActionForm, draft: Draft): readonly FieldProblem[] {
  const args = actionOf(form, draft).args;
  const problems: FieldProblem[] = [];
  for (const field of form.fields) {
    const message = problemOf(field, args[field.name]);
    if (message) problems.push({ field: field.name, message });
  }
  return problems;
}

function problemOf(field: FieldForm, value: unknown): string | null {
  const empty = value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
  if (empty) return field.required ? `${field.title} is missing.` : null;
  if (field.type === "integer" || field.type === "number") return numberProblem(field, value);
  if (field.type === "object" && typeof value === "string") return `${field.title} must be a JSON object.`;
  if (typeof value === "string" && field.maxLength !== undefined && value.length > field.maxLength)
    return `${field.title} may have ${field.maxLength} characters; it has ${value.length}.`;
  return null;
}

function numberProblem(field: FieldForm, value: unknown): string | null {
  const number = typeof value === "number" ? value : Number.NaN;
  const { minimum, maximum } = field;
  const range =
    minimum !== undefined && maximum !== undefined
      ? ` from ${minimum} to ${maximum}`
      : minimum !== undefined
        ? ` of at least ${minimum}`
        : maximum !== undefined
          ? ` of at most ${maximum}`
          : "";
  const whole = field.type === "integer" ? "a whole number" : "a number";
  const fits =
    Number.isFinite(number) &&
    (field.type !== "integer" || Number.isInteger(number)) &&
    (minimum === undefined || number >= minimum) &&
    (maximum === undefined || number <= maximum);
  return fits ? null : `${field.title} must be ${whole}${range}.`;
}

/** The values a field offers, from the host's lists or its own. */
export function choicesOf(field: FieldForm, choices: Readonly<Record<string, readonly Choice[]>>): readonly Choice[] {
  const listed =
    field.choices !== undefined && Object.hasOwn(choices, field.choices) ? choices[field.choices] : undefined;
  if (listed && listed.length > 0) return listed;
  return (field.options ?? []).map((value) => ({ value, label: field.words?.[value] ?? value }));
}

/** Why an action makes no sense now, or null: a required list has nothing to offer. */
export function unavailable(form: ActionForm, choices: Readonly<Record<string, readonly Choice[]>>): string | null {
  for (const field of form.fields) {
    if (!field.required || field.choices === undefined || field.choices === "matchers") continue;
    const list = choices[field.choices];
    if (list === undefined || list.length > 0 || field.options) continue;
    if (field.choices === "groups") return `${form.title} needs an incident: put alerts into one first.`;
    if (field.choices === "silences") return `${form.title}: nothing is silenced, snoozed or under maintenance.`;
    return `${form.title}: there are no ${field.choices} yet.`;
  }
  return null;
}
