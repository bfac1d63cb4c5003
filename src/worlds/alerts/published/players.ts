/**
 * What each player does in a published task, where there is nothing to read and each step is a whole triage. The players
 * of the generated queues hand over to these when `observation.published` is not null.
 */
import type { Action } from "../../../core/action";
import type { Player, PlayerFactory } from "../../../core/player";
import type { Stream } from "../../../core/rng";
import type { Episode, Observation } from "../../../core/world";
import { SEVERITIES, type Severity, TEAMS, type Team } from "../draw";
import type { AlertsObservation, PublishedView } from "../observation";
import type { Triage } from "./actions";
import { publishedTruthOf } from "./episode";
import { isNoise } from "./noise";

type PublishedAlert = PublishedView["alerts"][number];
/** The triage of a step (from 0), or null to end the task. */
type Plan = (view: PublishedView, step: number, random: Stream) => Triage | null;

/** What an alert of a team's service weighs: a broken database explains the alerts of those that use it, not the reverse. */
const DEPTH: Readonly<Record<Team, number>> = { database: 1.6, network: 1.1, sre: 1, app: 1 };
const SERVICES_OF_REVENUE = ["checkout-service", "payment-service", "postgres-primary"];

const CONSTANT: Triage = {
  severity: "P1",
  team: "database",
  root_cause: "The primary database is down and its connections time out.",
  suppressed: [],
};

/**
 * The rule-based baseline: suppresses what the published noise rule calls noise, takes the owner most of the rest point to, and
 * reads the severity from what kind of service is hit. It uses the observation only.
 */
export function heuristicTriage(view: PublishedView): Triage {
  const noise = view.alerts.filter(isNoise);
  const real = view.alerts.filter((alert) => !isNoise(alert));
  return {
    severity: severityFrom(real),
    team: teamFrom(view, real),
    root_cause: causeFrom(view, real),
    suppressed: noise.map((alert) => alert.alert_id),
  };
}

function severityFrom(alerts: readonly PublishedAlert[]): Severity {
  if (alerts.some((alert) => SERVICES_OF_REVENUE.includes(alert.service))) return "P1";
  if (alerts.some((alert) => alert.metric.includes("latency") || alert.metric.includes("loss"))) return "P2";
  return "P3";
}

function teamFrom(view: PublishedView, alerts: readonly PublishedAlert[]): Team {
  let best: Team = "app";
  let most = 0;
  for (const team of TEAMS) {
    const weight = DEPTH[team] * alerts.filter((alert) => view.servicesMap[alert.service] === team).length;
    if (weight > most) [best, most] = [team, weight];
  }
  return best;
}

function causeFrom(view: PublishedView, alerts: readonly PublishedAlert[]): string {
  const team = teamFrom(view, alerts);
  const own = alerts.filter((alert) => view.servicesMap[alert.service] === team);
  const signs = own.map((alert) => `${alert.metric.replaceAll("_", " ")} high on ${alert.service}`);
  return `${team}: ${signs.join(", ")}.`;
}

const random: Plan = (view, _step, stream) => ({
  severity: stream.pick(SEVERITIES),
  team: stream.pick(TEAMS),
  root_cause: "",
  suppressed: view.alerts.filter(() => stream.chance(0.3)).map((alert) => alert.alert_id),
});

/** The heuristic, but for a team that does not own the cause. */
const wrong: Plan = (view, step) => {
  if (step > 0) return null;
  const triage = heuristicTriage(view);
  return { ...triage, team: TEAMS[(TEAMS.indexOf(triage.team) + 1) % TEAMS.length] as Team };
};

/** One triage after another, a team each. */
const everyTeam: Plan = (_view, step) => ({ ...CONSTANT, team: TEAMS[step % TEAMS.length] as Team });

const suppressAll: Plan = (view, step) =>
  step > 0 ? null : { ...CONSTANT, suppressed: view.alerts.map((alert) => alert.alert_id) };

/** Judges by the first alert alone. */
const firstAlert: Plan = (view, step) =>
  step > 0 ? null : { ...heuristicTriage({ ...view, alerts: view.alerts.slice(0, 1) }), suppressed: [] };

const once =
  (triage: (view: PublishedView) => Triage): Plan =>
  (view, step) =>
    step > 0 ? null : triage(view);

/** Every player of a published task; names as everywhere, and the original's baseline `heuristic`. */
export const publishedPlayers: readonly PlayerFactory[] = [
  player("idle", "Idle", "Ends the task without a triage.", () => null),
  player("random", "Random", "Gives a random triage each step.", random),
  player(
    "constant",
    "Constant",
    "Always the same triage: a database outage, P1.",
    once(() => CONSTANT),
  ),
  player("spray", "Spray", "Gives a triage for one team after another.", everyTeam),
  player("read-all-spray", "Read all, then spray", "As spray: everything is shown from the start.", everyTeam),
  player("brief-keyed", "Brief-keyed", "Judges by the first alert alone.", firstAlert),
  player("brief-keyed-read", "Brief-keyed, one read", "As brief-keyed: there is nothing to read.", firstAlert),
  player("collector", "Collector", "Knows all that is shown, then names a wrong team.", wrong),
  player("symptom-masker", "Symptom-masker", "Suppresses every alert.", suppressAll),
  player(
    "false-claimer",
    "False-claimer",
    "Says that nothing needs doing.",
    once(() => ({ ...CONSTANT, severity: "P4", team: "app", root_cause: "" })),
  ),
  player("farmer", "Farmer", "Repeats one triage until the steps run out.", () => ({
    ...CONSTANT,
    severity: "P4",
    team: "app",
  })),
  player("prober", "Prober", "Tries one team after another and looks whether anything changes.", everyTeam),
  player("rules", "Rules", "As heuristic.", once(heuristicTriage)),
  player(
    "heuristic",
    "Heuristic",
    "The rule-based baseline: noise by the published rule, team by service, severity by metric.",
    once(heuristicTriage),
  ),
  oracle("oracle", "Oracle"),
  oracle("oracle-2", "Second oracle"),
];

/** The published behaviour of a player, or undefined when it has none. */
export function publishedPlayer(name: string): PlayerFactory | undefined {
  return publishedPlayers.find((factory) => factory.name === name);
}

function player(name: string, title: string, summary: string, plan: Plan): PlayerFactory {
  return {
    name,
    title,
    summary,
    knowsTruth: false,
    create: (stream: Stream): Player => ({
      name,
      decide: (observation: Observation) => actionOf(plan, observation, stream),
    }),
  };
}

function oracle(name: string, title: string): PlayerFactory {
  return {
    name,
    title,
    summary: "Knows the answer.",
    knowsTruth: true,
    create: (stream: Stream, episode: Episode): Player => {
      const { severity, team, keywords, noise } = publishedTruthOf(episode);
      const cause = keywords.map((group) => group[0] ?? "").join(" ");
      const plan = once(() => ({ severity, team, root_cause: cause, suppressed: noise }));
      return { name, decide: (observation) => actionOf(plan, observation, stream) };
    },
  };
}

function actionOf(plan: Plan, observation: Observation, stream: Stream): Action | null {
  const view = (observation as AlertsObservation).published;
  const triage = view ? plan(view, observation.step, stream) : null;
  return triage ? { name: "triage", args: { ...triage } } : null;
}
