/**
 * The queue as a table of which only the visible window exists. Lines have two fixed heights, so a line's place is
 * arithmetic and 5,000 alerts cost what forty do.
 */
import { html, nothing, render, type TemplateResult } from "lit";
import { type Icon, icon, notLookedAt, state } from "../shared/icons";
import { age, plural, type SimulatedClock, short } from "../shared/numbers";
import { place } from "../shared/place";
import { cell, oneLine, titleOf } from "../shared/text";
import { excess, type Line, type QueueRow, tally } from "./rows";

const NARROW = window.matchMedia("(max-width: 719px)");
const HEIGHTS = { wide: { alert: 24, heading: 28 }, narrow: { alert: 44, heading: 28 } };
/** Lines drawn beyond the edges, so that a quick scroll shows rows and not background. */
const MARGIN_LINES = 8;

export interface GridInput {
  readonly lines: readonly Line[];
  readonly cursor: string | null;
  readonly selected: ReadonlySet<string>;
  readonly sortBy: string;
  readonly minute: number;
  readonly clock: SimulatedClock;
  /** The published tasks have no states, incidents or unread cells. */
  readonly published: boolean;
  readonly total: number;
}

export interface GridEvents {
  move(key: string, extend: boolean): void;
  toggle(key: string): void;
  fold(key: string): void;
  sort(by: string): void;
  scrolled(top: number): void;
}

export class AlertGrid {
  private input: GridInput | null = null;
  private offsets: Float64Array = new Float64Array(1);
  private frame = 0;

  constructor(
    readonly element: HTMLElement,
    private readonly events: GridEvents,
  ) {
    element.addEventListener("scroll", () => this.schedule(), { passive: true });
    new ResizeObserver(() => this.relayout()).observe(element);
    NARROW.addEventListener("change", () => this.relayout());
  }

  show(input: GridInput): void {
    const moved = this.input?.lines !== input.lines;
    this.input = input;
    if (moved) this.measure();
    this.draw();
  }

  /** Scrolls as little as needed for a line to be whole on the screen. */
  reveal(key: string | null): void {
    const index = this.indexOf(key);
    if (index < 0) return;
    const top = this.offsets[index] ?? 0;
    const bottom = this.offsets[index + 1] ?? top;
    const head = NARROW.matches ? 0 : HEIGHTS.wide.alert;
    const { scrollTop, clientHeight } = this.element;
    if (top < scrollTop) this.element.scrollTop = top;
    else if (bottom + head > scrollTop + clientHeight) this.element.scrollTop = bottom + head - clientHeight;
    this.draw();
  }

  scrollTo(top: number): void {
    this.element.scrollTop = top;
  }

  indexOf(key: string | null): number {
    if (key === null || !this.input) return -1;
    return this.input.lines.findIndex((line) => keyOf(line) === key);
  }

  /** Lines that fit, for Page Up and Page Down. */
  get page(): number {
    return Math.max(1, Math.floor(this.element.clientHeight / HEIGHTS[this.size()].alert) - 2);
  }

  focus(): void {
    this.element.querySelector<HTMLElement>("table")?.focus({ preventScroll: true });
  }

  private size(): "wide" | "narrow" {
    return NARROW.matches ? "narrow" : "wide";
  }

  private relayout(): void {
    this.measure();
    this.draw();
  }

  private measure(): void {
    const lines = this.input?.lines ?? [];
    const heights = HEIGHTS[this.size()];
    const offsets = new Float64Array(lines.length + 1);
    lines.forEach((line, i) => {
      offsets[i + 1] = (offsets[i] ?? 0) + heights[line.kind];
    });
    this.offsets = offsets;
  }

