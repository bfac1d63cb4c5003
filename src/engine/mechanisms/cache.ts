/**
 * Warmth of a cache: the share of its hot keys that it holds. Misses that were read in time fill it, entries expire. With f
 * successful miss reads a second per hot key, dw/dt = f(1 − w) − w/ttl; one backward Euler step.
 * Reads that failed or came too late fill nothing: a cache can stay cold for as long as its source is overloaded.
 */
export function warmth(warm: number, fill: number, ttl: number, seconds: number): number {
  return (warm + seconds * fill) / (1 + seconds * (fill + 1 / ttl));
}
