import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Frame } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PanelKind } from "../../src/panel-protocol";
import { AlertsPanel } from "./alerts-panel";
import { type Browser, browserOrWarning, openBrowser } from "./browser";
import { starterScenario } from "./command-line";
import { openPlace, type Place } from "./hosts";
import { eventually, Workbench } from "./workbench";

const browserPath = await browserOrWarning();
const PICTURES = ".cache/screenshots/editor";

/** Themes by their titles, and the class each puts on a panel's body. */
const THEMES = [
  { name: "dark", title: "Dark Modern", body: "vscode-dark" },
  { name: "light", title: "Light Modern", body: "vscode-light" },
  { name: "contrast", title: "Dark High Contrast", body: "vscode-high-contrast" },
  { name: "contrast-light", title: "Light High Contrast", body: "vscode-high-contrast-light" },
] as const;

/** Room for a panel beside the activity bar: wide, and about 400 pixels. */
const SIZES = [
  { name: "1280", width: 1280, height: 800 },
  { name: "400", width: 460, height: 900 },
] as const;

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly string[];
}

/** Runs axe inside a panel. Its source is evaluated by the browser's debugger, which the panel's policy does not concern. */
async function violations(frame: Frame): Promise<Violation[]> {
  const source = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  await frame.evaluate(source);
  return frame.evaluate(async () => {
    interface Axe {
      run(root: Document): Promise<{ violations: { id: string; help: string; nodes: { html: string }[] }[] }>;
    }
    const { axe } = globalThis as unknown as { axe: Axe };
    const { violations: found } = await axe.run(document);
    return found.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.map((node) => node.html.slice(0, 200)) }));
  });
}

describe.skipIf(!browserPath)("every panel", () => {
  let place: Place;
  let browser: Browser;
  let workbench: Workbench;

  beforeAll(async () => {
    await mkdir(PICTURES, { recursive: true });
    place = await openPlace("node", { files: { "alerts.json": JSON.stringify(WEBHOOK) } });
    browser = await openBrowser();
    workbench = await Workbench.open(browser.context, place.url);
    await workbench.run("View: Toggle Primary Side Bar Visibility");
  });
  afterAll(async () => {
    await browser?.close();
    await place?.close();
  });

  /** Looks at a panel in every theme and width: no violation, nothing wider than the panel, one picture each. */
  async function lookAt(kind: PanelKind): Promise<void> {
    const found: string[] = [];
    for (const size of SIZES) {
      await workbench.page.setViewportSize(size);
      for (const theme of THEMES) {
        await workbench.run("Preferences: Color Theme");
        await workbench.choose(theme.title);
        const { frame } = await workbench.panel(kind);
        await eventually(`The theme ${theme.title}`, async () => {
          const there = await frame.evaluate((name) => document.body.classList.contains(name), theme.body);
          return there || null;
        });
        const where = `${kind} ${theme.name} ${size.name}`;
        for (const { id, help, nodes } of await violations(frame)) found.push(`${where}: ${id}: ${help}: ${nodes[0]}`);
        const excess = await frame.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        if (excess > 1) found.push(`${where}: ${excess} pixels wider than the panel`);
        await workbench.page.screenshot({ path: join(PICTURES, `${kind}-${theme.name}-${size.name}.png`) });
      }
    }
    await workbench.page.setViewportSize(SIZES[0]);
    expect(found).toEqual([]);
  }

  it("alerts is accessible and fits in every theme and width", async () => {
    await workbench.run("Firedrill: Start Scenario…");
    await workbench.choose(await starterScenario());
    await workbench.choose("Type a seed");
    await workbench.answer("7");
    const panel = await AlertsPanel.withKeyboard(workbench);
    await panel.spend(() => panel.key("d"));
    await panel.spend(() => panel.key("e"));
    await panel.key("Shift+ArrowDown");
    await panel.open("g");
    await lookAt("alerts");
  });

  it("debrief is accessible and fits in every theme and width", async () => {
    await workbench.run("Firedrill: Let a Player Play…");
    await workbench.choose("rules");
    await workbench.run("Firedrill: Set Pace…");
    await workbench.answer("0");
    await workbench.panel("debrief");
    await lookAt("debrief");
  });

  it("proof is accessible and fits in every theme and width", async () => {
    await workbench.run("Firedrill: Show Grader Proof");
    await workbench.choose(await starterScenario());
    await workbench.choose("3 seeds");
    await workbench.panel("proof");
    await lookAt("proof");
  });

  it("truth-form is accessible and fits in every theme and width", async () => {
    await workbench.run("Firedrill: Import Alerts…");
    await workbench.chooseFile(join(place.folder, "alerts.json"));
    await workbench.panel("truth-form");
    await lookAt("truth-form");
  });
});

/** A notification as Alertmanager posts it: two firing alerts of one service. */
const WEBHOOK = {
  version: "4",
  groupKey: '{}:{service="checkout"}',
  truncatedAlerts: 0,
  status: "firing",
  receiver: "pager",
  groupLabels: { service: "checkout" },
  commonLabels: { service: "checkout" },
  commonAnnotations: {},
  externalURL: "http://alertmanager.example:9093",
  alerts: ["HighErrorRatio", "HighRequestLatency"].map((alertname, index) => ({
    status: "firing",
    labels: { alertname, service: "checkout", severity: index === 0 ? "critical" : "warning" },
    annotations: { summary: `${alertname} at checkout` },
    startsAt: `2026-03-02T10:0${index}:00Z`,
    endsAt: "0001-01-01T00:00:00Z",
    generatorURL: "http://prometheus.example:9090/graph",
    fingerprint: `00000000000000a${index}`,
  })),
};
