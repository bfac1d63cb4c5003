/**
 * A run of a system: ticks of 15 simulated seconds, events between them, a record of every tick. A run is a pure function of plan, seed
 * and events, to the last bit and on every engine.
 *
 * Update order of a tick: events due, by kind and target; what moves once a tick (replicas, memory, connections); then sub-steps of
 * demand downwards (`flow.ts`), outcome upwards (`feedback.ts`), slow stores (`stores.ts`); then the row of the record. One sub-step while calm,
 * three under stress and for four ticks after any event: part of the model, not a knob of quality.
 */
import { type Noise, type Seed, Stream } from "../core/rng";
import type { Happening, SystemEvent } from "./events";
import { returning, timeOfDay } from "./mechanisms/users";
import type { ServiceParameter } from "./parameters";
import type { Plan } from "./plan";
import type { CallColumn, NodeColumn, UserColumn } from "./record";
import type { Row, Run } from "./run";
import { Feedback } from "./solver/feedback";
import { C, N } from "./solver/fields";
import { Flow } from "./solver/flow";
import { happen } from "./solver/happen";
import { hashWords } from "./solver/hash";
import { InForce } from "./solver/in-force";
import { Lifecycle } from "./solver/lifecycle";
import { Recorder } from "./solver/recorder";
import { State } from "./solver/state";
import { Stores } from "./solver/stores";
import { type Circuit, circuitOf } from "./solver/wiring";
import { type Cohort, TICK_SECONDS } from "./spec";

/** Sub-steps of a tick under stress. */
const STRESSED = 3;
const STRESSED_AFTER_EVENT = 4;
/** Unrecorded ticks before the history begins, in which transients of the start die away. */
const SETTLING = 24;
const DAY_TICKS = 86_400 / TICK_SECONDS;
/** Load wanders by about 2 %, with a memory of some ten ticks. */
const WANDER_KEPT = 0.9;
const WANDER = 0.009;

export class Simulation implements Run {
  readonly plan: Plan;
  readonly seed: Seed;
  readonly state: State;
  private ticks = 0;
  private readonly happenings: SystemEvent[] = [];
  private queue: SystemEvent[] = [];
  private stressed = 0;
  private settling = true;

  private readonly circuit: Circuit;
  private readonly inForce: InForce;
  private readonly lifecycle: Lifecycle;
  private readonly flow: Flow;
  private readonly feedback: Feedback;
  private readonly stores: Stores;
  private readonly recorder: Recorder;
  private readonly luck: Noise;
  private readonly dayPhase: number;
  private readonly n: Float64Array;
  private readonly c: Float64Array;
  private readonly v;
  /** Of every entry: its share of its service's users until the next event, and what they want in this tick, requests a second. */
  private readonly shares: Float64Array;
  private readonly wanted: Float64Array;

  constructor(plan: Plan, seed: Seed, from?: Simulation) {
    this.plan = plan;
    this.seed = seed;
    this.circuit = circuitOf(plan, from?.circuit);
    this.state = new State(plan, from?.state);
    this.inForce = new InForce(plan, this.circuit, this.state, from?.inForce);
    this.lifecycle = new Lifecycle(plan, this.circuit, this.state, this.inForce, (what) => this.tell(what, "system"));
    this.flow = new Flow(this.circuit, this.state);
    this.feedback = new Feedback(this.circuit, this.state);
    this.stores = new Stores(this.circuit, this.state, (node) => this.tellFilled(node));
    this.recorder = new Recorder(plan, this.circuit, this.state, this.stores, this.lifecycle, from?.recorder);
    this.n = this.state.nodes;
    this.c = this.state.calls;
    this.v = viewsOf(this.state);
    this.shares = from ? from.shares.slice() : new Float64Array(plan.entries.length);
    this.wanted = new Float64Array(plan.entries.length);
    if (from) {
      this.luck = from.luck;
      this.dayPhase = from.dayPhase;
      this.ticks = from.ticks;
      this.stressed = from.stressed;
      this.settling = false;
      this.happenings = from.happenings.slice();
      this.queue = from.queue;
    } else {
      const stream = Stream.of(seed, "engine");
      this.luck = stream.fork("load").noise();
      this.dayPhase = stream.fork("day").unit();
      this.begin();
    }
  }

