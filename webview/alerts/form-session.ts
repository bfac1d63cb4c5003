/** The open form from the letter that opens it to the answer of the host: draft, preview, checks, sending. */
import { nothing, type TemplateResult } from "lit";
import type { Action, ActionForm } from "../../src/core/action";
import type { Preview } from "../../src/core/world";
import type { EpisodePanelState } from "../../src/panel-protocol";
import { registerControls } from "../toolkit";
import {
  actionOf,
  actionToPreview,
  type Draft,
  type FieldProblem,
  freshDraft,
  problemsOf,
  type Target,
  unavailable,
} from "./drafts";
import type { Memory } from "./memory";
import { strip } from "./strip";

/** Notes are not actions of the world: they cost nothing and go into the recording only. */
export const NOTE: ActionForm = {
  name: "$note",
  title: "Write a Note",
  help: "For yourself, read again in the debrief; costs nothing and is not graded.",
  risk: "change",
  key: "J",
  fields: [
    { name: "text", title: "Note", help: "What you think just now.", type: "text", required: true, maxLength: 2000 },
  ],
};

/** The preview is asked for when the form has been still for this long. */
const PREVIEW_DELAY_MS = 120;
/** Letters kept while an action is under way. */
const WAITING_LIMIT = 4;

/** What a form session needs of the panel around it. */
export interface FormSurroundings {
  readonly root: HTMLElement;
  state(): EpisodePanelState | null;
  memory(): Memory;
  target(): Target | null;
  act(action: Action): Promise<{ readonly problem?: { readonly message: string; readonly field?: string } }>;
  preview(action: Action): Promise<Preview | null>;
  note(text: string): Promise<unknown>;
  say(text: string, bad: boolean): void;
  /** Interface state has changed: keep it and draw soon. */
  changed(): void;
  draw(): void;
  /** Keeps the cursor's row in sight when the table has become smaller. */
  reveal(): void;
  focusList(): void;
  /** An action was carried out as drafted. */
  done(form: ActionForm, draft: Draft): void;
}

export class FormSession {
  private preview: Preview | null = null;
  private previewing = false;
  private previewTimer = 0;
  private previewAsked = 0;
  private busy = false;
  private tried = false;
  private problem: FieldProblem | null = null;
  /** Letters pressed while an action was under way, in order; they act on what the cursor is on by then. */
  private waiting: (readonly [name: string, how: "usual" | "as a form"])[] = [];

  constructor(private readonly around: FormSurroundings) {}

  /** The open form, or null. */
  get form(): ActionForm | null {
    return this.named(this.around.memory().openAction);
  }

  /** Why an action cannot be taken now, or null. */
  whyNot(form: ActionForm): string | null {
    const state = this.around.state();
    if (!state) return "The panel has no data yet.";
    if (state.over) return "The episode is over: open the debrief, or play a new seed.";
    if (state.player.mode === "watch") return "A player is playing: take over to act yourself.";
    return unavailable(form, state.choices);
  }

  /** Does what a letter stands for: a read that needs nothing more acts at once, everything else opens its form. */
  start(name: string, how: "usual" | "as a form"): void {
    const form = this.named(name);
    const target = this.around.target();
    if (!form || !target) return;
    if (this.busy) {
      if (this.waiting.length < WAITING_LIMIT) this.waiting.push([name, how]);
      return;
    }
    const why = form === NOTE ? null : this.whyNot(form);
    if (why !== null) {
      this.around.say(why, true);
      return;
    }
    const memory = this.around.memory();
    const draft = freshDraft(form, target, memory.drafts[name]);
    if (form.risk === "read" && how === "usual" && problemsOf(form, draft).length === 0) {
      void this.send(form, draft);
      return;
    }
    this.keep(form, draft);
    memory.openAction = name;
    this.opened(form);
  }

  /** After a reload: the form that was open, as it was left. */
  reopen(): void {
    const { form } = this;
    if (form && !this.around.state()?.over) this.opened(form);
    else this.around.memory().openAction = null;
  }

  apply(): void {
    const { form } = this;
    if (!form || this.busy) return;
    this.tried = true;
    this.problem = null;
    const missing = problemsOf(form, this.draft(form))[0];
    if (!missing) {
      void this.send(form, this.draft(form));
      return;
    }
    this.around.say(missing.message, true);
    this.focusField(missing.field);
  }

  cancel(): void {
    this.close();
    this.around.changed();
  }

  /** Sets a value of the open form by the kind of list it comes from, e.g. `alerts`, when the form has such a field. */
  setKind(kind: string, value: readonly string[]): void {
    const { form } = this;
    const field = form?.fields.find(
      (f) => f.type === "list" && (f.choices === kind || (kind === "alerts" && f.name === "suppressed")),
    );
    if (form && field) this.set(form, field.name, value);
  }

  template(): TemplateResult | typeof nothing {
    const { form } = this;
    const state = this.around.state();
    if (!form || !state) return nothing;
    const draft = this.draft(form);
    const problems = this.tried ? problemsOf(form, draft) : [];
    const own = this.problem !== null && form.fields.some((f) => f.name === this.problem?.field.split(".")[0]);
    return strip({
      form,
      draft,
      choices: state.choices,
      problems: this.problem ? [...problems, this.problem] : problems,
      set: (field, value) => this.set(form, field, value),
      preview: this.preview,
      previewing: this.previewing,
      busy: this.busy,
      message: this.problem && !own ? this.problem.message : null,
      apply: () => this.apply(),
      cancel: () => this.cancel(),
    });
  }

