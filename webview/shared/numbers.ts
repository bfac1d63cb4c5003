/** Numbers and times as the panels print them: the same in every locale, so that screenshots and logs agree. */

/** Three significant digits, `k` and `M` above a thousand; a missing value is a dash. */
export function short(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size >= 999_500) return `${trimmed(value / 1_000_000, 2)}M`;
  if (size >= 10_000) return `${trimmed(value / 1000, size >= 99_950 ? 0 : 1)}k`;
  if (size >= 100) return trimmed(value, 0);
  if (size >= 10) return trimmed(value, 1);
  return trimmed(value, size >= 0.01 || size === 0 ? 2 : 4);
}

function trimmed(value: number, digits: number): string {
  const text = value.toFixed(digits);
  const shorter = text.includes(".") ? text.replace(/\.?0+$/, "") : text;
  return shorter === "-0" ? "0" : shorter.replace("-", "\u2212");
}

export function percent(share: number | null): string {
  if (share === null) return "–";
  return `${trimmed(share * 100, share > 0 && share < 0.1 ? 1 : 0)} %`;
}

export function grade(value: number): string {
  return value.toFixed(2).replace("-", "\u2212");
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Time of day of a simulated minute, given the clock reading at another. */
export class SimulatedClock {
  private readonly zero: number;

  constructor(clock: string, minute: number) {
    const [h = 0, m = 0, s = 0] = clock.split(":").map((part) => Number(part) || 0);
    this.zero = h * 60 + m + s / 60 - minute;
  }

  /** `HH:MM`. */
  at(minute: number): string {
    const day = 24 * 60;
    const of = (((Math.floor(this.zero + minute) % day) + day) % day) | 0;
    return `${two(Math.floor(of / 60))}:${two(of % 60)}`;
  }
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}

/** A length of time in minutes: `45 s`, `7 min`, `2 h 05`, `3 d`. */
export function age(minutes: number): string {
  if (minutes < 1) return `${Math.max(0, Math.round(minutes * 60))} s`;
  if (minutes < 60) return `${Math.floor(minutes)} min`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ${two(Math.floor(minutes % 60))}`;
  return `${Math.floor(minutes / 1440)} d`;
}
