/** Structured fields of log lines, with the names that different teams give them. */
export const FIELD_KEYS = {
  peer: ["upstream", "peer", "target", "dependency", "server"],
  duration: ["duration", "elapsed", "took", "latency"],
  millis: ["duration_ms", "elapsed_ms", "took_ms", "ms"],
  limitText: ["timeout", "deadline", "limit", "budget"],
  attempt: ["attempt", "try", "attempt_no"],
  attempts: ["max_attempts", "tries", "of"],
  route: ["route", "path", "endpoint", "http.route"],
  method: ["method", "verb", "http.method"],
  operation: ["op", "operation", "action", "caller"],
  statusCode: ["status", "code", "http.status_code"],
  capacity: ["max", "size", "capacity"],
  used: ["active", "in_use", "busy"],
  waiting: ["waiting", "queued", "pending"],
  count: ["count", "n", "total"],
  table: ["table", "relation", "entity"],
  queueName: ["queue", "topic", "destination"],
  messageId: ["message_id", "msg_id", "delivery"],
  tenant: ["tenant", "customer", "account"],
  requestId: ["request_id", "req", "rid"],
  zoneName: ["zone", "az"],
  memoryText: ["rss", "memory", "heap"],
  percent: ["pct", "percent", "ratio_pct"],
  versionName: ["version", "release", "build"],
  thread: ["thread", "worker", "task"],
} as const satisfies Record<string, readonly string[]>;
export type FieldName = keyof typeof FIELD_KEYS;

/** Fields whose values are bare numbers in JSON. */
export const NUMERIC: ReadonlySet<FieldName> = new Set<FieldName>([
  "millis",
  "attempt",
  "attempts",
  "statusCode",
  "capacity",
  "used",
  "waiting",
  "count",
  "percent",
]);

/** Fields whose values may have a space in them. */
export const SPACED: ReadonlySet<FieldName> = new Set<FieldName>(["duration", "limitText"]);
