/** The debrief: what a recorded run was worth and why, step by step. */
import { html, nothing, render, type TemplateResult } from "lit";
import type { DebriefPanelState, DebriefStep, ErrorPanelState, PanelCommand } from "../../src/panel-protocol";
import { errorPage } from "../shared/error-page";
import { Host } from "../shared/host";
import { icon, notLookedAt } from "../shared/icons";
import { Chords, isTyping, letterOf } from "../shared/keys";
import { plural, grade as printed } from "../shared/numbers";
import { cell, firstPart, long, oneLine, titleOf, visible } from "../shared/text";
import { inWords } from "../shared/words";
import { type GradeInput, gradeTop, storeys } from "./grade-view";
import { partName } from "./storeys";
import { timeline } from "./timeline";

/** Steps drawn around the one being looked at; a run of many hundred steps must not stall the panel. */
const WINDOW = 200;

export class DebriefPanel {
  private readonly host: Host<DebriefPanelState | ErrorPanelState>;
  private state: DebriefPanelState | null = null;
  private step: number | null = null;
  private lost = 0;
  private says: string | null = null;
  private readonly chords = new Chords();

  constructor(private readonly root: HTMLElement) {
    document.addEventListener("keydown", (event) => this.pressed(event));
    this.host = new Host({ state: (state, fresh) => this.take(state, fresh), focus: () => this.focus() });
  }

  private take(state: DebriefPanelState | ErrorPanelState, fresh: boolean): void {
    if (state.kind === "error") {
      this.state = null;
      render(errorPage(state), this.root);
      return;
    }
    const first = this.state === null;
    this.state = state;
    if (fresh) this.step = state.ui.step;
    this.draw();
    if (first) this.focus();
  }

  private draw(): void {
    const { state } = this;
    if (!state) return;
    const input: GradeInput = {
      state,
      goTo: (item) => this.goToItem(item),
      knows: (item) => state.steps.some((s) => s.resultId === item),
    };
    render(
      html`${this.header(state)} ${warnings(state)}
        <main>
          <div class="col left scroll" tabindex="0" role="group" aria-label="Grade">${gradeTop(input)} ${this.status(state)} ${storeys(input)} ${truth(state)} ${notes(state)}</div>
          <div class="col right scroll" tabindex="0" role="group" aria-label="What happened">
            <section class="sec when" aria-label="Timeline">
              <header><h2>Timeline</h2><span class="n cut">${range(state.steps)}</span><span class="hint dim sm"><kbd>←</kbd> <kbd>→</kbd> scrub</span></header>
              ${timeline({ steps: state.steps, step: this.step, go: (index) => this.go(index) })}
            </section>
            ${this.current(state)} ${this.lostPoints(state)} ${this.steps(state)}
          </div>
        </main>
        ${this.bar(state)}
        <div class="vh" role="status" aria-live="polite">${this.says ?? nothing}</div>`,
      this.root,
    );
  }

  private header(state: DebriefPanelState): TemplateResult {
    const strict = state.grade?.strict ?? null;
    const name = strict === null ? state.status : printed(strict);
    return html`<header class="top">
      <span class="fact">${icon(strict === null ? "unknown" : strict >= 0.7 ? "fine" : "half")}<b>${name}</b></span>
      <h1><span class="cut" title=${titleOf(state.title)}>Debrief: <bdi>${oneLine(state.title, 200)}</bdi></span><code class="dim">${oneLine(state.scenario, 40)}, seed ${state.seed}</code></h1>
      <span class="fact"><span class="dim">Steps</span> <b>${state.steps.length}</b></span>
      ${replayFact(state)}
      <span class="fact" title=${titleOf(state.file)}>${icon("lock")}<span>Recorded<span class="only-wide">, read only</span></span></span>
    </header>`;
  }

  private status(state: DebriefPanelState): TemplateResult | typeof nothing {
    if (state.status === "graded") return nothing;
    const words = {
      ungraded: `The run has no grade: ${state.grade?.ungraded ?? "the grader gave none"}.`,
      abandoned: "The run was given up before its end, so it has no grade and what was true stays hidden.",
      unfinished: "The run has not ended yet: there is no grade, and what was true stays hidden.",
    }[state.status];
    return html`<p class="note">${icon("info")}<span>${long(words, 600)}</span></p>`;
  }

