/**
 * One running episode: the only door through which anybody acts. Palette, panels, players and servers all call
 * `Session.act`; it records the step before anyone sees what came of it, and hands out observation, done and problem —
 * never the reward, which is computed from truth.
 */
import type { Action, Problem } from "./action";
import { Follower } from "./follower";
import { gradeOf } from "./grade";
import { asJson } from "./json";
import type { RecordSink } from "./recorder";
import { type Actor, type StepFacts, type StepLine, TrajectoryEncoder } from "./trajectory";
import type { Episode, Grade, Observation, Reward } from "./world";

/** What an actor gets back. */
export interface ActOutcome<O extends Observation = Observation> {
  readonly observation: O;
  readonly done: boolean;
  readonly problem?: Problem;
}

/** Facts about an act beside the action itself. */
export interface ActNotes {
  readonly reasoning?: string | undefined;
  readonly proposed_by?: string | undefined;
  readonly wall_think_ms?: number | null | undefined;
  readonly usage?: Readonly<Record<string, unknown>> | undefined;
}

export type SessionEvent =
  | { readonly type: "observed"; readonly observation: Observation; readonly actor: Actor; readonly action: Action }
  | { readonly type: "problem"; readonly problem: Problem; readonly actor: Actor }
  | { readonly type: "ended"; readonly grade: Grade }
  | { readonly type: "recording"; readonly error: string | null };

/** A step that has been taken and shown. */
export interface TakenStep {
  readonly actor: Actor;
  readonly action: Action;
  readonly problem?: Problem | undefined;
}

export interface SessionOptions {
  /** Where lines go; without it nothing is recorded (batch runs). The `episode` line must already be written. */
  readonly sink?: RecordSink;
  readonly encoder?: TrajectoryEncoder;
  /** Gives the truth of an imported scenario's file for the grade line. A function, so that nothing printed shows it. */
  readonly scenarioTruth?: () => string;
  /** Whether a graded run of the same content, scenario and seed was shown to this person before. Asked at every human act. */
  readonly knewGrade?: () => boolean;
  /** Told when a subscriber throws; without it the error surfaces as an unhandled rejection. The step is safe either way. */
  readonly onListenerError?: (error: unknown) => void;
}

export class Session<O extends Observation = Observation> {
  private readonly encoder: TrajectoryEncoder;
  private readonly listeners = new Set<(event: SessionEvent) => void>();
  private readonly rewards: Reward[] = [];
  private readonly taken: TakenStep[] = [];
  private shown: O;
  /** Lines of a step that could not be appended yet. */
  private pending = "";
  private failing = false;
  private afterWrite: (() => void)[] = [];
  private queue: Promise<unknown> = Promise.resolve();
  private hindsight = false;
  private graded: Grade | null = null;
  private left = false;

  constructor(
    readonly episode: Episode<O>,
    private readonly options: SessionOptions = {},
  ) {
    this.encoder = options.encoder ?? new TrajectoryEncoder();
    this.shown = episode.observe();
  }

  /** The observation everybody may see now. */
  get observation(): O {
    return this.shown;
  }

  get steps(): readonly TakenStep[] {
    return this.taken;
  }

  /** The grade once the episode is done and recorded, else null. */
  get grade(): Grade | null {
    return this.graded;
  }

  get isHindsight(): boolean {
    return this.hindsight;
  }

  get isOver(): boolean {
    return this.graded !== null || this.left;
  }

