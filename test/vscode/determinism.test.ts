import { createRequire } from "node:module";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, browserOrWarning, openBrowser } from "./browser";

const browserPath = await browserOrWarning();
const SEQUENCES = 200;

interface DeterminismBundle {
  determinismDigest(count: number): Promise<string>;
}

describe.skipIf(!browserPath)("the same episodes", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  it("come out of the Node bundle and of the web bundle in Chromium byte for byte", async () => {
    const bundle: DeterminismBundle = createRequire(import.meta.url)(resolve("dist/test/determinism.node.cjs"));
    const inNode = await bundle.determinismDigest(SEQUENCES);
    const page = await browser.context.newPage();
    await page.addScriptTag({ path: "dist/test/determinism.web.js" });
    const inChromium = await page.evaluate((count) => {
      const { determinism } = globalThis as unknown as { determinism: DeterminismBundle };
      return determinism.determinismDigest(count);
    }, SEQUENCES);
    expect(inChromium).toBe(inNode);
  });
});
