/** The published tasks' two actions. */
import { z } from "zod";
import { ActionCatalogue, field } from "../../../core/action";
import { SEVERITIES, type Severity, TEAMS, type Team } from "../draw";
import { TRIAGE_MINUTES } from "./scenarios";

export const MAX_ROOT_CAUSE = 1000;

/** A whole triage, as the original takes it. */
export interface Triage {
  readonly severity: Severity;
  readonly team: Team;
  readonly root_cause: string;
  readonly suppressed: readonly string[];
}

const triageSchema = z.object({
  severity: field(z.enum(SEVERITIES), "Severity", "P1 revenue is lost, P2 users are affected, P3 medium, P4 low."),
  team: field(z.enum(TEAMS), "Team", "The team that owns the cause."),
  root_cause: field(
    z.string().max(MAX_ROOT_CAUSE).default(""),
    "Root cause",
    "What is broken, in one sentence. Counts in the published score only.",
  ),
  suppressed: field(
    z.array(z.string()).max(100).default([]),
    "Suppress",
    "Ids of the alerts that are noise.",
    "alerts",
  ),
});

export const publishedActions = new ActionCatalogue([
  {
    name: "triage",
    title: "Triage",
    help: "Gives a whole triage: severity, team, root cause and the alerts to suppress; it replaces the one before.",
    risk: "change",
    key: "T",
    minutes: TRIAGE_MINUTES,
    schema: triageSchema,
  },
  {
    name: "give_up",
    title: "End Task",
    help: "Ends the task now; the last triage counts, and without one the task scores 0.",
    risk: "final",
    key: null,
    minutes: 0,
    schema: z.object({}),
  },
]);

/** The triage of parsed arguments; repeated ids count once. */
export function triageOf(args: Readonly<Record<string, unknown>>): Triage {
  const triage = triageSchema.parse(args);
  return { ...triage, suppressed: [...new Set(triage.suppressed)] };
}
