/** The actions at the foot of the panel, each with the letter that starts it. */
import { html, nothing, type TemplateResult } from "lit";
import type { ActionForm } from "../../src/core/action";
import type { EpisodePanelState } from "../../src/panel-protocol";
import { ALWAYS_SHOWN, SHORT_LABELS } from "./labels";

export interface ActionBarInput {
  readonly state: EpisodePanelState;
  readonly open: string | null;
  readonly enabled: (form: ActionForm) => boolean;
  readonly run: (name: string) => void;
  readonly all: () => void;
}

export function actionBar(input: ActionBarInput): TemplateResult {
  const { actions, over } = input.state;
  const keyed = actions.filter((form) => form.key !== null && form.risk !== "final");
  const ends = actions.filter((form) => form.key !== null && form.risk === "final");
  const reads = keyed.filter((form) => form.risk === "read");
  const changes = keyed.filter((form) => form.risk !== "read");
  const shown = (forms: readonly ActionForm[]) => (over ? [] : forms.filter(input.enabled));
  return html`<footer><div class="bar" role="toolbar" aria-label="Actions">
    ${shown(reads).map((form) => button(form, input))}
    ${shown(reads).length > 0 && shown(changes).length > 0 ? html`<span class="sep only-wide"></span>` : nothing}
    ${shown(changes).map((form) => button(form, input))}
    <span class="ends">
      <button type="button" class="btn" @click=${input.all}>All <kbd>?</kbd></button>
      ${shown(ends).map((form) => button(form, input, "boxed"))}
    </span>
  </div></footer>`;
}

function button(form: ActionForm, input: ActionBarInput, extra = ""): TemplateResult {
  const label = Object.hasOwn(SHORT_LABELS, form.name) ? SHORT_LABELS[form.name] : form.title;
  const narrow = ALWAYS_SHOWN.has(form.name) ? "" : "lesser";
  return html`<button type="button" class="btn ${narrow} ${extra} ${input.open === form.name ? "on" : ""}" title=${`${form.title}: ${form.help}`} @click=${() => input.run(form.name)}><span>${label}</span><kbd>${form.key}</kbd></button>`;
}
