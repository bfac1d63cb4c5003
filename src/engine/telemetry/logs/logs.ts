/**
 * Logs, computed when they are read. How many lines of each kind a tick has follows from the rates that the run recorded for it; which
 * lines and what they say follows from the seed. Nothing is stored: reading twice, in any order, or in a fork gives the same lines.
 *
 * A read walks back from the newest tick and makes the text of no more lines than it shows.
 */
import type { Run } from "../../run";
import { TICK_SECONDS } from "../../spec";
import { number, quoted } from "../../words";
import { MeasurementNoise } from "../noise";
import { FactsOf } from "./facts";
import { TextFilter } from "./filter";
import { SEVERITIES, type Severity } from "./grammar/kind";
import { type Cell, type Layout, LINES_PER_CELL, layoutOf, TICK_MICROS } from "./layout";
import { cellLine, eventLine, type LogLine, microsOf, type ReaderOptions, tickOf, timeText } from "./line";
import { TickMeans } from "./means";
import { SettingsByTick, type SettingsOfTick } from "./settings";
import { TickLines } from "./tick";

export type { LogLine } from "./line";
export { LINES_PER_CELL, type Severity };

export interface LogQuery {
  /** Of this service only. */
  readonly service?: string;
  /** Of this severity or worse. */
  readonly severity?: Severity;
  /** Lines whose text has this in it; `*` stands for anything. At most 200 characters. */
  readonly text?: string;
  /** Seconds since the start of history; from included, to not. */
  readonly from?: number;
  readonly to?: number;
  /** 1..500; 50 by default. */
  readonly limit?: number;
  /** `older` of the page before this one. */
  readonly cursor?: number;
}

export interface LogPage {
  /** Newest last. */
  readonly lines: readonly LogLine[];
  /** Lines that fit the query, without its text, suppressed ones included; about so many unless `exact`. */
  readonly total: number;
  readonly exact: boolean;
  /** Lines whose text was looked at; only with a text. */
  readonly searched?: number;
  /** For the page of older lines; null when there are none. */
  readonly older: number | null;
  /** What was left out and how to see it, in a sentence. */
  readonly note: string;
}

export const MOST_LINES = 500;
const USUAL_LINES = 50;
/** Lines whose text a search looks at before it stops. */
export const SEARCH_BOUND = 2000;
/** Ticks from which the number of older lines is estimated. */
const SAMPLED_TICKS = 8;

export class Logs {
  private readonly layout: Layout;
  private readonly settings: SettingsByTick;
  private readonly tickLines: TickLines;
  private readonly means: TickMeans;
  private readonly factsOf: FactsOf;
  private readonly start: number;
  private readonly everywhere: readonly number[];

  constructor(
    private readonly run: Run,
    options: ReaderOptions = {},
  ) {
    this.layout = layoutOf(run.plan, run.seed);
    this.settings = new SettingsByTick(run);
    this.tickLines = new TickLines(this.layout, run, new MeasurementNoise(run.seed));
    this.means = new TickMeans(this.layout, run, this.settings);
    this.factsOf = new FactsOf(this.layout, run);
    this.start = options.start ?? 0;
    this.everywhere = run.plan.services.map((_, s) => s);
  }

  /** @throws RangeError naming the field of the query that is wrong. */
  read(query: LogQuery = {}): LogPage {
    const search = this.searchOf(query);
    const newestFirst: LogLine[] = [];
    let { until } = search;
    let walked = 0;
    let tick = tickOf(until - 1);
    let last = this.lastEvent(tick);
    while (tick >= search.firstTick && newestFirst.length < search.limit && search.looked < SEARCH_BOUND) {
      let first = last;
      while (first > 0 && (this.run.journal[first - 1]?.tick as number) >= tick) first--;
      until = this.readTick(tick, search, until, first, last, newestFirst);
      walked += this.tickLines.total;
      last = first;
      tick--;
    }
    return this.page(search, newestFirst, until, tick, walked);
  }

  /** Adds a tick's lines to `lines`, newest first. @returns time before which lines are left. */
  private readTick(tick: number, search: Search, until: number, first: number, last: number, lines: LogLine[]): number {
    const { tickLines } = this;
    const settings = this.settings.at(tick);
    const base = tick * TICK_MICROS;
    tickLines.fill(tick, search.services, search.severity, settings, first, last);
    const most = search.filter ? SEARCH_BOUND : search.limit - lines.length;
    const times = tickLines.sortNewest(most, search.from - base, until - base);
    for (let i = times.length - 1; i >= 0; i--) {
      if (lines.length >= search.limit || search.looked >= SEARCH_BOUND) return base + (times[i] as number) + 1;
      const line = this.lineAt(tick, times[i] as number, settings);
      if (search.filter) {
        search.looked++;
        if (!search.filter.matches(line.body)) continue;
      }
      lines.push(line);
    }
    return tickLines.cut ? base + (times[0] as number) : base;
  }

