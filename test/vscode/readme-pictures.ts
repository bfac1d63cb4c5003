/**
 * Takes the pictures of the readme in a real editor: `node scripts/run.mjs test/vscode/readme-pictures.ts`. The same scenario and
 * seed each time, so that a new picture differs by what has changed.
 */
import { join } from "node:path";
import { AlertsPanel } from "./alerts-panel";
import { openBrowser } from "./browser";
import { openPlace } from "./hosts";
import { Workbench } from "./workbench";

const PICTURES = "media/readme";
const SIZE = { width: 1280, height: 757 };
const SCENARIO = "alr-5869";
const SEED = "8";
/** Where the fault sits that the seed draws. */
const SERVICE = "rate-engine";

const settings = { "workbench.colorTheme": "Default Dark Modern", "firedrill.quietMode": true };
const place = await openPlace("node", { settings });
const browser = await openBrowser();
try {
  const workbench = await Workbench.open(browser.context, place.url);
  await workbench.page.setViewportSize(SIZE);
  await workbench.run("View: Toggle Primary Side Bar Visibility");
  await workbench.run("Firedrill: Start Scenario…");
  await workbench.choose(SCENARIO);
  await workbench.choose("Type a seed");
  await workbench.answer(SEED);
  const panel = await AlertsPanel.withKeyboard(workbench);
  await read(panel);
  await panel.open("s");
  await panel.form.locator(".hits").waitFor();
  await workbench.page.screenshot({ path: join(PICTURES, "alerts-dark.png") });
  await workbench.run("Firedrill: Open Episode Panel");
  const again = await AlertsPanel.withKeyboard(workbench);
  await again.key("Escape");
  await mute(again);
  await finish(again);
  const debrief = await workbench.panel("debrief");
  await debrief.shows("Replays");
  await debrief.shows("oracle");
  await workbench.page.screenshot({ path: join(PICTURES, "debrief-dark.png") });
} finally {
  await browser.close();
  await place.close();
}

/** Leaves only the alerts of the service that is at fault in the table, with the cursor on the first. */
async function filter(panel: AlertsPanel): Promise<void> {
  await panel.key("/");
  await panel.workbench.page.keyboard.type(SERVICE);
  await panel.key("Enter");
  await panel.key("Home");
}

/** Looks at the service from all sides, makes an incident of its alerts, and looks at others. */
async function read(panel: AlertsPanel): Promise<void> {
  await filter(panel);
  for (const letter of ["d", "h", "e", "y", "c"]) await panel.spend(() => panel.key(letter));
  await panel.key("v");
  await panel.spend(async () => {
    await panel.open("g");
    await panel.apply();
  });
  await panel.key("Escape");
  await panel.key("Home");
  for (const letter of ["d", "h"]) await panel.spend(() => panel.key(letter));
  for (let i = 0; i < 2; i += 1) {
    await panel.key("ArrowDown");
    await panel.spend(() => panel.key("d"));
  }
}

/** Silences what the cursor is on. */
async function mute(panel: AlertsPanel): Promise<void> {
  await panel.spend(async () => {
    await panel.open("s");
    await panel.workbench.page.keyboard.type("slow since before the page, nobody feels it");
    await panel.apply();
  });
}

/** Hands the incident over, says what caused it and closes the triage. */
async function finish(panel: AlertsPanel): Promise<void> {
  await filter(panel);
  await panel.spend(async () => {
    await panel.open("r");
    await panel.choose("severity", "P2");
    await panel.choose("team", "app");
    await panel.apply();
  });
  await panel.spend(async () => {
    await panel.open("m");
    await panel.choose("mechanism", "memory_leak");
    await panel.key("Tab");
    await panel.key("Tab");
    await panel.workbench.page.keyboard.type("0.8");
    await panel.apply();
  });
  await panel.spend(() => panel.key("y"));
  await panel.open("f");
  await panel.choose("disposition", "routed");
  await panel.apply();
}