  private named(name: string | null): ActionForm | null {
    if (name === NOTE.name) return NOTE;
    return this.around.state()?.actions.find((action) => action.name === name) ?? null;
  }

  private draft(form: ActionForm): Draft {
    return this.around.memory().drafts[form.name] ?? {};
  }

  private opened(form: ActionForm): void {
    this.tried = false;
    this.problem = null;
    this.preview = null;
    registerControls();
    this.around.draw();
    this.around.reveal();
    this.around.changed();
    this.askPreview();
    const missing = problemsOf(form, this.draft(form))[0];
    // The controls are custom elements: they can take the focus once they have drawn themselves.
    requestAnimationFrame(() => {
      if (this.form !== form) return;
      if (missing) this.focusField(missing.field);
      else this.focusButton(form.risk === "risky" || form.risk === "final" ? "cancel" : "apply");
    });
  }

  /** The draft changed last stands at the end: the host keeps the latest ones. */
  private keep(form: ActionForm, draft: Draft): void {
    const memory = this.around.memory();
    const { [form.name]: _, ...others } = memory.drafts;
    memory.drafts = { ...others, [form.name]: draft };
  }

  private set(form: ActionForm, field: string, value: unknown): void {
    const { [field]: _, ...rest } = this.draft(form);
    const draft = value === undefined ? rest : { ...rest, [field]: value };
    this.keep(form, draft);
    if (this.problem?.field === field) this.problem = null;
    this.around.changed();
    this.askPreview();
  }

  private askPreview(): void {
    window.clearTimeout(this.previewTimer);
    const { form } = this;
    if (!form || form === NOTE || form.risk === "read") return;
    // Free text touches nothing: a preview does not wait for it.
    const free = new Set(form.fields.filter((f) => f.type === "text" && f.choices === undefined).map((f) => f.name));
    if (problemsOf(form, this.draft(form)).some((problem) => !free.has(problem.field))) {
      this.previewAsked++;
      this.preview = null;
      this.previewing = false;
      return;
    }
    this.previewing = true;
    this.previewTimer = window.setTimeout(() => void this.loadPreview(form), PREVIEW_DELAY_MS);
  }

  private async loadPreview(form: ActionForm): Promise<void> {
    const asked = ++this.previewAsked;
    let preview: Preview | null = null;
    try {
      preview = await this.around.preview(actionToPreview(form, this.draft(form)));
    } catch {
      // Without a preview the form's own risk decides where the focus goes.
    }
    if (asked !== this.previewAsked || this.form !== form) return;
    this.previewing = false;
    this.preview = preview;
    this.around.draw();
    if (preview?.dangerous && document.activeElement?.id === "apply") this.focusButton("cancel");
  }

  private async send(form: ActionForm, draft: Draft): Promise<void> {
    this.busy = true;
    // What is sent needs no preview any more; after the last action of an episode there is nothing to preview.
    window.clearTimeout(this.previewTimer);
    this.previewing = false;
    try {
      if (form === NOTE) {
        await this.around.note(String(draft.text ?? ""));
        this.finished(form, draft);
        this.around.say("The note is in the recording.", false);
      } else {
        const { problem } = await this.around.act(actionOf(form, draft));
        if (problem) this.refused(form, problem);
        else this.finished(form, draft);
      }
    } catch (error) {
      this.around.say(error instanceof Error ? error.message : String(error), true);
      this.waiting = [];
    } finally {
      this.busy = false;
      this.around.changed();
    }
    const next = this.waiting.shift();
    if (next) this.start(...next);
  }

  private refused(form: ActionForm, problem: { readonly message: string; readonly field?: string }): void {
    this.around.say(problem.message, true);
    this.waiting = [];
    this.busy = false;
    // A read that was sent by its letter alone: its form says what was wrong.
    if (this.form !== form && form.fields.length > 0) this.start(form.name, "as a form");
    this.problem = { field: problem.field ?? "", message: problem.message };
    if (problem.field !== undefined) requestAnimationFrame(() => this.focusField(problem.field ?? ""));
  }

  private finished(form: ActionForm, draft: Draft): void {
    const memory = this.around.memory();
    const { [form.name]: _, ...rest } = memory.drafts;
    memory.drafts = rest;
    this.around.done(form, draft);
    if (memory.openAction === form.name) this.close();
  }

  private close(): void {
    window.clearTimeout(this.previewTimer);
    this.previewAsked++;
    this.around.memory().openAction = null;
    this.preview = null;
    this.previewing = false;
    this.problem = null;
    this.tried = false;
    this.around.draw();
    this.around.focusList();
  }

  private focusButton(id: "cancel" | "apply"): void {
    this.around.root.querySelector<HTMLElement>(`#${id}`)?.focus();
  }

  private focusField(name: string): void {
    for (const field of this.around.root.querySelectorAll<HTMLElement>("[data-field]")) {
      if (field.dataset.field !== name.split(".")[0]) continue;
      const control = field.querySelector<HTMLElement>(
        "vscode-text-field, vscode-text-area, vscode-dropdown, vscode-checkbox, button[tabindex='0'], button",
      );
      if (control) control.focus();
      else this.focusButton("cancel");
      return;
    }
    this.focusButton("cancel");
  }
}
