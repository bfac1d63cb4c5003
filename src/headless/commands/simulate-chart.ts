/** A simulation as text for a terminal: customers as charts, services as sparklines, events by the minute. At most 80 columns wide. */
import type { Terminal } from "../io";
import type { CustomerPoint, Series } from "./simulate-series";

export interface ChartInput {
  readonly title: string;
  readonly minutes: number;
  /** Minute of the page; null where nobody was paged. */
  readonly pageAt: number | null;
  readonly customer: readonly CustomerPoint[];
  readonly services: Readonly<Record<string, Series>>;
  readonly events: readonly { readonly minute: number; readonly origin: string; readonly text: string }[];
}

const MOST_COLUMNS = 80;
const FEWEST_COLUMNS = 40;
const AXIS = 8;
const ROWS = 6;
const PAGE = "▲";
const BLOCKS = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] as const;
/** Customer errors from here on are coloured as bad, from the second on as worse. */
const BAD = [0.01, 0.05] as const;
/** Errors fill a row from here on at the earliest: below it they are what a healthy system has. */
const LEAST_TOP = 0.01;

type Colour = "red" | "yellow" | "dim" | "bold";
const CODES: Readonly<Record<Colour, string>> = { red: "31", yellow: "33", dim: "2", bold: "1" };
type Paint = (text: string, colour: Colour | null) => string;

/** Lines of text; coloured only where the terminal wants it. */
export function chart(input: ChartInput, terminal: Terminal | null): string {
  const columns = Math.max(FEWEST_COLUMNS, Math.min(MOST_COLUMNS, terminal?.columns ?? MOST_COLUMNS));
  const paint: Paint = (text, colour) => (terminal?.colour && colour ? `\x1b[${CODES[colour]}m${text}\x1b[0m` : text);
  const errors = input.customer.map((point) => point.errorRate);
  const p99 = input.customer.map((point) => point.p99);
  const page = input.pageAt === null ? "nobody was paged" : `page at minute ${input.pageAt}`;
  return [
    ...wrap(input.title, columns),
    page,
    "",
    paint("customers' errors", "bold"),
    ...plot(errors, LEAST_TOP, input, columns, percent, (value) => paintOf(value), paint),
    "",
    paint("customers' p99", "bold"),
    ...plot(p99, 1e-9, input, columns, duration, () => null, paint),
    "",
    ...table(input.services, columns, paint),
    "",
    ...list(input.events, columns, paint),
  ].join("\n");
}

function paintOf(error: number): Colour | null {
  return error >= BAD[1] ? "red" : error >= BAD[0] ? "yellow" : null;
}

/** Bars over time, the highest value of each column's ticks; full at the highest of all, at `least` at the earliest. */
function plot(
  values: readonly (number | null)[],
  least: number,
  { minutes, pageAt }: ChartInput,
  columns: number,
  label: (value: number) => string,
  colour: (value: number) => Colour | null,
  paint: Paint,
): string[] {
  const width = columns - AXIS - 1;
  const bars = squeeze(values, width);
  const top = Math.max(least, ...bars.map((bar) => bar ?? 0));
  const lines: string[] = [];
  for (let row = ROWS - 1; row >= 0; row--) {
    const mark = row === ROWS - 1 ? label(top) : row === 0 ? label(0) : "";
    const cells = bars.map((bar) => {
      const filled = Math.min(8, Math.max(0, Math.round(((bar ?? 0) / top) * ROWS * 8) - row * 8));
      return paint(BLOCKS[filled] as string, bar === null ? null : colour(bar));
    });
    lines.push(`${mark.padStart(AXIS - 1)} ┤${cells.join("")}`.trimEnd());
  }
  return [...lines, axis(minutes, pageAt, bars.length)];
}

/** Minutes below a chart, and a mark where the page came. */
function axis(minutes: number, pageAt: number | null, width: number): string {
  const cells = Array<string>(width).fill(" ");
  if (pageAt !== null) cells[Math.min(width - 1, Math.floor((pageAt / minutes) * width))] = PAGE;
  // The ends first: on a short axis what lies between has no room. Half a number would be another number.
  for (const part of [0, 4, 2, 1, 3]) {
    const text = String((minutes * part) / 4);
    const at = Math.max(0, Math.min(width - text.length, Math.round(((width - 1) * part) / 4)));
    const around = cells.slice(Math.max(0, at - 1), at + text.length + 1);
    if (/\d/.test(around.join("")) || cells.slice(at, at + text.length).includes(PAGE)) continue;
    for (let i = 0; i < text.length; i++) cells[at + i] = text[i] as string;
  }
  return `${"min".padStart(AXIS - 1)}  ${cells.join("")}`.trimEnd();
}

