/** The page of a panel that has nothing to show: what happened and what to do. */
import { html, type TemplateResult } from "lit";
import type { ErrorPanelState } from "../../src/panel-protocol";
import { icon } from "./icons";
import { long, visible } from "./text";

export function errorPage(state: ErrorPanelState): TemplateResult {
  return html`<main class="errorpage" role="alert">
    <h1>${icon("warning")}<span>${visible(state.title.slice(0, 300))}</span></h1>
    <p>${long(state.message, 2000)}</p>
  </main>`;
}
