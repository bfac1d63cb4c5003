/** The scenario file as a zod schema, and as JSON Schema for editors. The format is described in `scenario-text.ts`. */
import { z } from "zod";
import { DISPOSITIONS } from "../dispositions";
import { SEVERITIES } from "../draw";
import { MECHANISM_NAMES } from "../mechanisms";
import { MAX_NAME, SOURCE_KINDS } from "./alert-set";
import { MAX_ALERTS } from "./payload";
import { parseTime, TIME_EXAMPLE } from "./rfc3339";

/** Stands in every file; a higher number is a newer format. */
export const SCHEMA = "firedrill-scenario/1";

const text = () => z.string({ error: "This must be text." });
const time = () =>
  z
    .string({ error: `This must be a time; write it like "${TIME_EXAMPLE}".` })
    .refine((value) => parseTime(value) !== null, { error: `This is not a time; write it like "${TIME_EXAMPLE}".` })
    .meta({ format: "date-time" });
const timeOrNull = () => z.union([z.null(), time()], { error: `This must be null or a time like "${TIME_EXAMPLE}".` });
const numberOrNull = () =>
  z.union([z.null(), z.number()], { error: "This must be a number, or null where none is known." });
const pairs = () =>
  z
    .array(z.tuple([text(), text()], { error: 'This must be a pair like ["service", "checkout"].' }), {
      error: 'This must be a list of pairs like [["service", "checkout"]].',
    })
    .default([]);
const whole = (least: number, most: number) =>
  z
    .int({ error: `This must be a whole number from ${least} to ${most}.` })
    .min(least, { error: `This must be at least ${least}.` })
    .max(most, { error: `This must be at most ${most}.` });
const shape = (what: string) => ({ error: objectError(what) });

function objectError(what: string): z.core.$ZodErrorMap {
  return (issue) =>
    issue.code === "unrecognized_keys"
      ? `There is no "${String(issue.keys?.[0]).slice(0, 60)}" in ${what}; take it out or correct its spelling.`
      : `This must be ${what}.`;
}

const alert = z.strictObject(
  {
    id: text().regex(/^[\w.-]{1,40}$/, { error: "An id has 1 to 40 letters, digits, dots, dashes or underscores." }),
    labels: pairs(),
    annotations: pairs(),
    spans: z
      .array(z.strictObject({ from: time(), to: timeOrNull().default(null) }, shape("a span of firing")), {
        error: 'This must be a list of spans like [{"from": time, "to": null}].',
      })
      .max(10_000, { error: "An alert may fire at most 10000 times." }),
    pendingSince: timeOrNull().default(null),
    value: numberOrNull().default(null),
    threshold: numberOrNull().default(null),
  },
  shape("an alert"),
);

const service = z.strictObject(
  {
    name: text()
      .min(1, { error: "A service needs a name." })
      .max(MAX_NAME, { error: `A service's name has at most ${MAX_NAME} characters.` }),
    team: z
      .union([z.null(), text().min(1).max(MAX_NAME)], {
        error: `This must be a team's name of 1 to ${MAX_NAME} characters, or null.`,
      })
      .default(null),
    dependsOn: z.array(text(), { error: "This must be a list of service names." }).default([]),
  },
  shape("a service"),
);

const source = z.strictObject(
  {
    kind: z.enum(SOURCE_KINDS, { error: `This must be one of ${SOURCE_KINDS.join(", ")}.` }),
    payloads: whole(0, 1_000_000).default(0),
    groups: whole(0, 1_000_000).default(0),
    truncatedAlerts: whole(0, Number.MAX_SAFE_INTEGER).default(0),
    pageAt: time(),
    notes: z.array(text(), { error: "This must be a list of sentences." }).default([]),
  },
  shape("the source"),
);

/** What the truth must look like; whether it is right is judged by `problemsOf`. */
const truth = z.strictObject(
  {
    disposition: text(),
    incidents: z.array(
      z.strictObject(
        {
          component: text(),
          mechanism: text(),
          severity: text(),
          team: text(),
          alerts: z.array(text(), { error: "This must be a list of alert ids." }),
        },
        shape("an incident"),
      ),
      { error: "This must be a list of incidents; empty where nothing was wrong." },
    ),
    salt: text()
      .regex(/^[0-9a-f]{32,128}$/, {
        error: "A salt has 32 to 128 hexadecimal digits; leave it out, and one is drawn when the file is opened.",
      })
      .optional(),
  },
  { error: truthError() },
);

function truthError(): z.core.$ZodErrorMap {
  const otherwise = objectError("the truth");
  return (issue) =>
    issue.input === undefined || issue.input === null
      ? "The truth is missing, so nobody could be graded; add it in the truth form."
      : typeof otherwise === "function"
        ? otherwise(issue)
        : "";
}

/** The file with its truth unpacked. */
export const fileSchema = z.strictObject(
  {
    $schema: z.string().optional(),
    schema: z.literal(SCHEMA, { error: `This must be "${SCHEMA}".` }),
    world: z.literal("alerts", { error: 'This must be "alerts"; scenarios of other worlds are opened by those.' }),
    id: text().optional(),
    title: text(),
    brief: text(),
    source,
    alerts: z
      .array(alert, { error: "This must be a list of alerts." })
      .min(1, { error: "There is no alert; a queue needs at least one." })
      .max(MAX_ALERTS, { error: `There are too many alerts; use at most ${MAX_ALERTS}.` }),
    services: z.array(service, { error: "This must be a list of services." }).default([]),
    budget: z.strictObject({ maxSteps: whole(1, 1000), maxMinutes: whole(1, 1440) }, shape("the budget")),
    truth,
  },
  shape("a scenario"),
);
export type FileText = z.output<typeof fileSchema>;

/** The JSON Schema (draft 2020-12) of a scenario file as people write it: the truth as an object or packed in base64. */
export function scenarioJsonSchema(): Record<string, unknown> {
  const choices = z.strictObject({
    disposition: z.enum(DISPOSITIONS),
    incidents: z.array(
      z.strictObject({
        component: z.string(),
        mechanism: z.enum(MECHANISM_NAMES),
        severity: z.enum(SEVERITIES),
        team: z.string(),
        alerts: z.array(z.string()).min(1),
      }),
    ),
    salt: z
      .string()
      .regex(/^[0-9a-f]{32,128}$/)
      .optional(),
  });
  const written = fileSchema.extend({ truth: z.union([z.string(), choices]) });
  return {
    title: "Firedrill scenario of the alerts world",
    ...(z.toJSONSchema(written, { io: "input" }) as Record<string, unknown>),
  };
}
