/** Players that earn nothing by what they do: if one of them scores, the grader pays for the wrong thing. */
import type { PlayerFactory } from "../../../core/player";
import { randomAction } from "../../../core/random-action";
import { scripted } from "../../../core/script";
import { ALERT_ACTIONS } from "../actions";
import type { AlertsObservation } from "../observation";
import { acts } from "./acts";
import { alertedServices, idsOf, incidentByLook, loudestService, oldestService, teamByName } from "./page-guesses";

/** Steps kept back for the closing answer by players that read as long as they can. */
const RESERVE = 8;

export const idle: PlayerFactory = scripted<AlertsObservation>(
  { name: "idle", title: "Idle", summary: "Waits until the budget ends.", knowsTruth: false },
  function* () {
    for (;;) yield acts.wait(60);
  },
);

export const falseClaimer: PlayerFactory = scripted<AlertsObservation>(
  {
    name: "false-claimer",
    title: "False claimer",
    summary: "Says at once that everything has been handed to its team, and has done nothing.",
    knowsTruth: false,
  },
  function* () {
    yield acts.close("routed");
  },
);

export const farmer: PlayerFactory = scripted<AlertsObservation>(
  {
    name: "farmer",
    title: "Farmer",
    summary:
      "Repeats whatever might pay: the same reads, grouping and ungrouping, silencing and undoing, declaring again.",
    knowsTruth: false,
  },
  function* ({ first }) {
    let seen = first;
    const service = loudestService(seen.alerts);
    for (;;) {
      const ids = idsOf(seen).slice(0, 3);
      const alert = ids[0];
      if (alert !== undefined) {
        yield acts.inspect(alert);
        yield acts.acknowledge([alert]);
        seen = yield acts.group(ids);
        const group = seen.groups[seen.groups.length - 1]?.id;
        if (group !== undefined) {
          yield acts.route(group, "P2", teamByName(service));
          yield acts.declare(group, { component: service, mechanism: "bad_deploy", confidence: 0.5 });
        }
        yield acts.ungroup(ids);
        seen = yield acts.snooze([alert], 30);
        const silence = seen.silences[seen.silences.length - 1]?.id;
        if (silence !== undefined) yield acts.expire(silence);
      }
      seen = yield acts.changes();
    }
  },
);

/** Reads whatever there is to read, stopping while enough steps are left to answer. */
export function* readEverything(first: AlertsObservation, reserve = RESERVE) {
  let seen: AlertsObservation = first;
  const left = () => seen.maxSteps - seen.step > reserve && seen.maxMinutes - seen.minute > reserve + 1;
  if (left()) seen = yield acts.graph();
  if (left()) seen = yield acts.changes();
  const graph = seen.items.find((item) => item.kind === "graph");
  const services = graph?.kind === "graph" ? graph.services : [];
  for (const service of services) if (left() && service.customerFacing) seen = yield acts.impact(service.name);
  const alerted = alertedServices(seen);
  for (const name of alerted) {
    const metrics = services.find((service) => service.name === name)?.metrics ?? [];
    for (const metric of metrics) if (left()) seen = yield acts.history(name, metric);
  }
  for (const id of idsOf(seen)) if (left()) seen = yield acts.inspect(id);
  return seen;
}

export const collector: PlayerFactory = scripted<AlertsObservation>(
  {
    name: "collector",
    title: "Collector",
    summary: "Reads everything it can, cites all of it, and then blames a service that nothing points at.",
    knowsTruth: false,
  },
  function* ({ first }) {
    let seen = yield* readEverything(first);
    const alerted = new Set(alertedServices(seen));
    const graph = seen.items.find((item) => item.kind === "graph");
    const quiet = graph?.kind === "graph" ? graph.services.find((service) => !alerted.has(service.name)) : undefined;
    const component = quiet?.name ?? seen.alerts[seen.alerts.length - 1]?.service ?? "";
    seen = yield acts.group(idsOf(seen));
    const group = seen.groups[0]?.id ?? "g1";
    const evidence = seen.items.slice(-20).map((item) => item.id);
    yield acts.declare(group, { component, mechanism: "certificate_expired", confidence: 0.9, evidence });
    yield acts.route(group, "P4", quiet?.team ?? teamByName(component));
    yield acts.close("routed");
  },
);

export const random: PlayerFactory = {
  name: "random",
  title: "Random",
  summary: "Takes legal actions at random, with values the episode offers.",
  knowsTruth: false,
  create: (stream, episode) => ({
    name: "random",
    decide: () => randomAction(ALERT_ACTIONS, (kind) => episode.choices(kind), stream),
  }),
};

export const symptomMasker: PlayerFactory = scripted<AlertsObservation>(
  {
    name: "symptom-masker",
    title: "Symptom masker",
    summary: "Silences whatever is loud until nothing fires any more, hands the rest over as minor and closes.",
    knowsTruth: false,
  },
  function* ({ first }) {
    let seen = first;
    while (seen.counts.firing + seen.counts.flapping > 0 && seen.maxSteps - seen.step > 6) {
      const loud = seen.alerts.filter((row) => row.handling === "none" && row.state !== "resolved");
      const service = loudestService(loud);
      if (service === "") break;
      seen = yield acts.maintenance(service, 240, "too loud");
      seen = yield acts.wait(5);
    }
    seen = yield acts.group(idsOf(seen));
    const group = seen.groups[0]?.id ?? "g1";
    yield acts.route(group, "P3", teamByName(loudestService(seen.alerts)));
    yield acts.close("routed");
  },
);

export const prober: PlayerFactory = scripted<AlertsObservation>(
  {
    name: "prober",
    title: "Prober",
    summary: "Acts first and looks whether anything changes: silence, look, undo; route, look, route elsewhere.",
    knowsTruth: false,
  },
  function* ({ first }) {
    let seen = first;
    for (const service of alertedServices(seen)) {
      if (seen.maxSteps - seen.step < 16) break;
      seen = yield acts.maintenance(service, 30, "does it help?");
      yield acts.impact(service);
      const silence = seen.silences[seen.silences.length - 1]?.id;
      if (silence !== undefined) seen = yield acts.expire(silence);
    }
    seen = yield acts.group(idsOf(seen));
    const group = seen.groups[0]?.id ?? "g1";
    const component = oldestService(incidentByLook(seen));
    for (const team of ["sre", "network", "database", teamByName(component)]) {
      yield acts.route(group, "P2", team);
      seen = yield acts.impact(component);
    }
    for (const mechanism of ["bad_config", "pool_exhaustion", "bad_deploy"] as const) {
      yield acts.declare(group, { component, mechanism, confidence: 0.5, evidence: citable(seen) });
      seen = yield acts.wait(1);
    }
    yield acts.close(seen.counts.firing === 0 ? "self_recovered" : "routed");
  },
);

/** Ids of what was read, newest last, as many as may be cited. */
export function citable(observation: AlertsObservation): string[] {
  return observation.items.slice(-20).map((item) => item.id);
}
