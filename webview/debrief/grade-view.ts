/** The grade: its number on this seed's scale, and the three storeys it is made of. */
import { html, nothing, type TemplateResult } from "lit";
import type { GradePart } from "../../src/core/rubric";
import type { DebriefPanelState } from "../../src/panel-protocol";
import { type Icon, icon } from "../shared/icons";
import { plural, grade as printed } from "../shared/numbers";
import { place } from "../shared/place";
import { long, oneLine } from "../shared/text";
import { inWords } from "../shared/words";
import { placeMarks, playedBy, storeysOf } from "./storeys";

export interface GradeInput {
  readonly state: DebriefPanelState;
  /** Goes to the step whose result has this id. */
  readonly goTo: (item: string) => void;
  readonly knows: (item: string) => boolean;
}

/** Ids named beside a part; the rest is counted. */
const CHIPS = 6;
const DEPTH = 4;

export function gradeTop(input: GradeInput): TemplateResult {
  const { state } = input;
  const strict = state.grade?.strict ?? null;
  return html`<section class="tot" aria-label="Grade">
    <div class="big">
      <div><b class="gnum">${strict === null ? "–" : printed(strict)}</b><span>${strict === null ? state.status : "strict"}</span></div>
      <p class="sm"><b>${oneLine(state.title, 120)}</b><br />seed ${state.seed}, ${oneLine(playedBy(state.steps, state.openedBy), 40)}, ${day(state.openedAt)}</p>
      ${state.grade && state.grade.published !== null ? html`<div class="pub"><b>${printed(state.grade.published)}</b><span>published formula</span></div>` : nothing}
    </div>
    ${scale(state, strict)}
  </section>`;
}

function day(iso: string): string {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(iso) ? iso.slice(0, 16).replace("T", " ") : oneLine(iso, 30);
}

function scale(state: DebriefPanelState, strict: number | null): TemplateResult {
  if (state.references === null && strict !== null)
    return html`<p class="sm dim">Working out what others got on this seed…</p>`;
  const marks = placeMarks(
    strict,
    state.references ?? [],
    playedBy(state.steps, state.openedBy) === "you" ? "you" : "this run",
  );
  if (marks.length === 0) return html``;
  const words = marks.map((mark) => `${mark.label} ${printed(mark.grade)}`).join(", ");
  return html`<div class=${`scale ${marks.some((mark) => mark.row === 2) ? "tall" : ""}`} role="img" aria-label=${`On this seed's scale from 0 to 1: ${words}`}>
    <div class="rail"></div>
    ${marks.map((mark) => html`<div class=${`mk r${mark.row} ${mark.me ? "me" : ""}`} ${place({ left: `${Math.max(0, Math.min(1, mark.grade)) * 100}%` })}><i></i><em class=${mark.grade < 0.12 ? "left" : mark.grade > 0.88 ? "right" : ""}>${oneLine(mark.label, 24)} ${printed(mark.grade)}</em></div>`)}
  </div>`;
}

export function storeys(input: GradeInput): TemplateResult {
  const tree = input.state.grade?.strictTree;
  if (!tree) return html``;
  const { gates, outcome, process, rest } = storeysOf(tree);
  const holding = gates.filter((gate) => gate.value < 1);
  const limit = Math.min(1, ...gates.map((gate) => gate.value));
  return html`${
    gates.length > 0
      ? html`<section class="storey" aria-label="Gate">
          <header><span class="sn" aria-hidden="true">1</span>${icon(holding.length === 0 ? "fine" : "critical")}<h2>Gate</h2><span class="dim cut">${holding.length === 0 ? "no cap applies" : `${holding.length} of ${gates.length} lower it`}</span><b class="sv">cap ${printed(limit)}</b></header>
          <ul class="gt">${gates.map((gate) => html`<li class=${gate.value < 1 ? "low" : ""}>${icon(gate.value < 1 ? "critical" : "fine", "small")}<span>${oneLine(gate.name, 80)}${gate.value < 1 ? html`: <b>at most ${printed(gate.value)}</b> <span class="dim">${oneLine(inWords(gate.reason, input.state.words), 200)}</span>` : nothing} ${chips(gate.evidence, input)}</span></li>`)}</ul>
        </section>`
      : nothing
  }
  ${outcome ? storey("2", "Outcome", outcome, "what came of it", input) : nothing}
  ${process ? storey("3", "Process", process, "how it was found", input) : nothing}
  ${rest.map((part) => storey("·", part.name, part, part.reason, input))}`;
}

function storey(number: string, name: string, part: GradePart, note: string, input: GradeInput): TemplateResult {
  return html`<section class="storey" aria-label=${name}>
    <header><span class="sn" aria-hidden="true">${number}</span>${icon(shapeOf(part.value))}<h2>${name}</h2><span class="dim cut">${note}</span><b class="sv">${printed(part.value)}</b></header>
    <ul class="pt">${part.parts?.length ? part.parts.map((child) => partRow(child, 0, input)) : partRow(part, 0, input)}</ul>
  </section>`;
}

function shapeOf(value: number): Icon {
  return value >= 0.995 ? "fine" : value <= 0.05 ? "critical" : "half";
}

function partRow(part: GradePart, depth: number, input: GradeInput): TemplateResult {
  const children = depth < DEPTH ? (part.parts ?? []) : [];
  return html`<li>
    <span class="pn" title=${oneLine(part.name, 200)}>${oneLine(part.name, 60)}</span>
    <span class="pb tint" aria-hidden="true"><i ${place({ width: `${Math.max(0, Math.min(1, part.value)) * 100}%` })}></i></span>
    <b class="pv">${printed(part.value)}</b><span class="pw dim">${part.weight === undefined ? "" : `×${printed(part.weight)}`}</span>
    <span class="py dim">${long(inWords(part.reason, input.state.words), 300)} ${chips(part.evidence, input)}</span>
    ${children.length > 0 ? html`<details class="py" ?open=${part.value < 0.995}><summary>${plural(children.length, "part")}</summary><ul class="pt sub">${children.map((child) => partRow(child, depth + 1, input))}</ul></details>` : nothing}
  </li>`;
}

/** Ids of reads that decided a part; those that were read in this run lead to their step. */
function chips(ids: readonly string[], input: GradeInput): TemplateResult | typeof nothing {
  if (ids.length === 0) return nothing;
  return html`<span class="chips inline">${ids
    .slice(0, CHIPS)
    .map((id) =>
      input.knows(id)
        ? html`<button type="button" class="chip ev" title="Go to the step that read it" @click=${() => input.goTo(id)}>${oneLine(id, 12)}</button>`
        : html`<span class="chip mono">${oneLine(id, 12)}</span>`,
    )}${ids.length > CHIPS ? html`<span class="dim">and ${ids.length - CHIPS} more</span>` : nothing}</span>`;
}
