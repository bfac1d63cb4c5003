/**
 * The variants a seed draws from: four single alerts, four sets of three, and one storm. An alert is a template; the
 * draw fills in value and duration. Severities follow `PUBLISHED_SEVERITY_POLICY`.
 */
import type { Severity, Team } from "../draw";

/** Ranges are [low, high]; `over` is value ÷ threshold. */
export interface AlertTemplate {
  /** One is drawn. */
  readonly services: readonly string[];
  readonly metric: string;
  readonly unit: string;
  readonly threshold: number;
  readonly over: readonly [number, number];
  readonly seconds: readonly [number, number];
}

export interface Variant {
  /** For tables over seeds; part of the truth. */
  readonly family: string;
  readonly severity: Severity;
  readonly team: Team;
  readonly rootCause: string;
  readonly keywords: readonly (readonly string[])[];
  readonly alerts: readonly AlertTemplate[];
}

function template(
  services: string | readonly string[],
  [metric, unit]: readonly [string, string],
  threshold: number,
  over: readonly [number, number],
  seconds: readonly [number, number],
): AlertTemplate {
  return { services: typeof services === "string" ? [services] : services, metric, unit, threshold, over, seconds };
}

const CPU = ["cpu_utilization", "%"] as const;
const MEMORY = ["memory_utilization", "%"] as const;
const RESTARTS = ["restarts_per_hour", "1/h"] as const;
const SERVER_ERRORS = ["http_5xx_rate", "%"] as const;
const LATENCY = ["request_latency_p99", "ms"] as const;
const NETWORK_LATENCY = ["network_latency_p99", "ms"] as const;
const PACKET_LOSS = ["packet_loss", "%"] as const;
const DNS_FAILURES = ["dns_failure_rate", "%"] as const;
const DB_TIMEOUTS = ["query_timeout_rate", "%"] as const;
const DB_CONNECTIONS = ["connections_in_use", "%"] as const;
const DB_REFUSED = ["connection_errors", "1/s"] as const;
const REPLICATION = ["replication_lag", "s"] as const;
const CACHE_MISSES = ["cache_miss_rate", "%"] as const;

export const EASY: readonly Variant[] = [
  {
    family: "cpu spike",
    severity: "P3",
    team: "sre",
    rootCause: "One of the API servers has a CPU spike.",
    keywords: [["cpu", "processor"], ["spike", "high", "saturat", "load"], ["api"]],
    alerts: [template(["api-server-03", "api-server-07"], CPU, 80, [1.08, 1.22], [180, 900])],
  },
  {
    family: "database timeout",
    severity: "P1",
    team: "database",
    rootCause: "Queries on the primary database time out.",
    keywords: [
      ["database", "postgres", "db"],
      ["timeout", "timing", "slow", "time out"],
      ["query", "queries", "primary"],
    ],
    alerts: [template("postgres-primary", DB_TIMEOUTS, 5, [2.4, 7], [120, 900])],
  },
  {
    family: "network latency",
    severity: "P2",
    team: "network",
    rootCause: "Network latency at the edge is far above normal.",
    keywords: [
      ["network", "edge", "balancer", "cdn"],
      ["latency", "slow", "delay"],
    ],
    alerts: [template(["load-balancer-01", "cdn-edge-02"], NETWORK_LATENCY, 200, [2, 4.5], [120, 1200])],
  },
  {
    family: "server errors",
    severity: "P1",
    team: "app",
    rootCause: "The service that takes money answers with server errors.",
    keywords: [
      ["5xx", "error", "500", "fail"],
      ["checkout", "payment"],
    ],
    alerts: [template(["checkout-service", "payment-service"], SERVER_ERRORS, 2, [3, 14], [120, 900])],
  },
];

