/** The strip above the action bar: the open action's form, and what applying it would touch. */
import { html, nothing, type TemplateResult } from "lit";
import type { Preview } from "../../src/core/world";
import { icon } from "../shared/icons";
import { oneLine } from "../shared/text";
import { type FormInput, formFields } from "./form";

export interface StripInput extends FormInput {
  readonly preview: Preview | null;
  /** `asking` while the host works the preview out. */
  readonly previewing: boolean;
  readonly busy: boolean;
  readonly message: string | null;
  readonly apply: () => void;
  readonly cancel: () => void;
}

/** Unread things named; the rest is counted. */
const UNREAD = 6;

export function strip(input: StripInput): TemplateResult {
  const { form, preview } = input;
  const careful = preview?.dangerous ?? (form.risk === "risky" || form.risk === "final");
  const verb = form.risk === "final" ? "End episode" : form.risk === "read" ? "Read" : "Apply";
  return html`<section class="strip ${careful ? "careful" : ""}" role="group" aria-label=${form.title}>
    <header>
      <h2 class="head">${form.title}</h2><span class="n sm dim cut" title=${form.help}>${form.help}</span>
      <vscode-button id="cancel" appearance="secondary" @click=${input.cancel}>Cancel <kbd>Esc</kbd></vscode-button>
      <vscode-button id="apply" aria-disabled=${input.busy} @click=${input.apply}>${verb} <kbd>Ctrl ⏎</kbd></vscode-button>
    </header>
    ${input.message === null ? nothing : html`<p class="note" role="alert">${icon("critical")}<span>${oneLine(input.message, 500)}</span></p>`}
    <div class=${`stripb ${preview || form.risk === "risky" ? "" : "broad"}`}>
      ${form.fields.length === 0 ? html`<p class="sm">${form.help}</p>` : formFields(input)}
      ${form.risk === "read" ? nothing : html`<div class="touch" aria-live="polite">${touches(input)}</div>`}
    </div>
  </section>`;
}

function touches(input: StripInput): TemplateResult {
  const { preview } = input;
  if (!preview)
    return html`<p class="sm dim">${input.previewing ? "Working out what it would touch…" : input.form.risk === "final" ? "This ends the episode; it cannot be undone." : "Can be changed again later."}</p>`;
  return html`<p class="sm sum">${preview.dangerous ? icon("warning") : nothing}<span>${oneLine(preview.summary, 400)}</span></p>
    <dl class="hits">
      ${preview.touches.map((t) => html`<div title=${oneLine(t.detail ?? "", 300)}><dt>${oneLine(t.label, 60)}</dt><dd>${t.count}</dd>${t.detail ? html`<dd class="sm dim cut">${oneLine(t.detail, 160)}</dd>` : nothing}</div>`)}
    </dl>
    <p class="sm dim">${preview.reversible ? "Can be undone." : "Cannot be undone."}</p>
    ${
      preview.unread.length === 0
        ? nothing
        : html`<p class="sm unreadline">${icon("unknown")}<span>Not looked at: ${preview.unread
            .slice(0, UNREAD)
            .map((u) => oneLine(u, 80))
            .join(
              ", ",
            )}${preview.unread.length > UNREAD ? ` and ${preview.unread.length - UNREAD} more` : ""}</span></p>`
    }`;
}
