/** Which of the firing rules the system has: a system is watched by some of the possible rules, and the size of a draw is its scenario's. */
import type { Stream } from "../../../core/rng";
import type { WatchRule } from "../rules";
import type { Plan } from "./attempt";
import { type FiredRule, firesAt, type Membership } from "./firings";
import { Rejection } from "./rejection";

/** Share of noise among the alerts. */
const NOISE_SHARE = [0.32, 0.58] as const;
const NOISE_BOUNDS = [0.28, 0.62] as const;
/** Pairs of alert name and service the noise comes from; each can be silenced by itself. */
const MOST_NOISE_PAIRS = 5;
/** The same where nothing else fires. */
const MOST_PAIRS_ALONE = 8;
const LEAST_PER_INCIDENT = 4;
/** Noise that first rings later would only be met by players who wait; up to here it may still come while one reads evidence. */
const LATEST_NOISE = 6;
/** The same where there is nothing else: two reads are enough to see that all is well. */
const LATEST_NOISE_ALONE = 1;

export interface Selection {
  readonly incidents: readonly (readonly number[])[];
  readonly noise: readonly number[];
  /** All of them by first firing. */
  readonly order: readonly number[];
}

/** @throws Rejection when too few or too many alerts fire, or none at the page. */
export function selectAlerts(
  plan: Plan,
  fired: ReadonlyMap<number, FiredRule>,
  { incidents, noise }: Membership,
): Selection {
  const stream = plan.stream.fork("selection");
  const [least, most] = plan.setting.size.alerts;
  const total = stream.integer(least, most);
  const share = plan.struck.length === 0 ? 1 : stream.between(NOISE_SHARE[0], NOISE_SHARE[1]);
  const real = incidents.reduce((sum, own) => sum + own.length, 0);
  const wantedReal = Math.min(real, Math.floor(total * (1 - share) + 0.5));
  const kept = incidents.map((own) =>
    pickReal(own, Math.floor((wantedReal * own.length) / Math.max(1, real)), fired, stream),
  );
  const pairs = new Set(kept.flat().map((i) => pairOf(fired, i)));
  const count = kept.reduce((sum, own) => sum + own.length, 0);
  const wantedNoise = plan.struck.length === 0 ? total : noiseBeside(count, share, least, total);
  const noisy = pickNoise(noise, wantedNoise, pairs, fired, stream);
  const size = count + noisy.length;
  if (size < least || size > most) throw new Rejection(size < least ? "too few alerts" : "too many alerts");
  if (plan.struck.length > 0 && (noisy.length < NOISE_BOUNDS[0] * size || noisy.length > NOISE_BOUNDS[1] * size))
    throw new Rejection("too little noise");
  checkPage(plan, fired, kept, noisy);
  return { incidents: kept, noise: noisy, order: [...kept.flat(), ...noisy].sort(byFirstFiring(fired)) };
}

/** As much noise as the share asks for; a little more where an incident is too quiet for the scenario's size. */
function noiseBeside(real: number, share: number, least: number, total: number): number {
  const asked = Math.floor((real * share) / (1 - share) + 0.5);
  const most = Math.floor((real * NOISE_BOUNDS[1]) / (1 - NOISE_BOUNDS[1]));
  return Math.min(Math.max(asked, least - real), most, Math.max(total, least) - real);
}

/** Some of an incident's alerts; those that fire at the page come first, so that the page cannot get lost. */
function pickReal(
  own: readonly number[],
  wanted: number,
  fired: ReadonlyMap<number, FiredRule>,
  stream: Stream,
): readonly number[] {
  const mixed = stream.shuffle(own);
  const paging = mixed.find((i) => firesAt(fired.get(i) as FiredRule, 0));
  const rest = mixed.filter((i) => i !== paging);
  const ordered = paging === undefined ? rest : [paging, ...rest];
  return ordered.slice(0, Math.max(LEAST_PER_INCIDENT, wanted));
}

function pickNoise(
  noise: readonly number[],
  wanted: number,
  taken: ReadonlySet<string>,
  fired: ReadonlyMap<number, FiredRule>,
  stream: Stream,
): readonly number[] {
  const byPair = new Map<string, number[]>();
  const latest = taken.size === 0 ? LATEST_NOISE_ALONE : LATEST_NOISE;
  for (const i of noise) {
    const pair = pairOf(fired, i);
    if (taken.has(pair) || firstFiring(fired, i) > latest) continue;
    const list = byPair.get(pair) ?? [];
    list.push(i);
    byPair.set(pair, list);
  }
  const pairs = stream.shuffle([...byPair.values()]).slice(0, taken.size === 0 ? MOST_PAIRS_ALONE : MOST_NOISE_PAIRS);
  const chosen: number[] = [];
  // Round by round, so that every source is heard before one is heard twice.
  for (let round = 0; chosen.length < wanted && pairs.some((pair) => pair.length > round); round++) {
    for (const pair of pairs) {
      const i = pair[round];
      if (i !== undefined && chosen.length < wanted) chosen.push(i);
    }
  }
  return chosen;
}

function pairOf(fired: ReadonlyMap<number, FiredRule>, i: number): string {
  const { rule } = fired.get(i) as { rule: WatchRule };
  return `${rule.name} ${rule.service.name}`;
}

function checkPage(
  plan: Plan,
  fired: ReadonlyMap<number, FiredRule>,
  incidents: readonly (readonly number[])[],
  noise: readonly number[],
): void {
  const at = (i: number, minute: number) => firesAt(fired.get(i) as FiredRule, minute);
  if (incidents.some((own) => own.length < LEAST_PER_INCIDENT))
    throw new Rejection("an incident raises too few alerts");
  if (plan.kind === "no_fault") {
    if (!noise.some((i) => at(i, 0))) throw new Rejection("nothing fires at the page");
    return;
  }
  if (incidents.some((own) => !own.some((i) => at(i, 0)))) throw new Rejection("an incident does not page");
  if (plan.kind === "self_recovered" && incidents.some((own) => own.some((i) => at(i, 15))))
    throw new Rejection("not over in time");
}

function firstFiring(fired: ReadonlyMap<number, FiredRule>, i: number): number {
  return fired.get(i)?.spans[0]?.from ?? 0;
}

function byFirstFiring(fired: ReadonlyMap<number, FiredRule>): (a: number, b: number) => number {
  return (a, b) => firstFiring(fired, a) - firstFiring(fired, b) || a - b;
}
