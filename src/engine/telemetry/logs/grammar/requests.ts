/** Messages of a service about the requests it serves. */
import { kind } from "./kind";

const REQUEST = ["method", "route", "statusCode", "millis", "operation", "requestId", "tenant"] as const;
const FOR = "(for|of) tenant {tenant}";

export const REQUEST_KINDS = {
  request: kind(
    "INFO",
    [
      `{method} {route} (->|=>|:) {statusCode}[ in {duration}][ \\({operation}\\)][ ${FOR}]`,
      `(served|handled|completed|finished) {method} {route}[ with {statusCode}][ in {duration}][ via {operation}][ ${FOR}]`,
      `{operation} (ok|done|completed)[ in {duration}][ ${FOR}][ \\({method} {route}\\)]`,
      `request {requestId} (done|finished|closed)[: {statusCode}][ after {duration}][ (at|on) {route}][ ({operation})]`,
    ],
    REQUEST,
    { status: 200, request: true },
  ),
  request_slow: kind(
    "WARN",
    [
      `slow request: {method} {route} took {duration}[ \\(threshold {limitText}\\)][ in {operation}][ ${FOR}]`,
      `{operation} (needed|took|lasted) {duration}[, (more than|over|above) {limitText}][ (serving|on) {route}][ ${FOR}]`,
      `{method} {route} (finished late|was slow|exceeded its latency budget)[: {duration}][ \\({operation}\\)][ ${FOR}]`,
      `latency (warning|budget exceeded|above target) (on|for|at) {route}[: {duration}][ in {operation}][, {waiting} requests in flight]`,
    ],
    [...REQUEST, "limitText", "waiting"],
    { status: 200, request: true },
  ),
  request_error: kind(
    "ERROR",
    [
      `(unhandled|uncaught|unexpected) (error|exception) in {operation}[: (null|nil|undefined) {table}][ at {route}][ \\({self}:{line}\\)][ ${FOR}]`,
      `{method} {route} (failed|ended) with {statusCode}[ after {duration}][: (invalid state|assertion failed|index out of range|unexpected nil) in {operation}][ ${FOR}]`,
      `{operation}: (invariant violated|illegal state|cannot convert value|unexpected end of input)[ (serving|handling) {route}][, request {requestId}][ line {line}]`,
      `internal error (serving|handling|processing) {route}[ in {operation}][ after {duration}][ ${FOR}][: {table} (missing|malformed|inconsistent)]`,
    ],
    REQUEST,
    { errorType: "internal", status: 500, request: true },
  ),
  request_failed: kind(
    "ERROR",
    [
      `{method} {route} failed: {peer} (is the cause|unavailable|not answering as it should)[ \\({statusCode}\\)][ ${FOR}]`,
      `(cannot|could not|unable to) complete {operation}: (dependency|upstream) {peer} failed[ (on|at) {route}][, answered {statusCode}]`,
      `(returning|answering|responding with) {statusCode} (for|to) {method} {route}[, {peer} failed (all|every) {attempts} (attempts|tries)][ in {operation}]`,
      `{operation} (gave up|exhausted its attempts|failed for good) (because of|on account of|due to) {peer}[ at {route}][ ${FOR}]`,
    ],
    ["method", "route", "statusCode", "operation", "requestId", "tenant", "peer"],
    { errorType: "dependency_failed", status: 503, request: true },
  ),
  rejected: kind(
    "WARN",
    [
      `(rejecting|turning away|shedding) {method} {route}[: {waiting} (in flight|already queued)][, limit {capacity}][ ${FOR}]`,
      `(request|{operation}) rejected (at the door|before any work|by admission control)[ with {statusCode}][ on {route}][ ${FOR}][, {waiting} in flight]`,
      `(no capacity|over capacity|too busy) (for|to serve) {method} {route}[, {waiting} of {capacity} slots taken][ ${FOR}]`,
      `{route}: (concurrency|in-flight|admission) limit (hit|reached)[ \\({waiting}/{capacity}\\)][, answered {statusCode}][ ${FOR}][ in {duration}]`,
    ],
    [...REQUEST, "waiting", "capacity"],
    { errorType: "overloaded", status: 503, request: true },
  ),
  dropped: kind(
    "WARN",
    [
      `{method} {route} (aborted|cut off|dropped) (by shutdown|because the process ends|as the server stops)[ after {duration}][ in {operation}][ ${FOR}]`,
      `(in-flight request|{operation}) {requestId} (lost|aborted|not finished) (on|at|during) (stop|exit|shutdown)[ \\({route}\\)][ ${FOR}]`,
      `(closing|dropping) connection with an unfinished {method} {route}[, {duration} into {operation}][ ${FOR}]`,
    ],
    REQUEST,
    { errorType: "aborted", status: 503, request: true },
  ),
} as const;