/** The highest of each of at most `width` equal parts; null where a part has no value. */
export function squeeze(values: readonly (number | null)[], width: number): (number | null)[] {
  const length = Math.min(width, values.length);
  return Array.from({ length }, (_, i) => {
    const from = Math.floor((i * values.length) / length);
    const to = Math.max(from + 1, Math.floor(((i + 1) * values.length) / length));
    const part = values.slice(from, to).filter((value) => value !== null);
    return part.length ? Math.max(...part) : null;
  });
}

/** A value a character, from an empty one at 0 to a full one at `top`. */
export function sparkline(values: readonly (number | null)[], width: number, top: number): string {
  return squeeze(values, width)
    .map((value) => (value === null ? "·" : BLOCKS[Math.min(8, Math.max(1, Math.ceil((value / top) * 8)))]))
    .join("");
}

function table(services: Readonly<Record<string, Series>>, columns: number, paint: Paint): string[] {
  const names = Object.keys(services);
  const wide = Math.min(18, Math.max(...names.map((name) => name.length)));
  const spark = Math.max(6, Math.floor((columns - wide - 3 * 9) / 3));
  const cell = (values: readonly (number | null)[], top: number, label: (value: number) => string) =>
    ` ${sparkline(values, spark, top)}${label(values.at(-1) ?? 0).padStart(7)} `;
  const head = ["cpu", "errors", "p99"].map((title) => ` ${title.padEnd(spark + 7)} `).join("");
  const rows = names.map((name) => {
    const { cpu = [], errorRate = [], p99 = [] } = services[name] as Series;
    const slowest = Math.max(1e-9, ...p99.map((value) => value ?? 0));
    const worst = Math.max(LEAST_TOP, ...errorRate.map((value) => value ?? 0));
    const text = `${name.slice(0, wide).padEnd(wide)}${cell(cpu, 1, percent)}${cell(errorRate, worst, percent)}${cell(p99, slowest, duration)}`;
    return paint(text.trimEnd(), paintOf(Math.max(0, ...errorRate.map((value) => value ?? 0))));
  });
  const legend = "figures: last tick; bars: cpu up to 100 %, others up to the row's highest";
  return [
    paint(`${"service".padEnd(wide)}${head}`.trimEnd(), "bold"),
    ...rows,
    ...wrap(legend, columns).map((line) => paint(line, "dim")),
  ];
}

function list(events: ChartInput["events"], columns: number, paint: Paint): string[] {
  if (!events.length) return ["nothing happened"];
  const rows = events.flatMap(({ minute, origin, text }) => {
    const [first = "", ...rest] = wrap(text, columns - 17);
    const lead = `${minute.toFixed(2).padStart(7)}  ${paint(origin.padEnd(8), "dim")}`;
    return [`${lead}${first}`, ...rest.map((line) => `${" ".repeat(17)}${line}`)];
  });
  return [paint(`${"minute".padStart(7)}  event`, "bold"), ...rows];
}

/** Lines of at most `width` characters, broken at blanks where there are some. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let left = text;
  while (left.length > width) {
    const blank = left.lastIndexOf(" ", width);
    const at = blank > 0 ? blank : width;
    lines.push(left.slice(0, at));
    left = left.slice(at).trimStart();
  }
  return [...lines, left];
}

function percent(share: number): string {
  const value = share * 100;
  return `${value < 0.005 ? "0" : digits(value)} %`;
}

function duration(seconds: number): string {
  if (seconds === 0) return "0";
  if (seconds < 0.9995) return `${(seconds * 1000).toFixed(0)} ms`;
  if (seconds < 999.5) return `${digits(seconds)} s`;
  // Where nothing is served at all the figure says no more than that.
  return seconds < 86400 ? `${digits(seconds / 3600)} h` : "> 1 d";
}

/** Three digits, or all that stand before the point. */
function digits(value: number): string {
  return value.toFixed(value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
}
