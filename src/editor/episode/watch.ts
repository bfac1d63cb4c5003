/** A rule-based player at work on a running episode: step by step at a pace, and it can be paused or relieved. */

import type { Action } from "../../core/action";
import { GIVE_UP, MAX_REFUSED_IN_A_ROW, type Player } from "../../core/player";
import type { ActNotes, ActOutcome } from "../../core/session";
import type { Observation } from "../../core/world";

export interface WatchSeat {
  /** What the player sees now. */
  observe(): Observation;
  act(action: Action, actor: string, notes: ActNotes): Promise<ActOutcome>;
  /** Called on every change of state, and when the watch ends. */
  changed(): void;
  /** An act failed, or the player did. The watch is paused. */
  failed(error: unknown): void;
}

export type Sleep = (ms: number, wake: Promise<void>) => Promise<void>;

export class Watch {
  private isPaused = false;
  private isStopped = false;
  private wake: () => void = () => undefined;

  constructor(
    readonly player: Player,
    private readonly seat: WatchSeat,
    private pace: number,
    private readonly sleep: Sleep = sleepAwake,
  ) {}

  get paused(): boolean {
    return this.isPaused;
  }

  get stopped(): boolean {
    return this.isStopped;
  }

  get paceMs(): number {
    return this.pace;
  }

  setPace(ms: number): void {
    this.pace = ms;
    this.poke();
  }

  pause(): void {
    this.isPaused = true;
    this.poke();
  }

  resume(): void {
    this.isPaused = false;
    this.poke();
  }

  /** Ends the watch after the step that is being taken, if any. */
  stop(): void {
    this.isStopped = true;
    this.poke();
  }

  /** Plays until the episode is done, the watch is stopped, or the player fails. */
  async play(): Promise<void> {
    let refused = 0;
    while (!this.isStopped && !this.seat.observe().done) {
      if (!(await this.waitForTurn())) break;
      try {
        const action = this.player.decide(this.seat.observe()) ?? GIVE_UP;
        const notes = this.player.reasoning ? { reasoning: this.player.reasoning } : {};
        const outcome = await this.seat.act(action, `policy:${this.player.name}`, notes);
        refused = outcome.problem ? refused + 1 : 0;
        if (refused > MAX_REFUSED_IN_A_ROW) throw new Error(outcome.problem?.message ?? "its actions are refused");
      } catch (error) {
        refused = 0;
        this.isPaused = true;
        this.seat.failed(error);
      }
    }
    this.isStopped = true;
    this.seat.changed();
  }

  /** Waits out the pace and any pause. False when the watch was stopped meanwhile. */
  private async waitForTurn(): Promise<boolean> {
    await this.sleepUntilPoked(this.pace);
    while (this.isPaused && !this.isStopped) {
      this.seat.changed();
      await this.sleepUntilPoked(Number.POSITIVE_INFINITY);
    }
    return !this.isStopped;
  }

  private sleepUntilPoked(ms: number): Promise<void> {
    const poked = new Promise<void>((resolve) => {
      this.wake = resolve;
    });
    return this.sleep(ms, poked);
  }

  private poke(): void {
    this.seat.changed();
    this.wake();
  }
}

/** Resolves after `ms`, or as soon as `wake` does. */
function sleepAwake(ms: number, wake: Promise<void>): Promise<void> {
  if (!Number.isFinite(ms)) return wake;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const slept = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return Promise.race([slept, wake]).finally(() => clearTimeout(timer));
}
