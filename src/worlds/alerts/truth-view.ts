/** The truth as plain JSON, for the debrief and the recording; made only once an episode is over. */
import { MECHANISMS } from "./mechanisms";
import type { AlertsTruth } from "./truth";

/** What was true of each incident and each noise alert, with the reads that would have told. */
export function truthView(truth: AlertsTruth, par: number) {
  let view = VIEWS.get(truth);
  if (!view) {
    view = viewOf(truth, par);
    VIEWS.set(truth, view);
  }
  return view;
}

/** A truth shows the same to every run of its draw. */
const VIEWS = new WeakMap<AlertsTruth, ReturnType<typeof viewOf>>();

function viewOf(truth: AlertsTruth, par: number) {
  return {
    kind: "alerts",
    disposition: truth.disposition,
    alsoTrue: truth.alsoTrue,
    ...(truth.family === undefined ? {} : { family: truth.family }),
    par,
    incidents: truth.incidents.map((incident) => ({
      id: incident.id,
      story: incident.story,
      component: incident.component,
      mechanism: incident.mechanism,
      meaning: MECHANISMS[incident.mechanism],
      severity: incident.severity,
      team: incident.team,
      onset: incident.onset,
      healed: incident.healed,
      determined: incident.determined,
      alerts: incident.alerts,
      wouldHaveTold: incident.routes.map((route) => route.map(({ action, args }) => ({ action, args }))),
    })),
    noise: truth.noise.map((alert) => ({ alert, story: truth.noiseStories[alert] ?? "" })),
    canary: truth.canary,
  };
}
