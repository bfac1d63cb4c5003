/** A choice, as the law leaves it to measurement: with three times as many as the knee a query takes 1.3 times as long. */
export const CONTENTION_SLOPE = 0.15;

/**
 * Contention of a database: admitted requests beyond a knee slow each other down (locks, latches, cache lines). The linear term
 * of Gunther's universal scalability law: time × (1 + slope × (n/knee − 1)) for n > knee. n counts admitted work only: what waits
 * outside takes no lock.
 */
export function contention(admitted: number, knee: number): number {
  return knee > 0 && admitted > knee ? 1 + CONTENTION_SLOPE * (admitted / knee - 1) : 1;
}