  /** Calls back on every event until the returned function is called. */
  subscribe(listener: (event: SessionEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /**
   * Carries out an action. Acts queue up: two at once are taken one after the other. The world sees the action as the
   * recording will hold it: plain JSON, NaN as null.
   * @throws RecordError when the step could not be recorded. It is then neither shown nor lost: the next act, or
   * `flush`, writes it first.
   */
  act(action: Action, actor: Actor, notes: ActNotes = {}): Promise<ActOutcome<O>> {
    return this.inTurn(() => this.actNow(action, actor, notes));
  }

  /** Writes the step that could not be written before, which then shows. @throws RecordError when it still cannot. */
  flush(): Promise<void> {
    return this.inTurn(() => this.writePending());
  }

  /** Adds a person's free text to the recording. @throws RecordError; the note is then not kept. */
  note(text: string): Promise<void> {
    return this.inTurn(async () => {
      await this.writePending();
      if (!this.isOver) await this.append(this.encoder.note(text));
    });
  }

  /** Leaves the episode unfinished: it can be resumed and replayed. Does nothing once it is over. @throws RecordError */
  abandon(reason: string): Promise<void> {
    return this.inTurn(async () => {
      await this.writePending();
      if (this.isOver) return;
      await this.append(this.encoder.abandoned(this.shown, reason));
      this.left = true;
      await this.options.sink?.close();
    });
  }

  /**
   * Lets go of the recording without an ending, as a closing window does; the run resumes where it was.
   * @throws RecordError when a step is still waiting to be written and cannot be; the recording then stays open. With
   * `drop unwritten` the recording is let go all the same, and resumes before that step, which nobody has seen.
   */
  suspend(unwritten: "keep unwritten" | "drop unwritten" = "keep unwritten"): Promise<void> {
    return this.inTurn(async () => {
      try {
        await this.writePending();
      } catch (error) {
        if (unwritten === "keep unwritten") throw error;
      }
      if (this.isOver) return;
      this.left = true;
      await this.closeQuietly();
    });
  }

  /** Grades an episode that is done but has no grade, as a crash right before the grade leaves it. @throws RecordError */
  settle(): Promise<void> {
    return this.inTurn(async () => {
      if (this.isOver || !this.episode.observe().done) return;
      const grade = gradeOf(this.episode, this.rewards);
      this.pending += this.gradeLine(this.shown, grade);
      this.afterWrite.push(() => this.end(grade));
      await this.writePending();
    });
  }

  /**
   * Takes recorded steps again: how a run is resumed or forked. Returns their lines, for a fork to record.
   * @throws Error when the episode does not answer as it did.
   */
  rerun(steps: readonly StepLine[]): string {
    const follower = new Follower();
    let lines = "";
    for (const step of steps) {
      const before = this.episode.observe();
      if (follower.digest(before) !== step.digest) throw new Error(differs(step.index, "shows something else"));
      const result = this.episode.step(step.action);
      if (result.done !== step.done || (result.problem?.code ?? null) !== (step.problem?.code ?? null))
        throw new Error(differs(step.index, "ends otherwise"));
      lines += this.encoder.step(before, { ...(step as StepFacts), done: result.done, problem: result.problem });
      this.rewards.push(result.reward);
      this.taken.push({ actor: step.actor, action: step.action, problem: result.problem });
      if (step.hindsight) this.hindsight = true;
    }
    this.shown = this.episode.observe();
    return lines;
  }

  private async actNow(given: Action, actor: Actor, givenNotes: ActNotes): Promise<ActOutcome<O>> {
    await this.writePending();
    const { shown } = this;
    if (this.isOver) {
      const message = "The episode is over; start another one or open its debrief.";
      return { observation: shown, done: true, problem: { code: "episode_over", message } };
    }
    let action: Action;
    let notes: ActNotes;
    try {
      action = plainAction(given);
      notes = asJson(givenNotes);
    } catch (error) {
      const message = `The action cannot be written down as JSON (${error instanceof Error ? error.message : error}).`;
      return { observation: shown, done: shown.done, problem: { code: "invalid_arguments", message } };
    }
    const knew = actor === "human" && (this.options.knewGrade?.() ?? false);
    this.hindsight ||= knew;
    const step = this.episode.step(action);
    const facts: StepFacts = { ...notes, actor, action, done: step.done, problem: step.problem, hindsight: knew };
    this.pending += this.encoder.step(shown, facts);
    this.rewards.push(step.reward);
    const grade = step.done ? gradeOf(this.episode, this.rewards) : null;
    if (grade) this.pending += this.gradeLine(step.observation, grade);
    this.afterWrite.push(() => {
      this.shown = step.observation;
      this.taken.push({ actor, action, problem: step.problem });
      if (step.problem) this.publish({ type: "problem", problem: step.problem, actor });
      else this.publish({ type: "observed", observation: step.observation, actor, action });
      if (grade) this.end(grade);
    });
    await this.writePending();
    return { observation: step.observation, done: step.done, ...(step.problem ? { problem: step.problem } : {}) };
  }

  private gradeLine(final: O, grade: Grade): string {
    return this.encoder.grade(final, grade, this.hindsight, this.options.scenarioTruth?.());
  }

  private end(grade: Grade): void {
    this.graded = grade;
    this.publish({ type: "ended", grade });
  }

  /** Appends what waits to be written; what waits for that to be safe happens afterwards, once. */
  private async writePending(): Promise<void> {
    if (this.pending) await this.append(this.pending);
    this.pending = "";
    const waiting = this.afterWrite;
    this.afterWrite = [];
    const wasOver = this.isOver;
    for (const callback of waiting) callback();
    if (this.graded && !wasOver) await this.closeQuietly();
  }

  private async append(text: string): Promise<void> {
    try {
      await this.options.sink?.append(text);
    } catch (error) {
      this.failing = true;
      this.publish({ type: "recording", error: error instanceof Error ? error.message : String(error) });
      throw error;
    }
    if (this.failing) this.publish({ type: "recording", error: null });
    this.failing = false;
  }

  /** What was shown has been handed over by now: a failing sync is told, but takes nothing back. */
  private async closeQuietly(): Promise<void> {
    try {
      await this.options.sink?.close();
    } catch (error) {
      this.publish({ type: "recording", error: error instanceof Error ? error.message : String(error) });
    }
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.queue.then(work);
    this.queue = result.catch(() => undefined);
    return result;
  }

  /** A subscriber that throws must neither stop the others nor make a recorded step look failed. */
  private publish(event: SessionEvent): void {
    for (const listener of [...this.listeners]) {
      try {
        listener(event);
      } catch (error) {
        if (this.options.onListenerError) this.options.onListenerError(error);
        else void Promise.reject(error);
      }
    }
  }
}

/** The action as it will be read back, whatever it was given as. @throws TypeError when JSON cannot write it. */
function plainAction(given: Action): Action {
  const { name, args } = asJson(given);
  const plainArgs = typeof args === "object" && args !== null && !Array.isArray(args) ? args : {};
  return { name: typeof name === "string" ? name : String(name), args: plainArgs };
}

function differs(step: number, how: string): string {
  return `The run cannot go on: at step ${step} this version ${how} than the recording. Open its debrief instead.`;
}
