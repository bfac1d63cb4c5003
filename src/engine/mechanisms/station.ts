/**
 * A station: requests arrive, wait for one of several servers, are served. Pointwise-stationary fluid flow (Wang, Tipper and
 * Banerjee 1996) by one backward Euler step, which is stable however short the station's own time scale is against the step.
 *
 * The stationary relation between utilisation y and content n of an M/M/c queue is approximated by
 * `n/c = y + (k·y)/(1 − y)`, with k = Pw/c and Pw ≈ y^m, m = sqrt(2(c + 1)) − 1 (Sakasegawa 1977) the chance of waiting. Content
 * balance over a step of h seconds is `n' = n + h(λ − C·y)`; together a quadratic in y, solved in the form that loses no digits.
 *
 * A step is solved for several rates of arrival when callers' connections limit them, so what does not depend on the rate is worked out
 * first (`prepareStation`), once.
 */

/** A station's numbers: what is given, what `prepareStation` finds, what a step leaves. */
export enum S {
  seconds,
  /** Requests in it at the start. */
  before,
  capacity,
  holding,
  /** 0 for a station that is closed. */
  servers,
  perServer,
  /** The coefficients of the quadratic: h/s and k. */
  damping,
  chance,
  /** Most requests in it; those that find no room are `over`. */
  room,
  /** What comes, requests a second: to be set before every step. */
  arrivals,
  // Results: throughput /s, sojourn s, deterministic wait s, content, utilisation 0..1, and what found no room /s.
  through,
  sojourn,
  wait,
  content,
  utilisation,
  over,
  /** How many there are. */
  count,
}

const LEAST_CAPACITY = 1e-6;
const LEAST_TIME = 1e-4;

/**
 * Works out what a step of a station depends on, arrivals apart. To be set before: `seconds`, the length of the step, > 0; `before`, ≥ 0;
 * `capacity`, floored at 1e-6 requests a second; `holding`, floored at 0.1 ms; `utilisation` at the start, 0..1, from which the chance of
 * waiting is taken; `room`. They stand in memory, as a number that is passed to a function is boxed first.
 */
export function prepareStation(station: Float64Array): void {
  const rate = Math.max(station[S.capacity] as number, LEAST_CAPACITY);
  const time = Math.max(station[S.holding] as number, LEAST_TIME);
  const servers = rate * time;
  // One division for all that is relative to the servers: this is in the innermost of all loops.
  const perServer = 1 / servers;
  station[S.capacity] = rate;
  station[S.holding] = time;
  station[S.servers] = servers;
  station[S.perServer] = perServer;
  station[S.damping] = (station[S.seconds] as number) * rate * perServer;
  station[S.chance] = waitingChance(station[S.utilisation] as number, servers) * perServer;
}

/** A station without servers: whatever was in it is gone, whatever comes is turned away at once. */
export function closeStation(station: Float64Array): void {
  station[S.servers] = 0;
  station[S.through] = 0;
  station[S.sojourn] = LEAST_TIME;
  station[S.wait] = 0;
  station[S.content] = 0;
  station[S.utilisation] = 0;
  station[S.over] = 0;
}

/** One step of a prepared station with `arrivals`, ≥ 0. */
export function stepStation(station: Float64Array): void {
  const servers = station[S.servers] as number;
  if (servers === 0) return;
  const arrivals = station[S.arrivals] as number;
  const seconds = station[S.seconds] as number;
  const before = station[S.before] as number;
  const rate = station[S.capacity] as number;
  const time = station[S.holding] as number;
  const damping = station[S.damping] as number;
  const filled = (before + seconds * arrivals) * (station[S.perServer] as number);
  const b = filled + damping + 1 + (station[S.chance] as number);
  const root = b * b - 4 * (damping + 1) * filled;
  const y = (2 * filled) / (b + Math.sqrt(Math.max(root, 0)));
  const busy = Math.min(y, 1);
  const through = rate * busy;
  let left = before + seconds * (arrivals - through);
  if (left < 1e-12) left = 0;
  let sojourn = through > 1e-12 && left > through * time ? left / through : time;
  let over = 0;
  const room = station[S.room] as number;
  if (left > room) {
    over = (left - room) / seconds;
    left = room;
    sojourn = through > 1e-12 ? room / through : time;
    if (sojourn < time) sojourn = time;
  }
  const queued = left - servers;
  station[S.through] = through;
  station[S.sojourn] = sojourn;
  station[S.wait] = queued > 0 ? queued / rate : 0;
  station[S.content] = left;
  station[S.utilisation] = busy;
  station[S.over] = over;
}
/** Chance that an arrival waits, about y^(sqrt(2(c + 1)) − 1), the exponent rounded to a whole number. */
export function waitingChance(utilisation: number, servers: number): number {
  // Truncation to an integer: the exponent is positive and small.
  let exponent = (Math.sqrt(2 * (servers + 1)) - 0.5) | 0;
  let base = Math.min(utilisation, 1);
  let power = 1;
  while (exponent > 0) {
    if (exponent & 1) power *= base;
    base *= base;
    exponent >>= 1;
  }
  return power > 1e-12 ? power : 0;
}