export const MEDIUM: readonly Variant[] = [
  {
    family: "database overload",
    severity: "P1",
    team: "database",
    rootCause: "The primary database is overloaded: its connections are used up and checkout waits for it.",
    keywords: [
      ["database", "postgres", "db"],
      ["overload", "exhaust", "saturat", "too many"],
      ["connection", "pool"],
    ],
    alerts: [
      template("postgres-primary", DB_CONNECTIONS, 80, [1.15, 1.24], [300, 1200]),
      template("postgres-replica", REPLICATION, 30, [2, 9], [240, 900]),
      template("checkout-service", LATENCY, 800, [2.5, 6], [180, 600]),
    ],
  },
  {
    family: "network partition",
    severity: "P2",
    team: "network",
    rootCause: "A network partition drops packets between the load balancer, the resolver and the API servers.",
    keywords: [
      ["network"],
      ["partition", "split", "packet", "loss"],
      ["unreachable", "balancer", "dns", "connectivity"],
    ],
    alerts: [
      template("load-balancer-01", PACKET_LOSS, 2, [4, 15], [240, 900]),
      template("dns-resolver-01", DNS_FAILURES, 1, [5, 25], [200, 800]),
      template(["api-server-03", "api-server-07"], LATENCY, 500, [2, 5], [180, 600]),
    ],
  },
  {
    family: "memory leak",
    severity: "P3",
    team: "app",
    rootCause: "The reporting service leaks memory and is restarted again and again; only reports come late.",
    keywords: [["memory", "heap", "oom"], ["leak", "grow", "out of memory"], ["reporting"]],
    alerts: [
      template("reporting-service", MEMORY, 85, [1.1, 1.17], [900, 5400]),
      template("reporting-service", RESTARTS, 2, [2, 5], [600, 3600]),
      template("reporting-service", LATENCY, 4000, [1.5, 3], [300, 1800]),
    ],
  },
  {
    family: "cpu saturation",
    severity: "P2",
    team: "sre",
    rootCause: "The API servers have no CPU left, so requests queue at the load balancer.",
    keywords: [["cpu", "processor"], ["saturat", "exhaust", "overload", "spike"], ["api"]],
    alerts: [
      template("api-server-03", CPU, 80, [1.18, 1.24], [300, 1500]),
      template("api-server-07", CPU, 80, [1.18, 1.24], [300, 1500]),
      template("load-balancer-01", LATENCY, 600, [2, 5], [180, 900]),
    ],
  },
];

/** Six real alerts; one is brief but far over its threshold, one barely over it but long: neither is noise by the rule. */
export const HARD: Variant = {
  family: "database outage",
  severity: "P1",
  team: "database",
  rootCause: "The primary database is down; everything that needs it fails.",
  keywords: [["database", "postgres", "db"], ["outage", "down", "unavailable", "unreachable", "crash"], ["primary"]],
  alerts: [
    template("postgres-primary", DB_REFUSED, 5, [8, 40], [240, 900]),
    template("postgres-replica", REPLICATION, 30, [6, 25], [240, 900]),
    template("checkout-service", SERVER_ERRORS, 2, [10, 40], [200, 700]),
    template("payment-service", SERVER_ERRORS, 2, [10, 40], [20, 55]),
    template("auth-service", LATENCY, 800, [3, 8], [180, 600]),
    template("redis-cache-01", CACHE_MISSES, 40, [1.02, 1.08], [300, 1200]),
  ],
};

/** Five of these stand in the storm. */
export const NOISE: readonly AlertTemplate[] = [
  template("api-server-03", CPU, 80, [1.01, 1.08], [5, 55]),
  template("api-server-07", MEMORY, 85, [1.01, 1.08], [5, 55]),
  template("cdn-edge-02", NETWORK_LATENCY, 200, [1.01, 1.08], [5, 55]),
  template("dns-resolver-01", DNS_FAILURES, 1, [1.02, 1.08], [5, 55]),
  template("load-balancer-01", PACKET_LOSS, 2, [1.02, 1.08], [5, 55]),
  template("reporting-service", LATENCY, 4000, [1.01, 1.08], [5, 55]),
  template("auth-service", MEMORY, 85, [1.01, 1.08], [5, 55]),
  template("redis-cache-01", CPU, 80, [1.01, 1.08], [5, 55]),
];
