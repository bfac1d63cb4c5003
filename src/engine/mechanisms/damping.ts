/**
 * Damped feedback. Callers and callees are solved one after the other, so what a caller learns is a sub-step old; near a limit the
 * pair would swing between too much and too little. Each quantity therefore goes part of the way to its new value, and a smaller
 * part as long as it keeps turning back (the sign rule of Riedmiller and Braun's Rprop, 1993).
 */
const MOST = 0.6;
const LEAST = 0.05;

/** The damped value of `values[at]`, on its way to `target`; `gains` and `trends` are carried from sub-step to sub-step. */
export function towards(
  values: Float64Array,
  target: number,
  gains: Float64Array,
  trends: Float64Array,
  at: number,
): number {
  const value = values[at] as number;
  const change = target - value;
  const turned = change * (trends[at] as number) < 0;
  let gain = gains[at] as number;
  if (gain === 0) gain = MOST;
  gain = turned ? Math.max(LEAST, 0.5 * gain) : Math.min(MOST, 1.2 * gain);
  gains[at] = gain;
  trends[at] = change;
  return value + gain * change;
}
