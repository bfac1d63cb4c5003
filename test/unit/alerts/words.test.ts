import { describe, expect, it } from "vitest";
import { optionsOf, wordsOf } from "../../../src/core/options";
import { ALERT_ACTIONS } from "../../../src/worlds/alerts/actions";
import { DISPOSITIONS } from "../../../src/worlds/alerts/dispositions";
import { MECHANISM_NAMES } from "../../../src/worlds/alerts/mechanisms";

const forms = ALERT_ACTIONS.forms();
const field = (action: string, name: string) => {
  const found = forms.find((form) => form.name === action)?.fields.find((each) => each.name === name);
  if (!found) throw new Error(`${action} has no field ${name}.`);
  return found;
};

describe("words for decisions and mechanisms", () => {
  it.each([
    ["close_triage", "disposition", DISPOSITIONS],
    ["declare_cause", "mechanism", MECHANISM_NAMES],
  ])(
    "of %s: every %s has its own words, free of the data's spelling, and keeps its name as the value",
    (action, name, names) => {
      const options = optionsOf(field(action, name));
      expect(options.map(({ value }) => value)).toEqual([...names]);
      expect(new Set(options.map(({ label }) => label)).size).toBe(names.length);
      for (const { label } of options) expect(label).toMatch(/^[A-Z][^_]+$/);
    },
  );

  it("are gathered from all actions, as the same object each time", () => {
    expect(wordsOf(forms).self_recovered).toBe("Recovered by itself");
    expect(wordsOf(forms)).toBe(wordsOf(forms));
  });

  it("are not needed where a list speaks for itself", () => {
    expect(optionsOf(field("route", "severity"))[0]).toEqual({ value: "P1", label: "P1" });
  });
});
