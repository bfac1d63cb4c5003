import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium } from "playwright-core";
import { CHROMIUM_FLAGS, findChromium } from "../../scripts/editor.mjs";

/** The browser's path, or null after saying loudly that these tests do not run. */
export async function browserOrWarning(): Promise<string | null> {
  const path = await findChromium();
  if (!path)
    console.warn("\n*** SKIPPED: no Chromium was found; install it (apt-get install chromium) or set CHROMIUM. ***\n");
  return path;
}

/** Browsers that are open now, for pictures of what went wrong. */
export const openContexts = new Set<BrowserContext>();

export interface Browser {
  readonly context: BrowserContext;
  close(): Promise<void>;
}

/** Starts Chromium with a profile of its own. */
export async function openBrowser(size = { width: 1280, height: 800 }): Promise<Browser> {
  const executablePath = await findChromium();
  if (!executablePath) throw new Error("No Chromium was found; install it or set CHROMIUM to its path.");
  const profile = await mkdtemp(join(tmpdir(), "fd-br-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    args: [...CHROMIUM_FLAGS],
    viewport: size,
    reducedMotion: "reduce",
  });
  context.setDefaultTimeout(30_000);
  openContexts.add(context);
  return {
    context,
    close: async () => {
      openContexts.delete(context);
      await context.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
}
