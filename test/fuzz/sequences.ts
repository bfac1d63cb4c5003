/** Random action sequences, played from a seed alone, with everything checked that must hold of any sequence. Pure: it also runs in a browser. */
import type { Action } from "../../src/core/action";
import { digest } from "../../src/core/json";
import { randomAction } from "../../src/core/random-action";
import { Stream } from "../../src/core/rng";
import type { Episode, Observation, World } from "../../src/core/world";

/** One sequence: which episode it is played on and where its actions come from. */
export interface SequencePlan {
  readonly scenario: string;
  readonly seed: number;
  /** Seeds the stream that the actions are drawn from. */
  readonly actions: number;
  /** Actions tried before the rest of the budget is given up. */
  readonly length: number;
  /** Share of inputs that are not actions at all, 0..1. */
  readonly nonsense: number;
}

export interface SequenceResult {
  readonly tried: number;
  readonly accepted: number;
  /** Names of accepted actions. */
  readonly verbs: readonly string[];
  /** Stands for every observation, problem and the grade, in order. */
  readonly digest: string;
  readonly strict: number;
}

/** Seeds of episodes: few, so that the time goes into sequences and not into drawing, and all draws are kept at once. */
export const EPISODE_SEEDS = 2;

/** Something that must hold did not; the message says what. */
export class SequenceError extends Error {
  override readonly name = "SequenceError";
}

/** Plays a sequence to its end. @throws SequenceError when an invariant breaks; whatever the world throws. */
export function playSequence(world: World, plan: SequencePlan): SequenceResult {
  const episode = world.open(plan.scenario, plan.seed);
  const catalogue = world.actionsFor(episode.scenario);
  const random = Stream.of(plan.actions, "fuzz");
  const bytes: string[] = [];
  const verbs: string[] = [];
  const checked = new WeakSet<object>();
  let tried = 0;
  let accepted = 0;
  while (!episode.observe().done) {
    const offers = (kind: string) => episode.choices(kind);
    let action: Action = { name: "give_up", args: {} };
    if (tried < plan.length)
      action = random.chance(plan.nonsense)
        ? nonsense(random, catalogue.names)
        : randomAction(catalogue, offers, random);
    tried++;
    const before = episode.observe();
    const preview = random.chance(0.1) ? episode.preview(action) : null;
    const { observation, problem, done } = episode.step(action);
    if (observation !== episode.observe()) throw new SequenceError("step and observe give different observations");
    if (done !== observation.done) throw new SequenceError("step and its observation disagree about the end");
    if (problem) {
      if (observation !== before) throw new SequenceError(`a refused action moved the world: ${problem.message}`);
    } else {
      accepted++;
      verbs.push(action.name);
      checkMoved(before, observation);
    }
    checkPlain(observation, "observation", checked);
    bytes.push(digest(observation), digest(problem ?? null), digest(preview));
  }
  const strict = checkEnd(episode, checked, bytes);
  return { tried, accepted, verbs, digest: digest(bytes), strict };
}

function checkMoved(before: Observation, after: Observation): void {
  if (after.step !== before.step + 1)
    throw new SequenceError(`an accepted action went from step ${before.step} to ${after.step}`);
  if (after.minute < before.minute) throw new SequenceError("the simulated clock ran backwards");
  if (after.step > after.maxSteps) throw new SequenceError(`step ${after.step} of ${after.maxSteps} was taken`);
  if (!after.done && (after.step >= after.maxSteps || after.minute >= after.maxMinutes))
    throw new SequenceError("the budget is used up and the episode goes on");
}

/** Done is done: nothing moves any more, and the grade is one and the same, between 0 and 1. */
function checkEnd(episode: Episode, checked: WeakSet<object>, bytes: string[]): number {
  const last = episode.observe();
  const grade = episode.grade();
  const again = episode.step({ name: "give_up", args: {} });
  if (again.problem?.code !== "episode_over") throw new SequenceError("a finished episode took another action");
  if (episode.observe() !== last || again.observation !== last || !again.done)
    throw new SequenceError("a finished episode changed");
  if (episode.grade() !== grade) throw new SequenceError("the grade is not the same object every time");
  if (grade.ungraded !== null) throw new SequenceError(`ungraded: ${grade.ungraded}`);
  const { strict } = grade;
  if (strict === null || !(strict >= 0 && strict <= 1)) throw new SequenceError(`the grade is ${strict}, not 0 to 1`);
  checkPlain(grade, "grade", checked);
  bytes.push(digest(grade));
  return strict;
}

/** Everything shown is plain JSON without NaN or infinities. Parts seen before are shared and not walked again. */
function checkPlain(value: unknown, place: string, checked: WeakSet<object>): void {
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new SequenceError(`${place} is ${value}`);
    return;
  }
  if (value === null || typeof value === "string" || typeof value === "boolean") return;
  if (typeof value !== "object") throw new SequenceError(`${place} is ${typeof value}, which is not JSON`);
  if (checked.has(value)) return;
  checked.add(value);
  for (const [key, inner] of Object.entries(value))
    if (inner !== undefined) checkPlain(inner, `${place}.${key}`, checked);
}

/** What a confused or hostile caller might send. */
function nonsense(random: Stream, names: readonly string[]): Action {
  const name = random.chance(0.5)
    ? random.pick(names)
    : random.pick(["", "__proto__", "constructor", "INSPECT_ALERT", "a".repeat(300)]);
  const keys = ["alert", "alerts", "matchers", "minutes", "group", "service", "toString", "__proto__", "severity"];
  const args: Record<string, unknown> = {};
  for (let i = random.integer(0, 3); i > 0; i--) args[random.pick(keys)] = random.pick(ODD_VALUES);
  return random.chance(0.1) ? (random.pick(ODD_VALUES) as Action) : { name, args };
}

const ODD_VALUES: readonly unknown[] = [
  null,
  -1,
  0.5,
  1e308,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  "",
  "a01",
  "x".repeat(5000),
  "\u0000\ud800",
  [],
  [[]],
  ["a01", "a01"],
  ["alertname=~(a+)+$"],
  ['service=~"("'],
  {},
  { name: 7 },
  true,
];

/** The plans that a determinism check plays: spread over scenarios, with a few seeds each so that draws are shared. */
export function plansFor(world: World, count: number, from = 0): SequencePlan[] {
  const scenarios = world.scenarios();
  return Array.from({ length: count }, (_, i) => {
    const random = Stream.of(from + i, "plan");
    const { id, maxSteps } = random.pick(scenarios);
    const nonsense = random.chance(0.25) ? 0.2 : 0;
    return {
      scenario: id,
      seed: random.integer(0, EPISODE_SEEDS - 1),
      actions: from + i,
      length: random.integer(1, maxSteps + 2),
      nonsense,
    };
  });
}