  private schedule(): void {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
      this.events.scrolled(this.element.scrollTop);
    });
  }

  private draw(): void {
    const { input } = this;
    if (!input) return;
    const top = this.element.scrollTop;
    const first = Math.max(0, this.lineAt(top) - MARGIN_LINES);
    const last = Math.min(input.lines.length, this.lineAt(top + this.element.clientHeight) + 1 + MARGIN_LINES);
    render(this.table(input, first, last), this.element);
  }

  private lineAt(y: number): number {
    let low = 0;
    let high = this.offsets.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.offsets[middle] ?? 0) <= y) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  private table(input: GridInput, first: number, last: number): TemplateResult {
    const cursorAt = this.indexOf(input.cursor);
    const active = cursorAt >= first && cursorAt < last ? `line-${cursorAt}` : nothing;
    const before = this.offsets[first] ?? 0;
    const after = (this.offsets.at(-1) ?? 0) - (this.offsets[last] ?? 0);
    return html`<table
        role="grid"
        tabindex="0"
        aria-label="Alerts"
        aria-multiselectable="true"
        aria-rowcount=${input.lines.length + 1}
        aria-colcount="8"
        aria-activedescendant=${active}
        @click=${this.clicked}
      >
        <thead role="rowgroup">
          ${this.header(input)}
        </thead>
        <tbody role="rowgroup">
          <tr class="space" aria-hidden="true" ${place({ height: `${before}px` })}></tr>
          ${input.lines.slice(first, last).map((line, i) => this.line(line, first + i, input))}
          <tr class="space" aria-hidden="true" ${place({ height: `${after}px` })}></tr>
        </tbody>
      </table>
      ${input.lines.length === 0 ? html`<p class="empty">${emptyText(input)}</p>` : nothing}`;
  }

  private header(input: GridInput): TemplateResult {
    const column = (name: string, label: string, sort: string | null) => {
      const on = sort !== null && sort === input.sortBy;
      return html`<th
        role="columnheader"
        class=${`c-${name} ${on ? "on" : ""}`}
        aria-sort=${on ? (sort === "newest" || sort === "value" ? "descending" : "ascending") : nothing}
      >
        ${
          sort === null
            ? html`<span>${label}</span>`
            : html`<button type="button" tabindex="-1" @click=${() => this.events.sort(sort)}>${label}${on ? icon(sort === "newest" || sort === "value" ? "down" : "up", "small") : nothing}</button>`
        }
      </th>`;
    };
    return html`<tr role="row" class="hd" aria-rowindex="1">
      <th role="columnheader" class="c-ck"><span class="vh">Selected</span></th>
      ${column("state", input.published ? "Lasting" : "State", "state")}${column("name", input.published ? "Metric" : "Alert", "name")}
      ${column("svc", "Service", "service")}${column("team", "Team", null)}
      ${column("since", "Since", input.sortBy === "oldest" ? "oldest" : "newest")}
      ${column("val", "Value against threshold", "value")}${column("hand", "Handling", null)}
    </tr>`;
  }

  private line(line: Line, index: number, input: GridInput): TemplateResult {
    return line.kind === "heading" ? heading(line, index, input) : alertLine(line.row, index, input);
  }

  private readonly clicked = (event: MouseEvent): void => {
    const target = event.target as Element;
    const row = target.closest<HTMLElement>("tr[data-key]");
    const key = row?.dataset.key;
    if (key === undefined) return;
    if (target.closest(".fold")) this.events.fold(key);
    else if (target.closest(".c-ck") || event.ctrlKey || event.metaKey) this.events.toggle(key);
    else this.events.move(key, event.shiftKey);
  };
}

/** A line's name: an alert's id, or `#` and the key of a group. */
export function keyOf(line: Line): string {
  return line.kind === "heading" ? `#${line.key}` : line.row.id;
}

function emptyText(input: GridInput): string {
  return input.total === 0
    ? "No alert has fired yet. Wait (T) lets time pass."
    : "No alert matches the filter. Esc clears it.";
}

