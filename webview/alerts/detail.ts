/** The pane about the alert at the cursor: what has been read of it, when, and what has not been looked at. */
import { html, nothing, type TemplateResult } from "lit";
import type { ActionForm } from "../../src/core/action";
import type { AlertRow, AlertsObservation, EvidenceItem, KnownAlert } from "../../src/worlds/alerts/observation";
import { lineChart } from "../shared/chart";
import { icon, notLookedAt, state } from "../shared/icons";
import { age, percent, type SimulatedClock, short } from "../shared/numbers";
import { cell, long, oneLine, titleOf } from "../shared/text";
import { type QueueRow, tally } from "./rows";

export interface DetailInput {
  readonly observation: AlertsObservation;
  readonly clock: SimulatedClock;
  readonly row: QueueRow | null;
  /** Members, when the cursor is on a heading. */
  readonly group: { readonly label: string; readonly rows: readonly QueueRow[] } | null;
  readonly actions: readonly ActionForm[];
  readonly run: (action: string) => void;
  readonly cite: (item: string) => void;
  readonly cited: ReadonlySet<string>;
}

type Item<K extends EvidenceItem["kind"]> = Extract<EvidenceItem, { kind: K }>;

/** Charts and changes beyond these stay in the evidence list. */
const CHARTS = 4;
const CHANGES = 8;
const LABELS = 40;

export function detail(input: DetailInput): TemplateResult {
  if (input.group) return groupDetail(input.group);
  const { row } = input;
  if (!row) return html`<p class="empty">No alert is at the cursor. ↑ and ↓ move it.</p>`;
  const alert = input.observation.alerts.find((a) => a.id === row.id) ?? null;
  return html`<div class="det">
    <h3 class="title"><b>${cell(row.name)}</b> <span class="mono dim">${oneLine(row.id, 24)}</span></h3>
    <p class="sm sub">${cell(row.service)}<span class="dim">${input.observation.published ? nothing : `${row.state}, `}since ${input.clock.at(row.since)} (${age(input.observation.minute - row.since)})</span></p>
    ${alert && !input.observation.published ? knowledge(alert, input) : nothing}
    ${input.observation.published ? publishedFacts(row) : surroundings(row, alert, input)}
    ${alert?.known && !input.observation.published ? written(alert.known) : nothing}
  </div>`;
}

function groupDetail(group: { readonly label: string; readonly rows: readonly QueueRow[] }): TemplateResult {
  const services = new Set(group.rows.map((row) => row.service));
  const names = new Set(group.rows.map((row) => row.name));
  return html`<div class="det">
    <h3 class="title"><b>${cell(group.label)}</b></h3>
    <dl class="kv">
      <dt>Alerts</dt><dd>${group.rows.length}: ${tally(group.rows)}</dd>
      <dt>Services</dt><dd>${long([...services].slice(0, 30).join(", "))}</dd>
      <dt>Names</dt><dd>${long([...names].slice(0, 30).join(", "))}</dd>
    </dl>
    <p class="sm dim">Space selects all of them, ← and → fold and unfold.</p>
  </div>`;
}

function publishedFacts(row: QueueRow): TemplateResult {
  return html`<dl class="kv">
    <dt>Value</dt><dd><b>${short(row.value)}</b> against a threshold of ${short(row.threshold)} ${oneLine(row.unit, 24)}</dd>
    <dt>Owner</dt><dd>${row.team === null ? "not in the service map" : cell(row.team)}</dd>
    <dt>In my triage</dt><dd>${row.handling === "suppressed" ? "suppressed as noise" : "kept as real"}</dd>
  </dl>`;
}

function knowledge(alert: AlertRow, input: DetailInput): TemplateResult {
  const { known } = alert;
  if (!known) return gap("Rule, value, labels, owner", "inspect_alert", input);
  const { says } = annotationsOf(known);
  return html`${says === null ? nothing : html`<p class="sm says">${long(says)}</p>`}
    <dl class="kv">
      <dt>Rule</dt><dd><code class="wrap">${ruleText(known)}</code>${forText(known)}</dd>
      <dt>Value</dt><dd><b>${short(known.value)}</b> ${oneLine(known.unit, 24)} at ${input.clock.at(known.readAt)} ${itemChip(known.item, input)}</dd>
      <dt>Owner</dt><dd>${known.team === null ? html`<span class="dim">nowhere named</span>` : cell(known.team)}</dd>
      <dt>Severity</dt><dd>${cell(known.severity)} <span class="dim">as its rule says</span></dd>
    </dl>`;
}

