/**
 * Parameters and versions in force at any tick of a run, worked out from its data and its journal: over the base value lie layers
 * (a version's changes, an event's changes) in the order in which they came; one that comes again moves to the top. Metrics need this
 * where a limit is part of what is measured (a pool's size, a time-out) or of measuring itself (scrapes that are lost).
 */
import type { SystemEvent } from "../events";
import {
  CALL_PARAMETERS,
  type CallParameter,
  KIND_DEFAULTS,
  type ParameterInfo,
  SERVICE_PARAMETERS,
  type ServiceParameter,
} from "../parameters";
import type { Group, Plan } from "../plan";
import type { Run } from "../run";
import type { Change, Cohort, Deployable, DeployableKind } from "../spec";

/** A value over time; steps are at the ticks of events. */
export interface Timeline<T> {
  at(tick: number): T;
  /** The different values from one tick (included) to another (excluded), in order of appearance. */
  within(from: number, to: number): readonly T[];
}

/** Where a value holds: of a service, or of a call for the callers in a zone and cohort. */
interface Place {
  readonly name: string;
  readonly zone: string;
  readonly cohort: Cohort;
}

interface Layer {
  readonly id: string;
  readonly changes: readonly Change[];
}

export class Settings {
  private readonly known = new Map<string, Steps<unknown>>();
  /** Events of the journal taken in. */
  private seen = 0;

  constructor(private readonly run: Run) {}

  /** A parameter of a node. @throws RangeError when there is no such node. */
  service(parameter: ServiceParameter, node: number): Timeline<number> {
    return this.get(`n${node}.${parameter}`, () => {
      const { service, zone, cohort } = nodeOf(this.run.plan, node);
      const info = SERVICE_PARAMETERS[parameter];
      const base = service.parameters?.[parameter] ?? KIND_DEFAULTS[service.kind][parameter] ?? info.initial;
      return new ParameterSteps(this.run.plan, { name: service.name, zone, cohort }, parameter, info, base);
    });
  }

  /** A parameter of a call. @throws RangeError when there is no such call. */
  call(parameter: CallParameter, call: number): Timeline<number> {
    return this.get(`c${call}.${parameter}`, () => {
      const { plan } = this.run;
      const found = plan.calls[call];
      if (!found) throw new RangeError(`There is no call ${call}; the system has ${plan.calls.length}.`);
      const { zone, cohort } = nodeOf(plan, found.from);
      const info = CALL_PARAMETERS[parameter];
      const base = found.spec.parameters?.[parameter] ?? info.initial;
      return new ParameterSteps(plan, { name: found.name, zone, cohort }, parameter, info, base);
    });
  }

  /** The version of its code, or of another deployable, that a node runs; undefined where its service has none. */
  version(node: number, kind: DeployableKind = "code"): Timeline<string | undefined> {
    return this.get(`v${node}.${kind}`, () => new VersionSteps(this.run.plan, node, kind));
  }

  /** Takes in what has been added to the journal; called before reading. */
  refresh(): void {
    const { journal } = this.run;
    if (this.seen === journal.length) return;
    for (const steps of this.known.values())
      for (let i = this.seen; i < journal.length; i++) steps.take(journal[i] as SystemEvent);
    this.seen = journal.length;
  }

  private get<T>(key: string, make: () => Steps<T>): Timeline<T> {
    const known = this.known.get(key);
    if (known) return known as Steps<T>;
    const made = make();
    for (let i = 0; i < this.seen; i++) made.take(this.run.journal[i] as SystemEvent);
    this.known.set(key, made);
    return made;
  }
}

/** A piecewise constant value. */
abstract class Steps<T> implements Timeline<T> {
  private readonly ticks: number[] = [];
  private readonly values: T[] = [];

  constructor(private readonly first: T) {}

  at(tick: number): T {
    for (let i = this.ticks.length - 1; i >= 0; i--) if ((this.ticks[i] as number) <= tick) return this.values[i] as T;
    return this.first;
  }

  within(from: number, to: number): readonly T[] {
    const values = new Set([this.at(from)]);
    this.ticks.forEach((tick, i) => {
      if (from < tick && tick < to) values.add(this.values[i] as T);
    });
    return [...values];
  }

  /** Takes in the next event of the journal. */
  abstract take(event: SystemEvent): void;

  protected step(tick: number, value: T): void {
    if (value === (this.values.length ? this.values[this.values.length - 1] : this.first)) return;
    this.ticks.push(tick);
    this.values.push(value);
  }
}

class ParameterSteps extends Steps<number> {
  private layers: readonly Layer[];

