/**
 * Text that somebody else wrote: alert labels, imported files, model output. It is only ever put on the screen as text,
 * isolated from the direction of its surroundings, cut where it would fill the panel, with unprintable characters shown.
 */
import { html, nothing, type TemplateResult } from "lit";

/** What a cell or line shows of a value; the rest is behind the title or the expander. */
const LINE_LIMIT = 240;
/** What a title holds. */
const TITLE_LIMIT = 2_000;
/** What an expanded text shows; more would stall layout. */
const FULL_LIMIT = 20_000;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are made visible
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
/** Characters that reorder, hide or join text without being seen. */
const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** A value with control and invisible characters as their numbers, e.g. ⟨202E⟩; lone surrogates become �. */
export function visible(value: string): string {
  return value
    .replace(CONTROL, (c) => numbered(c.charCodeAt(0)))
    .replace(INVISIBLE, (c) => numbered(c.charCodeAt(0)))
    .replace(LONE_SURROGATE, "\ufffd");
}

function numbered(code: number): string {
  return `\u27e8${code.toString(16).toUpperCase().padStart(4, "0")}\u27e9`;
}

/** A value as one line, cut at `limit` characters. */
export function oneLine(value: string, limit = LINE_LIMIT): string {
  const head = visible(cutAt(value, limit)).replace(/\s+/g, " ");
  return value.length > limit ? `${head}…` : head;
}

/** A value in a cell: one line, ellipsised by width, whole in its title. */
export function cell(value: string, classes = ""): TemplateResult {
  return html`<bdi class="cut ${classes}" title=${titleOf(value)}>${oneLine(value)}</bdi>`;
}

/** A value that wraps; when long, its beginning with the rest to unfold. */
export function long(value: string, limit = LINE_LIMIT): TemplateResult {
  if (value.length <= limit) return html`<bdi class="wrap">${visible(value)}</bdi>`;
  const rest = value.length > FULL_LIMIT ? `… ${value.length - FULL_LIMIT} more characters are not shown.` : nothing;
  return html`<details class="more">
    <summary><bdi class="wrap">${visible(cutAt(value, limit))}…</bdi> <span class="dim">${value.length} characters</span></summary>
    <bdi class="wrap">${visible(cutAt(value, FULL_LIMIT))}</bdi>${rest}
  </details>`;
}

export function titleOf(value: string): string {
  return visible(value.length > TITLE_LIMIT ? `${cutAt(value, TITLE_LIMIT)}…` : value);
}

function cutAt(value: string, limit: number): string {
  if (value.length <= limit) return value;
  const last = value.charCodeAt(limit - 1);
  return value.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit);
}

/** As much of a text as an unfolded view shows. */
export function firstPart(value: string): string {
  return value.length > FULL_LIMIT ? `${cutAt(value, FULL_LIMIT)}…` : value;
}
