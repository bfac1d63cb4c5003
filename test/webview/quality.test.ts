/** Every panel in every theme and width: no accessibility finding that matters, no policy violation, nothing cut off at the side. */

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PanelKind, PanelState } from "../../src/panel-protocol";
import { flood, publishedTask, storm } from "./fixtures/episodes";
import { debrief, errorState, proof, tornRun, truthForm } from "./fixtures/reports";
import { THEMES } from "./fixtures/themes";
import { PanelBrowser, ROOT, shoot } from "./harness";

let browser: PanelBrowser;
beforeAll(async () => {
  browser = await PanelBrowser.open();
});
afterAll(() => browser.close());

const PREVIEW = {
  summary: "Silences 14 of 60 listed alerts (9 firing) and every later one that matches for 1 h.",
  touches: [
    { label: "Would hit now", count: 14, detail: "a01, a02, a03 and 11 more" },
    { label: "Last 30 days", count: 122 },
    { label: "Critical in the last 30 days", count: 1 },
  ],
  reversible: true,
  unread: ["9 not inspected: a01, a04", "customer impact not looked at: edge-lb"],
  dangerous: true,
};

interface Scene {
  readonly name: string;
  readonly kind: PanelKind;
  readonly state: () => PanelState;
  readonly keys?: readonly string[];
  /** What must be there before the picture is taken. */
  readonly wait?: string;
}

const SCENES: readonly Scene[] = [
  { name: "alerts", kind: "alerts", state: storm },
  { name: "alerts-silence", kind: "alerts", state: storm, keys: ["s"], wait: ".hits" },
  { name: "alerts-cause", kind: "alerts", state: storm, keys: ["m"], wait: "[data-field=mechanism]" },
  { name: "alerts-actions", kind: "alerts", state: storm, keys: ["?"], wait: ".sheet" },
  {
    name: "alerts-over",
    kind: "alerts",
    state: () =>
      storm({
        over: true,
        recording: { on: false, location: null, error: "The disk is full: step 9 is not written yet." },
      }),
  },
  {
    name: "alerts-watch",
    kind: "alerts",
    state: () => storm({ player: { name: "rules", mode: "watch", paused: true, paceMs: 500 } }),
  },
  { name: "alerts-published", kind: "alerts", state: publishedTask, keys: ["t"], wait: "[data-field=team]" },
  { name: "alerts-5000", kind: "alerts", state: () => flood() },
  { name: "debrief", kind: "debrief", state: () => debrief() },
  { name: "debrief-torn", kind: "debrief", state: tornRun },
  { name: "debrief-error", kind: "debrief", state: errorState },
  { name: "proof", kind: "proof", state: proof },
  { name: "truth-form", kind: "truth-form", state: truthForm },
];
const SIZES = [
  { width: 1280, height: 860 },
  { width: 400, height: 900 },
];

/** Each panel in every theme and width; its other states where they differ most. */
const PANELS = ["alerts", "debrief", "proof", "truth-form"];
const CASES = THEMES.flatMap((theme) =>
  SIZES.flatMap((size) =>
    SCENES.filter(({ name }) => {
      if (PANELS.includes(name)) return true;
      return (theme === "dark" && size.width === 1280) || (theme === "light" && size.width === 400);
    }).map((scene) => ({ ...scene, theme, ...size })),
  ),
);

test.each(CASES)("$name, $theme, $width px: no serious finding, no violation, no overflow", async (scene) => {
  const { theme, width, height } = scene;
  const calls = { preview: () => PREVIEW };
  const shown = await browser.show(scene.kind, scene.state(), { theme, width, height, calls });
  const { page } = shown;
  for (const key of scene.keys ?? []) await page.keyboard.press(key);
  if (scene.wait) await page.waitForSelector(scene.wait);
  await shoot(page, `${scene.name}-${theme}-${width}`);
  const { violations } = await new AxeBuilder({ page }).analyze();
  const serious = violations
    .filter((v) => v.impact === "serious" || v.impact === "critical")
    .map((v) => `${v.id}: ${v.nodes.map((n) => `${n.target.join(" ")} ${n.any[0]?.message ?? ""}`).join(" | ")}`);
  expect(serious).toEqual([]);
  expect(shown.complaints).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  await shown.close();
});

test("reduced motion leaves nothing moving, and a 320 px panel at any zoom loses nothing at its side", async () => {
  const shown = await browser.show("alerts", storm(), { width: 320, height: 430, reducedMotion: true });
  const { page } = shown;
  const moving = await page.evaluate(() => document.getAnimations().filter((a) => a.playState === "running").length);
  expect(moving).toBe(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await shoot(page, "alerts-dark-320");
  await shown.close();
});

test.each(["alerts", "debrief", "proof", "truth-form"])("the bundle of %s is at most 400 kB", async (panel) => {
  const { size } = await stat(join(ROOT, `dist/webview/${panel}.js`));
  expect(size).toBeLessThanOrEqual(400_000);
});
