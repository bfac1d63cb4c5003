/** One attempt to draw a case: strike, add noise, simulate, see which rules fire, and keep it only if it makes a fair episode. */
import type { Noise, Stream } from "../../../core/rng";
import { type Blackout, Gauge } from "../dependency-model/metrics";
import type { CausalSystem, Effect, Run, ServiceSpec, Simulation } from "../dependency-model/system";
import { callersOf } from "../dependency-model/topology";
import type { ChangeEvent, DrawnAlert, Severity } from "../draw";
import { canStrike, consumerOf } from "../evidence";
import { familyOf } from "../families";
import type { Family, Fault, ShownFacet, Strike } from "../families/family";
import type { Mechanism } from "../mechanisms";
import { drawNoise, isHeavy, kindsInTurn, type NoiseSource } from "../noise";
import { rulesOf, type WatchRule } from "../rules";
import type { CaseKind, ScenarioSetting } from "../scenarios";
import { Sealed } from "../truth";
import { accept } from "./acceptance";
import { blackoutsFor, herringsOf } from "./background";
import { drawnAlert, GeneratedDraw, pastFirings } from "./drawn";
import { type FiredRule, firedIn, type Membership, membership } from "./firings";
import { type Alone, type Judgement, judgeAlone, judgeQuiet, judgeTogether, LAST_JUDGED } from "./impact";
import { Rejection } from "./rejection";
import { truthOf } from "./sealing";
import { selectAlerts } from "./selection";
import { sizeFor } from "./sizing";

/** History kept before the page, minutes. */
export const FROM_MINUTE = -90;

/** Minutes before the page in which a fault begins. */
const LEAD = [4.5, 25] as const;
const PLACES_TRIED = 2;

/** A fault to be drawn: its family and how severe it shall be. */
export interface Wanted {
  readonly mechanism: Mechanism;
  readonly aim: Severity;
}

/** One fault of a draw with its place and time. */
export interface Struck {
  readonly family: Family;
  readonly place: ServiceSpec;
  readonly onset: number;
  readonly healed: number | null;
  readonly fault: Fault;
}

/** Everything drawn before the simulation. */
export interface Plan {
  readonly setting: ScenarioSetting;
  readonly system: CausalSystem;
  readonly kind: CaseKind;
  readonly struck: readonly Struck[];
  readonly sources: readonly NoiseSource[];
  readonly herrings: readonly ChangeEvent[];
  readonly facets: readonly ShownFacet[];
  readonly blackouts: readonly Blackout[];
  readonly rules: readonly WatchRule[];
  readonly noise: Noise;
  readonly stream: Stream;
}

/** What the runs of a plan show. */
export interface Outcome {
  readonly gauge: Gauge;
  /** The run with each incident alone, the noise included. */
  readonly alone: readonly Run[];
  /** The run with noise only. */
  readonly none: Run;
  /** One for each incident. */
  readonly severities: readonly Judgement[];
}

/** One attempt, in pieces of a few milliseconds. @throws Rejection when the draw would not make a fair episode. */
export function* attempt(
  setting: ScenarioSetting,
  system: CausalSystem,
  kind: CaseKind,
  wanted: readonly Wanted[],
  stream: Stream,
  canary: string,
  rejected: number,
): Generator<void, GeneratedDraw> {
  const plan = yield* planOf(setting, system, kind, wanted, stream);
  const outcome = yield* simulate(plan);
  const fired = firedIn(outcome.gauge, plan.rules);
  yield;
  const chosen = selectAlerts(plan, fired, yield* shares(plan, outcome, fired));
  yield;
  const ids = new Map<number, string>(chosen.order.map((rule, i) => [rule, `a${String(i + 1).padStart(2, "0")}`]));
  const targets = {
    zones: setting.size.zoned ? system.spec.zones : [],
    instances: setting.size.copies[1],
    stream: stream.fork("labels"),
  };
  const alerts: readonly DrawnAlert[] = chosen.order.map((rule) =>
    drawnAlert(
      ids.get(rule) as string,
      fired.get(rule) as FiredRule,
      outcome.gauge,
      targets,
      pastFirings(chosen.noise.includes(rule), stream.fork(`past ${rule}`)),
    ),
  );
  const changes = [
    ...plan.struck.flatMap(({ fault }) => fault.changes),
    ...plan.sources.flatMap((source) => source.changes),
    ...plan.herrings,
  ];
  const draw = new GeneratedDraw({
    system,
    gauge: outcome.gauge,
    noise: plan.noise,
    alerts,
    changes: changes.sort(byMinute),
    facets: plan.facets,
    startOfDay: stream.fork("clock").integer(0, 1439),
    rejected,
    truth: new Sealed(truthOf(plan, chosen, ids, outcome.severities, canary)),
  });
  yield* accept(plan, draw);
  return draw;
}

