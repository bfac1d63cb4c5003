/**
 * Values that change with what happens, followed through the journal: over the base value of a parameter lie layers (a version's changes,
 * an event's changes) in the order in which they came; one that comes again moves to the top, and taking one out uncovers what is below.
 */
import type { SystemEvent } from "../events";
import type { ParameterInfo } from "../parameters";
import type { Group, Node, Plan } from "../plan";
import type { Change, Cohort, Deployable, DeployableKind } from "../spec";

/** A value over time; steps are at the ticks of events. */
export interface Timeline<T> {
  at(tick: number): T;
  /** The different values from one tick (included) to another (excluded), in order of appearance. */
  within(from: number, to: number): readonly T[];
}

/** Where a value holds: of a service, or of a call for the callers in a zone and cohort. */
export interface Place {
  readonly name: string;
  readonly zone: string;
  readonly cohort: Cohort;
}

interface Layer {
  readonly id: string;
  readonly changes: readonly Change[];
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

/** A parameter at a place. */
export class ParameterSteps extends Steps<number> {
  private layers: readonly Layer[];

  constructor(
    private readonly plan: Plan,
    private readonly place: Place,
    private readonly parameter: string,
    private readonly info: ParameterInfo,
    private readonly base: number,
    deployables: ReadonlySet<string>,
  ) {
    const layers = initialLayers(plan, place, parameter, deployables);
    super(resolved(layers, base, info));
    this.layers = layers;
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

/** The version of a deployable of the service that a node belongs to. */
export class VersionSteps extends Steps<string | undefined> {
  private readonly id: string | undefined;
  private readonly group: Group | undefined;
  private readonly cohort: Cohort;

  constructor(plan: Plan, { service, group, cohort }: Node, kind: DeployableKind) {
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

/** The deployables of which some version changes a parameter. */
export function deployablesOf(plan: Plan, parameter: string): ReadonlySet<string> {
  const concerned = plan.deployables.filter(({ versions }) =>
    versions.some(({ changes }) => changes.some((change) => change.parameter === parameter)),
  );
  return new Set(concerned.map((each) => each.id));
}

const initialOfPlans = new WeakMap<Plan, Map<string, readonly Layer[]>>();

/** The layers of the versions at the start of history that concern a parameter at a place; worked out once for a plan. */
function initialLayers(
  plan: Plan,
  place: Place,
  parameter: string,
  deployables: ReadonlySet<string>,
): readonly Layer[] {
  if (deployables.size === 0) return [];
  const ofPlan = initialOfPlans.get(plan) ?? new Map<string, readonly Layer[]>();
  initialOfPlans.set(plan, ofPlan);
  const key = `${place.name}@${place.zone}/${place.cohort}.${parameter}`;
  const known = ofPlan.get(key);
  if (known) return known;
  const layers = plan.deployables
    .filter((each) => deployables.has(each.id))
    .flatMap((each) => versionLayers(plan, each, each.current, undefined, 1))
    .map((layer) => only(layer, place, parameter))
    .filter((layer) => layer.changes.length > 0);
  ofPlan.set(key, layers);
  return layers;
}

/** The zone of a node. */
export class ZoneSteps extends Steps<string> {
  constructor(private readonly node: Node) {
    super(node.zone);
  }

  take(event: SystemEvent): void {
    const { service } = this.node;
    if (event.kind === "promoted" && event.service === service.name && service.standby)
      this.step(event.tick, event.zone);
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
