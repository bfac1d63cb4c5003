/** What services write on any day: neither a sign of a fault nor of health. */
import { kind } from "./kind";

export const ROUTINE_KINDS = {
  routine_info: kind(
    "INFO",
    [
      `(scheduled|periodic|nightly) (task|job) {operation} (finished|done|complete)[ in {smallMillis}][, {small} items][ by {thread}]`,
      `(configuration|settings|feature rules) (unchanged|up to date)[, (polled|checked) in {smallMillis}][, next check in {small}s]`,
      `(refreshed|reloaded) {small} (rules|entries|templates)[ for {operation}][ in {smallMillis}]`,
      `(token|credential|session key) (renewed|refreshed)[ in {smallMillis}][ by {thread}][, valid for {small}m]`,
      `(heartbeat|status): {used} (busy|in flight)[, {small} threads][, gc {smallMillis}][ on {pod}]`,
      `(metrics|telemetry) (flushed|exported|sent)[: {small} batches][ in {smallMillis}][ by {thread}]`,
    ],
    ["operation", "thread"],
  ),
  routine_warn: kind(
    "WARN",
    [
      `{operation} is deprecated[ and (will go|goes away|is to be removed) in {day}.0][, (called|used) (by|from) {thread}][ {small} times (today|this hour)]`,
      `(clock|local time) (drift|offset|skew) of {small}ms (against|from) (time source|NTP server|peer)[, (slewing|adjusting)][ on {pod}]`,
      `(slow|sluggish) (name lookup|DNS answer|resolver)( once|: one query): {smallMillis}[, (answered|fine) on retry][ in {thread}]`,
      `upload of {table}-{messageId} (failed once|interrupted|broke off), (retried|repeated) (successfully|with success)[ after {smallMillis}][ by {thread}]`,
      `certificate (for|of) (internal metrics|the admin port|the debug listener) (expires|ends) in {days} days[, serial {messageId}]`,
      `(unknown|unrecognised|unused) (setting|option|key) (ignored|skipped): {table}.{operation}[ line {line}]`,
      `(client|user agent) (closed the connection|went away) before the answer[ to {method} {route}][ after {smallMillis}][ \\({thread}\\)]`,
      `(telemetry|span|trace) (buffer|queue) (full|above its mark), {small} (spans|records) (discarded|dropped)[ in {smallMillis}]`,
      `(retrying|repeating) {operation} (once|one time): (row version changed|optimistic lock|stale read)[, then fine][ after {smallMillis}]`,
      `(rate of|number of) (bad tokens|unparsable headers|odd requests) (up|higher than usual)[: {small} a minute][, from {tenant}][ on {route}]`,
      `(large|oversized) (answer|response body|payload): {small} MB[ for {method} {route}][ from {operation}][, tenant {tenant}]`,
    ],
    ["operation", "thread", "tenant"],
  ),
  routine_error: kind(
    "ERROR",
    [
      `(could not|failed to|unable to) (parse|read|decode) (user agent|referrer|query string)[ of {method} {route}][ from {tenant}][ line {line}]`,
      `(telemetry|metrics) (export|upload) failed[, {small} batches kept][, next try in {small}s][ after {smallMillis}]`,
      `{operation}: (bad input|malformed request|invalid argument) from {tenant}[, answered 400][ on {route}][ line {line}]`,
      `(webhook|callback) of {tenant} (answered 4{day}|not found|rejected)[ in {smallMillis}][, (disabled|noted) by {operation}]`,
    ],
    ["operation", "tenant", "requestId"],
    { errorType: "bad_request" },
  ),
} as const;
