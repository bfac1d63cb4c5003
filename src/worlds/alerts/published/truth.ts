/** What was true in a published task. Only the draw, the grader, the oracle and the debrief use it. */
import type { Severity, Team } from "../draw";

export interface PublishedTruth {
  /** The variant that was drawn. */
  readonly family: string;
  readonly severity: Severity;
  readonly team: Team;
  /** The cause in one sentence, for the debrief. */
  readonly rootCause: string;
  /** What a root cause must name: a group counts once any of its words occurs. See `keywordShare`. */
  readonly keywords: readonly (readonly string[])[];
  /** Ids of the alerts that belong to no incident; empty but in task_hard. */
  readonly noise: readonly string[];
  /** Ids of all other alerts. */
  readonly real: readonly string[];
  /** Canary of a test build. */
  readonly canary: string;
}
