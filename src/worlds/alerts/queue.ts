/**
 * The alert queue as it stands: which alerts fire, how each is handled, how they are grouped. It moves with the clock and
 * by the player's acts. What it hands out is never changed afterwards; rows that stay as they were are the same objects.
 */
import type { DrawnAlert } from "./draw";
import { type Matcher, matchesAll } from "./matchers";
import type {
  AlertGroup,
  AlertRow,
  AlertState,
  AlertsObservation,
  EvidenceItem,
  Handling,
  Silence,
} from "./observation";
import { type PreparedDraw, rowOf, type Transition } from "./prepared-draw";
import { type Displayed, ITEM_LETTER, knownAlert, withId } from "./reads";

/** A silence, snooze or maintenance window with the alerts it covers, those that have not fired yet included. */
export interface Mute {
  readonly id: string;
  readonly kind: Silence["kind"];
  readonly rows: readonly number[];
  readonly from: number;
  /** The minute it ends or ended. */
  until: number;
  ended: boolean;
}

/** Order of `Mute` kinds in the counters; the later one shows when several hold. */
const KINDS = ["snooze", "silence", "maintenance"] as const;
const HANDLING: readonly Handling[] = ["snoozed", "silenced", "maintenance"];
type Counts = AlertsObservation["counts"];
type Tally = { -readonly [K in keyof Counts]: number };

export class AlertQueue {
  minute = 0;
  rows: readonly AlertRow[];
  groups: readonly AlertGroup[] = [];
  silences: readonly Silence[] = [];
  items: readonly EvidenceItem[] = [];
  readonly mutes: Mute[] = [];
  /** Kept up to date row by row; `counted` is the copy that was handed out. */
  private readonly tally: Tally = { firing: 0, flapping: 0, resolved: 0, quieted: 0 };
  private counted: Counts | null = null;
  private ownRows = false;
  private nextTransition: number;
  private nextExpiry = Number.POSITIVE_INFINITY;
  private groupsMade = 0;
  /** For each alert, how many mutes of each kind hold. */
  private readonly muted: Uint16Array;
  private readonly acknowledged: Uint8Array;

  constructor(readonly prepared: PreparedDraw) {
    this.rows = prepared.firstRows;
    for (const row of this.rows) count(this.tally, row, 1);
    this.nextTransition = prepared.firstTransition;
    this.muted = new Uint16Array(prepared.alerts.length * KINDS.length);
    this.acknowledged = new Uint8Array(prepared.alerts.length);
  }

  /** The row of a listed alert, or undefined when the id is unknown or has not fired yet. */
  listed(id: string): number | undefined {
    const row = this.prepared.rowOf.get(id);
    return row !== undefined && row < this.rows.length ? row : undefined;
  }

  row(index: number): AlertRow {
    return this.rows[index] as AlertRow;
  }

  /** Rows of all alerts of the run, future ones included, whose labels match. */
  matching(matchers: readonly Matcher[]): number[] {
    const found: number[] = [];
    this.prepared.labels.forEach((labels, row) => {
      if (matchesAll(matchers, labels)) found.push(row);
    });
    return found;
  }

  /** Moves the clock to `minute`: alerts fire and resolve, silences expire. */
  advance(minute: number): void {
    this.minute = minute;
    const { transitions } = this.prepared;
    for (let next = transitions[this.nextTransition]; next && next.minute <= minute; ) {
      this.apply(next);
      next = transitions[++this.nextTransition];
    }
    if (minute >= this.nextExpiry) this.expireDue();
  }

  /** Takes a row list for an observation: from now on a change copies it first. */
  publish(): readonly AlertRow[] {
    this.ownRows = false;
    return this.rows;
  }

  counts(): Counts {
    this.counted ??= { ...this.tally };
    return this.counted;
  }

  // --- acts ---

  /** Shows an item; returns its id, unique in the episode. */
  display(displayed: Displayed): string {
    const id = `${ITEM_LETTER[displayed.content.kind]}${this.items.length + 1}`;
    this.items = [...this.items, withId(displayed, id)];
    return id;
  }

  learn(row: number, item: string): void {
    this.setRow(row, { ...this.row(row), known: knownAlert(this.prepared, row, this.minute, item) });
  }

  acknowledge(rows: readonly number[]): void {
    for (const row of rows) {
      this.acknowledged[row] = 1;
      this.refreshHandling(row);
    }
  }

  mute(kind: Silence["kind"], rows: readonly number[], matchers: readonly string[], minutes: number, reason: string) {
    const id = `s${this.mutes.length + 1}`;
    const until = this.minute + minutes;
    this.mutes.push({ id, kind, rows, from: this.minute, until, ended: false });
    if (until < this.nextExpiry) this.nextExpiry = until;
    let hits = 0;
    for (const row of rows) {
      this.countMute(row, kind, 1);
      if (row < this.rows.length) hits++;
      this.refreshHandling(row);
    }
    const view: Silence = { id, kind, matchers, createdAt: this.minute, expiresAt: until, reason, hits };
    this.silences = [...this.silences, view];
    return view;
  }

