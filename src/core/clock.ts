/** Simulated time. It moves only by actions; nothing here reads a wall clock. */

/** Seconds in a simulation tick. */
export const TICK_SECONDS = 15;

/** Minutes after midnight, shown as `HH:MM:SS` and wrapping at a day. */
export function clockText(minutesAfterMidnight: number): string {
  const seconds = ((Math.floor(minutesAfterMidnight * 60 + 0.5) % 86400) + 86400) % 86400;
  const h = Math.floor(seconds / 3600);
  const m = Math.floor((seconds % 3600) / 60);
  return `${two(h)}:${two(m)}:${two(seconds % 60)}`;
}

/** As `clockText`, without the seconds: `HH:MM`. */
export function clockMinutes(minutesAfterMidnight: number): string {
  return clockText(Math.floor(minutesAfterMidnight)).slice(0, 5);
}

/** A length of time in words a table has room for: `45 s`, `12 min`, `3 h 05 min`, `2 d`. */
export function durationText(minutes: number): string {
  if (minutes < 1) return `${Math.floor(minutes * 60 + 0.5)} s`;
  if (minutes < 60) return `${Math.floor(minutes)} min`;
  if (minutes < 2880) return `${Math.floor(minutes / 60)} h ${two(Math.floor(minutes % 60))} min`;
  return `${Math.floor(minutes / 1440)} d`;
}

function two(n: number): string {
  return n < 10 ? `0${n}` : `${n}`;
}
