/**
 * How much the page itself gives away: a nearest-neighbour classifier that names the family of an episode from its first
 * observation alone. Where it is right too often, brief and first screen leak the answer.
 */
import type { Observation } from "../core/world";

/** A first observation reduced to weighted tokens, with the family it turned out to be. */
export interface PageSample {
  readonly family: string;
  readonly tokens: ReadonlyMap<string, number>;
}

/** The neighbourhoods tried; the best of them is reported, so that the check is never too mild. */
export const NEIGHBOURHOODS = [1, 5, 15] as const;

/**
 * Every value in an observation as a token with its place (list positions left out), numbers in buckets by power of two,
 * and every list element as one token of all its texts, so that "this alert on that service" counts as one thing.
 */
export function pageTokens(observation: Observation): ReadonlyMap<string, number> {
  const tokens = new Map<string, number>();
  collect(observation, "", tokens);
  return tokens;
}

function collect(value: unknown, place: string, tokens: Map<string, number>): void {
  if (Array.isArray(value)) {
    add(tokens, `${place}#${bucket(value.length)}`);
    for (const element of value) {
      collect(element, `${place}[]`, tokens);
      if (isRecord(element)) add(tokens, `${place}[]=${texts(element)}`);
    }
  } else if (isRecord(value)) for (const key of Object.keys(value)) collect(value[key], `${place}.${key}`, tokens);
  else if (typeof value === "number") add(tokens, `${place}~${bucket(value)}`);
  else add(tokens, `${place}=${String(value)}`);
}

function texts(record: Record<string, unknown>): string {
  const parts: string[] = [];
  for (const key of Object.keys(record)) {
    const value = record[key];
    if (typeof value === "string" && key !== "id") parts.push(value);
  }
  return parts.join("|");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function add(tokens: Map<string, number>, token: string): void {
  tokens.set(token, (tokens.get(token) ?? 0) + 1);
}

/** The power of two a number lies under, signed: 0, ±1 (up to 1), ±2 (up to 2), ±3 (up to 4) … */
function bucket(value: number): number {
  let step = 0;
  for (let rest = Math.abs(value); rest > 0 && step < 64; step++) {
    if (rest <= 1) {
      step++;
      break;
    }
    rest /= 2;
  }
  return value < 0 ? 0 - step : step;
}

/**
 * Share of `test` whose family the `train` samples name rightly, by a vote of the k nearest (cosine similarity, tokens
 * weighted down by how many samples have them), for the best k of `NEIGHBOURHOODS`. 0 when either list is empty. A sample
 * that is in both lists is judged by the others. Pauses after each sample.
 */
export function* familyAccuracy(train: readonly PageSample[], test: readonly PageSample[]): Generator<void, number> {
  if (train.length === 0 || test.length === 0) return 0;
  const weigh = weights(train);
  const index = indexOf(train, weigh);
  const right = NEIGHBOURHOODS.map(() => 0);
  for (const sample of test) {
    const likeness = new Float64Array(train.length);
    for (const [token, weight] of normalised(sample.tokens, weigh))
      for (const [i, other] of index.get(token) ?? []) likeness[i] = (likeness[i] ?? 0) + weight * other;
    const ranked = train
      .map((other, i) => ({ other, family: other.family, i, likeness: likeness[i] ?? 0 }))
      .filter(({ other }) => other !== sample)
      .sort((a, b) => b.likeness - a.likeness || a.i - b.i);
    NEIGHBOURHOODS.forEach((k, place) => {
      if (vote(ranked.slice(0, k)) === sample.family) right[place] = (right[place] ?? 0) + 1;
    });
    yield;
  }
  return Math.max(...right) / test.length;
}

/** Which samples have a token, and with what weight. */
function indexOf(samples: readonly PageSample[], weigh: (token: string) => number) {
  const index = new Map<string, [sample: number, weight: number][]>();
  samples.forEach((sample, i) => {
    for (const [token, weight] of normalised(sample.tokens, weigh)) {
      const list = index.get(token);
      if (list) list.push([i, weight]);
      else index.set(token, [[i, weight]]);
    }
  });
  return index;
}

function weights(samples: readonly PageSample[]): (token: string) => number {
  const seen = new Map<string, number>();
  for (const { tokens } of samples) for (const token of tokens.keys()) add(seen, token);
  return (token) => {
    const share = (seen.get(token) ?? 0) / samples.length;
    return share > 0 ? 1 - share : 0;
  };
}

function normalised(tokens: ReadonlyMap<string, number>, weigh: (token: string) => number): Map<string, number> {
  const vector = new Map<string, number>();
  let squares = 0;
  for (const [token, count] of tokens) {
    const weight = Math.sqrt(count) * weigh(token);
    if (weight === 0) continue;
    vector.set(token, weight);
    squares += weight * weight;
  }
  const length = Math.sqrt(squares);
  if (length > 0) for (const [token, weight] of vector) vector.set(token, weight / length);
  return vector;
}

/** The family with the largest sum of likeness; the nearer one on a tie. */
function vote(nearest: readonly { readonly family: string; readonly likeness: number }[]): string {
  const votes = new Map<string, number>();
  for (const { family, likeness } of nearest) votes.set(family, (votes.get(family) ?? 0) + likeness);
  let best = "";
  let most = -1;
  for (const [family, weight] of votes)
    if (weight > most) {
      best = family;
      most = weight;
    }
  return best;
}
