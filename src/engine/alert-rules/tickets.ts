/** The rules that make a ticket: what is about to hurt customers, or shows where it comes from. */

import { builtWith } from "../parameters";
import type { Plan } from "../plan";
import type { ServiceKind, ServiceSpec } from "../spec";
import { metricsOfService } from "../telemetry/metrics/catalogue";
import { type Given, minutes, rule } from "./given";
import type { AlertRule } from "./rule";

/** Share of scheduler periods throttled; the threshold and the 15 minutes of CPUThrottlingHigh in the kubernetes-mixin rules. */
const THROTTLED_SHARE = 0.25;

const DAY = 86_400;

/** The tickets of a service. */
export function tickets(plan: Plan, service: ServiceSpec): AlertRule[] {
  if (service.kind === "third_party") return [];
  const ticket = (given: Given) => rule("ticket", service, given);
  return [
    ...saturation(ticket),
    ...failures(plan, service, ticket),
    ...pools(plan, service, ticket),
    ...stores(service, ticket),
    ...certificates(plan, service, ticket),
  ];
}

type Make = (given: Given) => AlertRule;

function saturation(ticket: Make): AlertRule[] {
  return [
    ticket({
      name: "CpuSaturated",
      metric: "k8s.container.cpu_limit_utilization",
      comparison: ">",
      threshold: 0.9,
      forMinutes: 10,
      summary: "{{ $labels.service }} is short of CPU",
      description: "{{ $labels.service }} uses {{ $value | humanizePercentage }} of its CPU limit.",
    }),
    ticket({
      name: "CpuThrottled",
      metric: "container.cpu.throttled_ratio",
      comparison: ">",
      threshold: THROTTLED_SHARE,
      forMinutes: 15,
      summary: "{{ $labels.service }} is throttled",
      description: "The CPU limit stopped {{ $labels.service }} in {{ $value | humanizePercentage }} of periods.",
    }),
    ticket({
      name: "MemoryNearLimit",
      metric: "k8s.container.memory_limit_utilization",
      comparison: ">",
      threshold: 0.9,
      forMinutes: 5,
      summary: "{{ $labels.service }} is near its memory limit",
      description: "A replica of {{ $labels.service }} uses {{ $value | humanizePercentage }} of its memory limit.",
    }),
    ticket({
      name: "DiskFilling",
      metric: "system.filesystem.utilization",
      comparison: ">",
      threshold: 0.85,
      forMinutes: 5,
      summary: "The disk of {{ $labels.service }} fills up",
      description: "The disk of {{ $labels.service }} is {{ $value | humanizePercentage }} full.",
    }),
  ];
}

const ERROR_RATIO: Readonly<Partial<Record<ServiceKind, string>>> = {
  edge: "http.server.request.error_ratio",
  api: "http.server.request.error_ratio",
  worker: "messaging.process.error_ratio",
  database: "db.server.operation.error_ratio",
  cache: "db.server.operation.error_ratio",
  queue: "messaging.broker.operation.error_ratio",
};

function failures(plan: Plan, service: ServiceSpec, ticket: Make): AlertRule[] {
  // A roll-out restarts every replica once.
  const replicas = builtWith(service, "replicas") * service.zones.length;
  const rules = [
    ticket({
      name: "ErrorsHigh",
      metric: ERROR_RATIO[service.kind] ?? "",
      comparison: ">",
      threshold: 0.05,
      forMinutes: 5,
      summary: "{{ $labels.service }} answers with errors",
      description: "{{ $value | humanizePercentage }} of requests to {{ $labels.service }} fail.",
    }),
    ticket({
      name: "Restarting",
      metric: "k8s.container.restart.count",
      of: "increase",
      range: minutes(15),
      comparison: ">",
      threshold: 1.5 * replicas,
      forMinutes: 0,
      summary: "{{ $labels.service }} keeps restarting",
      description: "Replicas of {{ $labels.service }} restarted {{ $value }} times in 15 minutes.",
    }),
  ];
  if (plan.entries.some((entry) => entry.service === service))
    rules.push(
      ticket({
        name: "SyntheticChecksFailing",
        metric: "httpcheck.status",
        range: minutes(5),
        comparison: "<",
        threshold: 0.9,
        forMinutes: 3,
        summary: "Synthetic checks of {{ $labels.service }} fail",
        description: "{{ $value | humanizePercentage }} of synthetic checks of {{ $labels.service }} succeed.",
      }),
    );
  return rules;
}

