/** Cursor, selection and arrangement of the queue: what the table's keys and clicks do. No drawing. */
import type { AlertsObservation } from "../../src/worlds/alerts/observation";
import type { Memory } from "./memory";
import { arrange, keyOf, type Line, type QueueRow, queueRows } from "./rows";

export class Queue {
  rows: readonly QueueRow[] = [];
  lines: readonly Line[] = [];
  shown = 0;
  private byId = new Map<string, QueueRow>();
  private made = "";
  private anchor: string | null = null;

  constructor(public memory: Memory) {}

  /** Takes new alerts; the order is worked out again only when they or the arrangement have changed. */
  update(observation: AlertsObservation): void {
    const rows = this.rowsOf(observation);
    const { filter, groupBy, sortBy, collapsed } = this.memory;
    const made = JSON.stringify([filter, groupBy, sortBy, [...collapsed]]);
    if (rows !== this.rows) {
      this.rows = rows;
      this.byId = new Map(rows.map((row) => [row.id, row]));
      for (const id of this.memory.selected) if (!this.byId.has(id)) this.memory.selected.delete(id);
    } else if (made === this.made) return;
    this.made = made;
    const { lines, shown } = arrange(rows, { filter, groupBy, sortBy, collapsed });
    this.lines = lines;
    this.shown = shown;
    this.keepCursor();
  }

  private source: unknown = null;

  private rowsOf(observation: AlertsObservation): readonly QueueRow[] {
    const source = observation.published ?? observation.alerts;
    if (this.source === source) return this.rows;
    this.source = source;
    return queueRows(observation);
  }

  private keepCursor(): void {
    if (this.lines.length === 0 || this.index() >= 0) return;
    const first = this.lines.find((line) => line.kind === "alert") ?? this.lines[0];
    this.memory.cursor = first ? keyOf(first) : null;
  }

  index(): number {
    const { cursor } = this.memory;
    return cursor === null ? -1 : this.lines.findIndex((line) => keyOf(line) === cursor);
  }

  current(): Line | null {
    return this.lines[this.index()] ?? null;
  }

  row(): QueueRow | null {
    const line = this.current();
    return line?.kind === "alert" ? line.row : null;
  }

  /** Selected rows, else the row at the cursor, else all rows of the heading at the cursor. */
  pointed(): readonly QueueRow[] {
    if (this.memory.selected.size > 0) return this.rows.filter((row) => this.memory.selected.has(row.id));
    const line = this.current();
    if (!line) return [];
    return line.kind === "alert" ? [line.row] : line.rows;
  }

  moveBy(step: number, extend: boolean): void {
    const { lines } = this;
    if (lines.length === 0) return;
    const from = this.index();
    const to = Math.max(0, Math.min(lines.length - 1, from < 0 ? 0 : from + step));
    const line = lines[to];
    if (line) this.moveTo(keyOf(line), extend);
  }

  moveTo(key: string, extend: boolean): void {
    if (extend) {
      this.anchor ??= this.memory.cursor;
      this.selectBetween(this.anchor, key);
    } else this.anchor = null;
    this.memory.cursor = key;
  }

  private selectBetween(from: string | null, to: string): void {
    const a = this.lines.findIndex((line) => keyOf(line) === from);
    const b = this.lines.findIndex((line) => keyOf(line) === to);
    if (a < 0 || b < 0) return;
    this.memory.selected.clear();
    for (let i = Math.min(a, b); i <= Math.max(a, b); i++) {
      const line = this.lines[i];
      if (line?.kind === "alert") this.memory.selected.add(line.row.id);
    }
  }

  /** An alert in or out of the selection; a heading takes all of its alerts along. */
  toggle(key: string | null): void {
    const line = this.lines.find((l) => keyOf(l) === key);
    if (!line) return;
    const { selected } = this.memory;
    if (line.kind === "alert") {
      if (!selected.delete(line.row.id)) selected.add(line.row.id);
      return;
    }
    const all = line.rows.every((row) => selected.has(row.id));
    for (const row of line.rows)
      if (all) selected.delete(row.id);
      else selected.add(row.id);
  }

  /** Selects exactly the shown group the cursor is in; all shown alerts where nothing is grouped. */
  selectGroup(): void {
    let rows: readonly QueueRow[] = [];
    for (let i = this.index(); i >= 0; i--) {
      const line = this.lines[i];
      if (line?.kind !== "heading") continue;
      rows = line.rows;
      break;
    }
    if (rows.length === 0) rows = this.lines.flatMap((line) => (line.kind === "alert" ? [line.row] : []));
    this.select(rows.map((row) => row.id));
  }

  select(ids: readonly string[]): void {
    this.memory.selected.clear();
    for (const id of ids) if (this.byId.has(id)) this.memory.selected.add(id);
  }

  /** Folds or unfolds; from an alert, its group. The cursor goes to the heading. */
  fold(key: string | null, how: "fold" | "unfold" | "toggle"): void {
    let at = this.lines.findIndex((line) => keyOf(line) === key);
    while (at >= 0 && this.lines[at]?.kind !== "heading") at--;
    const line = this.lines[at];
    if (line?.kind !== "heading") return;
    if ((how === "fold" && !line.open) || (how === "unfold" && line.open)) return;
    const collapsed = new Set(this.memory.collapsed);
    if (line.open) collapsed.add(line.key);
    else collapsed.delete(line.key);
    this.memory.collapsed = collapsed;
    this.memory.cursor = keyOf(line);
  }

  /** Goes to the next alert that was not looked at, round the end; false when there is none. */
  nextUnread(): boolean {
    const from = this.index();
    for (let i = 1; i <= this.lines.length; i++) {
      const line = this.lines[(from + i) % this.lines.length];
      if (line?.kind !== "alert" || line.row.read) continue;
      this.moveTo(keyOf(line), false);
      return true;
    }
    return false;
  }
}