  constructor(
    private readonly plan: Plan,
    private readonly place: Place,
    private readonly parameter: string,
    private readonly info: ParameterInfo,
    private readonly base: number,
  ) {
    const layers = plan.deployables.flatMap((each) => versionLayers(plan, each, each.current, undefined, 1));
    const concerning = layers.map((layer) => only(layer, place, parameter)).filter((layer) => layer.changes.length > 0);
    super(resolved(concerning, base, info));
    this.layers = concerning;
  }

  take(event: SystemEvent): void {
    if (event.kind === "changed") this.put([{ id: event.id, changes: event.changes }]);
    else if (event.kind === "reverted") this.layers = this.layers.filter((layer) => layer.id !== event.id);
    else if (event.kind === "deployed") {
      const deployable = this.plan.deployables.find((each) => each.id === event.deployable);
      if (deployable) this.put(versionLayers(this.plan, deployable, event.version, event.zone, event.share));
    } else return;
    this.step(event.tick, resolved(this.layers, this.base, this.info));
  }

  private put(layers: readonly Layer[]): void {
    for (const layer of layers) {
      const concerning = only(layer, this.place, this.parameter);
      const others = this.layers.filter((each) => each.id !== layer.id);
      this.layers = concerning.changes.length ? [...others, concerning] : others;
    }
  }
}

class VersionSteps extends Steps<string | undefined> {
  private readonly id: string | undefined;
  private readonly group: Group | undefined;
  private readonly cohort: Cohort;

  constructor(plan: Plan, node: number, kind: DeployableKind) {
    const { service, group, cohort } = nodeOf(plan, node);
    const deployable = plan.deployables.find((each) => each.kind === kind && each.service === service.name);
    super(deployable?.current);
    this.id = deployable?.id;
    this.group = plan.groups[group];
    this.cohort = cohort;
  }

  take(event: SystemEvent): void {
    if (event.kind !== "deployed" || event.deployable !== this.id || !this.group) return;
    if ((event.zone ?? this.group.zone) !== this.group.zone) return;
    if (cohortsOf(this.group, event.share).includes(this.cohort)) this.step(event.tick, event.version);
  }
}

/** The layers of a version: one for each zone and cohort that runs it; what it changes elsewhere is in the first of them. */
function versionLayers(
  plan: Plan,
  deployable: Deployable,
  version: string,
  zone: string | undefined,
  share: number,
): Layer[] {
  const found = deployable.versions.find((each) => each.version === version);
  const groups = plan.groups.filter((group) => group.service.name === deployable.service);
  return groups
    .filter((group) => !zone || group.zone === zone)
    .flatMap((group) =>
      cohortsOf(group, share).map((cohort) => ({
        id: `${deployable.id}@${group.zone}/${cohort}`,
        changes: (found?.changes ?? []).flatMap((change) => {
          if (!("link" in change) && ownerOf(change) === deployable.service)
            return cohort < group.count
              ? [{ zone: group.zone, ...(group.count === 2 ? { cohort } : {}), ...change }]
              : [];
          return group === groups[0] && cohort === 0 ? [change] : [];
        }),
      })),
    );
}

/** The cohorts that get a version: with a partial roll-out only the second. */
function cohortsOf(group: Group, share: number): readonly Cohort[] {
  return share < 1 && group.count === 2 ? [1] : [0, 1];
}

function ownerOf(change: Exclude<Change, { readonly link: string }>): string {
  return "call" in change ? change.call.slice(0, change.call.indexOf(">")) : change.service;
}

/** A layer without the changes that do not concern a parameter at a place. */
function only(layer: Layer, { name, zone, cohort }: Place, parameter: string): Layer {
  const concerns = (change: Change) =>
    change.parameter === parameter &&
    !("link" in change) &&
    ("call" in change ? change.call : change.service) === name &&
    (change.zone ?? zone) === zone &&
    (change.cohort ?? cohort) === cohort;
  return { id: layer.id, changes: layer.changes.filter(concerns) };
}

function resolved(layers: readonly Layer[], base: number, { low, high }: ParameterInfo): number {
  let value = base;
  for (const { changes } of layers)
    for (const { op, value: by } of changes) {
      value = op === "set" ? by : op === "times" ? value * by : value + by;
      value = Math.min(high, Math.max(low, value));
    }
  return value;
}

function nodeOf(plan: Plan, index: number) {
  const node = plan.nodes[index];
  if (!node) throw new RangeError(`There is no node ${index}; the system has ${plan.nodes.length}.`);
  return node;
}
