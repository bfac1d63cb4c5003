/** The alerts panel as its keys work it. */
import type { Locator } from "playwright-core";
import { eventually, Panel, type Workbench } from "./workbench";

export class AlertsPanel extends Panel {
  static async of(workbench: Workbench): Promise<AlertsPanel> {
    const { frame, kind } = await workbench.panel("alerts");
    return new AlertsPanel(workbench, frame, kind);
  }

  /** The panel once it has taken the keyboard, as it does when it opens. */
  static withKeyboard(workbench: Workbench): Promise<AlertsPanel> {
    return eventually("The alerts panel with the keyboard", async () => {
      const panel = await AlertsPanel.of(workbench);
      return (await panel.isKeyboardThere()) ? panel : null;
    });
  }

  get grid(): Locator {
    return this.frame.locator("#grid");
  }

  /** The open form. */
  get form(): Locator {
    return this.frame.locator("section.strip");
  }

  async stepsLeft(): Promise<number> {
    const text = await this.frame.locator(".fact", { hasText: "Steps left" }).locator("b").first().textContent();
    return Number(text);
  }

  /** What hiding and showing must not change. */
  looks(): Promise<{ filter: string; selected: number; form: string | null; text: string; steps: string }> {
    return this.frame.evaluate(() => ({
      filter: document.querySelector<HTMLInputElement>("#filter")?.value ?? "",
      selected: document.querySelectorAll('#grid [aria-selected="true"]').length,
      form: document.querySelector("section.strip")?.getAttribute("aria-label") ?? null,
      text: document.querySelector("#grid")?.textContent ?? "",
      steps: document.querySelector("header.top")?.textContent ?? "",
    }));
  }

  /** Waits until the keyboard is in the panel, as a person sees by the cursor. */
  async hasKeyboard(): Promise<void> {
    await eventually("The keyboard focus in the alerts panel", async () => (await this.isKeyboardThere()) || null);
  }

  private isKeyboardThere(): Promise<boolean> {
    return this.frame.evaluate(() => document.hasFocus() && document.activeElement !== document.body);
  }

  /** Presses a key as a person at the keyboard does: nothing is clicked first. */
  async key(key: string): Promise<void> {
    await this.workbench.page.keyboard.press(key);
  }

  /** Presses keys that take an action, and waits until a step is spent. */
  async spend(keys: () => Promise<void>): Promise<void> {
    const before = await this.stepsLeft();
    await keys();
    await eventually("The step", async () => (await this.stepsLeft()) < before || null);
  }

  /** Opens an action's form with its letter. */
  async open(letter: string): Promise<void> {
    await this.key(letter);
    await this.form.waitFor();
    await this.hasKeyboard();
  }

  /** Applies the open form. */
  apply(): Promise<void> {
    return this.key("Control+Enter");
  }

  /** Moves by Tab until the keyboard is in the field of this name, then chooses the value by arrow keys or typing. */
  async choose(field: string, value: string): Promise<void> {
    const place = this.form.locator(`[data-field="${field}"]`);
    await eventually(`The field ${field}`, async () => {
      const inside = await place.evaluate((element) => element.contains(document.activeElement));
      if (inside) return true;
      await this.key("Tab");
      return null;
    });
    await eventually(`The value ${value} in ${field}`, async () => {
      const chosen = await place.evaluate((element, wanted) => {
        const radio = element.querySelector<HTMLButtonElement>('[role="radio"][aria-checked="true"]');
        if (radio) return radio.value === wanted;
        const list = element.querySelector("vscode-dropdown") as (Element & { value?: string }) | null;
        return list?.value === wanted;
      }, value);
      if (chosen) return true;
      await this.key("ArrowDown");
      return null;
    });
  }
}
