/** The small laws the model is made of. Each is a pure function with units and a source, and is tested against a known limit. */
import { clamp, decay } from "../../../core/math";

/** CPU use above which requests are turned away instead of waiting for ever. */
export const SATURATION = 0.97;
/** The time-out of taking a connection from a pool, ms: a common default lies between 0.5 and 5 s. */
export const ACQUIRE_TIMEOUT_MS = 800;
/** p95 ÷ mean of a response time between exponential (3.0) and Erlang-4 (1.9). */
const P95_OVER_MEAN = 2.2;

/**
 * How much longer a request takes at utilisation `u` (0..1) than in an idle service: 1 + u⁴/(1 − u).
 * The mean sojourn of an M/M/c queue is 1/(1 − u) for c = 1 and stays flat longer with more servers; the exponent stands for
 * some eight servers (Sakasegawa's √(2(c+1)) − 1 ≈ 3–4).
 */
export function waitingGrowth(u: number): number {
  const x = clamp(u, 0, SATURATION);
  const square = x * x;
  return 1 + (square * square) / (1 - x);
}

/** Share of offered requests that a service with offered utilisation `u` turns away. */
export function overflow(u: number): number {
  return u > SATURATION ? 1 - SATURATION / u : 0;
}

/** Share of answers slower than `limit` when the 95th percentile is `p95` (exponential tail: .05^(limit/p95)). */
export function shareSlowerThan(limit: number, p95: number): number {
  return p95 > 0 ? decay((3 * limit) / p95) : 0;
}

/** Little's law: connections in use = rate × mean time held. `perSecond` calls with a 95th percentile of `p95` ms. */
export function connectionsNeeded(perSecond: number, p95: number): number {
  return (perSecond * p95) / (P95_OVER_MEAN * 1000);
}

export interface PoolState {
  /** Share of the limit in use, idle sessions included, 0..1. */
  readonly use: number;
  /** Share of acquisitions that fail. */
  readonly failing: number;
  /** Added wait, ms. */
  readonly wait: number;
}

/** A pool of `limit` connections of which `held` (share) are idle sessions, asked for `needed`. */
export function pool(needed: number, limit: number, held: number): PoolState {
  const available = Math.max(limit * (1 - clamp(held)), 0.01 * limit);
  const wanted = needed / available;
  const active = Math.min(needed, available);
  const near = clamp((wanted - 0.85) / 0.15);
  const failing = wanted > 1 ? 1 - 1 / wanted : 0;
  return {
    use: clamp((limit - available + active) / limit),
    failing,
    wait: ACQUIRE_TIMEOUT_MS * clamp(0.3 * near * near + failing),
  };
}

/** Probability that at least one of the needed things fails: 1 − Π(1 − p). Fixed parameters, as this runs millions of times. */
export function anyFails(a: number, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0): number {
  return (
    1 -
    (1 - clamp(a)) * (1 - clamp(b)) * (1 - clamp(c)) * (1 - clamp(d)) * (1 - clamp(e)) * (1 - clamp(f)) * (1 - clamp(g))
  );
}

/** What is left of a failure probability after `retries`: half of the failures are bad luck and independent, half come again every time. */
export function afterRetries(p: number, retries: number): number {
  let again = 1;
  for (let i = 0; i < retries; i++) again *= p;
  return p * (0.5 + 0.5 * again);
}

/** Attempts per call beyond the first: p + p² + … over the retries. */
export function retryLoad(p: number, retries: number): number {
  let extra = 0;
  let term = 1;
  for (let i = 0; i < retries; i++) {
    term *= p;
    extra += term;
  }
  return extra;
}

/** Slow-down by garbage collection once memory use passes 82 %: 1 at 82 %, 1.9 at the limit. */
export function collectionCost(memory: number): number {
  const z = clamp((memory - 0.82) / 0.18);
  return 1 + 0.9 * z * z;
}

/** Share of CPU periods in which a container is stopped; without a small quota bursts alone cost up to 15 %. */
export function throttledShare(u: number, quota: number): number {
  return clamp((u - 0.7) / 0.3) * (quota < 0.95 ? 1 : 0.15);
}

const NO_LOSS = { failing: 0, delay: 0 };

/** Share of requests lost, and added milliseconds, when `loss` of the packets vanish (retransmission time-out ≥ 200 ms, some six packets a request). */
export function packetLoss(loss: number): { readonly failing: number; readonly delay: number } {
  if (loss === 0) return NO_LOSS;
  return { failing: clamp(0.8 * loss), delay: 1200 * clamp(loss) };
}

/** Share of requests refused by a disk: none up to 96.5 % full, 45 % of all requests (the share that writes) when it is full. */
export function refusedWrites(disk: number): number {
  return 0.45 * clamp((disk - 0.965) / 0.03);
}
