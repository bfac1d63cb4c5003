/** Messages of a caller about its dependencies: one line is one attempt. */
import { kind } from "./kind";

const CALLER = ["operation", "route", "millis", "attempt", "requestId", "tenant", "peer", "zoneName"] as const;
const DOING = "(during|in|from) {operation}";
const NEXT = "(will retry|trying again|backing off|attempt {attempt} of {attempts}|try {attempt}/{attempts})";

export const DEPENDENCY_KINDS = {
  timed_out: kind(
    "WARN",
    [
      `{operation}: {peer} (did not answer|gave no answer|has not responded) (within|in) {limitText}[, ${NEXT}][ \\({method} {route}\\)]`,
      `(request|call|query) to {peer}[ at {address}] (timed out|exceeded its deadline|was cut off) after {duration}[ ${DOING}][; ${NEXT}]`,
      `(deadline|context deadline|time limit) exceeded (calling|waiting for|talking to) (the |){peer}[: {duration} elapsed, {limitText} allowed][ ${DOING}][ for {method} {route}]`,
      `timeout (reading|awaiting) (response|reply|first byte) from ({address}|{peer})[ after {duration}][, {operation} (abandoned|given up|failed)][ on {route}]`,
      `gave up on {peer} after {duration}[ (serving|handling) {route}][, ${NEXT}]`,
    ],
    [...CALLER, "limitText"],
    { errorType: "timeout", status: 504, request: true },
  ),
  refused: kind(
    "WARN",
    [
      `{peer} (refused|rejected|turned away) (the |our |)(call|request|connection)[ ${DOING}][, ${NEXT}][ after {duration}]`,
      `(connect|dial|open) {address}: (connection refused|refused by server|no server available)[ ${DOING}][ \\({method} {route}\\)]`,
      `{operation} (failed|aborted): {peer} is (not accepting requests|overloaded|unavailable)[ \\({statusCode}\\)][, ${NEXT}][ for {route}]`,
      `got {statusCode} (from|by) {peer} (at once|straight away|immediately|in {duration})[ ${DOING}][; ${NEXT}]`,
      `no (healthy|ready|live) (backend|endpoint|host) for {peer}[ (serving|handling) {method} {route}][ ${DOING}]`,
    ],
    [...CALLER, "statusCode"],
    { errorType: "connection_refused", status: 503, request: true },
  ),
  unacquired: kind(
    "WARN",
    [
      `(could not|unable to|failed to) (get|obtain|acquire|borrow|check out) a connection (to|for) {peer} (within|in) {limitText}[ \\({used}/{capacity} in use\\)][ ${DOING}]`,
      `connection pool (for|of) {peer} (exhausted|empty|at its limit)[: {used} of {capacity} busy][, {waiting} waiting][ ${DOING}][ for {route}]`,
      `(timed out|timeout) waiting for a free connection[ to {peer}] after {duration}[, pool (size|max) {capacity}][ ${DOING}]`,
      `{operation}: no connection (available|to be had|left) in pool {peer}[ after {duration}][ \\(active={used}, max={capacity}, waiting={waiting}\\)][, (serving|handling) {route}]`,
      `pool {peer}: acquire (failed|gave up|expired) after {duration}[, {waiting} requests (queued|in line)][ ${DOING}][ at {method} {route}]`,
    ],
    [...CALLER, "used", "capacity", "waiting"],
    { errorType: "pool_timeout", status: 503, request: true },
  ),
  name_failed: kind(
    "WARN",
    [
      `(lookup|resolve|getaddrinfo) {address}: (no such host|name or service not known|temporary failure in name resolution|server misbehaving)[ ${DOING}][; ${NEXT}]`,
      `(cannot|could not|unable to) resolve (host|the name|hostname) of {peer}[: (NXDOMAIN|SERVFAIL|no answer from resolver)][ ${DOING}][ for {method} {route}]`,
      `DNS (lookup|query|resolution) for {peer} failed[ after {duration}][, {operation} (aborted|skipped|not done)][ on {route}]`,
      `{operation} failed: unknown host {address}[ \\({method} {route}\\)][, ${NEXT}][ after {duration}]`,
    ],
    CALLER,
    { errorType: "name_resolution", status: 503, request: true },
  ),
  handshake_failed: kind(
    "WARN",
    [
      `TLS handshake with {peer} failed[: (certificate verify failed|bad certificate|certificate not accepted|unknown certificate)][ ${DOING}][; ${NEXT}]`,
      `(x509|tls|ssl): (certificate of|peer certificate from) {peer} (is not valid|was rejected|failed verification)[ at {address}][ ${DOING}][ for {route}]`,
      `(could not|unable to) establish a (secure|TLS) connection to {address}[: (handshake failure|certificate verify failed)][ after {duration}][ ${DOING}]`,
      `{operation}: secure channel to {peer} (not established|broke off during handshake|failed)[ \\({method} {route}\\)][, ${NEXT}]`,
    ],
    CALLER,
    { errorType: "tls_handshake", status: 503, request: true },
  ),
  unreached: kind(
    "WARN",
    [
      `(connect|dial tcp) {address}: (no route to host|i/o timeout|network is unreachable|connection timed out)[ ${DOING}][; ${NEXT}]`,
      `(lost|no) connection to {peer}[ from {zoneName}][ after {duration}][ ${DOING}][ for {method} {route}]`,
      `(packets|segments|request bytes) to {peer} (unacknowledged|not acknowledged|lost)[ for {duration}][, (connection|socket) (closed|dropped|reset)][ ${DOING}]`,
      `{operation}: {peer} (unreachable|cannot be reached)[ from {zoneName}][ \\({route}\\)][, ${NEXT}]`,
    ],
    CALLER,
    { errorType: "network_unreachable", status: 503, request: true },
  ),
  errored: kind(
    "WARN",
    [
      `{peer} (answered|responded|replied) (with |){statusCode} (to|for) {peerOperation}[ in {duration}][ ${DOING}][; ${NEXT}]`,
      `(upstream|remote|server) error from {peer}[ \\({statusCode}\\)][ ${DOING}][ (serving|handling) {method} {route}][ after {duration}]`,
      `{operation}: {peer}.{peerOperation} (failed|returned an error|raised an error)[ after {duration}][, ${NEXT}][ at {route}]`,
      `(call|request) {peerOperation} to {peer} (was unsuccessful|failed on the far side|came back with an error)[: {statusCode}][ ${DOING}]`,
    ],
    [...CALLER, "statusCode"],
    { errorType: "upstream_error", status: 500, request: true },
  ),
  broken: kind(
    "WARN",
    [
      `circuit (breaker|) for {peer} is open, (not calling|failing fast|call skipped)[ ${DOING}][ for {method} {route}]`,
      `{operation}: (short-circuited|rejected by breaker|call not permitted)[, {peer} has been failing][ on {route}][ for tenant {tenant}]`,
      `skipping (call to |){peer}: breaker (OPEN|open|tripped)[ ${DOING}][ \\({method} {route}\\)]`,
      `(fail-fast|fast failure) (towards|on|for) {peer}[, breaker open][ ${DOING}][ (serving|handling) {route}][ in {duration}]`,
    ],
    CALLER,
    { errorType: "circuit_open", status: 503, request: true },
  ),
  session_leak: kind(
    "WARN",
    [
      `(possible|suspected|apparent) connection leak: a connection to {peer} (taken|borrowed|checked out) (in|by) {operation} (was not|has not been) returned (for|after) {small}s[ \\({count} idle\\)]`,
      `{count} (sessions|connections) (to|on) {peer} (held|open) (without activity|without use|idle) for (more than|over) {small}s[, last (used|taken) by {operation}]`,
      `pool {peer}: (connection|session) {messageId} (checked out|lent) {small}s ago (in|by) {operation} (and not seen since|is still out|never came back)[, {used}/{capacity} in use]`,
    ],
    ["operation", "count", "used", "capacity", "thread"],
  ),
} as const;

