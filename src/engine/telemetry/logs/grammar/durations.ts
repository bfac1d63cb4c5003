/** Durations as different teams write them. */
import type { ServiceStyle } from "./style";

/** A duration as the service writes it. */
export function durationText(style: ServiceStyle, seconds: number): string {
  const ms = seconds * 1000;
  const whole = ms >= 10 ? Math.floor(ms + 0.5) : Math.floor(ms * 100 + 0.5) / 100;
  if (style.durations === 0) return `${whole}ms`;
  if (style.durations === 2) return `${whole} ms`;
  if (seconds < 0.1) return style.durations === 1 ? `${whole}ms` : `${whole} ms`;
  return style.durations === 1 ? `${Math.floor(ms + 0.5) / 1000}s` : `${Math.floor(ms / 10 + 0.5) / 100} s`;
}
