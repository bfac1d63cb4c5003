/** The lower side pane: my incidents, everything read, what is muted, and the task with its rules. */
import { html, nothing, type TemplateResult } from "lit";
import type { EpisodePanelState } from "../../src/panel-protocol";
import type { AlertGroup, AlertsObservation, EvidenceItem } from "../../src/worlds/alerts/observation";
import { sparkline } from "../shared/chart";
import { icon, notLookedAt } from "../shared/icons";
import { grade, percent, plural, type SimulatedClock, short } from "../shared/numbers";
import { cell, long, oneLine, visible } from "../shared/text";
import { type DetailInput, historyChart, itemChip } from "./detail";

export const TABS = ["incidents", "evidence", "muted", "task"] as const;
export type Tab = (typeof TABS)[number];

export interface SideInput extends DetailInput {
  readonly state: EpisodePanelState;
  readonly tab: Tab;
  readonly expanded: ReadonlySet<string>;
  readonly pick: (tab: Tab) => void;
  readonly expand: (item: string) => void;
  readonly select: (alerts: readonly string[]) => void;
  readonly command: (command: "firedrill.revealRun") => void;
}

/** Reads listed at once, newest first; more would stall layout and are found by the alert they belong to. */
const LISTED = 200;

export function side(input: SideInput): TemplateResult {
  const { observation } = input;
  const first = observation.published ? "Triage" : "Incidents";
  const labels: Readonly<Record<Tab, readonly [string, number | null]>> = {
    incidents: [first, observation.published ? null : observation.groups.length],
    evidence: ["Evidence", observation.items.length],
    muted: ["Muted", observation.silences.length],
    task: ["Task", null],
  };
  const shown = observation.published ? (["incidents", "task"] as const) : TABS;
  const tab = (shown as readonly Tab[]).includes(input.tab) ? input.tab : "incidents";
  return html`<div class="tabs" role="tablist" aria-label="About this episode" @keydown=${(e: KeyboardEvent) => turn(e, shown, tab, input)}>
      ${shown.map(
        (name) =>
          html`<button type="button" role="tab" id=${`tab-${name}`} aria-controls="tabpanel" aria-selected=${name === tab} tabindex=${name === tab ? 0 : -1} @click=${() => input.pick(name)}>${labels[name][0]}${labels[name][1] === null ? nothing : html` <span class="dim">${labels[name][1]}</span>`}</button>`,
      )}
    </div>
    <div class="scroll tabpanel" id="tabpanel" role="tabpanel" aria-labelledby=${`tab-${tab}`} tabindex="0">${content(tab, input)}</div>`;
}

function turn(event: KeyboardEvent, shown: readonly Tab[], tab: Tab, input: SideInput): void {
  const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  if (step === 0) return;
  event.preventDefault();
  event.stopPropagation();
  const next = shown[(shown.indexOf(tab) + step + shown.length) % shown.length] ?? tab;
  input.pick(next);
  document.getElementById(`tab-${next}`)?.focus();
}

function content(tab: Tab, input: SideInput): TemplateResult {
  switch (tab) {
    case "incidents":
      return input.observation.published ? triage(input.observation) : incidents(input);
    case "evidence":
      return evidence(input);
    case "muted":
      return muted(input);
    case "task":
      return task(input);
  }
}

function triage(observation: AlertsObservation): TemplateResult {
  const given = observation.published?.triage;
  if (!given) return html`<p class="empty">No triage has been given yet. The last one given counts.</p>`;
  return html`<dl class="kv pad">
    <dt>Severity</dt><dd><b>${given.severity}</b></dd>
    <dt>Team</dt><dd>${cell(given.team)}</dd>
    <dt>Root cause</dt><dd>${long(given.root_cause)}</dd>
    <dt>Suppressed</dt><dd>${given.suppressed.length === 0 ? "none" : long(given.suppressed.join(", "))}</dd>
  </dl>`;
}

function incidents(input: SideInput): TemplateResult {
  const { groups } = input.observation;
  if (groups.length === 0)
    return html`<p class="empty">No incident yet. Select alerts that belong together and put them into one <kbd>G</kbd>; then route it <kbd>R</kbd> and say what caused it <kbd>M</kbd>.</p>`;
  return html`<ul class="incs">${groups.map((group) => incident(group, input))}</ul>`;
}

