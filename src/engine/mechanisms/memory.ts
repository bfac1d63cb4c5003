export const PRESSURE_FROM = 0.8;
const PRESSURE_AT_LIMIT = 3;

/**
 * Memory. From 80 % of the limit on a garbage-collected runtime spends ever more time collecting: time × (1 + 3z²), z = 0 at 80 % and 1
 * at the limit. At the limit the kernel kills the replica. Both numbers are choices: that collections cost next to nothing while there is
 * room and most of the CPU near the limit is common to all collectors, where it begins differs.
 * @param share memory in use ÷ limit
 */
export function memoryPressure(share: number): number {
  if (share <= PRESSURE_FROM) return 1;
  const z = (Math.min(share, 1) - PRESSURE_FROM) / (1 - PRESSURE_FROM);
  return 1 + PRESSURE_AT_LIMIT * z * z;
}