  private lostPoints(state: DebriefPanelState): TemplateResult | typeof nothing {
    if (!state.grade?.strictTree) return nothing;
    const lost = worthSaying(state);
    const missing = state.grade.strict === null ? null : 1 - state.grade.strict;
    return html`<section class="sec lostsec" aria-label="Lost points">
      <header><h2>Lost points</h2><span class="n cut" title="Each line is that part's share of what is missing from full marks">${missing === null ? nothing : `${printed(missing)} in all, shared out over what cost it`}</span><span class="hint dim sm"><kbd>↑</kbd> <kbd>↓</kbd> move, <kbd>⏎</kbd> go to the step</span></header>
      ${
        lost.length === 0
          ? html`<p class="empty">Nothing was lost.</p>`
          : html`<div class="lost" id="lost" role="listbox" tabindex="0" aria-label="Lost points" aria-activedescendant=${`lost-${this.lost}`}>
              ${lost.map((point, i) => {
                const looked = this.lookedAt(state, point.evidence);
                return html`<div role="option" id=${`lost-${i}`} aria-selected=${i === this.lost} class=${`${i === this.lost ? "cur" : ""} ${point.evidence.length === 0 ? "plain" : ""}`} @click=${() => this.pickLost(i)} @dblclick=${() => this.openLost(i)}>
                  <b class="lp">−${printed(point.lost)}</b>
                  <span class="lw"><b>${oneLine(partName(point.path), 120)}</b> <bdi class="wrap">${oneLine(inWords(point.reason, state.words), 400)}</bdi></span>
                  <span class="le">${point.evidence.slice(0, 6).map((id) => html`<span class="chip mono">${oneLine(id, 12)}</span>`)}</span>
                  <span class="ll2">${looked ?? (point.evidence.length > 0 ? notLookedAt() : nothing)}</span>
                </div>`;
              })}
            </div>`
      }
    </section>`;
  }

  /** When the first of these items was read, in words. */
  private lookedAt(state: DebriefPanelState, ids: readonly string[]): string | null {
    const step = state.steps.find((s) => s.resultId !== null && ids.includes(s.resultId));
    return step ? `looked at ${step.clock.slice(0, 5)}, step ${step.index + 1}` : null;
  }

  private current(state: DebriefPanelState): TemplateResult | typeof nothing {
    const step = state.steps.find((s) => s.index === this.step);
    if (!step) return nothing;
    const { args } = step;
    const mine = state.notes.filter((note) => note.step === step.index);
    return html`<section class="sec now" aria-label="Step at the line">
      <header><h2>Step ${step.index + 1}</h2><span class="n">${oneLine(step.clock, 8)}, by ${oneLine(step.actor, 40)}</span></header>
      <div class="nowb">
        <p><b>${oneLine(step.title, 80)}</b> ${step.resultId === null ? nothing : html`<span class="chip mono">${oneLine(step.resultId, 12)}</span>`}</p>
        ${args.length > 0 ? html`<dl class="kv">${args.map(({ title, text }) => html`<dt>${oneLine(title, 40)}</dt><dd>${long(text, 300)}</dd>`)}</dl>` : nothing}
        ${step.problem ? html`<p class="sm bad">${icon("critical", "small")}<span>${long(step.problem, 400)}</span></p>` : nothing}
        ${step.result ? html`<pre class="wrap sm" tabindex="0">${visible(firstPart(resultOf(step, state)))}</pre>` : nothing}
        ${step.reasoning ? html`<p class="sm"><span class="dim">Reasoning:</span> ${long(step.reasoning, 600)}</p>` : nothing}
        ${mine.map((note) => html`<p class="sm"><span class="dim">Note:</span> ${long(note.text, 600)}</p>`)}
      </div>
    </section>`;
  }