  /** Ticks completed; rows 0..tick−1 of the record are there. */
  get tick(): number {
    return this.ticks;
  }

  get journal(): readonly SystemEvent[] {
    return this.happenings;
  }

  /** What is scheduled and has not happened yet, in the order in which it will. */
  get pending(): readonly SystemEvent[] {
    return this.queue;
  }

  /** Bytes of state and record. */
  get size(): number {
    return this.state.size + this.recorder.size;
  }

  /** @throws RangeError when the event's tick is over, or (at once) when it names what the system has not got. */
  schedule(event: SystemEvent): void {
    if (!Number.isSafeInteger(event.tick) || event.tick < this.ticks)
      throw new RangeError(`An event at tick ${event.tick} cannot be scheduled: tick ${this.ticks} is next.`);
    const queue = this.queue.slice();
    let place = queue.length;
    while (place > 0 && comesAfter(queue[place - 1] as SystemEvent, event)) place--;
    queue.splice(place, 0, event);
    this.queue = queue;
  }

  advance(ticks: number): void {
    for (let i = 0; i < ticks; i++) this.step();
  }

  /** An independent run with the same past. */
  fork(): Simulation {
    return new Simulation(this.plan, this.seed, this);
  }

  /** 16 hexadecimal digits over state, record, journal and what is pending. */
  hash(): string {
    return hashWords([this.state.words(), ...this.recorder.words()], JSON.stringify([this.happenings, this.queue]));
  }

  node(column: NodeColumn, node: number, tick: number): number {
    return this.recorder.node(column, node, tick);
  }

  call(column: CallColumn, call: number, tick: number): number {
    return this.recorder.call(column, call, tick);
  }

  user(column: UserColumn, entry: number, tick: number): number {
    return this.recorder.user(column, entry, tick);
  }

  nodeRow(node: number, tick: number, row: Row): void {
    this.recorder.nodeRow(node, tick, row);
  }

  callRow(call: number, tick: number, common: Row, rare: Row): boolean {
    return this.recorder.callRow(call, tick, common, rare);
  }

  versionAt(deployable: string, tick: number, cohort: Cohort = 0, zone?: string): string {
    const found = this.plan.deployables.find((each) => each.id === deployable);
    if (!found) throw new RangeError(`There is no deployable ${deployable}.`);
    let version = found.current;
    // Without a second cohort a partial roll-out goes to everybody.
    const parted = this.plan.groups.some(({ service, count }) => service.name === found.service && count === 2);
    for (const event of this.happenings) {
      if (event.tick > tick) break;
      if (event.kind !== "deployed" || event.deployable !== deployable) continue;
      if (event.zone && zone && event.zone !== zone) continue;
      if (event.share < 1 && cohort === 0 && parted) continue;
      version = event.version;
    }
    return version;
  }

  /** The value of a service's parameter in force now. @throws RangeError when there is no such service in that zone. */
  parameter(service: string, zone: string, cohort: Cohort, name: ServiceParameter): number {
    const place = this.plan.nodes.find(
      (node) => node.service.name === service && node.zone === zone && node.cohort === cohort,
    );
    if (!place) throw new RangeError(`There is no service ${service} in ${zone} with a cohort ${cohort}.`);
    return this.state.node(name).get(place.index);
  }

  private begin(): void {
    this.inForce.apply();
    this.lifecycle.begin();
    this.share();
    this.stressed = SETTLING;
    for (let i = 0; i < SETTLING; i++) this.step();
    this.ticks = 0;
    this.settling = false;
    this.stressed = 0;
    this.happenings.length = 0;
    this.state.forgetTotals();
    this.recorder.forget();
  }

  private step(): void {
    const tick = this.settling ? 0 : this.ticks;
    if (!this.settling) this.due(tick);
    this.lifecycle.tick(this.ticks);
    this.load(this.settling ? this.ticks - SETTLING : this.ticks);
    const steps = this.stressed > 0 || this.strained() ? STRESSED : 1;
    if (this.stressed > 0) this.stressed--;
    const seconds = TICK_SECONDS / steps;
    for (let i = 0; i < steps; i++) {
      this.users(seconds);
      this.flow.run(seconds);
      this.feedback.run(seconds);
      this.stores.run(seconds);
    }
    if (!this.settling) this.recorder.write(this.ticks);
    this.ticks++;
  }

