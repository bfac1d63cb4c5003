/**
 * A system compiled for the solver: services × zones are groups, groups × cohorts are nodes, calls go from a node to a group.
 * Everything is sorted by name, so that the order of a declaration changes no sum.
 */
import { CALL_PARAMETERS, SERVICE_PARAMETERS } from "./parameters";
import { type CallSpec, type Cohort, callName, type Deployable, type ServiceSpec, type SystemSpec } from "./spec";

/** A system whose data cannot be run; the message names the place and the fix. */
export class TopologyError extends Error {
  override readonly name = "TopologyError";
}

/** The replicas of a service in a zone. */
export interface Group {
  readonly index: number;
  readonly service: ServiceSpec;
  readonly zone: string;
  /** Index of the zone in `Plan.zones`. */
  readonly zoneIndex: number;
  /** Its nodes: `first`, and `first + 1` where there are two cohorts. */
  readonly first: number;
  readonly count: 1 | 2;
}

/** The replicas of one cohort of a group: the unit that has a state. */
export interface Node {
  readonly index: number;
  readonly group: number;
  readonly service: ServiceSpec;
  readonly zone: string;
  readonly cohort: Cohort;
}

/** A dependency of a node on a group. */
export interface Call {
  readonly index: number;
  /** "caller>callee". */
  readonly name: string;
  readonly spec: CallSpec;
  /** Node that calls. */
  readonly from: number;
  /** Group that is called. */
  readonly to: number;
  /** Index of the same node's call of the cache that is asked first; −1 for none. */
  readonly behind: number;
}

/** Users of a zone who ask a service. */
export interface Entry {
  readonly index: number;
  readonly service: ServiceSpec;
  readonly zone: string;
  readonly zoneIndex: number;
  readonly group: number;
}

export interface Plan {
  readonly spec: SystemSpec;
  readonly zones: readonly string[];
  readonly services: readonly ServiceSpec[];
  readonly groups: readonly Group[];
  readonly nodes: readonly Node[];
  readonly calls: readonly Call[];
  readonly entries: readonly Entry[];
  readonly deployables: readonly Deployable[];
  /** Groups, callers before callees, queues between producers and consumers. */
  readonly order: readonly number[];
}

/** @throws TopologyError when a name is unknown or used twice, a value is out of its range, or calls run in a circle. */
export function compile(spec: SystemSpec): Plan {
  check(spec);
  const byName = (a: { readonly name: string }, b: { readonly name: string }) => (a.name < b.name ? -1 : 1);
  const services = [...spec.services].sort(byName);
  const zones = [...spec.zones].sort(compare);
  const groups: Group[] = [];
  const nodes: Node[] = [];
  for (const service of services)
    for (const zone of [...service.zones].sort(compare)) {
      const count = service.cohorts ? 2 : 1;
      groups.push({
        index: groups.length,
        service,
        zone,
        zoneIndex: zones.indexOf(zone),
        first: nodes.length,
        count,
      });
      for (let cohort = 0; cohort < count; cohort++)
        nodes.push({ index: nodes.length, group: groups.length - 1, service, zone, cohort: cohort as Cohort });
    }
  const calls = compileCalls(spec, nodes, groups);
  const entries = groups
    .filter((group) => (group.service.parameters?.load ?? 0) > 0)
    .map((group, index) => ({
      index,
      service: group.service,
      zone: group.zone,
      zoneIndex: group.zoneIndex,
      group: group.index,
    }));
  const deployables = [...spec.deployables].sort((a, b) => (a.id < b.id ? -1 : 1));
  return {
    spec,
    zones,
    services,
    groups,
    nodes,
    calls,
    entries,
    deployables,
    order: topologicalOrder(services, spec.calls, groups),
  };
}

/** The groups of a service, in the order of its zones' names. */
export function groupsOf(plan: Plan, service: string): readonly Group[] {
  return plan.groups.filter((group) => group.service.name === service);
}

/** The calls of a name, "from>to", over zones and cohorts. */
export function callsOf(plan: Plan, name: string): readonly Call[] {
  return plan.calls.filter((call) => call.name === name);
}

