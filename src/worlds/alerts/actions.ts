/**
 * What a player of the alerts world can do, declared once: prompts, forms, tool schemas, command-line help and manifest
 * entries are derived from it. Names of alerts, services, teams … are checked by the episode, which knows which exist.
 */
import { z } from "zod";
import { ActionCatalogue, type ActionSpec, field, type Risk, worded } from "../../core/action";
import { DISPOSITIONS } from "./dispositions";
import { SEVERITIES } from "./draw";
import { MECHANISM_NAMES } from "./mechanisms";
import { DISPOSITION_WORDS, MECHANISM_WORDS } from "./words";

/** Bounds on what an action may carry. Every list and text has one. */
export const LIMITS = {
  /** Alerts named in one action: a whole storm of this size can be handled at once. */
  alerts: 500,
  matchers: 8,
  matcherLength: 200,
  reasonLength: 240,
  summaryLength: 240,
  evidence: 24,
  nameLength: 120,
  history: { least: 5, most: 180, usual: 60 },
  changes: { least: 5, most: 1440, usual: 180 },
  silence: { least: 5, most: 1440, usual: 60 },
  snooze: { least: 5, most: 240, usual: 30 },
  wait: { least: 1, most: 60, usual: 5 },
} as const;

/** Simulated minutes the actions take. Reads and changes cost a minute, arranging one's own notes costs none. */
const MINUTE = 1;
const NONE = 0;

const name = () => z.string().min(1).max(LIMITS.nameLength);
const names = () => z.array(name()).min(1).max(LIMITS.alerts);
const span = (range: { readonly least: number; readonly most: number; readonly usual: number }) =>
  z.int().min(range.least).max(range.most).default(range.usual);
const matcher = () => z.string().min(1).max(LIMITS.matcherLength);

const alerts = (help: string) => field(names(), "Alerts", help, "alerts");
const service = (help: string) => field(name(), "Service", help, "services");
const group = (help: string) => field(name(), "Group", help, "groups");
const reason = () =>
  field(z.string().trim().min(1).max(LIMITS.reasonLength), "Reason", "For the next shift to read; not scored.");

const MATCHER_HELP =
  'Label matchers, all of which must hold: alertname="DiskFull", service=~"orders-.*", zone!=b. A missing label is an empty one.';

const READS: readonly ActionSpec[] = [
  spec("inspect_alert", "Inspect Alert", "D", "read", MINUTE, {
    help: "Shows an alert's rule, present value, labels, annotations and owner.",
    schema: { alert: field(name(), "Alert", "Id of the alert, e.g. a07.", "alerts") },
  }),
  spec("query_history", "Query History", "H", "read", MINUTE, {
    help: "Shows a metric of a service over the last minutes, split by version or zone where that is measured.",
    schema: {
      service: service("Service whose metric is read."),
      metric: field(name(), "Metric", "Name of the metric; the service graph lists them.", "metrics"),
      minutes: field(span(LIMITS.history), "Minutes", "How far to look back."),
    },
  }),
  spec("service_graph", "Service Graph", "E", "read", MINUTE, {
    help: "Shows what depends on what, who owns it and which metrics it has.",
    schema: { service: service("One service and its neighbours; leave out for the whole graph.").optional() },
  }),
  spec("recent_changes", "Recent Changes", "C", "read", MINUTE, {
    help: "Lists deploys, configuration, flags, jobs, maintenance and other changes.",
    schema: {
      service: service("Only changes of this service; leave out for all.").optional(),
      minutes: field(span(LIMITS.changes), "Minutes", "How far to look back."),
    },
  }),
  spec("impact", "Customer Impact", "Y", "read", MINUTE, {
    help: "Shows the share of user requests of a service that fail or are too slow.",
    schema: { service: service("Service whose objectives are read.") },
  }),
];