/** Messages of a worker about what it takes from a queue. */
export const CONSUMER_KINDS = {
  message_failed: kind(
    "WARN",
    [
      `(could not|failed to|unable to) process message {messageId}[ from {queueName}][ (on|in) delivery {attempt}][: (unexpected value|missing field|cannot decode|constraint violated|no such) {table}]`,
      `{operation} (raised|threw) (an error|an exception|a failure) on message {messageId}[ after {duration}][, (nacked|returned to queue|requeued)][ \\(delivery {attempt}\\)]`,
      `(handler|consumer) (failed|crashed|gave an error) (for|on|with) {queueName}/{messageId}[ in {operation}][, delivery {attempt} of {attempts}][ after {duration}]`,
      `message {messageId} (not processed|rejected|nacked)[: {operation} failed][ after {duration}][ \\(attempt {attempt}\\)]`,
    ],
    ["operation", "queueName", "messageId", "millis", "attempt", "tenant", "thread"],
    { errorType: "processing_failed", request: true },
  ),
  messages_processed: kind(
    "INFO",
    [
      `(processed|handled|finished) {count} messages[ from {peer}][ in the last {small}s][, (mean|avg) {duration}][ \\({operation}\\)]`,
      `{operation}: (batch|group) of messages (done|committed|acknowledged)[ in {duration}][, {count} since last report]`,
      `(consumer|worker) progress: {count} (done|acked)[, {waiting} in flight][, {duration} each][ on {queueName}]`,
    ],
    ["operation", "queueName", "count", "millis", "thread"],
  ),
} as const;