function byMinute(a: ChangeEvent, b: ChangeEvent): number {
  if (a.minute !== b.minute) return a.minute - b.minute;
  const left = `${a.service} ${a.kind} ${a.text}`;
  const right = `${b.service} ${b.kind} ${b.text}`;
  return left < right ? -1 : left > right ? 1 : 0;
}

function* planOf(
  setting: ScenarioSetting,
  system: CausalSystem,
  kind: CaseKind,
  wanted: readonly Wanted[],
  stream: Stream,
): Generator<void, Plan> {
  const struck: Struck[] = [];
  for (const [i, one] of wanted.entries()) {
    struck.push(yield* strike(system, kind, one, struck, stream.fork(`fault ${i}`)));
  }
  const sources = noiseOf(setting, system, kind, struck, stream.fork("noise"));
  const { changes, facets } = herringsOf(setting, system, struck, stream.fork("herrings"));
  const watching = sources.flatMap((source) => source.rules);
  // A source brings the rule of its name on its service; the system has no second one there.
  const taken = new Set(watching.map((rule) => `${rule.name} ${rule.service.name}`));
  const usual = rulesOf(system, setting.size.zoned, stream.fork("rules"));
  const rules = [...usual.filter((rule) => !taken.has(`${rule.name} ${rule.service.name}`)), ...watching];
  return {
    setting,
    system,
    kind,
    struck,
    sources,
    herrings: changes,
    facets: [...struck.flatMap(({ fault }) => fault.facets), ...facets],
    blackouts: blackoutsFor(system, kind, struck, stream.fork("blackouts")),
    rules,
    noise: stream.fork("measurement").noise(),
    stream,
  };
}

function* strike(
  system: CausalSystem,
  kind: CaseKind,
  { mechanism, aim }: Wanted,
  earlier: readonly Struck[],
  stream: Stream,
): Generator<void, Struck> {
  const family = familyOf(mechanism);
  const taken = new Set(earlier.map((other) => other.place.name));
  const places = system.spec.services.filter(
    (service) => canStrike(system, family, service) && !taken.has(service.name) && canBeFelt(system, service.name, aim),
  );
  let refusal = new Rejection(`no place for ${mechanism}`);
  for (const place of stream.shuffle(places).slice(0, PLACES_TRIED)) {
    try {
      return yield* strikeAt(system, kind, family, place, aim, stream.fork(place.name));
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      refusal = error;
    }
  }
  throw refusal;
}

/** Whether a fault there can reach a service that makes the severity: the service itself or, through calls, one that depends on it. */
function canBeFelt(system: CausalSystem, place: string, aim: Severity): boolean {
  if (aim === "P3") return true;
  const reached = new Set([place]);
  for (const name of reached) {
    const service = system.spec.services.find((candidate) => candidate.name === name);
    if (aim === "P1" ? service?.revenue : service?.customerFacing) return true;
    for (const caller of callersOf(system.spec, name)) reached.add(caller);
  }
  return false;
}

function* strikeAt(
  system: CausalSystem,
  kind: CaseKind,
  family: Family,
  place: ServiceSpec,
  aim: Severity,
  stream: Stream,
): Generator<void, Struck> {
  const healed = kind === "self_recovered" ? quarter(stream.between(-5, 0)) : null;
  const [least, most] = family.lead ?? LEAD;
  const onset = quarter(healed === null ? 0 - stream.between(least, most) : healed - stream.between(7, 18));
  const at = (size: number): Strike => ({
    place,
    onset,
    healed,
    size,
    zones: system.spec.zones,
    calmLatency: system.calm(place.name, "latency"),
    consumer: consumerOf(system, place.name),
    stream: stream.fork("strike"),
  });
  const size = yield* sizeFor(system, (trial) => family.strike(at(trial)), aim, stream.fork("size"));
  const fault = family.strike(at(size));
  return { family, place, onset, healed, fault: kind === "undetermined" ? silent(fault) : fault };
}

/** An under-determined fault leaves no change that would tell. */
function silent(fault: Fault): Fault {
  return { ...fault, changes: [] };
}

/** Onto the grid of ticks. */
function quarter(minute: number): number {
  return Math.floor(minute * 4 + 0.5) / 4;
}

