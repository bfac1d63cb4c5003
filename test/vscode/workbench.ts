/** Page objects: what a person does in the workbench and in Firedrill's panels. Waits are for conditions, never for times. */
import type { BrowserContext, Frame, Locator, Page } from "playwright-core";
import type { PanelKind } from "../../src/panel-protocol";

/** How long a slow machine may take to show something. */
const PATIENCE_MS = 60_000;

/** Asks again until the answer is neither null nor undefined. @throws Error naming what was waited for. */
export async function eventually<T>(
  what: string,
  ask: () => Promise<T | null | undefined>,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const until = Date.now() + patienceMs;
  let last: unknown;
  do {
    try {
      const answer = await ask();
      if (answer !== null && answer !== undefined) return answer;
      last = undefined;
    } catch (error) {
      last = error;
    }
    await new Promise((done) => setTimeout(done, 50));
  } while (Date.now() < until);
  throw new Error(`${what} did not come within ${patienceMs / 1000} s${last ? `: ${String(last)}` : ""}`);
}

export class Workbench {
  private constructor(readonly page: Page) {}

  /** Opens the workbench and waits until it takes commands. */
  static async open(context: BrowserContext, url: string): Promise<Workbench> {
    const page = context.pages()[0] ?? (await context.newPage());
    const workbench = new Workbench(page);
    await page.goto(url);
    await workbench.isReady();
    return workbench;
  }

  /** Reloads the window by the editor's own command, which lets it put its state away first. */
  async reload(): Promise<void> {
    const loaded = this.page.waitForEvent("load");
    await this.run("Developer: Reload Window");
    await loaded;
    await this.isReady();
  }

  private async isReady(): Promise<void> {
    await this.page.locator(".monaco-workbench .part.statusbar").waitFor({ timeout: PATIENCE_MS });
  }

  /** The input box or list at the top of the window. */
  get quickInput(): Locator {
    return this.page.locator(".quick-input-widget:visible");
  }

  get quickText(): Locator {
    return this.quickInput.locator("input[type=text], .quick-input-box input").first();
  }

  /** The lines of the list at the top of the window. */
  get quickRows(): Locator {
    return this.quickInput.locator(".monaco-list-row");
  }

  /** Moves the keyboard out of a webview, which would swallow the workbench's keys. */
  async focusWorkbench(): Promise<void> {
    await this.page.locator(".part.statusbar").click({ position: { x: 400, y: 8 }, force: true });
  }

  /** Runs a command by its full title in the palette, e.g. `Firedrill: Start Scenario…`. Keyboard only. */
  async run(title: string): Promise<void> {
    await eventually(`The command “${title}”`, async () => {
      await this.page.keyboard.press("F1");
      await this.quickText.waitFor({ timeout: 5_000 });
      await this.quickText.fill(`>${title}`, { timeout: 5_000 });
      await this.quickRows
        .filter({ hasText: title })
        .first()
        .waitFor({ timeout: 5_000 })
        .catch(() => undefined);
      const labels = await this.quickRows.evaluateAll((rows) =>
        rows.map((row) => row.getAttribute("aria-label") ?? ""),
      );
      // What was used lately or fits as well may stand above it.
      const at = labels.findIndex((label) => label === title || label.startsWith(`${title},`));
      for (let step = 0; step < at; step += 1) await this.page.keyboard.press("ArrowDown");
      if (at >= 0) return true;
      await this.page.keyboard.press("Escape");
      return null;
    });
    await this.page.keyboard.press("Enter");
  }

  /** Chooses the first line of an open list that contains the text. Keyboard only. */
  async choose(text: string): Promise<void> {
    await this.quickText.waitFor();
    await this.quickText.fill(text);
    await this.quickRows.filter({ hasText: text }).first().waitFor();
    await this.page.keyboard.press("Enter");
  }

  /** Types into an open input box and accepts it. */
  async answer(text: string): Promise<void> {
    await this.quickText.waitFor();
    await this.quickText.fill(text);
    await this.page.keyboard.press("Enter");
  }

  /** Chooses a file of the open folder in the editor's own file dialog, which loads its list while one types. */
  async chooseFile(path: string): Promise<void> {
    const name = path.slice(path.lastIndexOf("/") + 1);
    await this.quickRows.filter({ hasText: name }).first().waitFor();
    await eventually(`The choice of ${name}`, async () => {
      await this.answer(path);
      return this.quickInput.waitFor({ state: "hidden", timeout: 3_000 }).then(
        () => true,
        () => null,
      );
    });
  }

  /** The view at the left. */
  get sideBar(): Locator {
    return this.page.locator(".part.sidebar");
  }

  /** Opens a container of the activity bar by its title. */
  async openActivity(title: string): Promise<void> {
    await this.page
      .locator(".activitybar .action-item")
      .getByRole("tab", { name: title })
      .or(this.page.locator(`.activitybar .action-label[aria-label^="${title}"]`))
      .first()
      .click();
  }

  /** Leaves the page without a question about unsaved work. */
  async close(): Promise<void> {
    await this.page.close({ runBeforeUnload: false });
  }

  /** A notification that contains the text. */
  notification(text: string | RegExp): Locator {
    return this.page.locator(".notifications-toasts .notification-list-item").filter({ hasText: text });
  }

  /** Text of Firedrill's status bar item. */
  get statusItem(): Locator {
    return this.page.locator('.part.statusbar .statusbar-item[id^="firedrill"]');
  }

  editorTab(title: string | RegExp): Locator {
    return this.page.locator(".tabs-container .tab").filter({ hasText: title });
  }

  /** The frame of a panel of this kind, once it shows data. Ask again after a reveal or a reload: frames are replaced. */
  async panel(kind: PanelKind): Promise<Panel> {
    return eventually(`The ${kind} panel`, async () => {
      for (const frame of this.page.frames()) {
        if (frame.isDetached()) continue;
        const found = await frame
          .evaluate(
            (wanted) =>
              document.body?.dataset.panel === wanted && (document.querySelector("#app")?.children.length ?? 0) > 0,
            kind,
          )
          .catch(() => false);
        if (found && (await isShown(frame))) return new Panel(this, frame, kind);
      }
      return null;
    });
  }
}

/** A webview that was hidden stays in the page with no size. */
async function isShown(frame: Frame): Promise<boolean> {
  const element = await frame.frameElement();
  const box = await element.boundingBox();
  return box !== null && box.width > 0 && box.height > 0;
}

/** A panel on the screen. */
export class Panel {
  constructor(
    readonly workbench: Workbench,
    readonly frame: Frame,
    readonly kind: PanelKind,
  ) {}

  get app(): Locator {
    return this.frame.locator("#app");
  }

  async text(): Promise<string> {
    // biome-ignore lint/performance/useDomNodeTextContent: only what is laid out is what a person reads
    return this.frame.evaluate(() => document.body.innerText);
  }

  /** Waits until the panel shows the text. */
  async shows(text: string | RegExp): Promise<void> {
    await this.frame.getByText(text).first().waitFor();
  }

  /** Presses a key with the focus in the panel. */
  async press(key: string): Promise<void> {
    const inside = await this.frame.evaluate(() => document.hasFocus() && document.activeElement !== document.body);
    if (!inside) await this.frame.locator("body").focus();
    await this.workbench.page.keyboard.press(key);
  }
}
