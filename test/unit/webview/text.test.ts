import { expect, test } from "vitest";
import { partName, placeMarks, playedBy } from "../../../webview/debrief/storeys";
import { age, percent, SimulatedClock, short } from "../../../webview/shared/numbers";
import { firstPart, oneLine, visible } from "../../../webview/shared/text";

test("characters that hide or reorder others are shown as their numbers", () => {
  expect(visible("safe\u202egnp.exe")).toBe("safe⟨202E⟩gnp.exe");
  expect(visible("a\u0000b\u0085")).toBe("a⟨0000⟩b⟨0085⟩");
  expect(visible("tab\tand\nline")).toBe("tab\tand\nline");
});

test("half of a surrogate pair becomes the replacement character, whole pairs stay", () => {
  expect(visible("x\ud800y\udc00z")).toBe("x\ufffdy\ufffdz");
  expect(visible("fire 🔥")).toBe("fire 🔥");
});

test("a cut never leaves half a pair behind", () => {
  expect(oneLine("ab🔥cd", 3)).toBe("ab…");
  expect(firstPart("y".repeat(30_000))).toHaveLength(20_001);
});

test("numbers keep three digits and their unit of thousands", () => {
  expect([0, 0.123, 1.005, 57.19, 498, 12_345, 1_500_000, -3, null].map(short)).toEqual([
    "0",
    "0.12",
    "1",
    "57.2",
    "498",
    "12.3k",
    "1.5M",
    "−3",
    "–",
  ]);
  expect([percent(0.112), percent(0.004), percent(1), percent(null)]).toEqual(["11 %", "0.4 %", "100 %", "–"]);
});

test("a minute before midnight belongs to the day before", () => {
  const clock = new SimulatedClock("00:10:00", 5);
  expect(clock.at(5)).toBe("00:10");
  expect(clock.at(-10)).toBe("23:55");
});

test("ages change their unit", () => {
  expect([0.5, 7.9, 125, 3000].map(age)).toEqual(["30 s", "7 min", "2 h 05", "2 d"]);
});

test("labels of the scale that would touch go to different rows, mine beside the line", () => {
  const marks = placeMarks(0.7, [
    { player: "idle", grade: 0 },
    { player: "rules", grade: 0.74 },
    { player: "oracle", grade: 0.8 },
  ]);
  expect(marks.map((m) => [m.label, m.row])).toEqual([
    ["you", 1],
    ["idle", 0],
    ["rules", 0],
    ["oracle", 2],
  ]);
});

test("a run is the player's own only where nobody else took a step", () => {
  const steps = (...actors: string[]) => actors.map((actor) => ({ actor }));
  expect(playedBy(steps("human", "human"), "human")).toBe("you");
  expect(playedBy(steps("policy:rules"), "human")).toBe("rules");
  expect(playedBy(steps("human", "policy:rules", "human"), "human")).toBe("you + rules");
  expect(playedBy([], "policy:idle")).toBe("idle");
});

test("a lost part is named without what every path begins with", () => {
  expect(partName("grade / outcome × process / outcome / noise")).toBe("outcome, noise");
  expect(partName("grade / catastrophe")).toBe("catastrophe");
});
