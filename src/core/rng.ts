/**
 * Seeded randomness. Streams are forked by name, so two parts of a simulation never share one; measurement noise is a
 * pure function of (stream, series, tick), so the order of reads changes nothing.
 *
 * Generator: sfc32 (Chris Doty-Humphrey's Small Fast Counter, 128-bit state, passes PractRand).
 * Mixing: MurmurHash3's finaliser. Only 32-bit integer arithmetic is used: bit-exact on every engine.
 */

/** A seed a person may type: a whole number from 0 to 2^53 − 1. Seed 0 is a seed like any other. */
export type Seed = number;

/** Whether a value can be used as a seed. */
export function isSeed(value: unknown): value is Seed {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

/** A named stream of random numbers. */
export class Stream {
  private a: number;
  private b: number;
  private c: number;
  private counter = 1;

  private constructor(private readonly key: readonly [number, number, number]) {
    [this.a, this.b, this.c] = key;
    for (let i = 0; i < 12; i++) this.uint32();
  }

  /** The root stream of a seed. @throws RangeError when the seed is not a whole number from 0 to 2^53 − 1. */
  static of(seed: Seed, name = "root"): Stream {
    if (!isSeed(seed)) throw new RangeError(`The seed must be a whole number from 0 to 9007199254740991, not ${seed}.`);
    const low = seed >>> 0;
    const high = Math.floor(seed / 4294967296) >>> 0;
    const label = hashText(name);
    return new Stream([hash3(low, high, label), hash3(high, label, low), hash3(label, low, high)]);
  }

  /** An independent stream; depends only on this stream's origin and the name, not on how much was drawn. */
  fork(name: string): Stream {
    const label = hashText(name);
    const [a, b, c] = this.key;
    return new Stream([hash3(a, b, label), hash3(b, c, label ^ 0x9e3779b9), hash3(c, a, label ^ 0x7f4a7c15)]);
  }

  /** A whole number from 0 to 2^32 − 1. */
  uint32(): number {
    const t = (((this.a + this.b) | 0) + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (this.c << 21) | (this.c >>> 11);
    this.c = (this.c + t) | 0;
    return t >>> 0;
  }

  /** A number in [0, 1) with 32 bits of resolution. */
  unit(): number {
    return this.uint32() / 4294967296;
  }

  /** A number in [low, high). */
  between(low: number, high: number): number {
    return low + (high - low) * this.unit();
  }

  /** A whole number from low to high, both included. @throws RangeError when high < low. */
  integer(low: number, high: number): number {
    if (high < low) throw new RangeError(`No whole number lies between ${low} and ${high}.`);
    return low + Math.floor(this.unit() * (high - low + 1));
  }

  /** True with the given probability. */
  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  /** One element. @throws RangeError on an empty list. */
  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError("Cannot pick from an empty list.");
    return items[this.integer(0, items.length - 1)] as T;
  }

  /** One element with probability proportional to its weight (weights ≥ 0, not all 0). */
  weighted<T>(items: readonly (readonly [T, number])[]): T {
    let total = 0;
    for (const [, weight] of items) total += weight;
    if (!(total > 0)) throw new RangeError("Weights must have a positive sum.");
    let left = this.unit() * total;
    for (const [item, weight] of items) {
      left -= weight;
      if (left < 0) return item;
    }
    return (items[items.length - 1] as readonly [T, number])[0];
  }

  /** A shuffled copy (Fisher–Yates). */
  shuffle<T>(items: readonly T[]): T[] {
    const out = items.slice();
    for (let i = out.length - 1; i > 0; i--) {
      const j = this.integer(0, i);
      [out[i], out[j]] = [out[j] as T, out[i] as T];
    }
    return out;
  }

  /** The counter-based noise source of this stream. */
  noise(): Noise {
    return new Noise(this.key[0] ^ this.key[1], this.key[2]);
  }
}

/** Noise that is a pure function of (stream, series, tick, draw). */
export class Noise {
  constructor(
    private readonly low: number,
    private readonly high: number,
  ) {}

  /** A number in [0, 1). `series` is a number from `seriesKey`; `draw` parts several numbers of one tick. */
  unit(series: number, tick: number, draw = 0): number {
    return hash3(this.low ^ series, this.high ^ Math.imul(tick, 0x9e3779b1), draw) / 4294967296;
  }

  /** About normal, mean 0, standard deviation 1, within ±3 (the sum of three uniforms, scaled). */
  normal(series: number, tick: number): number {
    // The draws 1, 2 and 3 of `unit`, which have most of their hash in common.
    const common = hash2(this.low ^ series, this.high ^ Math.imul(tick, 0x9e3779b1));
    return 2 * (mixIn(common, 1) / 4294967296 + mixIn(common, 2) / 4294967296 + mixIn(common, 3) / 4294967296 - 1.5);
  }
}

/** The numeric key of a named series, for `Noise`. */
export function seriesKey(name: string): number {
  return hashText(name);
}

function hashText(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return avalanche(h);
}

function hash3(a: number, b: number, c: number): number {
  return mixIn(hash2(a, b), c);
}

function hash2(a: number, b: number): number {
  return avalanche(avalanche(a ^ 0x2545f491) ^ Math.imul(b, 0xcc9e2d51));
}

function mixIn(h: number, c: number): number {
  return avalanche(h ^ Math.imul(c, 0x1b873593)) >>> 0;
}

function avalanche(h: number): number {
  let x = h ^ (h >>> 16);
  x = Math.imul(x, 0x85ebca6b);
  x ^= x >>> 13;
  x = Math.imul(x, 0xc2b2ae35);
  return x ^ (x >>> 16);
}
