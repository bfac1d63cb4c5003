/**
 * The queue as a table of which only the visible window exists. Lines have two fixed heights, so a line's place is
 * arithmetic and 5,000 alerts cost what forty do.
 */
import { html, nothing, render, type TemplateResult } from "lit";
import { icon } from "../shared/icons";
import type { SimulatedClock } from "../shared/numbers";
import { attribute } from "./elements";
import { LineWindow } from "./line-window";
import { keyOf, type Line } from "./rows";

const NARROW = window.matchMedia("(max-width: 719px)");
const HEIGHTS = { wide: { alert: 24, heading: 28 }, narrow: { alert: 44, heading: 28 } };
/** Lines drawn beyond the edges, so that a scroll shows rows and not background. */
const MARGIN_LINES = 8;
/** Lines that may lie beyond an edge before more are drawn. */
const SLACK_LINES = 2;
/** The margins are filled when scrolling has rested for this long. */
const REST_MS = 100;

/** Lines to draw above and below after a scroll by some pixels: ahead of it, and none where it skips whole screens. */
function margins(by: number, height: number): readonly [above: number, below: number] {
  if (Math.abs(by) >= height && by !== 0) return [0, 0];
  return [by > 0 ? SLACK_LINES : MARGIN_LINES, by < 0 ? SLACK_LINES : MARGIN_LINES];
}

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
  private window: LineWindow | null = null;
  private frame = 0;
  private rest = 0;
  /** As last measured: reading them from the element would lay the page out. */
  private top = 0;
  private height = 0;
  private cursorAt = -1;

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
    this.cursorAt = this.indexOf(input.cursor);
    render(this.table(input), this.element);
    this.window ??= this.makeWindow();
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

  private makeWindow(): LineWindow | null {
    const table = this.element.querySelector<HTMLElement>("table");
    const body = table?.querySelector<HTMLElement>("tbody");
    return table && body ? new LineWindow(table, body) : null;
  }

  private schedule(): void {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.scrolled();
    });
  }

  private scrolled(): void {
    const top = this.element.scrollTop;
    const by = top - this.top;
    this.top = top;
    this.drawFrom(top, by);
    this.events.scrolled(top);
    window.clearTimeout(this.rest);
    this.rest = window.setTimeout(() => this.draw(), REST_MS);
  }

  private draw(): void {
    this.top = this.element.scrollTop;
    this.height = this.element.clientHeight;
    this.drawFrom(this.top, 0);
  }

  /** `by`: pixels scrolled since the last frame; 0 when what is shown may have changed. */
  private drawFrom(top: number, by: number): void {
    const { input, window } = this;
    if (!input || !window) return;
    const from = this.lineAt(top);
    const to = Math.min(input.lines.length, this.lineAt(top + this.height) + 1);
    const covered =
      window.first <= Math.max(0, from - SLACK_LINES) && window.last >= Math.min(input.lines.length, to + SLACK_LINES);
    if (by !== 0 && covered) return;
    const [above, below] = margins(by, this.height);
    const first = Math.max(0, from - above);
    const last = Math.min(input.lines.length, to + below);
    window.show(input, first, last);
    window.pad(this.offsets[first] ?? 0, (this.offsets.at(-1) ?? 0) - (this.offsets[last] ?? 0));
    const isThere = this.cursorAt >= first && this.cursorAt < last;
    if (isThere) attribute(window.table, "aria-activedescendant", `line-${this.cursorAt}`);
    else window.table.removeAttribute("aria-activedescendant");
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

  private table(input: GridInput): TemplateResult {
    return html`<table
        role="grid"
        tabindex="0"
        aria-label="Alerts"
        aria-multiselectable="true"
        aria-rowcount=${input.lines.length + 1}
        aria-colcount="8"
        @click=${this.clicked}
      >
        <thead role="rowgroup">
          ${this.header(input)}
        </thead>
        <tbody role="rowgroup"></tbody>
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
            : html`<button type="button" tabindex="-1" @click=${() => this.events.sort(sort)}><span class="cut">${label}</span>${on ? icon(sort === "newest" || sort === "value" ? "down" : "up", "small") : nothing}</button>`
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

function emptyText(input: GridInput): string {
  return input.total === 0
    ? "No alert has fired yet. Wait (T) lets time pass."
    : "No alert matches the filter. Esc clears it.";
}
