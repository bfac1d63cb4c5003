/**
 * The oracles: they open the truth, yet they play by the rules — they read the evidence, cite it, and answer what it
 * supports. The second one takes another evidence route and mutes noise one alert at a time instead of by labels.
 */
import type { Action } from "../../../core/action";
import type { PlayerFactory } from "../../../core/player";
import { type Script, scripted } from "../../../core/script";
import { AlertsEpisode } from "../episode";
import { factsOf } from "../grading/incident-facts";
import type { AlertsObservation } from "../observation";
import { type AlertsTruth, type IncidentTruth, type OracleRead, Sealed } from "../truth";
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

/** Noise that fires while the rest is muted is muted too, so often at most. */
const MUTING_ROUNDS = 3;

/** What lies before the oracle now. */
interface Desk {
  seen: AlertsObservation;
  /** Reads made so far and the ids of what they showed. */
  readonly known: Map<string, string>;
}

type Part<T> = Generator<Action, T, AlertsObservation>;

function* play(first: AlertsObservation, truth: AlertsTruth, way: Way): Script<AlertsObservation> {
  const desk: Desk = { seen: first, known: new Map() };
  const ours = truth.incidents.flatMap((incident) => listed(desk.seen, incident.alerts));
  if (ours.length > 0) desk.seen = yield acts.acknowledge(ours);
  const evidence = new Map<string, readonly string[]>();
  for (const incident of truth.incidents) evidence.set(incident.id, yield* show(desk, incident, way.route));
  if (truth.incidents.length === 0) yield* readAll(desk, nothingIsWrong(first, way.route));
  for (const incident of truth.incidents) yield* handOver(desk, incident, evidence.get(incident.id) ?? [], truth);
  for (let round = 0; round < MUTING_ROUNDS; round++) {
    const noise = loud(desk.seen, truth.noise);
    if (noise.length > 0) desk.seen = yield way.mute(noise);
    if (round === 0) for (const incident of truth.incidents) desk.seen = yield lookAgain(incident);
    if (noise.length === 0) break;
    if (truth.incidents.length === 0) desk.seen = yield acts.changes(30);
  }
  yield acts.close(truth.disposition);
}

/** Reads a route; when the moment hides what it should show, the other one as well. */
function* show(desk: Desk, incident: IncidentTruth, first: 0 | 1): Part<readonly string[]> {
  const ids = yield* readAll(desk, incident.routes[first] ?? incident.routes[0] ?? []);
  const shown = desk.seen.items.filter((item) => ids.includes(item.id));
  if (shown.some((item) => factsOf(item).some((fact) => incident.supports(fact)))) return ids;
  const more = yield* readAll(desk, incident.routes[1 - first] ?? []);
  return [...new Set([...ids, ...more])];
}

/** Makes reads that have not been made yet; gives the ids of all of them. */
function* readAll(desk: Desk, reads: readonly OracleRead[]): Part<readonly string[]> {
  const ids: string[] = [];
  for (const read of reads) {
    const key = JSON.stringify(read);
    let id = desk.known.get(key);
    if (id === undefined) {
      desk.seen = yield { name: read.action, args: read.args };
      id = desk.seen.lastResult?.id ?? "";
      desk.known.set(key, id);
    }
    if (id !== "") ids.push(id);
  }
  return ids;
}

/** Two kinds of sources that show a healthy system: customers' objectives, and an alert or the changes. */
function nothingIsWrong(first: AlertsObservation, route: Way["route"]): readonly OracleRead[] {
  const alert = first.alerts[0];
  if (!alert) return [{ action: "recent_changes", args: {} }];
  const other: OracleRead =
    route === 0 ? { action: "recent_changes", args: {} } : { action: "inspect_alert", args: { alert: alert.id } };
  return [{ action: "impact", args: { service: alert.service } }, other];
}

function* handOver(desk: Desk, incident: IncidentTruth, evidence: readonly string[], truth: AlertsTruth): Part<void> {
  const { component, mechanism, severity, team, determined } = incident;
  desk.seen = yield acts.group(listed(desk.seen, incident.alerts));
  const group = desk.seen.groups[desk.seen.groups.length - 1]?.id ?? "g1";
  const said = determined ? mechanism : "undetermined";
  desk.seen = yield acts.declare(group, { component, mechanism: said, confidence: SURE, evidence });
  desk.seen = yield acts.route(group, severity, team);
  if (truth.disposition === "escalated")
    desk.seen = yield acts.escalate(team, "what can be read does not tell the cause", group);
}

function lookAgain({ component, routes }: IncidentTruth): Action {
  const read = routes.flat().find(({ action }) => action === "query_history" || action === "inspect_alert");
  return read ? { name: read.action, args: read.args } : acts.impact(component);
}

/** Those of `ids` that the queue shows and nothing mutes. */
function loud(observation: AlertsObservation, ids: readonly string[]): string[] {
  const wanted = new Set(ids);
  return observation.alerts
    .filter((row) => wanted.has(row.id) && (row.handling === "none" || row.handling === "acknowledged"))
    .map((row) => row.id);
}

/** Those of `ids` that the queue shows by now. */
function listed(observation: AlertsObservation, ids: readonly string[]): string[] {
  const wanted = new Set(ids);
  return observation.alerts.filter((row) => wanted.has(row.id)).map((row) => row.id);
}
