/**
 * Things that wear off: looked-up names until their time to live is over, connections until they are renewed, buffers until they
 * are warm. First-order relaxation towards a target, one backward Euler step.
 */
export function relax(value: number, target: number, timeConstant: number, seconds: number): number {
  return value + ((target - value) * seconds) / (timeConstant + seconds);
}
