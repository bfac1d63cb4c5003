/** Who gets a key: a letter acts only when nobody is typing. */

const TYPING = new Set(["INPUT", "TEXTAREA", "SELECT", "VSCODE-TEXT-FIELD", "VSCODE-TEXT-AREA", "VSCODE-DROPDOWN"]);

/** True when the event comes from a control that takes characters, inside a shadow root or not. */
export function isTyping(event: KeyboardEvent): boolean {
  return event.composedPath().some((node) => node instanceof HTMLElement && TYPING.has(node.tagName));
}

/** The upper-case letter of an event without modifiers, else null. */
export function letterOf(event: KeyboardEvent): string | null {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.isComposing) return null;
  return /^[a-z]$/i.test(event.key) ? event.key.toUpperCase() : null;
}

/** The editor waits this long for the rest of a chord. Milliseconds. */
const CHORD_MS = 5000;
const MODIFIERS = new Set(["Control", "Meta", "Shift", "Alt"]);

/** Tells the second key of the editor's chords, such as Ctrl+K W: the editor acts on it, so no panel may act as well. */
export class Chords {
  private begun: number | null = null;

  /** To be asked of every key, in order. */
  has(event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "timeStamp">): boolean {
    if (MODIFIERS.has(event.key)) return false;
    const ends = this.begun !== null && event.timeStamp - this.begun < CHORD_MS;
    const begins = !ends && (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k";
    this.begun = begins ? event.timeStamp : null;
    return ends;
  }
}

/** Ctrl+Enter, or Cmd+Enter on a Mac. */
export function isCommit(event: KeyboardEvent): boolean {
  return event.key === "Enter" && (event.ctrlKey || event.metaKey);
}
