/** One run of a published task. Everything is shown from the start; a step is a whole triage. */
import type { Action, Choice, ChoiceKind, Problem } from "../../../core/action";
import type { Seed } from "../../../core/rng";
import type { Episode, Grade, OpenOptions, Preview, Reward, ScenarioInfo, Step } from "../../../core/world";
import { ScenarioError } from "../../../core/world";
import { SEVERITIES, TEAMS } from "../draw";
import type { AlertsObservation } from "../observation";
import { publishedActions, type Triage, triageOf } from "./actions";
import { type DrawnTask, drawTask } from "./draw";
import { publishedScore, strictGrade } from "./grader";
import { firstObservation, nextObservation } from "./observe";
import { isTaskId, type TaskId } from "./scenarios";
import type { PublishedTruth } from "./truth";

const NOTHING: Reward = { value: 0, parts: [] };

/**
 * Opens a published task.
 * @throws ScenarioError when `info` is none of the three; RangeError when the seed is not a whole number ≥ 0.
 */
export function openPublished(info: ScenarioInfo, seed: Seed, options: OpenOptions = {}): Episode<AlertsObservation> {
  if (!isTaskId(info.id))
    throw new ScenarioError(`There is no published task "${info.id}"; use task_easy, task_medium or task_hard.`);
  return new PublishedEpisode(info, info.id, seed, options);
}

/** The truth of a published episode, for the oracle. @throws TypeError for any other episode. */
export function publishedTruthOf(episode: Episode): PublishedTruth {
  return PublishedEpisode.truthOf(episode);
}

class PublishedEpisode implements Episode<AlertsObservation> {
  readonly world = "alerts" as const;
  readonly #drawn: DrawnTask;
  readonly #rewards: Reward[] = [];
  #triage: Triage | null = null;
  #observation: AlertsObservation;
  #grade: Grade | null = null;

  constructor(
    readonly scenario: ScenarioInfo,
    private readonly task: TaskId,
    readonly seed: Seed,
    options: OpenOptions,
  ) {
    this.#drawn = drawTask(task, seed, options.canary);
    this.#observation = firstObservation(scenario, this.#drawn);
  }

  static truthOf(episode: Episode): PublishedTruth {
    if (!(episode instanceof PublishedEpisode)) throw new TypeError("This is not an episode of a published task.");
    return episode.#drawn.truth;
  }

  observe(): AlertsObservation {
    return this.#observation;
  }

  step(input: Action): Step<AlertsObservation> {
    if (this.#observation.done)
      return this.#refuse({ code: "episode_over", message: "The task is over; open its debrief or start a new one." });
    const parsed = publishedActions.parse(input);
    if ("problem" in parsed) return this.#refuse(parsed.problem);
    if (parsed.action.name === "give_up") return this.#end();
    const triage = triageOf(parsed.action.args);
    const unknown = triage.suppressed.find((id) => !this.#knows(id));
    if (unknown !== undefined)
      return this.#refuse({
        code: "invalid_arguments",
        field: "suppressed",
        message: `triage: there is no alert "${unknown.slice(0, 60)}" to suppress; the alerts are ${this.#ids().join(", ")}.`,
      });
    return this.#take(triage);
  }

  choices(kind: ChoiceKind): readonly Choice[] {
    if (kind === "teams") return TEAMS.map((team) => ({ value: team, label: team }));
    if (kind === "severities") return SEVERITIES.map((severity) => ({ value: severity, label: severity }));
    if (kind !== "alerts") return [];
    return this.#drawn.alerts.map((alert) => ({
      value: alert.alert_id,
      label: `${alert.alert_id} ${alert.service}`,
      detail: `${alert.metric} ${alert.value} over ${alert.threshold} for ${alert.duration_s} s`,
    }));
  }

  preview(action: Action): Preview | null {
    const parsed = publishedActions.parse(action);
    if ("problem" in parsed || parsed.action.name !== "triage") return null;
    const { suppressed } = triageOf(parsed.action.args);
    if (suppressed.length === 0) return null;
    const alerts = this.#drawn.alerts.filter((alert) => suppressed.includes(alert.alert_id));
    return {
      summary: `Suppresses ${alerts.length} of ${this.#drawn.alerts.length} alerts.`,
      touches: alerts.map((alert) => ({
        label: `${alert.alert_id} ${alert.service}`,
        count: 1,
        detail: `${alert.metric} ${alert.value} over ${alert.threshold} for ${alert.duration_s} s`,
      })),
      reversible: this.#observation.step + 1 < this.scenario.maxSteps,
      unread: [],
      dangerous: true,
    };
  }

  grade(): Grade {
    if (!this.#observation.done) throw new Error("The task is not over yet; it is graded at its end.");
    this.#grade ??= this.#makeGrade();
    return this.#grade;
  }

  #take(triage: Triage): Step<AlertsObservation> {
    this.#triage = triage;
    this.#observation = nextObservation(this.#observation, this.#drawn, triage);
    const score = publishedScore(this.task, this.#drawn.truth, triage);
    const parts = (score.parts ?? []).map((part) => ({ name: part.name, value: (part.weight ?? 0) * part.value }));
    return this.#reward({ value: score.value, parts });
  }

  #end(): Step<AlertsObservation> {
    this.#observation = {
      ...this.#observation,
      step: this.#observation.step + 1,
      done: true,
      lastResult: {
        id: null,
        action: "give_up",
        text: this.#triage ? "You ended the task; your last triage counts." : "You ended the task without a triage.",
      },
    };
    return this.#reward(NOTHING);
  }

  #reward(reward: Reward): Step<AlertsObservation> {
    this.#rewards.push(reward);
    return { observation: this.#observation, reward, done: this.#observation.done };
  }

  #refuse(problem: Problem): Step<AlertsObservation> {
    return { observation: this.#observation, reward: NOTHING, done: this.#observation.done, problem };
  }

  #makeGrade(): Grade {
    const { truth } = this.#drawn;
    const strictTree = strictGrade(this.task, truth, this.#triage);
    const publishedTree = publishedScore(this.task, truth, this.#triage);
    return {
      ungraded: null,
      strict: strictTree.value,
      published: publishedTree.value,
      strictTree,
      publishedTree,
      rewards: this.#rewards.slice(),
      truth: { kind: "published", ...truth, keywords: truth.keywords.map((group) => group.join(" or ")) },
    };
  }

  #knows(id: string): boolean {
    return this.#drawn.alerts.some((alert) => alert.alert_id === id);
  }

  #ids(): string[] {
    return this.#drawn.alerts.map((alert) => alert.alert_id);
  }
}