/** Labels and annotations, word for word. */
function written(known: KnownAlert): TemplateResult {
  const { rest } = annotationsOf(known);
  const labels = known.labels.slice(0, LABELS);
  return html`<h4 class="head4">As written</h4>
    <dl class="kv">
      <dt>Labels</dt>
      <dd class="labels">${labels.map(([k, v]) => html`<bdi class="cut mono" title=${titleOf(`${k}=${v}`)}>${oneLine(`${k}=${v}`, 120)}</bdi>`)}${known.labels.length > LABELS ? html`<span class="dim">${known.labels.length - LABELS} more</span>` : nothing}</dd>
      ${rest.map(([k, v]) => html`<dt class="ann">${cell(k)}</dt><dd>${long(v)}</dd>`)}
      <dt>Fired</dt><dd>${known.firings === 1 ? "once" : `${known.firings} times`} so far</dd>
      <dt>Fingerprint</dt><dd>${cell(known.fingerprint, "mono")}</dd>
    </dl>`;
}

function ruleText(known: KnownAlert): string {
  return `${oneLine(known.metric, 120)} ${known.comparison} ${short(known.threshold)}${known.unit ? ` ${oneLine(known.unit, 24)}` : ""}`;
}

function forText(known: KnownAlert): string {
  const parts: string[] = [];
  if (known.forMinutes !== null && known.forMinutes > 0) parts.push(`for ${age(known.forMinutes)}`);
  if (known.keepFiringMinutes !== null && known.keepFiringMinutes > 0)
    parts.push(`keeps firing ${age(known.keepFiringMinutes)}`);
  return parts.length > 0 ? ` ${parts.join(", ")}` : "";
}

const FOR_PEOPLE = ["summary", "description", "message"];

/** The sentence written for people, apart from the other annotations. */
function annotationsOf(known: KnownAlert) {
  const key = FOR_PEOPLE.find((name) => known.annotations.some(([k]) => k === name));
  return {
    says: known.annotations.find(([k]) => k === key)?.[1] ?? null,
    rest: known.annotations.filter(([k]) => k !== key).slice(0, LABELS),
  };
}

function surroundings(row: QueueRow, alert: AlertRow | null, input: DetailInput): TemplateResult {
  const items = input.observation.items;
  return html`${histories(row, alert?.known ?? null, items, input)}${impactOf(row, items, input)}${graphOf(row, items, input)}${changesOf(row, items, input)}`;
}

function histories(row: QueueRow, known: KnownAlert | null, items: readonly EvidenceItem[], input: DetailInput) {
  const latest = new Map<string, Item<"history">>();
  for (const item of items) if (item.kind === "history" && item.service === row.service) latest.set(item.metric, item);
  if (latest.size === 0) return gap("History", "query_history", input);
  const own = known?.metric ?? "";
  const ordered = [...latest.values()].sort(
    (a, b) => Number(b.metric === own) - Number(a.metric === own) || b.minute - a.minute || (a.id < b.id ? -1 : 1),
  );
  return html`<h4 class="head4">History</h4>
    ${ordered.slice(0, CHARTS).map((item) => historyChart(item, item.metric === own ? (known?.threshold ?? null) : null, input))}`;
}

export function historyChart(
  item: Item<"history">,
  threshold: number | null,
  input: Pick<DetailInput, "observation" | "clock" | "cite" | "cited">,
): TemplateResult {
  const lines = item.series.map((s) => ({ label: s.facet, minutes: s.minutes, values: s.values }));
  return html`<div class="hist">
    ${lineChart({ title: item.metric, unit: item.series[0]?.unit ?? "", lines, threshold, now: input.observation.minute, clock: input.clock })}
    <p class="sm dim from">${itemChip(item.id, input)}${item.cut ? html`<span>${oneLine(item.cut, 160)}</span>` : nothing}</p>
  </div>`;
}

