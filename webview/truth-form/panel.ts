/** The form in which a person says what was true behind imported alerts. The host checks it as it is written. */
import { html, nothing, render, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import type { Choice } from "../../src/core/action";
import type { ErrorPanelState, TruthDraft, TruthFormPanelState } from "../../src/panel-protocol";
import { errorPage } from "../shared/error-page";
import { Host } from "../shared/host";
import { icon } from "../shared/icons";
import { Chords, isCommit, isTyping, letterOf } from "../shared/keys";
import { plural } from "../shared/numbers";
import { cell, oneLine, titleOf } from "../shared/text";
import { valueIn } from "../toolkit";
import {
  assigned,
  type IncidentField,
  letter,
  memberships,
  placeText,
  withField,
  withIncident,
  withoutIncident,
} from "./draft";

/** Alerts listed at once; the filter finds the rest. */
const LISTED = 500;

export class TruthForm {
  private readonly host: Host<TruthFormPanelState | ErrorPanelState>;
  private state: TruthFormPanelState | null = null;
  private draft: TruthDraft = { title: "", brief: "", disposition: "", incidents: [] };
  private readonly selected = new Set<string>();
  private filter = "";
  private says: { readonly text: string; readonly bad: boolean } | null = null;
  private saving = false;
  private readonly chords = new Chords();

  constructor(private readonly root: HTMLElement) {
    document.addEventListener("keydown", (event) => this.pressed(event));
    this.host = new Host({
      state: (state, fresh) => this.take(state, fresh),
      focus: () => this.root.querySelector<HTMLElement>("#title")?.focus(),
    });
  }

  private take(state: TruthFormPanelState | ErrorPanelState, fresh: boolean): void {
    if (state.kind === "error") {
      this.state = null;
      render(errorPage(state), this.root);
      return;
    }
    this.state = state;
    if (fresh) this.draft = state.draft;
    this.redraw();
  }

  private edit(draft: TruthDraft): void {
    this.draft = draft;
    this.host.keep({ truth: draft });
    this.redraw();
  }

  private redraw(): void {
    const { state } = this;
    if (!state) return;
    const of = memberships(this.draft);
    const shown = state.alerts.filter((a) => matches(a, this.filter));
    render(
      html`<header class="top">
          <h1><span class="cut" title=${titleOf(state.title)}>What was true: <bdi>${oneLine(state.title, 200)}</bdi></span></h1>
          <span class="fact"><b>${of.size}</b> <span class="dim">of ${plural(state.alerts.length, "alert")} in an incident</span></span>
          <span class="fact">${state.problems.length === 0 ? html`${icon("fine")}Nothing is missing` : html`${icon("warning")}${plural(state.problems.length, "problem")}`}</span>
        </header>
        <main>
          <div class="col left">${this.alerts(state, shown, of)}</div>
          <div class="col right scroll" tabindex="0" role="group" aria-label="The truth">
            ${this.general(state)} ${this.incidents(state)} ${problems(state)}
          </div>
        </main>
        <footer><div class="bar" role="toolbar" aria-label="Actions">
          <button type="button" class="btn" @click=${() => this.edit(withIncident(this.draft))}>${icon("plus", "small")}Add incident <kbd>I</kbd></button>
          <span class="sp"></span>
          ${this.says ? html`<span class="sm st says" role=${this.says.bad ? "alert" : "status"}>${icon(this.says.bad ? "critical" : "fine", "small")}<span class="cut" title=${titleOf(this.says.text)}>${oneLine(this.says.text, 200)}</span></span>` : nothing}
          <button type="button" class="btn go" id="save" aria-disabled=${this.saving} @click=${() => void this.save()}>Save scenario… <kbd>Ctrl ⏎</kbd></button>
        </div></footer>`,
      this.root,
    );
  }

  private alerts(
    state: TruthFormPanelState,
    shown: TruthFormPanelState["alerts"],
    of: ReadonlyMap<string, number>,
  ): TemplateResult {
    const chosen = this.selected.size;
    return html`<div class="tools">
        <span class="q">${icon("filter", "small")}<input id="filter" type="text" spellcheck="false" aria-label="Filter alerts" placeholder="alert, service, label" .value=${live(this.filter)} @input=${(
          e: Event,
        ) => {
          this.filter = valueIn(e);
          this.redraw();
        }} /></span>
        <button type="button" class="btn" @click=${() => this.selectAll(shown)}>${shown.every((a) => this.selected.has(a.id)) && shown.length > 0 ? "Select none" : `Select ${shown.length}`}</button>
      </div>
      <div class="assign sm">
        <b>${plural(chosen, "alert")} selected</b>
        ${this.draft.incidents.map((_, i) => html`<button type="button" class="btn boxed" aria-disabled=${chosen === 0} @click=${() => this.assign(i)}>To ${letter(i)}${i < 9 ? html` <kbd>${i + 1}</kbd>` : nothing}</button>`)}
        <button type="button" class="btn" aria-disabled=${chosen === 0} @click=${() => this.assign(null)}>To none <kbd>0</kbd></button>
      </div>
      <div class="scroll list" tabindex="0" role="group" aria-label="Imported alerts">
        <ul>
          ${shown.slice(0, LISTED).map((a) => {
            const at = of.get(a.id);
            const belongs = at === undefined ? "no incident" : `incident ${letter(at)}`;
            return html`<li><label class=${this.selected.has(a.id) ? "sel" : ""}>
              <input type="checkbox" .checked=${live(this.selected.has(a.id))} @change=${() => this.toggle(a.id)} aria-label=${`${oneLine(a.name, 80)}, ${oneLine(a.service, 80)}, ${belongs}`} />
              <b>${cell(a.name)}</b><span class="svc">${cell(a.service)}</span><span class="lab dim mono">${cell(a.labels)}</span>
              ${at === undefined ? html`<span class="dim">${belongs}</span>` : html`<span class="chip" title=${belongs}>${letter(at)}</span>`}
            </label></li>`;
          })}
        </ul>
        ${shown.length > LISTED ? html`<p class="empty">${shown.length - LISTED} more: filter to see them.</p>` : nothing}
        ${shown.length === 0 ? html`<p class="empty">${state.alerts.length === 0 ? "The file holds no alert." : "No alert matches the filter."}</p>` : nothing}
      </div>`;
  }

  private general(state: TruthFormPanelState): TemplateResult {
    const set = (field: "title" | "brief" | "disposition") => (e: Event) =>
      this.edit({ ...this.draft, [field]: valueIn(e) });
    return html`<section class="sec" aria-label="Scenario">
      <header><h2>Scenario</h2></header>
      <div class="form">
        <span class="label">Title</span><vscode-text-field id="title" aria-label="Title" placeholder="Must not give the cause away" .value=${live(this.draft.title)} @input=${set("title")}></vscode-text-field>
        <span class="label">Brief</span><vscode-text-area rows="3" resize="vertical" aria-label="Brief" placeholder="Two or three sentences: the setting and the task" .value=${live(this.draft.brief)} @input=${set("brief")}></vscode-text-area>
        <span class="label">Right decision</span>${dropdown(
          "Right decision",
          state.dispositions,
          this.draft.disposition,
          set("disposition"),
        )}${meaning(state.dispositions, this.draft.disposition)}
      </div>
    </section>`;
  }

  private incidents(state: TruthFormPanelState): TemplateResult {
    const { incidents } = this.draft;
    if (incidents.length === 0)
      return html`<section class="sec" aria-label="Incidents"><header><h2>Incidents</h2></header><p class="empty">None: right where nothing was wrong. Otherwise add one <kbd>I</kbd> and assign the alerts that it caused.</p></section>`;
    return html`${incidents.map((incident, at) => {
      const set = (field: IncidentField) => (e: Event) => this.edit(withField(this.draft, at, field, valueIn(e)));
      const plain = (values: readonly string[]) => values.map((value) => ({ value, label: value }));
      const { mechanisms } = state;
      return html`<section class="sec" aria-label=${`Incident ${letter(at)}`}>
        <header><h2>Incident ${letter(at)}</h2><span class="n">${plural(incident.alerts.length, "alert")}</span><button type="button" class="btn" aria-label=${`Remove incident ${letter(at)}`} @click=${() => this.edit(withoutIncident(this.draft, at))}>${icon("cross", "small")}Remove</button></header>
        <div class="form">
          <span class="label">Component</span>${dropdown(`Component of ${letter(at)}`, plain(state.components), incident.component, set("component"))}
          <span class="label">Mechanism</span>${dropdown(`Mechanism of ${letter(at)}`, mechanisms, incident.mechanism, set("mechanism"))}${meaning(mechanisms, incident.mechanism)}
          <span class="label">Severity</span>${dropdown(`Severity of ${letter(at)}`, plain(state.severities), incident.severity, set("severity"))}
          <span class="label">Team</span>${dropdown(`Team of ${letter(at)}`, plain(state.teams), incident.team, set("team"))}
        </div>
      </section>`;
    })}`;
  }

  private toggle(id: string): void {
    if (!this.selected.delete(id)) this.selected.add(id);
    this.redraw();
  }

  private selectAll(shown: TruthFormPanelState["alerts"]): void {
    const all = shown.every((a) => this.selected.has(a.id));
    for (const { id } of shown)
      if (all) this.selected.delete(id);
      else this.selected.add(id);
    this.redraw();
  }

  private assign(at: number | null): void {
    if (this.selected.size === 0) return;
    const ids = [...this.selected];
    this.selected.clear();
    this.edit(assigned(this.draft, ids, at));
  }

  private async save(): Promise<void> {
    if (this.saving) return;
    this.saving = true;
    this.redraw();
    try {
      const { saved } = await this.host.call("saveTruth", this.draft);
      this.says = saved === null ? { text: "Not saved.", bad: true } : { text: `Saved as ${saved}`, bad: false };
    } catch (error) {
      this.says = { text: error instanceof Error ? error.message : String(error), bad: true };
    } finally {
      this.saving = false;
      this.redraw();
    }
  }

  private pressed(event: KeyboardEvent): void {
    if (this.chords.has(event) || !this.state || event.defaultPrevented) return;
    if (isCommit(event)) {
      event.preventDefault();
      void this.save();
      return;
    }
    if (isTyping(event) && !(event.target as Element).matches("input[type=checkbox]")) return;
    const typed = letterOf(event);
    if (event.key === "/") this.root.querySelector<HTMLElement>("#filter")?.focus();
    else if (/^[0-9]$/.test(event.key) && Number(event.key) <= this.draft.incidents.length)
      this.assign(event.key === "0" ? null : Number(event.key) - 1);
    else if (typed === "I") this.edit(withIncident(this.draft));
    else return;
    event.preventDefault();
  }
}

function matches(alert: TruthFormPanelState["alerts"][number], filter: string): boolean {
  const text = `${alert.id}\n${alert.name}\n${alert.service}\n${alert.labels}`.toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** What the chosen value means, below its field. */
function meaning(choices: readonly Choice[], value: string): TemplateResult | typeof nothing {
  const detail = choices.find((choice) => choice.value === value)?.detail;
  return detail ? html`<p class="sm dim meaning">${detail}</p>` : nothing;
}

function problems(state: TruthFormPanelState): TemplateResult | typeof nothing {
  if (state.problems.length === 0) return nothing;
  return html`<section class="sec" aria-label="Problems">
    <header><h2>Problems</h2></header>
    <div role="status"><ul class="probs">${state.problems.map((p) => html`<li>${icon("warning", "small")}<span><b>${placeText(p.place)}:</b> ${oneLine(p.message, 300)}</span></li>`)}</ul></div>
  </section>`;
}

function dropdown(label: string, list: readonly Choice[], value: string, set: (e: Event) => void): TemplateResult {
  const known = list.some((one) => one.value === value);
  return html`<vscode-dropdown aria-label=${label} .value=${live(known ? value : "")} @change=${set}>
    ${known ? nothing : html`<vscode-option value="" selected>choose…</vscode-option>`}
    ${list.map((one) => html`<vscode-option value=${String(one.value)} ?selected=${one.value === value} title=${one.detail ?? nothing}>${oneLine(one.label, 100)}</vscode-option>`)}
  </vscode-dropdown>`;
}