function pools(plan: Plan, service: ServiceSpec, ticket: Make): AlertRule[] {
  const pooled = plan.spec.calls.filter(({ from, to, parameters }) => {
    const kind = plan.services.find((each) => each.name === to)?.kind;
    return from === service.name && (parameters?.pool ?? 0) > 0 && (kind === "database" || kind === "cache");
  });
  return pooled
    .map(({ to }) => to)
    .sort((a, b) => (a < b ? -1 : 1))
    .map((callee) =>
      ticket({
        name: "ConnectionPoolExhausted",
        metric: "db.client.connection.utilization",
        where: { "server.address": callee },
        comparison: ">",
        threshold: 0.95,
        forMinutes: 3,
        summary: `{{ $labels.service }} has no connections to ${callee} left`,
        description: `{{ $value | humanizePercentage }} of the connections of {{ $labels.service }} to ${callee} are in use.`,
      }),
    );
}

function stores(service: ServiceSpec, ticket: Make): AlertRule[] {
  if (service.kind === "cache")
    return [
      ticket({
        name: "CacheHitRatioLow",
        metric: "cache.hit_ratio",
        comparison: "<",
        threshold: 0.75 * builtWith(service, "hitMax"),
        forMinutes: 3,
        summary: "{{ $labels.service }} misses often",
        description: "{{ $value | humanizePercentage }} of look-ups in {{ $labels.service }} find an entry.",
      }),
    ];
  if (service.kind === "database" && builtWith(service, "maxConnections") > 0)
    return [
      ticket({
        name: "DatabaseConnectionsHigh",
        metric: "db.server.connection.count",
        comparison: ">",
        threshold: 0.9 * builtWith(service, "maxConnections") * service.zones.length,
        forMinutes: 5,
        summary: "{{ $labels.service }} is running out of connections",
        description: "{{ $value }} connections are open on {{ $labels.service }}.",
      }),
    ];
  if (service.kind !== "queue") return [];
  return [
    ticket({
      name: "QueueGrowing",
      metric: "messaging.queue.depth",
      of: "increase",
      range: minutes(10),
      comparison: ">",
      threshold: 2000,
      forMinutes: 5,
      summary: "{{ $labels.service }} grows",
      description: "{{ $labels.service }} holds {{ $value | humanize }} messages more than 10 minutes ago.",
    }),
    ticket({
      name: "MessagesRedelivered",
      metric: "messaging.queue.redelivery.rate",
      comparison: ">",
      threshold: 1,
      forMinutes: 3,
      summary: "Messages of {{ $labels.service }} are delivered again and again",
      description: "{{ $value }} messages a second of {{ $labels.service }} are delivered again.",
    }),
    ticket({
      name: "DeadLetters",
      metric: "messaging.queue.dead_letters",
      of: "increase",
      range: minutes(10),
      comparison: ">",
      threshold: 20,
      forMinutes: 0,
      summary: "{{ $labels.service }} sets messages aside",
      description: "{{ $value }} messages of {{ $labels.service }} were set aside in 10 minutes.",
    }),
  ];
}

function certificates(plan: Plan, service: ServiceSpec, ticket: Make): AlertRule[] {
  if (!metricsOfService(plan, service.name).some((metric) => metric.name === "httpcheck.tls.cert_remaining")) return [];
  return [
    ticket({
      name: "CertificateExpiresSoon",
      metric: "httpcheck.tls.cert_remaining",
      every: minutes(5),
      comparison: "<",
      threshold: 7 * DAY,
      forMinutes: 0,
      summary: "The certificate of {{ $labels.service }} expires soon",
      description: "The certificate of {{ $labels.service }} expires in {{ $value | humanizeDuration }}.",
    }),
  ];
}
