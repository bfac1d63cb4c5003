/**
 * Damped feedback. Callers and callees are solved one after the other, so what a caller learns is a sub-step old; near a limit the
 * pair would swing between too much and too little. Each quantity therefore goes part of the way to its new value, and a smaller
 * part as long as it keeps turning back (the sign rule of Riedmiller and Braun's Rprop, 1993).
 */
const MOST = 0.6;
const LEAST = 0.05;

/**
 * The damped value of `memory[at + value]`, on its way to `target`. Gain and trend are carried from sub-step to sub-step in
 * `memory[at + gain]` and `memory[at + trend]`.
 */
export function towards(
  memory: Float64Array,
  at: number,
  value: number,
  gain: number,
  trend: number,
  target: number,
): number {
  const now = memory[at + value] as number;
  const change = target - now;
  const turned = change * (memory[at + trend] as number) < 0;
  let part = memory[at + gain] as number;
  if (part === 0) part = MOST;
  part = turned ? Math.max(LEAST, 0.5 * part) : Math.min(MOST, 1.2 * part);
  memory[at + gain] = part;
  memory[at + trend] = change;
  return now + part * change;
}
