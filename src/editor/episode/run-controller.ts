/**
 * The one running episode of a window. Starting another one suspends it, closing the window lets go of its recording, and
 * after a reload it goes on from its file; no step is ever lost on the way.
 */
import type { Action, ActionForm, Problem } from "../../core/action";
import type { PlayerFactory } from "../../core/player";
import type { Seed } from "../../core/rng";
import type { ActNotes, ActOutcome, Session, SessionEvent } from "../../core/session";
import type { ScenarioFile, ScenarioInfo, World } from "../../core/world";
import type { EpisodeUi, PlayerState } from "../../panel-protocol";
import { isRecordError, TellUser } from "../error-door";
import { FRESH_UI, mergeUi } from "../panel-state";
import { type Sleep, Watch } from "./watch";

/** A run whose recording is open. */
export interface OpenedRun {
  /** The recording's file name. */
  readonly name: string;
  readonly location: string;
  readonly world: World;
  readonly scenario: ScenarioInfo;
  readonly seed: Seed;
  readonly session: Session;
  readonly forms: readonly ActionForm[];
  readonly contentHash: string;
  /** What was set aside because a crash tore it; empty when nothing was. */
  readonly torn: string;
}

export interface StartRequest {
  readonly world: string;
  readonly scenario: string | ScenarioFile;
  readonly seed: Seed;
}

/** Opens recordings; the heavy part of the controller, loaded when the first episode starts. */
export interface RunOpener {
  start(request: StartRequest): Promise<OpenedRun>;
  resume(name: string): Promise<OpenedRun>;
  /** A new run that begins with the first `steps` steps of a recording; `read` gives its text. */
  fork(read: () => Promise<string>, steps: number): Promise<OpenedRun>;
  /** The text of a recording in the runs folder. */
  read(name: string): Promise<string>;
  /** A player of this episode. */
  player(run: OpenedRun, factory: PlayerFactory): ReturnType<PlayerFactory["create"]>;
}

/** Where the name of the running episode outlives a reload. */
export interface RunMemory {
  get(): RememberedRun | undefined;
  set(run: RememberedRun | undefined): Thenable<void>;
}

export interface RememberedRun {
  readonly name: string;
  readonly ui: EpisodeUi;
}

export type RunChange =
  | { readonly type: "opened" }
  | { readonly type: "closed" }
  | { readonly type: "session"; readonly event: SessionEvent }
  /** Watch state, view state or recording state. */
  | { readonly type: "state" }
  /** A watched player could not go on; it is paused. */
  | { readonly type: "failed"; readonly error: unknown };

/** More steps than any run has. */
export const ALL_STEPS = Number.MAX_SAFE_INTEGER;

const NOTHING_RUNS = "No episode is running in this window; start one with “Firedrill: Start Scenario…”.";

const OTHER_RUNS = "Another episode has begun meanwhile, so nothing was done; choose the action again for this one.";

export class RunController {
  private run: OpenedRun | null = null;
  private watching: Watch | null = null;
  private view: EpisodeUi = FRESH_UI;
  private trouble: string | null = null;
  private refused: Problem | null = null;
  private actedAt: number | null = null;
  private unsubscribe: () => void = () => undefined;
  private opening: Promise<unknown> = Promise.resolve();
  private readonly listeners = new Set<(change: RunChange) => void>();

  constructor(
    private readonly opener: () => Promise<RunOpener>,
    private readonly memory: RunMemory,
    private readonly milliseconds: () => number,
    private readonly sleep?: Sleep,
  ) {}

  get current(): OpenedRun | null {
    return this.run;
  }

  /** The run that can be acted on now, or null. */
  get active(): OpenedRun | null {
    return this.run && !this.run.session.isOver ? this.run : null;
  }

  get ui(): EpisodeUi {
    return this.view;
  }

  /** Why the last step could not be recorded, or null. */
  get recordingError(): string | null {
    return this.trouble;
  }

  get problem(): Problem | null {
    return this.refused;
  }

  get player(): PlayerState {
    const watch = this.watching;
    if (!watch || watch.stopped) return { name: "you", mode: "human", paused: false, paceMs: 0 };
    return { name: watch.player.name, mode: "watch", paused: watch.paused, paceMs: watch.paceMs };
  }

  /** The name of a run that a reload interrupted and that has not been taken up again. */
  get remembered(): string | undefined {
    return this.run ? undefined : this.memory.get()?.name;
  }

  onChange(listener: (change: RunChange) => void): { dispose(): void } {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  }

  start(request: StartRequest): Promise<OpenedRun> {
    return this.replace((opener) => opener.start(request), FRESH_UI);
  }

  /** Goes on with a run. When it is the one that runs already, nothing happens. */
  async resume(name: string): Promise<OpenedRun> {
    if (this.active?.name === name) return this.active;
    const before = this.memory.get();
    try {
      return await this.replace((opener) => opener.resume(name), before?.name === name ? before.ui : FRESH_UI);
    } catch (error) {
      if (!isRecordError(error) || error.code !== "busy") throw error;
      const read = async () => (await this.opener()).read(name);
      throw new TellUser(error.message, [{ title: "Fork Instead", run: () => this.fork(read, ALL_STEPS) }]);
    }
  }

