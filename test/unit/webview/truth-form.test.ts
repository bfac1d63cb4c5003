import { expect, it } from "vitest";
import { placeText } from "../../../webview/truth-form/draft";

it.each([
  ["/title", "Title"],
  ["/disposition", "Right decision"],
  ["/incidents", "Incidents"],
  ["/incidents/0/team", "Incident A, team"],
  ["/incidents/27/alerts/3", "Incident 28, alerts"],
  ["/incidents/1", "Incident B"],
  ["", "Alerts"],
])("a problem at %s is named by the form's own words: %s", (pointer, text) => {
  expect(placeText(pointer)).toBe(text);
});
