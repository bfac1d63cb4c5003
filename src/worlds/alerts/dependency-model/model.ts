/** The small causal system: calibrates a topology at normal load, then runs it tick by tick with the laws of `station.ts`. */
import { clamp, round } from "../../../core/math";
import { type Noise, seriesKey } from "../../../core/rng";
import { connectionsNeeded } from "./mechanisms";
import { recordedOfKind } from "./metrics";
import { answer, type Calibration, demand, Link, Node, prepare, recorded, STILL_WITHOUT } from "./station";
import {
  type CausalSystem,
  type EdgeSpec,
  type Effect,
  NEUTRAL,
  type Parameter,
  type Profile,
  type Quantity,
  type Run,
  type Simulation,
  type SystemSpec,
  TICKS_PER_MINUTE,
} from "./system";
import { callOrder } from "./topology";

/** Share of a pool in use at normal load. */
const POOL_USE = 0.4;
/** A caller waits four times the normal p95 of its dependency, at least half a second. */
const TIMEOUT_FACTOR = 4;
const LEAST_TIMEOUT_MS = 500;
/** Objectives allow two and a half times the normal p95. */
const OBJECTIVE_FACTOR = 2.5;
const SETTLING_TICKS = 12;
/** Normal load swings slowly within ±7 %, in knots of ten minutes. */
const SWING = 0.07;
const KNOT_MINUTES = 10;

/** @throws TopologyError when the graph is not sound. */
export function smallSystem(spec: SystemSpec): CausalSystem {
  return new SmallSystem(spec);
}

interface Graph {
  /** Callers first. */
  readonly nodes: readonly Node[];
  readonly byName: ReadonlyMap<string, Node>;
}

class SmallSystem implements CausalSystem {
  readonly order: readonly string[];
  private readonly calibrations = new Map<string, Calibration>();
  private readonly limits = new Map<EdgeSpec, number>();
  private readonly timeouts = new Map<EdgeSpec, number>();
  private readonly quiet = new Map<string, number>();
  private readonly stills = new Map<string, Float32Array>();

  constructor(readonly spec: SystemSpec) {
    this.order = callOrder(spec);
    this.calibrate();
  }

  calm(service: string, quantity: Quantity): number {
    return this.quiet.get(`${service}/${quantity}`) ?? 0;
  }

  simulate(
    effects: readonly Effect[],
    fromMinute: number,
    toMinute: number,
    weather: Noise,
    only?: readonly Quantity[],
  ): Run {
    const simulation = this.begin(effects, fromMinute, toMinute, weather, only);
    simulation.advance(toMinute);
    return simulation.run;
  }

  begin(
    effects: readonly Effect[],
    fromMinute: number,
    toMinute: number,
    weather: Noise,
    only?: readonly Quantity[],
  ): Simulation {
    const pulse = new Swing(weather, seriesKey("load"));
    const ticks = (toMinute - fromMinute) * TICKS_PER_MINUTE + 1;
    const start = (others: readonly Effect[], origin: SmallSimulation | null): SmallSimulation => {
      const graph = this.build();
      const tracks = graph.nodes.map((node) => this.trackOf(node, ticks, others, only));
      const run = new SmallRun(fromMinute, toMinute, ticks, tracks);
      return new SmallSimulation(graph, tracks, run, others, pulse, (next, now) => start(next, now), origin);
    };
    return start(effects, null);
  }

  /** First the loads, then latencies with unlimited pools, then pools and objectives, then the quiet values. */
  private calibrate(): void {
    for (const service of this.spec.services) {
      this.calibrations.set(service.name, {
        load: 1e9,
        latency: service.ownMs,
        capacity: 1e9,
        dependencies: 0,
        objective: 1e9,
      });
    }
    this.settle((node, own) => {
      own.load = node.load;
      own.capacity = Math.max(node.load, 0.01) / node.spec.utilisation;
    });
    this.settle((node, own) => {
      own.latency = node.latency;
      own.dependencies = node.dependencies;
      own.objective = OBJECTIVE_FACTOR * node.latency;
    });
    for (const edge of this.spec.edges) {
      const to = this.calibrations.get(edge.to) as Calibration;
      const from = this.calibrations.get(edge.from) as Calibration;
      this.timeouts.set(edge, Math.max(LEAST_TIMEOUT_MS, TIMEOUT_FACTOR * to.latency));
      if (edge.pooled === true) this.limits.set(edge, connectionsNeeded(from.load * edge.calls, to.latency) / POOL_USE);
    }
    this.settle((node) => {
      for (const quantity of recordedOfKind(node.spec.kind)) {
        this.quiet.set(`${node.spec.name}/${quantity}`, round(recorded(node, quantity, 0), 6));
      }
    });
  }

