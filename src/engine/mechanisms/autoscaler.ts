/**
 * Horizontal autoscaling as Kubernetes does it: desired = ⌈replicas × utilisation ÷ target⌉ within its bounds, left alone within 10 % of
 * the target. It acts on CPU, so callers that wait for a slow dependency are scaled *in*.
 * @see https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/
 */
export function desiredReplicas(
  replicas: number,
  utilisation: number,
  target: number,
  least: number,
  most: number,
): number {
  const ratio = utilisation / target;
  const wanted = Math.abs(ratio - 1) <= TOLERANCE ? replicas : Math.ceil(replicas * ratio - 1e-9);
  return Math.max(least, Math.min(most, wanted));
}

const TOLERANCE = 0.1;
/** Ticks between two decisions, and ticks that lower demand must last before replicas are taken away: its stabilisation window of 5 min. */
export const DECIDE_EVERY = 4;
export const SCALE_IN_AFTER = 20;