function compileCalls(spec: SystemSpec, nodes: readonly Node[], groups: readonly Group[]): Call[] {
  const specs = [...spec.calls].sort((a, b) => compare(callName(a.from, a.to), callName(b.from, b.to)));
  const calls: { -readonly [K in keyof Call]: Call[K] }[] = [];
  for (const node of nodes)
    for (const call of specs)
      if (call.from === node.service.name) {
        const of = groups.filter((group) => group.service.name === call.to);
        const to = of.find((group) => group.zone === node.zone) ?? of[0];
        if (to)
          calls.push({
            index: calls.length,
            name: callName(call.from, call.to),
            spec: call,
            from: node.index,
            to: to.index,
            behind: -1,
          });
      }
  for (const call of calls)
    if (call.spec.behind)
      call.behind = calls.findIndex((each) => each.from === call.from && each.spec.to === call.spec.behind);
  return calls;
}

/** Kahn's algorithm over services; ties go to the name that sorts first. */
function topologicalOrder(
  services: readonly ServiceSpec[],
  calls: readonly CallSpec[],
  groups: readonly Group[],
): number[] {
  const after = (call: CallSpec) => (call.kind === "consume" ? [call.to, call.from] : [call.from, call.to]);
  const left = new Set(services.map((service) => service.name));
  const order: number[] = [];
  while (left.size) {
    const next = services.find(
      ({ name }) =>
        left.has(name) && !calls.some((call) => after(call)[1] === name && left.has(after(call)[0] as string)),
    );
    if (!next) throw new TopologyError(`The calls of ${[...left].join(", ")} run in a circle; remove one of them.`);
    left.delete(next.name);
    for (const group of groups) if (group.service === next) order.push(group.index);
  }
  return order;
}

function check(spec: SystemSpec): void {
  const names = new Set<string>();
  for (const { name, zones, standby, parameters } of spec.services) {
    if (!/^[a-z][a-z0-9-]*$/.test(name))
      throw new TopologyError(`"${name}" is no service name; use lower-case letters, digits and hyphens.`);
    if (names.has(name)) throw new TopologyError(`Two services are called ${name}; rename one.`);
    names.add(name);
    if (!zones.length || new Set(zones).size !== zones.length)
      throw new TopologyError(`${name} must run in at least one zone, and in each only once.`);
    for (const zone of standby ? [...zones, standby] : zones)
      if (!spec.zones.includes(zone))
        throw new TopologyError(`${name} runs in ${zone}, which is no zone of the system.`);
    checkValues(name, parameters ?? {}, SERVICE_PARAMETERS);
  }
  const seen = new Set<string>();
  for (const call of spec.calls) checkCall(call, spec, names, seen);
}

function checkCall(call: CallSpec, spec: SystemSpec, names: ReadonlySet<string>, seen: Set<string>): void {
  const name = callName(call.from, call.to);
  for (const end of [call.from, call.to, ...(call.behind ? [call.behind] : [])])
    if (!names.has(end)) throw new TopologyError(`The call ${name} names ${end}, which is no service.`);
  if (seen.has(name)) throw new TopologyError(`The call ${name} is there twice; join the two.`);
  seen.add(name);
  if (call.behind && !spec.calls.some((each) => each.from === call.from && each.to === call.behind))
    throw new TopologyError(`The call ${name} is behind ${call.behind}, which ${call.from} does not call.`);
  const kindOf = (service: string) => spec.services.find((each) => each.name === service)?.kind;
  if ((call.kind !== "call") !== (kindOf(call.to) === "queue"))
    throw new TopologyError(`The call ${name} is a "${call.kind}", which does not fit a ${kindOf(call.to)}.`);
  checkValues(name, call.parameters ?? {}, CALL_PARAMETERS);
}

function checkValues(
  of: string,
  values: Readonly<Record<string, number>>,
  table: Readonly<Record<string, { low: number; high: number }>>,
): void {
  for (const [name, value] of Object.entries(values)) {
    const info = table[name];
    if (!info) throw new TopologyError(`${of} has no parameter ${name}; it may have ${Object.keys(table).join(", ")}.`);
    if (!(value >= info.low && value <= info.high))
      throw new TopologyError(`${of}.${name} is ${value}; it must lie between ${info.low} and ${info.high}.`);
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
