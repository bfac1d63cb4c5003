/** Everything that can be done, with its key: opened with `?`. */
import { html, nothing, type TemplateResult } from "lit";
import type { ActionForm, Risk } from "../../src/core/action";
import type { PanelCommand } from "../../src/panel-protocol";
import { PANEL_KEYS } from "./labels";

export interface SheetInput {
  readonly actions: readonly ActionForm[];
  /** Why an action makes no sense now, or null. */
  readonly why: (form: ActionForm) => string | null;
  readonly run: (name: string) => void;
  readonly command: (command: PanelCommand) => void;
  readonly close: () => void;
}

const RISKS: Readonly<Record<Risk, string>> = { read: "looks", change: "changes", risky: "previewed", final: "ends" };

const EPISODE: readonly { readonly command: PanelCommand; readonly title: string; readonly help: string }[] = [
  {
    command: "firedrill.letPlayerPlay",
    title: "Let a Player Play…",
    help: "Watch a rule-based player go on from here.",
  },
  { command: "firedrill.newSeed", title: "Play a New Seed", help: "The same scenario, drawn anew." },
  { command: "firedrill.revealRun", title: "Show the Recording", help: "Opens the folder that holds this run's file." },
  { command: "firedrill.endEpisode", title: "End Episode", help: "Gives the episode up, after asking." },
];

export function sheet(input: SheetInput): TemplateResult {
  return html`<div class="veil" @click=${(e: Event) => e.target === e.currentTarget && input.close()}>
    <div class="sheet" role="dialog" aria-modal="true" aria-labelledby="sheet-title" @keydown=${trap}>
      <header>
        <h2 class="head" id="sheet-title">All actions</h2><span class="sp"></span>
        <button type="button" class="btn" id="sheet-close" @click=${input.close}>Close <kbd>Esc</kbd></button>
      </header>
      <div class="scroll" tabindex="0" role="group" aria-label="Actions and keys">
        <ul>
          ${input.actions.map((form) => {
            const why = input.why(form);
            return html`<li>
              <button type="button" aria-disabled=${why !== null} @click=${() => input.run(form.name)}>
                ${form.key ? html`<kbd>${form.key}</kbd>` : html`<span></span>`}<b>${form.title}</b><span class="dim risk">${RISKS[form.risk]}</span>
                <span class="sm help">${why ?? form.help}</span>
              </button>
            </li>`;
          })}
        </ul>
        <h3 class="head4">Episode</h3>
        <ul>
          ${EPISODE.map((e) => html`<li><button type="button" @click=${() => input.command(e.command)}><span></span><b>${e.title}</b><span></span><span class="sm help">${e.help}</span></button></li>`)}
        </ul>
        <h3 class="head4">Keys</h3>
        <dl class="keys">${PANEL_KEYS.map((k) => html`<dt>${k.keys.map((key, i) => html`${i > 0 ? " " : nothing}<kbd>${key}</kbd>`)}</dt><dd>${k.what}</dd>`)}</dl>
      </div>
    </div>
  </div>`;
}

/** Tab stays inside the dialogue. */
function trap(event: KeyboardEvent): void {
  if (event.key !== "Tab") return;
  const stops = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>("button, [tabindex='0']")];
  const first = stops[0];
  const last = stops.at(-1);
  if (event.shiftKey && document.activeElement === first) {
    event.preventDefault();
    last?.focus();
  } else if (!event.shiftKey && document.activeElement === last) {
    event.preventDefault();
    first?.focus();
  }
}
