/** Filter, grouping and sorting above the table, with the counts. */
import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import type { AlertsObservation } from "../../src/worlds/alerts/observation";
import { icon } from "../shared/icons";
import { plural } from "../shared/numbers";
import { valueIn } from "../toolkit";
import type { Queue } from "./queue";
import { GROUPINGS, SORTINGS } from "./rows";

export interface ToolEvents {
  filter(value: string): void;
  group(by: string): void;
  sort(by: string): void;
}

/** What the published tasks can be grouped by: they have no states and no incidents. */
const PUBLISHED_GROUPINGS = ["none", "service", "name", "team", "handling"];

export function tools(queue: Queue, observation: AlertsObservation, events: ToolEvents): TemplateResult {
  const { filter, groupBy, sortBy, selected } = queue.memory;
  const published = observation.published !== null;
  const { counts } = observation;
  const all = queue.rows.length;
  const muted = counts.quieted > 0 ? `, ${counts.quieted} muted` : "";
  return html`<div class="tools">
    <span class="q">${icon("filter", "small")}<input id="filter" type="text" spellcheck="false" autocomplete="off" aria-label="Filter alerts" placeholder="alert, service, label=value, -not" .value=${live(filter)} @input=${(e: Event) => events.filter(valueIn(e))} /><kbd aria-hidden="true">/</kbd></span>
    ${choose("Group", published ? PUBLISHED_GROUPINGS : GROUPINGS, groupBy, (v) => events.group(v))}
    ${choose("Sort", SORTINGS, sortBy, (v) => events.sort(v))}
    <span class="counts cut">${selected.size > 0 ? html`<b>${selected.size} selected</b> of ` : nothing}${queue.shown === all ? plural(all, "alert") : `${queue.shown} of ${plural(all, "alert")}`}${
      published
        ? nothing
        : html`<span class="dim only-wide">; ${counts.firing} firing, ${counts.flapping} flapping, ${counts.resolved} resolved${muted}</span>`
    }</span>
  </div>`;
}

function choose(label: string, values: readonly string[], value: string, set: (v: string) => void): TemplateResult {
  return html`<label class="choose"><span class="dim">${label}</span><select aria-label=${label} .value=${live(value)} @change=${(e: Event) => set(valueIn(e))}>
    ${values.map((v) => html`<option value=${v} ?selected=${v === value}>${v}</option>`)}
  </select></label>`;
}
