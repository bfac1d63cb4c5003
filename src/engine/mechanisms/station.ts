/**
 * A station: requests arrive, wait for one of several servers, are served. Pointwise-stationary fluid flow (Wang, Tipper and
 * Banerjee 1996) by one backward Euler step, which is stable however short the station's own time scale is against the step.
 *
 * The stationary relation between utilisation y and content n of an M/M/c queue is approximated by
 * `n/c = y + (k·y)/(1 − y)`, with k = Pw/c and Pw ≈ y^m, m = sqrt(2(c + 1)) − 1 (Sakasegawa 1977) the chance of waiting. Content
 * balance over a step of h seconds is `n' = n + h(λ − C·y)`; together a quadratic in y, solved in the form that loses no digits.
 */

/** Where `solveStation` leaves its results: throughput /s, sojourn s, deterministic wait s, content, utilisation 0..1. */
export const THROUGHPUT = 0;
export const SOJOURN = 1;
export const WAIT = 2;
export const CONTENT = 3;
export const UTILISATION = 4;

const LEAST_CAPACITY = 1e-6;
const LEAST_TIME = 1e-4;

/**
 * One step of a station.
 * @param content requests in it at the start, ≥ 0
 * @param arrivals requests a second, ≥ 0
 * @param seconds length of the step, > 0
 * @param capacity requests a second when always busy; floored at 1e-6
 * @param holding seconds a request holds a server; floored at 0.1 ms
 * @param before utilisation at the start, 0..1, from which the chance of waiting is taken
 */
export function solveStation(
  content: number,
  arrivals: number,
  seconds: number,
  capacity: number,
  holding: number,
  before: number,
  out: Float64Array,
): void {
  const rate = Math.max(capacity, LEAST_CAPACITY);
  const time = Math.max(holding, LEAST_TIME);
  const servers = rate * time;
  // One division for all that is relative to the servers: this is the innermost of all loops.
  const perServer = 1 / servers;
  const filled = (content + seconds * arrivals) * perServer;
  const damping = seconds * rate * perServer;
  const k = waitingChance(before, servers) * perServer;
  const b = filled + damping + 1 + k;
  const root = b * b - 4 * (damping + 1) * filled;
  const y = (2 * filled) / (b + Math.sqrt(Math.max(root, 0)));
  const busy = Math.min(y, 1);
  const through = rate * busy;
  let left = content + seconds * (arrivals - through);
  if (left < 1e-12) left = 0;
  const queued = left - servers;
  out[THROUGHPUT] = through;
  out[SOJOURN] = through > 1e-12 && left > through * time ? left / through : time;
  out[WAIT] = queued > 0 ? queued / rate : 0;
  out[CONTENT] = left;
  out[UTILISATION] = busy;
}

/** Chance that an arrival waits, about y^(sqrt(2(c + 1)) − 1), the exponent rounded to a whole number. */
export function waitingChance(utilisation: number, servers: number): number {
  let exponent = Math.floor(Math.sqrt(2 * (servers + 1)) - 0.5);
  let base = Math.min(utilisation, 1);
  let power = 1;
  while (exponent > 0) {
    if (exponent & 1) power *= base;
    base *= base;
    exponent >>= 1;
  }
  return power > 1e-12 ? power : 0;
}