  private settle(learn: (node: Node, own: Calibration) => void): void {
    const graph = this.build();
    for (let tick = 0; tick < 3 * SETTLING_TICKS; tick++) advance(graph, 1);
    for (const node of graph.nodes) learn(node, this.calibrations.get(node.spec.name) as Calibration);
  }

  private trackOf(node: Node, ticks: number, effects: readonly Effect[], only: readonly Quantity[] | undefined): Track {
    const touched = new Set(
      effects.filter((effect) => effect.service === node.spec.name).map((effect) => effect.parameter),
    );
    const all = only ?? recordedOfKind(node.spec.kind);
    const moving = all.filter((quantity) => !isStill(quantity, touched));
    const track = new Track(
      node,
      moving,
      moving.map(() => new Float32Array(ticks)),
    );
    for (const quantity of all)
      if (isStill(quantity, touched)) track.still.set(quantity, this.stillColumn(node, quantity, ticks));
    return track;
  }

  /** A column of one value; runs share it. */
  private stillColumn(node: Node, quantity: Quantity, ticks: number): Float32Array {
    const key = `${node.spec.name}/${quantity}/${ticks}`;
    let column = this.stills.get(key);
    if (column === undefined) {
      column = new Float32Array(ticks).fill(recorded(node, quantity, 0));
      this.stills.set(key, column);
    }
    return column;
  }

  private build(): Graph {
    const byName = new Map<string, Node>();
    for (const service of this.spec.services) {
      byName.set(service.name, new Node(service, this.calibrations.get(service.name) as Calibration));
    }
    const sorted = this.spec.edges.slice().sort(byEnds);
    for (const edge of sorted) {
      const from = byName.get(edge.from) as Node;
      const behind = edge.behind === undefined ? undefined : byName.get(edge.behind);
      const limit = this.limits.get(edge) ?? Number.POSITIVE_INFINITY;
      const link = new Link(
        edge,
        from,
        byName.get(edge.to) as Node,
        behind,
        limit === Number.POSITIVE_INFINITY ? 1e9 : limit,
        this.timeouts.get(edge) ?? 1e9,
      );
      from.out.push(link);
    }
    return { nodes: this.order.map((name) => byName.get(name) as Node), byName };
  }
}

function byEnds(a: EdgeSpec, b: EdgeSpec): number {
  const left = `${a.from} ${a.to} ${a.kind}`;
  const right = `${b.from} ${b.to} ${b.kind}`;
  return left < right ? -1 : left > right ? 1 : 0;
}

function advance(graph: Graph, weather: number): void {
  const { nodes } = graph;
  for (const node of nodes) prepare(node);
  for (const node of nodes) demand(node, weather);
  for (let i = nodes.length - 1; i >= 0; i--) answer(nodes[i] as Node);
}

/** One effect with a pointer into its profile; minutes only grow. */
class Schedule {
  private readonly node: Node;
  private readonly share: number;
  private readonly profile: Profile;
  private next = 0;

  constructor(
    private readonly effect: Effect,
    graph: Graph,
  ) {
    const node = graph.byName.get(effect.service);
    if (node === undefined)
      throw new RangeError(`An effect names "${effect.service}", which is not a service of this system.`);
    this.node = node;
    this.share = effect.facet?.share ?? 1;
    this.profile = effect.profile;
  }

  clear(): void {
    this.node.effectsOn[this.effect.parameter] = NEUTRAL[this.effect.parameter];
  }

  apply(minute: number): void {
    while (this.next < this.profile.length && minute >= (this.profile[this.next] as readonly [number, number])[0])
      this.next++;
    const before = this.profile[this.next - 1];
    const after = this.profile[this.next];
    let amount = (before ?? after)?.[1] ?? 0;
    if (before !== undefined && after !== undefined) {
      amount = before[1] + ((after[1] - before[1]) * (minute - before[0])) / (after[0] - before[0]);
    }
    if (amount !== 0) this.node.effectsOn[this.effect.parameter] += amount * this.share;
  }
}

