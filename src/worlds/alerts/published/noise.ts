/** The published rule of what is noise; players are told it in the brief. */

/** An alert is noise when it has fired for less than this many seconds … */
export const NOISE_SECONDS = 60;
/** … and its value is below this multiple of its threshold. Both must hold. */
export const NOISE_RATIO = 1.1;

/** Whether the published rule calls an alert noise. */
export function isNoise(alert: {
  readonly value: number;
  readonly threshold: number;
  readonly duration_s: number;
}): boolean {
  return alert.duration_s < NOISE_SECONDS && alert.value < NOISE_RATIO * alert.threshold;
}
