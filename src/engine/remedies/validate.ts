/**
 * Whether an order makes sense: names that exist, numbers within their range, and nothing that holds already or is under way. What is
 * refused is no event and costs no time.
 */
import type { Problem } from "../../core/action";
import { builtWith } from "../parameters";
import type { Plan } from "../plan";
import type { ServiceSpec } from "../spec";
import { list, number, quoted } from "../words";
import { choices, consumersOf, deployableOf, isOurs } from "./choices";
import { groupsIn, inForce, type Situation, standing, weightOf } from "./controls";
import { isFailingOver, standbyOf } from "./database";
import { isWhole, previousVersion, STOPPED, versionNow } from "./deploy";
import { amountOf, RESOURCES, rangeOf } from "./scale";
import { type Argument, type Remedy, type RemedyOf, VERB_NAMES, VERBS } from "./verbs";

/** The sentence for what is wrong, or null. Without a run only names and ranges are checked. */
export function validate(plan: Plan, run: Situation | null, remedy: Remedy): Problem | null {
  const info = VERBS[remedy.verb];
  if (!info) return refuse("verb", `There is no verb "${remedy.verb}"; use one of ${list(VERB_NAMES, "or")}.`);
  for (const argument of info.args) {
    const problem = checkArgument(plan, argument, remedy);
    if (problem) return problem;
  }
  return checkVerb(plan, run, remedy);
}

function checkArgument(plan: Plan, argument: Argument, remedy: Remedy): Problem | null {
  const { name, kind, required, low = Number.NEGATIVE_INFINITY, high = Number.POSITIVE_INFINITY, unit } = argument;
  const value = (remedy as unknown as Readonly<Record<string, unknown>>)[name];
  if (value === undefined) return required ? refuse(name, `${remedy.verb} needs ${name}: ${argument.help}`) : null;
  if (kind === "number" || kind === "whole_number") {
    const said = unit ? ` ${unit}` : "";
    if (typeof value !== "number" || !(value >= low && value <= high))
      return refuse(name, `${name} must lie between ${number(low)} and ${number(high)}${said}, not ${show(value)}.`);
    if (kind === "whole_number" && value !== Math.floor(value))
      return refuse(name, `${name} must be a whole number${unit ? ` of ${unit}` : ""}, not ${value}.`);
    return null;
  }
  if (kind === "flag" || kind === "job" || kind === "deployable")
    if (typeof value === "string" && deployableOf(plan, value, kind === "deployable" ? undefined : kind)) return null;
  const valid = choices(plan, argument, remedy);
  if (typeof value === "string" && valid.includes(value)) return null;
  return notAmong(plan, argument, value, valid, remedy);
}

function notAmong(
  plan: Plan,
  { name, kind }: Argument,
  value: unknown,
  valid: readonly string[],
  remedy: Remedy,
): Problem {
  const service = plan.services.find((each) => each.name === value);
  const offer = valid.length ? `use one of ${list(valid, "or")}` : "the system has none";
  if (name === "service" && service) return refuse(name, `${unfit(service, kind)}; ${offer}.`, "not_allowed");
  if (kind === "zone_of_service" && "service" in remedy && plan.zones.includes(String(value)))
    return refuse(name, `${remedy.service} does not run in ${value}; ${offer}.`);
  if (kind === "zone_with_users" && plan.zones.includes(String(value)))
    return refuse(name, `No users come to ${value}; ${offer}.`);
  if (kind === "version" && "deployable" in remedy)
    return refuse(name, `${remedy.deployable} has no version ${show(value)}; ${offer}.`);
  return refuse(name, `There is no ${KIND_WORDS[kind] ?? name} ${show(value)}; ${offer}.`);
}

const KIND_WORDS: Partial<Record<Argument["kind"], string>> = {
  own_service: "service",
  service_with_connections: "service",
  service_with_users: "service",
  zone_of_service: "zone",
  zone_with_users: "zone",
};

