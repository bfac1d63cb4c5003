/** The only arithmetic beyond + − × ÷ and √ that the pure layers use; bit-exact on every engine. */

/** `x` held within [low, high]. NaN becomes `low`. */
export function clamp(x: number, low = 0, high = 1): number {
  return x > low ? (x < high ? x : high) : low;
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
  let p = 1 + (x > 0 ? x : 0) / 256;
  for (let i = 0; i < 8; i++) p *= p;
  return 1 / p;
}