  /** Lets the events of a tick happen. */
  private due(tick: number): void {
    let count = 0;
    while (count < this.queue.length && (this.queue[count] as SystemEvent).tick <= tick) count++;
    if (!count) return;
    const now = this.queue.slice(0, count);
    this.queue = this.queue.slice(count);
    for (const event of now) {
      this.happenings.push(event);
      const more = happen(event, {
        plan: this.plan,
        wiring: this.circuit.wiring,
        state: this.state,
        inForce: this.inForce,
        lifecycle: this.lifecycle,
        stores: this.stores,
        now: tick * TICK_SECONDS,
      });
      for (const next of more) this.schedule({ ...next, tick: Math.max(tick + 1, next.tick) });
    }
    this.share();
    this.stressed = STRESSED_AFTER_EVENT;
  }

  private tell(what: Happening, origin: SystemEvent["origin"]): void {
    if (this.settling) return;
    this.happenings.push({ ...what, tick: this.ticks, origin });
    this.stressed = STRESSED_AFTER_EVENT;
  }

  private tellFilled(node: number): void {
    const place = this.plan.nodes[node];
    if (place) this.tell({ kind: "disk_filled", service: place.service.name, zone: place.zone }, "system");
  }

  /** Whether anything is busy or failing enough for large steps to miss it. */
  private strained(): boolean {
    const { n, c } = this;
    const { live, liveCalls } = this.circuit.wiring;
    for (let i = 0; i < live.length; i++) {
      const at = (live[i] as number) * N.count;
      if ((n[at + N.utilisation] as number) > 0.8 || (n[at + N.poison] as number) > 0) return true;
    }
    for (let i = 0; i < liveCalls.length; i++)
      if ((c[(liveCalls[i] as number) * C.count + C.failure] as number) > 0.02) return true;
    return false;
  }

  /**
   * What users want in this tick: load × the zone's share × time of day × wandering. The truth stream moves once a tick.
   */
  private load(tick: number): void {
    const { n, wanted, shares } = this;
    const { wander } = this.v;
    const { entryGroup, firstNode } = this.circuit.wiring;
    const dayFactor = timeOfDay(this.dayPhase + tick / DAY_TICKS);
    for (let entry = 0; entry < wander.length; entry++) {
      const wanders = WANDER_KEPT * (wander[entry] as number) + WANDER * this.luck.normal(entry, tick);
      const at = (firstNode[entryGroup[entry] as number] as number) * N.count;
      wander[entry] = wanders;
      wanted[entry] = (n[at + N.load] as number) * (shares[entry] as number) * dayFactor * (1 + wanders);
    }
  }

  /** Users' rate of every entry: what they want, and those who try again. */
  private users(seconds: number): void {
    const { wanted } = this;
    const { offered, pending } = this.v;
    for (let entry = 0; entry < wanted.length; entry++)
      offered[entry] = Math.max((wanted[entry] as number) + returning(pending[entry] as number, seconds), 0);
  }

  /** How the users of a service are shared out among its entries, by the weights of their zones. */
  private share(): void {
    const { entries } = this.plan;
    const { zoneWeight } = this.state;
    for (const entry of entries) {
      let weights = 0;
      for (const other of entries)
        if (other.service === entry.service) weights += zoneWeight[other.zoneIndex] as number;
      this.shares[entry.index] = weights > 0 ? (zoneWeight[entry.zoneIndex] as number) / weights : 0;
    }
  }
}

/** Events of one tick: by kind, then target, then the order in which they were scheduled. */
function comesAfter(placed: SystemEvent, event: SystemEvent): boolean {
  if (placed.tick !== event.tick) return placed.tick > event.tick;
  if (placed.kind !== event.kind) return placed.kind > event.kind;
  return targetOf(placed) > targetOf(event);
}

function targetOf(event: SystemEvent): string {
  if ("service" in event) return event.service;
  if ("deployable" in event) return event.deployable;
  if ("id" in event) return event.id;
  if ("call" in event) return event.call;
  return event.zone;
}

function viewsOf(state: State) {
  return {
    wander: state.entry("noise"),
    offered: state.entry("offered"),
    pending: state.entry("pending"),
  };
}