  /** The mute of that id while it holds. */
  activeMute(id: string): Mute | undefined {
    return this.mutes.find((mute) => mute.id === id && !mute.ended);
  }

  endMute(mute: Mute): void {
    mute.ended = true;
    mute.until = Math.min(mute.until, this.minute);
    for (const row of mute.rows) {
      this.countMute(row, mute.kind, -1);
      this.refreshHandling(row);
    }
    this.silences = this.silences.map((s) =>
      s.id === mute.id && s.expiresAt > mute.until ? { ...s, expiresAt: mute.until } : s,
    );
    this.nextExpiry = Number.POSITIVE_INFINITY;
    for (const { ended, until } of this.mutes) if (!ended && until < this.nextExpiry) this.nextExpiry = until;
  }

  group(id: string): AlertGroup | undefined {
    return this.groups.find((group) => group.id === id);
  }

  /** Puts alerts into a group, out of the ones they were in; a group left empty is dropped. Returns the group's id. */
  putInGroup(rows: readonly number[], into: string | undefined): string {
    const target = into ?? `g${++this.groupsMade}`;
    const moved = new Set(rows.map((row) => this.row(row).id));
    const groups = this.without(moved, target);
    const present = groups.find((group) => group.id === target);
    const added = present
      ? [...present.alerts, ...rows.map((row) => this.row(row).id)]
      : rows.map((r) => this.row(r).id);
    const next: AlertGroup = present
      ? { ...present, alerts: added }
      : { id: target, alerts: added, route: null, cause: null, escalated: false };
    this.groups = present ? groups.map((group) => (group === present ? next : group)) : [...groups, next];
    for (const row of rows) if (this.row(row).group !== target) this.setRow(row, { ...this.row(row), group: target });
    return target;
  }

  takeOutOfGroups(rows: readonly number[]): void {
    this.groups = this.without(new Set(rows.map((row) => this.row(row).id)), null);
    for (const row of rows) if (this.row(row).group) this.setRow(row, { ...this.row(row), group: null });
  }

  changeGroup(id: string, change: Partial<AlertGroup>): void {
    this.groups = this.groups.map((group) => (group.id === id ? { ...group, ...change } : group));
  }

  // --- inside ---

  private without(moved: ReadonlySet<string>, keep: string | null): AlertGroup[] {
    return this.groups.flatMap((group) => {
      if (!group.alerts.some((id) => moved.has(id))) return [group];
      const alerts = group.alerts.filter((id) => !moved.has(id));
      return alerts.length > 0 || group.id === keep ? [{ ...group, alerts }] : [];
    });
  }

  private apply(transition: Transition): void {
    const { row, state, since } = transition;
    if (row < this.rows.length) {
      this.setRow(row, moved(this.row(row), state, since));
      return;
    }
    const alert = this.prepared.alerts[row] as DrawnAlert;
    this.setRow(row, { ...rowOf(alert, transition), handling: this.handlingOf(row) });
    for (const mute of this.mutes) if (!mute.ended && mute.rows.includes(row)) this.countHit(mute.id);
  }

  private countHit(id: string): void {
    this.silences = this.silences.map((s) => (s.id === id ? { ...s, hits: s.hits + 1 } : s));
  }

  private expireDue(): void {
    for (const mute of this.mutes) if (!mute.ended && mute.until <= this.minute) this.endMute(mute);
  }

  private countMute(row: number, kind: Silence["kind"], change: 1 | -1): void {
    const place = row * KINDS.length + KINDS.indexOf(kind);
    this.muted[place] = (this.muted[place] ?? 0) + change;
  }

  private handlingOf(row: number): Handling {
    for (let kind = KINDS.length - 1; kind >= 0; kind--)
      if (this.muted[row * KINDS.length + kind]) return HANDLING[kind] as Handling;
    return this.acknowledged[row] ? "acknowledged" : "none";
  }

  private refreshHandling(row: number): void {
    if (row >= this.rows.length) return;
    const handling = this.handlingOf(row);
    if (handling !== this.row(row).handling) this.setRow(row, { ...this.row(row), handling });
  }

  private setRow(row: number, next: AlertRow): void {
    const before = this.rows[row];
    if (before) count(this.tally, before, -1);
    count(this.tally, next, 1);
    if (!this.ownRows) {
      this.rows = this.rows.slice();
      this.ownRows = true;
    }
    (this.rows as AlertRow[])[row] = next;
    this.counted = null;
  }
}

function count(tally: Tally, { state, handling }: AlertRow, change: 1 | -1): void {
  if (state === "firing") tally.firing += change;
  else if (state === "flapping") tally.flapping += change;
  else tally.resolved += change;
  if (handling !== "none" && handling !== "acknowledged") tally.quieted += change;
}

/** Written out field by field: it runs for every change of every alert. */
function moved(row: AlertRow, state: AlertState, since: number): AlertRow {
  const { id, name, service, handling, group, known } = row;
  return { id, name, service, since, state, handling, group, known };
}
