import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatTime, minuteOfDay, parseTime } from "../../../src/worlds/alerts/import/rfc3339";

describe("a time", () => {
  it.each([
    ["1970-01-01T00:00:00Z", 0],
    ["1970-01-02T00:00:00Z", 86_400_000],
    ["1969-12-31T23:59:59Z", -1000],
    ["2000-03-01T00:00:00Z", 951_868_800_000],
    ["1970-01-01T02:00:00+02:00", 0],
    ["1969-12-31T18:30:00-05:30", 0],
    ["1970-01-01t00:00:00z", 0],
    ["1970-01-01 00:00:00Z", 0],
    ["1970-01-01T00:00:00.5Z", 500],
    ["1970-01-01T00:00:00.123999999Z", 123],
    ["1970-01-01T00:00:00,25Z", 250],
    ["1970-01-01T00:00:60Z", 60_000],
    ["1970-01-01T00:00:00+0000", 0],
  ])("%s is %d ms after 1970", (text, milliseconds) => {
    expect(parseTime(text)).toBe(milliseconds);
  });

  it.each([
    "",
    "yesterday",
    "2026-03-14",
    "2026-03-14T02:13:00",
    "2026-13-01T00:00:00Z",
    "2026-00-01T00:00:00Z",
    "2026-02-29T00:00:00Z",
    "1900-02-29T00:00:00Z",
    "2026-04-31T00:00:00Z",
    "2026-03-14T24:00:00Z",
    "2026-03-14T02:60:00Z",
    "2026-03-14T02:13:61Z",
    "2026-03-14T02:13:00+24:00",
    "2026-03-14T02:13:00.Z",
    "1773454380",
    " 2026-03-14T02:13:00Z",
  ])("%j is none", (text) => {
    expect(parseTime(text)).toBeNull();
  });

  it("knows the leap years of the Gregorian calendar", () => {
    expect(parseTime("2000-02-29T00:00:00Z")).not.toBeNull();
    expect(parseTime("2024-02-29T00:00:00Z")).not.toBeNull();
  });

  it("lies before 1970 in the year that stands for not ended", () => {
    // 719,162 days lie between 0001-01-01 and 1970-01-01.
    expect(parseTime("0001-01-01T00:00:00Z")).toBe(-719_162 * 86_400_000);
  });

  it("agrees with the platform's calendar both ways, for every date from year 1 to 9999", () => {
    const least = -719_162 * 86_400_000;
    const most = 253_402_300_799_999;
    fc.assert(
      fc.property(fc.integer({ min: least, max: most }), (time) => {
        const iso = new Date(time).toISOString();
        expect(parseTime(iso)).toBe(time);
        expect(formatTime(time)).toBe(iso.replace(".000Z", "Z"));
      }),
    );
  });

  it("gives the minute of its day, also before 1970", () => {
    expect(minuteOfDay(parseTime("2026-03-14T02:13:30Z") ?? 0)).toBe(133.5);
    expect(minuteOfDay(-60_000)).toBe(1439);
  });
});
