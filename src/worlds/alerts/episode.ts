/**
 * One run of the generated or imported alerts world. It holds the sealed truth only to hand it to the grader at the end;
 * observations are built from the queue, which knows nothing of it.
 */
import type { Action, Choice, ChoiceKind, Problem } from "../../core/action";
import { clockText } from "../../core/clock";
import type { Seed } from "../../core/rng";
import type { ActionResult, Episode, Grade, Preview, Reward, ScenarioInfo, Step } from "../../core/world";
import { ALERT_ACTIONS } from "./actions";
import { choicesOf } from "./choices";
import type { AlertsDraw } from "./draw";
import type { AlertsObservation } from "./observation";
import { type PreparedDraw, prepare } from "./prepared-draw";
import { previewOf } from "./preview";
import { AlertQueue, type Mute } from "./queue";
import { SEVERITY_POLICY } from "./severity";
import { type Ending, planAct } from "./verbs";

/** A step that was taken, as the grader reads it. */
export interface TakenAct {
  /** 1 for the first. */
  readonly step: number;
  /** The minute it took effect. */
  readonly minute: number;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Id of the item it displayed. */
  readonly item: string | null;
  /** Alerts it concerned: those named, of the group at that time, or covered by a mute. */
  readonly alerts: readonly string[];
}

/** All the grader needs of a finished episode; the truth comes apart from it. */
export interface Play {
  readonly info: ScenarioInfo;
  readonly prepared: PreparedDraw;
  readonly acts: readonly TakenAct[];
  readonly mutes: readonly Mute[];
  /** How it ended; null when steps or minutes ran out. */
  readonly ending: Ending | null;
  /** The last observation. */
  readonly final: AlertsObservation;
}

export type AlertsGrader = (play: Play) => Grade;

/** Rewards are computed from truth; in this world none is paid before the grade. */
export const NO_REWARD: Reward = Object.freeze({ value: 0, parts: Object.freeze([]) });

export class AlertsEpisode implements Episode<AlertsObservation> {
  readonly world = "alerts";
  private readonly queue: AlertQueue;
  private readonly acts: TakenAct[] = [];
  private shown: AlertsObservation;
  private ending: Ending | null = null;
  private graded: Grade | null = null;

  constructor(
    readonly scenario: ScenarioInfo,
    readonly seed: Seed,
    draw: AlertsDraw,
    private readonly grader: AlertsGrader,
  ) {
    this.queue = new AlertQueue(prepare(draw));
    this.shown = this.look(null);
  }

  /** What an episode plays on, for the players that know the truth. @throws TypeError for an episode of another kind. */
  static drawOf(episode: Episode): AlertsDraw {
    if (!(episode instanceof AlertsEpisode)) throw new TypeError("This is not an episode of an alert queue.");
    return episode.queue.prepared.draw;
  }

  observe(): AlertsObservation {
    return this.shown;
  }

  step(action: Action): Step<AlertsObservation> {
    if (this.shown.done) {
      const message = "The episode is over; start another one or open its debrief.";
      return this.refused({ code: "episode_over", message });
    }
    const parsed = ALERT_ACTIONS.parse(action);
    if ("problem" in parsed) return this.refused(parsed.problem);
    const { name, args } = parsed.action;
    const act = planAct(this.queue, name, args);
    if (typeof act !== "function") return this.refused(act);
    this.queue.advance(Math.min(this.queue.minute + ALERT_ACTIONS.minutes(parsed.action), this.scenario.maxMinutes));
    const { item, text, alerts, ends } = act();
    this.acts.push({ step: this.acts.length + 1, minute: this.queue.minute, name, args, item, alerts });
    if (ends) this.ending = ends;
    this.shown = this.look({ id: item, action: name, text });
    return { observation: this.shown, reward: NO_REWARD, done: this.shown.done };
  }

  choices(kind: ChoiceKind): readonly Choice[] {
    return choicesOf(this.shown, this.queue.prepared, kind);
  }

  preview(action: Action): Preview | null {
    const parsed = ALERT_ACTIONS.parse(action);
    return "problem" in parsed || this.shown.done ? null : previewOf(this.queue, parsed.action);
  }

  grade(): Grade {
    if (!this.shown.done) throw new Error("The episode is not over, so it cannot be graded yet.");
    this.graded ??= this.grader({
      info: this.scenario,
      prepared: this.queue.prepared,
      acts: this.acts,
      mutes: this.queue.mutes,
      ending: this.ending,
      final: this.shown,
    });
    return this.graded;
  }

  private refused(problem: Problem): Step<AlertsObservation> {
    return { observation: this.shown, reward: NO_REWARD, done: this.shown.done, problem };
  }

  private look(lastResult: ActionResult | null): AlertsObservation {
    const { queue, scenario } = this;
    const step = this.acts.length;
    return {
      world: "alerts",
      scenario: scenario.id,
      title: scenario.title,
      brief: scenario.brief,
      step,
      maxSteps: scenario.maxSteps,
      minute: queue.minute,
      maxMinutes: scenario.maxMinutes,
      clock: clockText(queue.prepared.draw.startOfDay + queue.minute),
      done: this.ending !== null || step >= scenario.maxSteps || queue.minute >= scenario.maxMinutes,
      lastResult,
      alerts: queue.publish(),
      counts: queue.counts(),
      groups: queue.groups,
      silences: queue.silences,
      items: queue.items,
      severityPolicy: SEVERITY_POLICY,
      teams: queue.prepared.teams,
      published: null,
    };
  }
}
