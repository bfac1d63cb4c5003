/**
 * Memory. Above 80 % of the limit a garbage-collected runtime spends ever more time collecting: time × (1 + 3z²), z = 0 at 80 % and 1
 * at the limit. At the limit the kernel kills the replica.
 */
export function memoryPressure(share: number): number {
  if (share <= PRESSURE_FROM) return 1;
  const z = (Math.min(share, 1) - PRESSURE_FROM) / (1 - PRESSURE_FROM);
  return 1 + 3 * z * z;
}

export const PRESSURE_FROM = 0.8;
