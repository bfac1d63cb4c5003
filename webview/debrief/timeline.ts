/** When the player looked, changed something and said something; a line marks the step being looked at. */
import { html, nothing, type TemplateResult } from "lit";
import type { DebriefStep } from "../../src/panel-protocol";
import { SimulatedClock } from "../shared/numbers";
import { place } from "../shared/place";
import { oneLine, titleOf } from "../shared/text";

export interface TimelineInput {
  readonly steps: readonly DebriefStep[];
  readonly step: number | null;
  readonly go: (index: number) => void;
}

const LANES = ["looked", "changed", "said"] as const;
type Lane = (typeof LANES)[number];

/** Actions that are claims rather than changes. */
const SAYS = /^(route|declare|escalate|close|triage|give_up|post_|submit|resolve)/;
/** Above this many steps in a lane the discs give way to ticks. */
const DISCS = 28;
/** Least distance of two discs, as a share of the width. */
const GAP = 0.021;

export function laneOf(step: DebriefStep): Lane {
  if (step.risk === "read") return "looked";
  return step.risk === "final" || SAYS.test(step.action.name) ? "said" : "changed";
}

export function timeline(input: TimelineInput): TemplateResult {
  const { steps } = input;
  const first = steps[0];
  if (!first) return html`<p class="empty">No step was taken.</p>`;
  const from = first.minute;
  const to = Math.max(from + 1, steps.at(-1)?.minute ?? from);
  const clock = new SimulatedClock(first.clock, first.minute);
  const ticks = ticksOf(from, to);
  const current = steps.find((s) => s.index === input.step);
  const places = new Map(
    LANES.flatMap((lane) => [
      ...spread(
        steps.filter((s) => laneOf(s) === lane),
        from,
        to,
      ),
    ]),
  );
  return html`<div class="tlw">
    <div class="ov" aria-hidden="true">
      ${ticks.map(({ share }) => html`<i ${place({ left: `${share * 100}%` })}></i>`)}
      ${current ? html`<i class="scrub" ${place({ left: `${(places.get(current.index) ?? 0) * 100}%` })}></i>` : nothing}
    </div>
    ${LANES.map((lane) =>
      laneRow(
        lane,
        steps.filter((s) => laneOf(s) === lane),
        places,
        input,
      ),
    )}
    <div class="ln" aria-hidden="true"><span class="ll"></span><span class="lt axis">${ticks.map(({ share, minute }) => html`<span class="xl" ${place({ left: `${share * 100}%` })}>${clock.at(minute)}</span>`)}</span></div>
  </div>`;
}

function laneRow(lane: Lane, steps: readonly DebriefStep[], places: ReadonlyMap<number, number>, input: TimelineInput) {
  const discs = steps.length <= DISCS;
  return html`<div class="ln" role="group" aria-label=${`${lane}: ${steps.length} steps`}>
    <span class="ll">${lane} <span class="dim">${steps.length}</span></span>
    <span class="lt">
      ${steps.map((step) => {
        const on = step.index === input.step;
        return html`<button type="button" tabindex="-1" class=${`${discs ? "disc" : "tickmark"} ${on ? "on" : ""} ${step.problem ? "refused" : ""}`} aria-pressed=${on} title=${`${step.index + 1}: ${titleOf(step.title)}, ${oneLine(step.clock, 8)}`} aria-label=${`step ${step.index + 1}, ${oneLine(step.title, 60)}`} ${place({ left: `${(places.get(step.index) ?? 0) * 100}%` })} @click=${() => input.go(step.index)}>${discs ? step.index + 1 : nothing}</button>`;
      })}
    </span>
  </div>`;
}

/** Whole minutes to label, four to seven of them. */
function ticksOf(from: number, to: number): { readonly share: number; readonly minute: number }[] {
  const step = [1, 2, 5, 10, 15, 30, 60, 120, 240].find((s) => (to - from) / s <= 6) ?? 480;
  const ticks = [];
  for (let minute = Math.ceil(from); minute <= to; minute += step)
    ticks.push({ share: (minute - from) / (to - from), minute });
  return ticks;
}

/** Places of steps on the time axis (0..1); discs that would cover each other are pushed apart. */
export function spread(steps: readonly DebriefStep[], from: number, to: number): Map<number, number> {
  const gap = steps.length <= DISCS ? GAP : 0;
  const places: number[] = [];
  for (const step of steps) {
    const wanted = (step.minute - from) / (to - from);
    places.push(Math.max(wanted, (places.at(-1) ?? -1) + gap));
  }
  // What was pushed beyond the end comes back, from the right.
  let limit = 1;
  for (let i = places.length - 1; i >= 0 && (places[i] ?? 0) > limit; i--) {
    places[i] = limit;
    limit -= gap;
  }
  return new Map(steps.map((step, i) => [step.index, places[i] ?? 0]));
}
