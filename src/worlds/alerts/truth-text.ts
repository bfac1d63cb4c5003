/** What was true, in sentences for people. Reads the plain JSON of a grade, which may come from a file of another version. */
import { z } from "zod";
import type { TruthLine } from "../../core/world";
import { counted, readsText } from "./reads-text";
import { DISPOSITION_WORDS, MECHANISM_WORDS } from "./words";

const read = z.object({ action: z.string(), args: z.record(z.string(), z.unknown()) });
const incidentShape = z.object({
  id: z.string(),
  story: z.string(),
  component: z.string(),
  mechanism: z.string(),
  meaning: z.string(),
  severity: z.string(),
  team: z.string(),
  /** Minutes after the page. */
  onset: z.number(),
  healed: z.number().nullable(),
  determined: z.boolean(),
  alerts: z.array(z.string()),
  wouldHaveTold: z.array(z.array(read)),
});
const alertsShape = z.object({
  kind: z.literal("alerts"),
  disposition: z.string(),
  alsoTrue: z.array(z.string()),
  par: z.number(),
  incidents: z.array(incidentShape),
  noise: z.array(z.object({ alert: z.string(), story: z.string() })),
});
const publishedShape = z.object({
  kind: z.literal("published"),
  severity: z.string(),
  team: z.string(),
  rootCause: z.string(),
  keywords: z.array(z.string()),
  noise: z.array(z.string()),
  real: z.array(z.string()),
});

type IncidentView = z.infer<typeof incidentShape>;
type AlertsView = z.infer<typeof alertsShape>;
type PublishedView = z.infer<typeof publishedShape>;

/** Null when the truth has none of the shapes this version writes. */
export function truthText(truth: unknown): readonly TruthLine[] | null {
  const alerts = alertsShape.safeParse(truth);
  if (alerts.success) return alertsText(alerts.data);
  const published = publishedShape.safeParse(truth);
  return published.success ? publishedText(published.data) : null;
}

function alertsText(truth: AlertsView): TruthLine[] {
  const others = truth.alsoTrue.map((each) => `“${decision(each)}”`).join(" and ");
  return [
    {
      heading: "Decision",
      text: `“${decision(truth.disposition)}” was right${others ? `, and so was ${others}` : ""}.`,
    },
    ...truth.incidents.flatMap((incident, i) => incidentText(incident, truth.incidents.length > 1 ? ` ${i + 1}` : "")),
    ...(truth.incidents.length === 0 ? [{ heading: "Incidents", text: "There was none." }] : []),
    ...noiseText(truth),
    { heading: "Steps", text: `A right answer takes about ${counted(truth.par, "step")}.` },
  ];
}

function incidentText(incident: IncidentView, number: string): TruthLine[] {
  const { component, mechanism, meaning, severity, team, alerts, determined } = incident;
  const name = wordFor(MECHANISM_WORDS, mechanism);
  const line = (heading: string, text: string): TruthLine => ({ heading, text });
  return [
    line(`Incident${number}`, incident.story),
    line("Cause", `${name} in ${component}: ${meaning}.${determined ? "" : " What can be read does not show it."}`),
    line("When", timeText(incident)),
    line("Answer", `${severity}, to the team ${team}.`),
    line("Alerts", `${counted(alerts.length, "alert")}: ${alerts.join(", ")}.`),
    ...incident.wouldHaveTold.map((route, i) => line(`Shown by${i === 0 ? "" : ", or"}`, `${readsText(route)}.`)),
  ];
}

function timeText({ onset, healed }: IncidentView): string {
  if (healed === null) return `Began ${againstPage(onset)} and went on.`;
  return `Began ${againstPage(onset)} and healed by itself ${againstPage(healed)}.`;
}

/** `14 minutes before the page`, from minutes after it. */
function againstPage(minute: number): string {
  if (minute === 0) return "with the page";
  const whole = Math.floor(Math.abs(minute) + 0.5);
  const length = whole === 0 ? "less than a minute" : counted(whole, "minute");
  return `${length} ${minute < 0 ? "before" : "after"} the page`;
}

/** Alerts of one story together. */
function noiseText(truth: AlertsView): TruthLine[] {
  const stories = new Map<string, string[]>();
  for (const { alert, story } of truth.noise) {
    const alerts = stories.get(story);
    if (alerts) alerts.push(alert);
    else stories.set(story, [alert]);
  }
  return [...stories].map(([story, alerts]) => ({
    heading: "Noise",
    text: story === "" ? `${alerts.join(", ")}.` : `${alerts.join(", ")}: ${story}`,
  }));
}

function publishedText(truth: PublishedView): TruthLine[] {
  const { noise, real } = truth;
  return [
    { heading: "Cause", text: truth.rootCause },
    { heading: "Answer", text: `${truth.severity}, to the team ${truth.team}.` },
    { heading: "Words", text: `A root cause has to name: ${truth.keywords.join("; ")}.` },
    ...(real.length > 0 ? [{ heading: "Alerts", text: `${counted(real.length, "alert")}: ${real.join(", ")}.` }] : []),
    ...(noise.length > 0 ? [{ heading: "Noise", text: `${noise.join(", ")}.` }] : []),
  ];
}

function decision(name: string): string {
  return wordFor(DISPOSITION_WORDS, name);
}

function wordFor(words: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(words, name) ? (words[name] ?? name) : name;
}
