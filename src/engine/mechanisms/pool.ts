/**
 * Connection pools, by Little's law: connections in use = rate × min(sojourn, time-out). Connections open on the server count
 * whether used or idle; beyond the server's limit every caller gets its part of the limit.
 */

/**
 * Connections that a caller can use.
 * @param pool connections a replica of the caller may open
 * @param replicas ready replicas of the caller
 * @param granted share of the wanted connections that the server accepts, 0..1 (`grantedShare`)
 * @param stale sessions held open that nobody uses
 */
export function usableConnections(pool: number, replicas: number, granted: number, stale: number): number {
  const left = pool * replicas * granted - stale;
  return Math.max(left, 0);
}

/** Share of wanted connections that a server with a limit accepts; a limit of 0 is none. */
export function grantedShare(limit: number, wanted: number): number {
  return limit > 0 && wanted > limit ? limit / wanted : 1;
}

/**
 * Seconds a request waits for a connection. Waiters have a patience: once some are turned away, the others wait for nearly as
 * long as the patience (a queue with deterministic abandonment, Whitt 2006); the step is smoothed over the first 5 % turned away.
 */
export function acquireWait(unacquired: number, patience: number): number {
  const near = unacquired * 20;
  return patience * Math.min(near, 1);
}
