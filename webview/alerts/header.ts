/** The top of the panel: which episode, how much of it is left, whether it is recorded, and who plays. */
import { html, nothing, type TemplateResult } from "lit";
import type { EpisodePanelState, PanelCommand } from "../../src/panel-protocol";
import { icon } from "../shared/icons";
import { place } from "../shared/place";
import { cell, oneLine, titleOf } from "../shared/text";
import { valueIn } from "../toolkit";

const PACES: readonly (readonly [ms: number, label: string])[] = [
  [0, "as fast as it can"],
  [250, "4 steps a second"],
  [500, "2 steps a second"],
  [1000, "1 step a second"],
  [2000, "a step in 2 s"],
  [5000, "a step in 5 s"],
];

export function header(
  state: EpisodePanelState,
  command: (c: PanelCommand, args?: readonly unknown[]) => void,
): TemplateResult {
  const { observation: o, recording, player } = state;
  const left = Math.max(0, o.maxSteps - o.step);
  const share = o.maxSteps > 0 ? (100 * left) / o.maxSteps : 0;
  return html`<header class="top">
    <h1><span class="cut" title=${titleOf(o.brief)}><bdi>${oneLine(o.title, 200)}</bdi></span><code class="dim">${oneLine(o.scenario, 40)}</code></h1>
    <span class="fact" title=${`minute ${o.minute} of ${o.maxMinutes}`}><span class="dim">Clock</span> <b>${oneLine(o.clock, 12)}</b></span>
    <span class="fact"><span class="dim">Steps left</span> <b>${left}</b> <span class="dim">of ${o.maxSteps}</span><span class="pips only-wide" aria-hidden="true"><i ${place({ width: `calc(${share}% - 2px)` })}></i></span></span>
    ${recorded(recording)}
    ${player.mode === "watch" ? watching(state, command) : nothing}
  </header>`;
}

function recorded(recording: EpisodePanelState["recording"]): TemplateResult {
  if (recording.error !== null) return html`<span class="fact">${icon("critical")} Not recorded</span>`;
  return html`<span class="fact" title=${titleOf(recording.location ?? "")}><span class="rec ${recording.on ? "" : "off"}" aria-hidden="true"></span>${recording.on ? "Recording" : "Not recording"}</span>`;
}

function watching(
  state: EpisodePanelState,
  command: (c: PanelCommand, args?: readonly unknown[]) => void,
): TemplateResult {
  const { player } = state;
  const paces = PACES.some(([ms]) => ms === player.paceMs)
    ? PACES
    : [...PACES, [player.paceMs, `a step in ${player.paceMs} ms`] as const];
  return html`<span class="fact watch">
    <span class="dim">Player</span> <b>${cell(player.name)}</b>
    <button type="button" class="btn" @click=${() => command("firedrill.pausePlayer")}>${icon(player.paused ? "play" : "pause")}${player.paused ? "Go on" : "Pause"} <kbd>P</kbd></button>
    <vscode-dropdown aria-label="Pace" @change=${(e: Event) => command("firedrill.setPace", [Number(valueIn(e))])}>
      ${paces.map(([ms, label]) => html`<vscode-option value=${String(ms)} ?selected=${ms === player.paceMs}>${label}</vscode-option>`)}
    </vscode-dropdown>
    <button type="button" class="btn boxed" @click=${() => command("firedrill.takeOver")}>Take over</button>
  </span>`;
}

/** What needs the player's eye before anything else: a recording that fails, or the end. */
export function notices(
  state: EpisodePanelState,
  actions: { readonly debrief: () => void; readonly newSeed: () => void; readonly retry: () => void },
): TemplateResult {
  return html`${
    state.recording.error === null
      ? nothing
      : html`<p class="note" role="alert">${icon("warning")}<span>${oneLine(state.recording.error, 500)}</span>
          <button type="button" class="btn boxed" @click=${actions.retry}>Try again</button></p>`
  }${
    state.over
      ? html`<p class="note over" role="status">${icon("resolved")}<span><b>The episode is over.</b> The grade with its reasons is in the debrief.</span>
          <button type="button" class="btn boxed" @click=${actions.newSeed}>Play a new seed</button>
          <button type="button" class="btn go" id="open-debrief" @click=${actions.debrief}>Open debrief <kbd>⏎</kbd></button></p>`
      : nothing
  }`;
}
