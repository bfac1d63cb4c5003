/** The only arithmetic beyond + − × ÷ and √ that the pure layers use; bit-exact on every engine. */

/** `x` held within [low, high]. NaN becomes `low`. */
export function clamp(x: number, low = 0, high = 1): number {
  return x > low ? Math.min(x, high) : low;
}

/** Rounds to `digits` decimals, half away from zero; used for numbers that are shown. */
export function round(x: number, digits = 0): number {
  const scale = POWERS_OF_TEN[digits] ?? 1;
  const magnitude = Math.floor(Math.abs(x) * scale + 0.5) / scale;
  return x < 0 ? 0 - magnitude : magnitude;
}

const POWERS_OF_TEN = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000];

/** The arithmetic mean; 0 for an empty list. */
export function mean(values: readonly number[]): number {
  if (values.length === 0) return 0;
  let total = 0;
  for (const value of values) total += value;
  return total / values.length;
}

/** The q-quantile (0..1) of unsorted values by linear interpolation (Hyndman and Fan's type 7); NaN when empty. */
export function quantile(values: readonly number[], q: number): number {
  if (values.length === 0) return Number.NaN;
  const sorted = values.slice().sort((a, b) => a - b);
  const place = clamp(q) * (sorted.length - 1);
  const below = Math.floor(place);
  const low = sorted[below] as number;
  const high = sorted[below + 1] ?? low;
  return low + (high - low) * (place - below);
}

/** e^−x for x ≥ 0 as (1 + x/256)^−256: eight squarings and a division, absolute error below 0.0011. */
export function decay(x: number): number {
  // biome-ignore lint/complexity/useMathMinMax: NaN must become 0, and Math.max would keep it.
  let p = 1 + (x > 0 ? x : 0) / 256;
  p *= p;
  p *= p;
  p *= p;
  p *= p;
  p *= p;
  p *= p;
  p *= p;
  p *= p;
  return 1 / p;
}

/**
 * The cube root of x ≥ 0 by Halley's iteration, relative error below 1e-15; 0 for anything else. The argument is first brought into
 * [1/8, 1) by exact factors of 8, where three steps from the chord suffice.
 */
export function cubeRoot(x: number): number {
  if (!(x > 0) || x > Number.MAX_VALUE) return 0;
  let a = x;
  let scale = 1;
  while (a >= 1) {
    a /= 8;
    scale *= 2;
  }
  while (a < 0.125) {
    a *= 8;
    scale /= 2;
  }
  let y = 0.43 + 0.57 * a;
  for (let i = 0; i < 3; i++) {
    const cube = y * y * y;
    y *= (cube + 2 * a) / (2 * cube + a);
  }
  return y * scale;
}

/**
 * The standard normal distribution function, absolute error below 1.5e-7: a polynomial to the power of −16 (Hastings; Abramowitz and
 * Stegun, Handbook of Mathematical Functions, 26.2.19).
 */
export function normalCdf(z: number): number {
  const x = z < 0 ? -z : z;
  let p =
    1 +
    x *
      (0.049867347 +
        x * (0.0211410061 + x * (0.0032776263 + x * (0.0000380036 + x * (0.0000488906 + x * 0.000005383)))));
  p *= p;
  p *= p;
  p *= p;
  p *= p;
  const tail = 0.5 / p;
  return z < 0 ? tail : 1 - tail;
}