function unfit({ name, kind }: ServiceSpec, wanted: Argument["kind"]): string {
  if (kind === "third_party") return `${name} is run by another company, which alone can change it`;
  if (wanted === "queue") return `${name} is no queue`;
  if (wanted === "database")
    return kind === "database" ? `${name} has no standby to fail over to` : `${name} is no database`;
  if (wanted === "service_with_connections") return `Nobody keeps connections to ${name} open in a pool`;
  return `${name} has no door at which requests could be rejected`;
}

/** What hangs on more than one argument, or on what is in force. */
function checkVerb(plan: Plan, run: Situation | null, remedy: Remedy): Problem | null {
  switch (remedy.verb) {
    case "rollback_deploy":
      return run ? checkVersion(plan, run, remedy) : null;
    case "set_flag":
      return run ? checkState(plan, run, remedy.flag, remedy.state, "flag") : null;
    case "disable_feature_flag":
      return run ? checkState(plan, run, remedy.flag, "off", "flag") : null;
    case "stop_job":
      return run ? checkState(plan, run, remedy.job, STOPPED, "job") : null;
    case "scale_service":
      return checkScale(plan, run, remedy);
    case "drain_queue":
      return checkDrain(plan, run, remedy);
    case "failover_db":
      return run ? checkFailover(run, remedy.service) : null;
    case "shed_load":
      if (remedy.minutes === 0)
        return refuse("minutes", "minutes must be at least 1; percent 0 ends shedding at once.");
      return run && remedy.percent === 0 && !standing(run, `shed/${remedy.service}@`)
        ? refuse("percent", `${remedy.service} sheds nothing; give a percent above 0.`, "not_allowed")
        : null;
    case "shift_traffic":
      return run ? checkShift(run, remedy, choices(plan, VERBS.shift_traffic.args[0] as Argument)) : null;
    default:
      return run && isFailingOver(run, remedy.service)
        ? refuse("service", `${remedy.service} is failing over; wait until its standby has taken over.`, "not_allowed")
        : null;
  }
}

function checkVersion(plan: Plan, run: Situation, remedy: RemedyOf<"rollback_deploy">): Problem | null {
  const deployable = deployableOf(plan, remedy.deployable);
  if (!deployable) return null;
  const { id, versions } = deployable;
  const version = remedy.version ?? previousVersion(run, deployable);
  const others = versions.map((each) => each.version).filter((each) => each !== versionNow(run, id));
  if (version === null)
    return refuse("version", `${id} has no earlier version; name one of ${list(others, "or")}.`, "not_allowed");
  if (isRollingOut(run, id))
    return refuse("deployable", `${id} is being rolled out; wait until it is done.`, "not_allowed");
  if (version === versionNow(run, id) && isWhole(run, deployable))
    return refuse("version", `${id} runs ${version} already; it also has ${list(others)}.`, "not_allowed");
  return null;
}

function isRollingOut(run: Situation, id: string): boolean {
  return run.pending.some((event) => event.kind === "deployed" && event.deployable === id && event.origin === "action");
}

function checkState(plan: Plan, run: Situation, name: string, state: string, kind: "flag" | "job"): Problem | null {
  const found = deployableOf(plan, name, kind);
  if (!found || versionNow(run, found.id) !== state || !isWhole(run, found)) return null;
  const field = kind === "flag" ? "flag" : "job";
  const others = plan.deployables
    .filter((each) => each.kind === kind && versionNow(run, each.id) !== state)
    .map((each) => each.id);
  return refuse(field, `${found.id} is ${state} already; not ${state} are ${list(others)}.`, "not_allowed");
}

