/** Mean seconds until somebody who got an error tries again: a choice, between an impatient reload and giving up. */
const RETURN_AFTER = 6;
/** Highest load of the day over its mean, less 1: a choice, low enough that the hour of a drill does not decide its outcome. */
const DAY_SWING = 0.15;

/**
 * Users who try again: a share of failures comes back after about six seconds. Pending tries U grow by the share and
 * return at the rate U/(h + 6): dU/dt = u·failures − U/6, one backward Euler step.
 */
export function returning(pending: number, seconds: number): number {
  return pending / (seconds + RETURN_AFTER);
}

/**
 * Load over the day relative to its mean, 0.85..1.15: a parabola wave, within 6 % of a sine and free of trigonometry.
 * @param day time of day as a share, any real number
 */
export function timeOfDay(day: number): number {
  const u = 2 * (day - Math.floor(day));
  const wave = u < 1 ? 4 * u * (1 - u) : -4 * (u - 1) * (2 - u);
  return 1 + DAY_SWING * wave;
}