function impactOf(row: QueueRow, items: readonly EvidenceItem[], input: DetailInput): TemplateResult {
  const found = items
    .filter((i): i is Item<"impact"> => i.kind === "impact" && i.reading.service === row.service)
    .at(-1);
  if (!found) return gap("Customer impact", "impact", input);
  const { reading } = found;
  const measured = reading.failing !== null || reading.worst !== null;
  return html`<h4 class="head4">Customer impact</h4>
    <dl class="kv">
      <dt>Requests failing</dt>
      <dd>${measured ? html`<b>${percent(reading.failing)}</b> <span class="dim">worst ${percent(reading.worst)} in 30 min</span>` : html`<span class="dim">not measured</span>`} ${itemChip(found.id, input)}</dd>
      <dt>Objective</dt>
      <dd>${reading.since === null ? (measured ? state("fine", "met") : "unknown") : state("critical", `missed since ${input.clock.at(reading.since)}`)}</dd>
      <dt>Reached by</dt>
      <dd>${reading.customerFacing ? "customers directly" : "other services only"}${reading.revenue ? ", takes money" : ""}</dd>
    </dl>`;
}

function graphOf(row: QueueRow, items: readonly EvidenceItem[], input: DetailInput): TemplateResult {
  for (let i = items.length - 1; i >= 0; i--) {
    const item = items[i];
    if (item?.kind !== "graph") continue;
    const service = item.services.find((s) => s.name === row.service);
    if (!service) continue;
    const list = (names: readonly string[]) =>
      names.length === 0 ? html`<span class="dim">nothing</span>` : long(names.join(", "));
    return html`<h4 class="head4">Service graph</h4>
      <dl class="kv">
        <dt>Kind</dt><dd>${cell(service.kind)} ${itemChip(item.id, input)}</dd>
        <dt>Owner</dt><dd>${service.team === null ? html`<span class="dim">not known</span>` : cell(service.team)}</dd>
        <dt>Depends on</dt><dd>${list(service.dependsOn)}</dd>
        <dt>Used by</dt><dd>${list(service.usedBy)}</dd>
        <dt>Metrics</dt><dd>${list(service.metrics)}</dd>
      </dl>`;
  }
  return gap("Service graph", "service_graph", input);
}

function changesOf(row: QueueRow, items: readonly EvidenceItem[], input: DetailInput): TemplateResult {
  const reads = items.filter(
    (i): i is Item<"changes"> => i.kind === "changes" && (i.service === null || i.service === row.service),
  );
  if (reads.length === 0) return gap("Recent changes", "recent_changes", input);
  const seen = new Set<string>();
  const events = reads
    .flatMap((read) => read.events.filter((e) => e.service === row.service).map((event) => ({ event, read: read.id })))
    .filter(({ event }) => {
      const key = `${event.minute} ${event.kind} ${event.text}`;
      return !seen.has(key) && seen.add(key);
    })
    .sort((a, b) => b.event.minute - a.event.minute || (a.event.text < b.event.text ? -1 : 1));
  const from = Math.min(...reads.map((read) => read.from));
  return html`<h4 class="head4">Recent changes</h4>
    ${events.length === 0 ? html`<p class="sm">None since ${input.clock.at(from)}. ${itemChip(reads.at(-1)?.id ?? "", input)}</p>` : nothing}
    <ul class="events">
      ${events.slice(0, CHANGES).map(({ event, read }) => html`<li><span>${input.clock.at(event.minute)}</span><span><b>${oneLine(event.kind, 24)}</b> ${long(event.text, 160)} ${itemChip(read, input)}</span></li>`)}
    </ul>`;
}

/** Something that was not read, with the key that reads it. */
function gap(what: string, action: string, input: DetailInput): TemplateResult {
  const form = input.actions.find((a) => a.name === action);
  return html`<p class="gap">
    ${notLookedAt("shape only")}<span class="sp">${what} <span class="dim">not looked at</span></span>
    ${form ? html`<button type="button" class="link" @click=${() => input.run(action)}>${form.title}${form.key ? html` <kbd>${form.key}</kbd>` : nothing}</button>` : nothing}
  </p>`;
}

/** The id of a read; pressing it marks it to be cited. */
export function itemChip(id: string, input: Pick<DetailInput, "cite" | "cited">): TemplateResult {
  const on = input.cited.has(id);
  return html`<button type="button" class="chip ev" aria-pressed=${on} title=${on ? "Cited; press to take it out" : "Cite this read"} aria-label=${`cite ${oneLine(id, 12)}`} @click=${() => input.cite(id)}>${oneLine(id, 12)}${on ? icon("check", "small") : nothing}</button>`;
}
