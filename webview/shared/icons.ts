/**
 * Shapes for states, drawn here so that a state never rests on colour alone. Each is decoration: a word stands beside it.
 * Those of the table's rows are one path each, for hundreds of them are painted in a frame that scrolls.
 */
import { html, render, svg, type TemplateResult } from "lit";

const SHAPES = {
  critical: svg`<path class="bad" fill-rule="evenodd" d="M5.2 1h5.6L15 5.2v5.6L10.8 15H5.2L1 10.8V5.2zM7.1 4v5h1.8V4zM7.1 10.4v1.8h1.8v-1.8z"/>`,
  warning: svg`<path class="warn" fill-rule="evenodd" d="M8 1.2 15.4 14.5H.6zM7.1 5.8v4.5h1.8V5.8zM7.1 11.3V13h1.8v-1.7z"/>`,
  fine: svg`<circle class="ok" cx="8" cy="8" r="7"/><path class="inkline" d="m4.6 8.3 2.4 2.3 4.4-4.8"/>`,
  unknown: svg`<path class="line" d="M14.1 6.6A6.3 6.3 0 0 1 14.1 9.4M13.3 11.3A6.3 6.3 0 0 1 11.3 13.3M9.4 14.1A6.3 6.3 0 0 1 6.6 14.1M4.7 13.3A6.3 6.3 0 0 1 2.7 11.3M1.9 9.4A6.3 6.3 0 0 1 1.9 6.6M2.7 4.7A6.3 6.3 0 0 1 4.7 2.7M6.6 1.9A6.3 6.3 0 0 1 9.4 1.9M11.3 2.7A6.3 6.3 0 0 1 13.3 4.7M6.2 6.4a1.8 1.8 0 1 1 2.6 1.6c-.6.4-.8.7-.8 1.3M8 10.7v1.6"/>`,
  info: svg`<circle class="line" cx="8" cy="8" r="6.3"/><path class="full" d="M7.2 7h1.6v5H7.2zM7.2 4.1h1.6v1.7H7.2z"/>`,
  half: svg`<circle class="line" cx="8" cy="8" r="6.3"/><path class="full" d="M8 1.7a6.3 6.3 0 0 1 0 12.6z"/>`,
  firing: svg`<circle class="full" cx="8" cy="8" r="5"/>`,
  flapping: svg`<path class="line" d="M1 11.5v-7h4.7v7h4.6v-7H15v7"/>`,
  resolved: svg`<path class="line" d="M14.3 8A6.3 6.3 0 1 1 1.7 8a6.3 6.3 0 0 1 12.6 0M4.9 8.2l2.2 2.1 4-4.4"/>`,
  acknowledged: svg`<path class="line" d="M2 2h12v12H2zM4.6 8.2l2.3 2.2 4.4-4.7"/>`,
  muted: svg`<path class="line" d="M4 11.5h8.6L11.3 9.6V6.8a3.3 3.3 0 0 0-6.6 0v2.8L3.4 11.5zM6.7 13.6h2.6M2 2l12 12"/>`,
  maintenance: svg`<path class="line" d="M13.8 4.2a3.6 3.6 0 0 1-4.7 4.4l-4.8 5-2-2 5-4.8a3.6 3.6 0 0 1 4.4-4.7L9.5 4.3l2.2 2.2z"/>`,
  down: svg`<path class="line" d="m3.5 6 4.5 4.5L12.5 6"/>`,
  right: svg`<path class="line" d="m6 3.5 4.5 4.5L6 12.5"/>`,
  up: svg`<path class="line" d="m3.5 10 4.5-4.5L12.5 10"/>`,
  check: svg`<path class="line thick" d="m3 8.5 3.4 3.3L13 4.6"/>`,
  cross: svg`<path class="line" d="m3.5 3.5 9 9m0-9-9 9"/>`,
  plus: svg`<path class="line" d="M8 2.5v11M2.5 8h11"/>`,
  filter: svg`<path class="line" d="M1.8 3h12.4L9.6 8.4v4.8l-3.2-1.6V8.4z"/>`,
  play: svg`<path class="line" d="M4 2.5 13 8l-9 5.5z"/>`,
  pause: svg`<path class="full" d="M4 3h2.6v10H4zM9.4 3H12v10H9.4z"/>`,
  fork: svg`<circle class="line" cx="4" cy="3.5" r="1.8"/><circle class="line" cx="12" cy="3.5" r="1.8"/><circle class="line" cx="8" cy="12.6" r="1.8"/><path class="line" d="M4 5.3c0 3 4 2.2 4 5.4 0-3.2 4-2.4 4-5.4"/>`,
  lock: svg`<path class="line" d="M3.5 7h9v6.5h-9zM5.3 7V4.8a2.7 2.7 0 0 1 5.4 0V7"/>`,
  me: svg`<path class="me" d="M8 1.5 14.5 8 8 14.5 1.5 8z"/>`,
} as const;

export type Icon = keyof typeof SHAPES;

/** A shape of 14 px, or 12 px when `small`. */
export function icon(name: Icon, size: "normal" | "small" = "normal"): TemplateResult {
  return html`<svg class="i ${size === "small" ? "i12" : ""}" viewBox="0 0 16 16" aria-hidden="true" focusable="false">${SHAPES[name]}</svg>`;
}

const NODES = new Map<string, Element>();

/** The same as an element, for what is not drawn by a template. */
export function iconNode(name: Icon, size: "normal" | "small" = "normal"): Node {
  const key = `${name} ${size}`;
  let made = NODES.get(key);
  if (!made) {
    const holder = document.createElement("div");
    render(icon(name, size), holder);
    made = holder.firstElementChild ?? holder;
    NODES.set(key, made);
  }
  return made.cloneNode(true);
}

/** A shape with its word. */
export function state(name: Icon, word: string): TemplateResult {
  return html`<span class="st">${icon(name)}<span class="cut">${word}</span></span>`;
}

/** What has not been read is a state of its own. */
export function notLookedAt(words: "in words" | "shape only" = "in words"): TemplateResult {
  if (words === "shape only")
    return html`<span class="st unread" role="img" aria-label="not looked at" title="not looked at">${icon("unknown")}</span>`;
  return html`<span class="st unread">${icon("unknown")}<span class="cut">not looked at</span></span>`;
}
