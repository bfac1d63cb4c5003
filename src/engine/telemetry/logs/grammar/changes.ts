/** Messages about what was changed: deploys, configuration, flags, scaling, restarts and other operations. Whoever did it, they read the same. */
import { kind } from "./kind";

const WHO =
  "(by|requested by|on behalf of) (deploy-bot|pipeline {pid}|on-call|release-{small}|ci-runner-{small}|{tenant}-ops)";

export const CHANGE_KINDS = {
  code_deployed: kind(
    "INFO",
    [
      `(deploying|rolling out|release of) {self} {versionName}[ (over|after|replacing) {before}][ to {percent}% of (requests|traffic)][ ${WHO}]`,
      `(rollout|deployment) (of|to) {versionName} (started|under way|in progress)[, previous {before}][, share {percent}%][ ${WHO}]`,
      `image {self}:{versionName} (pulled|set|applied)[ \\(was {before}\\)][, change {messageId}][ ${WHO}]`,
    ],
    ["versionName"],
  ),
  config_applied: kind(
    "INFO",
    [
      `(configuration|config|settings) {versionName} (applied|loaded|in force)[, was {before}][ \\({small} keys\\)][ ${WHO}]`,
      `(reloaded|switched to) (configuration|config revision) {versionName}[ from {before}][ in {smallMillis}][ ${WHO}]`,
      `{name}: (now at|revision) {versionName}[ \\(before: {before}\\)][, checksum {messageId}][ ${WHO}]`,
    ],
    ["versionName"],
  ),
  flag_switched: kind(
    "INFO",
    [
      `(feature flag|flag|toggle) {name} (is now|turned|switched) {versionName}[ for {percent}% of requests][ ${WHO}]`,
      `{name} = {versionName}[ \\(was {before}\\)][, (flag rules|rule set) {messageId}][ ${WHO}]`,
    ],
    ["versionName"],
  ),
  certificate_loaded: kind(
    "INFO",
    [
      `(certificate|key pair|TLS material) {versionName} (loaded|installed|in use)[ for {self}][, was {before}][, fingerprint {messageId}]`,
      `(serving|presenting) certificate {versionName}[ \\(fingerprint {messageId}\\)][, replaces {before}][ ${WHO}]`,
    ],
    ["versionName"],
  ),
  zone_published: kind(
    "INFO",
    [
      `(zone|DNS zone) of {self} (published|now at serial) {versionName}[, was {before}][ \\({small} records\\)][ ${WHO}]`,
      `(name records|records) of {self} updated[ to serial {versionName}][ from {before}][, {small} (names|entries)][ ${WHO}]`,
    ],
    ["versionName"],
  ),
  limit_set: kind(
    "INFO",
    [
      `limit {name} (set|changed|moved) to {versionName}[ from {before}][ ${WHO}][, change {messageId}]`,
      `{name}: (applied|using) {versionName}[ \\(was {before}\\)][ ${WHO}]`,
    ],
    ["versionName"],
  ),
  job_switched: kind(
    "INFO",
    [
      `job {name} (is|now|reports) {versionName}[, was {before}][ in {thread}][ ${WHO}]`,
      `(scheduler|runner): {name} (->|:) {versionName}[ \\(pid {pid}\\)][ ${WHO}]`,
    ],
    ["versionName"],
  ),
  scaled: kind(
    "INFO",
    [
      `(scaling|scaled|resizing) {self} to {count} replicas[ in {zoneName}][ ${WHO}][, change {messageId}]`,
      `(desired|wanted) replicas of {self}: {count}[ \\({zoneName}\\)][ ${WHO}]`,
    ],
    ["count", "zoneName"],
  ),
  autoscaled: kind(
    "INFO",
    [
      `(autoscaler|horizontal scaler): {self} from {used} to {count}[ in {zoneName}][, CPU {percent}%][ \\(rule {messageId}\\)]`,
      `(new size|desired count)[ of {self}]: {count}[, was {used}][ in {zoneName}][ (by|from) autoscaler][ at {percent}% CPU]`,
    ],
    ["count", "zoneName"],
  ),
  restarted: kind(
    "INFO",
    [
      `(restart|restarting) (of |){self}[: {percent}% of replicas][ in {zoneName}][ ${WHO}]`,
      `(rolling restart|restart) (triggered|begun|requested)[ for {self}][ \\({percent}%\\)][ in {zoneName}][ ${WHO}]`,
    ],
    ["zoneName", "percent"],
  ),
  cache_flushed: kind(
    "INFO",
    [
      `(FLUSHALL|flush|keyspace flush) (executed|done|finished)[ in {smallMillis}][: {percent}% of keys (gone|removed|dropped)][ ${WHO}]`,
      `{percent}% of (the keyspace|all keys) (cleared|dropped|emptied)[ in {smallMillis}][ ${WHO}]`,
    ],
    ["percent"],
  ),
  connections_cleared: kind(
    "INFO",
    [
      `(idle|unused) (connections|sessions) (closed|terminated|cleared)[ ${WHO}][ in {smallMillis}]`,
      `(terminated|closed) (sessions|backends) idle for more than {small}s[ ${WHO}]`,
    ],
    ["thread"],
  ),
  failed_over: kind(
    "WARN",
    [
      `failover (started|begun|initiated)[ from {zoneName}][, (fencing|demoting) the primary][ ${WHO}]`,
      `(primary|leader) (stepping down|demoted|fenced)[ in {zoneName}][, (election|promotion) under way][ ${WHO}]`,
    ],
    ["zoneName"],
  ),
  promoted: kind(
    "WARN",
    [
      `(standby|replica) in {zoneName} (promoted|is now primary|took over)[, {count} (writes|transactions) (not replicated|lost)][ on timeline {day}]`,
      `(new primary|leader) in {zoneName}[, timeline {day}][, {count} (writes|records) behind at the switch]`,
    ],
    ["zoneName", "count"],
  ),
  purged: kind(
    "WARN",
    [
      `(queue|{queueName}) purged[ ${WHO}][ in {smallMillis}]`,
      `(messages|waiting messages) (discarded|removed|dropped)[ from {queueName}][ ${WHO}][ in {smallMillis}]`,
    ],
    ["queueName"],
  ),
  traffic_shifted: kind(
    "INFO",
    [
      `(traffic weight|share of users|routing weight) of {name} (set to|now) {percent}%[ ${WHO}][, change {messageId}]`,
      `(routing|load balancing): {name} (at|weight) {percent}%[, (others|remaining zones) take the rest][ ${WHO}]`,
    ],
    ["percent"],
  ),
  breaker_opened: kind(
    "WARN",
    [
      `circuit breaker (for|to|of) {peer} (opened|tripped|is now open)[ in {zoneName}][ at {percent}% failures][ in {operation}]`,
      `{peer}: breaker (closed -> open|CLOSED to OPEN|trips)[, {percent}% of attempts failed][ in {zoneName}]`,
    ],
    ["peer", "zoneName"],
    { errorType: "circuit_open" },
  ),
  breaker_closed: kind(
    "INFO",
    [
      `circuit breaker (for|to|of) {peer} (closed|recovered|is closed again)[ in {zoneName}][ after {small} trial calls]`,
      `{peer}: breaker (open -> closed|OPEN to CLOSED|resets)[ in {zoneName}][, {small} trial calls fine]`,
    ],
    ["peer", "zoneName"],
  ),
  disk_filled: kind(
    "ERROR",
    [
      `(disk|volume|filesystem) (full|has no space left|exhausted)[ on /var/lib/{self}][ in {zoneName}][, (writes stop|read-only from here)]`,
      `no space left on (device|volume)[ of {pod}][ in {zoneName}][, (writes rejected|going read-only)]`,
    ],
    ["zoneName"],
    { errorType: "disk_full" },
  ),
} as const;
