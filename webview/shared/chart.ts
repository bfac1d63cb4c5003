/**
 * A small line chart: lines and grid in SVG, words in HTML. It ends where the data was read; what came later is shaded.
 * A missing point is a gap, never a zero. The picture has a sentence for those who do not see it.
 */
import { html, nothing, svg, type TemplateResult } from "lit";
import { type SimulatedClock, short } from "./numbers";
import { place } from "./place";
import { cell, oneLine } from "./text";

export interface ChartLine {
  readonly label: string;
  readonly minutes: readonly number[];
  readonly values: readonly (number | null)[];
}

export interface ChartInput {
  readonly title: string;
  readonly unit: string;
  readonly lines: readonly ChartLine[];
  readonly threshold: number | null;
  /** The present minute; from the last point to here nothing has been read. */
  readonly now: number;
  readonly clock: SimulatedClock;
}

/** Lines beyond this are left out, and the chart says so. */
const LINE_LIMIT = 4;

export function lineChart(input: ChartInput): TemplateResult {
  const lines = input.lines.slice(0, LINE_LIMIT);
  const extent = extentOf(lines, input);
  if (!extent) return html`<p class="sm dim">${oneLine(input.title)}: no point was measured.</p>`;
  const { from, to, low, high } = extent;
  const x = (minute: number) => (1000 * (minute - from)) / Math.max(1e-9, to - from);
  const y = (value: number) => 100 - (100 * (value - low)) / Math.max(1e-9, high - low);
  const readTo = Math.max(...lines.map((line) => line.minutes.at(-1) ?? from));
  return html`<figure class="chart">
    <figcaption>${cell(`${input.title}${input.unit ? `, ${input.unit}` : ""}`)}<span class="nw"><span class="dim">at ${input.clock.at(readTo)}</span> <b>${short(lastOf(lines[0]))}</b></span></figcaption>
    <div class="plot" role="img" aria-label=${sentence(input, lines)}>
      <svg viewBox="0 0 1000 100" preserveAspectRatio="none" aria-hidden="true">
        <path class="g" d="M0 0H1000M0 50H1000" /><path class="base" d="M0 100H1000" />
        ${readTo < to ? svg`<rect class="later" x=${x(readTo)} y="0" width=${1000 - x(readTo)} height="100"/>` : nothing}
        ${input.threshold === null ? nothing : svg`<path class="lim" d=${`M0 ${y(input.threshold)}H1000`}/>`}
        ${lines.map((line, i) => svg`<path class=${`l l${i}`} d=${pathOf(line, x, y)}/>`)}
      </svg>
      <span class="yl" ${place({ top: "100%" })}>${short(low)}</span>
      <span class="yl" ${place({ top: "0%" })}>${short(high)}</span>
      ${
        input.threshold === null
          ? nothing
          : html`<span class="ol" ${place({ top: `${y(input.threshold)}%` })}>threshold ${short(input.threshold)}</span>`
      }
    </div>
    <div class="ax"><span>${input.clock.at(from)}</span><span>${readTo < to ? "not read since" : ""}</span><span>${input.clock.at(to)}</span></div>
    ${lines.length > 1 || input.lines[0]?.label ? legend(input, lines) : nothing}
  </figure>`;
}

function legend(input: ChartInput, lines: readonly ChartLine[]): TemplateResult {
  const left = input.lines.length - lines.length;
  return html`<ul class="legend">
    ${lines.map(
      (line, i) => html`<li>
        <svg class="key plotkey" viewBox="0 0 20 8" aria-hidden="true"><path class=${`l l${i}`} d="M0 4H20" /></svg>
        ${cell(line.label || "whole")} <b>${short(lastOf(line))}</b>
      </li>`,
    )}
    ${left > 0 ? html`<li class="dim">${left} more not drawn</li>` : nothing}
  </ul>`;
}

function pathOf(line: ChartLine, x: (minute: number) => number, y: (value: number) => number): string {
  let path = "";
  let pen = "M";
  line.minutes.forEach((minute, i) => {
    const value = line.values[i];
    if (value === null || value === undefined) {
      pen = "M";
      return;
    }
    path += `${pen}${x(minute).toFixed(1)} ${y(value).toFixed(2)}`;
    pen = "L";
  });
  return path;
}

function extentOf(lines: readonly ChartLine[], input: ChartInput) {
  let from = Number.POSITIVE_INFINITY;
  let low = 0;
  let high = input.threshold ?? 0;
  for (const line of lines) {
    from = Math.min(from, line.minutes[0] ?? from);
    for (const value of line.values) {
      if (value === null) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  if (!Number.isFinite(from)) return null;
  return { from, to: Math.max(input.now, from + 1), low, high: niceAbove(high, low) };
}

/** The next of 1, 2, 2.5, 4, 5, 8 × 10ⁿ above a value. */
function niceAbove(high: number, low: number): number {
  if (high <= low) return low + 1;
  const power = 10 ** Math.floor(Math.log10(Math.abs(high) || 1));
  const step = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].find((s) => s * power >= high);
  return (step ?? 10) * power;
}

function lastOf(line: ChartLine | undefined): number | null {
  if (!line) return null;
  for (let i = line.values.length - 1; i >= 0; i--) {
    const value = line.values[i];
    if (value !== null && value !== undefined) return value;
  }
  return null;
}

function sentence(input: ChartInput, lines: readonly ChartLine[]): string {
  const parts = lines.map((line) => {
    const values = line.values.filter((value): value is number => value !== null);
    const gaps = line.values.length - values.length;
    const name = line.label ? `${oneLine(line.label, 60)}: ` : "";
    if (values.length === 0) return `${name}no values`;
    const range = `${short(Math.min(...values))} to ${short(Math.max(...values))}, last ${short(lastOf(line))}`;
    return `${name}${range}${gaps > 0 ? `, ${gaps} points missing` : ""}`;
  });
  const limit = input.threshold === null ? "" : `; threshold ${short(input.threshold)}`;
  return `${oneLine(input.title, 80)} ${oneLine(input.unit, 20)} from ${input.clock.at(lines[0]?.minutes[0] ?? 0)}: ${parts.join("; ")}${limit}`;
}

/** A sparkline of grades 0..1, oldest first. */
export function sparkline(values: readonly number[], label: string): TemplateResult {
  const x = (i: number) => (values.length < 2 ? 50 : (100 * i) / (values.length - 1));
  const points = values.map((value, i) => `${i === 0 ? "M" : "L"}${x(i).toFixed(1)} ${(100 - 100 * value).toFixed(1)}`);
  return html`<div class="plot spark" role="img" aria-label=${label}>
    <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
      <path class="g" d="M0 0H100M0 50H100" /><path class="base" d="M0 100H100" /><path class="l" d=${points.join("")} />
    </svg>
    ${values.map((value, i) => html`<span class="dot" ${place({ left: `${x(i)}%`, top: `${100 - 100 * value}%` })}></span>`)}
  </div>`;
}