/** A slow swing in [−1, 1]: hashed knots, linear between them. */
class Swing {
  constructor(
    private readonly noise: Noise,
    private readonly key: number,
  ) {}

  at(minute: number): number {
    const place = minute / KNOT_MINUTES + 1000;
    const knot = Math.floor(place);
    const left = this.noise.normal(this.key, knot);
    const right = this.noise.normal(this.key, knot + 1);
    return clamp((left + (right - left) * (place - knot)) / 2, -1, 1);
  }
}

/** One tick after another; a branch copies the state and what was recorded so far. */
class SmallSimulation implements Simulation {
  private tick = -SETTLING_TICKS;
  private readonly active: readonly Schedule[];

  constructor(
    private readonly graph: Graph,
    private readonly tracks: readonly Track[],
    readonly run: Run,
    effects: readonly Effect[],
    private readonly pulse: Swing,
    private readonly start: (effects: readonly Effect[], origin: SmallSimulation) => SmallSimulation,
    origin: SmallSimulation | null,
  ) {
    this.active = effects.map((effect) => new Schedule(effect, graph));
    if (origin === null) return;
    this.tick = origin.tick;
    for (const [i, node] of graph.nodes.entries()) node.resume(origin.graph.nodes[i] as Node);
    for (const [i, track] of tracks.entries()) track.resume(origin.tracks[i] as Track, Math.max(0, this.tick));
  }

  get minute(): number {
    return this.run.fromMinute + (Math.max(0, this.tick) - 1) / TICKS_PER_MINUTE;
  }

  advance(toMinute: number): void {
    const { fromMinute, ticks } = this.run;
    const end = Math.min(ticks, Math.floor((toMinute - fromMinute) * TICKS_PER_MINUTE) + 1);
    for (; this.tick < end; this.tick++) {
      const minute = fromMinute + this.tick / TICKS_PER_MINUTE;
      for (const schedule of this.active) schedule.clear();
      for (const schedule of this.active) schedule.apply(minute);
      advance(this.graph, 1 + SWING * this.pulse.at(minute));
      if (this.tick >= 0) for (const track of this.tracks) track.record(this.tick, minute);
    }
  }

  branch(effects: readonly Effect[]): Simulation {
    return this.start(effects, this);
  }
}

class Track {
  readonly still = new Map<Quantity, Float32Array>();

  constructor(
    readonly node: Node,
    readonly quantities: readonly Quantity[],
    readonly columns: readonly Float32Array[],
  ) {}

  /** Takes over the first `ticks` values of a track of the same service. */
  resume(origin: Track, ticks: number): void {
    for (const [i, quantity] of this.quantities.entries()) {
      const place = origin.quantities.indexOf(quantity);
      const values = place < 0 ? origin.still.get(quantity) : origin.columns[place];
      if (values !== undefined) (this.columns[i] as Float32Array).set(values.subarray(0, ticks));
    }
  }

  record(tick: number, minute: number): void {
    for (let i = 0; i < this.quantities.length; i++) {
      (this.columns[i] as Float32Array)[tick] = recorded(this.node, this.quantities[i] as Quantity, minute);
    }
  }
}

function isStill(quantity: Quantity, touched: ReadonlySet<Parameter>): boolean {
  const movers = STILL_WITHOUT[quantity];
  return movers !== undefined && !movers.some((parameter) => touched.has(parameter));
}

class SmallRun implements Run {
  private readonly columns = new Map<string, Map<Quantity, Float32Array>>();

  constructor(
    readonly fromMinute: number,
    readonly toMinute: number,
    readonly ticks: number,
    tracks: readonly Track[],
  ) {
    for (const track of tracks) {
      const own = new Map<Quantity, Float32Array>(track.still);
      for (const [i, quantity] of track.quantities.entries()) own.set(quantity, track.columns[i] as Float32Array);
      this.columns.set(track.node.spec.name, own);
    }
  }

  column(service: string, quantity: Quantity): Float32Array | undefined {
    return this.columns.get(service)?.get(quantity);
  }
}
