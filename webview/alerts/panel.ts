/** The alerts panel: takes the host's state, draws it, and turns keys and clicks into actions. */
import { html, nothing, render, type TemplateResult } from "lit";
import type { ActionForm } from "../../src/core/action";
import type { ActionResult } from "../../src/core/world";
import type { EpisodePanelState, ErrorPanelState, PanelCommand } from "../../src/panel-protocol";
import type { AlertsObservation } from "../../src/worlds/alerts/observation";
import { errorPage } from "../shared/error-page";
import { Host } from "../shared/host";
import { icon } from "../shared/icons";
import { Chords } from "../shared/keys";
import { plural, SimulatedClock } from "../shared/numbers";
import { firstPart, oneLine, visible } from "../shared/text";
import { inWords } from "../shared/words";
import { registerControls } from "../toolkit";
import { actionBar } from "./action-bar";
import { type DetailInput, detail } from "./detail";
import type { Draft } from "./drafts";
import { FormSession, NOTE } from "./form-session";
import { AlertGrid } from "./grid";
import { header, notices } from "./header";
import { emptyMemory, memoryOf, uiOf } from "./memory";
import { type KeyTargets, pressed } from "./panel-keys";
import { Queue } from "./queue";
import { sheet } from "./sheet";
import { side, type Tab } from "./side";
import { tools } from "./tools";

export class AlertsPanel {
  private readonly host: Host<EpisodePanelState | ErrorPanelState>;
  private readonly queue = new Queue(emptyMemory());
  private readonly forms: FormSession;
  private state: EpisodePanelState | null = null;
  private grid: AlertGrid | null = null;
  private frame = 0;
  private tab: Tab = "incidents";
  private readonly expanded = new Set<string>();
  private readonly cited = new Set<string>();
  /** Which folded section a narrow panel shows. */
  private unfolded: "detail" | "tabs" | null = null;
  private sheetOpen = false;
  /** The line under the table: the last result, or why something was not done. */
  private says: { readonly text: string; readonly id: string | null; readonly bad: boolean } | null = null;

  constructor(private readonly root: HTMLElement) {
    this.forms = this.makeForms();
    const keys = this.keys();
    const chords = new Chords();
    document.addEventListener("keydown", (event) => {
      if (!chords.has(event) && this.state) pressed(event, keys);
    });
    this.host = new Host({ state: (state, fresh) => this.take(state, fresh), focus: () => this.focusList() });
  }

  private get memory() {
    return this.queue.memory;
  }

  private get observation(): AlertsObservation | null {
    return (this.state?.observation as AlertsObservation | undefined) ?? null;
  }

  private take(state: EpisodePanelState | ErrorPanelState, fresh: boolean): void {
    if (state.kind === "error") {
      this.state = null;
      this.grid = null;
      render(errorPage(state), this.root);
      return;
    }
    const before = this.state;
    this.state = state;
    if (fresh) this.queue.memory = memoryOf(state.ui);
    this.hear(before, state);
    this.draw();
    if (!before) requestAnimationFrame(() => window.setTimeout(registerControls));
    if (fresh) this.grid?.scrollTo(this.memory.scroll);
    if (fresh && this.memory.openAction !== null) this.forms.reopen();
    else if (!before || (state.over && !before.over)) this.focusList();
  }

  /** What is new to say: the result of the last step, or a problem the host reports. */
  private hear(before: EpisodePanelState | null, now: EpisodePanelState): void {
    const result = now.observation.lastResult;
    if (result && result !== before?.observation.lastResult)
      this.says = { text: resultText(result, now), id: result.id, bad: false };
    if (now.problem && now.problem !== before?.problem) this.says = { text: now.problem.message, id: null, bad: true };
  }

