/**
 * Contention of a database: admitted requests beyond a knee slow each other down (locks, latches, cache lines). The linear term
 * of Gunther's universal scalability law: time × (1 + 0.15 (n/knee − 1)) for n > knee. n counts admitted work only: what waits
 * outside takes no lock.
 */
export function contention(admitted: number, knee: number): number {
  return knee > 0 && admitted > knee ? 1 + SLOPE * (admitted / knee - 1) : 1;
}

const SLOPE = 0.15;
