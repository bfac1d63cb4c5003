/** The panels in Chromium as an editor shows them: time until data is drawn, and what frames take while 5,000 alerts scroll. */
import type { Page } from "playwright-core";
import type { PanelKind, PanelState } from "../../src/panel-protocol";
import { flood, storm } from "../webview/fixtures/episodes";
import { debrief } from "../webview/fixtures/reports";
import { PanelBrowser } from "../webview/harness";
import type { Measurement } from "./measurement";

async function withBrowser<T>(work: (browser: PanelBrowser) => Promise<T>): Promise<T> {
  const browser = await PanelBrowser.open();
  try {
    return await work(browser);
  } finally {
    await browser.close();
  }
}

/** Milliseconds from the script's first line until the data is on the screen, as the panel reports it. */
function drawn(kind: PanelKind, state: () => PanelState): Promise<number> {
  return withBrowser(async (browser) => {
    const shown = await browser.show(kind, state());
    return shown.host.sent("drawn")[0]?.ms ?? Number.NaN;
  });
}

/** Scrolls the queue from end to end, a few screens a frame, and gives each frame's length in milliseconds. */
function scrolled(page: Page): Promise<number[]> {
  return page.evaluate(async () => {
    const list = document.querySelector("#grid");
    if (!list) return [];
    const frame = () => new Promise<number>((done) => requestAnimationFrame(done));
    const step = list.scrollHeight / 150;
    const lengths: number[] = [];
    let before = await frame();
    for (let i = 1; i <= 150; i++) {
      list.scrollTop = i * step;
      const now = await frame();
      lengths.push(now - before);
      before = now;
    }
    return lengths;
  });
}

/** Milliseconds of the longest frame. */
function longestFrame(): Promise<number> {
  return withBrowser(async (browser) => {
    const { page } = await browser.show("alerts", flood());
    return Math.max(...(await scrolled(page)));
  });
}

/** Milliseconds of processor time that the page's main thread takes for a frame, which other work on the machine lengthens least. */
function workOfAFrame(): Promise<number> {
  return withBrowser(async (browser) => {
    const { page } = await browser.show("alerts", flood());
    const client = await page.context().newCDPSession(page);
    await client.send("Performance.enable", { timeDomain: "threadTicks" });
    const taken = async () => {
      const { metrics } = await client.send("Performance.getMetrics");
      return metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN;
    };
    const before = await taken();
    const frames = await scrolled(page);
    return (1000 * ((await taken()) - before)) / frames.length;
  });
}

export const measurements: readonly Measurement[] = [
  {
    name: "60 alerts drawn after the first line",
    unit: "ms",
    runs: 5,
    most: 300,
    measure: () => drawn("alerts", () => storm()),
  },
  {
    name: "5,000 alerts drawn after the first line",
    unit: "ms",
    runs: 5,
    most: 300,
    measure: () => drawn("alerts", () => flood()),
  },
  {
    name: "debrief drawn after the first line",
    unit: "ms",
    runs: 5,
    most: 300,
    measure: () => drawn("debrief", () => debrief()),
  },
  { name: "longest frame scrolling 5,000 alerts", unit: "ms", runs: 5, most: 50, measure: longestFrame },
  { name: "main thread a frame of it", unit: "ms CPU", runs: 5, most: 16, measure: workOfAFrame },
];