  private steps(state: DebriefPanelState): TemplateResult {
    const at = state.steps.findIndex((s) => s.index === this.step);
    const from = Math.max(0, Math.min(at - WINDOW / 2, state.steps.length - WINDOW));
    const shown = state.steps.slice(from, from + WINDOW);
    return html`<section class="sec" aria-label="Steps">
      <header><h2>Steps</h2><span class="n">${plural(state.steps.length, "step")}</span></header>
      ${from > 0 ? html`<p class="empty">${from} earlier steps: scrub back to see them.</p>` : nothing}
      <ol class="steps">
        ${shown.map(
          (
            step,
          ) => html`<li><button type="button" tabindex="-1" class=${step.index === this.step ? "cur" : ""} aria-current=${step.index === this.step ? "step" : nothing} @click=${() => this.go(step.index)}>
          <span class="dim">${step.index + 1}</span><span class="dim">${oneLine(step.clock.slice(0, 5), 5)}</span><b class="cut">${oneLine(step.title, 60)}</b>
          <span class="cut">${step.problem ? html`<span class="st">${icon("critical", "small")}refused: ${oneLine(step.problem, 200)}</span>` : oneLine(resultOf(step, state), 240)}</span>
          <span class="mono dim">${oneLine(step.resultId ?? "", 12)}</span>
        </button></li>`,
        )}
      </ol>
    </section>`;
  }

  private bar(state: DebriefPanelState): TemplateResult {
    const step = state.steps.find((s) => s.index === this.step);
    const act = (command: PanelCommand, args?: readonly unknown[]) => () => this.command(command, args);
    return html`<footer><div class="bar" role="toolbar" aria-label="Actions">
      <button type="button" class="btn" @click=${act("firedrill.replayRun")}>${icon("play")}Replay <kbd>R</kbd></button>
      <button type="button" class="btn lesser" @click=${act("firedrill.showProof")}>Grader proof <kbd>P</kbd></button>
      <button type="button" class="btn lesser" @click=${act("firedrill.revealRun")}>Show file</button>
      <span class="sp"></span>
      ${step ? html`<span class="sm dim only-wide from">from step ${step.index + 1}, before ${oneLine(step.title.toLowerCase(), 40)}</span>` : nothing}
      <button type="button" class="btn boxed" aria-disabled=${step === undefined} @click=${() => this.fork()}>${icon("fork")}Fork here <kbd>F</kbd></button>
      <button type="button" class="btn go" id="new-seed" @click=${act("firedrill.newSeed")}><span><span class="only-wide">Play a new</span><span class="only-narrow">New</span> seed</span> <kbd>N</kbd></button>
    </div></footer>`;
  }

  private fork(): void {
    if (this.step === null) this.say("Scrub to a step first: the fork begins before it.");
    else this.command("firedrill.forkFromStep", [this.step]);
  }

  private go(index: number): void {
    this.step = index;
    this.host.keep({ step: index });
    this.draw();
    this.root.querySelector(".steps .cur")?.scrollIntoView({ block: "nearest" });
  }

  private goToItem(item: string): void {
    const step = this.state?.steps.find((s) => s.resultId === item);
    if (step) this.go(step.index);
  }

  private pickLost(index: number): void {
    this.lost = index;
    this.draw();
    this.root.querySelector(`#lost-${index}`)?.scrollIntoView({ block: "nearest" });
  }

  private openLost(index: number): void {
    this.pickLost(index);
    const ids = (this.state ? worthSaying(this.state) : [])[index]?.evidence ?? [];
    const step = this.state?.steps.find((s) => s.resultId !== null && ids.includes(s.resultId));
    if (step) this.go(step.index);
    else this.say("No step of this run read what this part asks for.");
  }

  private pressed(event: KeyboardEvent): void {
    if (
      this.chords.has(event) ||
      !this.state ||
      event.defaultPrevented ||
      isTyping(event) ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey
    )
      return;
    if (this.key(event.key) || this.letter(letterOf(event))) event.preventDefault();
  }