function incident(group: AlertGroup, input: SideInput): TemplateResult {
  const { route, cause } = group;
  return html`<li>
    <p class="ih"><b class="mono">${oneLine(group.id, 16)}</b><button type="button" class="link" title="Select these alerts" @click=${() => input.select(group.alerts)}>${plural(group.alerts.length, "alert")}</button>${group.escalated ? html`<span class="chip">escalated</span>` : nothing}</p>
    <dl class="kv">
      <dt>Routed</dt>
      <dd>${route ? html`<b>${route.severity}</b> to <b>${cell(route.team)}</b> <span class="dim">at ${input.clock.at(route.minute)}</span>` : notYet("not routed")}</dd>
      <dt>Cause</dt>
      <dd>${cause ? html`<b>${cell(cause.component)}</b>: ${oneLine(mechanismOf(cause.mechanism, input), 60)}, ${percent(cause.confidence)} sure` : notYet("not declared")}</dd>
      ${cause?.summary ? html`<dt>Summary</dt><dd>${long(cause.summary)}</dd>` : nothing}
      ${cause ? html`<dt>Shown by</dt><dd class="chips">${cause.evidence.length === 0 ? html`<span class="dim">nothing cited</span>` : cause.evidence.map((id) => html`<span class="chip mono">${oneLine(id, 12)}</span>`)}</dd>` : nothing}
    </dl>
  </li>`;
}

/** A mechanism in the words of the list it was chosen from. */
function mechanismOf(name: string, input: SideInput): string {
  return input.state.choices.mechanisms?.find((choice) => choice.value === name)?.label ?? name;
}

function notYet(words: string): TemplateResult {
  return html`<span class="st dim">${icon("unknown", "small")}${words}</span>`;
}

function evidence(input: SideInput): TemplateResult {
  const items = input.observation.items;
  if (items.length === 0)
    return html`<p class="empty">${notLookedAt()} Nothing has been read yet. Every read gets an id that a cause can cite.</p>`;
  return html`<ul class="evs">
    ${items
      .slice(-LISTED)
      .reverse()
      .map((item) => {
        const open = input.expanded.has(item.id);
        return html`<li>
          <div class="eh">
            <button type="button" class="fold" aria-expanded=${open} aria-label=${`${open ? "fold" : "unfold"} ${oneLine(item.id, 12)}`} @click=${() => input.expand(item.id)}>${icon(open ? "down" : "right", "small")}</button>
            ${itemChip(item.id, input)}<span class="cut">${headline(item, input)}</span><span class="dim">${input.clock.at(item.minute)}</span>
          </div>
          ${open ? html`<div class="eb">${body(item, input)}</div>` : nothing}
        </li>`;
      })}
    ${items.length > LISTED ? html`<li class="empty">${items.length - LISTED} older reads are shown with their alerts.</li>` : nothing}
  </ul>`;
}

function headline(item: EvidenceItem, input: SideInput): TemplateResult | string {
  switch (item.kind) {
    case "alert": {
      const alert = input.observation.alerts.find((a) => a.id === item.alert);
      return html`${oneLine(alert?.name ?? item.alert, 60)} <span class="dim">value ${short(item.value)}</span>`;
    }
    case "history":
      return html`${oneLine(item.metric, 60)} <span class="dim">${oneLine(item.service, 60)}</span>`;
    case "graph":
      return `graph of ${item.service === null ? "all services" : oneLine(item.service, 60)}`;
    case "changes":
      return html`${plural(item.events.length, "change")} <span class="dim">${item.service === null ? "all services" : oneLine(item.service, 60)}</span>`;
    case "impact":
      return html`impact <b>${percent(item.reading.failing)}</b> <span class="dim">${oneLine(item.reading.service, 60)}</span>`;
  }
}

