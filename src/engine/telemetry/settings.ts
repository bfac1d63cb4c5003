/**
 * Parameters, versions and zones in force at any tick of a run, worked out from its data and its journal. Metrics need them where a limit
 * is part of what is measured (a pool's size, a time-out) or of measuring itself (scrapes that are lost).
 */
import type { SystemEvent } from "../events";
import {
  builtWith,
  CALL_PARAMETERS,
  type CallParameter,
  type ParameterInfo,
  SERVICE_PARAMETERS,
  type ServiceParameter,
} from "../parameters";
import type { Node, Plan } from "../plan";
import type { Run } from "../run";
import type { DeployableKind } from "../spec";
import { deployablesOf, ParameterSteps, type Place, type Timeline, VersionSteps, ZoneSteps } from "./timelines";

/** A parameter at each node, or each call, over time. */
export interface ParameterOfPlaces {
  at(place: number, tick: number): number;
  /** By place, at a tick; not to be written to. */
  all(tick: number): Float64Array;
}

export class Settings {
  private readonly services = new Map<ServiceParameter, FollowedParameter>();
  private readonly calls = new Map<CallParameter, FollowedParameter>();
  private readonly versions = new Map<DeployableKind, readonly VersionSteps[]>();
  private zones: readonly ZoneSteps[] | undefined;
  private seen = 0;

  constructor(private readonly run: Run) {}

  /** Events of the journal taken in so far. */
  get taken(): number {
    return this.seen;
  }

  /** A parameter of the nodes. */
  ofNodes(parameter: ServiceParameter): ParameterOfPlaces {
    let followed = this.services.get(parameter);
    if (!followed) {
      followed = new FollowedParameter(this.run, nodeParameter(this.run.plan, parameter), this.seen);
      this.services.set(parameter, followed);
    }
    return followed;
  }

  /** A parameter of the calls. */
  ofCalls(parameter: CallParameter): ParameterOfPlaces {
    let followed = this.calls.get(parameter);
    if (!followed) {
      followed = new FollowedParameter(this.run, callParameter(this.run.plan, parameter), this.seen);
      this.calls.set(parameter, followed);
    }
    return followed;
  }

  /** A parameter of a node at a tick. */
  service(parameter: ServiceParameter, node: number, tick: number): number {
    return this.ofNodes(parameter).at(node, tick);
  }

  /** A parameter of a call at a tick. */
  call(parameter: CallParameter, call: number, tick: number): number {
    return this.ofCalls(parameter).at(call, tick);
  }

  /** The version of its code, or of another deployable, that every node runs; undefined where its service has none. */
  ofVersions(kind: DeployableKind): readonly Timeline<string | undefined>[] {
    const known = this.versions.get(kind);
    if (known) return known;
    const { plan, journal } = this.run;
    const made = plan.nodes.map((node) => new VersionSteps(plan, node, kind));
    for (const steps of made) for (let i = 0; i < this.seen; i++) steps.take(journal[i] as SystemEvent);
    this.versions.set(kind, made);
    return made;
  }

  /** The zone that every node is in: another once its standby has been promoted. */
  ofZones(): readonly Timeline<string>[] {
    if (this.zones) return this.zones;
    const { plan, journal } = this.run;
    const made = plan.nodes.map((node) => new ZoneSteps(node));
    for (const steps of made) for (let i = 0; i < this.seen; i++) steps.take(journal[i] as SystemEvent);
    this.zones = made;
    return made;
  }

  /** Takes in what has been added to the journal; called before reading. */
  refresh(): void {
    const { journal } = this.run;
    if (this.seen === journal.length) return;
    for (let i = this.seen; i < journal.length; i++) {
      const event = journal[i] as SystemEvent;
      for (const followed of this.services.values()) followed.take(event);
      for (const followed of this.calls.values()) followed.take(event);
      for (const steps of this.versions.values()) for (const each of steps) each.take(event);
      for (const steps of this.zones ?? []) steps.take(event);
    }
    this.seen = journal.length;
  }
}

/** What is known of a parameter before anything happens; the same for all runs of a plan. */
interface ParameterOfPlan {
  readonly parameter: string;
  readonly info: ParameterInfo;
  readonly places: readonly Place[];
  readonly base: readonly number[];
  /** Deployables of which some version changes it. */
  readonly deployables: ReadonlySet<string>;
  /** By place, at the start of history. */
  readonly initial: Float64Array;
}

const parametersOfPlans = new WeakMap<Plan, Map<string, ParameterOfPlan>>();

function ofPlan(
  plan: Plan,
  key: string,
  make: () => Omit<ParameterOfPlan, "deployables" | "initial">,
): ParameterOfPlan {
  const known = parametersOfPlans.get(plan) ?? new Map<string, ParameterOfPlan>();
  parametersOfPlans.set(plan, known);
  let found = known.get(key);
  if (!found) {
    const made = make();
    const base = { ...made, deployables: deployablesOf(plan, made.parameter), initial: Float64Array.from(made.base) };
    found = base.deployables.size
      ? { ...base, initial: Float64Array.from(stepsOf(plan, base), (steps) => steps.at(0)) }
      : base;
    known.set(key, found);
  }
  return found;
}

/** A parameter at each of its places, before anything happens. */
function stepsOf(plan: Plan, { parameter, info, places, base, deployables }: ParameterOfPlan): ParameterSteps[] {
  return places.map((place, i) => new ParameterSteps(plan, place, parameter, info, base[i] as number, deployables));
}

function nodeParameter(plan: Plan, parameter: ServiceParameter): ParameterOfPlan {
  return ofPlan(plan, parameter, () => {
    const info = SERVICE_PARAMETERS[parameter];
    return {
      parameter,
      info,
      places: plan.nodes.map(({ service, zone, cohort }) => ({ name: service.name, zone, cohort })),
      base: plan.nodes.map(({ service }) => builtWith(service, parameter)),
    };
  });
}

function callParameter(plan: Plan, parameter: CallParameter): ParameterOfPlan {
  return ofPlan(plan, `call ${parameter}`, () => {
    const info = CALL_PARAMETERS[parameter];
    return {
      parameter,
      info,
      places: plan.calls.map(({ name, from }) => {
        const { zone, cohort } = plan.nodes[from] as Node;
        return { name, zone, cohort };
      }),
      base: plan.calls.map(({ spec }) => spec.parameters?.[parameter] ?? info.initial),
    };
  });
}

/** A parameter of a run. As long as nothing that happens concerns it, it is that of the plan. */
class FollowedParameter implements ParameterOfPlaces {
  private steps: readonly ParameterSteps[] | undefined;

  constructor(
    private readonly run: Run,
    private readonly of: ParameterOfPlan,
    seen: number,
  ) {
    for (let i = 0; i < seen; i++) this.take(run.journal[i] as SystemEvent);
  }

  at(place: number, tick: number): number {
    return (this.steps ? this.steps[place]?.at(tick) : this.of.initial[place]) ?? 0;
  }

  all(tick: number): Float64Array {
    return this.steps ? Float64Array.from(this.steps, (each) => each.at(tick)) : this.of.initial;
  }

  take(event: SystemEvent): void {
    const { parameter, deployables } = this.of;
    if (event.kind === "changed") {
      if (!this.steps && event.changes.some((each) => each.parameter === parameter)) this.begin();
    } else if (event.kind === "deployed") {
      if (!deployables.has(event.deployable)) return;
      if (!this.steps) this.begin();
    } else if (event.kind !== "reverted") return;
    if (this.steps) for (const each of this.steps) each.take(event);
  }

  private begin(): void {
    this.steps = stepsOf(this.run.plan, this.of);
  }
}
