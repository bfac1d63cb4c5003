/** The status bar item of the episode: world, simulated clock, steps left, recording, and the drill timer if switched on. */
import type { StatusBarItem } from "vscode";
import type { App } from "./app";

const TICK_MS = 1000;

export class StatusBar {
  private readonly item: StatusBarItem;
  private readonly timer = new DrillTimer();
  private ticking: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly app: App) {
    const { editor, context, controller } = app;
    this.item = editor.window.createStatusBarItem("firedrill.episode", editor.StatusBarAlignment.Left, 100);
    this.item.name = "Firedrill";
    this.item.command = "firedrill.episodeMenu";
    context.subscriptions.push(
      this.item,
      { dispose: () => clearInterval(this.ticking) },
      controller.onChange((change) => {
        if (change.type === "opened") this.timer.start(app.ports.milliseconds());
        if (change.type === "closed") this.timer.stop();
        if (change.type === "session" && change.event.type === "ended") this.timer.pause(app.ports.milliseconds());
        this.update();
      }),
      editor.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration("firedrill.drillTimer")) this.update();
      }),
    );
    this.update();
  }

  /** Pauses or resumes the drill timer; the simulation never knows of it. */
  toggleTimer(): void {
    this.timer.toggle(this.app.ports.milliseconds());
    this.update();
  }

  private update(): void {
    this.tickWhileNeeded();
    const { controller } = this.app;
    const run = controller.current;
    if (!run) {
      if (!controller.remembered) {
        this.item.hide();
        return;
      }
      this.item.text = "$(debug-pause) Firedrill: go on";
      this.item.tooltip = "An episode waits to be gone on with";
      this.item.show();
      return;
    }
    const { observation } = run.session;
    const facts = { world: run.world.title, error: controller.recordingError, over: run.session.isOver };
    const timer = this.app.settings.drillTimer() ? this.timer.text(this.app.ports.milliseconds()) : "";
    this.item.text = statusText(observation, facts, timer);
    const about = `${run.scenario.title}, seed ${run.seed}`;
    this.item.tooltip = controller.recordingError ?? `${about}\nRecorded in ${run.location}`;
    this.item.accessibilityInformation = { label: `Firedrill episode ${about}, ${observation.clock}` };
    this.item.show();
  }

  private tickWhileNeeded(): void {
    const needed = this.app.settings.drillTimer() && this.app.controller.active !== null && this.timer.running;
    if (needed && !this.ticking) this.ticking = setInterval(() => this.update(), TICK_MS);
    if (!needed && this.ticking) {
      clearInterval(this.ticking);
      this.ticking = undefined;
    }
  }
}

/** `$(record) Alerts 14:03:20 · 12 steps left`. */
export function statusText(
  observation: { readonly clock: string; readonly step: number; readonly maxSteps: number },
  facts: { readonly world: string; readonly error: string | null; readonly over: boolean },
  timer: string,
): string {
  const icon = facts.error ? "$(warning)" : facts.over ? "$(check)" : "$(record)";
  const left = observation.maxSteps - observation.step;
  const steps = facts.over ? "over" : left === 1 ? "1 step left" : `${left} steps left`;
  const parts = [`${icon} ${facts.world} ${observation.clock}`, steps, ...(facts.error ? ["not recorded"] : [])];
  return timer ? `${parts.join(" · ")} · $(watch) ${timer}` : parts.join(" · ");
}

/** Wall time at the episode, without the pauses. */
export class DrillTimer {
  private before = 0;
  private since: number | null = null;

  get running(): boolean {
    return this.since !== null;
  }

  start(now: number): void {
    this.before = 0;
    this.since = now;
  }

  pause(now: number): void {
    this.before = this.elapsed(now);
    this.since = null;
  }

  toggle(now: number): void {
    if (this.running) this.pause(now);
    else this.since = now;
  }

  stop(): void {
    this.before = 0;
    this.since = null;
  }

  /** `4:07`, and `4:07 (paused)`. */
  text(now: number): string {
    const seconds = Math.floor(this.elapsed(now) / 1000);
    const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    return this.running ? clock : `${clock} (paused)`;
  }

  private elapsed(now: number): number {
    return this.before + (this.since === null ? 0 : now - this.since);
  }
}
