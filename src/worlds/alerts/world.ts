/** The alerts world: generated and imported queues played by triage, and the published tasks. */
import type { ActionCatalogue } from "../../core/action";
import { digest } from "../../core/json";
import { isSeed, type Seed } from "../../core/rng";
import {
  type Episode,
  type OpenOptions,
  ScenarioError,
  type ScenarioFile,
  type ScenarioInfo,
  type World,
} from "../../core/world";
import { ALERT_ACTIONS } from "./actions";
import { AlertsEpisode } from "./episode";
import { drawFor, generatorHash, prepareDraw } from "./generate";
import { gradeAlerts } from "./grader";
import { checkedFile, importedDraw, readScenario, writeScenario } from "./import";
import type { AlertsObservation } from "./observation";
import { alertsPlayers } from "./players";
import { openPublished, publishedActions, publishedScenarios } from "./published";
import { renderObservation } from "./render";
import { GENERATED_SCENARIOS } from "./scenarios";
import { truthText } from "./truth-text";

/** Raised whenever the same scenario, seed and actions would show something else than before. */
const RULES_VERSION = 3;

/** Those to practise on first, then the published set. */
const SCENARIOS: readonly ScenarioInfo[] = [...GENERATED_SCENARIOS, ...publishedScenarios];
const BY_ID: ReadonlyMap<string, ScenarioInfo> = new Map(SCENARIOS.map((info) => [info.id, info]));

export const alertsWorld: World<AlertsObservation> = {
  id: "alerts",
  title: "Alert triage",
  summary: "A queue of alerts: find the incidents in it, mute the noise, hand each incident to the right team.",
  actions: ALERT_ACTIONS,
  players: alertsPlayers,
  scenarios: () => SCENARIOS,
  actionsFor,
  contentHash,
  open,
  prepare,
  render: renderObservation,
  tellTruth: truthText,
  readScenarioFile: readScenario,
  writeScenarioFile: writeScenario,
};

function actionsFor(scenario: ScenarioInfo): ActionCatalogue {
  return isPublished(scenario) ? publishedActions : ALERT_ACTIONS;
}

function contentHash(scenario: string | ScenarioFile): string {
  if (typeof scenario !== "string")
    return digest({ rules: RULES_VERSION, content: scenario.content, seal: scenario.seal });
  const info = named(scenario);
  let hash = HASHES.get(info.id);
  if (hash === undefined) {
    hash = digest({ rules: RULES_VERSION, info, draws: isPublished(info) ? "" : generatorHash(info) });
    HASHES.set(info.id, hash);
  }
  return hash;
}

/** Built-in scenarios never change while the program runs, and every replay asks. */
const HASHES = new Map<string, string>();

function open(scenario: string | ScenarioFile, seed: Seed, options: OpenOptions = {}): Episode<AlertsObservation> {
  if (!isSeed(seed))
    throw new RangeError(`The seed must be a whole number from 0 to 9007199254740991, not ${String(seed)}.`);
  if (typeof scenario !== "string") {
    const file = checkedFile(scenario);
    return new AlertsEpisode(file.info, seed, importedDraw(file, options), gradeAlerts);
  }
  const info = named(scenario);
  if (isPublished(info)) return openPublished(info, seed, options);
  return new AlertsEpisode(info, seed, drawFor(info, seed, options), gradeAlerts);
}

function* prepare(scenario: string | ScenarioFile, seed: Seed): Generator<void, void> {
  if (typeof scenario !== "string" || !isSeed(seed)) return;
  const info = named(scenario);
  if (!isPublished(info)) yield* prepareDraw(info, seed);
}

function isPublished(info: ScenarioInfo): boolean {
  return info.split === "published";
}

function named(id: string): ScenarioInfo {
  const info = BY_ID.get(id);
  if (info) return info;
  const shown = id.length > 60 ? `${id.slice(0, 57)}…` : id;
  throw new ScenarioError(`There is no scenario "${shown}" in the alerts world; list the scenarios to see their ids.`);
}
