/** Pages as notifications: when an episode opens and when new alerts arrive, one message at a time. */
import type { App } from "./app";
import type { OpenedRun } from "./episode/run-controller";
import { type PagedAlert, WORLD_PANELS } from "./panels/world-panels";

/** Alerts named in one notification. */
const NAMED = 3;
const ACKNOWLEDGE = "Acknowledge";
const OPEN_PANEL = "Open Panel";
const ALREADY_OVER = "The episode of this page is over; there is nothing left to acknowledge.";

export class Pages {
  private seen = new Set<string>();
  private waiting: PagedAlert[] = [];
  private showing = false;

  constructor(
    private readonly app: App,
    private readonly showPanel: () => void,
  ) {
    app.context.subscriptions.push(
      app.controller.onChange((change) => {
        const run = app.controller.current;
        if (change.type === "opened" && run) this.opened(run);
        if (change.type === "session" && change.event.type === "observed" && run) this.observed(run);
      }),
    );
  }

  private opened(run: OpenedRun): void {
    const { observation } = run.session;
    const alerts = pagedIn(run);
    this.seen = new Set(alerts.map(({ id }) => id));
    this.waiting = [];
    if (observation.step === 0) void this.page(run, `Page: ${observation.title}. ${alertText(alerts)}`, alerts);
  }

  private observed(run: OpenedRun): void {
    const fresh = pagedIn(run).filter(({ id }) => !this.seen.has(id));
    for (const { id } of fresh) this.seen.add(id);
    if (run.session.observation.done || fresh.length === 0) return;
    this.waiting.push(...fresh);
    if (!this.showing) void this.pageWaiting(run);
  }

  private async pageWaiting(run: OpenedRun): Promise<void> {
    const alerts = this.waiting;
    this.waiting = [];
    await this.page(run, `New page. ${alertText(alerts)}`, alerts);
  }

  private async page(run: OpenedRun, text: string, alerts: readonly PagedAlert[]): Promise<void> {
    const { app } = this;
    if (!app.settings.pageNotifications() || app.controller.player.mode === "watch") return;
    this.showing = true;
    const canAcknowledge = alerts.length > 0 && run.forms.some((form) => form.name === "acknowledge");
    const ways = canAcknowledge ? [ACKNOWLEDGE, OPEN_PANEL] : [OPEN_PANEL];
    const chosen = await app.editor.window.showInformationMessage(text, ...ways);
    this.showing = false;
    if (app.controller.current !== run) return;
    if (chosen === OPEN_PANEL) this.showPanel();
    if (chosen === ACKNOWLEDGE) await this.acknowledge(run, alerts);
    if (this.waiting.length > 0 && app.controller.active === run) await this.pageWaiting(run);
  }

  private async acknowledge(run: OpenedRun, alerts: readonly PagedAlert[]): Promise<void> {
    // The message may have stood there until after the end.
    if (this.app.controller.active !== run) {
      void this.app.editor.window.showInformationMessage(ALREADY_OVER);
      return;
    }
    await this.app.door.run("acknowledge the page", async () => {
      const action = { name: "acknowledge", args: { alerts: alerts.map(({ id }) => id) } };
      const { problem } = await this.app.controller.act(action);
      if (problem) void this.app.editor.window.showWarningMessage(problem.message);
    });
  }
}

/** `3 alerts firing: Latency (cart), …`. */
function alertText(alerts: readonly PagedAlert[]): string {
  if (alerts.length === 0) return "";
  const named = alerts.slice(0, NAMED).map(({ name, service }) => `${name} (${service})`);
  const more = alerts.length > NAMED ? ` and ${alerts.length - NAMED} more` : "";
  return `${alerts.length === 1 ? "1 alert" : `${alerts.length} alerts`}: ${named.join(", ")}${more}`;
}

function pagedIn({ world, session }: OpenedRun): readonly PagedAlert[] {
  return WORLD_PANELS[world.id]?.paged?.(session.observation) ?? [];
}
