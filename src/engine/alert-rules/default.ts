/**
 * The rules that a company running a system would have: pages for what its customers feel or what nobody can see any more, and tickets.
 */

import { builtWith } from "../parameters";
import type { Plan } from "../plan";
import type { ServiceSpec } from "../spec";
import { type Given, minutes, rule } from "./given";
import type { AlertRule } from "./rule";
import { tickets } from "./tickets";

/**
 * Customers' objective: 99.8 % of requests answered well. A page at 14.4 times the rate that would spend the budget in its month, the
 * fast burn of the Site Reliability Workbook (2018, chapter 5, "Alerting on SLOs"); its long window of an hour is left out, since no
 * more than an hour of history is kept, and `for` keeps out spikes instead.
 */
const OBJECTIVE = 0.998;
const FAST_BURN = 14.4;
/** Customers' objective for speed: with more than this share of answers late, somebody is woken. */
const LATE_SHARE = 0.1;

const rulesOfPlans = new WeakMap<Plan, readonly AlertRule[]>();
const pagesOfPlans = new WeakMap<Plan, readonly AlertRule[]>();

/** All rules of a system, pages first, by service; made once for a plan. */
export function defaultRules(plan: Plan): readonly AlertRule[] {
  const known = rulesOfPlans.get(plan) ?? makeRules(plan);
  rulesOfPlans.set(plan, known);
  return known;
}

/** The rules that wake somebody. */
export function pageRules(plan: Plan): readonly AlertRule[] {
  const known = pagesOfPlans.get(plan) ?? defaultRules(plan).filter(isPage);
  pagesOfPlans.set(plan, known);
  return known;
}

function makeRules(plan: Plan): readonly AlertRule[] {
  const rules = plan.services.flatMap((service) => [...pages(plan, service), ...tickets(plan, service)]);
  return [...rules.filter(isPage), ...rules.filter((rule) => !isPage(rule))];
}

function isPage(rule: AlertRule): boolean {
  return rule.severity === "page";
}

function pages(plan: Plan, service: ServiceSpec): AlertRule[] {
  const page = (given: Given) => rule("page", service, given);
  const rules: AlertRule[] = [];
  if (plan.entries.some((entry) => entry.service === service))
    rules.push(
      page({
        name: "CustomerErrors",
        metric: "rum.request.error_ratio",
        range: minutes(5),
        every: 1,
        comparison: ">",
        threshold: FAST_BURN * (1 - OBJECTIVE),
        forMinutes: 3,
        summary: "Customers of {{ $labels.service }} get errors",
        description:
          "{{ $value | humanizePercentage }} of customers' requests to {{ $labels.service }} failed in the last 5 minutes.",
      }),
      page({
        name: "CustomerLatency",
        metric: "rum.request.slow_ratio",
        range: minutes(5),
        every: 1,
        comparison: ">",
        threshold: LATE_SHARE,
        forMinutes: 3,
        summary: "Customers of {{ $labels.service }} wait too long",
        description:
          "{{ $value | humanizePercentage }} of customers' requests to {{ $labels.service }} were answered late in the last 5 minutes.",
      }),
    );
  if (service.kind === "queue")
    rules.push(
      page({
        name: "MessagesLate",
        metric: "messaging.queue.lag",
        every: 1,
        comparison: ">",
        threshold: builtWith(service, "staleAfter"),
        forMinutes: 4,
        summary: "Messages of {{ $labels.service }} are processed late",
        description: "A message put into {{ $labels.service }} now will wait {{ $value | humanizeDuration }}.",
      }),
    );
  if (service.kind !== "third_party")
    rules.push(
      page({
        name: "HealthProbesFailing",
        metric: "health.probe.success_ratio",
        comparison: "<",
        threshold: 0.5,
        forMinutes: 4,
        summary: "Replicas of {{ $labels.service }} fail their health probes",
        description: "Only {{ $value | humanizePercentage }} of health probes of {{ $labels.service }} succeed.",
      }),
      page({
        name: "TargetsDown",
        metric: "up",
        comparison: "<",
        threshold: 0.6,
        forMinutes: 5,
        summary: "Metrics of {{ $labels.service }} are missing",
        description:
          "Metrics were collected from {{ $value | humanizePercentage }} of the replica groups of {{ $labels.service }}.",
      }),
    );
  return rules;
}
