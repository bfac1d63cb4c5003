/** What each key does in the alerts panel. A letter of the world's actions comes first, then the panel's own. */
import { isCommit, isTyping, letterOf } from "../shared/keys";

export interface KeyTargets {
  /** True while the list of all actions is open. */
  sheetOpen(): boolean;
  formOpen(): boolean;
  apply(): void;
  escape(from: "filter" | "elsewhere"): void;
  openSheet(): void;
  focusFilter(): void;
  focusList(): void;
  /** Starts the action with this key; false when none has it. */
  action(letter: string, how: "usual" | "as a form"): boolean;
  /** A letter of the panel itself; false when it means nothing. */
  own(letter: string): boolean;
  move(step: number, extend: boolean): void;
  page(): number;
  toggle(): void;
  fold(how: "fold" | "unfold"): void;
  enter(): void;
}

export function pressed(event: KeyboardEvent, to: KeyTargets): void {
  if (event.defaultPrevented) return;
  if (handled(event, to)) event.preventDefault();
}

function handled(event: KeyboardEvent, to: KeyTargets): boolean {
  const inFilter = (event.target as Element).id === "filter";
  if (event.key === "Escape") {
    if (inOpenList(event)) return false;
    to.escape(inFilter ? "filter" : "elsewhere");
    return true;
  }
  if (isCommit(event) && to.formOpen()) {
    to.apply();
    return true;
  }
  if (isTyping(event)) {
    if (!inFilter || (event.key !== "Enter" && event.key !== "ArrowDown")) return false;
    to.focusList();
    return true;
  }
  if (to.sheetOpen()) return false;
  if (event.key === "?") to.openSheet();
  else if (event.key === "/") to.focusFilter();
  else return navigated(event, to) || lettered(event, to);
  return true;
}

/** An open drop-down list closes itself first. */
function inOpenList(event: KeyboardEvent): boolean {
  return event
    .composedPath()
    .some((node) => node instanceof Element && node.tagName === "VSCODE-DROPDOWN" && node.hasAttribute("open"));
}

function lettered(event: KeyboardEvent, to: KeyTargets): boolean {
  const plain = letterOf(event);
  if (plain !== null) return to.action(plain, "usual") || to.own(plain);
  const modified = event.ctrlKey || event.metaKey || event.altKey;
  return event.shiftKey && !modified && /^[A-Z]$/.test(event.key) && to.action(event.key, "as a form");
}

/** Arrow keys and the like act on the table unless a control that uses them itself has the focus. */
function navigated(event: KeyboardEvent, to: KeyTargets): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const focused = document.activeElement;
  if (focused !== null && focused !== document.body && focused.closest("#grid") === null) return false;
  const step = stepOf(event.key, to);
  if (step !== null) to.move(step, event.shiftKey);
  else if (event.key === " ") to.toggle();
  else if (event.key === "ArrowLeft") to.fold("fold");
  else if (event.key === "ArrowRight") to.fold("unfold");
  else if (event.key === "Enter") to.enter();
  else return false;
  return true;
}

function stepOf(key: string, to: KeyTargets): number | null {
  switch (key) {
    case "ArrowDown":
      return 1;
    case "ArrowUp":
      return -1;
    case "PageDown":
      return to.page();
    case "PageUp":
      return -to.page();
    case "Home":
      return Number.NEGATIVE_INFINITY;
    case "End":
      return Number.POSITIVE_INFINITY;
    default:
      return null;
  }
}
