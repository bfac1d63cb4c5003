/**
 * One running episode: the only door through which anybody acts. Palette, panels, players and servers all call
 * `Session.act`; it records the step before anyone sees what came of it, and hands out observation, done and problem —
 * never the reward, which is computed from truth.
 */
import type { Action, Problem } from "./action";
import type { RecordSink } from "./recorder";
import { type Actor, type StepFacts, TrajectoryEncoder } from "./trajectory";
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
  /** Whether a graded run of the same content, scenario and seed was shown to this person before. Asked at every human act. */
  readonly knewGrade?: () => boolean;
}

export class Session<O extends Observation = Observation> {
  private readonly encoder: TrajectoryEncoder;
  private readonly listeners = new Set<(event: SessionEvent) => void>();
  private readonly rewards: Reward[] = [];
  private readonly taken: TakenStep[] = [];
  private shown: O;
  private pending = "";
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
   * Carries out an action. Acts queue up: two at once are taken one after the other.
   * @throws RecordError when the step could not be recorded. It is then neither shown nor lost: the next act, or
   * `flush`, writes it first.
   */
  act(action: Action, actor: Actor, notes: ActNotes = {}): Promise<ActOutcome<O>> {
    return this.inTurn(() => this.actNow(action, actor, notes));
  }

  /** Writes what could not be written before. @throws RecordError when it still cannot. */
  flush(): Promise<void> {
    return this.inTurn(() => this.write(""));
  }

  /** Adds a person's free text to the recording. @throws RecordError */
  note(text: string): Promise<void> {
    return this.inTurn(() => (this.isOver ? Promise.resolve() : this.write(this.encoder.note(text))));
  }

  /** Leaves the episode unfinished: it can be resumed and replayed. Does nothing once it is over. @throws RecordError */
  abandon(reason: string): Promise<void> {
    return this.inTurn(async () => {
      if (this.isOver) return;
      await this.write(this.encoder.abandoned(this.shown, reason));
      this.left = true;
      await this.options.sink?.close();
    });
  }

  /** Lets go of the recording without an ending, as a closing window does; the run resumes where it was. */
  suspend(): Promise<void> {
    return this.inTurn(async () => {
      if (this.isOver) return;
      this.left = true;
      await this.options.sink?.close();
    });
  }

  /**
   * Takes recorded steps again without recording them: how a run is resumed or forked.
   * @throws Error when the episode does not answer as it did.
   */
  rerun(steps: readonly (TakenStep & StepFacts)[], record: "silently" | "into the recording"): string {
    let lines = "";
    for (const step of steps) {
      const before = this.episode.observe();
      const result = this.episode.step(step.action);
      const text = this.encoder.step(before, { ...step, done: result.done, problem: result.problem });
      if (record === "into the recording") lines += text;
      this.rewards.push(result.reward);
      this.taken.push({ actor: step.actor, action: step.action, problem: result.problem });
    }
    this.shown = this.episode.observe();
    return lines;
  }

  private async actNow(action: Action, actor: Actor, notes: ActNotes): Promise<ActOutcome<O>> {
    await this.write("");
    if (this.isOver) {
      const message = "The episode is over; start another one or open its debrief.";
      return { observation: this.shown, done: true, problem: { code: "episode_over", message } };
    }
    const before = this.episode.observe();
    if (actor === "human" && this.options.knewGrade?.()) this.hindsight = true;
    const step = this.episode.step(action);
    const facts: StepFacts = { ...notes, actor, action, done: step.done, problem: step.problem };
    let text = this.encoder.step(before, facts);
    this.rewards.push(step.reward);
    this.taken.push({ actor, action, problem: step.problem });
    let grade: Grade | null = null;
    if (step.done) {
      grade = gradeOf(this.episode, this.rewards);
      text += this.encoder.grade(step.observation, grade, this.hindsight);
    }
    await this.write(text, () => {
      this.shown = step.observation;
      if (step.problem) this.publish({ type: "problem", problem: step.problem, actor });
      else this.publish({ type: "observed", observation: step.observation, actor, action });
      if (grade) {
        this.graded = grade;
        this.publish({ type: "ended", grade });
      }
    });
    if (grade) await this.options.sink?.close();
    return { observation: step.observation, done: step.done, ...(step.problem ? { problem: step.problem } : {}) };
  }

  /** Appends lines, with those that failed before in front; what waits for them to be safe runs afterwards. */
  private async write(text: string, then?: () => void): Promise<void> {
    const failedBefore = this.pending !== "";
    this.pending += text;
    if (then) this.afterWrite.push(then);
    if (this.pending && this.options.sink) {
      try {
        await this.options.sink.append(this.pending);
      } catch (error) {
        this.publish({ type: "recording", error: error instanceof Error ? error.message : String(error) });
        throw error;
      }
    }
    this.pending = "";
    const waiting = this.afterWrite;
    this.afterWrite = [];
    for (const callback of waiting) callback();
    if (failedBefore) this.publish({ type: "recording", error: null });
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.queue.then(work);
    this.queue = result.catch(() => undefined);
    return result;
  }

  private publish(event: SessionEvent): void {
    for (const listener of [...this.listeners]) listener(event);
  }
}

/** Grades a finished episode; an error of the grader becomes an ungraded result with its reason, never a pass. */
export function gradeOf(episode: Episode, rewards: readonly Reward[]): Grade {
  try {
    return { ...episode.grade(), rewards };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      ungraded: `the grader failed: ${reason}`,
      strict: null,
      published: null,
      strictTree: null,
      publishedTree: null,
      rewards,
      truth: null,
    };
  }
}
