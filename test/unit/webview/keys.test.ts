import { expect, it } from "vitest";
import { Chords } from "../../../webview/shared/keys";

const key = (name: string, timeStamp: number, ctrlKey = false) => ({ key: name, ctrlKey, metaKey: false, timeStamp });

it("takes the key after Ctrl+K for the editor's, whatever it is, and the next one for the panel's again", () => {
  const chords = new Chords();
  const heard = [
    key("w", 0),
    key("Control", 100),
    key("k", 110, true),
    key("w", 500),
    key("w", 900),
    key("k", 1000, true),
    key("Control", 1100),
    key("k", 1200, true),
    key("f", 1300),
  ];
  expect(heard.map((each) => chords.has(each))).toEqual([false, false, false, true, false, false, false, true, false]);
});

it("waits for the second key no longer than the editor does", () => {
  const chords = new Chords();
  expect([chords.has(key("k", 0, true)), chords.has(key("w", 5000))]).toEqual([false, false]);
});