  private lineAt(tick: number, time: number, settings: SettingsOfTick): LogLine {
    const { tickLines, layout, factsOf, start } = this;
    const c = tickLines.cellAt(time);
    const k = tickLines.placeAt(time);
    const moment = { tick, settings, time: tick * TICK_MICROS + time, start };
    const event = tickLines.events[k];
    if (c < 0 && event) return eventLine(layout, factsOf, event, k, moment);
    return cellLine(layout, factsOf, layout.cells[c] as Cell, k, moment, tickLines.suppressedAt(time));
  }

  private page(search: Search, newestFirst: LogLine[], until: number, tick: number, walked: number): LogPage {
    const unread = tick - search.firstTick + 1;
    const rest = unread > 0 ? this.estimate(search, search.firstTick, unread) : 0;
    const isMore = unread > 0 || until > Math.max(search.from, (tick + 1) * TICK_MICROS);
    const page = {
      lines: newestFirst.reverse(),
      total: walked + rest,
      exact: unread <= 0,
      older: isMore ? until : null,
    };
    if (!search.filter) return { ...page, note: shownText(page) };
    return { ...page, searched: search.looked, note: this.searchedText(page.lines.length, search.looked, page.older) };
  }

  /** Expected lines of some ticks, from a few of them spread evenly. */
  private estimate(search: Search, first: number, ticks: number): number {
    let stride = 1;
    while (stride * SAMPLED_TICKS < ticks) stride *= 2;
    let sum = 0;
    let looks = 0;
    // Multiples of a power of two, so that reads that follow each other look at the same ticks.
    for (let tick = Math.ceil(first / stride) * stride; tick < first + ticks; tick += stride) {
      sum += this.means.of(tick, search.services, search.severity);
      looks++;
    }
    return looks > 0 ? Math.floor((sum / looks) * ticks + 0.5) : 0;
  }

  private searchedText(found: number, looked: number, older: number | null): string {
    const back = older === null ? "" : ` back to ${timeText(older, this.start)}`;
    const text = `${found} of the newest ${number(looked)} lines${back} match`;
    return older === null
      ? `${text}; that is all.`
      : `${text}; older ones were not searched: narrow by service, severity or time, or continue with the cursor.`;
  }

  private lastEvent(tick: number): number {
    const { journal } = this.run;
    let last = journal.length;
    while (last > 0 && (journal[last - 1]?.tick as number) > tick) last--;
    return last;
  }

  private searchOf(query: LogQuery): Search {
    const { run } = this;
    const now = run.tick * TICK_SECONDS;
    const limit = query.limit ?? USUAL_LINES;
    if (!(Number.isInteger(limit) && limit >= 1 && limit <= MOST_LINES))
      throw new RangeError(`The limit is ${limit}; it must be a whole number from 1 to ${MOST_LINES}.`);
    const service =
      query.service === undefined ? -1 : run.plan.services.findIndex((each) => each.name === query.service);
    if (query.service !== undefined && service < 0)
      throw new RangeError(`There is no service ${quoted(query.service)}.`);
    const severity = query.severity === undefined ? 0 : SEVERITIES.indexOf(query.severity);
    if (severity < 0)
      throw new RangeError(`There is no severity ${quoted(query.severity)}; use ${SEVERITIES.join(", ")}.`);
    const from = microsOf(Math.max(0, finite("from", query.from, 0)));
    const to = microsOf(Math.min(now, finite("to", query.to, now)));
    const until = Math.min(to, finite("cursor", query.cursor, to));
    return {
      services: service < 0 ? this.everywhere : [service],
      severity,
      filter: query.text ? new TextFilter(query.text) : null,
      from,
      firstTick: tickOf(from),
      until,
      limit,
      looked: 0,
    };
  }
}

interface Search {
  readonly services: readonly number[];
  readonly severity: number;
  readonly filter: TextFilter | null;
  /** Times in µs. */
  readonly from: number;
  readonly firstTick: number;
  readonly until: number;
  readonly limit: number;
  looked: number;
}

function shownText({ lines, total, exact, older }: Omit<LogPage, "note">): string {
  const suppressed = lines.reduce((sum, line) => sum + (line.suppressed ?? 0), 0);
  const left = suppressed > 0 ? ` ${number(suppressed)} similar lines are suppressed.` : "";
  if (older === null) return `Showing all ${number(lines.length)} lines.${left}`;
  const all = `${exact ? "" : "about "}${number(total)}`;
  return `Showing ${lines.length} of ${all} lines; narrow by service, severity, text or time, or continue with the cursor.${left}`;
}

function finite(name: string, value: number | undefined, otherwise: number): number {
  if (value === undefined) return otherwise;
  if (!Number.isFinite(value)) throw new RangeError(`The ${name} is ${value}; it must be a number.`);
  return value;
}
