/** The panels in Chromium as an editor shows them: time until data is drawn, and the longest frame while 5,000 alerts scroll. */
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

/** Milliseconds of the longest frame while the queue is scrolled from end to end, a few screens a frame. */
function longestFrame(): Promise<number> {
  return withBrowser(async (browser) => {
    const { page } = await browser.show("alerts", flood());
    return page.evaluate(async () => {
      const list = document.querySelector("#grid");
      if (!list) return Number.NaN;
      const frame = () => new Promise<number>((done) => requestAnimationFrame(done));
      const step = list.scrollHeight / 150;
      let before = await frame();
      let longest = 0;
      for (let i = 1; i <= 150; i++) {
        list.scrollTop = i * step;
        const now = await frame();
        longest = Math.max(longest, now - before);
        before = now;
      }
      return longest;
    });
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
];