function heading(line: Extract<Line, { kind: "heading" }>, index: number, input: GridInput): TemplateResult {
  const chosen = line.rows.filter((row) => input.selected.has(row.id)).length;
  const mark = chosen === 0 ? "false" : chosen === line.rows.length ? "true" : "mixed";
  const current = input.cursor === `#${line.key}`;
  return html`<tr
    role="row"
    id=${`line-${index}`}
    class=${`grp ${current ? "cur" : ""}`}
    data-key=${`#${line.key}`}
    aria-rowindex=${index + 2}
    aria-selected=${mark === "true"}
  >
    <td role="gridcell" class="c-ck">${tick(mark)}</td>
    <td role="gridcell" class="c-rest" aria-colspan="7">
      <button type="button" class="fold" tabindex="-1" aria-expanded=${line.open} aria-label=${`group ${oneLine(line.label, 60)}`}>${icon(line.open ? "down" : "right", "small")}</button>
      <b class="mono cut" title=${titleOf(line.label)}><bdi>${oneLine(line.label)}</bdi></b>
      <span class="nw">${plural(line.rows.length, "alert")}</span><span class="dim cut">${tally(line.rows)}</span>
    </td>
  </tr>`;
}

function alertLine(row: QueueRow, index: number, input: GridInput): TemplateResult {
  const selected = input.selected.has(row.id);
  const current = input.cursor === row.id;
  return html`<tr
    role="row"
    id=${`line-${index}`}
    class=${`row ${selected ? "sel" : ""} ${current ? "cur" : ""}`}
    data-key=${row.id}
    aria-rowindex=${index + 2}
    aria-selected=${selected}
  >
    <td role="gridcell" class="c-ck">${tick(selected ? "true" : "false")}</td>
    <td role="gridcell" class="c-state">${input.published ? html`<span class="dim">${age(input.minute - row.since)}</span>` : state(row.state, row.state)}</td>
    <td role="gridcell" class="c-name">${row.severity === null ? nothing : severityMark(row.severity)}${cell(row.name)}</td>
    <td role="gridcell" class="c-svc">${cell(row.service)}</td>
    <td role="gridcell" class="c-team">${row.read ? (row.team === null ? html`<span class="dim">unknown</span>` : cell(row.team)) : notLookedAt("shape only")}</td>
    <td role="gridcell" class="c-since"><span title=${`${age(input.minute - row.since)} ago`}>${input.clock.at(row.since)}</span> ${input.published ? nothing : html`<span class="dim ago">${age(input.minute - row.since)}</span>`}</td>
    <td role="gridcell" class="c-val">${row.read ? valueCell(row) : notLookedAt()}</td>
    <td role="gridcell" class="c-hand">${handlingCell(row)}</td>
  </tr>`;
}

function tick(mark: "true" | "false" | "mixed"): TemplateResult {
  return html`<span class="ck" aria-hidden="true">${mark === "true" ? icon("check", "small") : mark === "mixed" ? html`<i class="dash"></i>` : nothing}</span>`;
}

/** The rule's severity label: a shape with its word for those who do not see it. */
export function severityMark(severity: string): TemplateResult {
  const shape: Icon = /crit|page|fatal|emerg/i.test(severity)
    ? "critical"
    : /warn|err|minor|major/i.test(severity)
      ? "warning"
      : "info";
  return html`<span class="mark" role="img" aria-label=${`rule severity ${oneLine(severity, 40)}`} title=${`rule severity ${oneLine(severity, 40)}`}>${icon(shape, "small")}</span>`;
}

function valueCell(row: QueueRow): TemplateResult {
  const unit = row.unit ? ` ${oneLine(row.unit, 16)}` : "";
  if (row.value === null && row.threshold === null) return html`<span class="dim">no value</span>`;
  const limit = `${row.comparison === "<" ? "min " : ""}${short(row.threshold)}${unit}`;
  const share = Math.max(0, Math.min(2, excess(row))) * 50;
  const beyond = excess(row) > 1;
  return html`<span class="vb" title=${`value ${short(row.value)}, threshold ${row.comparison} ${short(row.threshold)}${unit}`}>
    <span class="vbar tint" aria-hidden="true"><i class=${beyond ? "hot" : ""} ${place({ width: `${share}%` })}></i><u></u></span>
    <span class="vn"><b>${short(row.value)}</b><span class="dim cut">/ ${limit}</span></span>
  </span>`;
}

const HANDLING_ICONS: Readonly<Record<QueueRow["handling"], Icon | null>> = {
  none: null,
  acknowledged: "acknowledged",
  snoozed: "muted",
  silenced: "muted",
  suppressed: "muted",
  maintenance: "maintenance",
};

function handlingCell(row: QueueRow): TemplateResult {
  const shape = HANDLING_ICONS[row.handling];
  return html`${row.group === null ? nothing : html`<span class="chip" title=${`in incident ${titleOf(row.group)}`}>${oneLine(row.group, 8)}</span>`}${shape === null ? nothing : state(shape, row.handling)}`;
}