function noiseOf(
  setting: ScenarioSetting,
  system: CausalSystem,
  kind: CaseKind,
  struck: readonly Struck[],
  stream: Stream,
): readonly NoiseSource[] {
  const { sources, copies } = setting.size;
  const wanted = stream.integer(sources[0], sources[1]) + (kind === "no_fault" ? 4 : 2);
  const taken = new Set(struck.map(({ place }) => place.name));
  const drawn: NoiseSource[] = [];
  let heavy = 0;
  for (const [i, name] of kindsInTurn(stream).entries()) {
    if (drawn.length >= wanted) break;
    if (isHeavy(name) && heavy > 0) continue;
    const own = stream.fork(`${i} ${name}`);
    const source = drawNoise(
      name,
      system,
      (service) => !taken.has(service.name),
      own.integer(copies[0], copies[1]) + (kind === "no_fault" ? 1 : 0),
      setting.info.maxMinutes,
      own,
    );
    if (source === null) continue;
    taken.add(source.service.name);
    if (isHeavy(name)) heavy++;
    drawn.push(source);
  }
  return drawn;
}

/**
 * The run without incidents, and as branches of it those with all of them and with each alone. Each is judged as soon as it has
 * come far enough, so that most unfair attempts end before the long rest is worked out.
 */
function* simulate(plan: Plan): Generator<void, Outcome> {
  const { system, struck, sources, setting, noise } = plan;
  const background = sources.flatMap((source) => source.effects);
  const weather = plan.stream.fork("weather").noise();
  const quiet = system.begin(background, FROM_MINUTE, setting.info.maxMinutes, weather);
  const under = struck.length > 1 ? [...struck.map((one) => [one]), struck] : struck.map((one) => [one]);
  const branches: Simulation[] = [];
  for (const faults of under.slice().sort((a, b) => sharedUntil(a) - sharedUntil(b))) {
    yield* advance(quiet, sharedUntil(faults));
    branches[under.indexOf(faults)] = quiet.branch(effectsOf(background, faults));
  }
  const alone = branches.slice(0, struck.length);
  const judged: Alone[] = [];
  for (const [i, one] of struck.entries()) {
    const own = alone[i] as Simulation;
    yield* advance(own, LAST_JUDGED);
    judged.push(judgeAlone(plan, own.run, one));
  }
  yield* advance(quiet, LAST_JUDGED);
  judgeQuiet(plan, quiet.run);
  const full = branches[branches.length - 1] ?? quiet;
  yield* advance(full, LAST_JUDGED);
  const severities = judgeTogether(plan, full.run, judged);
  for (const simulation of new Set([quiet, full, ...alone])) yield* advance(simulation, setting.info.maxMinutes);
  const gauge = new Gauge(full.run, noise, effectsOf(background, struck), plan.blackouts);
  return { gauge, alone: alone.map(({ run }) => run), none: quiet.run, severities };
}

/** The last minute before any of the faults changes anything. */
function sharedUntil(faults: readonly Struck[]): number {
  let until = Number.POSITIVE_INFINITY;
  for (const { fault } of faults)
    for (const { profile } of fault.effects) {
      const [first] = profile;
      if (first !== undefined) until = Math.min(until, first[1] === 0 ? first[0] : Number.NEGATIVE_INFINITY);
    }
  return until;
}

/** Minutes worked out in a piece. */
const PIECE = 15;

function* advance(simulation: Simulation, toMinute: number): Generator<void, void> {
  for (let minute = simulation.minute; minute < toMinute; ) {
    minute = Math.min(minute + PIECE, toMinute);
    simulation.advance(minute);
    yield;
  }
}

function effectsOf(background: readonly Effect[], faults: readonly Struck[]): readonly Effect[] {
  return [...background, ...faults.flatMap(({ fault }) => fault.effects)];
}

function* shares(plan: Plan, outcome: Outcome, fired: ReadonlyMap<number, FiredRule>): Generator<void, Membership> {
  const background = plan.sources.flatMap((source) => source.effects);
  const firedBy = (run: Run, faults: readonly Struck[]) =>
    firedIn(new Gauge(run, plan.noise, effectsOf(background, faults), plan.blackouts), plan.rules);
  if (plan.struck.length === 0) return membership(fired, [], fired);
  const none = firedBy(outcome.none, []);
  if (plan.struck.length === 1) return membership(fired, [fired], none);
  const alone: ReadonlyMap<number, FiredRule>[] = [];
  for (const [i, one] of plan.struck.entries()) {
    yield;
    alone.push(firedBy(outcome.alone[i] as Run, [one]));
  }
  return membership(fired, alone, none);
}
