/** Reads in words, for reasons of a grade and for what was true. */

export interface Read {
  readonly action: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** `http.server.error_ratio of quiz-api over 60 minutes; the changes of all services`. */
export function readsText(route: readonly Read[]): string {
  return route.map(({ action, args }) => readText(action, args)).join("; ");
}

/** `http.server.error_ratio of quiz-api over 60 minutes`. */
function readText(action: string, args: Readonly<Record<string, unknown>>): string {
  const service = typeof args.service === "string" ? args.service : null;
  const over = typeof args.minutes === "number" ? ` over ${counted(args.minutes, "minute")}` : "";
  switch (action) {
    case "query_history":
      return `${args.metric} of ${service}${over}`;
    case "recent_changes":
      return `the changes of ${service ?? "all services"}${over}`;
    case "impact":
      return `the customer impact of ${service}`;
    case "service_graph":
      return service === null ? "the service graph" : `the neighbours of ${service}`;
    case "inspect_alert":
      return `the alert ${args.alert}`;
    default:
      return [action, ...Object.values(args)].join(" ");
  }
}

export function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? "" : "s"}`;
}
