/** Forms made from a world's own description of its actions; nothing here knows an action by name. */
import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import type { ActionForm, Choice, FieldForm } from "../../src/core/action";
import { icon } from "../shared/icons";
import { plural } from "../shared/numbers";
import { oneLine, titleOf, visible } from "../shared/text";
import { valueIn } from "../toolkit";
import { choicesOf, type Draft, type FieldProblem } from "./drafts";

export interface FormInput {
  readonly form: ActionForm;
  readonly draft: Draft;
  readonly choices: Readonly<Record<string, readonly Choice[]>>;
  /** Shown beside a field: missing values only after the player has tried to send. */
  readonly problems: readonly FieldProblem[];
  readonly set: (field: string, value: unknown) => void;
}

/** Up to this many short values become a row of buttons. */
const SEGMENTS = 5;
/** Labels longer than this stand in columns of one width. */
const SHORT_LABEL = 14;
/** Beyond this a list of values would stall the drop-down: the value is typed. */
const DROPDOWN_LIMIT = 400;
/** A list of alerts names this many, then counts. */
const NAMED = 3;

export function formFields(input: FormInput): TemplateResult {
  return html`<div class="fields">
    ${input.form.fields.map((field) => {
      const problem = input.problems.find((p) => p.field === field.name || p.field.startsWith(`${field.name}.`));
      return html`<div class="field f-${field.type}" data-field=${field.name}>
        <span class="label" id=${`label-${field.name}`} title=${field.help}>${field.title}${field.required || field.defaultValue !== undefined ? nothing : html` <span class="dim">optional</span>`}</span>
        <div class="control">
          ${control(field, input, problem !== undefined)}
          ${problem ? html`<p class="problem sm">${icon("critical", "small")}<span>${oneLine(problem.message, 300)}</span></p>` : nothing}
        </div>
      </div>`;
    })}
  </div>`;
}

function control(field: FieldForm, input: FormInput, bad: boolean): TemplateResult {
  const value = input.draft[field.name];
  const list = choicesOf(field, input.choices);
  if (field.type === "list") {
    if (field.choices === "items") return itemChips(field, value, list, input);
    if (field.choices === "alerts" || field.name === "suppressed") return alertList(field, value, list);
    return lines(field, value, input, bad);
  }
  if (field.type === "boolean")
    return html`<vscode-checkbox .checked=${live(value === true)} aria-labelledby=${`label-${field.name}`} @change=${(
      e: Event,
    ) => input.set(field.name, (e.currentTarget as EventTarget & { checked: boolean }).checked)}></vscode-checkbox>`;
  if (field.type === "choice" || (field.choices !== undefined && list.length > 0)) {
    if (list.length > 0 && list.length <= SEGMENTS && field.required) return segments(field, value, list, input);
    if (list.length <= DROPDOWN_LIMIT && list.length > 0) return dropdown(field, value, list, input);
  }
  if (field.type === "object" || (field.maxLength ?? 0) > 160) return area(field, value, input, bad);
  return text(field, value, input, bad);
}

function text(field: FieldForm, value: unknown, input: FormInput, bad: boolean): TemplateResult {
  const numeric = field.type === "integer" || field.type === "number";
  const range =
    numeric && field.minimum !== undefined && field.maximum !== undefined ? `${field.minimum} to ${field.maximum}` : "";
  return html`<vscode-text-field
      class=${numeric ? "number" : ""}
      aria-labelledby=${`label-${field.name}`}
      aria-label=${field.title}
      aria-invalid=${bad}
      title=${field.help}
      placeholder=${numeric ? "" : field.help.slice(0, 60)}
      .value=${live(value === undefined ? "" : String(value))}
      @input=${(e: Event) => input.set(field.name, valueIn(e))}
    ></vscode-text-field
    >${numeric && range ? html`<span class="sm dim">${range}</span>` : nothing}`;
}

function area(field: FieldForm, value: unknown, input: FormInput, bad: boolean): TemplateResult {
  const content = value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);
  return html`<vscode-text-area
      rows="2"
      resize="vertical"
      aria-label=${field.title}
      aria-invalid=${bad}
      title=${field.help}
      placeholder=${field.help.slice(0, 120)}
      .value=${live(content)}
      @input=${(e: Event) => input.set(field.name, valueIn(e))}
    ></vscode-text-area
    >${field.maxLength ? html`<span class="sm dim count">${content.length} of ${field.maxLength}</span>` : nothing}`;
}