  private changed(): void {
    this.host.keep(uiOf(this.memory));
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
    });
  }

  private draw(): void {
    const { state, observation } = this;
    if (!state || !observation) return;
    this.queue.update(observation);
    render(this.template(state, observation), this.root);
    if (!this.grid?.element.isConnected) this.grid = this.makeGrid();
    this.grid?.show({
      lines: this.queue.lines,
      cursor: this.memory.cursor,
      selected: this.memory.selected,
      sortBy: this.memory.sortBy,
      minute: observation.minute,
      clock: new SimulatedClock(observation.clock, observation.minute),
      published: observation.published !== null,
      total: this.queue.rows.length,
    });
  }

  private template(state: EpisodePanelState, observation: AlertsObservation): TemplateResult {
    return html`${header(state, (c, args) => this.command(c, args))}
      ${notices(state, { debrief: () => this.command("firedrill.openDebrief"), newSeed: () => this.command("firedrill.newSeed"), retry: () => this.command("firedrill.retryRecording") })}
      <main class=${this.forms.form ? "with-strip" : ""}>
        <div class="col list">
          ${tools(this.queue, observation, {
            filter: (value) => this.filter(value),
            group: (by) =>
              this.acted(() => {
                this.memory.groupBy = by;
              }),
            sort: (by) => this.sort(by),
          })}
          <div id="grid" class="tbl"></div>
          ${this.result()} ${this.forms.template()}
        </div>
        ${this.side(state, observation)}
      </main>
      ${actionBar({ state, open: this.memory.openAction, enabled: (form) => this.forms.whyNot(form) === null, run: (name) => this.start(name), all: () => this.openSheet() })}
      ${this.sheetOpen ? this.sheet(state) : nothing}
      <div class="vh" role="status" aria-live="polite">${this.says ? oneLine(this.says.text, 400) : nothing}</div>`;
  }

  private side(state: EpisodePanelState, observation: AlertsObservation): TemplateResult {
    const input = this.detailInput(state, observation);
    const row = input.row;
    return html`<div class="col side">
      ${this.foldHead("detail", row ? `Alert at the cursor: ${oneLine(row.name, 60)}` : "At the cursor")}
      <section class="sec upper ${this.unfolded === "detail" ? "" : "folded"}" aria-label="At the cursor">
        <header class="only-wide"><h2>${input.group ? "Group at the cursor" : "Alert at the cursor"}</h2></header>
        <div class="scroll" id="detail" tabindex="0" role="group" aria-label="What is known of it">${detail(input)}</div>
      </section>
      ${this.foldHead("tabs", sideSummary(observation))}
      <section class="sec lower ${this.unfolded === "tabs" ? "" : "folded"}" aria-label="This episode">
        ${side({
          ...input,
          state,
          tab: this.tab,
          expanded: this.expanded,
          pick: (tab) => {
            this.tab = tab;
            this.draw();
          },
          expand: (item) => {
            if (!this.expanded.delete(item)) this.expanded.add(item);
            this.draw();
          },
          select: (alerts) => this.acted(() => this.queue.select(alerts)),
          command: (c) => this.command(c),
        })}
      </section>
    </div>`;
  }

  private foldHead(which: "detail" | "tabs", label: string): TemplateResult {
    const open = this.unfolded === which;
    return html`<button type="button" class="foldhead only-narrow" aria-expanded=${open} @click=${() => {
      this.unfolded = open ? null : which;
      this.draw();
    }}>${icon(open ? "down" : "right", "small")}<span class="cut">${label}</span></button>`;
  }

  private detailInput(state: EpisodePanelState, observation: AlertsObservation): DetailInput {
    const line = this.queue.current();
    return {
      observation,
      clock: new SimulatedClock(observation.clock, observation.minute),
      row: line?.kind === "alert" ? line.row : null,
      group: line?.kind === "heading" ? { label: line.label, rows: line.rows } : null,
      actions: state.over ? [] : state.actions,
      run: (action) => this.start(action),
      cite: (item) => this.cite(item),
      cited: this.cited,
    };
  }

  private result(): TemplateResult {
    const { says } = this;
    if (!says) return html`<div class="result" hidden></div>`;
    return html`<div class="result ${says.bad ? "bad" : ""}">
      ${says.bad ? icon("critical", "small") : says.id === null ? nothing : html`<span class="chip mono">${oneLine(says.id, 12)}</span>`}
      <details><summary><span class="cut">${oneLine(says.text, 300)}</span></summary><pre class="wrap sm" tabindex="0">${visible(firstPart(says.text))}</pre></details>
    </div>`;
  }

  private sheet(state: EpisodePanelState): TemplateResult {
    return sheet({
      actions: state.actions,
      why: (form) => this.forms.whyNot(form),
      run: (name) => {
        this.closeSheet();
        this.start(name);
      },
      command: (c) => this.command(c),
      close: () => this.closeSheet(),
    });
  }

  private makeGrid(): AlertGrid | null {
    const element = this.root.querySelector<HTMLElement>("#grid");
    if (!element) return null;
    return new AlertGrid(element, {
      move: (key, extend) => this.acted(() => this.queue.moveTo(key, extend)),
      toggle: (key) => this.acted(() => this.queue.toggle(key)),
      fold: (key) => this.acted(() => this.queue.fold(key, "toggle")),
      sort: (by) => this.sort(by),
      scrolled: (top) => {
        this.memory.scroll = top;
        this.host.keep({ scroll: top });
      },
    });
  }

  private makeForms(): FormSession {
    return new FormSession({
      root: this.root,
      state: () => this.state,
      memory: () => this.memory,
      target: () => {
        const { observation } = this;
        if (!observation) return null;
        const chosen = this.memory.selected.size > 0;
        return { row: this.queue.row(), rows: this.queue.pointed(), chosen, cited: [...this.cited], observation };
      },
      act: (action) => this.host.call("act", action),
      preview: (action) => this.host.call("preview", action),
      note: (text) => this.host.call("note", { text }),
      say: (text, bad) => this.say(text, bad),
      changed: () => this.changed(),
      draw: () => this.draw(),
      reveal: () => this.grid?.reveal(this.memory.cursor),
      focusList: () => this.focusList(),
      done: (form, draft) => this.done(form, draft),
    });
  }

  /** What an action was pointed at has been dealt with; what was selected while it was under way stays. */
  private done(form: ActionForm, draft: Draft): void {
    for (const { name, type, choices } of form.fields) {
      const value = draft[name];
      if (type !== "list" || !Array.isArray(value)) continue;
      for (const id of value)
        if (choices === "items") this.cited.delete(id);
        else if (choices === "alerts") this.memory.selected.delete(id);
    }
  }

  private keys(): KeyTargets {
    return {
      sheetOpen: () => this.sheetOpen,
      formOpen: () => this.forms.form !== null,
      apply: () => this.forms.apply(),
      escape: (from) => this.escape(from),
      openSheet: () => this.openSheet(),
      focusFilter: () => {
        const filter = this.root.querySelector<HTMLInputElement>("#filter");
        filter?.focus();
        filter?.select();
      },
      focusList: () => this.focusList(),
      action: (letter, how) => {
        const action = this.state?.actions.find((a) => a.key === letter);
        if (action) this.forms.start(action.name, how);
        return action !== undefined;
      },
      own: (letter) => this.ownLetter(letter),
      move: (step, extend) => this.acted(() => this.queue.moveBy(step, extend)),
      page: () => this.grid?.page ?? 10,
      toggle: () => this.acted(() => this.queue.toggle(this.memory.cursor)),
      fold: (how) => this.acted(() => this.queue.fold(this.memory.cursor, how)),
      enter: () => this.enter(),
    };
  }

  private escape(from: "filter" | "elsewhere"): void {
    if (this.sheetOpen) this.closeSheet();
    else if (this.forms.form) this.forms.cancel();
    else if (from === "filter") this.focusList();
    else if (this.memory.selected.size > 0) this.acted(() => this.memory.selected.clear());
    else if (this.memory.filter !== "") this.filter("");
    else this.focusList();
  }

  private ownLetter(letter: string): boolean {
    if (letter === "V") this.acted(() => this.queue.selectGroup());
    else if (letter === "J") this.forms.start(NOTE.name, "as a form");
    else if (letter === "P" && this.state?.player.mode === "watch") this.command("firedrill.pausePlayer");
    else if (letter === "N")
      this.acted(() => {
        if (!this.queue.nextUnread()) this.say("Every alert shown has been looked at.", false);
      });
    else return false;
    return true;
  }

  private enter(): void {
    if (this.queue.current()?.kind === "heading") {
      this.acted(() => this.queue.fold(this.memory.cursor, "toggle"));
      return;
    }
    this.unfolded = "detail";
    this.draw();
    this.root.querySelector<HTMLElement>("#detail")?.focus();
  }

  private start(name: string): void {
    this.sheetOpen = false;
    this.forms.start(name, "usual");
  }

  private cite(item: string): void {
    if (!this.cited.delete(item)) this.cited.add(item);
    this.forms.setKind("items", [...this.cited]);
    this.draw();
  }

  /** A change of cursor, selection or arrangement; an open form's list of alerts follows the selection. */
  private acted(change: () => void): void {
    const { cursor } = this.memory;
    const selected = [...this.memory.selected].join("\n");
    change();
    if (this.memory.selected.size > 0 && [...this.memory.selected].join("\n") !== selected)
      this.forms.setKind(
        "alerts",
        this.queue.pointed().map((row) => row.id),
      );
    this.draw();
    this.changed();
    if (this.memory.cursor !== cursor) this.grid?.reveal(this.memory.cursor);
  }

  private filter(value: string): void {
    this.acted(() => {
      this.memory.filter = value;
    });
  }

  private sort(by: string): void {
    this.acted(() => {
      this.memory.sortBy = by === "oldest" && this.memory.sortBy === "oldest" ? "newest" : by;
    });
    this.grid?.reveal(this.memory.cursor);
  }

  private say(text: string, bad: boolean): void {
    this.says = { text, id: null, bad };
    this.changed();
  }

  private command(command: PanelCommand, args?: readonly unknown[]): void {
    this.sheetOpen = false;
    this.changed();
    this.host
      .call("command", args ? { command, args } : { command })
      .catch((error: Error) => this.say(error.message, true));
  }

  private openSheet(): void {
    this.sheetOpen = true;
    this.draw();
    this.root.querySelector<HTMLElement>("#sheet-close")?.focus();
  }

  private closeSheet(): void {
    this.sheetOpen = false;
    this.draw();
    this.focusList();
  }

  private focusList(): void {
    if (this.state?.over) this.root.querySelector<HTMLElement>("#open-debrief")?.focus();
    else this.grid?.focus();
  }
}

/** What came of a step; the names it took are put in words. */
function resultText(result: ActionResult, { actions, words }: EpisodePanelState): string {
  const form = actions.find(({ name }) => name === result.action);
  return form?.fields.some((field) => field.words) ? inWords(result.text, words) : result.text;
}

function sideSummary(observation: AlertsObservation): string {
  if (observation.published) return "Triage and task";
  return `${plural(observation.groups.length, "incident")}, ${plural(observation.items.length, "read")}, task`;
}