function body(item: EvidenceItem, input: SideInput): TemplateResult {
  switch (item.kind) {
    case "history":
      return html`${historyChart(item, null, input)}${valuesTable(item, input.clock)}`;
    case "graph":
      return html`<ul class="plain">${item.services.slice(0, 80).map((s) => html`<li><b>${cell(s.name)}</b> <span class="dim">${oneLine(s.kind, 24)}${s.team ? `, ${oneLine(s.team, 24)}` : ""}${s.customerFacing ? ", customers reach it" : ""}${s.revenue ? ", takes money" : ""}</span><br />${s.dependsOn.length ? html`→ ${long(s.dependsOn.join(", "))}` : html`<span class="dim">depends on nothing</span>`}</li>`)}</ul>`;
    case "changes":
      return html`${item.cut ? html`<p class="sm dim">${oneLine(item.cut, 200)}</p>` : nothing}<ul class="events">${item.events.slice(0, 100).map((e) => html`<li><span>${input.clock.at(e.minute)}</span><span><b>${oneLine(e.service, 60)}</b> ${oneLine(e.kind, 24)}: ${long(e.text, 200)}</span></li>`)}</ul>${item.events.length === 0 ? html`<p class="sm">Nothing changed since ${input.clock.at(item.from)}.</p>` : nothing}`;
    case "impact":
      return html`<p class="sm">${percent(item.reading.failing)} of requests to ${oneLine(item.reading.service, 80)} fail or are too slow, at worst ${percent(item.reading.worst)}; objective ${item.reading.since === null ? "met" : `missed since ${input.clock.at(item.reading.since)}`}.</p>`;
    case "alert":
      return html`<p class="sm">Alert ${oneLine(item.alert, 40)} had the value ${short(item.value)} at ${input.clock.at(item.minute)}.</p>`;
  }
}

/** The chart's numbers for those who read rather than look, newest first. */
function valuesTable(item: Extract<EvidenceItem, { kind: "history" }>, clock: SimulatedClock): TemplateResult {
  return html`<details class="sm">
    <summary>Values</summary>
    <table class="values">
      <thead><tr><th scope="col">Time</th>${item.series.slice(0, 4).map((s) => html`<th scope="col">${oneLine(s.facet || "whole", 24)}</th>`)}</tr></thead>
      <tbody>
        ${(item.series[0]?.minutes ?? [])
          .map(
            (minute, i) =>
              html`<tr><td>${clock.at(minute)}</td>${item.series.slice(0, 4).map((s) => html`<td>${short(s.values[i] ?? null)}</td>`)}</tr>`,
          )
          .reverse()
          .slice(0, 60)}
      </tbody>
    </table>
  </details>`;
}

function muted(input: SideInput): TemplateResult {
  const { silences, minute } = input.observation;
  if (silences.length === 0) return html`<p class="empty">Nothing is silenced, snoozed or under maintenance.</p>`;
  return html`<ul class="incs">
    ${[...silences].reverse().map(
      (s) => html`<li>
        <p class="ih"><b class="mono">${oneLine(s.id, 16)}</b> ${s.kind} <span class="dim">${s.expiresAt <= minute ? "ended" : "until"} ${input.clock.at(s.expiresAt)}, hits ${s.hits}</span></p>
        <p class="mono sm">${long(s.matchers.join("\n"))}</p>
        ${s.reason ? html`<p class="sm dim">${long(s.reason)}</p>` : nothing}
      </li>`,
    )}
  </ul>`;
}

function task(input: SideInput): TemplateResult {
  const { observation, state } = input;
  return html`<div class="pad task">
    <p class="sm">${long(observation.brief, 1200)}</p>
    ${
      observation.severityPolicy.length > 0
        ? html`<h4 class="head4">How severity is judged</h4><ul class="policy">${observation.severityPolicy.map((line) => html`<li>${visible(line)}</li>`)}</ul>`
        : nothing
    }
    <h4 class="head4">My runs of this scenario</h4>
    ${runs(state.myGrades)}
    <h4 class="head4">Recording</h4>
    <p class="sm">${state.recording.location === null ? "not recorded" : html`${cell(state.recording.location)} <button type="button" class="link" @click=${() => input.command("firedrill.revealRun")}>Show file</button>`}</p>
  </div>`;
}

function runs(grades: readonly number[]): TemplateResult {
  if (grades.length === 0) return html`<p class="sm dim">None finished yet.</p>`;
  const shown = grades.slice(-40);
  const last = shown.at(-1) ?? 0;
  const best = Math.max(...grades);
  const words = `${plural(grades.length, "run")}, last ${grade(last)}, best ${grade(best)}`;
  return html`${sparkline(shown, `Grades of my runs, oldest first: ${shown.map(grade).join(", ")}`)}<p class="sm dim">${words}</p>`;
}
