/**
 * CPU limits by the Linux scheduler's bandwidth control: a replica may use `cores` × 100 ms of CPU in every period of 100 ms. More
 * runnable threads than cores use the quota up early and stand still for the rest of the period; and each CPU that ran a
 * thread can strand a slice of 5 ms of quota (the fault mended in Linux 5.4: kernel commit de53fd7aedb1).
 */
/** The scheduler's period, s. */
export const PERIOD = 0.1;
const SLICE = 0.005;

/** Cores of quota that each runnable thread beyond the cores can strand. */
export const STRANDED_PER_THREAD = SLICE / PERIOD;
/** Share of the cores that is left however many threads there are: quota comes back with every period. A choice. */
const LEAST_USABLE = 0.4;

/** Cores that do useful work, of a limit of `cores`. */
export function usableCores(cores: number, threads: number): number {
  if (threads <= cores) return cores;
  return Math.max(cores - (threads - cores) * STRANDED_PER_THREAD, LEAST_USABLE * cores);
}

/** Share of periods in which the limit stops the replica at CPU utilisation `busy` (0..1 of what is usable). */
export function throttledShare(busy: number, cores: number, threads: number): number {
  if (threads <= cores || cores <= 0) return 0;
  const burst = threads / cores;
  const share = (busy * burst - 1) / (burst - 1);
  return share > 0 ? Math.min(share, 1) : 0;
}

/** Mean time a request loses in stopped periods, s: half of what is left of the period once the quota is gone. */
export function throttleDelay(throttled: number, cores: number, threads: number): number {
  return threads > cores ? (throttled * (1 - cores / threads) * PERIOD) / 2 : 0;
}