  private key(key: string): boolean {
    const { state } = this;
    if (!state) return false;
    const { steps } = state;
    const lost = worthSaying(state);
    const at = steps.findIndex((s) => s.index === this.step);
    const jump = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: steps.length - 1 }[key];
    if (jump !== undefined) {
      const to = steps[Math.max(0, Math.min(steps.length - 1, jump))];
      if (to) this.go(to.index);
      return true;
    }
    const onControl = document.activeElement?.matches("button, summary, pre") ?? false;
    if ((key === "ArrowDown" || key === "ArrowUp") && lost.length > 0 && !onControl) {
      this.pickLost(Math.max(0, Math.min(lost.length - 1, this.lost + (key === "ArrowDown" ? 1 : -1))));
      return true;
    }
    if (key !== "Enter" || onControl || lost.length === 0) return false;
    this.openLost(this.lost);
    return true;
  }

  private letter(letter: string | null): boolean {
    if (letter === "R") this.command("firedrill.replayRun");
    else if (letter === "F") this.fork();
    else if (letter === "N") this.command("firedrill.newSeed");
    else if (letter === "P") this.command("firedrill.showProof");
    else return false;
    return true;
  }

  private command(command: PanelCommand, args?: readonly unknown[]): void {
    this.host.call("command", args ? { command, args } : { command }).catch((error: Error) => this.say(error.message));
  }

  private say(text: string): void {
    this.says = text;
    this.draw();
  }

  private focus(): void {
    const list = this.root.querySelector<HTMLElement>("#lost") ?? this.root.querySelector<HTMLElement>("#new-seed");
    list?.focus({ preventScroll: true });
  }
}

function replayFact(state: DebriefPanelState): TemplateResult {
  const { replay } = state;
  if (replay.status === "running") return html`<span class="fact dim">Checking the replay…</span>`;
  if (replay.status === "identical")
    return html`<span class="fact" title=${`${replay.steps} steps gave the same observations again`}>${icon("fine")}Replays</span>`;
  return html`<span class="fact" title=${titleOf(replay.difference)}>${icon("critical")}Replays differently</span>`;
}

function warnings(state: DebriefPanelState): TemplateResult {
  return html`${state.torn === null ? nothing : html`<p class="note">${icon("warning")}<span>${long(state.torn, 500)}</span></p>`}
  ${state.replay.status === "different" ? html`<p class="note">${icon("warning")}<span>The replay of this file differs from what it records: ${long(state.replay.difference, 500)}</span></p>` : nothing}
  ${state.hindsight ? html`<p class="note">${icon("info")}<span>Played with hindsight: a graded run of this seed had been shown before, so this one counts for no statistics.</span></p>` : nothing}`;
}

/** What came of a step. Names are put in words only where the step named one itself: a read may show any text. */
function resultOf(step: DebriefStep, state: DebriefPanelState): string {
  const named = Object.values(step.action.args).some((value) => typeof value === "string" && value in state.words);
  return named ? inWords(step.result ?? "", state.words) : (step.result ?? "");
}

function range(steps: readonly DebriefStep[]): string {
  const first = steps[0];
  const last = steps.at(-1);
  return first && last ? `${first.clock.slice(0, 5)} to ${last.clock.slice(0, 5)}, simulated` : "";
}

function truth(state: DebriefPanelState): TemplateResult | typeof nothing {
  if (state.truth.length === 0) return nothing;
  return html`<section class="sec" aria-label="What was true">
    <header><h2>What was true</h2></header>
    <dl class="kv pad">${state.truth.map((line) => html`<dt>${cell(line.heading)}</dt><dd>${long(line.text, 600)}</dd>`)}</dl>
  </section>`;
}

function notes(state: DebriefPanelState): TemplateResult | typeof nothing {
  if (state.notes.length === 0) return nothing;
  return html`<section class="sec" aria-label="Notes">
    <header><h2>Notes</h2></header>
    <dl class="kv pad">${state.notes.map((note) => html`<dt>before step ${note.step + 1}</dt><dd>${long(note.text, 1000)}</dd>`)}</dl>
  </section>`;
}

/** Lost points that show in two digits. */
function worthSaying(state: DebriefPanelState): DebriefPanelState["lost"] {
  return state.lost.filter((point) => point.lost >= 0.005);
}
