/** Messages about memory, CPU and health of replicas. */
import { kind } from "./kind";

export const RESOURCE_KINDS = {
  gc_pause: kind(
    "WARN",
    [
      `(GC|garbage collection|collector) (pause|pause of|stopped the world for) {duration}[, heap {memoryText} (of|/) {memoryLimit}][ during {operation}]`,
      `(long|slow) (collection|GC): {duration}[ \\({percent}% of memory limit\\)][, generation {day}][ while in {operation}]`,
      `memory (pressure|low|tight): {memoryText} (in use|used|resident)[ of {memoryLimit}][, (collected|swept|freed little) in {duration}][ (after|in) {operation}]`,
      `(mutators|application threads) stopped (for |){duration} (by|for) (collection|compaction|allocation failure)[, {percent}% in use][ in {operation}]`,
    ],
    ["memoryText", "percent", "millis", "thread"],
  ),
  memory_pressure: kind(
    "WARN",
    [
      `(memory|resident set) at {percent}%[ of {memoryLimit}][, (shrinking buffers|evicting|flushing early)][ \\({thread}\\)]`,
      `(allocation|buffer) pressure: {memoryText} in use[, limit {memoryLimit}][, reclaimed (little|some) in {smallMillis}]`,
    ],
    ["memoryText", "percent"],
  ),
  throttled: kind(
    "WARN",
    [
      `(cpu|CPU) (quota used up|throttled|limit hit) in {percent}% of (periods|scheduler periods)[, {used} threads runnable][ during {operation}]`,
      `(scheduling|run-queue) delay of {smallMillis}[ in {operation}][: (cgroup quota|CPU limit) (reached|spent)][, {percent}% of periods]`,
      `(event loop|scheduler|timer) (late|lagging|delayed) by {smallMillis}[, container throttled {percent}%][ in {operation}]`,
    ],
    ["percent", "thread", "operation"],
  ),
  probe_failed: kind(
    "WARN",
    [
      `(readiness|health|startup|liveness) probe (failed|unsuccessful|did not succeed)[: (HTTP probe failed with statuscode 503|context deadline exceeded|connection refused)][ after {smallMillis}][ \\(failure {attempt}\\)]`,
      `(probe|health check) of {pod} (failed|not ok|answered 503|timed out)[ after {smallMillis}][, {attempt} in a row][ by {thread}]`,
      `(not ready|unhealthy): (GET /healthz|GET /ready|tcp check) (failed|timed out)[ in {smallMillis}][ on {pod}][, count {attempt}]`,
    ],
    ["attempt", "thread"],
    { errorType: "probe_failed" },
  ),
  replica_started: kind(
    "INFO",
    [
      `(starting|booting|launching) {self}[ {versionName}][ on {pod}][ in {zoneName}][ with {small} threads]`,
      `{self} {versionName} (starting|coming up)[, pid {pid}][, zone {zoneName}][, config loaded in {smallMillis}]`,
      `process (start|started)[: {pod}][ \\(version {versionName}\\)][, pid {pid}]`,
    ],
    ["versionName", "zoneName", "thread"],
  ),
  replica_ready: kind(
    "INFO",
    [
      `(ready|accepting requests|listening)[ on port {small}80][ as {pod}][ after {duration}][, version {versionName}]`,
      `{pod} (is ready|ready for traffic|joined the load balancer)[ in {zoneName}][, {versionName}]`,
      `(startup|start-up|warm-up) (complete|finished|done)[ in {duration}][, {self} {versionName} (ready|serving)]`,
    ],
    ["versionName", "zoneName"],
  ),
  replica_stopped: kind(
    "INFO",
    [
      `(stopping|shutting down|terminating) {self}[ {versionName}][ on {pod}][: (SIGTERM received|signal 15|stop requested)][, pid {pid}]`,
      `{pod} (leaving|removed from|deregistered from) (service|the load balancer)[ in {zoneName}][, draining for {small}s]`,
      `(signal 15|SIGTERM|stop signal) (received|caught)[, (draining|closing listeners)][ \\({pod}\\)][, pid {pid}]`,
    ],
    ["versionName", "zoneName"],
  ),
  oom_killed: kind(
    "FATAL",
    [
      `(Memory cgroup out of memory|container killed: out of memory|OOMKilled): (killed process|terminated pid) {pid}[ \\({self}\\)][, rss {memoryText} of {memoryLimit}]`,
      `{pod} (terminated|killed), reason OOMKilled[, exit code 137][, memory {memoryText}][, limit {memoryLimit}][ pid {pid}]`,
      `(kernel|node): out-of-memory kill of {self}[ pid {pid}][ in {pod}][ at {memoryText}]`,
    ],
    ["memoryText"],
    { errorType: "out_of_memory" },
  ),
} as const;
