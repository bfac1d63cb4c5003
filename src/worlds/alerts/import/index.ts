/**
 * Real alerts as a practice queue.
 *
 *     payload text ── importAlerts ──▶ AlertSet ── draftFrom ──▶ TruthDraft ── truthForm / problemsOf ──▶ (the author answers)
 *     AlertSet + TruthDraft ── scenarioFrom ──▶ ScenarioFile ── writeScenario ──▶ text ── readScenario ──▶ ScenarioFile
 *     ScenarioFile ── importedDraw ──▶ the draw an episode plays on
 *     file text ── editScenario ──▶ AlertSet + TruthDraft again
 *
 * The file's format is described in `scenario-text.ts` and published as JSON Schema (`scenarioJsonSchema`,
 * data/schemas/firedrill-scenario.schema.json). Every error is a ScenarioError whose message names the place and the fix.
 */
export type { AlertSet, ImportedAlert, ImportedService, ImportSource } from "./alert-set";
export { checkedFile } from "./checked-file";
export { firingText, importAlerts } from "./import-alerts";
export { importedDraw } from "./imported-draw";
export {
  type AlertsFileContent,
  type Budget,
  editScenario,
  readScenario,
  scenarioFrom,
  usualBudget,
  writeScenario,
  writeSkeleton,
} from "./scenario-file";
export { SCHEMA, scenarioJsonSchema } from "./scenario-schema";
export { type DraftProblem, draftFrom, problemsOf, queueOf, type TruthDraft, teamsOf, truthForm } from "./truth-draft";