const CHANGES: readonly ActionSpec[] = [
  spec("acknowledge", "Acknowledge Alerts", "A", "change", MINUTE, {
    help: "Says that somebody works on these alerts; they go on firing and resolving as before.",
    schema: { alerts: alerts("Alerts to acknowledge.") },
  }),
  spec("group", "Group Alerts", "G", "change", NONE, {
    help: "Puts alerts into one incident of yours: a new one, or one that exists. An alert is in one group at most.",
    schema: {
      alerts: field(z.array(name()).max(LIMITS.alerts).default([]), "Alerts", "Alerts to put in.", "alerts"),
      matchers: field(
        z.array(matcher()).max(LIMITS.matchers).default([]),
        "Matchers",
        `Also all listed alerts with these labels. ${MATCHER_HELP}`,
        "matchers",
        "open",
      ),
      group: group("Group to add to, e.g. g1; leave out for a new one.").optional(),
    },
  }),
  spec("ungroup", "Take Alerts out of Groups", null, "change", NONE, {
    help: "Takes alerts out of the groups they are in.",
    schema: { alerts: alerts("Alerts to take out.") },
  }),
  spec("silence", "Silence", "S", "risky", MINUTE, {
    help: "Mutes present and future alerts whose labels match, until it expires.",
    schema: {
      matchers: field(z.array(matcher()).min(1).max(LIMITS.matchers), "Matchers", MATCHER_HELP, "matchers", "open"),
      minutes: field(span(LIMITS.silence), "Minutes", "Until it expires."),
      reason: reason(),
    },
  }),
  spec("snooze", "Snooze Alerts", "Z", "risky", MINUTE, {
    help: "Mutes exactly these alerts for some minutes.",
    schema: {
      alerts: alerts("Alerts to snooze."),
      minutes: field(span(LIMITS.snooze), "Minutes", "Until they come back."),
    },
  }),
  spec("maintenance", "Maintenance Window", "W", "risky", MINUTE, {
    help: "Declares a service under maintenance: all its alerts are muted until the window ends.",
    schema: {
      service: service("Service under maintenance."),
      minutes: field(span(LIMITS.silence), "Minutes", "Until the window ends."),
      reason: reason(),
    },
  }),
  spec("expire_silence", "Expire Silence", "U", "change", MINUTE, {
    help: "Ends a silence, snooze or maintenance window now; its alerts are heard again.",
    schema: { silence: field(name(), "Silence", "Id of the silence, snooze or window, e.g. s1.", "silences") },
  }),
  spec("route", "Route to a Team", "R", "change", MINUTE, {
    help: "Hands a group of alerts to a team with a severity; routing again replaces it.",
    schema: {
      group: group("Group to route."),
      severity: field(z.enum(SEVERITIES), "Severity", "By customer impact: P1 revenue, P2 users, P3 medium, P4 low."),
      team: field(name(), "Team", "Team that owns the cause.", "teams"),
    },
  }),
  spec("declare_cause", "Declare Cause", "M", "change", MINUTE, {
    help: "States what is wrong behind a group, how sure you are and what shows it; declaring again replaces it.",
    schema: {
      group: group("Group the cause explains."),
      component: field(name(), "Component", "Service in which the cause sits.", "services"),
      mechanism: field(
        worded(z.enum(MECHANISM_NAMES), MECHANISM_WORDS),
        "Mechanism",
        "What kind of fault it is.",
        "mechanisms",
      ),
      summary: field(z.string().trim().max(LIMITS.summaryLength).default(""), "Summary", "One sentence; not scored."),
      confidence: field(z.number().min(0).max(1), "Confidence", "How sure you are, from 0 to 1."),
      evidence: field(
        z.array(name()).max(LIMITS.evidence).default([]),
        "Evidence",
        "Ids of the reads that show it, e.g. h3.",
        "items",
      ),
    },
  }),
  spec("escalate", "Escalate", "X", "change", MINUTE, {
    help: "Calls a team in because what can be read does not settle it.",
    schema: {
      group: group("Group it is about; leave out when it is about all.").optional(),
      team: field(name(), "Team", "Team that is called.", "teams"),
      reason: reason(),
    },
  }),
  {
    ...spec("wait", "Wait", "T", "change", NONE, {
      help: "Lets simulated minutes pass.",
      schema: { minutes: field(span(LIMITS.wait), "Minutes", "How long to wait.") },
    }),
    minutes: (args) => (typeof args.minutes === "number" ? args.minutes : LIMITS.wait.usual),
  },
];

const ENDINGS: readonly ActionSpec[] = [
  spec("close_triage", "Finish Triage", "F", "final", MINUTE, {
    help: "Ends the episode with your closing decision about all that happened.",
    schema: {
      disposition: field(
        worded(z.enum(DISPOSITIONS), DISPOSITION_WORDS),
        "Decision",
        "How it ended: handed to the teams (routed), healed by itself (self_recovered), nothing was wrong (no_fault), or what can be read does not tell (escalated, inconclusive).",
      ),
    },
  }),
  spec("give_up", "Give Up", null, "final", NONE, { help: "Ends the episode without a decision.", schema: {} }),
];

/** The catalogue of the generated and imported queues. */
export const ALERT_ACTIONS = new ActionCatalogue([...READS, ...CHANGES, ...ENDINGS]);

function spec(
  actionName: string,
  title: string,
  key: string | null,
  risk: Risk,
  minutes: number,
  rest: { readonly help: string; readonly schema: z.ZodRawShape },
): ActionSpec {
  return { name: actionName, title, help: rest.help, risk, key, minutes, schema: z.object(rest.schema) };
}
