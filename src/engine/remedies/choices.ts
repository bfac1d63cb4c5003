/** The names that an argument of a remedy may take in a given system. */
import { CALL_PARAMETERS } from "../parameters";
import { groupsOf, type Plan } from "../plan";
import { callName, type Deployable, type DeployableKind, type ServiceSpec } from "../spec";
import type { Argument, Remedy } from "./verbs";

/** Valid values of an argument, best known ones; [] for numbers. `so far` has what the zone or version hangs on. */
export function choices(plan: Plan, argument: Argument, soFar: Partial<Remedy> = {}): readonly string[] {
  switch (argument.kind) {
    case "own_service":
      return names(plan, isOurs);
    case "service_with_connections":
      return names(plan, (service) => isOurs(service) && pooledCalls(plan, service.name).length > 0);
    case "service_with_users":
      return names(plan, ({ kind }) => kind === "edge" || kind === "api");
    case "queue":
      return names(plan, ({ kind }) => kind === "queue");
    case "database":
      return names(plan, ({ kind, standby }) => kind === "database" && standby !== undefined);
    case "zone_of_service":
      return "service" in soFar && soFar.service !== undefined
        ? groupsOf(plan, soFar.service).map((group) => group.zone)
        : plan.zones;
    case "zone_with_users":
      return plan.zones.filter((zone) => plan.entries.some((entry) => entry.zone === zone));
    case "deployable":
      return plan.deployables.map(({ id }) => id);
    case "version":
      return versionsOf(plan, soFar);
    case "flag":
      return ids(plan, "flag");
    case "job":
      return ids(plan, "job");
    case "option":
      return argument.options ?? [];
    default:
      return [];
  }
}

/** Whether the company runs it itself. */
export function isOurs(service: ServiceSpec): boolean {
  return service.kind !== "third_party";
}

/** Names of the calls that reach a service through a pool of connections. */
export function pooledCalls(plan: Plan, service: string): readonly string[] {
  return plan.spec.calls
    .filter((call) => call.to === service && (call.parameters?.pool ?? CALL_PARAMETERS.pool.initial) > 0)
    .map((call) => callName(call.from, call.to));
}

/** A deployable by its id; flags and jobs also without the prefix `flag/` or `job/`. */
export function deployableOf(plan: Plan, name: string, kind?: DeployableKind): Deployable | undefined {
  return plan.deployables.find(
    (each) =>
      (kind === undefined || each.kind === kind) &&
      (each.id === name || (each.kind === kind && each.id === `${each.kind}/${name}`)),
  );
}

/** The services that take messages from a queue. */
export function consumersOf(plan: Plan, queue: string): readonly string[] {
  return plan.spec.calls
    .filter((call) => call.kind === "consume" && call.to === queue)
    .map((call) => call.from)
    .sort((a, b) => (a < b ? -1 : 1));
}

function versionsOf(plan: Plan, soFar: Partial<Remedy>): readonly string[] {
  const id = "deployable" in soFar ? soFar.deployable : undefined;
  const found = id === undefined ? undefined : deployableOf(plan, id);
  return found ? found.versions.map(({ version }) => version) : [];
}

function names(plan: Plan, fits: (service: ServiceSpec) => boolean): readonly string[] {
  return plan.services.filter(fits).map(({ name }) => name);
}

function ids(plan: Plan, kind: DeployableKind): readonly string[] {
  return plan.deployables.filter((each) => each.kind === kind).map(({ id }) => id);
}