function checkScale(plan: Plan, run: Situation | null, remedy: RemedyOf<"scale_service">): Problem | null {
  const { resource, amount, zone } = remedy;
  const service = plan.services.find(({ name }) => name === remedy.service);
  if (!service || !isOurs(service)) return null;
  const { parameter, unit } = RESOURCES[resource];
  if (resource === "replicas" && (service.kind === "database" || service.kind === "queue"))
    return refuse(
      "resource",
      `${service.name} has one node that takes writes; scale its ${scalable(service)}.`,
      "not_allowed",
    );
  if (resource === "connections" && builtWith(service, parameter) === 0)
    return refuse(
      "resource",
      `${service.name} accepts connections without a limit; scale its ${scalable(service)}.`,
      "not_allowed",
    );
  if (zone !== undefined && (resource === "disk" || resource === "connections"))
    return refuse("zone", `The ${resource} of ${service.name} cannot be scaled for one zone; leave the zone out.`);
  const [low, high] = rangeOf(service, resource);
  if (!(amount >= low && amount <= high))
    return refuse(
      "amount",
      `${service.name} can have ${number(low)} to ${number(high)} ${unit}, not ${number(amount)}.`,
    );
  if ((resource === "replicas" || resource === "connections") && amount !== Math.floor(amount))
    return refuse("amount", `${service.name} can have whole ${unit} only, not ${amount}.`);
  return run ? checkChange(run, remedy, unit) : null;
}

function checkChange(run: Situation, remedy: RemedyOf<"scale_service">, unit: string): Problem | null {
  const { service, resource, amount, zone } = remedy;
  const has = amountOf(run, service, resource, zone);
  if (resource === "disk" && amount < has)
    return refuse(
      "amount",
      `The disk of ${service} has ${number(has)} GB and cannot shrink; give more.`,
      "not_allowed",
    );
  const same = groupsIn(run.plan, service, zone).every(
    (group) => inForce(run, group, RESOURCES[resource].parameter) === amount,
  );
  return same ? refuse("amount", `${service} has ${number(amount)} ${unit} already.`, "not_allowed") : null;
}

function scalable({ kind }: ServiceSpec): string {
  if (kind === "database") return "cpu, disk or connections";
  if (kind === "queue") return "cpu or disk";
  return "replicas, cpu or disk";
}

function checkDrain(plan: Plan, run: Situation | null, remedy: RemedyOf<"drain_queue">): Problem | null {
  if ((remedy.mode ?? "process") !== "process") return null;
  if (!consumersOf(plan, remedy.service).length)
    return refuse("mode", `Nobody consumes ${remedy.service}; only purge and set_aside empty it.`, "not_allowed");
  return run && remedy.minutes === 0 && !standing(run, `drain/${remedy.service}@`)
    ? refuse("minutes", `${remedy.service} is not being drained; give 1 minute or more.`, "not_allowed")
    : null;
}

function checkFailover(run: Situation, service: string): Problem | null {
  if (isFailingOver(run, service))
    return refuse(
      "service",
      `${service} is failing over already; wait until its standby has taken over.`,
      "not_allowed",
    );
  return standbyOf(run, service) === null
    ? refuse("service", `${service} has no standby to fail over to.`, "not_allowed")
    : null;
}

function checkShift(run: Situation, remedy: RemedyOf<"shift_traffic">, zones: readonly string[]): Problem | null {
  const { zone, percent } = remedy;
  const others = zones.filter((each) => each !== zone);
  if (percent > 0 && !others.some((each) => weightOf(run, each) > 0))
    return refuse(
      "zone",
      others.length
        ? `No other zone takes users; bring those of ${list(others)} back first (percent 0).`
        : `Users come to ${zone} only; there is no zone to send them to.`,
      "not_allowed",
    );
  return Math.abs(weightOf(run, zone) - (1 - percent / 100)) < 1e-9
    ? refuse("percent", `${number(percent)} % of the users of ${zone} go elsewhere already.`, "not_allowed")
    : null;
}

function refuse(field: string, message: string, code: Problem["code"] = "invalid_arguments"): Problem {
  return { code, field, message };
}

function show(value: unknown): string {
  return typeof value === "string" ? `"${quoted(value)}"` : quoted(value);
}
