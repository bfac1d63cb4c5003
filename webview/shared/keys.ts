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

/** Ctrl+Enter, or Cmd+Enter on a Mac. */
export function isCommit(event: KeyboardEvent): boolean {
  return event.key === "Enter" && (event.ctrlKey || event.metaKey);
}
