/** Players that answer from the page: with the best constant, with guesses from names, or with everything at once. */
import type { PlayerFactory } from "../../../core/player";
import { type Script, scripted } from "../../../core/script";
import { DISPOSITIONS } from "../dispositions";
import { TEAMS } from "../draw";
import type { AlertsObservation } from "../observation";
import { acts } from "./acts";
import {
  idsOf,
  incidentByLook,
  loudestService,
  mechanismByName,
  noiseByLook,
  oldestService,
  teamByName,
} from "./page-guesses";
import { citable, readEverything } from "./probes";

/** Every remedy once, on everything, then a closing word. */
function* sprayAll(start: AlertsObservation): Script<AlertsObservation> {
  let seen = start;
  const ids = idsOf(seen);
  yield acts.acknowledge(ids);
  seen = yield acts.group(ids);
  const group = seen.groups[0]?.id ?? "g1";
  const component = loudestService(incidentByLook(seen));
  const mechanism = mechanismByName(seen.alerts, component);
  yield acts.declare(group, { component, mechanism, confidence: 1, evidence: citable(seen) });
  for (const team of TEAMS) yield acts.escalate(team, "please look");
  yield acts.snooze(ids, 60);
  yield acts.silence(['alertname=~".+"'], 60, "storm");
  yield acts.maintenance(component, 60, "storm");
  yield acts.route(group, "P1", teamByName(component));
  yield acts.close(DISPOSITIONS[0]);
}

/** Steps `sprayAll` needs, with one to spare. */
const SPRAY_STEPS = 13;

export const spray: PlayerFactory = scripted<AlertsObservation>(
  {
    name: "spray",
    title: "Spray",
    summary: "Acknowledges, groups, blames, escalates, mutes and routes everything once, reading nothing.",
    knowsTruth: false,
  },
  function* ({ first }) {
    yield* sprayAll(first);
  },
);

export const readAllSpray: PlayerFactory = scripted<AlertsObservation>(
  {
    name: "read-all-spray",
    title: "Read all, then spray",
    summary: "Reads everything the budget allows, then does everything once as if it had not.",
    knowsTruth: false,
  },
  function* ({ first }) {
    yield* sprayAll(yield* readEverything(first, SPRAY_STEPS));
  },
);

/** The whole answer from names, ages and states of the first page. */
function* answerFromPage(page: AlertsObservation, evidence: readonly string[]): Script<AlertsObservation> {
  const component = oldestService(incidentByLook(page));
  const noise = noiseByLook(page);
  const real = idsOf(page).filter((id) => !noise.includes(id));
  yield acts.acknowledge(real);
  const seen = yield acts.group(real);
  const group = seen.groups[0]?.id ?? "g1";
  if (noise.length > 0) yield acts.snooze(noise);
  const mechanism = mechanismByName(page.alerts, component);
  yield acts.declare(group, { component, mechanism, confidence: 0.6, evidence });
  yield acts.route(group, "P2", teamByName(component));
  yield acts.close("routed");
}

export const briefKeyed: PlayerFactory = scripted<AlertsObservation>(
  {
    name: "brief-keyed",
    title: "Brief-keyed",
    summary: "Answers from the names, ages and states on the first page, reading nothing.",
    knowsTruth: false,
  },
  function* ({ first }) {
    yield* answerFromPage(first, []);
  },
);

export const briefKeyedRead: PlayerFactory = scripted<AlertsObservation>(
  {
    name: "brief-keyed-read",
    title: "Brief-keyed with a token read",
    summary: "As brief-keyed, after one read that it cites and does not use.",
    knowsTruth: false,
  },
  function* ({ first }) {
    const alert = incidentByLook(first)[0]?.id;
    const seen = alert === undefined ? first : yield acts.inspect(alert);
    yield* answerFromPage(first, citable(seen));
  },
);
