/** The truth of a draw. */
import { evidenceFor, evidenceOfNothing } from "../evidence";
import type { AlertsTruth, Disposition, IncidentTruth } from "../truth";
import type { Plan, Struck } from "./attempt";
import type { Judgement } from "./impact";
import type { Selection } from "./selection";

export function truthOf(
  plan: Plan,
  chosen: Selection,
  ids: ReadonlyMap<number, string>,
  judged: readonly Judgement[],
  canary: string,
): AlertsTruth {
  const name = (rule: number) => ids.get(rule) as string;
  const incidents = plan.struck.map((struck, i) =>
    incidentOf(plan, struck, `i${i + 1}`, (chosen.incidents[i] ?? []).map(name).sort(), judged[i] as Judgement, canary),
  );
  const noise = chosen.noise.map(name).sort();
  const stories = chosen.noise.map((rule) => [name(rule), `${canary}${noiseStory(plan, rule)}`] as const);
  const { disposition, alsoTrue } = closing(plan);
  return {
    family: familyNameOf(plan),
    incidents,
    noise,
    noiseStories: Object.fromEntries(stories),
    disposition,
    alsoTrue,
    canary,
  };
}

/** What tables over seeds call the draw: its mechanism, or its kind where that is what matters. */
function familyNameOf({ kind, struck }: Plan): string {
  if (kind === "two") return "two_faults";
  return kind === "one" ? (struck[0]?.family.mechanism ?? kind) : kind;
}

function incidentOf(
  plan: Plan,
  struck: Struck,
  id: string,
  alerts: readonly string[],
  { severity, top }: Judgement,
  canary: string,
): IncidentTruth {
  const { family, place, onset, healed, fault } = struck;
  const determined = plan.kind !== "undetermined";
  const make = determined ? evidenceFor : evidenceOfNothing;
  const evidence = make(plan.system, family, place, { onset, healed }, top);
  const story = `${againstPage(onset)}, ${fault.story}${healed === null ? "" : `; it ended by itself ${againstPage(healed).toLowerCase()}`}.`;
  return {
    id,
    component: place.name,
    mechanism: determined ? family.mechanism : "undetermined",
    severity,
    team: place.team,
    alerts,
    onset,
    healed,
    determined,
    supports: evidence.supports,
    excludes: evidence.excludes,
    routes: evidence.routes,
    story: `${canary}${determined ? story : `${story} The metrics that would have shown it were not measured, so nobody could tell.`}`,
  };
}

/** `14 minutes before the page`, as a sentence begins, from minutes after it. */
export function againstPage(minute: number): string {
  const whole = Math.floor(Math.abs(minute) + 0.5);
  if (whole === 0) return "With the page";
  return `${whole} ${whole === 1 ? "minute" : "minutes"} ${minute > 0 ? "after" : "before"} the page`;
}

function noiseStory(plan: Plan, rule: number): string {
  const watched = plan.rules[rule];
  const source =
    plan.sources.find((candidate) => watched !== undefined && candidate.rules.includes(watched)) ??
    plan.sources.find((candidate) => candidate.service.name === watched?.service.name);
  const service = watched?.service.name ?? "the service";
  return source === undefined
    ? `The usual spread on ${service} crossed the rule; customers felt nothing.`
    : `On ${service}: ${source.story}; customers felt nothing.`;
}

function closing({ kind }: Plan): { readonly disposition: Disposition; readonly alsoTrue: readonly Disposition[] } {
  switch (kind) {
    case "no_fault":
    case "self_recovered":
      return { disposition: kind, alsoTrue: [] };
    case "undetermined":
      return { disposition: "escalated", alsoTrue: ["inconclusive"] };
    default:
      return { disposition: "routed", alsoTrue: [] };
  }
}