/** A list of texts, one a line. */
function lines(field: FieldForm, value: unknown, input: FormInput, bad: boolean): TemplateResult {
  const content = Array.isArray(value) ? value.join("\n") : value === undefined ? "" : String(value);
  return html`<vscode-text-area
    class="mono"
    rows="2"
    resize="vertical"
    aria-label=${`${field.title}, one a line`}
    aria-invalid=${bad}
    title=${field.help}
    placeholder="one a line"
    .value=${live(content)}
    @input=${(e: Event) => input.set(field.name, valueIn(e))}
  ></vscode-text-area>`;
}

function dropdown(field: FieldForm, value: unknown, list: readonly Choice[], input: FormInput): TemplateResult {
  const known = list.some((choice) => choice.value === value);
  return html`<vscode-dropdown
    aria-label=${field.title}
    title=${field.help}
    .value=${live(known ? String(value) : "")}
    @change=${(e: Event) => input.set(field.name, typed(valueIn(e), list))}
  >
    ${known && field.required ? nothing : html`<vscode-option value="" ?selected=${!known}>${field.required ? "choose…" : "any"}</vscode-option>`}
    ${list.map(
      (choice) =>
        html`<vscode-option value=${String(choice.value)} ?selected=${choice.value === value} title=${titleOf(choice.detail ?? choice.label)}>${oneLine(choice.label, 60)}</vscode-option>`,
    )}
  </vscode-dropdown>`;
}

function typed(value: string, list: readonly Choice[]): unknown {
  return value === "" ? undefined : (list.find((choice) => String(choice.value) === value)?.value ?? value);
}

function segments(field: FieldForm, value: unknown, list: readonly Choice[], input: FormInput): TemplateResult {
  const at = Math.max(
    0,
    list.findIndex((choice) => choice.value === value),
  );
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const next = (at + step + list.length) % list.length;
    input.set(field.name, list[next]?.value);
    const buttons = (event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>("button");
    buttons[next]?.focus();
  };
  const wordy = list.some((choice) => choice.label.length > SHORT_LABEL);
  return html`<div class="seg ${wordy ? "wordy" : ""}" role="radiogroup" aria-label=${field.title} title=${field.help} @keydown=${move}>
    ${list.map((choice, i) => {
      const on = choice.value === value;
      return html`<button
        type="button"
        role="radio"
        value=${String(choice.value)}
        aria-checked=${on}
        tabindex=${i === at ? 0 : -1}
        class=${on ? "on" : ""}
        title=${titleOf(choice.detail ?? "")}
        @click=${() => input.set(field.name, choice.value)}
      >${on ? icon("check", "small") : nothing}<b class="cut">${oneLine(choice.label, 40)}</b></button>`;
    })}
  </div>`;
}

/** Reads that can be cited, as buttons that are in or out. */
function itemChips(field: FieldForm, value: unknown, list: readonly Choice[], input: FormInput): TemplateResult {
  const chosen = new Set(Array.isArray(value) ? value.map(String) : []);
  if (list.length === 0) return html`<span class="sm dim">nothing has been read yet</span>`;
  return html`<div class="chips" role="group" aria-label=${field.title}>
    ${list.map((choice) => {
      const id = String(choice.value);
      return html`<button type="button" class="chip ev" aria-pressed=${chosen.has(id)} title=${titleOf(choice.detail ?? choice.label)} @click=${() =>
        input.set(
          field.name,
          chosen.has(id) ? [...chosen].filter((c) => c !== id) : [...chosen, id],
        )}>${oneLine(id, 12)}</button>`;
    })}
  </div>`;
}

function alertList(field: FieldForm, value: unknown, list: readonly Choice[]): TemplateResult {
  const ids = Array.isArray(value) ? value.map(String) : [];
  const label = (id: string) => oneLine(list.find((choice) => choice.value === id)?.label ?? id, 60);
  const named = ids.slice(0, NAMED).map(label).join(", ");
  return html`<p class="picked sm" role="group" aria-label=${field.title}>
    ${
      ids.length === 0
        ? html`<span class="dim">none: select rows with Space</span>`
        : html`<b>${plural(ids.length, "alert")}</b> <span class="wrap" title=${visible(ids.slice(0, 100).map(label).join("\n"))}>${named}${ids.length > NAMED ? ` and ${ids.length - NAMED} more` : ""}</span>`
    }
  </p>`;
}
