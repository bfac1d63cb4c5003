/** The grader proof: what players that must not score well do score, computed on the spot. */
import { html, nothing, render, type TemplateResult } from "lit";
import type { ErrorPanelState, ProofPanelState, ProofRow } from "../../src/panel-protocol";
import { errorPage } from "../shared/error-page";
import { Host } from "../shared/host";
import { icon, state as shape } from "../shared/icons";
import { grade, plural } from "../shared/numbers";
import { place } from "../shared/place";
import { cell, oneLine, titleOf } from "../shared/text";

export class ProofPanel {
  private state: ProofPanelState | null = null;
  /** Show only the rows whose bound breaks. */
  private brokenOnly = false;

  constructor(private readonly root: HTMLElement) {
    new Host<ProofPanelState | ErrorPanelState>({
      state: (state) => {
        this.state = state.kind === "error" ? null : state;
        if (state.kind === "error") render(errorPage(state), this.root);
        else this.draw();
      },
      focus: () => this.root.querySelector<HTMLElement>("main")?.focus(),
    });
  }

  private draw(): void {
    const { state } = this;
    if (!state) return;
    const broken = state.rows.filter((row) => !row.holds).length;
    const rows = this.brokenOnly ? state.rows.filter((row) => !row.holds) : state.rows;
    render(
      html`<header class="top">
          <span class="fact">${verdict(state, broken)}</span>
          <h1><span class="cut" title=${titleOf(state.title)}>Grader proof: <bdi>${oneLine(state.title, 200)}</bdi></span></h1>
          <span class="fact"><span class="dim">Seeds</span> <b>${oneLine(state.seeds, 40)}</b></span>
          ${progress(state)}
        </header>
        <main class="scroll" tabindex="0" aria-label="Grader proof">
          <p class="lead sm">Each row is a player that plays every seed: careless ones, who must earn little, fair ones, and the oracle, who knows what is true and must earn nearly everything. Nothing here is stored; it is played now.</p>
          ${
            state.rows.length === 0
              ? html`<p class="empty">The first episodes are being played…</p>`
              : html`<label class="only sm"><input type="checkbox" .checked=${this.brokenOnly} @change=${(e: Event) => {
                  this.brokenOnly = (e.currentTarget as HTMLInputElement).checked;
                  this.draw();
                }} /> only rows whose bound breaks (${broken})</label>
                ${table(rows)}`
          }
        </main>`,
      this.root,
    );
  }
}

function verdict(state: ProofPanelState, broken: number): TemplateResult {
  if (broken > 0 || state.holds === false)
    return html`${icon("critical")}<b>${broken > 0 ? `${broken} broken` : "Does not hold"}</b>`;
  if (state.holds === true) return html`${icon("fine")}<b>Holds</b>`;
  return html`${icon("half")}<b>At work</b>`;
}

function progress(state: ProofPanelState): TemplateResult {
  const share = state.total > 0 ? Math.min(1, state.done / state.total) : 0;
  return html`<span class="fact"><span class="dim">Episodes</span> <b>${state.done}</b> <span class="dim">of ${state.total}</span>
    <span class="pips" role="progressbar" aria-label="Episodes played" aria-valuemin="0" aria-valuemax=${state.total} aria-valuenow=${state.done}><i ${place({ width: `calc(${share * 100}% - 2px)` })}></i></span></span>`;
}

function table(rows: readonly ProofRow[]): TemplateResult {
  if (rows.length === 0) return html`<p class="empty">No bound breaks.</p>`;
  return html`<table aria-label="Players, grades and bounds">
    <thead>
      <tr><th scope="col">State</th><th scope="col">Family</th><th scope="col">Player</th><th scope="col" class="num">Seeds</th><th scope="col" class="num">Least</th><th scope="col" class="num">Mean</th><th scope="col" class="num">Most</th><th scope="col" class="range">0 to 1</th><th scope="col">Bound</th></tr>
    </thead>
    <tbody>${rows.map(row)}</tbody>
  </table>`;
}

function row(r: ProofRow): TemplateResult {
  const percent = (value: number) => `${Math.max(0, Math.min(1, value)) * 100}%`;
  return html`<tr class=${r.holds ? "" : "broken"}>
    <td>${shape(r.holds ? "fine" : "critical", r.holds ? "holds" : "breaks")}</td>
    <td title=${titleOf(`${r.world} ${r.family}`)}>${cell(r.family)}</td>
    <th scope="row"><b>${cell(r.player)}</b></th>
    <td class="num" title=${plural(r.n, "episode")}>${r.n}</td><td class="num">${grade(r.min)}</td><td class="num"><b>${grade(r.mean)}</b></td><td class="num">${grade(r.max)}</td>
    <td class="range" aria-hidden="true"><span class="rb tint"><i ${place({ left: percent(r.min), width: percent(r.max - r.min) })}></i><u ${place({ left: percent(r.mean) })}></u></span></td>
    <td>${r.bound === "—" ? html`<span class="dim">none</span>` : oneLine(r.bound, 60)}${r.holds ? nothing : html` <span class="vh">breaks</span>`}</td>
  </tr>`;
}
