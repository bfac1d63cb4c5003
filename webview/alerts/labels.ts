/** Short words for the action bar, in the order they stand there. An action that is not listed shows its own title. */
export const SHORT_LABELS: Readonly<Record<string, string>> = {
  inspect_alert: "Inspect",
  query_history: "History",
  service_graph: "Graph",
  recent_changes: "Changes",
  impact: "Impact",
  acknowledge: "Ack",
  group: "Group",
  silence: "Silence",
  snooze: "Snooze",
  maintenance: "Maintain",
  expire_silence: "Unmute",
  route: "Route",
  declare_cause: "Cause",
  escalate: "Escalate",
  triage: "Triage",
  wait: "Wait",
  close_triage: "Finish…",
};

/** Actions that keep their place in the bar of a narrow panel; all others stand under `?`. */
export const ALWAYS_SHOWN: ReadonlySet<string> = new Set([
  "inspect_alert",
  "group",
  "route",
  "declare_cause",
  "triage",
  "close_triage",
]);

/** Keys of the panel itself. An action of the world that claims the same letter wins. */
export const PANEL_KEYS: readonly { readonly keys: readonly string[]; readonly what: string }[] = [
  { keys: ["↑", "↓"], what: "Move the cursor; with Shift, select on the way" },
  { keys: ["←", "→"], what: "Fold or unfold the group at the cursor" },
  { keys: ["Space"], what: "Select the alert at the cursor, or all of a group at its heading" },
  { keys: ["V"], what: "Select the group the cursor is in" },
  { keys: ["N"], what: "Go to the next alert that was not looked at" },
  { keys: ["Enter"], what: "Read what is known of the alert at the cursor" },
  { keys: ["/"], what: "Filter: words that must occur, -words that must not" },
  { keys: ["Shift", "letter"], what: "Open an action's form even when a letter alone would act" },
  { keys: ["Ctrl", "Enter"], what: "Apply the open form" },
  { keys: ["Esc"], what: "Close what is open; then clear the selection; then the filter" },
  { keys: ["J"], what: "Write a note into the recording" },
  { keys: ["P"], what: "Pause or go on while a player plays" },
];
