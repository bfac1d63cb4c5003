/** Messages of databases, caches and brokers, in the manner of such products. */
import { kind } from "./kind";

const SQL =
  "(SELECT * FROM {table} WHERE id = $1|SELECT (id|count\\(*\\)|{table}.*) FROM {table} JOIN {otherTable} USING \\(id\\) (WHERE|ORDER BY) (state|created_at)|UPDATE {table} SET (state|updated_at|version) = $2 WHERE id = $1|INSERT INTO {table} VALUES \\($1, $2, $3\\)|DELETE FROM {table} WHERE (id|created_at) (=|<) $1|SELECT * FROM {table} ORDER BY (created_at|id) LIMIT {small})";
const BY = "(process|backend|session) {pid}";

export const STORE_KINDS = {
  slow_query: kind(
    "WARN",
    [
      `(duration: {duration}|slow query, {duration})[ (from|by) ${BY}]: ${SQL}`,
      `(statement|query) (took|lasted|ran for) {duration}[ \\(limit {limitText}\\)][ in ${BY}]: ${SQL}`,
      `${BY}: {duration} (spent|needed) (for|on|executing) ${SQL}[, rows={small}]`,
    ],
    ["table", "thread", "millis"],
    { request: true },
  ),
  lock_wait: kind(
    "WARN",
    [
      `${BY} still waiting for (ShareLock|ExclusiveLock|AccessShareLock|RowExclusiveLock) on (relation|table) {table} after {duration}[: ${SQL}]`,
      `(lock wait|waiting for a lock) on {table}[ for {duration}][, (held|blocked) by ${BY}][ \\({waiting} waiting\\)][: ${SQL}]`,
      `${BY} (acquired|obtained) (ExclusiveLock|ShareLock|RowExclusiveLock) on {table} after {duration}[, {waiting} (behind it|in line)][: ${SQL}]`,
    ],
    ["table", "thread", "waiting", "millis"],
    { errorType: "lock_wait", request: true },
  ),
  query_failed: kind(
    "ERROR",
    [
      `(deadlock detected|could not serialize access|canceling statement due to conflict)[ in ${BY}][ on {table}]: ${SQL}`,
      `(duplicate key|foreign key|check constraint) violat(es|ion) on {table}[ \\(${BY}\\)]: ${SQL}`,
      `(statement|query) (failed|cancelled|aborted)[ after {duration}][ in ${BY}]: ${SQL}`,
    ],
    ["table", "thread"],
    { errorType: "query_failed", status: 500, request: true },
  ),
  connections_full: kind(
    "ERROR",
    [
      `(sorry, |)too many (clients|connections)[: {used} of {capacity}][, (refusing|rejecting) ${BY}]`,
      `(remaining connection slots are reserved|no connection slot is left|connection limit reached)[ \\({used}/{capacity}\\)][ for ${BY}]`,
      `connection (from|of) {thread} (refused|rejected): {used} (open|in use), (limit|max_connections) {capacity}[ ${BY}]`,
    ],
    ["used", "capacity"],
    { errorType: "too_many_connections", status: 503, request: true },
  ),
  store_rejected: kind(
    "WARN",
    [
      `(rejecting|refusing|turning away) (work|request|command) (of|from) {thread}[: {waiting} (in flight|queued)][ \\(limit {capacity}\\)][ ${BY}]`,
      `(overload|overloaded): (request|command) of {thread} (not accepted|refused)[, {waiting} in flight][ after {smallMillis}]`,
    ],
    ["waiting", "capacity", "thread"],
    { errorType: "overloaded", status: 503, request: true },
  ),
  store_dropped: kind(
    "WARN",
    [
      `(terminating|aborting|closing) ${BY} (because of|due to|on) (shutdown|administrator command|server stop)[, (statement|work) unfinished after {smallMillis}]`,
      `(unfinished|open) (transaction|request) of ${BY} (rolled back|lost|dropped) at (exit|stop)[ \\({thread}\\)]`,
    ],
    ["thread"],
    { errorType: "aborted", status: 503, request: true },
  ),
  write_failed: kind(
    "ERROR",
    [
      `(could not|unable to|cannot) (extend|write|append to) (file|segment|relation) {messageId}[ of {table}]: (No space left on device|disk full|ENOSPC)[ ${BY}]`,
      `write to {table} failed[ in ${BY}]: (no space left on device|disk quota reached|ENOSPC)[ at {percent}%]`,
      `(rejecting|refusing) writes[ to {table}]: disk {percent}% (full|used)[, ${BY}]`,
    ],
    ["table", "percent", "thread"],
    { errorType: "disk_full", status: 500, request: true },
  ),
  disk_low: kind(
    "WARN",
    [
      `(disk|volume|data volume|filesystem) usage (at|is|now) {percent}%[ \\((soft limit|warning level) 85%\\)][, cleaning (postponed|scheduled)]`,
      `(low|little) (disk space|free space)[ on /var/lib/{self}]: {percent}% (used|in use)[, checked by {thread}]`,
      `(only little space|few blocks) left on volume[ of {self}], {percent}% (used|taken)`,
    ],
    ["percent", "thread"],
  ),
  database_routine: kind(
    "INFO",
    [
      `checkpoint (complete|done|finished): wrote {small} buffers[ in {smallMillis}][, {small} files recycled]`,
      `(automatic |)(vacuum|analyze) of (table |){table}: {small} pages (removed|visited|scanned)[ in {smallMillis}]`,
      `connections: {used} open(| of {capacity})[, {waiting} (active|running)][, sampled by {thread}]`,
      `(replication|standby): (flush|replay) lag {smallMillis}[, slot {messageId}]`,
    ],
    ["thread"],
  ),
  cache_routine: kind(
    "INFO",
    [
      `(stats|cache statistics|keyspace): hit ratio {percent}%[, {small} (evictions|expired) since last report][, used {memoryText}]`,
      `(background|async) (save|snapshot) (done|finished|terminated with success)[ in {smallMillis}][, {memoryText} written]`,
      `{small} keys (expired|evicted)[ in {smallMillis}][, hit ratio {percent}%][ \\(db {day}\\)]`,
    ],
    ["percent", "memoryText"],
  ),
  queue_routine: kind(
    "INFO",
    [
      `queue {queueName}: {count} (ready|waiting)[, {waiting} unacknowledged][, newest waits {duration}]`,
      `(depth|backlog) report: {count} messages[ over all queues][, (oldest|newest) {duration}][, {small} consumers]`,
      `(segment|index) of {queueName} (flushed|compacted|rolled)[ in {smallMillis}][, {count} messages kept]`,
    ],
    ["queueName", "count"],
  ),
  redelivered: kind(
    "WARN",
    [
      `message {messageId} (on|in|of) {queueName} (redelivered|delivered again|requeued)[ \\(delivery {attempt}\\)][ to {thread}]`,
      `(redelivery|delivery {attempt}) of {messageId}[ from {queueName}][, consumer {thread} (rejected|returned|nacked) it]`,
      `{queueName}: consumer {thread} (nacked|returned|rejected) {messageId}[, (requeued|back at the head|will be delivered again)][ for try {attempt}]`,
    ],
    ["queueName", "messageId", "attempt"],
  ),
  dead_letter: kind(
    "ERROR",
    [
      `message {messageId} (moved|sent|routed) to (dead letters|the dead-letter queue|{queueName}.dlq)[ after {attempts} deliveries][, last by {thread}]`,
      `{queueName}: delivery limit[ of {attempts}] (reached|exceeded) (by|for) {messageId}[, (dead-lettered|set aside)][ \\(consumer {thread}\\)]`,
      `dead-lettering {messageId}[ of {queueName}][: {attempts} (failed deliveries|attempts)][, reason (rejected|delivery_limit)]`,
    ],
    ["queueName", "messageId", "attempts"],
    { errorType: "dead_letter" },
  ),
  flow_control: kind(
    "WARN",
    [
      `(flow control|back-pressure) (on|active|engaged) for publishers[: {count} messages waiting][, (high-water mark|limit) {capacity}][ \\({queueName}\\)]`,
      `(publishers|producers) (slowed|throttled|blocked for a while)[ on {queueName}]: depth {count} (above|over) {capacity}`,
    ],
    ["queueName", "count", "capacity"],
  ),
} as const;
