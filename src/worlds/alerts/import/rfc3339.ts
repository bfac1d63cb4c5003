/**
 * Times as alerts carry them: RFC 3339 text to milliseconds and back. Written out because `Date` parses differently from
 * engine to engine, and because a scenario has to hash the same everywhere.
 */

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const SHAPE = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,12}))?(?:[Zz]|([+-])(\d\d):?(\d\d))$/;
const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** How a time is written, for error messages. */
export const TIME_EXAMPLE = "2026-03-14T02:13:00Z";

/**
 * Milliseconds since 1970-01-01T00:00:00Z, finer digits cut off; null when the text is not a time with an offset.
 * A leap second counts as the second after it.
 */
export function parseTime(text: string): number | null {
  const found = SHAPE.exec(text);
  if (!found) return null;
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null;
  if (hour > 23 || minute > 59 || second > 60) return null;
  const offset = offsetMinutes(found[8], Number(found[9] ?? 0), Number(found[10] ?? 0));
  if (offset === null) return null;
  const millis = Number((found[7] ?? "").padEnd(3, "0").slice(0, 3));
  const minutes = daysBefore(year, month, day) * 1440 + hour * 60 + minute - offset;
  return minutes * MINUTE_MS + second * 1000 + millis;
}

/** The time in UTC, with milliseconds only where there are any: `2026-03-14T02:13:00Z`. Years 0 to 9999. */
export function formatTime(milliseconds: number): string {
  const days = Math.floor(milliseconds / DAY_MS);
  const rest = milliseconds - days * DAY_MS;
  const { year, month, day } = dateOf(days);
  const seconds = Math.floor(rest / 1000);
  const millis = rest - seconds * 1000;
  const time = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(":");
  const fraction = millis > 0 ? `.${String(millis).padStart(3, "0")}` : "";
  return `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}T${time}${fraction}Z`;
}

/** Minutes after midnight UTC. */
export function minuteOfDay(milliseconds: number): number {
  const days = Math.floor(milliseconds / DAY_MS);
  return (milliseconds - days * DAY_MS) / MINUTE_MS;
}

function offsetMinutes(sign: string | undefined, hours: number, minutes: number): number | null {
  if (hours > 23 || minutes > 59) return null;
  return (sign === "-" ? -1 : 1) * (hours * 60 + minutes);
}

function daysIn(year: number, month: number): number {
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return (MONTH_DAYS[month - 1] ?? 0) + (leap ? 1 : 0);
}

/** Days from 1970-01-01, by Howard Hinnant's days_from_civil: years begin in March, eras are 400 years. */
function daysBefore(year: number, month: number, day: number): number {
  const shifted = month > 2 ? year : year - 1;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** The inverse: civil_from_days. */
function dateOf(days: number): { year: number; month: number; day: number } {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
  };
}

function two(n: number): string {
  return n < 10 ? `0${n}` : `${n}`;
}
