/** The alerts world: generated and imported queues played by triage, and the published tasks. */
import type { ActionCatalogue } from "../../core/action";
import { digest } from "../../core/json";
import type { Seed } from "../../core/rng";
import {
  type Episode,
  type OpenOptions,
  ScenarioError,
  type ScenarioFile,
  type ScenarioInfo,
  type World,
} from "../../core/world";
import { ALERT_ACTIONS } from "./actions";
import type { AlertsObservation } from "./observation";
import { openPublished, publishedActions, publishedPlayers, publishedScenarios } from "./published";
import { renderObservation } from "./render";

/** Raised whenever the same scenario, seed and actions would show something else than before. */
const RULES_VERSION = 1;

const SCENARIOS: readonly ScenarioInfo[] = [...publishedScenarios];

export const alertsWorld: World<AlertsObservation> = {
  id: "alerts",
  title: "Alert triage",
  summary: "A queue of alerts: find the incidents in it, mute the noise, hand each incident to the right team.",
  actions: ALERT_ACTIONS,
  players: publishedPlayers,
  scenarios: () => SCENARIOS,
  actionsFor,
  contentHash,
  open,
  render: renderObservation,
  readScenarioFile: () => {
    throw new ScenarioError("Scenario files cannot be read yet.");
  },
};

function actionsFor(scenario: ScenarioInfo): ActionCatalogue {
  return scenario.split === "published" ? publishedActions : ALERT_ACTIONS;
}

function contentHash(scenario: string | ScenarioFile): string {
  return typeof scenario === "string"
    ? digest({ rules: RULES_VERSION, info: named(scenario) })
    : digest({ rules: RULES_VERSION, content: scenario.content });
}

function open(scenario: string | ScenarioFile, seed: Seed, options: OpenOptions = {}): Episode<AlertsObservation> {
  if (typeof scenario !== "string") throw new ScenarioError("Scenario files cannot be opened yet.");
  return openPublished(named(scenario), seed, options);
}

function named(id: string): ScenarioInfo {
  const info = SCENARIOS.find((scenario) => scenario.id === id);
  if (info) return info;
  throw new ScenarioError(`There is no scenario "${id}" in the alerts world; list them to see their ids.`);
}
