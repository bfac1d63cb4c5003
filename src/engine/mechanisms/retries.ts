/**
 * Retries. An attempt fails with probability p, independently of the others, except for the share z of requests that no attempt
 * can get through (a partition): those fail every time. Retries can therefore hide independent failures but never a partition.
 */

/** Beyond so many calls the product has long decided. */
const MOST_CALLS = 64;

/** Mean attempts of a request, 1..retries + 1: z(r + 1) + (1 − z)(1 + p + … + p^r). */
export function attempts(failure: number, retries: number, unreachable: number): number {
  let sum = 1;
  let power = 1;
  for (let i = 0; i < retries; i++) {
    power *= failure;
    sum += power;
  }
  return unreachable * (retries + 1) + (1 - unreachable) * sum;
}

/** Share of requests that fail after all retries, 0..1: z + (1 − z) p^(r + 1). */
export function failureAfterRetries(failure: number, retries: number, unreachable: number): number {
  let power = failure;
  for (let i = 0; i < retries; i++) power *= failure;
  return unreachable + (1 - unreachable) * power;
}

/** Share of callers' requests in which at least one of `calls` (not always whole) calls fails: 1 − (1 − f)^⌊c⌋ (1 − (c − ⌊c⌋) f). */
export function anyFails(failure: number, calls: number): number {
  if (failure <= 0) return 0;
  let whole = calls | 0;
  const ok = 1 - failure;
  let all = 1 - (calls - whole) * failure;
  if (whole > MOST_CALLS) whole = MOST_CALLS;
  for (; whole > 0; whole--) all *= ok;
  return 1 - all;
}
