/**
 * The lines of one tick, as times only: how many each cell has, which slots they take, when they are. Texts are made of those that are
 * shown. The memory is used anew for each tick.
 */
import type { Run } from "../../run";
import type { MeasurementNoise } from "../noise";
import { expectedLines } from "./expected";
import { slotKey, TIME_DRAW } from "./facts";
import { SEVERITIES } from "./grammar/kind";
import type { EventLine } from "./journal";
import { linesOf } from "./journal";
import { JOURNAL_SLOTS, type Layout, LINES_PER_CELL, TICK_MICROS } from "./layout";
import type { SettingsOfTick } from "./settings";

export class TickLines {
  /** Times of the shown lines in µs since the start of the tick; the first `shown` count, in no order until `sort`. */
  readonly times: Float64Array;
  shown = 0;
  /** Whether `sortNewest` left older lines of the tick out. */
  cut = false;
  /** Lines of the tick, suppressed ones included. */
  total = 0;
  /** Lines of the tick's events, by slot. */
  events: EventLine[] = [];
  /** Drawn lines by cell. */
  readonly counts: Float64Array;
  readonly expected: Float64Array;
  private readonly unit: number;

  constructor(
    private readonly layout: Layout,
    private readonly run: Run,
    private readonly noise: MeasurementNoise,
  ) {
    this.times = new Float64Array(layout.slots);
    this.counts = new Float64Array(layout.cells.length);
    this.expected = new Float64Array(layout.cells.length);
    this.unit = Math.floor(TICK_MICROS / layout.slots);
  }

  /**
   * Fills in a tick.
   * @param services indexes of the services that count
   * @param severity least severity, by index
   * @param first,last the tick's events in the journal
   */
  fill(
    tick: number,
    services: readonly number[],
    severity: number,
    settings: SettingsOfTick,
    first: number,
    last: number,
  ): void {
    this.shown = 0;
    this.total = 0;
    const { layout } = this;
    for (const s of services) {
      expectedLines(layout, this.run, settings, s, tick, this.expected);
      for (let c = layout.start[s] as number; c < (layout.start[s + 1] as number); c++) {
        const mean = this.expected[c] as number;
        if (mean > 0 && (layout.severity[c] as number) >= severity) this.draw(c, mean, tick);
      }
    }
    if (last > first || this.events.length) this.ofEvents(tick, services, severity, first, last);
  }

  /** Keeps the `most` or somewhat more newest of the lines from `from` until before `until` µs and sorts them, oldest first. */
  sortNewest(most: number, from: number, until: number): Float64Array {
    const { times } = this;
    let n = 0;
    for (let i = 0; i < this.shown; i++) {
      const time = times[i] as number;
      if (time < until && time >= from) times[n++] = time;
      else this.total -= 1 + this.suppressedAt(time);
    }
    this.shown = n;
    const kept = n > most * 2 ? this.newest(n, most) : n;
    this.cut = kept < n;
    return times.subarray(0, kept).sort();
  }

  /** Cell of a slot's line; −1 for a line about an event. */
  cellAt(time: number): number {
    const slot = (time | 0) % this.layout.slots;
    return slot < JOURNAL_SLOTS ? -1 : Math.floor((slot - JOURNAL_SLOTS) / LINES_PER_CELL);
  }

  /** Which of its cell's lines, or of the events' lines. */
  placeAt(time: number): number {
    const slot = (time | 0) % this.layout.slots;
    return slot < JOURNAL_SLOTS ? slot : (slot - JOURNAL_SLOTS) % LINES_PER_CELL;
  }

  /** How many similar lines a line stands for besides itself: the last one shown of a cell says it. */
  suppressedAt(time: number): number {
    const c = this.cellAt(time);
    return c >= 0 && this.placeAt(time) === LINES_PER_CELL - 1 ? (this.counts[c] as number) - LINES_PER_CELL : 0;
  }

  private draw(c: number, mean: number, tick: number): void {
    const { layout } = this;
    const cell = layout.cells[c] as Layout["cells"][number];
    // P(0) ≥ 1 − mean: most rare lines need no more than one look.
    if (mean < 0.5 && this.noise.unit(cell.series, tick) < 1 - mean) return;
    const count = EXACT.has(cell.name) ? Math.floor(mean + 0.5) : this.noise.count(cell.series, tick, mean);
    if (count === 0) return;
    this.counts[c] = count;
    this.total += count;
    const shown = Math.min(count, LINES_PER_CELL);
    for (let k = 0; k < shown; k++) this.put(JOURNAL_SLOTS + c * LINES_PER_CELL + k, slotKey(cell, k), tick, k, shown);
  }

  private ofEvents(tick: number, services: readonly number[], severity: number, first: number, last: number): void {
    this.events = [];
    const { plan, noise, serviceOf } = this.layout;
    for (let i = first; i < last; i++) {
      const event = this.run.journal[i] as Run["journal"][number];
      for (const line of linesOf(plan, event, (id) => this.run.versionAt(id, Math.max(0, tick - 1)))) {
        const slot = this.events.length;
        if (slot >= JOURNAL_SLOTS) return;
        this.events.push(line);
        if (SEVERITIES.indexOf(line.kind.severity) < severity || !services.includes(serviceOf[line.node] as number))
          continue;
        this.total++;
        // Events take effect at the start of their tick: their lines are of its first seconds.
        const at = Math.floor(noise.unit(slot, tick, TIME_DRAW) * 0.2 * this.unit);
        this.times[this.shown++] = at * this.layout.slots + slot;
      }
    }
  }

  /** A line's time: hashed inside its part of the tick, with its slot in the low digits, so that no two are equal. */
  private put(slot: number, key: number, tick: number, k: number, of: number): void {
    const within = this.layout.noise.unit(key, tick, TIME_DRAW);
    this.times[this.shown++] = Math.floor(((k + within) / of) * this.unit) * this.layout.slots + slot;
  }

  /** Moves the `most` or somewhat more newest times to the front: by counting in 128 stretches of the tick. */
  private newest(n: number, most: number): number {
    const { times } = this;
    COUNTS.fill(0);
    for (let i = 0; i < n; i++) {
      const at = ((times[i] as number) * STRETCH) | 0;
      COUNTS[at] = (COUNTS[at] as number) + 1;
    }
    let from = 127;
    for (let sum = COUNTS[from] as number; sum < most && from > 0; ) sum += COUNTS[--from] as number;
    let kept = 0;
    for (let i = 0; i < n; i++) if ((((times[i] as number) * STRETCH) | 0) >= from) times[kept++] = times[i] as number;
    return kept;
  }
}

const STRETCH = 128 / TICK_MICROS;
const COUNTS = new Int32Array(129);
/** Kinds whose number is known. */
const EXACT: ReadonlySet<string> = new Set([
  "replica_started",
  "replica_ready",
  "replica_stopped",
  "dead_letter",
  "flow_control",
]);
