/** Everything a front end could publish of an unfinished episode, gathered as one text. */
import type { Action } from "../../../src/core/action";
import { randomAction } from "../../../src/core/random-action";
import type { RecordSink } from "../../../src/core/recorder";
import { Stream } from "../../../src/core/rng";
import { Session } from "../../../src/core/session";
import { TrajectoryEncoder } from "../../../src/core/trajectory";
import type { Episode, Observation, World } from "../../../src/core/world";
import { episodePanelState, FRESH_UI } from "../../../src/editor/panel-state";

/** Actions no episode takes: their refusals are published too. */
const REFUSED: readonly Action[] = [
  { name: "tell_me", args: {} },
  { name: "inspect_alert", args: { alert: "no such alert" } },
  { name: "close_triage", args: { disposition: "solved" } },
  { name: "declare_cause", args: { group: "g99", component: "nowhere", mechanism: "bad_deploy", confidence: 1 } },
  { name: "triage", args: { severity: "P9", team: "nobody" } },
];

class MemorySink implements RecordSink {
  readonly location = "memory";
  text = "";
  async append(text: string): Promise<void> {
    this.text += text;
  }
  async sync(): Promise<void> {}
  async close(): Promise<void> {}
}

export interface Published {
  /** All of it, observations and recording lines included, up to the last step before the end. */
  readonly beforeEnd: string;
  readonly steps: number;
  readonly grade: unknown;
}

/** Chooses what to do next; null ends the episode. */
export type Decide = (observation: Observation, episode: Episode, step: number) => Action | null;

/**
 * Plays an episode through a session and gathers what it shows: observations, their text, offered values, previews,
 * listings, refusals, the panel's state and the lines of the unfinished recording.
 */
export async function publish(world: World, episode: Episode, decide: Decide): Promise<Published> {
  const sink = new MemorySink();
  const session = new Session(episode, { sink, encoder: new TrajectoryEncoder() });
  const catalogue = world.actionsFor(episode.scenario);
  const random = Stream.of(episode.seed, "leak");
  const parts: string[] = [JSON.stringify(world.scenarios()), JSON.stringify(episode.scenario)];
  const forms = catalogue.forms();
  session.subscribe((event) => {
    if (event.type !== "ended") parts.push(JSON.stringify(event));
  });
  let beforeEnd = "";
  let step = 0;
  while (!session.observation.done) {
    const { observation } = session;
    parts.push(JSON.stringify(observation), world.render(observation));
    parts.push(JSON.stringify(panelState(observation, episode, forms)));
    const previewed = randomAction(catalogue, (kind) => episode.choices(kind), random);
    parts.push(JSON.stringify(episode.preview(previewed)));
    for (const action of step === 1 ? REFUSED : [])
      parts.push(JSON.stringify(await session.act(action, "policy:leak")));
    beforeEnd = parts.join("\n") + sink.text;
    const action = decide(observation, episode, step) ?? { name: "give_up", args: {} };
    if (!world.actions.get(action.name) && !catalogue.get(action.name)) throw new Error(`no action ${action.name}`);
    const outcome = await session.act(action, "policy:leak");
    if (!outcome.done) parts.push(JSON.stringify(outcome));
    step++;
  }
  parts.push(JSON.stringify(session.observation), world.render(session.observation));
  const last = parts.slice(-2).join("\n");
  return { beforeEnd: `${beforeEnd}\n${last}`, steps: step, grade: session.grade };
}

function panelState(
  observation: Observation,
  episode: Episode,
  forms: Parameters<typeof episodePanelState>[0]["forms"],
) {
  return episodePanelState({
    kind: "alerts",
    observation,
    forms,
    choices: (kind) => episode.choices(kind),
    run: "run",
    recording: { on: true, location: "memory", error: null },
    player: { name: "human", mode: "human", paused: false, paceMs: 0 },
    over: false,
    problem: null,
    ui: FRESH_UI,
    myGrades: [],
  });
}