  /** Plays on from a step of a recording, in a run of its own. */
  fork(read: () => Promise<string>, steps: number): Promise<OpenedRun> {
    return this.replace((opener) => opener.fork(read, steps), FRESH_UI);
  }

  /** The running episode; one that a reload interrupted is taken up again. @throws TellUser when there is none. */
  async need(): Promise<OpenedRun> {
    await this.opening;
    const remembered = this.remembered;
    if (remembered) await this.resumeRemembered(remembered);
    const run = this.active;
    if (!run) throw new TellUser(NOTHING_RUNS);
    return run;
  }

  /**
   * Carries out a person's action; one that was asked for in `meant` is not taken in another run that began meanwhile.
   * @throws TellUser, RecordError
   */
  async act(action: Action, meant?: OpenedRun): Promise<ActOutcome> {
    const run = await this.need();
    if (meant && meant !== run) throw new TellUser(OTHER_RUNS);
    const now = this.milliseconds();
    const think = this.actedAt === null ? null : Math.round(now - this.actedAt);
    const outcome = await run.session.act(action, "human", { wall_think_ms: think });
    this.actedAt = this.milliseconds();
    return outcome;
  }

  async note(text: string): Promise<void> {
    await (await this.need()).session.note(text);
  }

  /** Writes what could not be recorded before. @throws RecordError when it still cannot. */
  async retryRecording(): Promise<void> {
    await this.run?.session.flush();
  }

  /** Lets a rule-based player go on from here. */
  async watch(factory: PlayerFactory, paceMs: number): Promise<void> {
    const run = await this.need();
    this.stopWatch();
    const player = (await this.opener()).player(run, factory);
    const watch = new Watch(player, this.seatOf(run), paceMs, this.sleep);
    this.watching = watch;
    this.publish({ type: "state" });
    void watch.play();
  }

  pause(): void {
    this.watching?.pause();
  }

  resumeWatch(): void {
    this.watching?.resume();
  }

  setPace(paceMs: number): void {
    this.watching?.setPace(paceMs);
  }

  /** The person plays on; the watched player leaves its seat. */
  takeOver(): void {
    this.stopWatch();
    this.publish({ type: "state" });
  }

  /** Leaves the episode unfinished; it can be resumed. @throws RecordError */
  async abandon(reason: string): Promise<void> {
    const run = await this.need();
    this.stopWatch();
    await run.session.abandon(reason);
    await this.close();
  }

  /** Lets go of the run without an ending, as a closing window does. Its memory stays. */
  async suspend(): Promise<void> {
    this.stopWatch();
    await this.run?.session.suspend("drop unwritten");
  }

  /** Keeps what a panel says about its own view. */
  keepUi(change: Readonly<Record<string, unknown>>): void {
    this.view = mergeUi(this.view, change);
    if (this.active) void this.memory.set({ name: this.active.name, ui: this.view });
  }

  /** Forgets an ended or deleted run, so that the window has none. */
  async close(): Promise<void> {
    this.unsubscribe();
    this.run = null;
    await this.memory.set(undefined);
    this.publish({ type: "closed" });
  }

  /** A remembered run that is gone or over must not be tried for ever. */
  private async resumeRemembered(name: string): Promise<void> {
    try {
      await this.resume(name);
    } catch (error) {
      if (!(error instanceof TellUser)) await this.memory.set(undefined);
      throw error;
    }
  }

  /** What waits to be written is written first; the run before is let go only when the new one is open. */
  private replace(open: (opener: RunOpener) => Promise<OpenedRun>, ui: EpisodeUi): Promise<OpenedRun> {
    const replaced = this.opening.then(async () => {
      const opener = await this.opener();
      const before = this.run;
      await before?.session.flush();
      const run = await open(opener);
      this.stopWatch();
      await before?.session.suspend("drop unwritten");
      await this.seat(run, ui);
      return run;
    });
    this.opening = replaced.catch(() => undefined);
    return replaced;
  }

  private async seat(run: OpenedRun, ui: EpisodeUi): Promise<void> {
    this.unsubscribe();
    this.run = run;
    this.view = ui;
    this.trouble = null;
    this.refused = null;
    this.actedAt = this.milliseconds();
    this.unsubscribe = run.session.subscribe((event) => this.heard(event));
    await this.memory.set(run.session.isOver ? undefined : { name: run.name, ui });
    this.publish({ type: "opened" });
  }

  private heard(event: SessionEvent): void {
    if (event.type === "recording") this.trouble = event.error;
    if (event.type === "problem") this.refused = event.problem;
    if (event.type === "observed") this.refused = null;
    if (event.type === "ended") {
      this.stopWatch();
      void this.memory.set(undefined);
    }
    this.publish({ type: "session", event });
  }

  private seatOf(run: OpenedRun): ConstructorParameters<typeof Watch>[1] {
    return {
      observe: () => run.session.observation,
      act: (action: Action, actor: string, notes: ActNotes) => run.session.act(action, actor, notes),
      changed: () => this.publish({ type: "state" }),
      failed: (error) => this.publish({ type: "failed", error }),
    };
  }

  private stopWatch(): void {
    this.watching?.stop();
    this.watching = null;
  }

  private publish(change: RunChange): void {
    for (const listener of [...this.listeners]) listener(change);
  }
}
