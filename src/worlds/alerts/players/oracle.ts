/**
 * The oracles: they open the truth, yet they play by the rules — they read the evidence, cite it, and answer what it
 * supports. The second one takes another evidence route and mutes noise one alert at a time instead of by labels.
 */
import type { Action } from "../../../core/action";
import type { PlayerFactory } from "../../../core/player";
import { type Script, scripted } from "../../../core/script";
import { AlertsEpisode } from "../episode";
import type { AlertsObservation } from "../observation";
import { type AlertsTruth, type IncidentTruth, Sealed } from "../truth";
import { acts } from "./acts";

/** How sure an oracle says it is: of what it can show, and of what nobody can. */
const SURE = 1;

interface Way {
  /** Which evidence route is read. */
  readonly route: 0 | 1;
  readonly mute: (noise: readonly string[]) => Action;
}

function oraclePlayer(facts: Pick<PlayerFactory, "name" | "title" | "summary">, way: Way): PlayerFactory {
  return scripted<AlertsObservation>({ ...facts, knowsTruth: true }, ({ first, episode }) =>
    play(first, Sealed.open(AlertsEpisode.drawOf(episode).truth), way),
  );
}

export const oracle = oraclePlayer(
  {
    name: "oracle",
    title: "Oracle",
    summary: "Knows the truth; reads the first evidence route and answers what it supports.",
  },
  { route: 0, mute: (noise) => acts.snooze(noise, 240) },
);

export const oracle2 = oraclePlayer(
  { name: "oracle-2", title: "Second oracle", summary: "Knows the truth; reads the second evidence route." },
  { route: 1, mute: (noise) => acts.snooze(noise, 180) },
);

function* play(first: AlertsObservation, truth: AlertsTruth, way: Way): Script<AlertsObservation> {
  let seen = first;
  const cited = new Map<string, string[]>();
  const known = new Map<string, string>();
  for (const incident of truth.incidents) {
    const ids: string[] = [];
    for (const read of incident.routes[way.route] ?? incident.routes[0] ?? []) {
      const key = JSON.stringify(read);
      let id = known.get(key);
      if (id === undefined) {
        seen = yield { name: read.action, args: read.args };
        id = seen.lastResult?.id ?? "";
        known.set(key, id);
      }
      if (id !== "") ids.push(id);
    }
    cited.set(incident.id, ids);
  }
  const alive = truth.incidents.flatMap((incident) => listed(seen, incident.alerts));
  if (alive.length > 0) seen = yield acts.acknowledge(alive);
  for (const incident of truth.incidents) seen = yield* handle(seen, incident, cited.get(incident.id) ?? []);
  const noise = listed(seen, truth.noise);
  if (noise.length > 0) seen = yield way.mute(noise);
  yield acts.close(truth.disposition);
}

function* handle(seen: AlertsObservation, incident: IncidentTruth, evidence: readonly string[]): Script2 {
  let now = yield acts.group(listed(seen, incident.alerts));
  const group = now.groups[now.groups.length - 1]?.id ?? "g1";
  const { component, mechanism, severity, team } = incident;
  now = yield acts.declare(group, { component, mechanism, confidence: SURE, evidence });
  now = yield acts.route(group, severity, team);
  return now;
}

type Script2 = Generator<Action, AlertsObservation, AlertsObservation>;

/** Those of `ids` that the queue shows by now. */
function listed(observation: AlertsObservation, ids: readonly string[]): string[] {
  const wanted = new Set(ids);
  return observation.alerts.filter((row) => wanted.has(row.id)).map((row) => row.id);
}
