/**
 * The three tasks of "Incident Triage & Alert Routing" (DevilNReality/Incident-Triage-Reinforcement-Learning) under
 * their published ids, teams and budgets. Texts and numbers are this project's own. They exist for comparison.
 */
import type { ScenarioInfo } from "../../../core/world";
import type { Team } from "../draw";

export const TASK_IDS = ["task_easy", "task_medium", "task_hard"] as const;
export type TaskId = (typeof TASK_IDS)[number];

/** Which team owns which service, as published. */
export const SERVICES_MAP: Readonly<Record<string, Team>> = {
  "api-server-03": "sre",
  "api-server-07": "sre",
  "redis-cache-01": "sre",
  "postgres-primary": "database",
  "postgres-replica": "database",
  "checkout-service": "app",
  "payment-service": "app",
  "auth-service": "app",
  "reporting-service": "app",
  "load-balancer-01": "network",
  "cdn-edge-02": "network",
  "dns-resolver-01": "network",
};

/** What the published levels mean, with the services they are about, so that the alerts alone decide. */
export const PUBLISHED_SEVERITY_POLICY: readonly string[] = [
  "P1: revenue is being lost: checkout, payments or the primary database cannot do their work.",
  "P2: users are affected: pages fail or are slow for them, but money still comes in.",
  "P3: medium: a part runs badly, users do not notice yet.",
  "P4: low: nothing has to be done today.",
];

/** Simulated minutes one triage takes. */
export const TRIAGE_MINUTES = 1;

const HOW =
  "Each step is a whole triage: severity, team, root cause, and the alerts to suppress. You may revise it until the steps run out; the last one counts.";

/** The published set, in listing order. */
export const publishedScenarios: readonly ScenarioInfo[] = [
  {
    world: "alerts",
    id: "task_easy",
    title: "Published task: one alert",
    brief: `A single alert has paged you. Say how bad it is and which team should have it. ${HOW}`,
    difficulty: "easy",
    split: "published",
    maxSteps: 3,
    maxMinutes: 3 * TRIAGE_MINUTES,
    tags: ["published", "1 alert"],
  },
  {
    world: "alerts",
    id: "task_medium",
    title: "Published task: three related alerts",
    brief: `Three alerts arrived together and share one cause. Say how bad it is, which team owns the cause, and what the cause is. ${HOW}`,
    difficulty: "medium",
    split: "published",
    maxSteps: 3,
    maxMinutes: 3 * TRIAGE_MINUTES,
    tags: ["published", "3 alerts"],
  },
  {
    world: "alerts",
    id: "task_hard",
    title: "Published task: a storm with noise in it",
    brief: `Eleven alerts fire at once. Some belong to one incident, the others are noise: firing for less than 60 seconds and less than 10 % over their threshold. Suppress the noise and triage what is left. ${HOW}`,
    difficulty: "hard",
    split: "published",
    maxSteps: 5,
    maxMinutes: 5 * TRIAGE_MINUTES,
    tags: ["published", "11 alerts"],
  },
];

/** True for the ids of the published set. */
export function isTaskId(id: string): id is TaskId {
  return (TASK_IDS as readonly string[]).includes(id);
}
